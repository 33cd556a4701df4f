// The rules that one cell obeys or breaks by itself, whatever stands beside it.
import countries from 'i18n-iso-countries'
import { compare, parseDecimal } from '../engine/numbers/rational.ts'
import type { Violation, Rule } from './breach.ts'
import type { Column, Dataset, CellFormat } from './dataset-columns.ts'
import type { Table } from './table.ts'

const ID_FORM = /^[a-z0-9]+(?:-[a-z0-9]+)*$/
const NUMBER_FORM = /^(?:0|[1-9]\d*)(?:\.(?<fraction>\d+))?$/
const URL_FORM = /^https?:\/\/[^\s/]+\.[^\s]+$/
// Finer than a millionth of a gram per kilogram is noise, not knowledge.
const DECIMALS_MAX = 9
/** What an alias cites that no source but the catalogue itself gave out: a former id, a name without its variant. */
const OWN_ORIGIN = 'this catalogue'

type Fault = readonly [rule: Rule, message: string]

export function validateCells(table: Table, dataset: Dataset): Violation[] {
  return table.rows.flatMap(({ line, cells }) =>
    table.columns.flatMap((name) => {
      const fault = findFault(cells[name]!, dataset.columns[name]!)
      return fault ? [{ file: table.file, line, rule: fault[0], message: `${name}: ${fault[1]}` }] : []
    }),
  )
}

function findFault(cell: string, column: Column): Fault | undefined {
  if (cell === '') return column.optional ? undefined : ['empty-cell', 'must not be empty']
  if (isUntidy(cell)) {
    return ['untidy-text', `${JSON.stringify(cell)} has needless blanks, control characters or \\x escapes`]
  }
  return findFormFault(cell, column.form)
}

const isUntidy = (cell: string): boolean =>
  cell !== cell.trim() || cell !== cell.normalize('NFC') || /\p{Cc}| {2}|\\x/u.test(cell)

function findFormFault(cell: string, form: CellFormat): Fault | undefined {
  switch (form.kind) {
    case 'id':
      return ID_FORM.test(cell) ? undefined : ['bad-id', `"${cell}" is not small letters, digits and hyphens`]
    case 'url':
      return URL_FORM.test(cell) ? undefined : ['bad-url', `"${cell}" is not a web address`]
    case 'origin':
      return URL_FORM.test(cell) || cell === OWN_ORIGIN
        ? undefined
        : ['bad-origin', `"${cell}" is neither a web address nor "${OWN_ORIGIN}"`]
    case 'country':
      return cell === form.besides || isCountry(cell)
        ? undefined
        : ['bad-country', `"${cell}" is not an ISO 3166-1 alpha-2 code`]
    case 'choice':
      return form.choices.includes(cell)
        ? undefined
        : ['not-in-list', `"${cell}" is not one of ${form.choices.join(', ')}`]
    case 'number':
      return findNumberFault(cell, form)
    case 'text':
    case 'source':
      return undefined
  }
}

const isCountry = (cell: string): boolean => /^[A-Z]{2}$/.test(cell) && countries.alpha2ToAlpha3(cell) !== undefined

function findNumberFault(cell: string, form: Extract<CellFormat, { kind: 'number' }>): Fault | undefined {
  const match = NUMBER_FORM.exec(cell)
  const fraction = match?.groups?.['fraction']
  if (!match || (form.whole && fraction)) {
    return ['bad-number', `"${cell}" is not a plain ${form.whole ? 'whole' : 'decimal'} number`]
  }
  if ((fraction ?? '').length > DECIMALS_MAX) return ['too-many-decimals', `"${cell}" has more than ${DECIMALS_MAX}`]
  const value = parseDecimal(cell)
  if (compare(value, parseDecimal(form.min)) >= 0 && compare(value, parseDecimal(form.max)) <= 0) return undefined
  return ['out-of-range', `${cell} is not within ${form.min} to ${form.max}`]
}
