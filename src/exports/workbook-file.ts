// Tables as a workbook, XLSX: a sheet of rows for each, streamed, another where it is full, and one that tells of it.
import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import { yieldToEventLoop } from '../tables/source.ts'
import { metadataAsRows, text, type ExportMetadata, type Column, type ExportTable } from './export-table.ts'
import { CHUNK_CHARACTERS, rowsOf, type Rows } from './pieces.ts'
import { SHEET_END, rowWriter, sheetHead } from './sheet-xml.ts'
import { FIXED_PARTS, WORKBOOK, WORKBOOK_RELATIONS, sheetPart, workbookRelations, workbookXml } from './workbook-xml.ts'

/** The rows that a sheet can have, its header among them. */
const ROWS_MAX = 1_048_576
/** In characters: without 64-bit sizes, which not everything reads, a part of a ZIP file has 4 GiB. */
const SHEET_LENGTH_MAX = 2 ** 30

/** A table's rows on their way into sheets, whatever its rows are. */
export interface SheetRows {
  readonly title: string
  /** The XML of a sheet, in pieces, until there are no more rows or it is full. */
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

/** @param rowsMax of a sheet, its header among them */
export const workbookFile = <Row>(table: ExportTable<Row>, rowsMax = ROWS_MAX): AsyncGenerator<Buffer> =>
  sheetsFile(table.about, [sheetRows(table.about.title, table)], rowsMax)

/** Several tables, each read when the one before it is written, and a sheet that tells what they are. */
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

/** @returns what is being read, which nobody else ends where the file is given up */
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
  /** Where a sheet ends it is known whether there is another. */
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

/** The XML of a sheet, in pieces, until there are no more rows or it is full. */
async function* sheet<Row>(columns: readonly Column<Row>[], rows: Rows<Row>, rowsMax: number): AsyncGenerator<string> {
  const write = rowWriter(columns)
  let piece = sheetHead(columns)
  let [number, length] = [1, 0]
  while (number < rowsMax && length < SHEET_LENGTH_MAX) {
    const isThere = rows.isThere()
    // Waiting for what is there already would take longer than writing it.
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
