// Reads the words, abbreviations and facts under data/matching into the lexicon of the matcher.
import type { ImpliedTraits, ModelFactsRow, ProcessorMaker } from '../engine/matching/match-facts.ts'
import { createMatchLexicon, type LexiconRows, type MatchLexicon } from '../engine/matching/match-lexicon.ts'
import { parseDecimal } from '../engine/numbers/rational.ts'
import { brandKey } from '../engine/reference/product-family.ts'
import { rowsOf, type Row, type Tables } from './csv-table.ts'
import type { DatasetFiles } from './files.ts'
import { readTables } from './validate-tables.ts'

type Cells = Row['cells']

/** The lexicon of files that were not validated; rows that break a rule may be missing or without effect. */
export const readMatchLexicon = (files: DatasetFiles): MatchLexicon => toMatchLexicon(readTables(files))

/** True if the release has words of its own: those stored by versions that had the words in their code have none. */
export const hasMatchLexicon = (files: DatasetFiles): boolean => files.has('matching/words.csv')

/** @param tables valid, or of a stored release */
export const toMatchLexicon = (tables: Tables): MatchLexicon =>
  createMatchLexicon({
    words: read<LexiconRows['words'][number]>(tables, 'words', ({ list, word, meaning }) => ({ list, word, meaning })),
    abbreviations: read(tables, 'abbreviations', ({ pattern, meaning }) => ({ pattern, meaning })),
    modelFacts: read(tables, 'model-facts', toFacts),
    processors: read(tables, 'processors', ({ kind, code, year }) => ({ kind, code, year: Number(year) })),
    synonyms: read(tables, 'synonyms', ({ id, word }) => ({ id, word })),
    carriers: read(tables, 'carriers', ({ words, id }) => ({ words, id })),
    lines: read(tables, 'lines', toLine),
    makers: read(tables, 'makers', toMaker),
  })

/** Validation ensures that the cells have the types of the values. */
const read = <Value>(tables: Tables, name: string, valueOf: (cells: Cells) => unknown): readonly Value[] =>
  rowsOf(tables, `matching/${name}.csv`).map(({ cells }) => valueOf(cells) as Value)

const toLine = ({ brand, line, type, without_brand: alone }: Cells) => ({
  brand: brand ? brandKey(brand) : null,
  words: line,
  type,
  isOwnWord: alone === 'yes',
})

const toMaker = ({ brand, type, weight_min_kg: least, weight_max_kg: most }: Cells) => ({
  brand: brandKey(brand!),
  type,
  weightKg: least && most ? [parseDecimal(least), parseDecimal(most)] : null,
})

function toFacts(cells: Cells): ModelFactsRow {
  const traits: { -readonly [Trait in keyof ImpliedTraits]: ImpliedTraits[Trait] } = {}
  if (cells['year']) traits.year = Number(cells['year'])
  if (cells['generation']) traits.gen = Number(cells['generation'])
  if (cells['chip']) traits.chip = cells['chip']
  if (cells['screen_inches']) traits.screen = Number(cells['screen_inches'])
  if (cells['model_number']) traits.modelNumber = cells['model_number']
  if (cells['processors']) traits.processors = cells['processors'].split(' ') as ProcessorMaker[]
  if (cells['intel_first']) traits.intelGens = [Number(cells['intel_first']), Number(cells['intel_last'])]
  if (cells['equipment']) traits.equipment = cells['equipment'].split(' ')
  if (cells['other_name']) traits.names = [cells['other_name']]
  if (cells['implied_word']) traits.words = [cells['implied_word']]
  if (cells['one_size']) traits.hasOneSize = true
  if (cells['exact_size']) traits.isSizeExact = true
  if (cells['shared_chip']) traits.isChipShared = true
  if (cells['reused_number']) traits.isNumberReused = true
  if (cells['also_tablet']) traits.isTabletToo = true
  return { models: cells['models']!, traits }
}
