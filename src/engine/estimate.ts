// The estimate of an order: each item becomes its published lines, each device its share of every line.
import { allocate, toIntegerWeights } from './allocate.ts'
import { addMonths } from './numbers/calendar.ts'
import { openBalance } from './device-ledger.ts'
import { allocateFirstRental, type AllocatedRental, type RentalTerms } from './device-run.ts'
import type { EmissionLine } from './estimated-line.ts'
import type { ReferenceData } from './figures/factor-book.ts'
import { sumMilligrams, toMilligrams, type Milligrams, type Part } from './numbers/line.ts'
import type { Order, Problem } from './order.ts'
import { packagingProduction } from './packaging.ts'
import { productLines } from './product-lines.ts'
import { whole } from './numbers/ratio.ts'
import {
  resolveOrder,
  type ResolvedItem,
  type ResolvedPackaging,
  type ResolvedProduct,
  type ResolvedTransportation,
} from './resolve.ts'
import { transportEmission } from './transport.ts'

export interface EstimatedItem {
  readonly item: ResolvedItem
  readonly lines: readonly EmissionLine[]
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

/** What a product's rental comes to: for a device that was rented before, as its ledger runs. */
export type RentalAllocator = (item: ResolvedProduct) => AllocatedRental

/**
 * Estimates an order of devices that were never rented before, with the figures of one factor book: exact,
 * synchronous, without clock or I/O. Names that the book does not hold are reported together as problems.
 * METHODOLOGY.md#order
 */
export function estimate(order: Order, book: ReferenceData, runOf: RentalAllocator = asFirstRental(true)): Estimate {
  const resolved = resolveOrder(order, book)
  return resolved.ok ? { ok: true, footprint: estimateItems(resolved.items, runOf) } : resolved
}

/** The terms on which an order takes a product, as it was sent. */
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

/** The estimate of an order whose names are all known: this cannot fail. */
export function estimateItems(resolved: readonly ResolvedItem[], runOf: RentalAllocator): OrderFootprint {
  const items = resolved.map((item) => ({ item, lines: estimateItem(item, runOf) }))
  return { items, total: sumMilligrams(items.map(itemTotal)), devices: deviceShares(items) }
}

export const itemTotal = ({ lines }: EstimatedItem): Milligrams => sumMilligrams(lines.map(({ emission }) => emission))

/** The published lines of one item: a product has embodied and use, the others one each. */
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

function transportLine(item: ResolvedTransportation): EmissionLine {
  return {
    part: 'transportation',
    description: 'Upstream transportation of the device',
    emission: toMilligrams(transportEmission(item.transportation.weightKg, item.distanceKm, item.factor)),
    type: 'estimated',
    working: { method: 'tonne-kilometres', item },
  }
}

function packagingLine(item: ResolvedPackaging): EmissionLine {
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
  const weights = toIntegerWeights(products.map(({ item }) => (item.type === 'product' ? item.product.weightKg : null)))
  const shares = products.map(({ item, lines }) => ({
    serialNumber: item.type === 'product' ? item.product.serialNumber : '',
    product_embodied_emission: emissionOf(lines, 'product_embodied_emission'),
    product_use: emissionOf(lines, 'product_use'),
    packaging: 0n,
    transportation: 0n,
  }))
  for (const { item, lines } of items) {
    if (item.type === 'product') continue
    for (const { part, emission } of lines)
      allocate(emission, weights).forEach((share, at) => (shares[at]![part] += share))
  }
  return shares
}

const emissionOf = (lines: readonly EmissionLine[], part: Part): Milligrams =>
  lines.find((line) => line.part === part)?.emission ?? 0n
