// The matcher of a factor book, made once for each book, with the answers to texts that come again and again.
import type { FactorBook } from '../figures/factor-book.ts'
import { createMatcher, type Match, type Matcher, type ProductText } from './match.ts'

/** What words mean, without the candidates. */
type Meaning = Omit<Match, 'candidates'>

export interface BookMatcher extends Matcher {
  /** The model that a product's words mean, without the candidates. */
  readonly find: (product: ProductText) => Meaning
}

/** A rental company names few products, and each of them often. */
const REMEMBERED_MAX = 20_000

const matchers = new WeakMap<FactorBook, BookMatcher>()

/** Making a matcher takes 0.1 to 0.2 s: the service asks for its own book's before it serves. */
export function matcherOf(book: FactorBook): BookMatcher {
  const known = matchers.get(book)
  if (known) return known
  const matcher = remembering(createMatcher(book))
  matchers.set(book, matcher)
  return matcher
}

function remembering(matcher: Matcher): BookMatcher {
  const found = new Map<string, Meaning>()
  const find = (product: ProductText) => {
    const { productName, brand, deviceType, productId } = product
    // A text of its own: one that is only joined holds on to the file that its parts were cut out of.
    const key = JSON.stringify([productName, brand, deviceType, productId])
    const known = found.get(key)
    if (known) return known
    const { model, isVariant, isAccessory } = matcher.match(product)
    const meaning = { model, isVariant, isAccessory }
    if (found.size >= REMEMBERED_MAX) found.clear()
    found.set(key, meaning)
    return meaning
  }
  return { ...matcher, find }
}
