// An order as read from a file: the POST body, its rows, and the errors found in the file.
import type { OrderTable } from './order-table.ts'

export interface FileOrder {
  /** In the form that POST accepts, with unreadable cells as written; null if no row of the order can be read. */
  readonly body: unknown
  readonly rows: readonly FileRow[]
  /** Errors found regardless of POST's validation. An order with any of them must not be posted. */
  readonly errors: readonly FileOrderError[]
  readonly table: OrderTable
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
  readonly reason: string
  readonly suggestion: string | null
}
