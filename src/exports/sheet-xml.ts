// Sheets of a workbook as XML: texts, which never run; days and times as such; numbers digit by digit.
import { escapeFormula, unescapeFormula } from '../tables/cells.ts'
import { toPlainCell, type Column, type CellKind } from './export-table.ts'
import { MAIN, STYLE, XML } from './workbook-xml.ts'

/** What a spreadsheet holds in a cell; what is longer ends in an ellipsis. */
const CELL_LENGTH_MAX = 32_767

const WIDTH: Readonly<Record<CellKind, number>> = { text: 18, kilograms: 14, number: 10, day: 12, time: 20 }

/** What a sheet begins with; its first row stays in sight. */
export function sheetHead<Row>(columns: readonly Column<Row>[]): string {
  const widths = columns.map(({ name, kind }, at) => {
    const width = Math.max(WIDTH[kind], Math.min(name.length + 2, 40))
    return `<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1"/>`
  })
  return (
    `${XML}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0">` +
    '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>' +
    `<cols>${widths.join('')}</cols><sheetData>` +
    rowXml(
      1,
      columns.map(({ name }, at) => textXml(columnName(at), 1, name, STYLE.header)),
    )
  )
}

export const SHEET_END = '</sheetData></worksheet>'

const rowXml = (number: number, cells: readonly string[]): string => `<row r="${number}">${cells.join('')}</row>`

/** @returns the text of a row by its number, which counts from 1 */
export function rowWriter<Row>(columns: readonly Column<Row>[]): (row: Row, number: number) => string {
  const letters = columns.map((_, at) => columnName(at))
  return (row, number) =>
    rowXml(
      number,
      columns.map((column, at) => cellXml(column, row, letters[at]!, number)),
    )
}

function cellXml<Row>(column: Column<Row>, row: Row, letters: string, number: number): string {
  if (column.kind === 'text') {
    const value = column.of(row)
    return value === null ? '' : textXml(letters, number, importable(value), STYLE.text)
  }
  const value = toPlainCell(column, row)
  if (value === null) return ''
  if (column.kind === 'kilograms' || column.kind === 'number') return `<c r="${letters}${number}"><v>${value}</v></c>`
  const serial = serialOf(value)
  if (serial < FIRST_SERIAL) return textXml(letters, number, value, STYLE.text)
  return `<c r="${letters}${number}" s="${STYLE[column.kind]}"><v>${serial}</v></c>`
}

/** A text never runs here; but importing takes an apostrophe away where it reads like one of escapeFormula(). */
const importable = (text: string): string => (unescapeFormula(text) === text ? text : escapeFormula(text))

const textXml = (letters: string, number: number, text: string, style: number): string =>
  `<c r="${letters}${number}" s="${style}" t="inlineStr"><is><t xml:space="preserve">${escaped(text)}</t></is></c>`

const DAY_MS = 86_400_000
/** 1 March 1900: before that, spreadsheets count days that there were not. */
const FIRST_SERIAL = 61

/** A day or a time, UTC, as spreadsheets count it. */
const serialOf = (written: string): number => (Date.parse(written) - Date.UTC(1899, 11, 30)) / DAY_MS

const columnName = (column: number): string =>
  column < 26 ? String.fromCharCode(65 + column) : columnName(Math.floor(column / 26) - 1) + columnName(column % 26)

/** What XML cannot hold, and the carriage return, which it would change; and what reads like the sign for that. */
const UNHELD = /[\u0000-\u0008\u000b-\u001f\ufffe\uffff]|_(?=x[0-9A-Fa-f]{4}_)/g

/** A text in XML, as workbooks spell it: a character that XML cannot hold by its number, like _x0001_. */
function escaped(text: string): string {
  const kept = text.length <= CELL_LENGTH_MAX ? text : `${text.slice(0, CELL_LENGTH_MAX - 1)}…`
  return kept
    .toWellFormed()
    .replace(UNHELD, (one) => `_x${one.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
