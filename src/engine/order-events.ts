// Events of an order: whether an event is possible, which devices it affects, and the resulting rental terms.
import {
  orderKey,
  type AllocatedRental,
  type OrderKey,
  type RentalEndCause,
  type RentalTerms,
} from './device-timeline.ts'
import { NO_EMISSIONS, isActive, isCancellation, type LedgerEntry, type PostedRental } from './ledger-history.ts'
import { addMonths, monthsBetween, wholeMonthsBetween } from './numbers/calendar.ts'
import { sumMilligrams } from './numbers/emission.ts'
import { ZERO, add, min, subtract, whole } from './numbers/rational.ts'
import type { Problem } from './order.ts'
import type { RentalChange } from './post-entries.ts'
import { closestMatches, withSuggestions } from './reference/suggestions.ts'
import type { RunningLedger } from './running-ledger.ts'

export type OrderEvent = {
  readonly eventId: string
  /** Null if the event affects all devices of the order. */
  readonly serialNumber: string | null
} & (
  | { readonly type: 'returned'; readonly date: string }
  /** `tenureMonths` is the total, counted from the order's tenure start. */
  | { readonly type: 'extended'; readonly tenureMonths: number }
  | { readonly type: 'cancelled'; readonly date: string; readonly dispatched: boolean }
  | { readonly type: 'swapped'; readonly date: string; readonly newSerialNumber: string }
  /** The import that stored the order was reversed: the order is treated as if it had never been sent. */
  | { readonly type: 'reversed' }
)

/** A device of an order, with its ledger. */
export interface OrderDevice {
  readonly serialNumber: string
  readonly ledger: RunningLedger
}

export interface EventOrder extends OrderKey {
  readonly tenureStartDate: string
  readonly devices: readonly OrderDevice[]
}

const rentalOfOrder = ({ ledger }: OrderDevice, order: OrderKey): PostedRental =>
  ledger.history.rentals.get(orderKey(order))!

type NamedChange = readonly [serialNumber: string, change: RentalChange]
type PlannedChanges = readonly NamedChange[] | EventRejection

const isRejection = (result: readonly unknown[] | EventRejection): result is EventRejection => 'ok' in result

/** The changes that an event makes for one affected device, or why it cannot have happened. */
function planRentalChanges(
  event: OrderEvent,
  device: OrderDevice,
  order: EventOrder,
  newDevice: OrderDevice | null,
): PlannedChanges {
  switch (event.type) {
    case 'returned':
      return returned(event.date, event.eventId, device, order)
    case 'extended':
      return extended(event.tenureMonths, event.eventId, device, order)
    case 'cancelled':
      return cancelled(event, device, order)
    case 'swapped':
      return swapped(event, device, order, newDevice)
    case 'reversed':
      return takenBack('reversal', event.eventId, false, device, order)
  }
}

const NOT_SHARED = { packaging: 0n, transportation: 0n }

const changeOf = (rental: PostedRental, terms: RentalTerms, reason: PostedRental['reason'], eventId: string) => ({
  customerId: rental.customerId,
  orderId: rental.orderId,
  terms,
  reason,
  country: rental.country,
  releaseId: rental.releaseId,
  eventId,
  shared: NOT_SHARED,
})

function returned(date: string, eventId: string, device: OrderDevice, order: EventOrder): PlannedChanges {
  const rental = rentalOfOrder(device, order)
  const { terms } = rental
  if (date < terms.start) return rejection('/date', `The rental of the device starts on ${terms.start}, after ${date}`)
  const run = device.ledger.runOf(order)
  if (run.endedBy && date > run.end) return rejection('/date', `The device ${describeRentalEnd(run)}, before ${date}`)
  const reason = date < terms.end ? 'early_return' : date > terms.end ? 'late_return' : 'return'
  const change = changeOf(rental, { start: terms.start, end: date, months: monthsUntil(date, terms) }, reason, eventId)
  const after = device.ledger.endWith(order, change.terms)
  if (after.end < date) return rejection('/date', `The device ${describeRentalEnd(after)}, before ${date}`)
  return [[device.serialNumber, change]]
}

/** For an early return, the elapsed months; for a late return, the agreed months plus those after the agreed end. */
function monthsUntil(date: string, { start, end, months }: RentalTerms) {
  if (date > end) return add(months, monthsBetween(end, date))
  return date === end ? months : min(months, monthsBetween(start, date))
}

function extended(tenureMonths: number, eventId: string, device: OrderDevice, order: EventOrder): PlannedChanges {
  const rental = rentalOfOrder(device, order)
  const { terms } = rental
  const before = device.ledger.runOf(order)
  if (before.endedBy) return rejection('/type', `The device ${describeRentalEnd(before)}; it cannot be extended`)
  const tenure = wholeMonthsBetween(order.tenureStartDate, terms.end)
  if (tenureMonths <= tenure) {
    return rejection('/tenure_months', `Must be more than the ${tenure} months already agreed in total`)
  }
  const months = add(terms.months, whole(tenureMonths - tenure))
  const longer = { start: terms.start, end: addMonths(order.tenureStartDate, tenureMonths), months }
  const change = changeOf(rental, longer, 'extension', eventId)
  const after = device.ledger.endWith(order, change.terms)
  if (after.end <= before.end) return rejection('/tenure_months', `The device ${describeRentalEnd(after)}`)
  return [[device.serialNumber, change]]
}

function cancelled(
  { date, dispatched, eventId }: Extract<OrderEvent, { type: 'cancelled' }>,
  device: OrderDevice,
  order: EventOrder,
): PlannedChanges {
  const change = takenBack('cancelled', eventId, dispatched, device, order)
  const { start } = rentalOfOrder(device, order).terms
  if (date >= start) {
    const message =
      `The tenure starts on ${start}: an order can be cancelled only before that day, ` +
      'and returned from that day on'
    return rejection('/date', message)
  }
  return change
}

/** Cancels a rental completely. Rejected if the order has begun. */
function takenBack(
  reason: 'cancelled' | 'reversal',
  eventId: string,
  dispatched: boolean,
  device: OrderDevice,
  order: EventOrder,
): PlannedChanges {
  const rental = rentalOfOrder(device, order)
  const { start } = rental.terms
  if (start > order.tenureStartDate) return rejection('/type', 'The order began: a device of it was swapped')
  const { packaging, transportation } = rental.posted
  const shared = dispatched ? NOT_SHARED : { packaging: -packaging, transportation: -transportation }
  const change = changeOf(rental, { start, end: start, months: ZERO }, reason, eventId)
  return [[device.serialNumber, { ...change, shared }]]
}

/** The old device's rental ends on the day of the swap; the new device's starts then with the remaining months. */
function swapped(
  { date, newSerialNumber, eventId }: Extract<OrderEvent, { type: 'swapped' }>,
  device: OrderDevice,
  order: EventOrder,
  newDevice: OrderDevice | null,
): PlannedChanges {
  const rental = rentalOfOrder(device, order)
  const { terms } = rental
  if (date < terms.start) return rejection('/date', `The rental of the device starts on ${terms.start}, after ${date}`)
  if (date >= terms.end) return rejection('/date', `The rental ended on ${terms.end}; there is nothing to swap`)
  const run = device.ledger.runOf(order)
  if (date >= run.end) return rejection('/date', `The device ${describeRentalEnd(run)}`)
  const conflict = conflictOfReplacement(newSerialNumber, date, order, newDevice)
  if (conflict) return conflict
  const months = min(terms.months, monthsBetween(terms.start, date))
  const rest = { start: date, end: terms.end, months: subtract(terms.months, months) }
  return [
    [device.serialNumber, changeOf(rental, { start: terms.start, end: date, months }, 'swapped_out', eventId)],
    [newSerialNumber, changeOf(rental, rest, 'swapped_in', eventId)],
  ]
}

/** Why a device cannot replace another one on a day; null if it can. */
function conflictOfReplacement(
  serialNumber: string,
  date: string,
  order: EventOrder,
  newDevice: OrderDevice | null,
): EventRejection | null {
  const path = '/new_serial_number'
  if (newDevice?.ledger.history.rentals.has(orderKey(order))) {
    return rejection(path, `"${serialNumber}" stands in this order already`)
  }
  if (!newDevice) return null
  const gone = newDevice.ledger.history.events.find((event) => event.type !== 'refurbished' && event.date <= date)
  if (gone) return rejection(path, `"${serialNumber}" was ${gone.type} on ${gone.date}`)
  const rented = newDevice.ledger.rentedOn(date)
  if (rented) return rejection(path, `"${serialNumber}" is rented ${underOrder(rented)} on ${date}`)
  return null
}

export const describeRentalEnd = ({ end, endedBy }: Pick<AllocatedRental, 'end' | 'endedBy'>): string =>
  endedBy ? `${describeEnd(endedBy)} on ${end}` : `was back on ${end}`

const describeEnd = (endedBy: RentalEndCause): string =>
  'event' in endedBy ? `was ${endedBy.event.type}` : `went out ${underOrder(endedBy.order)}`

const underOrder = ({ customerId, orderId }: OrderKey): string => `under the order "${orderId}" of "${customerId}"`

/** What an event changes, by serial number, or why it contradicts the recorded facts. */
export type EventDecision = { readonly ok: true; readonly changes: ReadonlyMap<string, RentalChange> } | EventRejection

/** The entry that an event posts to an order without devices, or why the event is rejected. */
export type DevicelessDecision = { readonly ok: true; readonly entry: LedgerEntry } | EventRejection

export interface EventRejection {
  readonly ok: false
  /** True if the request itself is invalid; false if it contradicts recorded facts. */
  readonly isMalformed: boolean
  readonly problem: Problem
}

/** An order without devices; its entries are posted to the order itself. */
export interface DevicelessOrder extends OrderKey {
  readonly tenureStartDate: string
  readonly releaseId: number
  readonly posted: readonly Pick<LedgerEntry, 'no' | 'reason' | 'packaging' | 'transportation'>[]
}

/**
 * Decides on an event of an order with devices. METHODOLOGY.md#events
 * @param newDevice what is recorded of the device that a swap brings in; null if the device is unknown
 */
export function decideOrderEvent(event: OrderEvent, order: EventOrder, newDevice: OrderDevice | null): EventDecision {
  const targets = targetsOf(event, order)
  if (isRejection(targets)) return targets
  const changes = new Map<string, RentalChange>()
  for (const device of targets) {
    const planned = planRentalChanges(event, device, order, newDevice)
    if (isRejection(planned)) return planned
    for (const [serialNumber, change] of planned) changes.set(serialNumber, change)
  }
  return { ok: true, changes }
}

/**
 * Decides on an event of an order without devices. Only cancellation and reversal are possible; they remove its
 * transport and packaging emissions, unless it was dispatched before it was cancelled. METHODOLOGY.md#events
 */
export function decideDevicelessOrderEvent(event: OrderEvent, order: DevicelessOrder): DevicelessDecision {
  const { tenureStartDate, posted } = order
  if (!isTakingBack(event)) return rejection('/type', 'The order has no devices')
  if (event.serialNumber !== null) return rejection('/serial_number', strangerSentence(event.serialNumber), true)
  if (posted.some(({ reason }) => isCancellation(reason))) return rejection('/type', 'The order was cancelled')
  if (event.type === 'cancelled' && event.date >= tenureStartDate) {
    return rejection('/date', `The tenure starts on ${tenureStartDate}: an order can be cancelled only before that day`)
  }
  return { ok: true, entry: reversedEntry(event, order) }
}

type TakingBack = Extract<OrderEvent, { type: 'cancelled' | 'reversed' }>

const isTakingBack = (event: OrderEvent): event is TakingBack => event.type === 'cancelled' || event.type === 'reversed'

const rejection = (path: string, message: string, isMalformed = false): EventRejection => ({
  ok: false,
  isMalformed,
  problem: { path, message },
})

function reversedEntry(event: TakingBack, { posted, ...order }: DevicelessOrder): LedgerEntry {
  const left = event.type === 'cancelled' && event.dispatched ? [] : posted
  return {
    ...NO_EMISSIONS,
    packaging: -sumMilligrams(left.map(({ packaging }) => packaging)),
    transportation: -sumMilligrams(left.map(({ transportation }) => transportation)),
    customerId: order.customerId,
    orderId: order.orderId,
    no: (posted.at(-1)?.no ?? 0) + 1,
    reason: event.type === 'reversed' ? 'reversal' : event.type,
    terms: null,
    country: null,
    releaseId: order.releaseId,
    eventId: event.eventId,
    cause: null,
    event: null,
  }
}

const strangerSentence = (serialNumber: string): string => `"${serialNumber}" is not a device of this order`

/** The devices that an event affects: the one it names, or all active devices of the order. */
function targetsOf(event: OrderEvent, order: EventOrder): readonly OrderDevice[] | EventRejection {
  if (event.serialNumber !== null) return namedDevice(event.serialNumber, order)
  const open = order.devices.filter((device) => isActive(rentalOfOrder(device, order)))
  if (open.length === 0) return rejection('/type', closedSentence(order))
  const conflict = isTakingBack(event) ? conflictOfCancellation(event, order) : null
  if (conflict) return conflict
  if (event.type === 'swapped' && open.length > 1) {
    return withSerialNumbers(
      rejection('/serial_number', `Is missing: the order has ${open.length} devices`, true),
      '',
      order,
    )
  }
  return open
}

function namedDevice(serialNumber: string, order: EventOrder): readonly OrderDevice[] | EventRejection {
  const device = order.devices.find((one) => one.serialNumber === serialNumber)
  if (!device)
    return withSerialNumbers(rejection('/serial_number', strangerSentence(serialNumber), true), serialNumber, order)
  const rental = rentalOfOrder(device, order)
  if (isActive(rental)) return [device]
  return rejection('/serial_number', `"${serialNumber}" ${ENDS[rental.reason] ?? 'is no longer rented'}`)
}

/** Suggests the serial numbers of the order that are most similar to the one that was sent. */
function withSerialNumbers(rejected: EventRejection, sent: string, { devices }: EventOrder): EventRejection {
  const known = devices.map(({ serialNumber }) => serialNumber)
  return { ...rejected, problem: withSuggestions(rejected.problem, closestMatches(sent, known)) }
}

const ENDS: Partial<Record<PostedRental['reason'], string>> = {
  early_return: 'was returned already',
  late_return: 'was returned already',
  return: 'was returned already',
  cancelled: 'was cancelled',
  reversal: 'was cancelled with its import',
  swapped_out: 'was swapped for another device',
}

function closedSentence(order: EventOrder): string {
  const reasons = order.devices.map((device) => rentalOfOrder(device, order).reason)
  return reasons.every(isCancellation) ? 'The order was cancelled' : 'All devices of the order were returned already'
}

function conflictOfCancellation({ type }: TakingBack, order: EventOrder): EventRejection | null {
  const reasonOf = (device: OrderDevice) => rentalOfOrder(device, order).reason
  const begun = order.devices.find((device) => BEGUN.has(reasonOf(device)))
  if (begun) return rejection('/type', `The order began: "${begun.serialNumber}" was returned or swapped`)
  // A cancellation stays in the periods where it was reported, but a reversal has to remove the order from all.
  const cancelled = order.devices.find((device) => type === 'reversed' && reasonOf(device) === 'cancelled')
  if (cancelled) return rejection('/type', `"${cancelled.serialNumber}" was cancelled`)
  return null
}

const BEGUN: ReadonlySet<string> = new Set(['early_return', 'late_return', 'return', 'swapped_out', 'swapped_in'])
