// The query parameters with which a client states how its file is to be read, and the settings that they mean.
import type { Problem } from '../../engine/order.ts'
import { HEADER_ROW_MAX } from '../../spreadsheets/limits.ts'
import { PROBLEMS_MAX } from '../../engine/validate-order.ts'
import { problemsOfRegister, problemsOfValues } from '../../spreadsheets/settings-problems.ts'
import { SETTING_VALUES, type Format, type Settings } from '../../spreadsheets/settings.ts'
import { invalidRequest } from '../../contract/errors.ts'
import { repeatedText, type Parameter, type Parameters, type Query } from '../parameters.ts'
import { EXPECTED, wrongParameter } from '../../contract/messages.ts'
import { EXPECTED_PARAMETER, PARAMETER_MESSAGES } from '../messages.ts'

const FORMAT_BY_TYPE: Readonly<Record<string, Format>> = {
  'text/csv': 'csv',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
  'application/jsonl': 'jsonl',
  'application/x-ndjson': 'jsonl',
}

/** For application/octet-stream, the file name or the content determines the format. */
const FILE_TYPES: readonly string[] = [...Object.keys(FORMAT_BY_TYPE), 'application/octet-stream']

export const FORM_TYPE = 'multipart/form-data'
export const UPLOAD_TYPES: readonly string[] = [...FILE_TYPES, FORM_TYPE]

/** Names of delimiters: a query can contain the characters themselves, but they are hard to read there. */
const DELIMITER_NAMES: Readonly<Record<string, string>> = { comma: ',', semicolon: ';', tab: '\t', pipe: '|' }

const choice = (name: keyof Settings, description: string): Parameter => {
  const choices = name === 'delimiter' ? Object.keys(DELIMITER_NAMES) : SETTING_VALUES[name]!
  return {
    description,
    schema: { type: 'string', enum: choices },
    check: (value) => (choices.includes(value) ? null : wrongParameter(EXPECTED.expected_choice({ choices }), value)),
  }
}

/** Wrong members are reported by readSettings(), each at its place. */
const jsonObject = (description: string): Parameter => ({
  description,
  schema: { type: 'string' },
  check: (value) => (readObject(value) ? null : EXPECTED_PARAMETER.expected_json_object()),
})

function readObject(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value = JSON.parse(text) as unknown
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? (value as Readonly<Record<string, unknown>>) : null
  } catch {
    return null
  }
}

/** Settings that are not sent are detected and returned with the evidence. If detection fails, they must be sent. */
export const SETTING_PARAMETERS: Parameters = {
  format: choice('format', 'File format.'),
  layout: choice('layout', 'items: one row per item; orders: one row per order; events: as with kind=events.'),
  encoding: choice('encoding', 'Text encoding.'),
  delimiter: choice('delimiter', 'Delimiter between cells.'),
  decimal: choice('decimal', 'Decimal separator.'),
  dates: choice('dates', 'Date format.'),
  sheet: repeatedText('Sheet of a workbook.'),
  columns: {
    description:
      'JSON object that maps headers of the file to column names, or to "-" to ignore the column, like ' +
      '{"Seriennummer":"serial_number","Notiz":"-"}.',
    schema: { type: 'string' },
    check: (value) => (readColumns(value) ? null : EXPECTED_PARAMETER.expected_columns()),
  },
  header_row: {
    description: 'Number of the row with the headers, as in a spreadsheet; the rows above it are not read.',
    schema: { type: 'integer', minimum: 1, maximum: HEADER_ROW_MAX },
    check: (value) => (isHeaderRow(value) ? null : EXPECTED_PARAMETER.expected_header_row({ max: HEADER_ROW_MAX })),
  },
  constants: {
    description:
      'JSON object with the value of columns that the file does not have, the same in every row, like ' +
      '{"tenure_months":12,"country":"DE"}.',
    schema: { type: 'string' },
    check: (value) => (readConstants(value) ? null : EXPECTED_PARAMETER.expected_constants()),
  },
  values: jsonObject(
    'JSON object that maps texts of a column to values, regardless of case, or to "-" to leave out the row, like ' +
      '{"device_type":{"Notebook":"laptop","Headset":"-"}}.',
  ),
  register: jsonObject(
    'For a list of devices without orders: JSON object with what the file lacks, like {"customer_id":"acme",' +
      '"starts_on":"2025-01-01","tenure_months":36,"weight_kg":2}; `country` may be stated, too. One order per ' +
      'customer and start is made, of up to 1000 devices each; the same file gives the same orders.',
  ),
}

const isHeaderRow = (text: string): boolean => /^[1-9]\d{0,3}$/.test(text) && Number(text) <= HEADER_ROW_MAX

function readColumns(text: string): Readonly<Record<string, string>> | null {
  const value = readObject(text)
  return value && Object.values(value).every((one) => typeof one === 'string')
    ? (value as Readonly<Record<string, string>>)
    : null
}

/** Numbers become their text, as in a cell. */
function readConstants(text: string): Readonly<Record<string, string>> | null {
  const value = readObject(text)
  if (!value || !Object.values(value).every((one) => typeof one === 'string' || typeof one === 'number')) return null
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, String(one)]))
}

/**
 * The settings that were sent with the file.
 * @throws ApiError where the requested format contradicts the Content-Type, or for what is wrong in JSON objects
 */
export function readSettings(query: Query, contentType: string | undefined): Partial<Settings> {
  const settings: Record<string, unknown> = {}
  for (const name of Object.keys(SETTING_PARAMETERS)) {
    const value = query[name]?.[0]
    if (value !== undefined) settings[name] = value
  }
  if (typeof settings['delimiter'] === 'string') settings['delimiter'] = DELIMITER_NAMES[settings['delimiter']]
  if (typeof settings['columns'] === 'string') settings['columns'] = readColumns(settings['columns'])
  if (typeof settings['header_row'] === 'string') settings['header_row'] = Number(settings['header_row'])
  if (typeof settings['constants'] === 'string') settings['constants'] = readConstants(settings['constants'])
  const problems: Problem[] = []
  for (const [name, problemsOf] of Object.entries(PROBLEMS_OF_OBJECTS)) {
    if (typeof settings[name] !== 'string') continue
    settings[name] = readObject(settings[name])
    problems.push(...problemsOf(settings[name]).map((problem) => ({ ...problem, path: `?${problem.path.slice(1)}` })))
  }
  if (problems.length > 0) throw invalidRequest(problems.slice(0, PROBLEMS_MAX))
  const sentAs = FORMAT_BY_TYPE[contentType?.split(';')[0]?.trim().toLowerCase() ?? '']
  const format = query['format']?.[0] ?? sentAs
  if (sentAs && format !== sentAs) throw invalidRequest([contradiction(format!, sentAs)])
  return { ...settings, ...(format !== undefined && { format }) } as Partial<Settings>
}

const PROBLEMS_OF_OBJECTS = { values: problemsOfValues, register: problemsOfRegister }

const contradiction = (asked: string, sentAs: string): Problem => ({
  path: '?format',
  ...PARAMETER_MESSAGES.format_contradicted({ sent: asked, type: sentAs }),
  suggestions: [sentAs],
})
