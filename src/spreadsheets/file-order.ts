// An order as a file has it: POST's body, the rows that it stands in, and what the file itself has wrong.
import type { OrderTable } from './order-table.ts'

export interface FileOrder {
  /** As POST takes it, with cells that cannot be read as they are written; null where no row of it can be read. */
  readonly body: unknown
  readonly rows: readonly FileRow[]
  /** What is wrong whatever POST says; an order with any is not to be posted. */
  readonly errors: readonly FileOrderError[]
  readonly table: OrderTable
}

export interface FileRow {
  /** As a spreadsheet counts; the header is 1. Of JSON lines: the line. */
  readonly number: number
  /** The line of the file on which it begins; null in a workbook. */
  readonly line: number | null
  /** As they are written in the file; of JSON lines in the layout `orders`: none. */
  readonly cells: readonly string[]
  /** The line as it stands, of JSON lines; null of other files. */
  readonly json: string | null
  /** False where it cannot be told what is in which column: nothing of such a row is in the body. */
  readonly isSound: boolean
}

/** Roughly the bytes of memory that a row takes, mostly some 300: there are files whose rows take megabytes. */
export function rowBytes({ cells, json }: Pick<FileRow, 'cells' | 'json'>): number {
  let weight = 150 + (json?.length ?? 0)
  for (const cell of cells) weight += 8 + cell.length
  return weight
}

export interface FileOrderError {
  readonly row: number
  /** The header as it stands in the file, a member's name where the file has no such column; null: the row as such. */
  readonly column: string | null
  /** As it is written, or how that begins; null where there is none. */
  readonly value: string | null
  readonly reason: string
  readonly suggestion: string | null
}
