// The use phase: what a device emits by drawing power while it is rented. Never capped by its lifetime.
import { monthsByYear } from './calendar.ts'
import type { GridFactor } from './factor-book.ts'
import { ZERO, add, divide, multiply, whole, type Ratio } from './ratio.ts'

/** A factor more than this many years away from the year of use makes the line indicative. */
const GRID_YEARS_AWAY_MAX = 2
const MONTHS_PER_YEAR = whole(12)

/**
 * Use phase by the published share: e = (P·u) × t ÷ L, in kg CO2e. METHODOLOGY.md#use-by-share
 * @param useOverLifetime P·u, kg CO2e over the reference lifetime, 0 or more
 * @param tenure months, 0 or more
 * @param lifetimeMonths greater than 0
 */
export const useByShare = (useOverLifetime: Ratio, tenure: Ratio, lifetimeMonths: Ratio): Ratio =>
  divide(multiply(useOverLifetime, tenure), lifetimeMonths)

export interface GridUse {
  /** kg CO2e over the tenure. */
  readonly emission: Ratio
  /** The factor taken for each calendar year of the tenure, in order. */
  readonly years: readonly { readonly year: number; readonly months: Ratio; readonly factor: GridFactor }[]
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
export function useByGrid(yearlyEnergy: Ratio, start: string, tenure: Ratio, factors: readonly GridFactor[]): GridUse {
  const years = monthsByYear(start, tenure).map((part) => ({ ...part, factor: gridFactorFor(part.year, factors) }))
  const emission = years.reduce(
    (total, { months, factor }) =>
      add(total, divide(multiply(multiply(yearlyEnergy, months), factor.factor), MONTHS_PER_YEAR)),
    ZERO,
  )
  const factorsAreRecent = years.every(({ year, factor }) => Math.abs(year - factor.year) <= GRID_YEARS_AWAY_MAX)
  return { emission, years, factorsAreRecent }
}

/** The factor of the year, else the nearest earlier one, else the nearest. */
function gridFactorFor(year: number, factors: readonly GridFactor[]): GridFactor {
  const found = factors.findLast((factor) => factor.year <= year) ?? factors[0]
  if (!found) throw new RangeError('A grid needs at least one factor')
  return found
}
