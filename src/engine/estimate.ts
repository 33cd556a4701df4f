// The estimate of an order: each item becomes its published lines, each device its share of every line.
import { allocate, wholeWeights } from './allocate.ts'
import { allocateRental, openBalance, type Balance, type RentalShare } from './device-ledger.ts'
import type { FactorBook } from './factor-book.ts'
import { sum, toMilligrams, type LineType, type Milligrams, type Part } from './line.ts'
import type { Order, Problem } from './order.ts'
import { packagingProduction } from './packaging.ts'
import { whole } from './ratio.ts'
import {
  resolveOrder,
  type ResolvedItem,
  type ResolvedPackaging,
  type ResolvedProduct,
  type ResolvedTransportation,
} from './resolve.ts'
import { transport } from './transport.ts'
import { useByGrid, useByShare, type GridUse } from './use-phase.ts'

/** How a line came about: what calculation.ts spells out when it is asked to. */
export type Working =
  | { readonly method: 'embodied-linear'; readonly item: ResolvedProduct; readonly share: RentalShare }
  | { readonly method: 'use-by-share'; readonly item: ResolvedProduct }
  | { readonly method: 'use-by-grid'; readonly item: ResolvedProduct; readonly use: GridUse }
  | { readonly method: 'tonne-kilometres'; readonly item: ResolvedTransportation }
  | { readonly method: 'mass'; readonly item: ResolvedPackaging }

export interface Line {
  readonly part: Part
  readonly description: string
  readonly emission: Milligrams
  readonly type: LineType
  readonly working: Working
}

export interface EstimatedItem {
  readonly item: ResolvedItem
  readonly lines: readonly Line[]
}

/** Milligrams of one order that one device carries, by part. */
export type DeviceShare = Readonly<Record<Part, Milligrams>> & { readonly serialNumber: string }

export interface OrderFootprint {
  readonly items: readonly EstimatedItem[]
  readonly total: Milligrams
  /** One share a device, in the order's own sequence; they add up to the total. Empty for an order without devices. */
  readonly devices: readonly DeviceShare[]
}

export type Estimate =
  | { readonly ok: true; readonly footprint: OrderFootprint }
  | { readonly ok: false; readonly problems: readonly Problem[] }

/** What is left of each device that was rented before, by serial number; a device that is not in it is new. */
export type Balances = ReadonlyMap<string, Balance>

/**
 * Estimates an order with the figures of one factor book: exact, synchronous, without clock or I/O.
 * Names that the book does not hold are reported together as problems. METHODOLOGY.md#order
 */
export function estimate(order: Order, book: FactorBook, balances: Balances = new Map()): Estimate {
  const resolved = resolveOrder(order, book)
  return resolved.ok ? { ok: true, footprint: estimateResolved(resolved.items, balances) } : resolved
}

/** The estimate of an order whose names are all known: this cannot fail. */
export function estimateResolved(resolved: readonly ResolvedItem[], balances: Balances): OrderFootprint {
  const items = resolved.map((item) => ({ item, lines: estimateItem(item, balances) }))
  return { items, total: sum(items.map(itemTotal)), devices: deviceShares(items) }
}

export const itemTotal = ({ lines }: EstimatedItem): Milligrams => sum(lines.map(({ emission }) => emission))

/** The published lines of one item: a product has embodied and use, the others one each. */
export function estimateItem(item: ResolvedItem, balances: Balances): readonly Line[] {
  switch (item.type) {
    case 'product':
      return [embodiedLine(item, balances), ...useLine(item)]
    case 'transportation':
      return [transportLine(item)]
    case 'packaging':
      return [packagingLine(item)]
  }
}

/** Making the device, and what else its sheet counts beside use, for the months that this order holds it. */
function embodiedLine(item: ResolvedProduct, balances: Balances): Line {
  const { footprint, product } = item
  const balance = balances.get(product.serialNumber) ?? openBalance(footprint.embodied, footprint.lifetimeMonths)
  const share = allocateRental(balance, whole(product.tenureMonths))
  return {
    part: 'product_embodied_emission',
    description: `Embodied emission of ${footprint.name}`,
    emission: share.emission,
    type: footprint.embodiedType,
    working: { method: 'embodied-linear', item, share },
  }
}

/** Drawing power: by the country's grid where electricity and country are known, else by the published share. */
function useLine(item: ResolvedProduct): readonly Line[] {
  const { footprint, product, grid, tenureStartDate } = item
  const tenure = whole(product.tenureMonths)
  const line = { part: 'product_use' as const, description: `Emission from use of ${footprint.name}` }
  if (footprint.yearlyEnergyKwh && grid.length > 0) {
    const use = useByGrid(footprint.yearlyEnergyKwh, tenureStartDate, tenure, grid)
    const type = footprint.energyFrom === 'sheet' && use.factorsAreRecent ? 'estimated' : 'indicative'
    return [{ ...line, emission: toMilligrams(use.emission), type, working: { method: 'use-by-grid', item, use } }]
  }
  if (!footprint.useOverLifetime) return []
  const emission = toMilligrams(useByShare(footprint.useOverLifetime, tenure, footprint.lifetimeMonths))
  return [{ ...line, emission, type: 'indicative', working: { method: 'use-by-share', item } }]
}

function transportLine(item: ResolvedTransportation): Line {
  return {
    part: 'transportation',
    description: 'Upstream transportation of the device',
    emission: toMilligrams(transport(item.transportation.weightKg, item.distanceKm, item.factor)),
    type: 'estimated',
    working: { method: 'tonne-kilometres', item },
  }
}

function packagingLine(item: ResolvedPackaging): Line {
  return {
    part: 'packaging',
    description: 'Packaging of the device',
    emission: toMilligrams(packagingProduction(item.packaging.weightKg, item.factor.factor)),
    type: item.factor.standsIn ? 'indicative' : 'estimated',
    working: { method: 'mass', item },
  }
}

/** Each device carries its own lines and, by mass, its part of every transport and packaging line. */
function deviceShares(items: readonly EstimatedItem[]): readonly DeviceShare[] {
  const products = items.filter(({ item }) => item.type === 'product')
  if (products.length === 0) return []
  const weights = wholeWeights(products.map(({ item }) => (item.type === 'product' ? item.product.weightKg : null)))
  const shares = products.map(({ item, lines }) => ({
    serialNumber: item.type === 'product' ? item.product.serialNumber : '',
    product_embodied_emission: emissionOf(lines, 'product_embodied_emission'),
    product_use: emissionOf(lines, 'product_use'),
    packaging: 0n,
    transportation: 0n,
  }))
  for (const { part, emission } of items.flatMap(({ item, lines }) => (item.type === 'product' ? [] : lines))) {
    for (const [position, share] of allocate(emission, weights).entries()) shares[position]![part] += share
  }
  return shares
}

const emissionOf = (lines: readonly Line[], part: Part): Milligrams =>
  lines.find((line) => line.part === part)?.emission ?? 0n
