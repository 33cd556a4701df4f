// What the matcher knows about the world: words, abbreviations, facts about models, processors. Data of a release.
import { indexLines, type ProductLine, type ProductLines } from './product-lines.ts'
import type { MadeType, Makers, WeightRange } from './makers.ts'
import { carrierServicesOf, type CarrierServiceRow, type CarrierServices } from '../reference/carrier-services.ts'
import { compileFacts, type ModelFacts, type ModelFactsRow } from './match-facts.ts'

/** Lists of words in lower case without accents, as `tokenise` returns them. data/README.md#matching describes each. */
export const WORD_LISTS = [
  'brand_in_model_name',
  'brand_in_family',
  'brand_of_catalogue',
  'brand_of_field',
  'no_brand',
  'monitor_first',
  'variant',
  'line',
  'family',
  'line_with_generations',
  'two_in_one',
  'grade',
  'cut_grade',
  'not_a_grade',
  'whole_inches',
  'console',
  'console_word',
  'console_variant',
  'part',
  'before_thing',
  'accessory_maker',
  'two_words_first',
  'screen',
  'screen_behind',
  'carried',
  'thing_behind_type',
  'accessory_in_name',
  'comes_along',
  'not_misspelt',
  'plain_specification',
  'processor',
  'device_part',
  'monitor_part',
  'computer',
  'broken',
  'comes_with',
  'made_for',
  'condition',
  'keyboard',
  'keyboard_layout',
  'arm_processor',
  'ignored',
  'ignored_in_family',
  'family_grade',
  'folding',
] as const
type WordList = (typeof WORD_LISTS)[number]

/** Lists of words with a meaning: a manufacturer as the catalogue spells it, a device type, a feature. */
export const MEANING_LISTS = [
  'brand',
  'product_line',
  'device_type',
  'device_type_weak',
  'other_thing',
  'joined_name',
  'other_script',
  'asset_class',
  'feature',
] as const
type MeaningList = (typeof MEANING_LISTS)[number]

/** Lists whose words may be several, with blanks between them. */
export const PHRASE_LISTS: readonly string[] = [
  'no_brand',
  'device_type',
  'other_thing',
  'joined_name',
  'accessory_in_name',
  'comes_along',
  'folding',
  'two_words_first',
  'accessory_maker',
]

/** Lists of words in which `*` stands for any characters. */
export const PATTERN_LISTS = [
  'accessory',
  'not_accessory',
  'thing_first',
  'sold_with_device',
  'sold_for_console',
  'sold_with_headphone',
  'spare_part',
] as const
/** A list of releases before 2026.12.7, whose words are spare parts. */
export const BATTERY_LIST = 'battery'
/** Lists of words that end compound words, such as "Schullaptop". */
export const ENDING_LISTS = ['accessory_ending', 'device_type_ending'] as const

export type ListName =
  | WordList
  | MeaningList
  | (typeof PATTERN_LISTS)[number]
  | typeof BATTERY_LIST
  | (typeof ENDING_LISTS)[number]

/** Codes in the names of processors, graphics chips and computers that tell the year of the processor. */
export const PROCESSOR_KINDS = [
  'intel_generation',
  'intel_fast',
  'intel_ultra',
  'ryzen_series',
  'rtx_series',
  'lenovo_letters',
  'lenovo_letters_reused',
] as const
type ProcessorKind = (typeof PROCESSOR_KINDS)[number]

/** The words and facts of one release. It holds only plain values, so that it can be sent to worker processes. */
export interface MatchLexicon {
  readonly words: Readonly<Record<WordList, ReadonlySet<string>>>
  readonly meanings: Readonly<Record<MeaningList, ReadonlyMap<string, string>>>
  readonly patterns: Readonly<Record<(typeof PATTERN_LISTS)[number] | 'device_type_ending', RegExp>>
  /** Abbreviations with their replacement, in the order in which they are applied. */
  readonly abbreviations: readonly (readonly [RegExp, string])[]
  /** The most general first. */
  readonly modelFacts: readonly ModelFacts[]
  /** The year in which the first devices had the processor, by kind and code. */
  readonly processorYears: Readonly<Record<ProcessorKind, ReadonlyMap<string, number>>>
  /** Ids that a word suggests for an unknown transportation or packaging, in order. */
  readonly synonyms: ReadonlyMap<string, readonly string[]>
  /** What the names of carriers' services in an unknown transportation suggest. */
  readonly carriers: CarrierServices
  readonly lines: ProductLines
  /** The types that the lines of a maker have, by its key. */
  readonly lineTypes: ReadonlyMap<string, ReadonlySet<string>>
  readonly makers: Makers
  /** The keys of makers with lines or known types, by the key without hyphens: "IkuMobile" is Iku Mobile. */
  readonly makerKeys: ReadonlyMap<string, string>
  /** The weights with which a code means a device of the type; a type without any has none. */
  readonly codeWeights: ReadonlyMap<string, WeightRange>
}

/** The rows from which a lexicon is made. */
export interface LexiconRows {
  readonly words: readonly { readonly list: ListName; readonly word: string; readonly meaning: string }[]
  readonly abbreviations: readonly { readonly pattern: string; readonly meaning: string }[]
  readonly modelFacts: readonly ModelFactsRow[]
  readonly processors: readonly { readonly kind: ProcessorKind; readonly code: string; readonly year: number }[]
  readonly synonyms: readonly { readonly id: string; readonly word: string }[]
  readonly carriers: readonly CarrierServiceRow[]
  readonly lines: readonly ProductLine[]
  readonly makers: readonly MadeType[]
}

/** In lower case, without accents and the marks of letters such as й and ガ; syllables of Korean in their letters. */
export const withoutMarks = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()

/** Makes the lexicon of a release from its rows, which must be valid. A list without rows is empty. */
export function createMatchLexicon(rows: LexiconRows): MatchLexicon {
  const byList = Map.groupBy(rows.words, ({ list }) => list)
  const wordsOf = (list: ListName) => (byList.get(list) ?? []).map(({ word }) => word)
  const byKind = Map.groupBy(rows.processors, ({ kind }) => kind)
  const endings = wordsOf('accessory_ending').map((ending) => `^[a-z]{4,}${ending}$`)
  return {
    words: record(WORD_LISTS, (list) => new Set(wordsOf(list))),
    meanings: record(
      MEANING_LISTS,
      (list) =>
        new Map(
          (byList.get(list) ?? []).map(({ word, meaning }) => [
            list === 'other_script' ? withoutMarks(word) : word,
            meaning,
          ]),
        ),
    ),
    patterns: {
      ...record(PATTERN_LISTS, (list) => anyOf(wordsOf(list).map(wildcard))),
      accessory: anyOf([...wordsOf('accessory').map(wildcard), ...endings]),
      spare_part: anyOf([...wordsOf(BATTERY_LIST), ...wordsOf('spare_part')].map(wildcard)),
      // `surfacelaptop` is a product line.
      device_type_ending: new RegExp(`^(?!surface)[a-z]{4,}(${anyOf(wordsOf('device_type_ending')).source})$`),
    },
    abbreviations: rows.abbreviations.map(({ pattern, meaning }) => [abbreviationPattern(pattern), ` ${meaning} `]),
    modelFacts: compileFacts(rows.modelFacts),
    processorYears: record(
      PROCESSOR_KINDS,
      (kind) => new Map((byKind.get(kind) ?? []).map(({ code, year }) => [code, year])),
    ),
    synonyms: new Map(
      [...Map.groupBy(rows.synonyms, ({ word }) => word)].map(([word, found]) => [word, found.map(({ id }) => id)]),
    ),
    carriers: carrierServicesOf(rows.carriers),
    lines: indexLines(rows.lines),
    lineTypes: new Map(
      [...Map.groupBy(rows.lines, ({ brand }) => brand)].flatMap(([brand, lines]) =>
        brand === null ? [] : [[brand, new Set(lines.map(({ type }) => type))] as const],
      ),
    ),
    makers: Map.groupBy(
      rows.makers.filter(({ brand }) => brand !== ''),
      ({ brand }) => brand,
    ),
    makerKeys: new Map(
      [...rows.makers, ...rows.lines].flatMap(({ brand }) => (brand ? [[brand.replaceAll('-', ''), brand]] : [])),
    ),
    codeWeights: new Map(
      rows.makers.flatMap(({ brand, type, weightKg }) => (brand === '' && weightKg ? [[type, weightKg] as const] : [])),
    ),
  }
}

const record = <Key extends string, Value>(keys: readonly Key[], valueOf: (key: Key) => Value) =>
  Object.fromEntries(keys.map((key) => [key, valueOf(key)])) as Readonly<Record<Key, Value>>

/** An empty alternation would match every text. */
const anyOf = (sources: readonly string[]): RegExp => new RegExp(sources.length === 0 ? '(?!)' : sources.join('|'))

/** `*hulle*`, `cable*`, `*stift` and `case`: anywhere in a word, at its start, at its end, the word itself. */
const wildcard = (word: string): string =>
  `${word.startsWith('*') ? '' : '^'}${word.replaceAll('*', '')}${word.endsWith('*') ? '' : '$'}`

/** @throws SyntaxError if the text is not a regular expression */
export const abbreviationPattern = (text: string): RegExp => new RegExp(text, 'g')

/** The type of device that a word names, such as "laptop" or "Schullaptop"; undefined for other words. */
export const typeOfWord = (word: string, { meanings, patterns }: MatchLexicon): string | undefined =>
  meanings.device_type.get(patterns.device_type_ending.exec(word)?.[1] ?? word)
