// Verifies what an order and its events state: its events are decided again, and have to result in its entries.
import type { Order } from '../../engine/order.ts'
import type { Shared } from '../../engine/order-events.ts'
import { compareStatedEntries, isStated, stateEntries, type StatedEntry } from '../../engine/stated-entries.ts'
import { mappingsOfMethods, rematchProduct } from '../../engine/reference/product-match.ts'
import type { StoredEntry, StoredEvent, StoredFootprint } from '../records.ts'
import type { WireSwap } from '../../contract/event-schema.ts'
import { decodeEntry, eventContent, replacementWeight, replayedEvent, serialNumberIn } from '../codec.ts'
import { footprintToStore, weightToStore } from '../footprints.ts'
import { namedProductOf } from '../swapped-product.ts'
import { compareMatch, type VerificationFindings, type VerifyContext } from './context.ts'
import type { OrderEntries, OrderRow } from './records.ts'

/** Compares what an order and its events state with its entries, for each of its devices or for the order itself. */
export function verifyStated(
  row: OrderRow,
  order: Order,
  sharedOf: (serialNumber: string) => Shared,
  posted: readonly OrderEntries[],
  context: VerifyContext,
  findings: VerificationFindings,
): void {
  for (const stored of row.events) verifyEventRow(stored, findings)
  const { entries, events } = stateEntries({ order, releaseId: row.releaseId, sharedOf }, row.events.map(replayedEvent))
  for (const [at, stored] of row.events.entries()) {
    const { eventId } = stored
    const event = events[at]!
    if (!event.ok) findings.add(`event "${eventId}"`, eventContent(stored).type, `nothing: ${event.problem.message}`)
    else verifySwap(stored, event.serialNumber, posted, context, findings)
  }
  for (const { serialNumber, entries: own } of posted)
    compareStated(serialNumber, own, entries.get(serialNumber) ?? [], findings)
}

/** The columns of an event are those of its content. */
function verifyEventRow(stored: StoredEvent, findings: VerificationFindings): void {
  const wire = eventContent(stored)
  const member = `event "${stored.eventId}"`
  findings.compare(`${member} event_id`, wire.event_id, stored.eventId)
  const named = serialNumberIn(wire)
  // A swap may be sent without the device that it replaces; what it replaced is verified with the entries.
  if (wire.type === 'swapped' && named === null) return
  findings.compare(`${member} serial_number`, stored.serialNumber, named)
}

function compareStated(
  serialNumber: string,
  posted: readonly StoredEntry[],
  stated: readonly StatedEntry[],
  findings: VerificationFindings,
): void {
  const entries = posted.map(decodeEntry).filter((entry) => serialNumber === '' || isStated(entry))
  for (const { place, column, stored: found, recomputed } of compareStatedEntries(entries, stated)) {
    const member = `entry ${entries[place]?.no ?? place + 1}${column === null ? '' : ` ${column}`}`
    findings.compare(serialNumber === '' ? member : `device "${serialNumber}" ${member}`, found, recomputed)
  }
}

/** Verifies the replacement device of a swap: its footprint, if it was not rented before. */
function verifySwap(
  stored: StoredEvent,
  replacedSerial: string | null,
  posted: readonly OrderEntries[],
  context: VerifyContext,
  findings: VerificationFindings,
): void {
  const wire = eventContent(stored)
  if (wire.type !== 'swapped') return
  findings.compare(`event "${stored.eventId}" serial_number`, stored.serialNumber, replacedSerial)
  const serial = wire.new_serial_number
  const entryIn = (name: string | null) =>
    posted
      .find(({ serialNumber }) => serialNumber === name)
      ?.entries.find(({ eventId, terms }) => eventId === wire.event_id && terms !== null)
  const entry = entryIn(serial)
  const [replaced, device] = [entryIn(replacedSerial)?.footprint, entry?.footprint]
  if (entry?.no !== 1 || !device || !replaced) return
  const expected =
    footprintByWords(wire, entry, context) ??
    ({ ...replaced, weightKg: weightToStore(replaced.footprintId, replacementWeight(wire)) } as const)
  findings.compare(`device "${serial}" footprint_id`, device.footprintId, expected.footprintId)
  findings.compare(`device "${serial}" release_id`, device.releaseId, expected.releaseId)
  compareMatch(serial, device, expected.possibleMatch, findings)
  findings.compare(`device "${serial}" weight_kg`, device.weightKg, expected.weightKg)
}

/** What the words of the swap lead to, by the release that the entry names; a guess stays if it is possible. */
function footprintByWords(wire: WireSwap, entry: StoredEntry, context: VerifyContext): StoredFootprint | null {
  const named = namedProductOf(wire, entry)
  if (!named) return null
  const { product, releaseId, matchMethod } = named
  const mappingOf = mappingsOfMethods(() => [product], [matchMethod])
  const match = rematchProduct(product, named, context.referenceDataOf(releaseId), mappingOf)
  return footprintToStore(product, match, releaseId, entry.footprint!.isCapped)
}
