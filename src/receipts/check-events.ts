// Replays an order's events on its devices, and checks that the posted entries of a receipt follow from them.
import { addMonths } from '../engine/numbers/calendar.ts'
import { NO_EMISSIONS, type InForce, type LedgerEntry } from '../engine/ledger-history.ts'
import { sharedIn, type EventRejection, type Shared } from '../engine/order-events.ts'
import type { OrderInputs, PostedEmission } from '../engine/order-inputs.ts'
import { DevicelessOrderReplay, OrderReplay, type RecordedEvent } from '../engine/order-replay.ts'
import type { Product } from '../engine/order.ts'
import type { TermsChange } from '../engine/post-entries.ts'
import { toExactText, whole } from '../engine/numbers/rational.ts'
import type { Decoder, DecodeError } from '../strict-json/decoder.ts'

/** An entry that the order or one of its events posts: its reason, and the terms it sets. */
type StatedChange = Pick<LedgerEntry, 'reason' | 'eventId' | 'inForce' | 'terms' | 'country'>

/**
 * Every event of the receipt must have posted its entries, and every other entry must be a correction.
 * @throws DecodeError at an event that cannot have happened, or an entry that does not follow from the order and its
 * events
 */
export function checkEvents(receipt: Decoder, facts: OrderInputs): void {
  const stated = new Map<string, TermsChange[]>()
  const alone: StatedChange[] = []
  if (facts.devices.length > 0) replay(receipt, facts, stated)
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
function replay(receipt: Decoder, facts: OrderInputs, stated: Map<string, TermsChange[]>): void {
  const sent = new Map<string, TermsChange>()
  const items = receipt.get('order').get('as_received').get('items').list()
  const firstEntries = new Map(facts.devices.map(({ serialNumber, posted }) => [serialNumber, posted[0]]))
  for (const [at, item] of facts.order.items.entries()) {
    if (item.type !== 'product') continue
    const { serialNumber } = item
    if (sent.has(serialNumber)) throw items[at]!.get('config').get('serial_number').fault('another device')
    sent.set(serialNumber, ordered(item, facts, sharedIn([firstEntries.get(serialNumber) ?? NO_EMISSIONS])))
  }
  for (const [serialNumber, change] of sent) stated.set(serialNumber, [change])
  const order = new OrderReplay({ ...facts.order, devices: sent })
  for (const node of receipt.get('events').list()) {
    const event = readOrderEvent(node)
    const decision = order.apply(event)
    if (!decision.ok) throw refused(node, decision)
    const [first] = decision.changes.keys()
    const named = 'serialNumber' in event ? event.serialNumber : null
    node.get('serial_number').is(event.type === 'swapped' ? first! : named)
    for (const [serialNumber, change] of decision.changes) {
      stated.set(serialNumber, [...(stated.get(serialNumber) ?? []), change])
    }
  }
}

const ordered = (product: Product, { order, releaseId }: OrderInputs, shared: Shared): TermsChange => ({
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
  shared,
})

function replayAlone(receipt: Decoder, { order, posted }: OrderInputs, stated: StatedChange[]): void {
  const first = order.items.length > 0 ? posted[0] : undefined
  const sent = first ? { ...first, reason: 'order' as const, eventId: null } : null
  if (sent) stated.push({ ...sent, terms: null })
  const replayed = new DevicelessOrderReplay({ ...order, posted: sent })
  for (const node of receipt.get('events').list()) {
    const decision = replayed.apply(readOrderEvent(node))
    if (!decision.ok) throw refused(node, decision)
    node.get('serial_number').is(null)
    stated.push({ ...decision.change, terms: null, country: null })
  }
}

/** If a swap was sent without the device that it replaces, that is stated beside the event. */
const memberOf = (node: Decoder, name: string): Decoder =>
  name === 'serial_number' && node.get('event').get(name).value === undefined
    ? node.get(name)
    : node.get('event').get(name)

const refused = (event: Decoder, { problem }: EventRejection): DecodeError =>
  memberOf(event, problem.path.slice(1)).fault(`an event that can have happened. ${problem.message}`)

const TENURE_MAX = 1200

function readOrderEvent(node: Decoder): RecordedEvent {
  const event = node.get('event')
  const eventId = event.get('event_id').text()
  const type = event.get('type').oneOf(['returned', 'extended', 'cancelled', 'swapped', 'reversed', 'withdrawn'])
  if (type === 'withdrawn') return { type, eventId, withdraws: event.get('withdraws').text() }
  // A swap names the device that it replaced, also if it was sent without.
  const stated = event.get('serial_number').maybe((serial) => serial.text())
  const serialNumber = type === 'swapped' ? node.get('serial_number').maybe((serial) => serial.text()) : stated
  if (type === 'swapped' && stated !== null) node.get('serial_number').is(stated)
  const common = { eventId, serialNumber }
  if (type === 'reversed') return { ...common, type }
  if (type === 'extended') return { ...common, type, tenureMonths: event.get('tenure_months').integer(TENURE_MAX) }
  const date = event.get('date').takenDay()
  if (type === 'returned') return { ...common, type, date }
  if (type === 'swapped') return { ...common, type, date, newSerialNumber: event.get('new_serial_number').text() }
  return { ...common, type, date, dispatched: event.get('dispatched').maybe((flag) => flag.flag()) ?? false }
}

const CORRECTIONS: ReadonlySet<string> = new Set([
  'refurbishment',
  'retirement',
  'loss',
  'identification',
  'withdrawal',
  'overlap',
  'resequenced',
])

/** A withdrawal of an order's own event states terms, or which ones are in force; that of a device's event does not. */
const isCorrection = (node: Decoder): boolean =>
  CORRECTIONS.has(node.get('reason').text()) &&
  (node.get('reason').text() !== 'withdrawal' ||
    (node.get('terms').value === undefined && node.get('in_force').value === undefined))

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
    if (next > 0 && isCorrection(node)) node.get('terms').is(undefined)
    else checkEntry(node, stated[next++], receipt)
  }
  const missing = stated[next]
  if (missing) throw posted.fault(`an entry "${missing.reason}"${missing.eventId ? ` of "${missing.eventId}"` : ''}`)
}

function checkEntry(entry: Decoder, stated: StatedChange | undefined, receipt: Decoder): void {
  if (!stated) throw entry.get('reason').fault('an entry that the order or an event of the receipt posted')
  entry.get('reason').oneOf([stated.reason])
  entry.get('event_id').is(stated.eventId ?? undefined)
  checkInForce(entry.get('in_force'), stated.inForce ?? null)
  entry.get('caused_by_rental').is(undefined)
  const agreed = entry.get('terms')
  if (!stated.terms) return agreed.is(undefined)
  agreed.get('start').is(stated.terms.start)
  agreed.get('end').is(stated.terms.end)
  agreed.get('months').is(toExactText(stated.terms.months))
  agreed.get('country').is(stated.country ?? undefined)
  agreed.get('dataset_release').is(receipt.get('order').get('dataset_release').text())
}

function checkInForce(node: Decoder, inForce: InForce | null): void {
  if (inForce === null) return node.is(undefined)
  node.get('reason').oneOf([inForce.reason])
  node.get('event_id').is(inForce.eventId ?? undefined)
}

/**
 * A correction is caused by another order's rental, or by an event on the device that is not shown in this order's
 * receipt.
 */
function checkCause(entry: Decoder, rentals: readonly Decoder[]): void {
  if (!isCorrection(entry)) return
  const cause = entry.get('caused_by_rental')
  const place = cause.maybe((node) => node.integer(rentals.length))
  if (place === null) entry.get('event_id').text()
  else if (!rentals[place - 1] || rentals[place - 1]!.get('is_this_order').flag()) throw cause.fault('another rental')
  else entry.get('event_id').is(undefined)
  const isByOrder = ['overlap', 'resequenced'].includes(entry.get('reason').text())
  if (place !== null && !isByOrder) throw entry.get('reason').fault('overlap or resequenced, for a rental')
  if (place === null && entry.get('reason').text() === 'overlap') throw cause.fault('the rental that overlaps')
}
