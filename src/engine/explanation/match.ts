// Notes on product matching: the model and how it was found, or the fallback that is used instead.
import { aliasKey, type DeviceType, type ReferenceData } from '../reference/reference-data.ts'
import { isExactMatch, mappingOfMethod } from '../reference/product-match.ts'
import type { Footprint } from '../reference/footprint.ts'
import type { ResolvedProduct } from '../resolve-order.ts'

/** States what the product was matched to and by which data, so that no match is silent. */
export function matchNotes(item: ResolvedProduct, referenceData: ReferenceData): readonly string[] {
  const { product, ownFootprintId, footprintId, footprint, matchMethod } = item
  if (ownFootprintId !== footprintId) return []
  const mapping = mappingOfMethod(matchMethod)
  if (mapping)
    return [`The account maps "${product.productId}" to ${mapping.modelId ?? nameOfType(mapping.deviceType)}.`]
  if (footprint.level === 'model') return [isExactMatch(matchMethod) ? exactNote(item) : guessNote(item)]
  return [`No model was found: ${whyNone(item, referenceData)}; ${STAND_INS[footprint.level](footprintId)} stands in.`]
}

const nameOfType = (type: DeviceType): string => `the type ${type.replace('_', ' ')}, without a model`

function exactNote({ product, footprintId, matchMethod }: ResolvedProduct): string {
  const [member, text] =
    matchMethod === 'model_id'
      ? (['model_id', product.modelId ?? ''] as const)
      : (['product_id', product.productId] as const)
  const alias = aliasKey(text) === footprintId ? '' : `, its alias "${text}"`
  return `The model ${footprintId} was found by ${member}${alias}.`
}

function guessNote({ product, footprintId, matchMethod }: ResolvedProduct): string {
  const texts = [product.productName, product.productId].filter((text) => text !== null)
  const words = `The words ${texts.map((text) => `"${text}"`).join(' and ')} were taken for the model ${footprintId}`
  return matchMethod === 'variant'
    ? `${words}, the nearest variant that is published: they name another one, or leave open which.`
    : `${words}.`
}

function whyNone({ product }: ResolvedProduct, referenceData: ReferenceData): string {
  const bearers = referenceData.aliases.get(aliasKey(product.productId)) ?? []
  if (bearers.length < 2) return `no model bears "${product.productId}", and its words fit none for certain`
  const named = bearers.slice(0, CANDIDATES_NAMED_MAX).join(', ') + (bearers.length > CANDIDATES_NAMED_MAX ? ', …' : '')
  return `"${product.productId}" fits ${bearers.length} models (${named})`
}

/** Description of a fallback, by its level. */
const STAND_INS: Readonly<Record<Exclude<Footprint['level'], 'model'>, (basis: string) => string>> = {
  family: (basis) => `the mean of its ${basis.replace(':', ' ')}`,
  'brand-fit': () => 'what devices of its brand and type, its weight and screen emit',
  brand: () => 'the mean of its brand and type',
  'type-fit': () => 'what devices of its type, weight and screen emit',
  type: () => 'the mean of its type',
  'weight-fit': () => 'what devices of its weight emit',
  weight: () => 'its weight',
}

const CANDIDATES_NAMED_MAX = 5
