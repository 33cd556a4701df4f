// The matcher: finds the catalogue model that a product text means, with candidates; caches results by text.
import type { Message } from '../message.ts'
import type { Rational } from '../numbers/rational.ts'
import { modelDisplayName } from '../reference/footprint.ts'
import { idOfOwnModel } from '../reference/own-figures.ts'
import { aliasKey, type DeviceType, type OwnFigures, type ReferenceData } from '../reference/reference-data.ts'
import { brandOfField } from './brand.ts'
import { buildCatalogueIndex, type CatalogueIndex, type IndexedData, type IndexedModel } from './catalogue-index.ts'
import type { MatchContext } from './compare-identity.ts'
import { selectMatch, type MatchResult } from './decide.ts'
import { bestComparison, compareRank, explainComparison, similarity, uncontradicted, type Comparison } from './fit.ts'
import { createKnownNames, type FindKnownDevice } from './known-names.ts'
import { MATCH_MESSAGES } from './messages.ts'
import { nameKey } from './names.ts'
import { tokenise } from './normalise-text.ts'
import { parseProductText, type ParsedText } from './parse-text.ts'
import { createSearchIndex, type SearchHit, type SearchModels } from './search-index.ts'
import type { Vocabulary } from './tokenise.ts'
import { comparePair } from './similarity.ts'

/** The text data of a product that identifies its model. */
export interface ProductText {
  readonly productName: string | null
  readonly brand: string | null
  readonly deviceType: DeviceType | null
  readonly productId: string | null
}

export interface Candidate {
  readonly id: string
  /** 0 to 1: the fraction of traits in which text and name agree; 1 only without contradictions. */
  readonly score: number
  /** What agrees, what is left open and what contradicts. */
  readonly reasons: readonly Message[]
}

/** The result of matching a product's text. */
export interface Match {
  /** The model that the text means; null if no model fits, or several do. */
  readonly model: string | null
  /** True if the sheet is for one variant of the model and the text names no variant or another one. */
  readonly isVariant: boolean
  /** True if the text names an accessory for a device, such as its case. */
  readonly isAccessory: boolean
  /** The known device that the text names, if it means no model and no accessory. */
  readonly known: string | null
  /** Best first. */
  readonly candidates: readonly Candidate[]
}

interface Matcher {
  readonly match: (product: ProductText) => Match
  /** Models for a user's query: the one that `match` finds, then its siblings, then models with all the words. */
  readonly search: (query: string, limit: number) => readonly SearchHit[]
  readonly vocabulary: Vocabulary
}

const CANDIDATES_MAX = 5
/** Number of models that are compared: those that share most with a text. They always include the ones that fit. */
const JUDGED_MAX = 30

interface Index extends CatalogueIndex {
  readonly places: ReadonlyMap<string, readonly number[]>
  readonly weights: ReadonlyMap<string, number>
  readonly overlap: Float64Array
  readonly byId: ReadonlyMap<string, IndexedModel>
}

/**
 * @param others the words of the release, for the matcher of an account's own models
 * @returns the matcher for a dataset release
 */
export function createMatcher(
  referenceData: IndexedData & Pick<ReferenceData, 'knownDevices'>,
  others?: Vocabulary,
): Matcher {
  const index = indexOf(buildCatalogueIndex(referenceData, others))
  // Both are created at first use (up to 0.1 s), since most processes never need them.
  let known: FindKnownDevice | undefined
  let search: SearchModels | undefined
  const findKnown: FindKnownDevice = (query) => (known ??= createKnownNames(referenceData))(query)
  return {
    match: (product) => matchProduct(product, index, findKnown),
    search: (query, limit) => {
      const verdict = judge(query, null, null, index)
      search ??= createSearchIndex(index.entries, referenceData.matching)
      return search(query, limit, verdict.entry, candidatesOf(verdict, contextOf(verdict, null, null, index)))
    },
    vocabulary: index.vocabulary,
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
  const byId = new Map(catalogue.entries.map((entry) => [entry.model.id, entry]))
  return { ...catalogue, places, weights, overlap: new Float64Array(count), byId }
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

function matchProduct(
  { productName, brand, deviceType, productId }: ProductText,
  index: Index,
  findKnown: FindKnownDevice,
): Match {
  const { lexicon } = index.vocabulary
  const maker = brandOfField(brand, lexicon)
  const texts = [productName, productId].filter((text) => text !== null && text.trim() !== '')
  const [first, second] = texts.map((text) => judge(text!, maker, deviceType, index))
  if (!first) return { model: null, isVariant: false, isAccessory: false, known: null, candidates: [] }
  const verdict = second ? comparePair(first, second, { brand: maker, deviceType, named: NOBODY, lexicon }) : first
  const isAccessory = verdict.reading.accessory !== null
  const isUnknown = verdict.entry === null && !isAccessory && !verdict.reading.isDouble
  return {
    model: verdict.entry?.model.id ?? null,
    isVariant: verdict.isVariant,
    isAccessory,
    known: isUnknown ? knownOf(texts as string[], [first, second], maker, deviceType, findKnown) : null,
    // Found only where they are asked for: an order needs none.
    get candidates() {
      return candidatesOf(verdict, contextOf(verdict, maker, deviceType, index))
    },
  }
}

/** The only known device that name and id of the product name. */
function knownOf(
  texts: readonly string[],
  results: readonly (MatchResult | undefined)[],
  brand: string | null,
  deviceType: DeviceType | null,
  findKnown: FindKnownDevice,
): string | null {
  const found = texts.flatMap(
    (text, at) => findKnown({ text, tokens: results[at]!.tokens, brand, deviceType })?.id ?? [],
  )
  return new Set(found).size === 1 ? found[0]! : null
}

function judge(text: string, brand: string | null, deviceType: DeviceType | null, index: Index): MatchResult {
  const { lexicon } = index.vocabulary
  const tokens = tokenise(text, lexicon)
  const reading = parseProductText(text, tokens, index.vocabulary)
  const around = contextOf({ tokens }, brand, deviceType, index)
  const similar = likeliest(reading, around.named, index)
  const fits = similar.flatMap((entry) => uncontradicted(entry, reading, around) ?? []).sort(betterFirst)
  return { reading, tokens, similar, fits, ...selectMatch(fits, reading) }
}

const betterFirst = (a: Comparison, b: Comparison): number =>
  compareRank(a, b) || similarity(b) - similarity(a) || (a.entry.model.id < b.entry.model.id ? -1 : 1)

const contextOf = (
  { tokens }: Pick<MatchResult, 'tokens'>,
  brand: string | null,
  deviceType: DeviceType | null,
  { byName, vocabulary: { lexicon } }: Index,
): MatchContext => ({ brand, deviceType, named: byName.get(nameKey(tokens, lexicon)) ?? NOBODY, lexicon })

const NOBODY: MatchContext['named'] = new Set()

/** The models that share the most distinctive words with the text. */
function likeliest(
  reading: ParsedText,
  named: ReadonlySet<string>,
  { places, weights, overlap, entries, byId }: Index,
): readonly IndexedModel[] {
  const touched: number[] = []
  for (const key of keysOfReading(reading)) {
    const weight = weights.get(key)
    if (weight === undefined) continue
    for (const at of places.get(key)!) {
      if (overlap[at] === 0) touched.push(at)
      overlap[at]! += weight
    }
  }
  const judged = heaviest(touched, overlap, (at) => numberGap(entries[at]!, reading)).map((at) => entries[at]!)
  for (const at of touched) overlap[at] = 0
  const certain = [...named, ...reading.machineTypes.flatMap(({ bearers }) => [...(bearers ?? [])])]
  return certain.length === 0 ? judged : [...new Set([...judged, ...certain.map((id) => byId.get(id)!)])]
}

/** The places of the largest weights; the gap decides only among those that have the least of them. */
function heaviest(touched: readonly number[], weights: Float64Array, gapAt: (at: number) => number): readonly number[] {
  if (touched.length <= JUDGED_MAX) return touched
  const least = Float64Array.from(touched, (at) => weights[at]!).sort()[touched.length - JUDGED_MAX]!
  const heavier = touched.filter((at) => weights[at]! > least)
  const equal = touched.filter((at) => weights[at] === least)
  const nearest = equal.map((at) => ({ at, gap: gapAt(at) })).sort((a, b) => a.gap - b.gap)
  return [...heavier, ...nearest.slice(0, JUDGED_MAX - heavier.length).map(({ at }) => at)]
}

/** How far the numbers of a model are from those of the text; a person looks at the nearest first. */
function numberGap({ profiles, gen }: IndexedModel, { numbers, gens }: ParsedText): number {
  let least = GAP_MAX
  for (const said of numbers) {
    for (const own of profiles[0]!.numbers) least = Math.min(least, Math.abs(own - said))
  }
  if (gen !== null) for (const said of gens) least = Math.min(least, Math.abs(gen - said))
  return least
}
const GAP_MAX = 1e6

/** The chosen model, then those most like the text, of one type: the stated one, else that of the likeliest. */
function candidatesOf({ entry, similar, reading }: MatchResult, around: MatchContext): readonly Candidate[] {
  const fits = similar.map((one) => bestComparison(one, reading, around)).sort(betterFirst)
  const chosen = fits.find((fit) => fit.entry === entry)
  const others = fits
    .filter((fit) => fit !== chosen && fit.agreed.length > 0)
    .map((fit) => ({ fit, likeness: similarity(fit), gap: numberGap(fit.entry, reading) }))
    .sort((a, b) => b.likeness - a.likeness || a.gap - b.gap)
    .map(({ fit }) => fit)
  const type = (chosen ?? others[0])?.entry.model.type
  const ordered = [...(chosen ? [chosen] : []), ...others.filter((fit) => fit.entry.model.type === type)]
  return ordered.slice(0, CANDIDATES_MAX).map((fit) => ({
    id: fit.entry.model.id,
    score: Math.round(similarity(fit) * (reading.accessory === null ? 1 : 0.5) * 1000) / 1000,
    reasons: explainComparison(fit, reading.accessory),
  }))
}

/** The result of a match without the candidates. */
export type Meaning = Omit<Match, 'candidates'>

export interface ReleaseMatcher extends Matcher {
  /** The match for a product's text, without the candidates. */
  readonly find: (product: ProductText) => Meaning
  /** Whether `find` has a cached result. Each result stays cached for at least 10,000 others after it was last used. */
  readonly remembers: (product: ProductText) => boolean
  /** Caches a result that the matcher of another process found with the same dataset release. */
  readonly learn: (product: ProductText, meaning: Meaning) => void
}

/** A rental company uses few distinct product texts, and each of them often. */
const REMEMBERED_MAX = 20_000

const matchers = new WeakMap<ReferenceData, ReleaseMatcher>()

/** The matcher of a release. Creating it takes long enough to delay requests, so the service does so at its start. */
export function matcherFor(referenceData: ReferenceData): ReleaseMatcher {
  const known = matchers.get(referenceData)
  if (known) return known
  const { own } = referenceData
  const matcher = remembering(own ? createOwnMatcher(own.figures, own.release) : createMatcher(referenceData))
  matchers.set(referenceData, matcher)
  return matcher
}

/**
 * Matches first to the account's own models. A variant of one of them, which has a sheet for another variant, is taken
 * only if the release has no model of its own for the text.
 */
function createOwnMatcher({ models, aliases }: OwnFigures, release: ReferenceData): Matcher {
  const ofRelease = matcherFor(release)
  const names = new Map([...aliases].map(([name, ids]) => [name, ids.filter((id) => idOfOwnModel(id) !== name)]))
  const own = createMatcher(
    { models, aliases: names, codes: release.codes, knownDevices: new Map(), matching: release.matching },
    ofRelease.vocabulary,
  )
  return {
    match: (product) => {
      const ours = own.match(product)
      if (ours.model !== null && !ours.isVariant) return ours
      const others = ofRelease.find(product)
      if (ours.model !== null && (others.model === null || others.isVariant)) return ours
      return {
        ...others,
        get candidates() {
          const all = [...ours.candidates, ...ofRelease.match(product).candidates]
          return all.sort((a, b) => b.score - a.score).slice(0, CANDIDATES_MAX)
        },
      }
    },
    search: (query, limit) => [...own.search(query, limit), ...ofRelease.search(query, limit)].slice(0, limit),
    vocabulary: ofRelease.vocabulary,
  }
}

/** Cache of two generations: when the recent one holds half of the maximum, it replaces the earlier one. */
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
    const remembered = recall(key)
    if (remembered) return remembered
    const { model, isVariant, isAccessory, known } = matcher.match(product)
    return remember(key, { model, isVariant, isAccessory, known })
  }
  return {
    ...matcher,
    find,
    remembers: (product) => recall(keyOf(product)) !== undefined,
    learn: (product, meaning) => void remember(keyOf(product), meaning),
  }
}

/** JSON.stringify creates a new string; a concatenated one would keep the file that its parts come from in memory. */
const keyOf = ({ productName, brand, deviceType, productId }: ProductText): string =>
  JSON.stringify([productName, brand, deviceType, productId])

/** A candidate as receipts state it. The score is a number from the matcher, or an exact one as read from a receipt. */
export interface PrintedCandidate {
  readonly model_id: string
  readonly name: string
  readonly score: number | Rational
  readonly reasons: readonly string[]
}

/** An alias shared by several models counts the same for each of them. */
const ALIAS_SCORE = 0.5

/** The matcher's candidates, best first; if there are none, the models that share the product id as an alias. */
export function rankCandidates(product: ProductText, referenceData: ReferenceData): readonly Candidate[] {
  const { candidates } = matcherFor(referenceData).match(product)
  if (candidates.length > 0) return candidates
  const productId = product.productId ?? ''
  const bearers = referenceData.aliases.get(aliasKey(productId)) ?? []
  const reasons = [MATCH_MESSAGES.match_shared_alias({ product_id: productId, count: bearers.length - 1 })]
  return bearers.map((id) => ({ id, score: ALIAS_SCORE, reasons }))
}

export const printCandidate = ({ id, score, reasons }: Candidate, referenceData: ReferenceData): PrintedCandidate => ({
  model_id: id,
  name: modelDisplayName(referenceData.models.get(id)!),
  score,
  reasons: reasons.map(({ message }) => message),
})
