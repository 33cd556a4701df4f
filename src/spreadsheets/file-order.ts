// An order as read from a file: the POST body, its rows, and the errors found in the file.
import type { Message, MessageParams, MessageValue } from '../engine/message.ts'
import type { OrderTable } from './order-table.ts'

export interface FileOrder {
  /** In the form that POST accepts, with unreadable cells as written; null if no row of the order can be read. */
  readonly body: unknown
  readonly rows: readonly FileRow[]
  /** Errors found regardless of POST's validation. An order with any of them must not be posted. */
  readonly errors: readonly FileOrderError[]
  readonly table: OrderTable
  /** Its place among the orders of a register, whose rows are not in the sequence of its orders. */
  readonly place?: number
}

export interface FileRow {
  /** As in a spreadsheet, where the header is row 1. For JSON lines, the line number. */
  readonly number: number
  /** The line of the file on which the row begins; null in a workbook. */
  readonly line: number | null
  /** As written in the file. Empty for JSON lines in the layout `orders`. */
  readonly cells: readonly string[]
  /** The line as written, for JSON lines; null for other files. */
  readonly json: string | null
  /** False if cells cannot be assigned to columns. The body contains nothing of such a row. */
  readonly isSound: boolean
}

/** Approximate memory size of a row in bytes, typically 300. Some files have rows of several megabytes. */
export function rowBytes({ cells, json }: Pick<FileRow, 'cells' | 'json'>): number {
  let weight = 150 + (json?.length ?? 0)
  for (const cell of cells) weight += 8 + cell.length
  return weight
}

export interface FileOrderError {
  readonly row: number
  /** The header as written in the file, the member name if the file has no such column, or null for the row itself. */
  readonly column: string | null
  /** The value as written, possibly truncated; null if there is none. */
  readonly value: string | null
  /** The sentence in English. */
  readonly reason: string
  readonly code: string
  /** The values of the sentence, if it has any. */
  readonly params?: MessageParams
  /** What may be correct: one value, or several joined by "or". */
  readonly suggestion: string | null
  /** Each of the values, if there are several. */
  readonly suggestions?: readonly string[]
}

/** Where an error is, and the value there. */
export type ErrorPlace = Pick<FileOrderError, 'row' | 'column' | 'value'>

/** @param suggestions values that may be correct */
export function orderErrorAt(
  { row, column, value }: ErrorPlace,
  { message, code, params }: Message,
  suggestions: readonly string[] = [],
): FileOrderError {
  return {
    row,
    column,
    value,
    reason: message,
    code,
    ...(Object.keys(params).length > 0 && { params: shortenedParams(params) }),
    suggestion: suggestions.length === 0 ? null : suggestions.join(' or '),
    ...(suggestions.length > 1 && { suggestions }),
  }
}

/** The error without what may be correct: if that is too long to be stored, since a truncated value would be wrong. */
export function withoutSuggestions(error: FileOrderError): FileOrderError {
  const { suggestions, ...rest } = error
  return suggestions || error.suggestion !== null ? { ...rest, suggestion: null } : error
}

/** An error may be repeated in up to a thousand rows, so its values are limited like its sentence. */
const PARAM_LENGTH_MAX = 200
const PARAM_ELEMENTS_MAX = 50

function shortenedParams(params: MessageParams): MessageParams {
  const short: Record<string, MessageValue> = {}
  for (const name in params) short[name] = shortenedParam(params[name]!)
  return short
}

function shortenedParam(value: MessageValue): MessageValue {
  if (typeof value === 'number') return value
  if (typeof value === 'object' && !('message' in value)) return value.slice(0, PARAM_ELEMENTS_MAX).map(shortenedPart)
  return shortenedPart(value)
}

function shortenedPart(value: string | Message): string | Message {
  if (typeof value === 'string') return truncated(value, PARAM_LENGTH_MAX)
  return { ...value, message: truncated(value.message, PARAM_LENGTH_MAX), params: shortenedParams(value.params) }
}

/** A text with an ellipsis for what exceeds the length. */
export const truncated = (text: string, lengthMax: number): string =>
  text.length <= lengthMax ? text : `${text.slice(0, lengthMax)}…`
