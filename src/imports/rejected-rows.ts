// The rows of rejected orders as they are stored, with limits on cells, rows and the complete import.
import type { RejectedRow, ImportCounts } from '../postgres/import-record.ts'
import {
  orderErrorAt,
  truncated,
  withoutSuggestions,
  type FileOrderError,
  type FileRow,
} from '../spreadsheets/file-order.ts'
import { ROW_MESSAGES } from './messages.ts'

/** No value of an order has more than 200 characters, so a truncated cell is rejected when it is imported again. */
const CELL_CHARACTERS_MAX = 2_000
const ROW_CHARACTERS_MAX = 64_000
/** Each cell also counts its quotes and comma: a row may have 16,384 empty ones. */
const CELL_OVERHEAD = 3
/** Errors of a row: the 50 errors that POST lists mostly take less. */
const FAULTS_CHARACTERS_MAX = 24_000
const REASON_CHARACTERS_MAX = 1_000
const VALUE_CHARACTERS_MAX = 200

/** Limits of one import. Of further rows, only the number is stored. */
export const REJECTED_ROWS_STORED_MAX = 100_000
export const REJECTED_ROWS_BYTES_MAX = 64 * 1024 * 1024

/** @param errors errors of the complete order; each row is stored with its own */
export function toRejectedRows(rows: readonly FileRow[], errors: readonly FileOrderError[]): readonly RejectedRow[] {
  const ofRow = Map.groupBy(errors, ({ row }) => row)
  return rows.map(({ number, cells, json }) => {
    const content = json === null ? truncateCells(cells) : truncated(json, ROW_CHARACTERS_MAX)
    const isTruncated = content !== (json ?? cells)
    const own = ofRow.get(number) ?? []
    const errors = isTruncated ? [...own, truncatedRow(number)] : own
    return { row: number, cells: JSON.stringify(content), errors: errorsText(errors), isTruncated }
  })
}

const truncatedRow = (row: number): FileOrderError =>
  orderErrorAt(
    { row, column: null, value: null },
    ROW_MESSAGES.row_not_stored_completely({ cell: CELL_CHARACTERS_MAX, row: ROW_CHARACTERS_MAX }),
  )

/** Returns the same array if nothing is truncated, as in nearly every row. */
function truncateCells(cells: readonly string[]): readonly string[] {
  const stored: string[] = []
  let left = ROW_CHARACTERS_MAX
  let isCut = false
  for (const cell of cells) {
    if (left <= 0) {
      isCut = true
      break
    }
    const text = truncated(cell, Math.min(CELL_CHARACTERS_MAX, left))
    isCut ||= text !== cell
    left -= text.length + CELL_OVERHEAD
    stored.push(text)
  }
  return isCut ? stored : cells
}

/** The first errors of a row, and the number of further errors, as a JSON array. */
function errorsText(errors: readonly FileOrderError[]): string {
  const stored: string[] = []
  let characters = 0
  for (const fault of errors) {
    const text = JSON.stringify(shorten(fault))
    characters += text.length
    if (characters > FAULTS_CHARACTERS_MAX) {
      const message = ROW_MESSAGES.row_has_further_errors({ count: errors.length - stored.length })
      stored.push(JSON.stringify(orderErrorAt({ row: fault.row, column: null, value: null }, message)))
      break
    }
    stored.push(text)
  }
  return `[${stored.join(',')}]`
}

function shorten(error: FileOrderError): FileOrderError {
  const { column, value, reason, suggestion } = error
  const short = {
    ...error,
    column: column && truncated(column, VALUE_CHARACTERS_MAX),
    value: value && truncated(value, VALUE_CHARACTERS_MAX),
    reason: truncated(reason, REASON_CHARACTERS_MAX),
  }
  return suggestion !== null && suggestion.length > REASON_CHARACTERS_MAX ? withoutSuggestions(short) : short
}

export interface StoredRejections {
  readonly rows: readonly RejectedRow[]
  readonly counts: Pick<ImportCounts, 'rowsRejectedStored' | 'rowsRejectedBytes'>
}

/**
 * Selects the rejected orders whose rows are stored: the first ones of a file, each with all its rows, so that they can
 * be corrected and imported. After the first order that does not fit, none is stored.
 * @param before the counts before these orders
 */
export function rowsToStore(
  before: Pick<ImportCounts, 'rowsRejected' | 'rowsRejectedStored' | 'rowsRejectedBytes'>,
  orders: readonly (readonly RejectedRow[])[],
): StoredRejections {
  const rows: RejectedRow[] = []
  let { rowsRejectedStored, rowsRejectedBytes } = before
  if (rowsRejectedStored === before.rowsRejected) {
    for (const order of orders) {
      const bytes = order.reduce((sum, one) => sum + Buffer.byteLength(one.cells) + Buffer.byteLength(one.errors), 0)
      if (rowsRejectedStored + order.length > REJECTED_ROWS_STORED_MAX) break
      if (rowsRejectedBytes + bytes > REJECTED_ROWS_BYTES_MAX) break
      rows.push(...order)
      rowsRejectedStored += order.length
      rowsRejectedBytes += bytes
    }
  }
  return { rows, counts: { rowsRejectedStored, rowsRejectedBytes } }
}
