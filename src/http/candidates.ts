// Candidates: the models that a product's words may mean, each with a score and the reasons for it.
import Type from 'typebox'
import { matcherOf } from '../engine/book-matcher.ts'
import { aliasKey, type FactorBook } from '../engine/factor-book.ts'
import { brandedName } from '../engine/footprint.ts'
import type { Candidate, ProductText } from '../engine/match.ts'
import type { Ratio } from '../engine/ratio.ts'
import { component } from './component.ts'

export const MatchCandidate = component(
  'MatchCandidate',
  Type.Object(
    {
      model_id: Type.String({ description: 'Device model identifier.', examples: ['apple-macbook-air-13-m3-256gb'] }),
      name: Type.String({ description: 'Brand and name of the model.' }),
      score: Type.Number({ description: 'How much of text and name agrees, 0 to 1.', minimum: 0, maximum: 1 }),
      reasons: Type.Array(Type.String(), { description: 'What fits, what is left open, what contradicts.' }),
    },
    { description: 'A model that the words may mean.' },
  ),
)

/** A score is a number of the matcher's, or that of a receipt as it is printed. */
export interface PrintedCandidate {
  readonly model_id: string
  readonly name: string
  readonly score: number | Ratio
  readonly reasons: readonly string[]
}

/** An alias that several models bear is as good for each of them. */
const ALIAS_SCORE = 0.5

/** Best first: those of the matcher; where it has none, the models that share the product id as an alias. */
export function candidatesFor(product: ProductText, book: FactorBook): readonly PrintedCandidate[] {
  const { candidates } = matcherOf(book).match(product)
  if (candidates.length > 0) return candidates.map((candidate) => printCandidate(candidate, book))
  const bearers = book.aliases.get(aliasKey(product.productId ?? '')) ?? []
  const reasons = [`bears "${product.productId}" as an alias, as ${bearers.length - 1} others do`]
  return bearers.map((id) => printCandidate({ id, score: ALIAS_SCORE, reasons }, book))
}

export const printCandidate = ({ id, score, reasons }: Candidate, book: FactorBook): PrintedCandidate => ({
  model_id: id,
  name: brandedName(book.models.get(id)!),
  score,
  reasons,
})
