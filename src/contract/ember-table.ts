// Ember's monthly file, as it is published, turned into a table of grid factors of months.
import { divide, parseDecimal, toDecimal, whole } from '../engine/numbers/rational.ts'
import type { Problem } from '../engine/order.ts'
import { PROBLEMS_MAX } from '../engine/validate-order.ts'
import { FIGURE_MESSAGES } from './messages.ts'
import type { FigureRow } from './parse-figures.ts'

interface FigureTable {
  readonly header: readonly string[]
  readonly rows: readonly FigureRow[]
}

export type EmberTable =
  | { readonly ok: true; readonly table: FigureTable }
  | { readonly ok: false; readonly problems: readonly Problem[] }

/** The columns that are read, by their names in files of different years. */
const COLUMNS = {
  code: ['ISO 3 code', 'Country code'],
  date: ['Date'],
  areaType: ['Area type'],
  variable: ['Variable'],
  unit: ['Unit'],
  value: ['Value'],
} as const
type Column = keyof typeof COLUMNS

const VARIABLE = 'CO2 intensity'
/** Grams of CO2 equivalent, whatever the file calls them. */
const UNITS = ['gCO2/kWh', 'gCO2e/kWh', 'gCO2e per kWh']
const MONTH = /^(\d{4}-\d{2})-01$/
const DECIMAL = /^\d{1,9}(?:\.\d{1,9})?$/
const GRAMS_PER_KILOGRAM = whole(1000)

const HEADER = ['country', 'month', 'factor_kg_co2e_per_kwh', 'source_title', 'source_publisher', 'licence']
const SOURCE = ['Monthly electricity data', 'Ember', 'CC-BY-4.0']

/**
 * The intensities of countries in a file with Ember's columns. Rows of other variables, of regions and without a value
 * are left out, and so are those of areas without an ISO 3166-1 code.
 * @param alpha2Of the alpha-2 code for an alpha-3 code; null if there is none
 * @returns null for a table with other columns
 */
export function readEmberTable(
  { header, rows }: FigureTable,
  alpha2Of: (alpha3: string) => string | null,
): EmberTable | null {
  const columns = Object.entries(COLUMNS).map(([name, spelled]) => [
    name as Column,
    header.findIndex((one) => (spelled as readonly string[]).includes(one)),
  ])
  if (columns.some(([, at]) => at === -1)) return null
  const places = Object.fromEntries(columns) as Record<Column, number>
  const problems: Problem[] = []
  const read = rows.flatMap(({ line, cells }): readonly FigureRow[] => {
    const cellOf = (column: Column): string => (cells[places[column]] ?? '').trim()
    if (cellOf('variable') !== VARIABLE || !cellOf('areaType').startsWith('Country') || cellOf('value') === '')
      return []
    const country = alpha2Of(cellOf('code'))
    if (country === null) return []
    if (!UNITS.includes(cellOf('unit')))
      problems.push({ path: `/${line}/Unit`, ...FIGURE_MESSAGES.figure_unit({ unit: cellOf('unit').slice(0, 100) }) })
    return [{ line, cells: [country, monthOf(cellOf('date')), kilograms(cellOf('value')), ...SOURCE] }]
  })
  if (problems.length > 0) return { ok: false, problems: problems.slice(0, PROBLEMS_MAX) }
  if (read.length === 0)
    return { ok: false, problems: [{ path: '', ...FIGURE_MESSAGES.figure_table_without_months() }] }
  return { ok: true, table: { header: HEADER, rows: read } }
}

/** What is no first day of a month stays as it is, and is refused as a month. */
const monthOf = (date: string): string => MONTH.exec(date)?.[1] ?? date

/** What is no number stays as it is, and is refused as a factor. */
const kilograms = (grams: string): string =>
  DECIMAL.test(grams) ? toDecimal(divide(parseDecimal(grams), GRAMS_PER_KILOGRAM)) : grams
