// Resolves every id of an order to its record in the reference data, or reports a problem.
import {
  type DistanceAdjustment,
  type ReferenceData,
  type GridFactor,
  type PackagingFactor,
  type TransportFactor,
} from './reference/reference-data.ts'
import {
  NO_MAPPINGS,
  rematchProduct,
  matchProduct,
  mappingsOfMethods,
  type ProductMatch,
  type MatchMethod,
  type MappingOf,
} from './reference/product-match.ts'
import { footprintById, type FootprintId, type Footprint } from './reference/footprint.ts'
import type { Item, Order, Packaging, Problem, Product, Transportation } from './order.ts'
import { validateCountry, validateItems } from './validate-order.ts'
import type { RefurbishedByDefault } from './device-timeline.ts'
import type { Rational } from './numbers/rational.ts'
import { distanceOnFactorBasis } from './transport.ts'

export interface ResolvedProduct {
  readonly type: 'product'
  readonly product: Product
  readonly tenureStartDate: string
  /** The footprint that the order's own data resolves to. */
  readonly ownFootprintId: FootprintId
  /** How it was found. */
  readonly matchMethod: MatchMethod
  /** The event by which the device was identified; null if its first order fixed its footprint. */
  readonly identifiedBy?: string | null
  /** The refurbishments of the device whose emission is a default. */
  readonly byDefault?: readonly RefurbishedByDefault[]
  /** The footprint that is used: the same, or the one that the device's first order or an identification fixed. */
  readonly footprintId: FootprintId
  readonly footprint: Footprint
  /** The reference data that contains the footprint. */
  readonly footprintData: ReferenceData
  /** Grid factors of the country of use, years ascending; empty if the country or its factors are unknown. */
  readonly grid: readonly GridFactor[]
  readonly country: string | null
}

export interface ResolvedTransportation {
  readonly type: 'transportation'
  readonly transportation: Transportation
  readonly factor: TransportFactor
  /** The distance on the factor's own basis, km. */
  readonly distanceKm: Rational
  readonly adjustment: DistanceAdjustment
}

export interface ResolvedPackaging {
  readonly type: 'packaging'
  readonly packaging: Packaging
  readonly factor: PackagingFactor
}

export type ResolvedItem = ResolvedProduct | ResolvedTransportation | ResolvedPackaging

export type ResolveResult =
  | { readonly ok: true; readonly items: readonly ResolvedItem[] }
  | { readonly ok: false; readonly problems: readonly Problem[] }

/**
 * Resolves every name of an order. All problems are reported together, each with its path.
 * @param mappingOf the account's mappings of product ids
 */
export const resolveOrder = (
  order: Order,
  referenceData: ReferenceData,
  mappingOf: MappingOf = NO_MAPPINGS,
): ResolveResult => resolveWith((product) => matchProduct(product, referenceData, mappingOf), order, referenceData)

/**
 * Resolves every name of an order that was accepted before.
 * @param stored the stored matches of its products, in the order of the products
 */
export function resolveForRecompute(order: Order, stored: ProductMatches, referenceData: ReferenceData): ResolveResult {
  const mappingOf = mappingsOfMethods(() => productsOf(order), stored.matchMethods)
  return resolveWith(
    (product, at) => rematchProduct(product, findingAt(stored, at), referenceData, mappingOf),
    order,
    referenceData,
  )
}

/** @param findingOf the match of a product, given its index among the products */
function resolveWith(
  findingOf: (product: Product, at: number) => ProductMatch,
  order: Order,
  referenceData: ReferenceData,
): ResolveResult {
  const problems = [
    ...validateCountry(order.country, referenceData, '/country'),
    ...validateItems(order.items.entries(), referenceData),
  ]
  return problems.length > 0
    ? { ok: false, problems }
    : { ok: true, items: resolveItems(findingOf, order, referenceData) }
}

/**
 * Resolves an order that was accepted before, with its stored product matches.
 * @throws RangeError when the reference data lacks a name; the order's own release has them all
 */
export const resolveStored = (
  order: Order,
  stored: ProductMatches,
  referenceData: ReferenceData,
): readonly ResolvedItem[] => resolveItems((_, at) => findingAt(stored, at), order, referenceData)

function resolveItems(
  findingOf: (product: Product, at: number) => ProductMatch,
  order: Order,
  referenceData: ReferenceData,
): readonly ResolvedItem[] {
  let at = 0
  return order.items.map((item) => {
    if (item.type !== 'product') return resolveOther(item, referenceData)
    return resolveProduct(item, order, referenceData, findingOf(item, at++))
  })
}

/** The matches of an order's products, in the order of the products. */
export interface ProductMatches {
  readonly footprintIds: readonly FootprintId[]
  readonly matchMethods: readonly MatchMethod[]
}

const findingAt = ({ footprintIds, matchMethods }: ProductMatches, at: number): ProductMatch => ({
  footprintId: footprintIds[at]!,
  matchMethod: matchMethods[at]!,
})

export const productsOf = ({ items }: Order): readonly Product[] =>
  items.flatMap((item) => (item.type === 'product' ? [item] : []))

export const serialNumbersOf = (items: readonly ResolvedItem[]): readonly string[] =>
  items.flatMap((item) => (item.type === 'product' ? [item.product.serialNumber] : []))

export function matchesOf(items: readonly ResolvedItem[]): ProductMatches {
  const products = items.filter((item) => item.type === 'product')
  return {
    footprintIds: products.map(({ ownFootprintId }) => ownFootprintId),
    matchMethods: products.map(({ matchMethod }) => matchMethod),
  }
}

const resolveOther = (
  item: Exclude<Item, Product>,
  referenceData: ReferenceData,
): ResolvedTransportation | ResolvedPackaging =>
  item.type === 'transportation'
    ? resolveTransportation(item, referenceData)
    : { type: 'packaging', packaging: item, factor: known(referenceData.packagings, item.packagingId) }

function resolveProduct(
  product: Product,
  order: Order,
  referenceData: ReferenceData,
  { footprintId, matchMethod }: ProductMatch,
): ResolvedProduct {
  const country = product.country ?? order.country
  return {
    type: 'product',
    product,
    tenureStartDate: order.tenureStartDate,
    ownFootprintId: footprintId,
    matchMethod,
    footprintId,
    footprint: footprintById(footprintId, product.weightKg, referenceData),
    footprintData: referenceData,
    grid: gridFactors(country, referenceData),
    country,
  }
}

/** Grid factors of a country, years ascending; empty if the country or its factors are unknown. */
export const gridFactors = (country: string | null, referenceData: ReferenceData): readonly GridFactor[] =>
  country === null ? [] : (referenceData.grid.get(country) ?? [])

function resolveTransportation(transportation: Transportation, referenceData: ReferenceData): ResolvedTransportation {
  const factor = known(referenceData.transports, transportation.transportationId)
  const adjustment = referenceData.distanceAdjustments[factor.mode]
  const { distanceKm, distanceBasis } = transportation
  return {
    type: 'transportation',
    transportation,
    factor,
    distanceKm: distanceOnFactorBasis(distanceKm, distanceBasis, factor.distanceBasis, adjustment),
    adjustment,
  }
}

function known<Key extends string, Value>(map: ReadonlyMap<Key, Value>, key: Key): Value {
  const value = map.get(key)
  if (value === undefined) throw new RangeError(`The reference data has no "${key}"`)
  return value
}
