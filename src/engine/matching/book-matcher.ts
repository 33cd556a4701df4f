// The matcher of a factor book, made once for each book, with the answers to texts that come again and again.
import type { ReferenceData } from '../figures/factor-book.ts'
import { createMatcher, type Match, type Matcher, type ProductText } from './match.ts'

/** What words mean, without the candidates. */
export type Meaning = Omit<Match, 'candidates'>

export interface ReleaseMatcher extends Matcher {
  /** The model that a product's words mean, without the candidates. */
  readonly find: (product: ProductText) => Meaning
  /** Whether `find` has the answer already; what was asked for since, or found, stays for 10,000 others. */
  readonly remembers: (product: ProductText) => boolean
  /** Has `find` answer with a meaning that the matcher of another process found by the same book. */
  readonly learn: (product: ProductText, meaning: Meaning) => void
}

/** A rental company names few products, and each of them often. */
const REMEMBERED_MAX = 20_000

const matchers = new WeakMap<ReferenceData, ReleaseMatcher>()

/** Making a matcher takes 0.1 to 0.2 s: the service asks for its own book's before it serves. */
export function matcherFor(book: ReferenceData): ReleaseMatcher {
  const known = matchers.get(book)
  if (known) return known
  const matcher = remembering(createMatcher(book))
  matchers.set(book, matcher)
  return matcher
}

/** What was found lately, and what was found before that: when there is half of the most lately, it takes its place. */
function remembering(matcher: Matcher): ReleaseMatcher {
  let lately = new Map<string, Meaning>()
  let before = new Map<string, Meaning>()
  const remember = (key: string, meaning: Meaning): Meaning => {
    if (lately.size >= REMEMBERED_MAX / 2) [lately, before] = [new Map<string, Meaning>(), lately]
    lately.set(key, meaning)
    return meaning
  }
  const recall = (key: string): Meaning | undefined => {
    const known = lately.get(key)
    if (known) return known
    const earlier = before.get(key)
    return earlier && remember(key, earlier)
  }
  const find = (product: ProductText) => {
    const key = keyOf(product)
    const known = recall(key)
    if (known) return known
    const { model, isVariant, isAccessory } = matcher.match(product)
    return remember(key, { model, isVariant, isAccessory })
  }
  return {
    ...matcher,
    find,
    remembers: (product) => recall(keyOf(product)) !== undefined,
    learn: (product, meaning) => void remember(keyOf(product), meaning),
  }
}

/** A text of its own: one that is only joined holds on to the file that its parts were cut out of. */
const keyOf = ({ productName, brand, deviceType, productId }: ProductText): string =>
  JSON.stringify([productName, brand, deviceType, productId])
