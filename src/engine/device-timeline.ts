// A device's timeline: its rentals and events in chronological order, each with the balance before and after it.
import { sentIdOf } from './order-revision.ts'
import { monthsBetween } from './numbers/calendar.ts'
import { allocateRental, refurbish, retire, type EmbodiedBalance, type RentalShare } from './device-ledger.ts'
import { ZERO, min, type Rational } from './numbers/rational.ts'
import type { DeviceType } from './reference/reference-data.ts'
import { sortInSteps } from './numbers/sort-in-steps.ts'
import type { Resumable } from './numbers/steps.ts'

/** The agreed rental period of a device according to the latest information: extended, returned or cancelled. */
export interface RentalTerms {
  /** Calendar day, YYYY-MM-DD. */
  readonly start: string
  /** The day after the last rental day (exclusive). Equal to the start for a rental that occupies no time. */
  readonly end: string
  /** Months from start to end; a completed tenure counts as its whole number of months. */
  readonly months: Rational
}

export interface OrderKey {
  readonly customerId: string
  readonly orderId: string
}

export interface Rental extends OrderKey {
  readonly terms: RentalTerms
}

export type DeviceEvent =
  | {
      readonly type: 'refurbished'
      readonly date: string
      /** R, kg CO2e, 0 or more. */
      readonly emission: Rational
      /** ΔL, months, 0 or more. */
      readonly monthsAdded: Rational
      /** What the emission rests on if nobody stated it; it counts like a stated one. */
      readonly byDefault?: EmissionDefault
    }
  | { readonly type: 'retired' | 'lost'; readonly date: string }

/** The default of a type that stood in for an emission when the event was recorded. METHODOLOGY.md#refurbishment */
export interface EmissionDefault {
  readonly deviceType: DeviceType
  readonly low: Rational
  readonly high: Rational
  /** Name of the dataset release that it is of. */
  readonly release: string
}

/** A refurbishment whose emission is a default. */
export type RefurbishedByDefault = Extract<DeviceEvent, { readonly type: 'refurbished' }> & {
  readonly byDefault: EmissionDefault
}

export const isByDefault = (event: DeviceEvent): event is RefurbishedByDefault =>
  event.type === 'refurbished' && event.byDefault !== undefined

/** What ended a rental before its agreed end: another order's rental of the device, or an event on the device. */
export type RentalEndCause = { readonly order: OrderKey } | { readonly event: DeviceEvent }

/** The outcome of a rental in its device's ledger. */
export interface AllocatedRental {
  readonly terms: RentalTerms
  /** The day on which it actually ended, and the months up to that day. */
  readonly end: string
  readonly months: Rational
  readonly endedBy: RentalEndCause | null
  readonly before: EmbodiedBalance
  readonly share: RentalShare
}

export type TimelineStep =
  | { readonly order: OrderKey; readonly run: AllocatedRental }
  | { readonly event: DeviceEvent; readonly before: EmbodiedBalance; readonly after: EmbodiedBalance }

export interface DeviceTimeline {
  /** The device's rentals and events in chronological order. */
  readonly steps: readonly TimelineStep[]
  /** By orderKey. */
  readonly rentals: ReadonlyMap<string, AllocatedRental>
  readonly balance: EmbodiedBalance
}

/** Neither id can contain a NUL, so NUL is a safe separator. */
export const orderKey = ({ customerId, orderId }: OrderKey): string => `${customerId}\0${orderId}`

/**
 * One event id may be of several revisions of an order.
 * @param order null for an event of a device
 */
export const eventKey = (order: OrderKey | null, eventId: string): string =>
  `${order === null ? '' : orderKey(order)}\0${eventId}`

/**
 * Computes a device's ledger from its recorded rentals and events. Rentals are ordered by tenure start, then order id,
 * then customer id, regardless of the order in which they became known. Within one day, a rental that ends comes first,
 * then events, then a rental that starts. If rentals overlap, the earlier one ends where the next one starts; an event
 * also ends a rental. METHODOLOGY.md#ledger
 * @param events those of the same day in the order in which they became known
 */
export function* computeTimeline(
  opening: EmbodiedBalance,
  rentals: readonly Rental[],
  events: readonly DeviceEvent[],
): Resumable<DeviceTimeline> {
  const inTurn = yield* sortInSteps(rentals, compareRentals)
  const eventsInTurn = sortedByDate(events)
  const steps: TimelineStep[] = []
  const runs = new Map<string, AllocatedRental>()
  let balance = opening
  let next = 0
  const runEventsUntil = (day: string | null) => {
    for (; next < eventsInTurn.length && (day === null || eventsInTurn[next]!.date <= day); next += 1) {
      const event = eventsInTurn[next]!
      const after = applyEvent(balance, event)
      steps.push({ event, before: balance, after })
      balance = after
    }
  }
  for (const [position, rental] of inTurn.entries()) {
    runEventsUntil(rental.terms.start)
    const run = runRental(balance, rental.terms, endingOf(rental.terms, overlapping(inTurn, position), eventsInTurn))
    steps.push({ order: rental, run })
    runs.set(orderKey(rental), run)
    balance = run.share.balance
    yield
  }
  runEventsUntil(null)
  return { steps, rentals: runs, balance }
}

/** A rental that nothing ended early, of a device whose balance is given. */
export const allocateFirstRental = (balance: EmbodiedBalance, terms: RentalTerms): AllocatedRental =>
  runRental(balance, terms, null)

const sortedByDate = (events: readonly DeviceEvent[]): readonly DeviceEvent[] =>
  events.toSorted((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0))

/** @param ending what ended it before its agreed end; null if nothing did */
export function runRental(
  before: EmbodiedBalance,
  terms: RentalTerms,
  ending: Ending<DeviceEvent> | null,
): AllocatedRental {
  const end = ending?.day ?? terms.end
  const months = monthsUntil(terms, ending?.day ?? null)
  // A rental that occupies no time is not allocated a refurbishment's emission either.
  const share = allocateRental(before, end > terms.start ? months : ZERO)
  return { terms, end, months, endedBy: ending?.by ?? null, before, share }
}

/** The date of an event, which decides whether it ends a rental. */
export interface Dated {
  /** Calendar day, YYYY-MM-DD. */
  readonly date: string
}

export interface Ending<Event> {
  readonly day: string
  readonly by: { readonly order: OrderKey } | { readonly event: Event }
}

/**
 * The first event or other rental that ends a rental before its agreed end; null if there is none.
 * @param next the first later rental that occupies time
 * @param events sorted by date
 */
export function endingOf<Event extends Dated>(
  { start, end }: RentalTerms,
  next: Rental | undefined,
  events: readonly Event[],
): Ending<Event> | null {
  const other = next && next.terms.start < end ? next : undefined
  const event = events.find(({ date }) => date > start && date < end)
  if (event && (!other || event.date <= other.terms.start)) return { day: event.date, by: { event } }
  return other ? { day: other.terms.start, by: { order: other } } : null
}

/** @param day the day on which something ended it before its agreed end; null if nothing did */
export const monthsUntil = ({ start, months }: RentalTerms, day: string | null): Rational =>
  day === null ? months : min(months, monthsBetween(start, day))

/** The first rental after `position` that occupies time and starts before the rental at `position` ends. */
function overlapping(inTurn: readonly Rental[], position: number): Rental | undefined {
  const { end } = inTurn[position]!.terms
  for (let at = position + 1; at < inTurn.length && inTurn[at]!.terms.start < end; at += 1) {
    if (hasDuration(inTurn[at]!.terms)) return inTurn[at]!
  }
  return undefined
}

export const hasDuration = ({ start, end }: RentalTerms): boolean => end > start

function applyEvent(balance: EmbodiedBalance, event: DeviceEvent): EmbodiedBalance {
  switch (event.type) {
    case 'refurbished':
      return refurbish(balance, event.emission, event.monthsAdded)
    case 'retired':
    case 'lost':
      return retire(balance)
  }
}

/**
 * The balance after the events of a range of days. An event ends the rental during which it happens and belongs to
 * none: all events since a rental started come after its share.
 * @param since exclusive: events up to this day are already included in the balance
 */
export function afterEvents(
  balance: EmbodiedBalance,
  events: readonly DeviceEvent[],
  since: string,
  day: string,
): EmbodiedBalance {
  if (events.length === 0) return balance
  return events.filter(({ date }) => date > since && date <= day).reduce(applyEvent, balance)
}

/** By tenure start, then order id, then customer id; the revisions of an order have one id here. */
export function compareRentals(a: Rental, b: Rental): number {
  if (a.terms.start !== b.terms.start) return a.terms.start < b.terms.start ? -1 : 1
  return (
    compareCodePoints(sentIdOf(a.orderId), sentIdOf(b.orderId)) ||
    compareCodePoints(a.customerId, b.customerId) ||
    compareCodePoints(a.orderId, b.orderId)
  )
}

/**
 * Compares by code point, as the database sorts; JavaScript's own comparison uses UTF-16 code units. It does not split
 * the texts, because sorting a device's rentals can take a million comparisons.
 */
export function compareCodePoints(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let at = 0; at < length; at += 1) {
    const difference = inOrder(a.charCodeAt(at)) - inOrder(b.charCodeAt(at))
    if (difference !== 0) return difference
  }
  return a.length - b.length
}

/** Surrogates sort after all other code units. */
const inOrder = (unit: number): number => (unit >= 0xd800 && unit < 0xe000 ? unit + 0x10000 : unit)
