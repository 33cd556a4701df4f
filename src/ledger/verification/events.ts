// Verifies an order's events: each is decided again and has to result in the terms of its entries.
import { replayEntries, isActive } from '../../engine/ledger-history.ts'
import { orderKey } from '../../engine/device-timeline.ts'
import type { Order } from '../../engine/order.ts'
import { decideDevicelessOrderEvent, decideOrderEvent } from '../../engine/order-events.ts'
import type { RentalChange } from '../../engine/post-entries.ts'
import { RunningLedger } from '../../engine/running-ledger.ts'
import { toFractionText } from '../../engine/numbers/rational.ts'
import type { StoredDevice, StoredEntry, StoredEvent } from '../records.ts'
import type { RecordedOrderEvent } from '../../contract/event-schema.ts'
import { decodeEntry, decodeOrderEvent, eventContent, replacementWeight, weightToStore } from '../codec.ts'
import { NOT_STORED, compareMatch, type VerificationFindings, type VerifyContext } from './context.ts'
import type { OrderEntries, OrderRow } from './records.ts'

interface ReadEvent {
  readonly stored: StoredEvent
  readonly wire: RecordedOrderEvent
  /** The devices whose entries refer to the event. */
  readonly devices: Set<string>
}

interface EventsOfOrder {
  readonly row: OrderRow
  readonly order: Order
  readonly events: ReadonlyMap<string, ReadEvent>
  readonly posted: readonly OrderEntries[]
  readonly context: VerifyContext
  readonly findings: VerificationFindings
}

/** Compares the results of an order's events with its entries, for each of its devices or for the order itself. */
export function verifyEvents(
  row: OrderRow,
  order: Order,
  posted: readonly OrderEntries[],
  context: VerifyContext,
  findings: VerificationFindings,
): void {
  const events = new Map(row.events.map((stored) => [stored.eventId, readEvent(stored)]))
  const all = { row, order, events, posted, context, findings }
  for (const one of posted) {
    if (one.serialNumber === '') verifyAlone(one.entries, all)
    else for (const entry of one.entries) verifyEventEntry(entry, one, all)
  }
  for (const event of events.values()) verifyReach(event, all)
}

const readEvent = (stored: StoredEvent): ReadEvent => ({
  stored,
  wire: eventContent(stored),
  devices: new Set(),
})

/**
 * Verifies the entries of an order without devices after its first; an order without items has no first entry of its
 * own.
 */
function verifyAlone(entries: readonly StoredEntry[], { row, events, findings }: EventsOfOrder): void {
  for (const [at, entry] of entries.entries()) {
    if (at === 0 && entry.reason === 'order') continue
    const event = events.get(entry.eventId ?? '')
    if (!event) {
      findings.add(`entry ${entry.no}`, `${entry.reason} without an event`, NOT_STORED)
      continue
    }
    event.devices.add('')
    const member = `entry ${entry.no}`
    const told = decodeOrderEvent(event.wire, event.wire.serial_number ?? null)
    const ruling = decideDevicelessOrderEvent(told, { ...row, posted: entries.slice(0, at) })
    if (!ruling.ok) {
      findings.add(member, entry.reason, `nothing: ${ruling.problem.message}`)
      continue
    }
    const expected = ruling.entry
    findings.compare(`${member} no`, entry.no, expected.no)
    findings.compare(`${member} reason`, entry.reason, expected.reason)
    findings.compare(`${member} embodied_mg`, entry.product_embodied_emission, 0n)
    findings.compare(`${member} use_mg`, entry.product_use, 0n)
    findings.compare(`${member} packaging_mg`, entry.packaging, expected.packaging)
    findings.compare(`${member} transportation_mg`, entry.transportation, expected.transportation)
  }
}

/** An entry that changes the terms of a rental has to refer to an event that changes them in that way. */
function verifyEventEntry(entry: StoredEntry, of: OrderEntries, all: EventsOfOrder): void {
  const { events, findings } = all
  if (entry.terms === null || entry.reason === 'order') return
  const event = events.get(entry.eventId ?? '')
  const member = `device "${of.serialNumber}" entry ${entry.no}`
  if (!event) return findings.add(member, `${entry.reason} without an event`, NOT_STORED)
  event.devices.add(of.serialNumber)
  // The entry of the replacement device is verified together with that of the replaced device.
  if (entry.reason === 'swapped_in' || !of.device) return
  const changes = changesOf(event, entry, of, all)
  if (!changes) return
  compareChange(entry, changes.get(of.serialNumber), member, findings)
  if (event.wire.type === 'swapped') verifyNewcomer(event.wire, of.device, changes, all)
}

/**
 * What an event changes on an order's device, computed from this order's entries alone. Other orders and events of the
 * device can forbid an event, but not change its result.
 */
function changesOf(
  { wire }: ReadEvent,
  entry: StoredEntry,
  { serialNumber, device, entries }: OrderEntries,
  { order, context, findings }: EventsOfOrder,
): ReadonlyMap<string, RentalChange> | null {
  const history = replayEntries(entries.filter(({ no }) => no < entry.no).map(decodeEntry))
  const member = `device "${serialNumber}" entry ${entry.no}`
  if (!history.rentals.has(orderKey(order))) {
    findings.add(member, entry.reason, 'nothing, since the order did not have the device')
    return null
  }
  const { customerId, orderId, tenureStartDate } = order
  const known = { serialNumber, ledger: RunningLedger.open(history, context.figuresOf(device!)) }
  const eventOrder = { customerId, orderId, tenureStartDate, devices: [known] }
  const ruling = decideOrderEvent(decodeOrderEvent(wire, serialNumber), eventOrder, null)
  if (ruling.ok) return ruling.changes
  findings.add(member, entry.reason, `nothing: ${ruling.problem.message}`)
  return null
}

function compareChange(
  entry: StoredEntry,
  change: RentalChange | undefined,
  member: string,
  findings: VerificationFindings,
): void {
  if (!change || 'event' in change) return findings.add(member, entry.reason, NOT_STORED)
  const { terms, shared } = change
  findings.compare(`${member} reason`, entry.reason, change.reason)
  findings.compare(`${member} event_id`, entry.eventId, change.eventId)
  findings.compare(`${member} start_date`, entry.terms!.start, terms.start)
  findings.compare(`${member} end_date`, entry.terms!.end, terms.end)
  findings.compare(`${member} months`, entry.terms!.months, toFractionText(terms.months))
  findings.compare(`${member} country`, entry.country, change.country)
  findings.compare(`${member} release_id`, entry.releaseId, change.releaseId)
  findings.compare(`${member} packaging_mg`, entry.packaging, shared.packaging)
  findings.compare(`${member} transportation_mg`, entry.transportation, shared.transportation)
}

/** Verifies the replacement device of a swap: its entry, and its footprint if it was not rented before. */
function verifyNewcomer(
  wire: Extract<RecordedOrderEvent, { type: 'swapped' }>,
  replaced: StoredDevice,
  changes: ReadonlyMap<string, RentalChange>,
  { posted, findings }: EventsOfOrder,
): void {
  const serial = wire.new_serial_number
  const replacement = posted.find(({ serialNumber }) => serialNumber === serial)
  const entry = replacement?.entries.find(({ eventId, terms }) => eventId === wire.event_id && terms !== null)
  if (!entry) return findings.add(`device "${serial}"`, NOT_STORED, `an entry of the swap "${wire.event_id}"`)
  compareChange(entry, changes.get(serial), `device "${serial}" entry ${entry.no}`, findings)
  const { device } = replacement!
  if (entry.no !== 1 || !device) return
  findings.compare(`device "${serial}" footprint_id`, device.footprintId, replaced.footprintId)
  findings.compare(`device "${serial}" release_id`, device.releaseId, replaced.releaseId)
  compareMatch(serial, device, replaced.possibleMatch, findings)
  const weight = weightToStore(replaced.footprintId, replacementWeight(wire))
  findings.compare(`device "${serial}" weight_kg`, device.weightKg, weight)
}

/** Checks that an event has an entry for each device that it concerns. */
function verifyReach(event: ReadEvent, all: EventsOfOrder): void {
  const { stored, wire, devices } = event
  const { findings } = all
  const member = `event "${stored.eventId}"`
  findings.compare(`${member} event_id`, wire.event_id, stored.eventId)
  if (devices.size === 0) findings.add(member, wire.type, 'an entry of it')
  const named = wire.type === 'swapped' ? stored.serialNumber : (wire.serial_number ?? null)
  findings.compare(`${member} serial_number`, stored.serialNumber, named)
  if (wire.type === 'swapped' && wire.serial_number !== undefined && stored.serialNumber !== wire.serial_number) {
    findings.add(`${member} serial_number`, String(stored.serialNumber), wire.serial_number)
  }
  const missing = named === null ? openDevices(event, all) : [named]
  for (const serial of missing) {
    if (!devices.has(serial)) findings.add(`device "${serial}"`, NOT_STORED, `an entry of the ${member}`)
  }
}

/** The devices that the order certainly had when an event without a serial number was recorded. */
function openDevices({ stored }: ReadEvent, { order, events, posted }: EventsOfOrder): readonly string[] {
  const timeOf = (eventId: string | null | undefined) => events.get(eventId ?? '')?.stored.postedAt.getTime() ?? 0
  const postedMs = stored.postedAt.getTime()
  return posted.flatMap(({ serialNumber, entries }) => {
    if (serialNumber === '') return []
    const rental = replayEntries(entries.map(decodeEntry)).rentals.get(orderKey(order))
    if (!rental) return []
    const terms = entries.filter((entry) => entry.terms !== null)
    const [first, last] = [terms[0]!, terms.at(-1)!]
    if (first.reason === 'swapped_in' && timeOf(first.eventId) >= postedMs) return []
    return isActive(rental) || timeOf(last.eventId) > postedMs ? [serialNumber] : []
  })
}
