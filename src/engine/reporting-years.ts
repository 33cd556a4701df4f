// What was posted for a rental, told by calendar year and month: for reports, whose parts add up to the entry.
import { allocate, wholeWeights } from './allocate.ts'
import { monthsByMonth, monthsByYear } from './calendar.ts'
import type { Milligrams } from './line.ts'
import type { Ratio } from './ratio.ts'

export interface EmissionOfYear {
  readonly year: number
  readonly emission: Milligrams
}

/**
 * Splits posted milligrams over the calendar years in which a rental's months lie, in proportion to them. What is left
 * over goes to the largest remainders, so that the years add up to what was posted, corrections below 0 too. A rental
 * of no months has all of it in the year of its start. METHODOLOGY.md#months
 * @param start first day, YYYY-MM-DD
 * @param months those that the emission was posted for, 0 or more: of an embodied share under the cap, the allocated
 * @throws RangeError when the start is not a real calendar day
 */
export function splitByYear(emission: Milligrams, start: string, months: Ratio): readonly EmissionOfYear[] {
  const years = monthsByYear(start, months)
  if (years.length === 0) return [{ year: Number(start.slice(0, 4)), emission }]
  const shares = allocate(emission, wholeWeights(years.map((one) => one.months)))
  return years.map(({ year }, at) => ({ year, emission: shares[at]! }))
}

export interface EmissionOfMonth {
  /** YYYY-MM */
  readonly month: string
  readonly emission: Milligrams
}

/**
 * Splits posted milligrams over calendar months: over the years first, as `splitByYear`, and each year over its months,
 * so that the months of a year add up to the year, whoever counts.
 * @param start first day, YYYY-MM-DD
 * @param months 0 or more
 * @throws RangeError when the start is not a real calendar day
 */
export function splitByMonth(emission: Milligrams, start: string, months: Ratio): readonly EmissionOfMonth[] {
  const byYear = Map.groupBy(monthsByMonth(start, months), ({ month }) => Number(month.slice(0, 4)))
  if (byYear.size === 0) return [{ month: start.slice(0, 7), emission }]
  return splitByYear(emission, start, months).flatMap((ofYear) => {
    const parts = byYear.get(ofYear.year)!
    const shares = allocate(ofYear.emission, wholeWeights(parts.map((part) => part.months)))
    return parts.map(({ month }, at) => ({ month, emission: shares[at]! }))
  })
}
