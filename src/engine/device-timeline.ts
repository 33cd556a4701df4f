// A device's life, run from its facts: every rental and event in turn, each with the balance before and after it.
import { monthsBetween } from './numbers/calendar.ts'
import { allocateRental, refurbish, retire, type EmbodiedBalance, type RentalShare } from './device-ledger.ts'
import { ZERO, min, type Rational } from './numbers/rational.ts'
import { sortInSteps } from './numbers/sort-in-steps.ts'
import type { Resumable } from './numbers/steps.ts'

/** From when to when a device was agreed to be rented, as it is known now: extended, returned or cancelled. */
export interface RentalTerms {
  /** Calendar day, YYYY-MM-DD. */
  readonly start: string
  /** The day after the last: exclusive. The same as the start for a rental that occupies no time. */
  readonly end: string
  /** Months from start to end; a full tenure counts as its whole number of months. */
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
    }
  | { readonly type: 'retired' | 'lost'; readonly date: string }

/** What ended a rental before its own end: another order's rental of the device, or an event on the device. */
export type RentalEndCause = { readonly order: OrderKey } | { readonly event: DeviceEvent }

/** What a rental came to. */
export interface AllocatedRental {
  readonly terms: RentalTerms
  /** When it really ended, and how many months it therefore counts. */
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
  /** The device's life in the sequence in which it took place. */
  readonly steps: readonly TimelineStep[]
  /** By orderKey. */
  readonly rentals: ReadonlyMap<string, AllocatedRental>
  readonly balance: EmbodiedBalance
}

/** Neither id can hold a NUL, so it tells them apart. */
export const orderKey = ({ customerId, orderId }: OrderKey): string => `${customerId}\0${orderId}`

/**
 * Runs a device's ledger over all that is known of it: rentals by tenure start, ties by order id, then customer id,
 * whatever sequence they became known in. On one day an ending rental comes first, then events, then a starting
 * rental. An overlapped rental ends where the next one starts, or where an event took place. METHODOLOGY.md#ledger
 * @param events those of one day in the sequence in which they became known
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

/** A rental that nothing else ended, of a device whose balance is known. */
export const allocateFirstRental = (balance: EmbodiedBalance, terms: RentalTerms): AllocatedRental =>
  runRental(balance, terms, null)

const sortedByDate = (events: readonly DeviceEvent[]): readonly DeviceEvent[] =>
  events.toSorted((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0))

/** @param ending what ended it before its own end; null where nothing did */
export function runRental(
  before: EmbodiedBalance,
  terms: RentalTerms,
  ending: Ending<DeviceEvent> | null,
): AllocatedRental {
  const end = ending?.day ?? terms.end
  const months = monthsUntil(terms, ending?.day ?? null)
  // A rental that occupies no time takes no part of a refurbishment either.
  const share = allocateRental(before, end > terms.start ? months : ZERO)
  return { terms, end, months, endedBy: ending?.by ?? null, before, share }
}

/** An event, as far as it ends a rental. */
export interface Dated {
  /** Calendar day, YYYY-MM-DD. */
  readonly date: string
}

export interface Ending<Event> {
  readonly day: string
  readonly by: { readonly order: OrderKey } | { readonly event: Event }
}

/**
 * The first thing after a rental's start that ends it before its own end.
 * @param next the first rental after it that occupies time
 * @param events by date
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

/** @param day on which something else ended it before its own end; null where nothing did */
export const monthsUntil = ({ start, months }: RentalTerms, day: string | null): Rational =>
  day === null ? months : min(months, monthsBetween(start, day))

/** The first rental after a place that occupies time, where that takes the device from the one in this place. */
function overlapping(inTurn: readonly Rental[], position: number): Rental | undefined {
  const { end } = inTurn[position]!.terms
  for (let at = position + 1; at < inTurn.length && inTurn[at]!.terms.start < end; at += 1) {
    if (hasDuration(inTurn[at]!.terms)) return inTurn[at]!
  }
  return undefined
}

export const hasDuration = ({ start, end }: RentalTerms): boolean => end > start

const applyEvent = (balance: EmbodiedBalance, event: DeviceEvent): EmbodiedBalance =>
  event.type === 'refurbished' ? refurbish(balance, event.emission, event.monthsAdded) : retire(balance)

/**
 * A balance once the events of some days took place.
 * @param since the day whose events did already
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

/** By tenure start, ties by order id, then customer id. */
export function compareRentals(a: Rental, b: Rental): number {
  if (a.terms.start !== b.terms.start) return a.terms.start < b.terms.start ? -1 : 1
  return compareCodePoints(a.orderId, b.orderId) || compareCodePoints(a.customerId, b.customerId)
}

/**
 * By code point, as the database sorts; JavaScript's own comparison goes by halves of surrogate pairs. Without taking
 * the texts apart: sorting the rentals of a device compares them a million times.
 */
export function compareCodePoints(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let at = 0; at < length; at += 1) {
    const difference = inOrder(a.charCodeAt(at)) - inOrder(b.charCodeAt(at))
    if (difference !== 0) return difference
  }
  return a.length - b.length
}

/** A half of a pair comes after every character that is none. */
const inOrder = (unit: number): number => (unit >= 0xd800 && unit < 0xe000 ? unit + 0x10000 : unit)
