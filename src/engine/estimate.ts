// The estimate of an order: emission lines with their calculation inputs for each item, and each device's share.
import { allocateLines } from './allocation.ts'
import { openBalance } from './device-ledger.ts'
import { allocateFirstRental, type AllocatedRental, type RentalTerms } from './device-timeline.ts'
import { addMonths } from './numbers/calendar.ts'
import { sumMilligrams, toMilligrams, type LineType, type Milligrams, type Part } from './numbers/emission.ts'
import { whole, type Rational } from './numbers/rational.ts'
import type { Order, Problem } from './order.ts'
import { packagingProduction } from './packaging.ts'
import type { Footprint } from './reference/footprint.ts'
import type { GridFactor, ReferenceData } from './reference/reference-data.ts'
import {
  resolveOrder,
  type ResolvedItem,
  type ResolvedPackaging,
  type ResolvedProduct,
  type ResolvedTransportation,
} from './resolve-order.ts'
import { transportEmission } from './transport.ts'
import { useEmissionByGrid, useEmissionByShare, type GridUse } from './use-phase.ts'

/** The inputs of a line's calculation. calculation.ts turns them into an explanation on request. */
export type CalculationInputs =
  | { readonly method: 'embodied-linear'; readonly item: ResolvedProduct; readonly run: AllocatedRental }
  | { readonly method: 'use-by-share'; readonly item: ResolvedProduct; readonly run: AllocatedRental }
  | {
      readonly method: 'use-by-grid'
      readonly item: ResolvedProduct
      readonly run: AllocatedRental
      readonly use: GridUse
    }
  | { readonly method: 'tonne-kilometres'; readonly item: ResolvedTransportation }
  | { readonly method: 'mass'; readonly item: ResolvedPackaging }

export interface EmissionLine {
  readonly part: Part
  readonly description: string
  readonly emission: Milligrams
  readonly type: LineType
  readonly working: CalculationInputs
}

/** The published lines of a product, for the months in which its order actually had the device. */
export const productLines = (item: ResolvedProduct, run: AllocatedRental): readonly EmissionLine[] => [
  embodiedLine(item, run),
  ...useLine(item, run),
]

/** Manufacture and all other non-use stages in the device's data sheet, for the months of this rental. */
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

/** True if a product has a use line: if anything is known about its electricity use. */
export const hasUseLine = ({ yearlyEnergyKwh, useOverLifetime }: Footprint, grid: readonly GridFactor[]): boolean =>
  isUsedByGrid(yearlyEnergyKwh, grid) || useOverLifetime !== null

const isUsedByGrid = (yearlyEnergyKwh: Rational | null, grid: readonly GridFactor[]): yearlyEnergyKwh is Rational =>
  yearlyEnergyKwh !== null && grid.length > 0

interface Use {
  readonly emission: Milligrams
  readonly type: LineType
  readonly use: GridUse | null
}

/** True if the electricity is stated for the device itself, rather than derived or that of its type. */
const isOwnEnergy = ({ energyFrom }: Footprint): boolean => energyFrom === 'sheet' || energyFrom === 'known'

/**
 * Use-phase emission: calculated with the country's grid factors if electricity and country are known, else by the
 * published use share; null if neither is known. Never capped. METHODOLOGY.md#use-by-grid
 * @param grid of the country of use, years ascending; empty if it is not known
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
    const type = isOwnEnergy(footprint) && use.factorsAreRecent ? 'estimated' : 'indicative'
    return { emission: toMilligrams(use.emission), type, use }
  }
  if (!footprint.useOverLifetime) return null
  const emission = toMilligrams(useEmissionByShare(footprint.useOverLifetime, months, footprint.lifetimeMonths))
  return { emission, type: 'indicative', use: null }
}

export interface EstimatedItem {
  readonly item: ResolvedItem
  readonly lines: readonly EmissionLine[]
}

/** One device's share of an order's emissions, by part, in milligrams. */
export type DeviceShare = Readonly<Record<Part, Milligrams>> & { readonly serialNumber: string }

export interface OrderFootprint {
  readonly items: readonly EstimatedItem[]
  readonly total: Milligrams
  /** One share per device, in product order; they add up to the total. Empty for an order without devices. */
  readonly devices: readonly DeviceShare[]
}

export type Estimate =
  | { readonly ok: true; readonly footprint: OrderFootprint }
  | { readonly ok: false; readonly problems: readonly Problem[] }

/** Computes the outcome of a product's rental; for a device that was rented before, from its ledger. */
export type RentalAllocator = (item: ResolvedProduct) => AllocatedRental

/**
 * Estimates an order with one dataset release, as if its devices had never been rented before. The calculation is exact
 * and synchronous, without clock or I/O. Names that the reference data does not contain are reported together as
 * problems. METHODOLOGY.md#order
 */
export function estimate(
  order: Order,
  referenceData: ReferenceData,
  runOf: RentalAllocator = asFirstRental(true),
): Estimate {
  const resolved = resolveOrder(order, referenceData)
  return resolved.ok ? { ok: true, footprint: estimateItems(resolved.items, runOf) } : resolved
}

/** The rental terms of a product as the order was sent. */
export const rentalTermsOf = ({ product, tenureStartDate }: ResolvedProduct): RentalTerms => ({
  start: tenureStartDate,
  end: addMonths(tenureStartDate, product.tenureMonths),
  months: whole(product.tenureMonths),
})

/** The rental of a device that was never rented before. */
export const asFirstRental =
  (isCapped: boolean): RentalAllocator =>
  (item) =>
    allocateFirstRental(
      openBalance(item.footprint.embodied, item.footprint.lifetimeMonths, isCapped),
      rentalTermsOf(item),
    )

/** The estimate of an order whose names are all resolved; it cannot fail. */
export function estimateItems(resolved: readonly ResolvedItem[], runOf: RentalAllocator): OrderFootprint {
  const items = resolved.map((item) => ({ item, lines: estimateItem(item, runOf) }))
  return { items, total: sumMilligrams(items.map(itemTotal)), devices: deviceShares(items) }
}

export const itemTotal = ({ lines }: EstimatedItem): Milligrams => sumMilligrams(lines.map(({ emission }) => emission))

/** The published lines of one item: embodied and use for a product, one line for any other item. */
export function estimateItem(item: ResolvedItem, runOf: RentalAllocator): readonly EmissionLine[] {
  switch (item.type) {
    case 'product':
      return productLines(item, runOf(item))
    case 'transportation':
      return [transportLine(item)]
    case 'packaging':
      return [packagingLine(item)]
  }
}

/** A line's part, description and type, without its emission. */
export type LineDescription = Pick<EmissionLine, 'part' | 'description' | 'type'>

/** Describes the line of a transportation or packaging item. */
export const describeSharedLine = (item: ResolvedTransportation | ResolvedPackaging): LineDescription =>
  item.type === 'transportation'
    ? { part: 'transportation', description: 'Upstream transportation of the device', type: 'estimated' }
    : {
        part: 'packaging',
        description: 'Packaging of the device',
        type: item.factor.standsIn ? 'indicative' : 'estimated',
      }

function transportLine(item: ResolvedTransportation): EmissionLine {
  return {
    ...describeSharedLine(item),
    emission: toMilligrams(transportEmission(item.transportation.weightKg, item.distanceKm, item.factor)),
    working: { method: 'tonne-kilometres', item },
  }
}

function packagingLine(item: ResolvedPackaging): EmissionLine {
  return {
    ...describeSharedLine(item),
    emission: toMilligrams(packagingProduction(item.packaging.weightKg, item.factor.factor)),
    working: { method: 'mass', item },
  }
}

/** Each device gets its own lines and, by mass, its share of every transport and packaging line. */
function deviceShares(items: readonly EstimatedItem[]): readonly DeviceShare[] {
  const products = items.filter(({ item }) => item.type === 'product')
  if (products.length === 0) return []
  const shares = allocateLines(
    items.flatMap(({ item, lines }) => (item.type === 'product' ? [] : lines)),
    products.map(({ item }) => (item.type === 'product' ? item.product.weightKg : null)),
  )
  return products.map(({ item, lines }, at) => ({
    serialNumber: item.type === 'product' ? item.product.serialNumber : '',
    product_embodied_emission: emissionOf(lines, 'product_embodied_emission'),
    product_use: emissionOf(lines, 'product_use'),
    ...shares[at]!,
  }))
}

const emissionOf = (lines: readonly EmissionLine[], part: Part): Milligrams =>
  lines.find((line) => line.part === part)?.emission ?? 0n
