// Verifies an order's events: each is decided again and has to result in the terms of its entries.
import type { Order } from '../../engine/order.ts'
import { DevicelessOrderReplay, OrderReplay } from '../../engine/order-replay.ts'
import type { TermsChange } from '../../engine/post-entries.ts'
import { toFractionText } from '../../engine/numbers/rational.ts'
import { mappingsOfMethods, rematchProduct } from '../../engine/reference/product-match.ts'
import type { StoredEntry, StoredEvent, StoredFootprint } from '../records.ts'
import type { WireSwap } from '../../contract/event-schema.ts'
import { eventContent, replacementWeight, replayedEvent, serialNumberIn } from '../codec.ts'
import { footprintToStore, weightToStore } from '../footprints.ts'
import { sentTerms } from '../order-state.ts'
import { namedProductOf } from '../swapped-product.ts'
import { NOT_STORED, compareMatch, type VerificationFindings, type VerifyContext } from './context.ts'
import type { OrderEntries, OrderRow } from './records.ts'

/** Compares the results of an order's events with its entries, for each of its devices or for the order itself. */
export function verifyEvents(
  row: OrderRow,
  order: Order,
  posted: readonly OrderEntries[],
  context: VerifyContext,
  findings: VerificationFindings,
): void {
  for (const stored of row.events) verifyEventRow(stored, findings)
  if (posted.some(({ serialNumber }) => serialNumber === '')) verifyAlone(row, posted[0]!.entries, findings)
  else verifyTerms(row, order, posted, context, findings)
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

/** Compares the entries of an order without devices with what the order and its events post. */
function verifyAlone(row: OrderRow, entries: readonly StoredEntry[], findings: VerificationFindings): void {
  const first = entries.find(({ reason }) => reason === 'order') ?? null
  const replay = new DevicelessOrderReplay({ ...row, posted: first })
  const own = entries.filter((entry) => entry !== first)
  for (const [at, stored] of row.events.entries()) {
    const decision = replay.apply(replayedEvent(stored))
    const entry = own[at]
    if (!decision.ok) {
      findings.add(`event "${stored.eventId}"`, entry?.reason ?? NOT_STORED, `nothing: ${decision.problem.message}`)
      continue
    }
    if (!entry) {
      findings.add(`event "${stored.eventId}"`, NOT_STORED, 'an entry of it')
      continue
    }
    const { change } = decision
    const member = `entry ${entry.no}`
    findings.compare(`${member} no`, entry.no, at + (first ? 2 : 1))
    findings.compare(`${member} reason`, entry.reason, change.reason)
    findings.compare(`${member} event_id`, entry.eventId, change.eventId)
    findings.compare(`${member} in_force`, inForceText(entry), inForceText(change))
    findings.compare(`${member} embodied_mg`, entry.product_embodied_emission, 0n)
    findings.compare(`${member} use_mg`, entry.product_use, 0n)
    findings.compare(`${member} packaging_mg`, entry.packaging, change.packaging)
    findings.compare(`${member} transportation_mg`, entry.transportation, change.transportation)
  }
  for (const { no, reason } of own.slice(row.events.length)) {
    findings.add(`entry ${no}`, `${reason} without an event`, NOT_STORED)
  }
}

/** Replays the events on what the order's first entries posted, and compares the entries that set terms. */
function verifyTerms(
  row: OrderRow,
  order: Order,
  posted: readonly OrderEntries[],
  context: VerifyContext,
  findings: VerificationFindings,
): void {
  const sent = order.items.flatMap((item) => (item.type === 'product' ? [item.serialNumber] : []))
  const bySerial = new Map(posted.map((one) => [one.serialNumber, one]))
  const devices = sent.flatMap((serialNumber) => {
    const first = bySerial.get(serialNumber)?.entries[0]
    return first?.terms ? [[serialNumber, sentTerms(first)] as const] : []
  })
  // A missing first entry is reported with the order.
  if (devices.length < sent.length) return
  const { customerId, orderId, tenureStartDate } = order
  const replay = new OrderReplay({ customerId, orderId, tenureStartDate, devices: new Map(devices) })
  const stated = new Map<string, TermsChange[]>()
  for (const stored of row.events) {
    const decision = replay.apply(replayedEvent(stored))
    if (!decision.ok) {
      findings.add(`event "${stored.eventId}"`, eventContent(stored).type, `nothing: ${decision.problem.message}`)
      continue
    }
    for (const [serialNumber, change] of decision.changes) {
      stated.set(serialNumber, [...(stated.get(serialNumber) ?? []), change])
    }
    verifyNewcomer(stored, decision.changes, bySerial, context, findings)
  }
  for (const { serialNumber, entries } of posted) {
    const ofEvents = entries.filter(({ terms, reason }) => terms !== null && reason !== 'order')
    compareChanges(serialNumber, ofEvents, stated.get(serialNumber) ?? [], findings)
  }
}

/** Compares in order; an entry that is missing or superfluous does not shift those after it. */
function compareChanges(
  serialNumber: string,
  entries: readonly StoredEntry[],
  changes: readonly TermsChange[],
  findings: VerificationFindings,
): void {
  const left = [...entries]
  for (const change of changes) {
    const at = left.findIndex(({ eventId }) => eventId === change.eventId)
    const [entry] = at < 0 ? [] : left.splice(at, 1)
    const member = `device "${serialNumber}"`
    if (entry) compareChange(entry, change, `${member} entry ${entry.no}`, findings)
    else findings.add(member, NOT_STORED, `an entry of the event "${change.eventId}"`)
  }
  for (const { no, reason } of left) {
    findings.add(`device "${serialNumber}" entry ${no}`, `${reason} without an event`, NOT_STORED)
  }
}

function compareChange(entry: StoredEntry, change: TermsChange, member: string, findings: VerificationFindings): void {
  const { terms, shared } = change
  findings.compare(`${member} reason`, entry.reason, change.reason)
  findings.compare(`${member} in_force`, inForceText(entry), inForceText(change))
  findings.compare(`${member} start_date`, entry.terms!.start, terms.start)
  findings.compare(`${member} end_date`, entry.terms!.end, terms.end)
  findings.compare(`${member} months`, entry.terms!.months, toFractionText(terms.months))
  findings.compare(`${member} country`, entry.country, change.country)
  findings.compare(`${member} release_id`, entry.releaseId, change.releaseId)
  findings.compare(`${member} packaging_mg`, entry.packaging, shared.packaging)
  findings.compare(`${member} transportation_mg`, entry.transportation, shared.transportation)
}

const inForceText = ({ inForce }: Pick<StoredEntry, 'inForce'>): string | null =>
  inForce ? `${inForce.reason} ${inForce.eventId ?? ''}` : null

/** Verifies the replacement device of a swap: its footprint, if it was not rented before. */
function verifyNewcomer(
  stored: StoredEvent,
  changes: ReadonlyMap<string, TermsChange>,
  posted: ReadonlyMap<string, OrderEntries>,
  context: VerifyContext,
  findings: VerificationFindings,
): void {
  const wire = eventContent(stored)
  if (wire.type !== 'swapped') return
  const [replacedSerial] = changes.keys()
  findings.compare(`event "${stored.eventId}" serial_number`, stored.serialNumber, replacedSerial!)
  const serial = wire.new_serial_number
  const entryIn = (name: string) =>
    posted.get(name)?.entries.find(({ eventId, terms }) => eventId === wire.event_id && terms !== null)
  const entry = entryIn(serial)
  const [replaced, device] = [entryIn(replacedSerial!)?.footprint, entry?.footprint]
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
