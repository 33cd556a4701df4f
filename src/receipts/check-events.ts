// Replays an order's events on its devices, and checks that the posted entries of a receipt follow from them.
import { addMonths } from '../engine/numbers/calendar.ts'
import { emptyLedgerHistory, type LedgerEntry } from '../engine/ledger-history.ts'
import type { ReferenceDataOf } from '../engine/reference/reference-data.ts'
import { footprintById } from '../engine/reference/footprint.ts'
import {
  decideDevicelessOrderEvent,
  decideOrderEvent,
  type EventRejection,
  type OrderDevice,
  type OrderEvent,
} from '../engine/order-events.ts'
import type { DeviceInputs, OrderInputs, PostedEmission } from '../engine/order-inputs.ts'
import type { Product } from '../engine/order.ts'
import type { RentalChange } from '../engine/post-entries.ts'
import { RunningLedger } from '../engine/running-ledger.ts'
import { ONE, toExactText, whole } from '../engine/numbers/rational.ts'
import type { Decoder, DecodeError } from '../strict-json/decoder.ts'

/** An entry that the order or one of its events posts: its reason, and the terms it sets. */
type StatedChange = Pick<LedgerEntry, 'reason' | 'eventId' | 'terms' | 'country'>

/**
 * Every event of the receipt must have posted its entries, and every other entry must be a correction.
 * @throws DecodeError at an event that cannot have happened, or an entry that does not follow from the order and its
 * events
 */
export function checkEvents(receipt: Decoder, facts: OrderInputs, referenceDataOf: ReferenceDataOf): void {
  const stated = new Map<string, StatedChange[]>()
  const alone: LedgerEntry[] = []
  if (facts.devices.length > 0) replay(receipt, facts, referenceDataOf, stated)
  else replayAlone(receipt, facts, alone)
  for (const [at, device] of receipt.get('devices').list().entries()) {
    const expected = stated.get(facts.devices[at]!.serialNumber)
    if (!expected) throw device.get('serial_number').fault('a device of the order')
    checkPosted(device.get('posted'), facts.devices[at]!.posted, expected, receipt)
    for (const entry of device.get('posted').list()) checkCause(entry, device.get('ledger').get('rentals').list())
  }
  checkPosted(receipt.get('posted_to_order'), facts.posted, alone, receipt)
}

/**
 * Other orders and events on the devices can only forbid an event, so replaying without them rejects no valid event.
 */
function replay(
  receipt: Decoder,
  facts: OrderInputs,
  referenceDataOf: ReferenceDataOf,
  stated: Map<string, StatedChange[]>,
): void {
  const { customerId, orderId, tenureStartDate } = facts.order
  const key = { customerId, orderId }
  const known = new Map(facts.devices.map((device) => [device.serialNumber, device]))
  const devices = new Map<string, OrderDevice>()
  const tell = (serialNumber: string, change: Exclude<RentalChange, { event: unknown }>) => {
    const device = devices.get(serialNumber) ?? unheard(known.get(serialNumber)!, referenceDataOf)
    device.ledger.post(change)
    devices.set(serialNumber, device)
    const list = stated.get(serialNumber)
    if (list) list.push(change)
    else stated.set(serialNumber, [change])
  }
  const items = receipt.get('order').get('as_received').get('items').list()
  for (const [at, item] of facts.order.items.entries()) {
    if (item.type !== 'product') continue
    if (devices.has(item.serialNumber)) throw items[at]!.get('config').get('serial_number').fault('another device')
    tell(item.serialNumber, ordered(item, facts))
  }
  for (const node of receipt.get('events').list()) {
    const event = readOrderEvent(node.get('event'))
    const newDevice = event.type === 'swapped' ? (devices.get(event.newSerialNumber) ?? null) : null
    const ruling = decideOrderEvent(event, { ...key, tenureStartDate, devices: [...devices.values()] }, newDevice)
    if (!ruling.ok) throw refused(node, ruling)
    const [first] = ruling.changes.keys()
    node.get('serial_number').is(event.type === 'swapped' ? first! : event.serialNumber)
    for (const [serial, change] of ruling.changes) if (!('event' in change)) tell(serial, change)
  }
}

function unheard(
  { serialNumber, footprintId, weightKg, releaseId, isCapped }: DeviceInputs,
  referenceDataOf: ReferenceDataOf,
): OrderDevice {
  const footprint = footprintById(footprintId, weightKg ?? ONE, referenceDataOf(releaseId))
  return { serialNumber, ledger: RunningLedger.open(emptyLedgerHistory(), { footprint, isCapped, gridOf: () => [] }) }
}

const ordered = (product: Product, { order, releaseId }: OrderInputs) => ({
  customerId: order.customerId,
  orderId: order.orderId,
  reason: 'order' as const,
  terms: {
    start: order.tenureStartDate,
    end: addMonths(order.tenureStartDate, product.tenureMonths),
    months: whole(product.tenureMonths),
  },
  country: product.country ?? order.country,
  releaseId,
  eventId: null,
  shared: { packaging: 0n, transportation: 0n },
})

function replayAlone(receipt: Decoder, { order, posted }: OrderInputs, stated: LedgerEntry[]): void {
  if (order.items.length > 0 && posted[0]) stated.push({ ...posted[0], reason: 'order', eventId: null, terms: null })
  for (const node of receipt.get('events').list()) {
    const ruling = decideDevicelessOrderEvent(readOrderEvent(node.get('event')), {
      ...order,
      releaseId: 0,
      posted: stated,
    })
    if (!ruling.ok) throw refused(node, ruling)
    node.get('serial_number').is(null)
    stated.push(ruling.entry)
  }
}

const refused = (event: Decoder, { problem }: EventRejection): DecodeError =>
  event.get('event').get(problem.path.slice(1)).fault(`an event that can have happened. ${problem.message}`)

const TENURE_MAX = 1200

function readOrderEvent(event: Decoder): OrderEvent {
  const serialNumber = event.get('serial_number').maybe((serial) => serial.text())
  const common = { eventId: event.get('event_id').text(), serialNumber }
  const type = event.get('type').oneOf(['returned', 'extended', 'cancelled', 'swapped', 'reversed'])
  if (type === 'reversed') return { ...common, type }
  if (type === 'extended') return { ...common, type, tenureMonths: event.get('tenure_months').integer(TENURE_MAX) }
  const date = event.get('date').takenDay()
  if (type === 'returned') return { ...common, type, date }
  if (type === 'swapped') return { ...common, type, date, newSerialNumber: event.get('new_serial_number').text() }
  return { ...common, type, date, dispatched: event.get('dispatched').maybe((flag) => flag.flag()) ?? false }
}

const CORRECTIONS: ReadonlySet<string> = new Set(['refurbishment', 'retirement', 'loss', 'overlap', 'resequenced'])

/** The entries must be the expected ones, in order; only corrections may be between them. */
function checkPosted(
  posted: Decoder,
  entries: readonly PostedEmission[],
  stated: readonly StatedChange[],
  receipt: Decoder,
): void {
  let [next, no, time] = [0, 0, -Infinity]
  for (const [at, node] of posted.list().entries()) {
    const entry = entries[at]!
    if (entry.no <= no) throw node.get('entry_no').fault(`a whole number above ${no}`)
    no = entry.no
    const postedAt = node.get('posted_at').time()
    if (postedAt < time) throw node.get('posted_at').fault('a time that is not before the entry above')
    time = postedAt
    if (next > 0 && CORRECTIONS.has(entry.reason)) node.get('terms').is(undefined)
    else checkEntry(node, stated[next++], receipt)
  }
  const missing = stated[next]
  if (missing) throw posted.fault(`an entry "${missing.reason}"${missing.eventId ? ` of "${missing.eventId}"` : ''}`)
}

function checkEntry(entry: Decoder, stated: StatedChange | undefined, receipt: Decoder): void {
  if (!stated) throw entry.get('reason').fault('an entry that the order or an event of the receipt posted')
  entry.get('reason').oneOf([stated.reason])
  entry.get('event_id').is(stated.eventId ?? undefined)
  entry.get('caused_by_rental').is(undefined)
  const agreed = entry.get('terms')
  if (!stated.terms) return agreed.is(undefined)
  agreed.get('start').is(stated.terms.start)
  agreed.get('end').is(stated.terms.end)
  agreed.get('months').is(toExactText(stated.terms.months))
  agreed.get('country').is(stated.country ?? undefined)
  agreed.get('dataset_release').is(receipt.get('order').get('dataset_release').text())
}

/**
 * A correction is caused by another order's rental, or by an event on the device that is not shown in this order's
 * receipt.
 */
function checkCause(entry: Decoder, rentals: readonly Decoder[]): void {
  if (!CORRECTIONS.has(entry.get('reason').text())) return
  const cause = entry.get('caused_by_rental')
  const place = cause.maybe((node) => node.integer(rentals.length))
  if (place === null) entry.get('event_id').text()
  else if (!rentals[place - 1] || rentals[place - 1]!.get('is_this_order').flag()) throw cause.fault('another rental')
  else entry.get('event_id').is(undefined)
  const isByOrder = ['overlap', 'resequenced'].includes(entry.get('reason').text())
  if (place !== null && !isByOrder) throw entry.get('reason').fault('overlap or resequenced, for a rental')
  if (place === null && entry.get('reason').text() === 'overlap') throw cause.fault('the rental that overlaps')
}
