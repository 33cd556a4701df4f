// Matches a product of an order to a footprint and records how: first by ids and mappings, finally by a guess.
import { matcherFor, type ProductText } from '../matching/matcher.ts'
import {
  aliasKey,
  type DeviceType,
  type FallbackLevel,
  type KnownDevice,
  type ReferenceData,
} from './reference-data.ts'
import { idOfOwnModel, unversionedId } from './own-figures.ts'
import { brandKey } from './product-family.ts'
import { WEIGHT_FOOTPRINT_ID, typeFootprintId, type FootprintId } from './footprint.ts'
import {
  fallbackById,
  innerBasis,
  knownBasis,
  knownOfBasis,
  knownTraits,
  namesKnownDevice,
  productTraits,
  selectFallback,
} from './fallback.ts'
import { brandInText, brandOfField, normalisedWords } from '../matching/brand.ts'
import { isTitleByWeight } from '../matching/console-title.ts'
import type { Product } from '../order.ts'
import { compare, type Rational } from '../numbers/rational.ts'

/** The account's mapping of one of its product ids: to a model, or to a type of device without a model. */
export type Mapping =
  | { readonly modelId: string; readonly deviceType: null }
  | { readonly modelId: null; readonly deviceType: DeviceType }

/** Looks up the account's mapping by a product id in its normalised form. */
export type MappingOf = (key: string) => Mapping | undefined

export const NO_MAPPINGS: MappingOf = () => undefined

/**
 * How a product was found: `model_id`, `mapping:` with the mapping's target, `product_id`, `alias`, `name`, `variant`
 * (by its name, but the catalogue has another variant), or the level of the fallback, such as `type` or `weight`.
 */
export type MatchMethod =
  | 'model_id'
  | 'product_id'
  | 'alias'
  | 'name'
  | 'variant'
  | 'weight'
  | FallbackLevel
  | `mapping:${string}`
  | typeof NOTHING_LEADS_TO_IT

/** Reads a match method as it was stored or printed: this program, or a former version of it, wrote the text. */
export const decodeMatchMethod = (text: string): MatchMethod => text as MatchMethod

export interface ProductMatch {
  readonly footprintId: FootprintId
  readonly matchMethod: MatchMethod
}

/** The form in which product ids of an account are compared: Unicode NFC, trimmed, case-sensitive. */
export const normaliseProductId = (productId: string): string => productId.normalize('NFC').trim()

const MAPPING = 'mapping:'
const TYPE = 'type:'
const EXACT: ReadonlySet<MatchMethod> = new Set(['model_id', 'product_id', 'alias'])

/** True if the order itself names the model, so that it was neither guessed nor mapped. */
export const isExactMatch = (method: MatchMethod): boolean => EXACT.has(method)

/** True if a text, as `aliasKey` returns it, is the id of the model and not one of its aliases. */
export const isIdOf = (key: string, footprintId: FootprintId): boolean => unversionedId(footprintId) === key

/** How a product was found that names its model: by which id, which follows from the product. */
export const exactMethodOf = (
  { modelId, productId }: Pick<Product, 'modelId' | 'productId'>,
  footprintId: FootprintId,
): MatchMethod => (modelId !== null ? 'model_id' : isIdOf(aliasKey(productId), footprintId) ? 'product_id' : 'alias')

const methodOfMapping = ({ modelId, deviceType }: Mapping): MatchMethod =>
  `${MAPPING}${modelId === null ? typeFootprintId(deviceType) : modelId}`

/** The mapping by which a product was found; null if it was found in another way. */
export function mappingOfMethod(method: MatchMethod): Mapping | null {
  if (!method.startsWith(MAPPING)) return null
  const target = method.slice(MAPPING.length)
  return target.startsWith(TYPE)
    ? { modelId: null, deviceType: target.slice(TYPE.length) as DeviceType }
    : { modelId: target, deviceType: null }
}

/** The mappings that applied when the products were matched, from the stored methods; inputs of a recalculation. */
export function mappingsOfMethods(productsOf: () => readonly Product[], methods: readonly MatchMethod[]): MappingOf {
  if (!methods.some((one) => one.startsWith(MAPPING))) return NO_MAPPINGS
  const known = new Map<string, Mapping>()
  for (const [at, { productId }] of productsOf().entries()) {
    const method = methods[at]
    const mapping = method === undefined ? null : mappingOfMethod(method)
    if (mapping) known.set(normaliseProductId(productId), mapping)
  }
  return (key) => known.get(key)
}

/**
 * Matches a product to the model that the order names; else to the account's mapping of its product id; else to the
 * only model with the product id as id or alias; else to the model that its text certainly means; else to a fallback.
 * METHODOLOGY.md#fallbacks
 */
export const matchProduct = (product: Product, referenceData: ReferenceData, mappingOf: MappingOf): ProductMatch =>
  findCertain(product, referenceData, mappingOf) ?? guess(product, referenceData)

/** The method that `rematchProduct` returns for a stored match that is not possible. */
const NOTHING_LEADS_TO_IT = 'nothing that leads to it'

/**
 * Matches a stored product again if ids, aliases or mappings decide it. A stored guess is retained if it is possible:
 * it is a fact of its day, which an improved matcher does not change.
 */
export function rematchProduct(
  product: Product,
  stored: ProductMatch,
  referenceData: ReferenceData,
  mappingOf: MappingOf,
): ProductMatch {
  const certain = findCertain(product, referenceData, mappingOf) ?? byAliasAlone(product, stored, referenceData)
  if (certain) return certain
  return isConsistentMatch(stored, product, referenceData) ? stored : { ...stored, matchMethod: NOTHING_LEADS_TO_IT }
}

/** False if a guess contradicts what the product itself states, whichever matcher or fallbacks produced it. */
export const isConsistentMatch = (
  { footprintId, matchMethod }: ProductMatch,
  product: Product,
  referenceData: ReferenceData,
): boolean =>
  referenceData.models.has(footprintId)
    ? matchMethod === 'name' || matchMethod === 'variant'
    : matchMethod === levelOf(footprintId) && isConsistentFallback(footprintId, product, referenceData)

/** False for a fallback of another type, weight or brand than the product states. */
export function isConsistentFallback(basis: FootprintId, product: Product, referenceData: ReferenceData): boolean {
  const { deviceType, weightKg, brand } = product
  if (basis === WEIGHT_FOOTPRINT_ID) return deviceType === null
  if (namesKnownDevice(basis)) return isConsistentKnown(basis, product, referenceData)
  const found = fallbackById(basis, referenceData)
  if (!found)
    return deviceType !== null ? basis === typeFootprintId(deviceType) : isTypeWithoutLevel(basis, referenceData)
  const { fallback } = found
  const isOfType = deviceType === null || deviceType === fallback.type
  const isOfWeight = found.weightKg === null || compare(found.weightKg, weightKg) === 0
  return isOfType && isOfWeight && (!fallback.brand || isMadeBy(brand, fallback.brand, referenceData))
}

/** A type of which no level was fitted, such as `type:headphone`; the text told it. */
const isTypeWithoutLevel = (basis: FootprintId, { typeDefaults }: ReferenceData): boolean =>
  [...typeDefaults.values()].some(({ type, embodied }) => type !== 'any' && basis === typeFootprintId(type) && embodied)

/** The fallback of a known device is of its type; the order states no other type and no other maker. */
function isConsistentKnown(basis: FootprintId, product: Product, referenceData: ReferenceData): boolean {
  const known = knownOfBasis(basis, referenceData)
  if (!known || (product.deviceType !== null && product.deviceType !== known.type)) return false
  const inner = { ...product, deviceType: known.type, brand: known.brand }
  return (
    isMadeBy(product.brand, known.brand, referenceData) && isConsistentFallback(innerBasis(basis), inner, referenceData)
  )
}

function isMadeBy(brand: string | null, other: string, { matching }: ReferenceData): boolean {
  const maker = brandOfField(brand, matching)
  return maker === null || brandKey(maker) === brandKey(other)
}

/** A match by ids, aliases and mappings; null if only a guess is possible. */
function findCertain(product: Product, referenceData: ReferenceData, mappingOf: MappingOf): ProductMatch | null {
  const { modelId, productId } = product
  const named = modelId === null ? null : modelIdByAlias(modelId, referenceData)
  if (named !== null) return { footprintId: named, matchMethod: 'model_id' }
  const mapping = mappingFor(productId, referenceData, mappingOf)
  if (mapping)
    return { footprintId: basisOfMapping(mapping, product, referenceData), matchMethod: methodOfMapping(mapping) }
  const exact = modelOfProductId(product, referenceData)
  const method = () => (isIdOf(aliasKey(productId), exact!) ? 'product_id' : 'alias')
  return exact === null ? null : { footprintId: exact, matchMethod: method() }
}

/** Apple's model numbers, such as A1589, have five; account numbers and other makers' models have the same form. */
const SHORT_ALIAS_MAX = 6

/**
 * The model with the product id as its id or alias. A short alias of the catalogue does not count if the product states
 * another maker, because the number may then mean something else.
 */
function modelOfProductId(product: ProductNames, referenceData: ReferenceData): FootprintId | null {
  const key = aliasKey(product.productId)
  const found = findByKey(key, referenceData)
  if (found === null || isIdOf(key, found) || key.length > SHORT_ALIAS_MAX || idOfOwnModel(found) !== null) return found
  const { brand } = referenceData.models.get(found)!
  const maker = brandOfField(product.brand, referenceData.matching) ?? makerInName(product.productName, referenceData)
  return maker === null || brandKey(maker) === brandKey(brand) ? found : null
}

const makerInName = (name: string | null, { matching }: ReferenceData): string | null =>
  brandInText(normalisedWords(name ?? ''), matching)

/** A match by a short alias that was stored when another maker did not matter stays: it is a fact of its day. */
function byAliasAlone(
  { modelId, productId }: Product,
  stored: ProductMatch,
  referenceData: ReferenceData,
): ProductMatch | null {
  const isThat = findByKey(aliasKey(productId), referenceData) === stored.footprintId
  return modelId === null && stored.matchMethod === 'alias' && isThat ? stored : null
}

/** A mapping has no effect if its model is missing from a later release. */
function mappingFor(productId: string, referenceData: ReferenceData, mappingOf: MappingOf): Mapping | undefined {
  const mapping = mappingOf === NO_MAPPINGS ? undefined : mappingOf(normaliseProductId(productId))
  return mapping && (mapping.modelId === null || modelById(mapping.modelId, referenceData) !== null)
    ? mapping
    : undefined
}

/** The model to which an account mapped a product id: its own one of that id, else the catalogue's. */
export function modelById(id: string, referenceData: ReferenceData): FootprintId | null {
  return ownModelByKey(aliasKey(id), referenceData) ?? (referenceData.models.has(id) ? id : null)
}

/** The data of a product that can identify its model. */
export type ProductNames = ProductText & Pick<Product, 'modelId' | 'productId'>

/** True if only its text can identify the product and `matchProduct` has not matched that text before. */
export const isToBeMatched = (product: ProductNames, referenceData: ReferenceData, mappingOf: MappingOf): boolean =>
  (product.modelId === null || modelIdByAlias(product.modelId, referenceData) === null) &&
  mappingFor(product.productId, referenceData, mappingOf) === undefined &&
  modelOfProductId(product, referenceData) === null &&
  !matcherFor(referenceData).remembers(product)

function guess(product: Product, referenceData: ReferenceData): ProductMatch {
  const text = product.productName ?? product.productId
  if (product.deviceType === null && isTitleByWeight(text, product.weightKg, referenceData.matching))
    return { footprintId: WEIGHT_FOOTPRINT_ID, matchMethod: levelOf(WEIGHT_FOOTPRINT_ID) }
  const { model, isVariant, isAccessory, known } = matcherFor(referenceData).find(product)
  if (model !== null) return { footprintId: model, matchMethod: isVariant ? 'variant' : 'name' }
  // An accessory is none of the types; one that the order states always counts.
  const basis =
    known !== null
      ? standInOfKnown(referenceData.knownDevices.get(known)!, product, referenceData)
      : isAccessory && product.deviceType === null
        ? WEIGHT_FOOTPRINT_ID
        : standIn(product, referenceData)
  return { footprintId: basis, matchMethod: levelOf(basis) }
}

const standInOfKnown = (known: KnownDevice, product: Product, referenceData: ReferenceData): FootprintId =>
  knownBasis(
    known,
    selectFallback(knownTraits(known, product, referenceData.matching), referenceData) ?? typeFootprintId(known.type),
  )

const basisOfMapping = (
  { modelId, deviceType }: Mapping,
  product: Product,
  referenceData: ReferenceData,
): FootprintId =>
  modelId === null ? standIn({ ...product, deviceType }, referenceData) : modelById(modelId, referenceData)!

/** The basis used if no model is known: the best applicable fallback. */
function standIn(product: Product, referenceData: ReferenceData): FootprintId {
  const traits = productTraits(product, referenceData.matching)
  if (traits.isNoDevice) return WEIGHT_FOOTPRINT_ID
  const basis = selectFallback(traits, referenceData)
  return basis ?? (traits.deviceType === null ? WEIGHT_FOOTPRINT_ID : typeFootprintId(traits.deviceType))
}

/** The fallback of a device of which only its type and weight are known. */
export const fallbackOfType = (deviceType: DeviceType, weightKg: Rational, referenceData: ReferenceData): FootprintId =>
  standIn({ ...UNKNOWN_PRODUCT, deviceType, weightKg }, referenceData)

const UNKNOWN_PRODUCT: Omit<Product, 'weightKg'> = {
  type: 'product',
  productId: '',
  serialNumber: '',
  tenureMonths: 0,
  deviceType: null,
  modelId: null,
  productName: null,
  brand: null,
  country: null,
}

/** The level of a fallback, from the beginning of its basis. */
const levelOf = (basis: FootprintId): MatchMethod => decodeMatchMethod(innerBasis(basis).split(/[:@]/, 1)[0]!)

/** The model with this id, or the only model with this alias; an alias of several models identifies none. */
export const modelIdByAlias = (text: string, referenceData: ReferenceData): string | null =>
  findByKey(aliasKey(text), referenceData)

function findByKey(key: string, referenceData: ReferenceData): string | null {
  const bearers = referenceData.aliases.get(key)
  const named = bearers?.length === 1 ? bearers[0]! : null
  // An own model may have the id of one of the catalogue, and takes its place.
  if (named !== null && idOfOwnModel(named) !== null) return named
  return referenceData.models.has(key) ? key : named
}

/** The account's own model of this id or alias; null if there is none. */
function ownModelByKey(key: string, referenceData: ReferenceData): FootprintId | null {
  const found = findByKey(key, referenceData)
  return found !== null && idOfOwnModel(found) !== null ? found : null
}
