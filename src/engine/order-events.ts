// Events of an order: whether one can have happened, which devices it concerns, and the terms it gives to rentals.
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
  /** Null where the event concerns all devices of the order. */
  readonly serialNumber: string | null
} & (
  | { readonly type: 'returned'; readonly date: string }
  /** `tenureMonths` in all, counted from the order's tenure start. */
  | { readonly type: 'extended'; readonly tenureMonths: number }
  | { readonly type: 'cancelled'; readonly date: string; readonly dispatched: boolean }
  | { readonly type: 'swapped'; readonly date: string; readonly newSerialNumber: string }
  /** The import that stored the order was undone: it is as if it had never been told. */
  | { readonly type: 'reversed' }
)

/** A device that stands in an order, with all that is known of it. */
export interface OrderDevice {
  readonly serialNumber: string
  readonly ledger: RunningLedger
}

export interface EventOrder extends OrderKey {
  readonly tenureStartDate: string
  readonly devices: readonly OrderDevice[]
}

/** The rule that an event breaks: thrown here, and caught where the event is ruled on. */
class EventConflict extends Error {
  readonly problem: Problem
  readonly isMalformed: boolean
  constructor(path: string, message: string, isMalformed = false) {
    super(message)
    this.problem = { path, message }
    this.isMalformed = isMalformed
  }
}

const rentalOfOrder = ({ ledger }: OrderDevice, order: OrderKey): PostedRental =>
  ledger.history.rentals.get(orderKey(order))!

type NamedChange = readonly [serialNumber: string, change: RentalChange]

/** What an event changes of one device that it concerns. @throws Contradiction */
function planRentalChanges(
  event: OrderEvent,
  device: OrderDevice,
  order: EventOrder,
  newDevice: OrderDevice | null,
): readonly NamedChange[] {
  switch (event.type) {
    case 'returned':
      return [returned(event.date, event.eventId, device, order)]
    case 'extended':
      return [extended(event.tenureMonths, event.eventId, device, order)]
    case 'cancelled':
      return [cancelled(event, device, order)]
    case 'swapped':
      return swapped(event, device, order, newDevice)
    case 'reversed':
      return [takenBack('reversal', event.eventId, false, device, order)]
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

function returned(date: string, eventId: string, device: OrderDevice, order: EventOrder): NamedChange {
  const rental = rentalOfOrder(device, order)
  const { terms } = rental
  if (date < terms.start) throw new EventConflict('/date', `The device was handed out on ${terms.start}, after ${date}`)
  refuseAfterEnd(date, device.ledger.runOf(order))
  const reason = date < terms.end ? 'early_return' : date > terms.end ? 'late_return' : 'return'
  const change = changeOf(rental, { start: terms.start, end: date, months: monthsUntil(date, terms) }, reason, eventId)
  const after = device.ledger.endWith(order, change.terms)
  if (after.end < date) throw new EventConflict('/date', `The device ${describeRentalEnd(after)}, before ${date}`)
  return [device.serialNumber, change]
}

/** An early return counts the months that there were; a late one adds those after the planned end. */
function monthsUntil(date: string, { start, end, months }: RentalTerms) {
  if (date > end) return add(months, monthsBetween(end, date))
  return date === end ? months : min(months, monthsBetween(start, date))
}

function extended(tenureMonths: number, eventId: string, device: OrderDevice, order: EventOrder): NamedChange {
  const rental = rentalOfOrder(device, order)
  const { terms } = rental
  const before = device.ledger.runOf(order)
  if (before.endedBy) throw new EventConflict('/type', `The device ${describeRentalEnd(before)}; it cannot be extended`)
  const tenure = wholeMonthsBetween(order.tenureStartDate, terms.end)
  if (tenureMonths <= tenure) {
    throw new EventConflict('/tenure_months', `Must be more than the ${tenure} months in all that are agreed already`)
  }
  const months = add(terms.months, whole(tenureMonths - tenure))
  const longer = { start: terms.start, end: addMonths(order.tenureStartDate, tenureMonths), months }
  const change = changeOf(rental, longer, 'extension', eventId)
  const after = device.ledger.endWith(order, change.terms)
  if (after.end <= before.end) throw new EventConflict('/tenure_months', `The device ${describeRentalEnd(after)}`)
  return [device.serialNumber, change]
}

function cancelled(
  { date, dispatched, eventId }: Extract<OrderEvent, { type: 'cancelled' }>,
  device: OrderDevice,
  order: EventOrder,
): NamedChange {
  const change = takenBack('cancelled', eventId, dispatched, device, order)
  const { start } = rentalOfOrder(device, order).terms
  if (date >= start) {
    const message = `The tenure starts on ${start}: an order is cancelled before that, and returned from then on`
    throw new EventConflict('/date', message)
  }
  return change
}

/** Nothing is left of a rental. @throws Contradiction where the order began */
function takenBack(
  reason: 'cancelled' | 'reversal',
  eventId: string,
  dispatched: boolean,
  device: OrderDevice,
  order: EventOrder,
): NamedChange {
  const rental = rentalOfOrder(device, order)
  const { start } = rental.terms
  if (start > order.tenureStartDate) throw new EventConflict('/type', 'The order began: a device of it was swapped')
  const { packaging, transportation } = rental.posted
  const shared = dispatched ? NOT_SHARED : { packaging: -packaging, transportation: -transportation }
  const change = changeOf(rental, { start, end: start, months: ZERO }, reason, eventId)
  return [device.serialNumber, { ...change, shared }]
}

/** The replaced device's rental ends on the day of the swap; the new one's begins there and takes what remains. */
function swapped(
  { date, newSerialNumber, eventId }: Extract<OrderEvent, { type: 'swapped' }>,
  device: OrderDevice,
  order: EventOrder,
  newDevice: OrderDevice | null,
): readonly NamedChange[] {
  const rental = rentalOfOrder(device, order)
  const { terms } = rental
  if (date < terms.start) throw new EventConflict('/date', `The device was handed out on ${terms.start}, after ${date}`)
  if (date >= terms.end) throw new EventConflict('/date', `The rental ended on ${terms.end}; there is nothing to swap`)
  const run = device.ledger.runOf(order)
  if (date >= run.end) throw new EventConflict('/date', `The device ${describeRentalEnd(run)}`)
  refuseUsed(newSerialNumber, date, order, newDevice)
  const months = min(terms.months, monthsBetween(terms.start, date))
  const rest = { start: date, end: terms.end, months: subtract(terms.months, months) }
  return [
    [device.serialNumber, changeOf(rental, { start: terms.start, end: date, months }, 'swapped_out', eventId)],
    [newSerialNumber, changeOf(rental, rest, 'swapped_in', eventId)],
  ]
}

function refuseUsed(serialNumber: string, date: string, order: EventOrder, newDevice: OrderDevice | null): void {
  const path = '/new_serial_number'
  if (newDevice?.ledger.history.rentals.has(orderKey(order))) {
    throw new EventConflict(path, `"${serialNumber}" stands in this order already`)
  }
  if (!newDevice) return
  const gone = newDevice.ledger.history.events.find((event) => event.type !== 'refurbished' && event.date <= date)
  if (gone) throw new EventConflict(path, `"${serialNumber}" was ${gone.type} on ${gone.date}`)
  const rented = newDevice.ledger.rentedOn(date)
  if (rented) throw new EventConflict(path, `"${serialNumber}" is rented ${underOrder(rented)} on ${date}`)
}

function refuseAfterEnd(date: string, run: Pick<AllocatedRental, 'end' | 'endedBy'>): void {
  if (run.endedBy && date > run.end) {
    throw new EventConflict('/date', `The device ${describeRentalEnd(run)}, before ${date}`)
  }
}

export const describeRentalEnd = ({ end, endedBy }: Pick<AllocatedRental, 'end' | 'endedBy'>): string =>
  endedBy ? `${describeEnd(endedBy)} on ${end}` : `was back on ${end}`

const describeEnd = (endedBy: RentalEndCause): string =>
  'event' in endedBy ? `was ${endedBy.event.type}` : `went out ${underOrder(endedBy.order)}`

const underOrder = ({ customerId, orderId }: OrderKey): string => `under the order "${orderId}" of "${customerId}"`

/** What an event changes, by serial number; or why it cannot have happened, given what is known. */
export type EventDecision = { readonly ok: true; readonly changes: ReadonlyMap<string, RentalChange> } | EventRejection

/** What an event posts to an order without devices; or why it cannot have happened. */
export type DevicelessDecision = { readonly ok: true; readonly entry: LedgerEntry } | EventRejection

export interface EventRejection {
  readonly ok: false
  /** True where what was sent makes no sense, whatever is known; false where it contradicts what is known. */
  readonly isMalformed: boolean
  readonly problem: Problem
}

/** An order without devices: what was posted, it keeps to itself. */
export interface DevicelessOrder extends OrderKey {
  readonly tenureStartDate: string
  readonly releaseId: number
  readonly posted: readonly Pick<LedgerEntry, 'no' | 'reason' | 'packaging' | 'transportation'>[]
}

/**
 * Rules on an event of an order with devices. METHODOLOGY.md#events
 * @param newDevice what is known of the device that a swap brings in; null where it was never heard of
 */
export function decideOrderEvent(event: OrderEvent, order: EventOrder, newDevice: OrderDevice | null): EventDecision {
  try {
    const changes = targetsOf(event, order).flatMap((device) => planRentalChanges(event, device, order, newDevice))
    return { ok: true, changes: new Map(changes) }
  } catch (error) {
    if (!(error instanceof EventConflict)) throw error
    const { problem, isMalformed } = error
    const serials = problem.path === '/serial_number' && isMalformed ? order.devices : []
    const near = closestMatches(
      event.serialNumber ?? '',
      serials.map(({ serialNumber }) => serialNumber),
    )
    return { ok: false, isMalformed, problem: withSuggestions(problem, near) }
  }
}

/**
 * Rules on an event of an order without devices: nothing but its cancelling can be told, which takes back its transport
 * and packaging unless it was dispatched. METHODOLOGY.md#events
 */
export function decideDevicelessOrderEvent(event: OrderEvent, order: DevicelessOrder): DevicelessDecision {
  const { tenureStartDate, posted } = order
  if (!isTakingBack(event)) return refusal('/type', 'The order has no devices')
  if (event.serialNumber !== null) return refusal('/serial_number', strangerSentence(event.serialNumber), true)
  if (posted.some(({ reason }) => isCancellation(reason))) return refusal('/type', 'The order was cancelled')
  if (event.type === 'cancelled' && event.date >= tenureStartDate) {
    return refusal('/date', `The tenure starts on ${tenureStartDate}: an order is cancelled before that`)
  }
  return { ok: true, entry: reversedEntry(event, order) }
}

type TakingBack = Extract<OrderEvent, { type: 'cancelled' | 'reversed' }>

const isTakingBack = (event: OrderEvent): event is TakingBack => event.type === 'cancelled' || event.type === 'reversed'

const refusal = (path: string, message: string, isMalformed = false): EventRejection => ({
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

/** The devices that an event concerns: the one that it names, or all that the order still has. */
function targetsOf(event: OrderEvent, order: EventOrder): readonly OrderDevice[] {
  if (event.serialNumber !== null) return [namedDevice(event.serialNumber, order)]
  const open = order.devices.filter((device) => isActive(rentalOfOrder(device, order)))
  if (open.length === 0) throw new EventConflict('/type', closedSentence(order))
  if (isTakingBack(event)) refuseHalfCancelling(event, order)
  if (event.type === 'swapped' && open.length > 1) {
    throw new EventConflict('/serial_number', `Is missing: the order has ${open.length} devices`, true)
  }
  return open
}

function namedDevice(serialNumber: string, order: EventOrder): OrderDevice {
  const device = order.devices.find((one) => one.serialNumber === serialNumber)
  if (!device) throw new EventConflict('/serial_number', strangerSentence(serialNumber), true)
  const rental = rentalOfOrder(device, order)
  if (isActive(rental)) return device
  throw new EventConflict('/serial_number', `"${serialNumber}" ${ENDS[rental.reason] ?? 'is no longer rented'}`)
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

function refuseHalfCancelling({ type }: TakingBack, order: EventOrder): void {
  const reasonOf = (device: OrderDevice) => rentalOfOrder(device, order).reason
  const begun = order.devices.find((device) => BEGUN.has(reasonOf(device)))
  if (begun) throw new EventConflict('/type', `The order began: "${begun.serialNumber}" was returned or swapped`)
  // What was cancelled is told, and counts where it counted: undone, an order has to be gone from everywhere.
  const cancelled = order.devices.find((device) => type === 'reversed' && reasonOf(device) === 'cancelled')
  if (cancelled) throw new EventConflict('/type', `"${cancelled.serialNumber}" was cancelled`)
}

const BEGUN: ReadonlySet<string> = new Set(['early_return', 'late_return', 'return', 'swapped_out', 'swapped_in'])
