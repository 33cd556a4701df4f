// Events of an order: whether an event is possible, which devices it affects, and the resulting rental terms.
import { isDecommissioning } from './device-event-types.ts'
import { orderKey, type AllocatedRental, type OrderKey, type RentalTerms } from './device-timeline.ts'
import { inForceAfter, isActive, isCancellation, type LedgerEntry, type PostedRental } from './ledger-history.ts'
import { addMonths, monthsBetween, wholeMonthsBetween } from './numbers/calendar.ts'
import { ZERO, add, min, subtract, whole } from './numbers/rational.ts'
import type { Message } from './message.ts'
import { EVENT_MESSAGES, RENTAL_END_MESSAGES } from './messages.ts'
import { sentIdOf } from './order-revision.ts'
import { latestOf, type Problem } from './order.ts'
import type { TermsChange } from './post-entries.ts'
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
  /** The content of the order was corrected: its next revision is posted in its place. */
  | { readonly type: 'corrected' }
)

/** A device of an order, with the order's rental of it. */
export interface OrderDevice {
  readonly serialNumber: string
  readonly rental: PostedRental
  /** When the rental would end under these terms, and what else would end it, if anything. */
  readonly endWith: (terms: RentalTerms) => RentalEnd
}

/** A device of an order, with everything that is recorded of it. */
export function orderDeviceOf(serialNumber: string, ledger: RunningLedger, order: OrderKey): OrderDevice {
  const rental = ledger.history.rentals.get(orderKey(order))!
  return { serialNumber, rental, endWith: (terms) => ledger.endWith(order, terms) }
}

export interface EventOrder extends OrderKey {
  readonly tenureStartDate: string
  readonly devices: readonly OrderDevice[]
}

type NamedChange = readonly [serialNumber: string, change: TermsChange]
type PlannedChanges = readonly NamedChange[] | EventRejection

export const isRejection = (result: readonly unknown[] | EventRejection): result is EventRejection => 'ok' in result

/** The changes that an event makes for one affected device, or why it cannot have happened. */
function planRentalChanges(
  event: OrderEvent,
  device: OrderDevice,
  order: EventOrder,
  replacement: RunningLedger | null,
): PlannedChanges {
  switch (event.type) {
    case 'returned':
      return returned(event.date, event.eventId, device)
    case 'extended':
      return extended(event.tenureMonths, event.eventId, device, order)
    case 'cancelled':
      return cancelled(event, device, order)
    case 'swapped':
      return swapped(event, device, order, replacement)
    case 'reversed':
      return takenBack('reversal', event.eventId, false, device, order)
    case 'corrected':
      return [[device.serialNumber, withoutRental('correction', event.eventId, false, device)]]
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

function returned(date: string, eventId: string, { serialNumber, rental, endWith }: OrderDevice): PlannedChanges {
  const { terms } = rental
  if (date < terms.start) return notStarted(terms.start, date)
  const run = endWith(terms)
  if (run.endedBy && date > run.end) return cutBefore(run, date)
  const reason = date < terms.end ? 'early_return' : date > terms.end ? 'late_return' : 'return'
  const change = changeOf(rental, { start: terms.start, end: date, months: monthsUntil(date, terms) }, reason, eventId)
  const after = endWith(change.terms)
  if (after.end < date) return cutBefore(after, date)
  return [[serialNumber, change]]
}

/** For an early return, the elapsed months; for a late return, the agreed months plus those after the agreed end. */
function monthsUntil(date: string, { start, end, months }: RentalTerms) {
  if (date > end) return add(months, monthsBetween(end, date))
  return date === end ? months : min(months, monthsBetween(start, date))
}

function extended(
  tenureMonths: number,
  eventId: string,
  { serialNumber, rental, endWith }: OrderDevice,
  order: EventOrder,
): PlannedChanges {
  const { terms } = rental
  const before = endWith(terms)
  if (before.endedBy) {
    return rejection('/type', EVENT_MESSAGES.rental_cut_not_extendable({ end: describeRentalEnd(before) }))
  }
  const tenure = wholeMonthsBetween(order.tenureStartDate, terms.end)
  if (tenureMonths <= tenure) {
    return rejection('/tenure_months', EVENT_MESSAGES.extension_too_short({ months: tenure }))
  }
  const months = add(terms.months, whole(tenureMonths - tenure))
  const longer = { start: terms.start, end: addMonths(order.tenureStartDate, tenureMonths), months }
  const change = changeOf(rental, longer, 'extension', eventId)
  const after = endWith(change.terms)
  if (after.end <= before.end) {
    return rejection('/tenure_months', EVENT_MESSAGES.rental_cut({ end: describeRentalEnd(after) }))
  }
  return [[serialNumber, change]]
}

function cancelled(
  { date, dispatched, eventId }: Extract<OrderEvent, { type: 'cancelled' }>,
  device: OrderDevice,
  order: EventOrder,
): PlannedChanges {
  const change = takenBack('cancelled', eventId, dispatched, device, order)
  const { start } = device.rental.terms
  return date >= start ? rejection('/date', EVENT_MESSAGES.cancellation_too_late({ start })) : change
}

/** Cancels a rental completely. Rejected if the order has begun. */
function takenBack(
  reason: 'cancelled' | 'reversal',
  eventId: string,
  dispatched: boolean,
  device: OrderDevice,
  order: EventOrder,
): PlannedChanges {
  if (device.rental.terms.start > order.tenureStartDate) return rejection('/type', EVENT_MESSAGES.order_begun_by_swap())
  return [[device.serialNumber, withoutRental(reason, eventId, dispatched, device)]]
}

function withoutRental(
  reason: PostedRental['reason'],
  eventId: string,
  dispatched: boolean,
  { rental }: OrderDevice,
): TermsChange {
  const { start } = rental.terms
  const { packaging, transportation } = rental.posted
  const shared = dispatched ? NOT_SHARED : { packaging: -packaging, transportation: -transportation }
  return { ...changeOf(rental, { start, end: start, months: ZERO }, reason, eventId), shared }
}

/** The old device's rental ends on the day of the swap; the new device's starts then with the remaining months. */
function swapped(
  { date, newSerialNumber, eventId }: Extract<OrderEvent, { type: 'swapped' }>,
  { serialNumber, rental, endWith }: OrderDevice,
  order: EventOrder,
  replacement: RunningLedger | null,
): PlannedChanges {
  const { terms } = rental
  if (date < terms.start) return notStarted(terms.start, date)
  if (date >= terms.end) return rejection('/date', EVENT_MESSAGES.rental_over({ end: terms.end }))
  const run = endWith(terms)
  if (date >= run.end) return rejection('/date', EVENT_MESSAGES.rental_cut({ end: describeRentalEnd(run) }))
  const conflict = conflictOfReplacement(newSerialNumber, date, order, replacement)
  if (conflict) return conflict
  const months = min(terms.months, monthsBetween(terms.start, date))
  const rest = { start: date, end: terms.end, months: subtract(terms.months, months) }
  return [
    [serialNumber, changeOf(rental, { start: terms.start, end: date, months }, 'swapped_out', eventId)],
    [newSerialNumber, changeOf(rental, rest, 'swapped_in', eventId)],
  ]
}

/** Why a device cannot replace another one on a day; null if it can. */
function conflictOfReplacement(
  serialNumber: string,
  date: string,
  { devices }: EventOrder,
  replacement: RunningLedger | null,
): EventRejection | null {
  const path = '/new_serial_number'
  if (devices.some((device) => device.serialNumber === serialNumber)) {
    return rejection(path, EVENT_MESSAGES.device_already_in_order({ serial_number: serialNumber }))
  }
  if (!replacement) return null
  const gone = replacement.history.events.values().find((event) => isDecommissioning(event) && event.date <= date)
  if (gone) {
    const { type, date: goneOn } = gone
    return rejection(path, EVENT_MESSAGES.replacement_gone({ serial_number: serialNumber, type, date: goneOn }))
  }
  const rented = replacement.rentedOn(date)
  if (!rented) return null
  const rental = { order_id: sentIdOf(rented.orderId), customer_id: rented.customerId, date }
  return rejection(path, EVENT_MESSAGES.replacement_rented({ serial_number: serialNumber, ...rental }))
}

const notStarted = (start: string, date: string): EventRejection =>
  rejection('/date', EVENT_MESSAGES.rental_not_started({ start, date }))

const cutBefore = (run: RentalEnd, date: string): EventRejection =>
  rejection('/date', EVENT_MESSAGES.rental_cut_before({ end: describeRentalEnd(run), date }))

type RentalEnd = Pick<AllocatedRental, 'end' | 'endedBy'>

/** How a rental ended, to continue a sentence that begins with the device. */
export function describeRentalEnd({ end: date, endedBy }: RentalEnd): Message {
  if (!endedBy) return RENTAL_END_MESSAGES.end_by_return({ date })
  if ('event' in endedBy) return RENTAL_END_MESSAGES.end_by_event({ type: endedBy.event.type, date })
  const { customerId, orderId } = endedBy.order
  return RENTAL_END_MESSAGES.end_by_order({ order_id: sentIdOf(orderId), customer_id: customerId, date })
}

/** What an event changes, by serial number, or why it contradicts the recorded facts. */
export type EventDecision = { readonly ok: true; readonly changes: ReadonlyMap<string, TermsChange> } | EventRejection

/** What an event changes in an order without devices, or why the event is rejected. */
export type DevicelessDecision = { readonly ok: true; readonly change: DevicelessChange } | EventRejection

export type DevicelessChange = Pick<LedgerEntry, 'reason' | 'eventId' | 'inForce' | 'packaging' | 'transportation'>

export interface EventRejection {
  readonly ok: false
  /** True if the request itself is invalid; false if it contradicts recorded facts. */
  readonly isMalformed: boolean
  readonly problem: Problem
}

/** An order without devices; its entries are posted to the order itself. */
export interface DevicelessOrder extends OrderKey {
  readonly tenureStartDate: string
  readonly posted: readonly DevicelessChange[]
}

/**
 * Decides on an event of an order with devices. METHODOLOGY.md#events
 * @param replacement the ledger of the device that a swap brings in; null if the device is unknown
 */
export function decideOrderEvent(
  event: OrderEvent,
  order: EventOrder,
  replacement: RunningLedger | null,
): EventDecision {
  const targets = targetsOf(event, order)
  if (isRejection(targets)) return targets
  const changes = new Map<string, TermsChange>()
  for (const device of targets) {
    const planned = planRentalChanges(event, device, order, replacement)
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
  if (!isTakingBack(event)) return rejection('/type', EVENT_MESSAGES.order_without_devices())
  if (event.serialNumber !== null) return unknownDevice(event.serialNumber)
  if (isCancelled(posted) && event.type !== 'corrected') return rejection('/type', EVENT_MESSAGES.order_cancelled())
  if (event.type === 'cancelled' && event.date >= tenureStartDate) {
    return rejection('/date', EVENT_MESSAGES.cancellation_of_goods_too_late({ start: tenureStartDate }))
  }
  const left = event.type === 'cancelled' && event.dispatched ? NOT_SHARED : sharedIn(posted)
  const { eventId, type } = event
  const reason = REASONS[type]
  const [packaging, transportation] = [-left.packaging, -left.transportation]
  return { ok: true, change: { reason, eventId, packaging, transportation } }
}

/** True if an order without devices is cancelled, or was reversed with its import. */
function isCancelled(posted: readonly DevicelessChange[]): boolean {
  const latest = latestOf(posted.map((entry) => ({ ...entry, terms: null })))
  return latest !== null && isCancellation(inForceAfter(latest).reason)
}

/** The packaging and transportation emissions that entries add up to. */
export const sharedIn = (posted: readonly Pick<LedgerEntry, 'packaging' | 'transportation'>[]): Shared =>
  posted.reduce(addShared, NOT_SHARED)

export type Shared = Pick<LedgerEntry, 'packaging' | 'transportation'>

export const addShared = (a: Shared, b: Shared): Shared => ({
  packaging: a.packaging + b.packaging,
  transportation: a.transportation + b.transportation,
})

type TakingBack = Extract<OrderEvent, { type: 'cancelled' | 'reversed' | 'corrected' }>

const REASONS = { cancelled: 'cancelled', reversed: 'reversal', corrected: 'correction' } as const

const isTakingBack = (event: OrderEvent): event is TakingBack => event.type in REASONS

export const rejection = (path: string, message: Message, isMalformed = false): EventRejection => ({
  ok: false,
  isMalformed,
  problem: { path, ...message },
})

const unknownDevice = (serialNumber: string): EventRejection =>
  rejection('/serial_number', EVENT_MESSAGES.device_not_in_order({ serial_number: serialNumber }), true)

/** The devices that an event affects: the one it names, or all active devices of the order. */
function targetsOf(event: OrderEvent, order: EventOrder): readonly OrderDevice[] | EventRejection {
  if (event.type === 'corrected') return order.devices
  if (event.serialNumber !== null) return namedDevice(event.serialNumber, order)
  const open = order.devices.filter(({ rental }) => isActive(rental))
  if (open.length === 0) return closedOrder(order)
  const conflict = isTakingBack(event) ? conflictOfCancellation(event, order) : null
  if (conflict) return conflict
  if (event.type === 'swapped' && open.length > 1) {
    const missing = EVENT_MESSAGES.serial_number_required({ count: open.length })
    return withSerialNumbers(rejection('/serial_number', missing, true), '', order)
  }
  return open
}

function namedDevice(serialNumber: string, order: EventOrder): readonly OrderDevice[] | EventRejection {
  const device = order.devices.find((one) => one.serialNumber === serialNumber)
  if (!device) return withSerialNumbers(unknownDevice(serialNumber), serialNumber, order)
  const { rental } = device
  if (isActive(rental)) return [device]
  const ended = ENDS[rental.reason] ?? EVENT_MESSAGES.device_not_rented
  return rejection('/serial_number', ended({ serial_number: serialNumber }))
}

/** Suggests the serial numbers of the order that are most similar to the one that was sent. */
function withSerialNumbers(rejected: EventRejection, sent: string, { devices }: EventOrder): EventRejection {
  const known = devices.map(({ serialNumber }) => serialNumber)
  return { ...rejected, problem: withSuggestions(rejected.problem, closestMatches(sent, known)) }
}

const ENDS: Partial<Record<PostedRental['reason'], typeof EVENT_MESSAGES.device_returned>> = {
  early_return: EVENT_MESSAGES.device_returned,
  late_return: EVENT_MESSAGES.device_returned,
  return: EVENT_MESSAGES.device_returned,
  cancelled: EVENT_MESSAGES.device_cancelled,
  reversal: EVENT_MESSAGES.device_reversed,
  swapped_out: EVENT_MESSAGES.device_swapped,
}

function closedOrder(order: EventOrder): EventRejection {
  const reasons = order.devices.map(({ rental }) => rental.reason)
  return rejection(
    '/type',
    reasons.every(isCancellation) ? EVENT_MESSAGES.order_cancelled() : EVENT_MESSAGES.devices_returned(),
  )
}

function conflictOfCancellation({ type }: TakingBack, order: EventOrder): EventRejection | null {
  const begun = order.devices.find(({ rental }) => BEGUN.has(rental.reason))
  if (begun) return rejection('/type', EVENT_MESSAGES.order_begun({ serial_number: begun.serialNumber }))
  // A cancellation stays in the periods where it was reported, but a reversal has to remove the order from all.
  const cancelled = order.devices.find(({ rental }) => type === 'reversed' && rental.reason === 'cancelled')
  if (cancelled) return rejection('/type', EVENT_MESSAGES.device_cancelled({ serial_number: cancelled.serialNumber }))
  return null
}

const BEGUN: ReadonlySet<string> = new Set(['early_return', 'late_return', 'return', 'swapped_out', 'swapped_in'])
