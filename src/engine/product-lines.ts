// The two lines of a rented device: its share of what is embodied in it, and its use.
import type { AllocatedRental } from './device-run.ts'
import type { EmissionLine } from './estimated-line.ts'
import type { GridFactor } from './figures/factor-book.ts'
import type { Footprint } from './figures/footprint.ts'
import { toMilligrams, type LineType, type Milligrams } from './numbers/line.ts'
import type { Rational } from './numbers/ratio.ts'
import type { ResolvedProduct } from './resolve.ts'
import { useEmissionByGrid, useEmissionByShare, type GridUse } from './use-phase.ts'

/** The published lines of a product, for the months that its order really held the device. */
export const productLines = (item: ResolvedProduct, run: AllocatedRental): readonly EmissionLine[] => [
  embodiedLine(item, run),
  ...useLine(item, run),
]

/** Making the device, and what else its sheet counts beside use, for the months that this order holds it. */
const embodiedLine = (item: ResolvedProduct, run: AllocatedRental): EmissionLine => ({
  part: 'product_embodied_emission',
  description: `Embodied emission of ${item.footprint.name}`,
  emission: run.share.emission,
  type: item.footprint.embodiedType,
  working: { method: 'embodied-linear', item, run },
})

function useLine(item: ResolvedProduct, run: AllocatedRental): readonly EmissionLine[] {
  const { footprint, grid } = item
  const used = useMethod(footprint, grid, run.terms.start, run.months)
  if (!used) return []
  const { emission, type, use } = used
  const working = use
    ? { method: 'use-by-grid' as const, item, run, use }
    : { method: 'use-by-share' as const, item, run }
  return [{ part: 'product_use', description: `Emission from use of ${footprint.name}`, emission, type, working }]
}

/** Whether a product has a line of use: whether anything is known of the electricity that it takes. */
export const hasUseLine = ({ yearlyEnergyKwh, useOverLifetime }: Footprint, grid: readonly GridFactor[]): boolean =>
  isUsedByGrid(yearlyEnergyKwh, grid) || useOverLifetime !== null

const isUsedByGrid = (yearlyEnergyKwh: Rational | null, grid: readonly GridFactor[]): yearlyEnergyKwh is Rational =>
  yearlyEnergyKwh !== null && grid.length > 0

interface Use {
  readonly emission: Milligrams
  readonly type: LineType
  readonly use: GridUse | null
}

/**
 * Drawing power: by the country's grid where electricity and country are known, else by the published share; null
 * where neither is known. Never capped. METHODOLOGY.md#use-by-grid
 * @param grid of the country of use, years ascending; empty where it is not known
 * @param start first day, YYYY-MM-DD
 * @param months 0 or more
 */
export function useMethod(
  footprint: Footprint,
  grid: readonly GridFactor[],
  start: string,
  months: Rational,
): Use | null {
  if (isUsedByGrid(footprint.yearlyEnergyKwh, grid)) {
    const use = useEmissionByGrid(footprint.yearlyEnergyKwh, start, months, grid)
    const type = footprint.energyFrom === 'sheet' && use.factorsAreRecent ? 'estimated' : 'indicative'
    return { emission: toMilligrams(use.emission), type, use }
  }
  if (!footprint.useOverLifetime) return null
  const emission = toMilligrams(useEmissionByShare(footprint.useOverLifetime, months, footprint.lifetimeMonths))
  return { emission, type: 'indicative', use: null }
}
