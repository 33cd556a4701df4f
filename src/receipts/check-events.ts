// Replays an order's events on its devices, and checks that the posted entries of a receipt follow from them.
import { NO_EMISSIONS } from '../engine/ledger-history.ts'
import { sharedIn, type EventRejection, type Shared } from '../engine/order-events.ts'
import type { OrderInputs, PostedEmission } from '../engine/order-inputs.ts'
import type { RecordedEvent } from '../engine/order-replay.ts'
import {
  compareStatedEntries,
  isStated,
  stateEntries,
  type StatedColumn,
  type StatedDifference,
  type StatedEntry,
} from '../engine/stated-entries.ts'
import type { Decoder, DecodeError } from '../strict-json/decoder.ts'

/**
 * Every event of the receipt must have posted its entries, and every other entry must be a correction.
 * @throws DecodeError at an event that cannot have happened, or an entry that does not follow from the order and its
 * events
 */
export function checkEvents(receipt: Decoder, facts: OrderInputs): void {
  const nodes = receipt.get('events').list()
  const items = receipt.get('order').get('as_received').get('items').list()
  const serials = facts.order.items.map((item) => (item.type === 'product' ? item.serialNumber : null))
  const twice = serials.findIndex((serial, at) => serial !== null && serials.indexOf(serial) < at)
  if (twice >= 0) throw items[twice]!.get('config').get('serial_number').fault('another device')
  const { entries, events } = stateEntries({ ...facts, sharedOf: createSharedOf(facts) }, nodes.map(readOrderEvent))
  for (const [at, event] of events.entries()) {
    if (!event.ok) throw refused(nodes[at]!, event)
    nodes[at]!.get('serial_number').is(event.serialNumber)
  }
  for (const [at, device] of receipt.get('devices').list().entries()) {
    const { serialNumber, posted } = facts.devices[at]!
    const stated = entries.get(serialNumber)
    if (!stated) throw device.get('serial_number').fault('a device of the order')
    checkPosted(device.get('posted'), posted, stated, receipt)
    const rentals = device.get('ledger').get('rentals').list()
    for (const [no, entry] of device.get('posted').list().entries()) checkCause(entry, posted[no]!, rentals)
  }
  checkPosted(receipt.get('posted_to_order'), facts.posted, entries.get('') ?? [], receipt)
}

/** What was first posted of packaging and transportation is taken as it stands: the sums are compared later. */
function createSharedOf({ devices, posted }: OrderInputs): (serialNumber: string) => Shared {
  const firsts = new Map(devices.map((device) => [device.serialNumber, device.posted[0]]))
  return (serialNumber) => sharedIn([(serialNumber === '' ? posted[0] : firsts.get(serialNumber)) ?? NO_EMISSIONS])
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

/** @throws DecodeError at the first entry that is not what the order and its events state */
function checkPosted(
  posted: Decoder,
  entries: readonly PostedEmission[],
  stated: readonly StatedEntry[],
  receipt: Decoder,
): void {
  const nodes = posted.list()
  let [no, time] = [0, -Infinity]
  for (const [at, node] of nodes.entries()) {
    if (entries[at]!.no <= no) throw node.get('entry_no').fault(`a whole number above ${no}`)
    no = entries[at]!.no
    const postedAt = node.get('posted_at').time()
    if (postedAt < time) throw node.get('posted_at').fault('a time that is not before the entry above')
    time = postedAt
  }
  const own = [...entries.keys()].filter((at) => at === 0 || isStated(entries[at]!))
  const [first] = compareStatedEntries(
    own.map((at) => entries[at]!),
    stated,
  )
  if (first) throw differenceAt(first, posted, nodes[own[first.place] ?? nodes.length], receipt)
}

function differenceAt(
  { column, recomputed }: StatedDifference,
  posted: Decoder,
  node: Decoder | undefined,
  receipt: Decoder,
): DecodeError {
  if (column === null) {
    const expected = String(recomputed ?? 'an entry that the order or an event of the receipt posted')
    return (node?.get('reason') ?? posted).fault(expected)
  }
  const release = column === 'release_id' ? receipt.get('order').get('dataset_release').text() : null
  return MEMBERS[column].reduce((at, name) => at.get(name), node!).fault(release ?? String(recomputed ?? 'nothing'))
}

/** Where a receipt has what a column of an entry says. */
const MEMBERS: Readonly<Record<StatedColumn, readonly string[]>> = {
  reason: ['reason'],
  event_id: ['event_id'],
  in_force: ['in_force'],
  cause: ['caused_by_rental'],
  start_date: ['terms', 'start'],
  end_date: ['terms', 'end'],
  months: ['terms', 'months'],
  country: ['terms', 'country'],
  release_id: ['terms', 'dataset_release'],
  packaging_mg: ['emission', 'packaging'],
  transportation_mg: ['emission', 'transportation'],
}

/**
 * A correction is caused by another order's rental, or by an event on the device that is not shown in this order's
 * receipt.
 */
function checkCause(entry: Decoder, posted: PostedEmission, rentals: readonly Decoder[]): void {
  if (isStated(posted)) return
  const cause = entry.get('caused_by_rental')
  const place = cause.maybe((node) => node.integer(rentals.length))
  if (place === null) entry.get('event_id').text()
  else if (!rentals[place - 1] || rentals[place - 1]!.get('is_this_order').flag()) throw cause.fault('another rental')
  else entry.get('event_id').is(undefined)
  const isByOrder = ['overlap', 'resequenced'].includes(entry.get('reason').text())
  if (place !== null && !isByOrder) throw entry.get('reason').fault('overlap or resequenced, for a rental')
  if (place === null && entry.get('reason').text() === 'overlap') throw cause.fault('the rental that overlaps')
}
