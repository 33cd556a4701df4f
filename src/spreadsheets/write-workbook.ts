// Writes tables as XLSX with streamed worksheets: a new one whenever one is full, and one that describes the export.
import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import { yieldToEventLoop } from './byte-source.ts'
import { escapeFormula, unescapeFormula } from './cells.ts'
import { CHUNK_CHARACTERS, rowsOf, type Rows } from './chunks.ts'
import {
  metadataAsRows,
  text,
  toPlainCell,
  type CellKind,
  type Column,
  type ExportMetadata,
  type ExportTable,
} from './export-table.ts'

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

const WORKBOOK = 'xl/workbook.xml'
const WORKBOOK_RELATIONS = 'xl/_rels/workbook.xml.rels'
const sheetPart = (number: number): string => `xl/worksheets/sheet${number}.xml`

/** Cell styles by their index in `cellXfs`. The format @ keeps a text a text when it is edited. */
const STYLE = { number: 0, text: 1, day: 2, time: 3, header: 4 } as const

const format = (id: number, font = 0): string =>
  `<xf numFmtId="${id}" fontId="${font}" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"/>`
const font = (weight: string): string => `<font>${weight}<sz val="11"/><name val="Calibri"/></font>`

const STYLES =
  `${XML}<styleSheet xmlns="${MAIN}"><numFmts count="2"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/>` +
  '<numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/></numFmts>' +
  `<fonts count="2">${font('')}${font('<b/>')}</fonts>` +
  '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill>' +
  '</fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
  '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
  `<cellXfs count="5">${format(0)}${format(49)}${format(164)}${format(165)}${format(49, 1)}</cellXfs>` +
  '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>'

/** The parts that are the same in all workbooks. All other `.xml` parts count as worksheets by default. */
const FIXED_PARTS: readonly (readonly [name: string, xml: string])[] = [
  [
    '[Content_Types].xml',
    `${XML}<Types xmlns="${PACKAGE}/content-types">` +
      '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
      `<Default Extension="xml" ContentType="${TYPE}.worksheet+xml"/>` +
      `<Override PartName="/${WORKBOOK}" ContentType="${TYPE}.sheet.main+xml"/>` +
      `<Override PartName="/xl/styles.xml" ContentType="${TYPE}.styles+xml"/></Types>`,
  ],
  ['_rels/.rels', relations([['officeDocument', WORKBOOK]])],
  ['xl/styles.xml', STYLES],
]

function relations(targets: readonly (readonly [type: string, target: string])[]): string {
  const all = targets.map(
    ([type, target], at) => `<Relationship Id="rId${at + 1}" Type="${OFFICE}/${type}" Target="${target}"/>`,
  )
  return `${XML}<Relationships xmlns="${PACKAGE}/relationships">${all.join('')}</Relationships>`
}

/** @param titles of the sheets in order; none may need escaping */
function workbookXml(titles: readonly string[]): string {
  const sheets = titles.map((title, at) => `<sheet name="${title}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`)
  return `${XML}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>${sheets.join('')}</sheets></workbook>`
}

const workbookRelations = (titles: readonly string[]): string =>
  relations([
    ...titles.map((_, at) => ['worksheet', `worksheets/sheet${at + 1}.xml`] as const),
    ['styles', 'styles.xml'] as const,
  ])

/** The maximum length of a cell in spreadsheets. Longer text is truncated with an ellipsis. */
const CELL_LENGTH_MAX = 32_767

const WIDTH: Readonly<Record<CellKind, number>> = { text: 18, kilograms: 14, number: 10, day: 12, time: 20 }

/** The start of a sheet. Its first row is frozen. */
function sheetHead<Row>(columns: readonly Column<Row>[]): string {
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

const SHEET_END = '</sheetData></worksheet>'

const rowXml = (number: number, cells: readonly string[]): string => `<row r="${number}">${cells.join('')}</row>`

/** @returns a function that writes a row with its number, counted from 1 */
function rowWriter<Row>(columns: readonly Column<Row>[]): (row: Row, number: number) => string {
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

/** Text never runs in a workbook, but importing would remove an apostrophe that looks like one of escapeFormula(). */
const importable = (text: string): string => (unescapeFormula(text) === text ? text : escapeFormula(text))

const textXml = (letters: string, number: number, text: string, style: number): string =>
  `<c r="${letters}${number}" s="${style}" t="inlineStr"><is><t xml:space="preserve">${escaped(text)}</t></is></c>`

const DAY_MS = 86_400_000
/** 1 March 1900. Before that, spreadsheets count a day that did not exist. */
const FIRST_SERIAL = 61

/** A day or a time in UTC as a spreadsheet's day number. */
const serialOf = (written: string): number => (Date.parse(written) - Date.UTC(1899, 11, 30)) / DAY_MS

const columnName = (column: number): string =>
  column < 26 ? String.fromCharCode(65 + column) : columnName(Math.floor(column / 26) - 1) + columnName(column % 26)

/**
 * Characters that XML cannot contain, the carriage return, which XML would change, and text that looks like an escape.
 */
const UNHELD = /[\u0000-\u0008\u000b-\u001f\ufffe\uffff]|_(?=x[0-9A-Fa-f]{4}_)/g

/**
 * A text in XML as used in workbooks: a character that XML cannot contain is written as its number, such as _x0001_.
 */
function escaped(text: string): string {
  const shortened = text.length <= CELL_LENGTH_MAX ? text : `${text.slice(0, CELL_LENGTH_MAX - 1)}…`
  return shortened
    .toWellFormed()
    .replace(UNHELD, (one) => `_x${one.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}

/** Maximum number of rows of a sheet, including its header. */
const ROWS_MAX = 1_048_576
/** In characters. Without 64-bit sizes, which not every program reads, a part of a ZIP file is limited to 4 GiB. */
const SHEET_LENGTH_MAX = 2 ** 30

/** The rows of a table to be written into sheets, independent of the row type. */
export interface SheetRows {
  readonly title: string
  /** The XML of a sheet, in chunks, until there are no more rows or the sheet is full. */
  readonly write: (rowsMax: number) => AsyncGenerator<string>
  readonly hasMore: () => boolean | Promise<boolean>
  readonly end: () => Promise<void>
}

export function sheetRows<Row>(title: string, { columns, pages }: Omit<ExportTable<Row>, 'about'>): SheetRows {
  const rows = rowsOf(pages)
  return {
    title,
    write: (rowsMax) => sheet(columns, rows, rowsMax),
    hasMore: () => rows.isThere(),
    end: () => rows.end(),
  }
}

/** @param rowsMax of a sheet, including its header */
export const workbookFile = <Row>(table: ExportTable<Row>, rowsMax = ROWS_MAX): AsyncGenerator<Buffer> =>
  sheetsFile(table.about, [sheetRows(table.about.title, table)], rowsMax)

/** Writes several tables, each read after the previous one has been written, and a sheet that describes them. */
export async function* sheetsFile(
  about: ExportMetadata,
  tables: readonly SheetRows[],
  rowsMax = ROWS_MAX,
): AsyncGenerator<Buffer> {
  const zip = new ZipFile()
  const out = zip.outputStream as Readable
  const reading = addParts(zip, about, tables, rowsMax, (error) => out.destroy(error))
  try {
    for await (const piece of out) yield piece as Buffer
  } finally {
    for (const one of reading) one.destroy()
    for (const table of tables) await table.end()
  }
}

/** @returns the open streams, which the caller must close if the file is abandoned */
function addParts(
  zip: ZipFile,
  about: ExportMetadata,
  tables: readonly SheetRows[],
  rowsMax: number,
  fail: (error: Error) => void,
): readonly Readable[] {
  const options = { mtime: about.exportedAt }
  const titles: string[] = []
  const reading: Readable[] = []
  const addText = (name: string, xml: string): void => zip.addBuffer(Buffer.from(xml), name, options)
  const addSheet = (title: string, content: AsyncGenerator<string>): void => {
    titles.push(title)
    const stream = Readable.from(content, { objectMode: false }).on('error', fail)
    reading.push(stream)
    zip.addReadStream(stream, sheetPart(titles.length), options)
  }
  const addRows = (at: number, number: number): void => {
    const { title } = tables[at]!
    addSheet(number === 1 ? title : `${title} ${number}`, rowsAndMore(at, number))
  }
  /** Only at the end of a sheet is it known whether another one follows. */
  const rowsAndMore = async function* (at: number, number: number): AsyncGenerator<string> {
    const { write, hasMore } = tables[at]!
    yield* write(rowsMax)
    if (await hasMore()) return addRows(at, number + 1)
    if (at + 1 < tables.length) return addRows(at + 1, 1)
    addSheet('About', sheet(ABOUT_COLUMNS, rowsOf([metadataAsRows(about)]), ROWS_MAX))
    addText(WORKBOOK, workbookXml(titles))
    addText(WORKBOOK_RELATIONS, workbookRelations(titles))
    zip.end()
  }
  for (const [name, xml] of FIXED_PARTS) addText(name, xml)
  addRows(0, 1)
  return reading
}

/** The XML of a sheet, in chunks, until there are no more rows or the sheet is full. */
async function* sheet<Row>(columns: readonly Column<Row>[], rows: Rows<Row>, rowsMax: number): AsyncGenerator<string> {
  const write = rowWriter(columns)
  let piece = sheetHead(columns)
  let [number, length] = [1, 0]
  while (number < rowsMax && length < SHEET_LENGTH_MAX) {
    const isThere = rows.isThere()
    // Awaiting a result that is already available would take longer than writing the row.
    if (isThere !== true && !(await isThere)) break
    number += 1
    piece += write(rows.take(), number)
    if (piece.length < CHUNK_CHARACTERS) continue
    yield piece
    length += piece.length
    piece = ''
    await yieldToEventLoop()
  }
  yield piece + SHEET_END
}

const ABOUT_COLUMNS: readonly Column<readonly [string, string]>[] = [
  text('about', ([name]) => name),
  text('value', ([, value]) => value),
]
