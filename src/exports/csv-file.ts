// A table as CSV: UTF-8, with commas, decimal points and days as YYYY-MM-DD, in cells that no spreadsheet runs.
import { csvTextCell, writeCsvRow } from '../tables/write-csv.ts'
import { metadataAsRows, toPlainCell, type Column, type ExportTable } from './export-table.ts'
import { inChunks } from './pieces.ts'

const DELIMITER = ','
/** Tells spreadsheets that it is UTF-8. */
const MARK = '\ufeff'

/** The last column has no cells: its header tells what the file is, where neither rows nor other columns are moved. */
export async function* csvFile<Row>({ about, columns, pages }: ExportTable<Row>): AsyncGenerator<string> {
  const told = metadataAsRows(about).map((pair) => pair.join(': '))
  const header = [...columns.map(({ name }) => name), `${ABOUT_COLUMN} ${told.join(PARTED)}`]
  yield `${MARK}${writeCsvRow(header, DELIMITER)}\r\n`
  yield* inChunks(pages, (row) => `${columns.map((column) => cellOf(column, row)).join(DELIMITER)}${DELIMITER}\r\n`)
}

const ABOUT_COLUMN = 'export.about'
/** Nothing cuts a file there, unlike at semicolons. */
const PARTED = ' · '

function cellOf<Row>(column: Column<Row>, row: Row): string {
  if (column.kind !== 'text') return toPlainCell(column, row) ?? ''
  const value = column.of(row)
  return value === null ? '' : csvTextCell(value, DELIMITER)
}
