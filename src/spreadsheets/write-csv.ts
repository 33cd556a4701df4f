// Writes tables as CSV: RFC 4180, UTF-8, decimal points, ISO dates, and no cell that a spreadsheet would run.
import { escapeFormula } from './cells.ts'
import { inChunks } from './chunks.ts'
import { metadataAsRows, toPlainCell, type Column, type ExportTable } from './export-table.ts'
import type { Delimiter } from './settings.ts'

/** A row of texts without line ending, escaped so that no spreadsheet runs them. */
export const writeCsvRow = (cells: readonly string[], delimiter: Delimiter): string =>
  cells.map((cell) => csvTextCell(cell, delimiter)).join(delimiter)

/** Quotes and escapes a text as needed. Reading a file removes both again. */
const csvTextCell = (text: string, delimiter: Delimiter): string => quoteCell(escapeFormula(text), delimiter)

const quoteCell = (cell: string, delimiter: Delimiter): string =>
  cell.includes(delimiter) || /["\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell

const DELIMITER = ','
/** Marks the file as UTF-8 for spreadsheets. */
const MARK = '\ufeff'

/**
 * The header of the last column, which has no cells, describes the file. This shifts neither rows nor other columns.
 */
export async function* csvFile<Row>({ about, columns, pages }: ExportTable<Row>): AsyncGenerator<string> {
  const rows = metadataAsRows(about).map((pair) => pair.join(': '))
  const header = [...columns.map(({ name }) => name), `${ABOUT_COLUMN} ${rows.join(PARTED)}`]
  yield `${MARK}${writeCsvRow(header, DELIMITER)}\r\n`
  yield* inChunks(pages, (row) => `${columns.map((column) => cellOf(column, row)).join(DELIMITER)}${DELIMITER}\r\n`)
}

const ABOUT_COLUMN = 'export.about'
/** No reader splits a file at this separator, unlike at semicolons. */
const PARTED = ' · '

function cellOf<Row>(column: Column<Row>, row: Row): string {
  if (column.kind !== 'text') return toPlainCell(column, row) ?? ''
  const value = column.of(row)
  return value === null ? '' : csvTextCell(value, DELIMITER)
}
