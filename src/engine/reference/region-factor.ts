// The electricity of the region for which a sheet states its use.
import type { RegionFactor } from './reference-data.ts'

/** The factor of the sheet's year, else of the nearest earlier year, else the nearest; the latest if it has none. */
export function regionFactorOf(factors: readonly RegionFactor[], year: number | null): RegionFactor | null {
  const ascending = factors.toSorted((a, b) => a.year - b.year)
  if (year === null) return ascending.at(-1) ?? null
  return ascending.findLast((factor) => factor.year <= year) ?? ascending[0] ?? null
}
