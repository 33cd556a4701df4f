// A table as a workbook, XLSX: a sheet of rows, streamed, another where it is full, and one that tells what it is.
import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import { letOthersRun } from '../tables/source.ts'
import { aboutAsJson, text, type About, type Column, type ExportTable } from './export-table.ts'
import { PIECE_LENGTH, rowsOf, type Rows } from './pieces.ts'
import { SHEET_END, rowWriter, sheetHead } from './sheet-xml.ts'
import { FIXED_PARTS, WORKBOOK, WORKBOOK_RELATIONS, sheetPart, workbookRelations, workbookXml } from './workbook-xml.ts'

/** The rows that a sheet can have, its header among them. */
const ROWS_MAX = 1_048_576
/** In characters: without 64-bit sizes, which not everything reads, a part of a ZIP file has 4 GiB. */
const SHEET_LENGTH_MAX = 2 ** 30

/** @param rowsMax of a sheet, its header among them */
export async function* workbookFile<Row>(table: ExportTable<Row>, rowsMax = ROWS_MAX): AsyncGenerator<Buffer> {
  const rows = rowsOf(table.pages)
  const zip = new ZipFile()
  const out = zip.outputStream as Readable
  const reading = addParts(zip, table, rows, rowsMax, (error) => out.destroy(error))
  try {
    for await (const piece of out) yield piece as Buffer
  } finally {
    for (const one of reading) one.destroy()
    await rows.end()
  }
}

/** @returns what is being read, which nobody else ends where the file is given up */
function addParts<Row>(
  zip: ZipFile,
  { about, columns }: ExportTable<Row>,
  rows: Rows<Row>,
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
  const addRows = (number: number): void =>
    addSheet(number === 1 ? about.title : `${about.title} ${number}`, rowsAndMore(number))
  /** Where a sheet ends it is known whether there is another. */
  const rowsAndMore = async function* (number: number): AsyncGenerator<string> {
    yield* sheet(columns, rows, rowsMax)
    if (await rows.isThere()) return addRows(number + 1)
    addSheet('About', sheet(ABOUT_COLUMNS, rowsOf([aboutRows(about)]), ROWS_MAX))
    addText(WORKBOOK, workbookXml(titles))
    addText(WORKBOOK_RELATIONS, workbookRelations(titles))
    zip.end()
  }
  for (const [name, xml] of FIXED_PARTS) addText(name, xml)
  addRows(1)
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
    if (piece.length < PIECE_LENGTH) continue
    yield piece
    length += piece.length
    piece = ''
    await letOthersRun()
  }
  yield piece + SHEET_END
}

const ABOUT_COLUMNS: readonly Column<readonly [string, string]>[] = [
  text('about', ([name]) => name),
  text('value', ([, value]) => value),
]

function aboutRows(about: About): readonly (readonly [string, string])[] {
  const { filters, dataset_releases, ...others } = aboutAsJson(about)
  return [
    ...Object.entries(others),
    ['dataset_releases', dataset_releases.join(', ')],
    ...Object.entries(filters).map(([name, values]) => [`filter ${name}`, values.join(', ')] as const),
    ['time zone', 'UTC'],
  ]
}
