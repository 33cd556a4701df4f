// The use phase: what a device emits by drawing power while it is rented. Never capped by its lifetime.
import { monthsByYear } from './numbers/calendar.ts'
import type { GridFactor } from './reference/reference-data.ts'
import { ZERO, add, divide, multiply, reduce, whole, type Rational } from './numbers/rational.ts'

/** A factor more than this many years away from the year of use makes the line indicative. */
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

/** Months of use from the first to the last of some calendar years, and the factor that is taken for them. */
export interface YearsOfUse {
  readonly year: number
  readonly lastYear: number
  readonly months: Rational
  readonly factor: GridFactor
}

export interface GridUse {
  /** kg CO2e over the tenure. */
  readonly emission: Rational
  /** The factor taken for each calendar year of the tenure; years in a row with one factor stand together. */
  readonly years: readonly YearsOfUse[]
  /** True when each factor is of a year close enough to the year of use. */
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
    factor: gridFactorFor(year, factors),
  }))
  const years = joinYears(single)
  const emission = years.reduce(
    (total, { months, factor }) =>
      add(total, divide(multiply(multiply(yearlyEnergy, months), factor.factor), MONTHS_PER_YEAR)),
    ZERO,
  )
  return { emission, years, factorsAreRecent: single.every(({ year, factor }) => isRecent(year, factor)) }
}

/** A hundred years of tenure have one factor for nearly all of them: summed once, and told once. */
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

/** Near enough to the year of use, whichever year of its range the factor is of. */
const isRecent = (year: number, factor: GridFactor): boolean =>
  [factor.year, factor.latestYear].every((one) => Math.abs(year - one) <= GRID_YEARS_AWAY_MAX)

/** The factor of the year, else the nearest earlier one, else the nearest. */
function gridFactorFor(year: number, factors: readonly GridFactor[]): GridFactor {
  const found = factors.findLast((factor) => factor.year <= year) ?? factors[0]
  if (!found) throw new RangeError('A grid needs at least one factor')
  return found
}
