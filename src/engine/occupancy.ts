// Which rental occupies a device at which time: the rentals that occupy time, sorted, and what ends each of them.
import {
  compareRentals,
  endingOf,
  monthsUntil,
  hasDuration,
  orderKey,
  type Dated,
  type OrderKey,
  type Rental,
  type RentalTerms,
} from './device-timeline.ts'
import type { EventWithdrawal, Identification } from './ledger-history.ts'
import { ZERO, type Rational } from './numbers/rational.ts'
import type { Resumable } from './numbers/steps.ts'

/** Inserts into an array sorted by date; events of the same day stay in the order in which they were added. */
export function addByDate<Event extends Dated>(events: Event[], event: Event): void {
  const at = events.findIndex(({ date }) => date > event.date)
  events.splice(at === -1 ? events.length : at, 0, event)
}

/**
 * The index of a rental in the sorted list, or the index at which it would be inserted. A binary search: a device with
 * a hundred thousand rentals takes seventeen comparisons.
 */
export function placeOf(turns: readonly Rental[], rental: Rental): number {
  let [low, high] = [0, turns.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (compareRentals(turns[middle]!, rental) < 0) low = middle + 1
    else high = middle
  }
  return low
}

/** Number of rentals that start before a day. */
export function startedBefore(turns: readonly Rental[], day: string): number {
  let [low, high] = [0, turns.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (turns[middle]!.terms.start < day) low = middle + 1
    else high = middle
  }
  return low
}

/**
 * The parts of an entry that determine rental lengths: the terms of a rental, or an event that can end one, or its
 * withdrawal. An identification ends none.
 */
export interface TimedEntry extends OrderKey {
  readonly terms: RentalTerms | null
  readonly event: Dated | Pick<EventWithdrawal, 'withdraws'> | Identification | null
  readonly eventId: string | null
  /** False for an entry of an earlier version that set terms: it is spread over all months agreed. */
  readonly isSpreadUntilEnd: boolean
}

/**
 * Months over which each ledger entry is spread: those until the end of its rental, as known when it was posted; zero
 * for an event on the device. A single pass, as a ledger can be long. METHODOLOGY.md#reporting-periods
 * @throws RangeError when an entry corrects an order that was not posted
 */
export function* monthsOfEntries<One>(
  ledger: Iterable<One>,
  toTimed: (entry: One) => TimedEntry,
): Resumable<readonly Rational[]> {
  const known = new Map<string, Rental>()
  const turns: Rental[] = []
  const events: Dated[] = []
  const eventsById = new Map<string, Dated>()
  const months: Rational[] = []
  for (const entry of ledger) {
    const { customerId, orderId, terms, event, eventId, isSpreadUntilEnd } = toTimed(entry)
    yield
    if (event && 'date' in event) {
      addByDate(events, event)
      eventsById.set(eventId!, event)
    } else if (event && 'withdraws' in event) {
      const withdrawn = eventsById.get(event.withdraws)
      if (withdrawn) events.splice(events.indexOf(withdrawn), 1)
    }
    if (orderId === '') {
      months.push(ZERO)
      continue
    }
    const key = orderKey({ customerId, orderId })
    const before = known.get(key)
    const rental = terms ? { customerId, orderId, terms } : before
    if (!rental) throw new RangeError(`The order "${orderId}" is corrected before it was posted`)
    if (terms) {
      known.set(key, rental)
      if (before && hasDuration(before.terms)) turns.splice(placeOf(turns, before), 1)
      if (hasDuration(terms)) turns.splice(placeOf(turns, rental), 0, rental)
    }
    if (terms && !isSpreadUntilEnd) months.push(terms.months)
    else months.push(monthsUntilEnd(rental, turns, events))
  }
  return months
}

function monthsUntilEnd(rental: Rental, turns: readonly Rental[], events: readonly Dated[]): Rational {
  const { terms } = rental
  if (!hasDuration(terms)) return terms.months
  return monthsUntil(terms, endingOf(terms, turns[placeOf(turns, rental) + 1], events)?.day ?? null)
}
