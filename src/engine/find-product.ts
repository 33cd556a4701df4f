// What a product of an order is taken for, and how that was found: first by what is certain, last by a guess.
import { matcherOf } from './matching/book-matcher.ts'
import { aliasKey, type DeviceType, type FactorBook } from './figures/factor-book.ts'
import { brandKey } from './figures/family.ts'
import { WEIGHT_BASIS, typeBasis, type Basis } from './figures/footprint.ts'
import { bestFallback, findFallback } from './figures/ladder.ts'
import { makerOf } from './matching/maker.ts'
import type { ProductText } from './matching/match.ts'
import type { Product } from './order.ts'
import { compare } from './numbers/ratio.ts'
import { traitsOf } from './traits.ts'

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
export type Found = string

export interface Finding {
  readonly basis: Basis
  readonly found: Found
}

/** The form in which an account's product ids are compared: Unicode NFC, trimmed, with their case. */
export const productKey = (productId: string): string => productId.normalize('NFC').trim()

const MAPPING = 'mapping:'
const TYPE = 'type:'
const EXACT: ReadonlySet<Found> = new Set(['model_id', 'product_id', 'alias'])

/** True where the order's own words name the model, so that nothing was guessed and nothing mapped. */
export const isExact = (found: Found): boolean => EXACT.has(found)

const toFound = ({ modelId, deviceType }: Mapping): Found =>
  `${MAPPING}${modelId === null ? typeBasis(deviceType) : modelId}`

/** The mapping by which a product was found; null where it was found otherwise. */
export function mappingIn(found: Found): Mapping | null {
  if (!found.startsWith(MAPPING)) return null
  const target = found.slice(MAPPING.length)
  return target.startsWith(TYPE)
    ? { modelId: null, deviceType: target.slice(TYPE.length) as DeviceType }
    : { modelId: target, deviceType: null }
}

/** The mappings that held when products were found as is kept of them: given facts when an order is computed again. */
export function mappingsIn(productsOf: () => readonly Product[], found: readonly Found[]): MappingOf {
  if (!found.some((one) => one.startsWith(MAPPING))) return NO_MAPPINGS
  const known = new Map<string, Mapping>()
  for (const [at, { productId }] of productsOf().entries()) {
    const mapping = mappingIn(found[at] ?? '')
    if (mapping) known.set(productKey(productId), mapping)
  }
  return (key) => known.get(key)
}

/**
 * The model that the order names; what the account maps its product id to; the one model that bears the product id as
 * id or alias; the model that its words mean for certain; what stands in for one. METHODOLOGY.md#fallbacks
 */
export const findProduct = (product: Product, book: FactorBook, mappingOf: MappingOf): Finding =>
  findCertain(product, book, mappingOf) ?? guess(product, book)

/** What `findAgain` finds in the place of what cannot have been found. */
const NOTHING_LEADS_TO_IT: Found = 'nothing that leads to it'

/**
 * What a product was taken for, found once more where ids, aliases and mappings decide it. What was guessed stays as it
 * was kept, if it can have been guessed: a guess is a fact of its day, which a better matcher does not undo.
 */
export function findAgain(product: Product, kept: Finding, book: FactorBook, mappingOf: MappingOf): Finding {
  const certain = findCertain(product, book, mappingOf)
  if (certain) return certain
  return isPossibleGuess(kept, product, book) ? kept : { ...kept, found: NOTHING_LEADS_TO_IT }
}

/** False for a guess that contradicts what the product itself states, by whatever matcher or ladder it was made. */
export const isPossibleGuess = ({ basis, found }: Finding, product: Product, book: FactorBook): boolean =>
  book.models.has(basis)
    ? found === 'name' || found === 'variant'
    : found === levelOf(basis) && isPossibleStandIn(basis, product, book)

/** False for a stand-in of another type, weight or brand than the product states. */
export function isPossibleStandIn(basis: Basis, { deviceType, weightKg, brand }: Product, book: FactorBook): boolean {
  if (basis === WEIGHT_BASIS) return deviceType === null
  const found = findFallback(basis, book)
  if (!found) return deviceType !== null && basis === typeBasis(deviceType)
  const { fallback } = found
  const isOfType = deviceType === null || deviceType === fallback.type
  const isOfWeight = found.weightKg === null || compare(found.weightKg, weightKg) === 0
  return isOfType && isOfWeight && (!fallback.brand || isMadeBy(brand, fallback.brand))
}

function isMadeBy(brand: string | null, other: string): boolean {
  const maker = makerOf(brand)
  return maker === null || brandKey(maker) === brandKey(other)
}

/** What ids, aliases and the account's own words decide; null where nothing but a guess is left. */
function findCertain(product: Product, book: FactorBook, mappingOf: MappingOf): Finding | null {
  const { modelId, productId } = product
  const named = modelId === null ? null : findModelId(modelId, book)
  if (named !== null) return { basis: named, found: 'model_id' }
  const mapping = mappingFor(productId, book, mappingOf)
  if (mapping) return { basis: basisOfMapping(mapping, product, book), found: toFound(mapping) }
  const key = aliasKey(productId)
  const exact = findByKey(key, book)
  return exact === null ? null : { basis: exact, found: key === exact ? 'product_id' : 'alias' }
}

/** A model that a later release no longer has leaves its mapping without effect. */
function mappingFor(productId: string, book: FactorBook, mappingOf: MappingOf): Mapping | undefined {
  const mapping = mappingOf === NO_MAPPINGS ? undefined : mappingOf(productKey(productId))
  return mapping && (mapping.modelId === null || book.models.has(mapping.modelId)) ? mapping : undefined
}

/** What of a product tells which model it is. */
export type ProductNames = ProductText & Pick<Product, 'modelId' | 'productId'>

/** True where only the words of a product tell what it is, and `findProduct` would match them for the first time. */
export const isToBeMatched = (product: ProductNames, book: FactorBook, mappingOf: MappingOf): boolean =>
  (product.modelId === null || findModelId(product.modelId, book) === null) &&
  mappingFor(product.productId, book, mappingOf) === undefined &&
  findByKey(aliasKey(product.productId), book) === null &&
  !matcherOf(book).remembers(product)

function guess(product: Product, book: FactorBook): Finding {
  const { model, isVariant, isAccessory } = matcherOf(book).find(product)
  if (model !== null) return { basis: model, found: isVariant ? 'variant' : 'name' }
  const basis = isAccessory && product.deviceType === null ? WEIGHT_BASIS : standIn(product, book)
  return { basis, found: levelOf(basis) }
}

const basisOfMapping = ({ modelId, deviceType }: Mapping, product: Product, book: FactorBook): Basis =>
  modelId === null ? standIn({ ...product, deviceType }, book) : book.models.get(modelId)!.id

/** What is charged where no model is known: the best stand-in of the ladder that holds. */
const standIn = (product: Product, book: FactorBook): Basis =>
  bestFallback(traitsOf(product), book) ?? (product.deviceType === null ? WEIGHT_BASIS : typeBasis(product.deviceType))

/** The level of what stands in for a model, as its basis begins. */
const levelOf = (basis: Basis): Found => basis.split(/[:@]/, 1)[0]!

/** The model of this id, or the one model that bears it as an alias; an alias of several models names none. */
export const findModelId = (text: string, book: FactorBook): string | null => findByKey(aliasKey(text), book)

function findByKey(key: string, book: FactorBook): string | null {
  if (book.models.has(key)) return key
  const bearers = book.aliases.get(key)
  return bearers?.length === 1 ? bearers[0]! : null
}
