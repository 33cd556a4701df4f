// What a product of an order is taken for, and how that was found: first by what is certain, last by a guess.
import { matcherFor, type ProductText } from '../matching/matcher.ts'
import { aliasKey, type DeviceType, type ReferenceData } from './reference-data.ts'
import { brandKey } from './product-family.ts'
import { WEIGHT_FOOTPRINT_ID, typeFootprintId, type FootprintId } from './footprint.ts'
import { fallbackById, productTraits, selectFallback } from './fallback.ts'
import { brandOfField } from '../matching/brand.ts'
import type { Product } from '../order.ts'
import { compare } from '../numbers/rational.ts'

/** What an account says that a product id of its own is: a model, or a type of device without one. */
export type Mapping =
  { readonly modelId: string; readonly deviceType: null } | { readonly modelId: null; readonly deviceType: DeviceType }

/** The account's mapping of a product id in the form in which they are compared, if there is one. */
export type MappingOf = (key: string) => Mapping | undefined

export const NO_MAPPINGS: MappingOf = () => undefined

/**
 * How a product was found: `model_id`, `mapping:` with what it was mapped to, `product_id`, `alias`, `name`, `variant`
 * (by its name, of which the catalogue has another variant), or the level of what stands in, like `type` or `weight`.
 */
export type MatchMethod = string

export interface ProductMatch {
  readonly basis: FootprintId
  readonly found: MatchMethod
}

/** The form in which an account's product ids are compared: Unicode NFC, trimmed, with their case. */
export const normaliseProductId = (productId: string): string => productId.normalize('NFC').trim()

const MAPPING = 'mapping:'
const TYPE = 'type:'
const EXACT: ReadonlySet<MatchMethod> = new Set(['model_id', 'product_id', 'alias'])

/** True where the order's own words name the model, so that nothing was guessed and nothing mapped. */
export const isExactMatch = (found: MatchMethod): boolean => EXACT.has(found)

const toFound = ({ modelId, deviceType }: Mapping): MatchMethod =>
  `${MAPPING}${modelId === null ? typeFootprintId(deviceType) : modelId}`

/** The mapping by which a product was found; null where it was found otherwise. */
export function mappingOfMethod(found: MatchMethod): Mapping | null {
  if (!found.startsWith(MAPPING)) return null
  const target = found.slice(MAPPING.length)
  return target.startsWith(TYPE)
    ? { modelId: null, deviceType: target.slice(TYPE.length) as DeviceType }
    : { modelId: target, deviceType: null }
}

/** The mappings that held when products were found as is kept of them: given facts when an order is computed again. */
export function mappingsOfMethods(productsOf: () => readonly Product[], found: readonly MatchMethod[]): MappingOf {
  if (!found.some((one) => one.startsWith(MAPPING))) return NO_MAPPINGS
  const known = new Map<string, Mapping>()
  for (const [at, { productId }] of productsOf().entries()) {
    const mapping = mappingOfMethod(found[at] ?? '')
    if (mapping) known.set(normaliseProductId(productId), mapping)
  }
  return (key) => known.get(key)
}

/**
 * The model that the order names; what the account maps its product id to; the one model that bears the product id as
 * id or alias; the model that its words mean for certain; what stands in for one. METHODOLOGY.md#fallbacks
 */
export const matchProduct = (product: Product, book: ReferenceData, mappingOf: MappingOf): ProductMatch =>
  findCertain(product, book, mappingOf) ?? guess(product, book)

/** What `rematchProduct` finds in the place of what cannot have been found. */
const NOTHING_LEADS_TO_IT: MatchMethod = 'nothing that leads to it'

/**
 * What a product was taken for, found once more where ids, aliases and mappings decide it. What was guessed stays as it
 * was kept, if it can have been guessed: a guess is a fact of its day, which a better matcher does not undo.
 */
export function rematchProduct(
  product: Product,
  kept: ProductMatch,
  book: ReferenceData,
  mappingOf: MappingOf,
): ProductMatch {
  const certain = findCertain(product, book, mappingOf)
  if (certain) return certain
  return isConsistentMatch(kept, product, book) ? kept : { ...kept, found: NOTHING_LEADS_TO_IT }
}

/** False for a guess that contradicts what the product itself states, by whatever matcher or ladder it was made. */
export const isConsistentMatch = ({ basis, found }: ProductMatch, product: Product, book: ReferenceData): boolean =>
  book.models.has(basis)
    ? found === 'name' || found === 'variant'
    : found === levelOf(basis) && isConsistentFallback(basis, product, book)

/** False for a stand-in of another type, weight or brand than the product states. */
export function isConsistentFallback(
  basis: FootprintId,
  { deviceType, weightKg, brand }: Product,
  book: ReferenceData,
): boolean {
  if (basis === WEIGHT_FOOTPRINT_ID) return deviceType === null
  const found = fallbackById(basis, book)
  if (!found) return deviceType !== null && basis === typeFootprintId(deviceType)
  const { fallback } = found
  const isOfType = deviceType === null || deviceType === fallback.type
  const isOfWeight = found.weightKg === null || compare(found.weightKg, weightKg) === 0
  return isOfType && isOfWeight && (!fallback.brand || isMadeBy(brand, fallback.brand))
}

function isMadeBy(brand: string | null, other: string): boolean {
  const maker = brandOfField(brand)
  return maker === null || brandKey(maker) === brandKey(other)
}

/** What ids, aliases and the account's own words decide; null where nothing but a guess is left. */
function findCertain(product: Product, book: ReferenceData, mappingOf: MappingOf): ProductMatch | null {
  const { modelId, productId } = product
  const named = modelId === null ? null : modelIdByAlias(modelId, book)
  if (named !== null) return { basis: named, found: 'model_id' }
  const mapping = mappingFor(productId, book, mappingOf)
  if (mapping) return { basis: basisOfMapping(mapping, product, book), found: toFound(mapping) }
  const key = aliasKey(productId)
  const exact = findByKey(key, book)
  return exact === null ? null : { basis: exact, found: key === exact ? 'product_id' : 'alias' }
}

/** A model that a later release no longer has leaves its mapping without effect. */
function mappingFor(productId: string, book: ReferenceData, mappingOf: MappingOf): Mapping | undefined {
  const mapping = mappingOf === NO_MAPPINGS ? undefined : mappingOf(normaliseProductId(productId))
  return mapping && (mapping.modelId === null || book.models.has(mapping.modelId)) ? mapping : undefined
}

/** What of a product tells which model it is. */
export type ProductNames = ProductText & Pick<Product, 'modelId' | 'productId'>

/** True where only the words of a product tell what it is, and `matchProduct` would match them for the first time. */
export const isToBeMatched = (product: ProductNames, book: ReferenceData, mappingOf: MappingOf): boolean =>
  (product.modelId === null || modelIdByAlias(product.modelId, book) === null) &&
  mappingFor(product.productId, book, mappingOf) === undefined &&
  findByKey(aliasKey(product.productId), book) === null &&
  !matcherFor(book).remembers(product)

function guess(product: Product, book: ReferenceData): ProductMatch {
  const { model, isVariant, isAccessory } = matcherFor(book).find(product)
  if (model !== null) return { basis: model, found: isVariant ? 'variant' : 'name' }
  const basis = isAccessory && product.deviceType === null ? WEIGHT_FOOTPRINT_ID : standIn(product, book)
  return { basis, found: levelOf(basis) }
}

const basisOfMapping = ({ modelId, deviceType }: Mapping, product: Product, book: ReferenceData): FootprintId =>
  modelId === null ? standIn({ ...product, deviceType }, book) : book.models.get(modelId)!.id

/** What is charged where no model is known: the best stand-in of the ladder that holds. */
const standIn = (product: Product, book: ReferenceData): FootprintId =>
  selectFallback(productTraits(product), book) ??
  (product.deviceType === null ? WEIGHT_FOOTPRINT_ID : typeFootprintId(product.deviceType))

/** The level of what stands in for a model, as its basis begins. */
const levelOf = (basis: FootprintId): MatchMethod => basis.split(/[:@]/, 1)[0]!

/** The model of this id, or the one model that bears it as an alias; an alias of several models names none. */
export const modelIdByAlias = (text: string, book: ReferenceData): string | null => findByKey(aliasKey(text), book)

function findByKey(key: string, book: ReferenceData): string | null {
  if (book.models.has(key)) return key
  const bearers = book.aliases.get(key)
  return bearers?.length === 1 ? bearers[0]! : null
}
