// The matcher: which model of the catalogue a product text means, and when it means none for certain.
import type { DeviceType, ReferenceData } from '../figures/factor-book.ts'
import { selectMatch, type MatchResult } from './match-decide.ts'
import { bestComparison, similarity, compareRank, explainComparison } from './match-fit.ts'
import type { MatchContext } from './match-identity.ts'
import { brandOfField } from './maker.ts'
import { nameKey } from './match-names.ts'
import { comparePair } from './match-pair.ts'
import { buildCatalogueIndex, type CatalogueIndex, type IndexedModel } from './match-profile.ts'
import { parseProductText, type ParsedText } from './match-reading.ts'
import { tokenise } from './match-text.ts'
import { createSearchIndex, type SearchHit } from './match-search.ts'

/** What a product's words tell of its model. */
export interface ProductText {
  readonly productName: string | null
  readonly brand: string | null
  readonly deviceType: DeviceType | null
  readonly productId: string | null
}

export interface Candidate {
  readonly id: string
  /** 0 to 1: the share of what text and name say in which they agree; 1 only without contradiction. */
  readonly score: number
  /** What fits, what is left open, what contradicts, in words. */
  readonly reasons: readonly string[]
}

/** What a product's words are matched to. */
export interface Match {
  /** The model that the text means; null where no model fits, or several do. */
  readonly model: string | null
  /** True where the sheet is of one variant of the model and the text does not say, or names another one. */
  readonly isVariant: boolean
  /** True where the text names a thing for a device, such as its case. */
  readonly isAccessory: boolean
  /** Best first. */
  readonly candidates: readonly Candidate[]
}

export interface Matcher {
  readonly match: (product: ProductText) => Match
  /** Models for a person's words: what `match` takes of them as a name, its siblings, then those with all the words. */
  readonly search: (query: string, limit: number) => readonly SearchHit[]
}

const CANDIDATES_MAX = 5
/** So many models share most with a text; those that fit it are always among them. */
const JUDGED_MAX = 24

interface Index extends CatalogueIndex {
  readonly places: ReadonlyMap<string, readonly number[]>
  readonly weights: ReadonlyMap<string, number>
  readonly overlap: Float64Array
}

/** @returns the matcher of a book; making it takes 0.1 to 0.2 s */
export function createMatcher(book: ReferenceData): Matcher {
  const index = indexOf(buildCatalogueIndex(book))
  const search = createSearchIndex(index.entries)
  return {
    match: (product) => matchProduct(product, index),
    search: (query, limit) => {
      const verdict = judge(query, null, null, index)
      return search(query, limit, verdict.entry, candidatesOf(verdict))
    },
  }
}

function indexOf(catalogue: CatalogueIndex): Index {
  const places = new Map<string, number[]>()
  for (const [at, entry] of catalogue.entries.entries()) {
    for (const key of keysOfEntry(entry)) {
      const list = places.get(key)
      if (list) list.push(at)
      else places.set(key, [at])
    }
  }
  const count = catalogue.entries.length
  const weights = new Map([...places].map(([key, { length }]) => [key, Math.log(1 + count / length)]))
  return { ...catalogue, places, weights, overlap: new Float64Array(count) }
}

const keysOfEntry = (entry: IndexedModel): ReadonlySet<string> =>
  new Set([
    ...entry.words,
    ...entry.profiles
      .flatMap((profile) => [...profile.numbers, ...(profile.size === null ? [] : [profile.size])])
      .map(String),
    ...entry.codes,
    ...(entry.gen === null ? [] : [`gen${entry.gen}`]),
    ...(entry.chip === null ? [] : [entry.chip]),
  ])

const keysOfReading = ({ words, numbers, codes, gens, chips, sizes, gigabytes }: ParsedText): readonly string[] => [
  ...words,
  ...[...numbers, ...sizes, ...gigabytes].map(String),
  ...codes,
  ...[...gens, ...numbers].map((gen) => `gen${gen}`),
  ...chips,
]

function matchProduct({ productName, brand, deviceType, productId }: ProductText, index: Index): Match {
  const maker = brandOfField(brand)
  const texts = [productName, productId].filter((text) => text !== null && text.trim() !== '')
  const [first, second] = texts.map((text) => judge(text!, maker, deviceType, index))
  if (!first) return { model: null, isVariant: false, isAccessory: false, candidates: [] }
  const verdict = second ? comparePair(first, second, maker, deviceType) : first
  return {
    model: verdict.entry?.model.id ?? null,
    isVariant: verdict.isVariant,
    isAccessory: verdict.reading.accessory !== null,
    candidates: candidatesOf(verdict),
  }
}

function judge(text: string, brand: string | null, deviceType: DeviceType | null, index: Index): MatchResult {
  const tokens = tokenise(text)
  const reading = parseProductText(text, tokens, index.vocabulary)
  const named = index.byName.get(nameKey(tokens)) ?? NOBODY
  const around = { brand, deviceType, named }
  const fits = likeliest(reading, named, index)
    .map((entry) => bestComparison(entry, reading, around))
    .sort(
      (a, b) => compareRank(a, b) || similarity(b) - similarity(a) || (a.entry.model.id < b.entry.model.id ? -1 : 1),
    )
  return { reading, fits, ...selectMatch(fits, reading) }
}

const NOBODY: MatchContext['named'] = new Set()

/** The models that share the most telling words with the text. */
function likeliest(reading: ParsedText, named: ReadonlySet<string>, { places, weights, overlap, entries }: Index) {
  const touched: number[] = []
  for (const key of keysOfReading(reading)) {
    const weight = weights.get(key)
    if (weight === undefined) continue
    for (const at of places.get(key)!) {
      if (overlap[at] === 0) touched.push(at)
      overlap[at]! += weight
    }
  }
  const best = touched.map((at) => ({ at, weight: overlap[at]! })).sort((a, b) => b.weight - a.weight)
  for (const at of touched) overlap[at] = 0
  const judged = best.slice(0, JUDGED_MAX).map(({ at }) => entries[at]!)
  if (named.size === 0) return judged
  return [...new Set([...judged, ...entries.filter(({ model }) => named.has(model.id))])]
}

function candidatesOf({ entry, fits, reading }: MatchResult): readonly Candidate[] {
  const chosen = fits.find((fit) => fit.entry === entry)
  const others = fits.filter((fit) => fit !== chosen && fit.agreed.length > 0)
  const ordered = [...(chosen ? [chosen] : []), ...others.sort((a, b) => similarity(b) - similarity(a))]
  return ordered.slice(0, CANDIDATES_MAX).map((fit) => ({
    id: fit.entry.model.id,
    score: Math.round(similarity(fit) * (reading.accessory === null ? 1 : 0.5) * 1000) / 1000,
    reasons: explainComparison(fit, reading.accessory),
  }))
}
