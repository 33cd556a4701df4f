// What a product was taken for, in words: the model, by what it was found, or what stands in for it.
import { aliasKey, type FactorBook, type NameMatch } from './factor-book.ts'
import type { Footprint } from './footprint.ts'
import { matchOf } from './match-product.ts'
import type { Product } from './order.ts'
import { findModelId, type ResolvedProduct } from './resolve.ts'

/** Nothing is matched silently: what the product was taken for, and by what. */
export function matchNotes(
  { product, ownBasis, basis, footprint }: ResolvedProduct,
  book: FactorBook,
): readonly string[] {
  if (ownBasis !== basis) return []
  if (footprint.level === 'model') {
    const [member, text] = product.modelId === null ? ['product_id', product.productId] : ['model_id', product.modelId]
    if (findModelId(text, book) === null) return nameNotes(product, basis, book)
    return [`The model ${basis} was found by ${member}${aliasKey(text) === basis ? '' : `, its alias "${text}"`}.`]
  }
  const bearers = book.aliases.get(aliasKey(product.productId)) ?? []
  const named = bearers.slice(0, CANDIDATES_NAMED_MAX).join(', ') + (bearers.length > CANDIDATES_NAMED_MAX ? ', …' : '')
  const why =
    bearers.length > 1
      ? `"${product.productId}" fits ${bearers.length} models (${named})`
      : `no model bears "${product.productId}"`
  return [
    `No model was found: ${why}; ${STAND_INS[footprint.level](basis)} stands in.`,
    ...candidateNotes(matchOf(product, book).candidates),
  ]
}

/** A model that was found by words: which of them, whether it is one variant of several, and what else came close. */
function nameNotes(product: Product, basis: string, book: FactorBook): readonly string[] {
  const { model, isVariant, candidates } = matchOf(product, book)
  if (model !== basis) return [`The model ${basis} is what the order's words were taken for when it was accepted.`]
  const { productName, productId } = product
  const words =
    productName === null
      ? `the words of its product_id, "${productId}"`
      : `the words of its name, "${productName}", beside its product_id`
  const variant = isVariant ? ', variant taken: the words do not say which, or name one without a sheet' : ''
  return [`The model ${basis} was found by ${words}${variant}.`, ...candidateNotes(candidates)]
}

function candidateNotes(candidates: NameMatch['candidates']): readonly string[] {
  if (candidates.length === 0) return []
  const named = candidates.slice(0, CANDIDATES_NAMED_MAX).map(({ id, score }) => `${id} (${score})`)
  return [`Candidates by its words, with the share of them that agrees: ${named.join(', ')}.`]
}

/** What stands in, by its level. */
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
