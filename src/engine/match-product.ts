// A product's words matched to a model: one matcher for each factor book, or what a receipt says they were matched to.
import type { FactorBook, NameMatch, ProductText } from './factor-book.ts'
import { createMatcher, type Matcher } from './match.ts'

const NO_MATCH: NameMatch = { model: null, isVariant: false, candidates: [] }
const matchers = new WeakMap<FactorBook, Matcher>()

/** The book's matcher, built when it is first asked for. */
export function matcherOf(book: FactorBook): Matcher {
  const known = matchers.get(book)
  if (known) return known
  const matcher = createMatcher(book)
  matchers.set(book, matcher)
  return matcher
}

/** What a product's words are matched to. METHODOLOGY.md#fallbacks */
export function matchOf(text: ProductText, book: FactorBook): NameMatch {
  if (book.nameMatches) return book.nameMatches.get(textKey(text)) ?? NO_MATCH
  const { productName, brand, deviceType, productId } = text
  return matcherOf(book).match({ productName, brand, deviceType, productId })
}

/** The same for the same words. */
export const textKey = ({ productName, brand, deviceType, productId }: ProductText): string =>
  JSON.stringify([productName, brand, deviceType, productId])
