// Notes on product matching: the model and how it was found, or the fallback that is used instead.
import type { Message } from '../message.ts'
import { nameOfType } from '../reference/messages.ts'
import { aliasKey, type ReferenceData } from '../reference/reference-data.ts'
import { isExactMatch, mappingOfMethod, type Mapping } from '../reference/product-match.ts'
import { innerBasis } from '../reference/fallback.ts'
import { modelDisplayName, type Footprint } from '../reference/footprint.ts'
import type { Product } from '../order.ts'
import type { ResolvedProduct } from '../resolve-order.ts'
import { MATCH_NOTE_MESSAGES as NOTES } from './messages.ts'

/** States what the product was matched to and by which data, so that no match is silent. */
export function matchNotes(item: ResolvedProduct, referenceData: ReferenceData): readonly Message[] {
  const { product, ownFootprintId, footprintId, footprint, matchMethod } = item
  if (ownFootprintId !== footprintId) return []
  const mapping = mappingOfMethod(matchMethod)
  if (mapping) return [mappingNote(product.productId, mapping)]
  if (footprint.level === 'model') return [isExactMatch(matchMethod) ? exactNote(item) : guessNote(item)]
  const basis =
    footprint.level === 'family'
      ? NOTES.basis_family({ family: innerBasis(footprintId).replace('family:', '') })
      : BASES[footprint.level]()
  return [NOTES.note_no_model({ reason: whyNone(item, referenceData), basis })]
}

const mappingNote = (productId: string, { modelId, deviceType }: Mapping): Message =>
  modelId === null
    ? NOTES.note_mapped_to_type({ product_id: productId, type: nameOfType(deviceType) })
    : NOTES.note_mapped_to_model({ product_id: productId, model: modelId })

function exactNote({ product, footprintId, matchMethod }: ResolvedProduct): Message {
  const [member, text] =
    matchMethod === 'model_id'
      ? (['model_id', product.modelId ?? ''] as const)
      : (['product_id', product.productId] as const)
  return aliasKey(text) === footprintId
    ? NOTES.note_model_found({ model: footprintId, member })
    : NOTES.note_model_found_by_alias({ model: footprintId, member, alias: text })
}

/** Only the product of a swap can be without a product id. */
const firstWordsOf = ({ productId, productName, brand, deviceType }: Product): string =>
  productId || (productName ?? brand ?? deviceType ?? '')

function guessNote({ product, footprintId: model, matchMethod }: ResolvedProduct): Message {
  const { productName, productId } = product
  const words =
    productName === null || productId === ''
      ? NOTES.words_one({ words: firstWordsOf(product) })
      : NOTES.words_two({ product_name: productName, product_id: productId })
  return matchMethod === 'variant'
    ? NOTES.note_model_by_variant({ words, model })
    : NOTES.note_model_by_words({ words, model })
}

function whyNone({ product, footprint }: ResolvedProduct, referenceData: ReferenceData): Message {
  if (footprint.known) return NOTES.no_footprint_of_known({ device: modelDisplayName(footprint.known) })
  const { productId } = product
  const bearers = referenceData.aliases.get(aliasKey(productId)) ?? []
  if (bearers.length < 2) return NOTES.no_model_by_words({ product_id: firstWordsOf(product) })
  const models = bearers.slice(0, CANDIDATES_NAMED_MAX)
  const isCut = bearers.length > CANDIDATES_NAMED_MAX
  return NOTES.no_model_by_alias({
    product_id: productId,
    count: bearers.length,
    models: isCut ? [...models, '…'] : models,
  })
}

/** What a fallback's figure is, by its level. */
const BASES: Readonly<Record<Exclude<Footprint['level'], 'model' | 'family'>, () => Message>> = {
  'brand-fit': NOTES.basis_brand_fit,
  brand: NOTES.basis_brand,
  'type-fit': NOTES.basis_type_fit,
  type: NOTES.basis_type,
  'weight-fit': NOTES.basis_weight_fit,
  weight: NOTES.basis_weight,
}

const CANDIDATES_NAMED_MAX = 5
