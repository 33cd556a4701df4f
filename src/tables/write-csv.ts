// One row of CSV as every file has it that Cradle writes: RFC 4180, and safe to be opened in a spreadsheet.
import { escapeFormula } from './cells.ts'
import type { Delimiter } from './settings.ts'

/** A row of texts, none of which a spreadsheet runs, without its end. */
export const writeCsvRow = (cells: readonly string[], delimiter: Delimiter): string =>
  cells.map((cell) => csvTextCell(cell, delimiter)).join(delimiter)

/** A text in quotes where it needs them, with apostrophes where a spreadsheet would run it; reading takes them away. */
export const csvTextCell = (text: string, delimiter: Delimiter): string => quoteCell(escapeFormula(text), delimiter)

const quoteCell = (cell: string, delimiter: Delimiter): string =>
  cell.includes(delimiter) || /["\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
