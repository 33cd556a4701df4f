// The calendar years in which the devices of an order may have used electricity, as its events left them.
import { addMonths } from '../../engine/numbers/calendar.ts'
import type { Order } from '../../engine/order.ts'
import { productsOf } from '../../engine/resolve-order.ts'
import { ofYear } from '../../engine/use-phase.ts'
import type { GridFactor } from '../../engine/reference/reference-data.ts'
import { compare } from '../../engine/numbers/rational.ts'
import { eventContent } from '../codec.ts'
import { countedEvents } from '../counted-events.ts'
import type { StoredEvent } from '../records.ts'

export interface YearRange {
  readonly first: number
  readonly last: number
}

/**
 * From the tenure start to the latest end that the content or an event of the order gives a device. Other orders and
 * events of a device only make its rental shorter.
 */
export function yearsOfUse(order: Order, events: readonly StoredEvent[]): YearRange {
  const start = order.tenureStartDate
  const ends = productsOf(order).map(({ tenureMonths }) => addMonths(start, tenureMonths))
  for (const wire of countedEvents(events).map(eventContent)) {
    if (wire.type === 'extended') ends.push(addMonths(start, wire.tenure_months))
    if (wire.type === 'returned') ends.push(wire.date)
  }
  return { first: yearOf(start), last: ends.reduce((latest, end) => Math.max(latest, yearOf(end)), yearOf(start)) }
}

const yearOf = (day: string): number => Number(day.slice(0, 4))

/** True if electricity has the same factor in each of these years. Empty series are those of an unknown country. */
export function haveSameFactors(
  one: readonly GridFactor[],
  other: readonly GridFactor[],
  { first, last }: YearRange,
): boolean {
  if (one.length === 0 || other.length === 0) return one.length === other.length
  for (let year = first; year <= last; year += 1)
    if (compare(ofYear(year, one).factor, ofYear(year, other).factor) !== 0) return false
  return true
}
