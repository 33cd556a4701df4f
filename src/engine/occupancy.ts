// Which rental has a device when: the rentals that occupy time, sorted, and what ends each of them.
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
import { ZERO, type Rational } from './numbers/rational.ts'
import type { Resumable } from './numbers/steps.ts'

/** Keeps an array sorted by date; those of one day stay in the sequence in which they were added. */
export function addByDate<Event extends Dated>(events: Event[], event: Event): void {
  const at = events.findIndex(({ date }) => date > event.date)
  events.splice(at === -1 ? events.length : at, 0, event)
}

/**
 * Where a rental stands among others, or would stand: before the first that is not before it. By halves, so that a
 * device with a hundred thousand rentals takes seventeen comparisons.
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

/** How many rentals start before a day. */
export function startedBefore(turns: readonly Rental[], day: string): number {
  let [low, high] = [0, turns.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (turns[middle]!.terms.start < day) low = middle + 1
    else high = middle
  }
  return low
}

/** What of an entry says how long rentals are: the terms of one, or an event that ends what it falls into. */
export interface TimedEntry extends OrderKey {
  readonly terms: RentalTerms | null
  readonly event: Dated | null
}

/**
 * Months over which each entry of a journal is spread: those that it agrees; of one that only corrects, those until
 * what ended its rental, as it was known then; none of an event. One pass, since a journal may be long.
 * @throws RangeError where an entry corrects an order that was not posted
 */
export function* monthsOfEntries<One>(
  journal: Iterable<One>,
  toTimed: (entry: One) => TimedEntry,
): Resumable<readonly Rational[]> {
  const known = new Map<string, Rental>()
  const turns: Rental[] = []
  const events: Dated[] = []
  const months: Rational[] = []
  for (const entry of journal) {
    const { customerId, orderId, terms, event } = toTimed(entry)
    yield
    if (event) addByDate(events, event)
    if (orderId === '') {
      months.push(ZERO)
      continue
    }
    const key = orderKey({ customerId, orderId })
    const before = known.get(key)
    if (terms) {
      const rental = { customerId, orderId, terms }
      known.set(key, rental)
      if (before && hasDuration(before.terms)) turns.splice(placeOf(turns, before), 1)
      if (hasDuration(terms)) turns.splice(placeOf(turns, rental), 0, rental)
      months.push(terms.months)
    } else {
      if (!before) throw new RangeError(`The order "${orderId}" is corrected before it was posted`)
      const next = hasDuration(before.terms) ? turns[placeOf(turns, before) + 1] : undefined
      months.push(monthsUntil(before.terms, endingOf(before.terms, next, events)?.day ?? null))
    }
  }
  return months
}
