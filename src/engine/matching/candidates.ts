// Candidates: the models that a product's words may mean, each with a score and the reasons for it.
import { matcherFor } from './book-matcher.ts'
import { aliasKey, type ReferenceData } from '../figures/factor-book.ts'
import { modelDisplayName } from '../figures/footprint.ts'
import type { Candidate, ProductText } from './match.ts'
import type { Rational } from '../numbers/ratio.ts'

/** A score is a number of the matcher's, or that of a receipt as it is printed. */
export interface PrintedCandidate {
  readonly model_id: string
  readonly name: string
  readonly score: number | Rational
  readonly reasons: readonly string[]
}

/** An alias that several models bear is as good for each of them. */
const ALIAS_SCORE = 0.5

/** Best first: those of the matcher; where it has none, the models that share the product id as an alias. */
export function rankCandidates(product: ProductText, book: ReferenceData): readonly PrintedCandidate[] {
  const { candidates } = matcherFor(book).match(product)
  if (candidates.length > 0) return candidates.map((candidate) => printCandidate(candidate, book))
  const bearers = book.aliases.get(aliasKey(product.productId ?? '')) ?? []
  const reasons = [`bears "${product.productId}" as an alias, as ${bearers.length - 1} others do`]
  return bearers.map((id) => printCandidate({ id, score: ALIAS_SCORE, reasons }, book))
}

export const printCandidate = ({ id, score, reasons }: Candidate, book: ReferenceData): PrintedCandidate => ({
  model_id: id,
  name: modelDisplayName(book.models.get(id)!),
  score,
  reasons,
})
