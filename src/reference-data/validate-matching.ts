// Rules for the words, abbreviations and facts under data/matching, beyond the spelling of single cells.
import { idPattern, matchesId } from '../engine/matching/match-facts.ts'
import {
  BATTERY_LIST,
  MEANING_LISTS,
  PATTERN_LISTS,
  PHRASE_LISTS,
  abbreviationPattern,
} from '../engine/matching/match-lexicon.ts'
import { NO_DEVICE } from '../engine/matching/product-lines.ts'
import { DEVICE_TYPES } from '../engine/reference/reference-data.ts'
import { rowsOf, type Row, type Tables } from './csv-table.ts'
import type { RowError } from './validate-values.ts'
import type { Rule, Violation } from './violations.ts'

type Cells = Row['cells']

/** Lists whose meanings are types of devices. */
const TYPE_LISTS = ['device_type', 'device_type_weak', 'other_thing', 'asset_class']

/** A word has a meaning if and only if its list gives one; some lists contain words with `*`, some phrases. */
export function validateWord({ list = '', word = '', meaning = '' }: Cells): RowError[] {
  const isOf = (lists: readonly string[]) => lists.includes(list)
  const needsMeaning = isOf(MEANING_LISTS)
  return [
    ...errorIf(needsMeaning && meaning === '', 'missing-meaning', `a word of the list "${list}" needs a meaning`),
    ...errorIf(!needsMeaning && meaning !== '', 'needless-meaning', `a word of the list "${list}" has no meaning`),
    ...errorIf(
      TYPE_LISTS.includes(list) && meaning !== '' && !DEVICE_TYPES.some((type) => type === meaning),
      'not-in-list',
      `meaning: "${meaning}" is not one of ${DEVICE_TYPES.join(', ')}`,
    ),
    ...errorIf(
      (word.includes('*') && !isOf([...PATTERN_LISTS, BATTERY_LIST])) || (word.includes(' ') && !isOf(PHRASE_LISTS)),
      'misplaced-sign',
      `a word of the list "${list}" must not contain * or a blank`,
    ),
  ]
}

const errorIf = (broken: boolean, rule: Rule, message: string): RowError[] => (broken ? [[rule, message]] : [])

/** The pattern must be a regular expression that makes of the example what the row states. */
export function validateAbbreviation({ pattern, meaning, example, example_meaning: stated }: Cells): RowError[] {
  if (!pattern || !example) return []
  try {
    const found = example
      .replace(abbreviationPattern(pattern), ` ${meaning ?? ''} `)
      .replaceAll(/\s+/g, ' ')
      .trim()
    return found === stated ? [] : [['other-example', `"${example}" becomes "${found}", not "${stated}"`]]
  } catch (error) {
    return [['bad-pattern', (error as SyntaxError).message]]
  }
}

export function validateFacts({ intel_first: first, intel_last: last }: Cells): RowError[] {
  if (!first && !last) return []
  if (!first || !last) return [['half-a-range', 'intel_first and intel_last are stated together or not at all']]
  return Number(first) > Number(last) ? [['half-a-range', `${first} to ${last} is no range of generations`]] : []
}

/** Years in their order; a form has no maker, so its words have to mean it without one. */
export const validateLine = ({ brand, without_brand: alone }: Cells): RowError[] =>
  errorIf(brand === '' && alone === 'no', 'line-of-nobody', 'a line without a brand has to mean it without one')

/** A maker of a type has a range of weights; one of other things has none. */
export function validateMaker({ type, weight_min_kg: least, weight_max_kg: most }: Cells): RowError[] {
  if (type === NO_DEVICE)
    return least || most ? [['half-a-range', 'weight_min_kg and weight_max_kg must be empty for type none']] : []
  if (!least || !most) return [['half-a-range', 'a device type needs weight_min_kg and weight_max_kg']]
  return Number(least) > Number(most) ? [['half-a-range', `weight_min_kg ${least} is above weight_max_kg ${most}`]] : []
}

/** A pattern that fits no id is a typing error. */
export function checkFacts(tables: Tables): Violation[] {
  const file = 'matching/model-facts.csv'
  const ids = idsOf(tables, 'devices/device-models.csv')
  return rowsOf(tables, file).flatMap(({ line, cells: { models = '' } }): Violation[] => {
    const pattern = /^[a-z0-9#*-]+$/.test(models) ? idPattern(models) : undefined
    if (!pattern || ids.some((id) => matchesId(pattern, id))) return []
    return [{ file, line, rule: 'facts-of-no-model', message: `there is no model "${models}"` }]
  })
}

export function checkSynonyms(tables: Tables): Violation[] {
  const file = 'matching/synonyms.csv'
  const ids = new Set(['transports.csv', 'packagings.csv'].flatMap((name) => idsOf(tables, name)))
  return rowsOf(tables, file)
    .filter(({ cells }) => !ids.has(cells['id'] ?? ''))
    .map(({ line, cells }) => {
      const message = `there is no transportation or packaging "${cells['id']}"`
      return { file, line, rule: 'synonym-of-nothing', message }
    })
}

/** Words mean transports, or that there is none, and not both. */
export function checkCarriers(tables: Tables): Violation[] {
  const file = 'matching/carriers.csv'
  const ids = new Set(idsOf(tables, 'transports.csv'))
  const rows = rowsOf(tables, file).map(({ line, cells: { words = '', id = '' } }) => ({ line, words, id }))
  const none = new Set(rows.filter(({ id }) => id === '').map(({ words }) => words))
  return rows.flatMap(({ line, words, id }): Violation[] => {
    if (id === '') return []
    if (!ids.has(id)) {
      return [{ file, line, rule: 'carrier-of-nothing', message: `there is no transportation "${id}"` }]
    }
    const message = `"${words}" means no transport in another row`
    return none.has(words) ? [{ file, line, rule: 'transport-and-none', message }] : []
  })
}

const idsOf = (tables: Tables, file: string): readonly string[] =>
  rowsOf(tables, file).map(({ cells }) => cells['id'] ?? '')
