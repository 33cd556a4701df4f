// The use phase: emissions of the electricity that a device uses while rented. Never capped by its lifetime.
import { monthsByYear } from './numbers/calendar.ts'
import type { GridFactor } from './reference/reference-data.ts'
import { ZERO, add, divide, multiply, reduce, whole, type Rational } from './numbers/rational.ts'

/** If a factor is more than this many years away from the year of use, the line is indicative. */
const GRID_YEARS_AWAY_MAX = 2
const MONTHS_PER_YEAR = whole(12)

/**
 * Use phase by the published share: e = (P·u) × t ÷ L, in kg CO2e. METHODOLOGY.md#use-by-share
 * @param useOverLifetime P·u, kg CO2e over the reference lifetime, 0 or more
 * @param tenure months, 0 or more
 * @param lifetimeMonths greater than 0
 */
export const useEmissionByShare = (useOverLifetime: Rational, tenure: Rational, lifetimeMonths: Rational): Rational =>
  divide(multiply(useOverLifetime, tenure), lifetimeMonths)

/**
 * Electricity behind a published use emission: W = P·u × 12 ÷ L ÷ EF, in kWh per year.
 * METHODOLOGY.md#electricity-from-use
 * @param useOverLifetime P·u, kg CO2e over the reference lifetime, 0 or more
 * @param lifetimeMonths greater than 0
 * @param regionFactor EF of the region that the sheet reckons with, kg CO2e per kWh, greater than 0
 */
export const energyFromUse = (useOverLifetime: Rational, lifetimeMonths: Rational, regionFactor: Rational): Rational =>
  divide(useEmissionByShare(useOverLifetime, MONTHS_PER_YEAR, lifetimeMonths), regionFactor)

/** Months of use within a range of calendar years, and the factor used for them. */
export interface YearsOfUse {
  readonly year: number
  readonly lastYear: number
  readonly months: Rational
  readonly factor: GridFactor
}

export interface GridUse {
  /** kg CO2e over the tenure. */
  readonly emission: Rational
  /** The factor used for each calendar year of the tenure; consecutive years with the same factor are joined. */
  readonly years: readonly YearsOfUse[]
  /** True if the year of every factor is close enough to the year of use. */
  readonly factorsAreRecent: boolean
}

/**
 * Use phase by electricity: e = W × Σ_y months_y ÷ 12 × EF(country, y), in kg CO2e. METHODOLOGY.md#use-by-grid
 * @param yearlyEnergy W, kWh per year, 0 or more
 * @param start first day of the tenure, YYYY-MM-DD
 * @param tenure months, 0 or more
 * @param factors of one country, years ascending, at least one
 * @throws RangeError when there is no factor
 */
export function useEmissionByGrid(
  yearlyEnergy: Rational,
  start: string,
  tenure: Rational,
  factors: readonly GridFactor[],
): GridUse {
  const single = monthsByYear(start, tenure).map(({ year, months }): YearsOfUse => ({
    year,
    lastYear: year,
    months,
    factor: ofYear(year, factors),
  }))
  const years = joinYears(single)
  const emission = years.reduce(
    (total, { months, factor }) =>
      add(total, divide(multiply(multiply(yearlyEnergy, months), factor.factor), MONTHS_PER_YEAR)),
    ZERO,
  )
  return { emission, years, factorsAreRecent: single.every(({ year, factor }) => isRecent(year, factor)) }
}

/** Joins consecutive years with the same factor, as nearly all are in a tenure of a hundred years. */
function joinYears(single: readonly YearsOfUse[]): readonly YearsOfUse[] {
  const joined: YearsOfUse[] = []
  for (const years of single) {
    const before = joined.at(-1)
    if (before?.factor !== years.factor) joined.push(years)
    else
      joined[joined.length - 1] = {
        ...before,
        lastYear: years.lastYear,
        months: reduce(add(before.months, years.months)),
      }
  }
  return joined
}

/** True if both ends of the factor's range of years are close enough to the year of use. */
const isRecent = (year: number, factor: GridFactor): boolean =>
  [factor.year, factor.latestYear].every((one) => Math.abs(year - one) <= GRID_YEARS_AWAY_MAX)

/**
 * The figure of the year, else of the nearest earlier one, else the earliest.
 * @param figures years ascending
 * @throws RangeError without any figure
 */
export function ofYear<Figure extends { readonly year: number }>(year: number, figures: readonly Figure[]): Figure {
  const found = figures.findLast((one) => one.year <= year) ?? figures[0]
  if (!found) throw new RangeError('A grid needs at least one factor')
  return found
}
