// Names to figures: every id of an order becomes the record it denotes, or a problem; what follows cannot fail.
import {
  aliasKey,
  type DistanceAdjustment,
  type FactorBook,
  type GridFactor,
  type PackagingFactor,
  type TransportFactor,
} from './factor-book.ts'
import { bestFallback } from './ladder.ts'
import { matchOf } from './match-product.ts'
import { WEIGHT_BASIS, footprintOf, typeBasis, type Basis, type Footprint } from './footprint.ts'
import { nearest, suggesting } from './nearest.ts'
import type { Item, Order, Packaging, Problem, Product, Transportation } from './order.ts'
import type { Ratio } from './ratio.ts'
import { traitsOf } from './traits.ts'
import { basesOf, distanceOnFactorBasis } from './transport.ts'

export interface ResolvedProduct {
  readonly type: 'product'
  readonly product: Product
  readonly tenureStartDate: string
  /** What the order's own words resolve to. */
  readonly ownBasis: Basis
  /** What it is charged by: the same, or what the device was fixed to by its first order. */
  readonly basis: Basis
  readonly footprint: Footprint
  /** The book in which the footprint stands. */
  readonly footprintBook: FactorBook
  /** Grid factors of the country of use, years ascending; empty where the country or its factors are not known. */
  readonly grid: readonly GridFactor[]
  readonly country: string | null
}

export interface ResolvedTransportation {
  readonly type: 'transportation'
  readonly transportation: Transportation
  readonly factor: TransportFactor
  /** The distance on the factor's own basis, km. */
  readonly distanceKm: Ratio
  readonly adjustment: DistanceAdjustment
}

export interface ResolvedPackaging {
  readonly type: 'packaging'
  readonly packaging: Packaging
  readonly factor: PackagingFactor
}

export type ResolvedItem = ResolvedProduct | ResolvedTransportation | ResolvedPackaging

/** An error answers at most this many problems; looking for more would only let a hostile body cost more. */
export const PROBLEMS_MAX = 50

export type Resolved =
  | { readonly ok: true; readonly items: readonly ResolvedItem[] }
  | { readonly ok: false; readonly problems: readonly Problem[] }

/** Looks up every name of an order. All problems are reported together, each with where it stands. */
export function resolveOrder(order: Order, book: FactorBook): Resolved {
  const problems = [
    ...countryProblems(order.country, book, '/country'),
    ...problemsOfItems(new Map(order.items.entries()), book),
  ]
  if (problems.length > 0) return { ok: false, problems }
  return { ok: true, items: order.items.map((item) => resolveItem(item, order, book, basisOf(item, book))) }
}

/** What is wrong with items, by their position in the order: names that the book lacks, serials that stand twice. */
export function problemsOfItems(items: ReadonlyMap<number, Item>, book: FactorBook): readonly Problem[] {
  const problems: Problem[] = []
  const positionOfSerial = new Map<string, number>()
  for (const [position, item] of items) {
    if (problems.length >= PROBLEMS_MAX) break
    const path = `/items/${position}/config`
    problems.push(...itemProblems(item, book, path))
    if (item.type !== 'product') continue
    const first = positionOfSerial.get(item.serialNumber)
    if (first === undefined) positionOfSerial.set(item.serialNumber, position)
    else
      problems.push({
        path: `${path}/serial_number`,
        message: `Stands at /items/${first} already; a device is rented once an order`,
      })
  }
  return problems
}

export function countryProblems(country: string | null, book: FactorBook, path: string): readonly Problem[] {
  if (country === null || book.grid.has(country)) return []
  const problem = { path, message: `"${country}" is not an ISO 3166-1 alpha-2 country code` }
  return [suggesting(problem, country === 'UK' ? ['GB'] : country === 'EL' ? ['GR'] : [])]
}

/**
 * An order that was accepted before, with the bases that its products were charged by then.
 * @throws RangeError when the book lacks a name: a stored order is only ever read with the release it was made with
 */
export function resolveStored(order: Order, bases: readonly Basis[], book: FactorBook): readonly ResolvedItem[] {
  let product = 0
  return order.items.map((item) => resolveItem(item, order, book, item.type === 'product' ? bases[product++]! : ''))
}

export const basesOfProducts = (items: readonly ResolvedItem[]): readonly Basis[] =>
  items.flatMap((item) => (item.type === 'product' ? [item.ownBasis] : []))

function itemProblems(item: Item, book: FactorBook, path: string): readonly Problem[] {
  switch (item.type) {
    case 'product':
      return productProblems(item, book, path)
    case 'transportation':
      return transportationProblems(item, book, path)
    case 'packaging':
      return packagingProblems(item, book, path)
  }
}

/** An unknown product is never an error, but a model that the client names has to exist. */
function productProblems(
  { modelId, serialNumber, country }: Product,
  book: FactorBook,
  path: string,
): readonly Problem[] {
  const problems = [...countryProblems(country, book, `${path}/country`)]
  if (serialNumber === '') problems.push({ path: `${path}/serial_number`, message: 'Must be more than white space' })
  if (modelId !== null && findModelId(modelId, book) === null) {
    const message = `There is no device model "${modelId}"; GET /api/device-model-emissions lists all`
    problems.push(suggesting({ path: `${path}/model_id`, message }, nearest(modelId, book.models.keys())))
  }
  return problems
}

function transportationProblems(item: Transportation, book: FactorBook, path: string): readonly Problem[] {
  const factor = book.transports.get(item.transportationId)
  if (!factor) {
    const message = `There is no transportation "${item.transportationId}"; GET /api/transportations lists all`
    const textsOf = (id: string) => [known(book.transports, id).name]
    const suggestions = nearest(item.transportationId, book.transports.keys(), textsOf)
    return [suggesting({ path: `${path}/transportation_id`, message }, suggestions)]
  }
  return [...modeProblems(item, factor, path), ...basisProblems(item, factor, path)]
}

function modeProblems(item: Transportation, factor: TransportFactor, path: string): readonly Problem[] {
  if (item.transportationMode.toLowerCase() === factor.mode) return []
  const message = `"${factor.id}" goes by ${factor.mode}, not by "${item.transportationMode}"`
  return [{ path: `${path}/transportation_mode`, message, suggestions: [factor.mode] }]
}

function basisProblems(item: Transportation, { mode }: TransportFactor, path: string): readonly Problem[] {
  const suggestions = basesOf(mode)
  if (item.distanceBasis === null || suggestions.includes(item.distanceBasis)) return []
  const message = `A distance by ${mode} is stated as ${suggestions.join(' or ')}, not ${item.distanceBasis}`
  return [{ path: `${path}/distance_basis`, message, suggestions }]
}

function packagingProblems({ packagingId }: Packaging, book: FactorBook, path: string): readonly Problem[] {
  if (book.packagings.has(packagingId)) return []
  const message = `There is no packaging "${packagingId}"; GET /api/packagings lists all`
  const textsOf = (id: string) => [known(book.packagings, id).name, known(book.packagings, id).material]
  const suggestions = nearest(packagingId, book.packagings.keys(), textsOf)
  return [suggesting({ path: `${path}/packaging_id`, message }, suggestions)]
}

function basisOf(item: Item, book: FactorBook): Basis {
  return item.type === 'product' ? basisOfProduct(item, book) : ''
}

/**
 * What a product is charged by: the model it names, the one model that bears its product id as id or alias, the model
 * that its words mean, the best stand-in that they allow, or its weight alone. METHODOLOGY.md#fallbacks
 */
function basisOfProduct(product: Product, book: FactorBook): Basis {
  const model = findModelId(product.modelId ?? product.productId, book) ?? matchOf(product, book).model
  if (model !== null) return model
  const { deviceType } = product
  return bestFallback(traitsOf(product), book) ?? (deviceType === null ? WEIGHT_BASIS : typeBasis(deviceType))
}

/** The model of this id, or the one model that bears it as an alias; an alias of several models decides nothing. */
export function findModelId(text: string, book: FactorBook): string | null {
  const key = aliasKey(text)
  if (book.models.has(key)) return key
  const bearers = book.aliases.get(key)
  return bearers?.length === 1 ? bearers[0]! : null
}

function resolveItem(item: Item, order: Order, book: FactorBook, basis: Basis): ResolvedItem {
  switch (item.type) {
    case 'product':
      return resolveProduct(item, order, book, basis)
    case 'transportation':
      return resolveTransportation(item, book)
    case 'packaging':
      return { type: 'packaging', packaging: item, factor: known(book.packagings, item.packagingId) }
  }
}

function resolveProduct(product: Product, order: Order, book: FactorBook, basis: Basis): ResolvedProduct {
  const country = product.country ?? order.country
  return {
    type: 'product',
    product,
    tenureStartDate: order.tenureStartDate,
    ownBasis: basis,
    basis,
    footprint: footprintOf(basis, product.weightKg, book),
    footprintBook: book,
    grid: gridOf(country, book),
    country,
  }
}

/** Grid factors of a country, years ascending; none where the country or its factors are not known. */
export const gridOf = (country: string | null, book: FactorBook): readonly GridFactor[] =>
  country === null ? [] : (book.grid.get(country) ?? [])

function resolveTransportation(transportation: Transportation, book: FactorBook): ResolvedTransportation {
  const factor = known(book.transports, transportation.transportationId)
  const adjustment = known(book.distanceAdjustments, factor.mode)
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
  const found = map.get(key)
  if (found === undefined) throw new RangeError(`The factor book has no "${key}"`)
  return found
}
