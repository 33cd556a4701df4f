// Validates every row and cell of a release, and reports all violations with file and line.
import countries from 'i18n-iso-countries/index.js'
import { compare, parseDecimal } from '../engine/numbers/rational.ts'
import { DEVICE_TYPES, TRANSPORT_MODES, aliasKey } from '../engine/reference/reference-data.ts'
import type { CellFormat, Column, Dataset } from './column-forms.ts'
import { DATASETS } from './columns.ts'
import { parseCsvTable, rowsOf, type Row, type Table, type Tables } from './csv-table.ts'
import {
  validateFallback,
  validateGridLosses,
  validateModel,
  validateRefurbishment,
  validateTransport,
  validateTypeDefault,
  validateUsePhase,
  type RowError,
} from './validate-values.ts'
import { checkKnownDevices, validateKnownDevice } from './validate-known-devices.ts'
import {
  checkCarriers,
  checkFacts,
  checkSynonyms,
  validateAbbreviation,
  validateFacts,
  validateLine,
  validateMaker,
  validateWord,
} from './validate-matching.ts'
import { RELEASE_FORM } from '../engine/reference/release-version.ts'
import type { Rule, Violation } from './violations.ts'

const ID_FORM = /^[a-z0-9]+(?:-[a-z0-9]+)*$/
const NUMBER_FORM = /^(?:0|[1-9]\d*)(?:\.(?<fraction>\d+))?$/
const URL_FORM = /^https?:\/\/[^\s/]+\.[^\s]+$/
// More than nine decimals (a millionth of a gram per kilogram) would be noise.
const DECIMALS_MAX = 9
/** Origin of an alias that only the catalogue itself assigned: a former id, or a name without its variant. */
const OWN_ORIGIN = 'this catalogue'

type Fault = readonly [rule: Rule, message: string]

function validateCells(table: Table, dataset: Dataset): Violation[] {
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
      return isCountry(cell) ? undefined : ['bad-country', `"${cell}" is not an ISO 3166-1 alpha-2 code`]
    case 'choice':
      return form.choices.includes(cell)
        ? undefined
        : ['not-in-list', `"${cell}" is not one of ${form.choices.join(', ')}`]
    case 'number':
      return findNumberFault(cell, form)
    case 'spelling':
      return form.form.test(cell) ? undefined : ['bad-spelling', `"${cell}" is not ${form.says}`]
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

export const RELEASE_FILE = 'RELEASE'
const FORMS = '2026.11 or 2026.11.1'

/** All violations in the given files (contents by path under data/), in the order of files and lines. */
export const validateDatasets = (files: ReadonlyMap<string, string>): Violation[] =>
  validateTables(readTables(files), files)

export const readTables = (files: ReadonlyMap<string, string>): Tables =>
  new Map(Object.entries(DATASETS).map(([file, dataset]) => [file, parseCsvTable(file, files.get(file), dataset)]))

export function validateTables(tables: Tables, files: ReadonlyMap<string, string>): Violation[] {
  const breaches = [
    ...checkRelease(files.get(RELEASE_FILE)),
    ...[...tables.values()].flatMap((table) => checkTable(table, tables)),
    ...checkAliases(tables),
    ...checkSeries(tables),
    ...checkEnergyCarriers(tables),
    ...checkFacts(tables),
    ...checkSynonyms(tables),
    ...checkCarriers(tables),
    ...checkKnownDevices(tables),
  ]
  const order = [RELEASE_FILE, ...tables.keys()]
  return breaches.sort((a, b) => order.indexOf(a.file) - order.indexOf(b.file) || a.line - b.line)
}

function checkRelease(text: string | undefined): Violation[] {
  if (text === undefined) {
    return [{ file: RELEASE_FILE, line: 1, rule: 'missing-file', message: 'the file is missing or empty' }]
  }
  if (RELEASE_FORM.test(text.trim())) return []
  return [{ file: RELEASE_FILE, line: 1, rule: 'bad-release', message: `"${text.trim()}" is not of the form ${FORMS}` }]
}

function checkTable(table: Table, tables: Tables): Violation[] {
  const dataset = DATASETS[table.file]!
  // A file that could not be read has no rows; the missing rows are not reported in addition.
  if (table.columns.length === 0) return [...table.breaches]
  return [
    ...table.breaches,
    ...validateCells(table, dataset),
    ...checkKeys(table, dataset.key),
    ...checkSources(table, tables),
    ...eachRow(table, ROW_RULES[table.file]),
    ...(TABLE_RULES[table.file]?.(table) ?? []),
    ...(dataset.single && table.rows.length !== 1
      ? [breach(table.file, 1, 'not-one-row', `holds ${table.rows.length} rows; exactly one is used`)]
      : []),
  ]
}

const breach = (file: string, line: number, rule: Rule, message: string): Violation => ({ file, line, rule, message })

const ROW_RULES: Readonly<Record<string, (cells: Row['cells']) => RowError[]>> = {
  'devices/device-models.csv': validateModel,
  'devices/type-defaults.csv': validateTypeDefault,
  'devices/fallbacks.csv': validateFallback,
  'transports.csv': validateTransport,
  'use-phase.csv': validateUsePhase,
  'refurbishments.csv': validateRefurbishment,
  'grid-losses.csv': validateGridLosses,
  'matching/words.csv': validateWord,
  'matching/abbreviations.csv': validateAbbreviation,
  'matching/model-facts.csv': validateFacts,
  'matching/lines.csv': validateLine,
  'matching/makers.csv': validateMaker,
  'devices/known-devices.csv': validateKnownDevice,
}

const TABLE_RULES: Readonly<Record<string, (table: Table) => Violation[]>> = {
  'devices/type-defaults.csv': checkTypes,
  'use-phase.csv': checkDefaultUses,
  'distance-adjustments.csv': checkModes,
  'grid-series.csv': checkDefaultSeries,
}

const eachRow = (table: Table, rules: ((cells: Row['cells']) => RowError[]) | undefined): Violation[] =>
  table.rows.flatMap(({ line, cells }) =>
    (rules?.(cells) ?? []).map(([rule, message]) => breach(table.file, line, rule, message)),
  )

/** The rows that repeat all key columns of an earlier row. */
function repeated(rows: readonly Row[], key: readonly string[]): Row[] {
  const seen = new Set<string>()
  return rows.filter(({ cells }) => {
    const identity = JSON.stringify(key.map((name) => aliasKey(cells[name] ?? '')))
    return seen.has(identity) || !seen.add(identity)
  })
}

function checkKeys({ file, rows }: Table, key: readonly string[]): Violation[] {
  return repeated(rows, key).map(({ line, cells }) =>
    breach(file, line, 'duplicate-row', `a row above has the same ${key.join(' and ')}: ${cells[key.at(-1)!]}`),
  )
}

/**
 * Where the rows for matching come from if not from a list of others: a name of the catalogue or of a known device, a
 * common word, or what the editors of the file know.
 */
const OWN_SOURCES = ['device-models', 'known-devices', 'vocabulary', 'editors']

function checkSources({ file, rows, columns }: Table, tables: Tables): Violation[] {
  if (!columns.includes('source') || DATASETS[file]!.columns['source']!.form.kind !== 'source') return []
  const own = file.startsWith('matching/') ? OWN_SOURCES : []
  const known = new Set([...own, ...rowsOf(tables, 'sources.csv').map(({ cells }) => cells['id'])])
  return rows
    .filter(({ cells }) => cells['source'] !== '' && !known.has(cells['source']))
    .map(({ line, cells }) => breach(file, line, 'unknown-source', `sources.csv has no "${cells['source']}"`))
}

function checkAliases(tables: Tables): Violation[] {
  const file = 'devices/aliases.csv'
  const models = new Set(rowsOf(tables, 'devices/device-models.csv').map(({ cells }) => cells['id']!))
  return rowsOf(tables, file).flatMap(({ line, cells: { model_id: id, alias } }) => {
    if (!models.has(id!)) return [breach(file, line, 'alias-of-no-model', `there is no model "${id}"`)]
    const other = aliasKey(alias ?? '')
    return other !== id && models.has(other)
      ? [breach(file, line, 'alias-is-another-id', `"${alias}" is the id of another model than ${id}`)]
      : []
  })
}

function checkEnergyCarriers(tables: Tables): Violation[] {
  const file = 'transports.csv'
  const known = new Set(rowsOf(tables, 'energy-carriers.csv').map(({ cells }) => cells['id']))
  return rowsOf(tables, file)
    .filter(({ cells }) => cells['energy_carrier'] && !known.has(cells['energy_carrier']))
    .map(({ line, cells }) =>
      breach(file, line, 'unknown-energy-carrier', `energy-carriers.csv has no "${cells['energy_carrier']}"`),
    )
}

function checkTypes({ file, rows }: Table): Violation[] {
  const present = new Set(rows.map(({ cells }) => cells['type']))
  return [...DEVICE_TYPES, 'any']
    .filter((type) => !present.has(type))
    .map((type) => breach(file, 1, 'missing-type-default', `no row for "${type}"`))
}

function checkDefaultUses({ file, rows }: Table): Violation[] {
  const chosen = rows.filter(({ cells }) => cells['in_type_default'] === 'yes')
  return repeated(chosen, ['type']).map(({ line, cells }) =>
    breach(file, line, 'ambiguous-default', `a row above is the default of "${cells['type']}" already`),
  )
}

function checkDefaultSeries({ file, rows }: Table): Violation[] {
  const count = rows.filter(({ cells }) => cells['is_default'] === 'yes').length
  return count === 1 ? [] : [breach(file, 1, 'not-one-default-series', `${count} rows are the default; one has to be`)]
}

/** The factors of the default series are in grid-factors.csv. */
function checkSeries(tables: Tables): Violation[] {
  const file = 'electricity-maps/yearly-factors.csv'
  const others = rowsOf(tables, 'grid-series.csv').filter(({ cells }) => cells['is_default'] === 'no')
  const known = new Set(others.map(({ cells }) => cells['id']))
  return rowsOf(tables, file)
    .filter(({ cells }) => !known.has(cells['series']))
    .map(({ line, cells }) =>
      breach(
        file,
        line,
        'factors-of-no-series',
        `grid-series.csv has no series "${cells['series']}" beside the default`,
      ),
    )
}

function checkModes({ file, rows }: Table): Violation[] {
  const present = new Set(rows.map(({ cells }) => cells['mode']))
  return TRANSPORT_MODES.filter((mode) => !present.has(mode)).map((mode) =>
    breach(file, 1, 'missing-mode', `no row for "${mode}"`),
  )
}
