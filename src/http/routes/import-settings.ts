// How the sender of a file says that it is to be read: the parameters beside the file, and what they mean.
import type { Problem } from '../../engine/order.ts'
import { SETTING_VALUES, type Format, type Settings } from '../../spreadsheets/settings.ts'
import { invalidRequest } from '../../contract/errors.ts'
import { repeatedText, type Parameter, type Parameters, type Query } from '../parameters.ts'

const FORMAT_BY_TYPE: Readonly<Record<string, Format>> = {
  'text/csv': 'csv',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
  'application/jsonl': 'jsonl',
  'application/x-ndjson': 'jsonl',
}

/** Of the second kind the name of the file, or what is in it, tells the format. */
export const FILE_TYPES: readonly string[] = [...Object.keys(FORMAT_BY_TYPE), 'application/octet-stream']

/** Characters that a query can hold, but nobody can read there. */
const DELIMITER_NAMES: Readonly<Record<string, string>> = { comma: ',', semicolon: ';', tab: '\t', pipe: '|' }

const choice = (name: keyof Settings, description: string): Parameter => {
  const choices = name === 'delimiter' ? Object.keys(DELIMITER_NAMES) : SETTING_VALUES[name]!
  return {
    description,
    schema: { type: 'string', enum: choices },
    check: (value) =>
      choices.includes(value) ? null : `Must be one of ${choices.join(', ')}; it is "${value.slice(0, 40)}"`,
  }
}

/** What is not sent is found out, and shown with what it was seen by; what cannot be found out is asked for. */
export const SETTING_PARAMETERS: Parameters = {
  format: choice('format', 'Format of the file.'),
  layout: choice('layout', 'items: one row an item; orders: one row an order.'),
  encoding: choice('encoding', 'Encoding of its texts.'),
  delimiter: choice('delimiter', 'What stands between two cells.'),
  decimal: choice('decimal', 'What stands before the fraction of a number.'),
  dates: choice('dates', 'How days are written.'),
  sheet: repeatedText('Sheet of a workbook.'),
  columns: {
    description:
      'JSON object that says of headers of the file which column each is, or "-" to pass it over, like ' +
      '{"Seriennummer":"serial_number","Notiz":"-"}.',
    schema: { type: 'string' },
    check: (value) =>
      readColumns(value) ? null : 'Must be a JSON object whose values are names of columns or "-", as texts',
  },
}

function readColumns(text: string): Readonly<Record<string, string>> | null {
  try {
    const value = JSON.parse(text) as unknown
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject && Object.values(value).every((one) => typeof one === 'string')
      ? (value as Readonly<Record<string, string>>)
      : null
  } catch {
    return null
  }
}

/**
 * What was said of the file.
 * @throws Failure where the format that is asked for is not the one that the file is sent as
 */
export function readSettings(query: Query, contentType: string | undefined): Partial<Settings> {
  const settings: Record<string, unknown> = {}
  for (const name of Object.keys(SETTING_PARAMETERS)) {
    const value = query[name]?.[0]
    if (value !== undefined) settings[name] = value
  }
  if (typeof settings['delimiter'] === 'string') settings['delimiter'] = DELIMITER_NAMES[settings['delimiter']]
  if (typeof settings['columns'] === 'string') settings['columns'] = readColumns(settings['columns'])
  const sentAs = FORMAT_BY_TYPE[contentType?.split(';')[0]?.trim().toLowerCase() ?? '']
  const format = query['format']?.[0] ?? sentAs
  if (sentAs && format !== sentAs) throw invalidRequest([contradiction(format!, sentAs)])
  return { ...settings, ...(format !== undefined && { format }) } as Partial<Settings>
}

const contradiction = (asked: string, sentAs: string): Problem => ({
  path: '?format',
  message: `Is ${asked}, and the Content-Type says ${sentAs}`,
  suggestions: [sentAs],
})
