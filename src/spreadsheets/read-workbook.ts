// Reads the rows of a worksheet, with shared strings and cell formats, each cell as its text in a CSV file.
import { PROBLEMS_MAX } from '../engine/validate-order.ts'
import type { ByteSource } from './byte-source.ts'
import { displayText, isBlank, unescapeFormula, writeNumber, type Decimal } from './cells.ts'
import {
  CELL_FORMATS_MAX,
  CELL_LENGTH_MAX,
  COLUMNS_MAX,
  DESCRIPTION_BYTES_MAX,
  FORMAT_CODE_LENGTH_MAX,
  NAME_LENGTH_MAX,
  NUMBER_FORMATS_MAX,
  RECORD_LENGTH_MAX,
  RELATIONS_MAX,
  ROW_NUMBER_MAX,
  SHEETS_MAX,
  SHEET_TEXT_FREE,
  SHEET_TEXT_RATIO_MAX,
  TABLE_CELLS_MAX,
  TEXTS_BYTES_MAX,
  TEXTS_MAX,
  TEXTS_PART_BYTES_MAX,
} from './limits.ts'
import { parseWholeXml, parseXml } from './read-xml.ts'
import { openZip, type Zip } from './read-zip.ts'
import { NO_ERRORS, UnreadableFile, type Row, type RowError } from './row.ts'

interface SharedStrings {
  /** A text by its number, from 0; undefined where there is none. */
  readonly at: (number: number) => string | undefined
}

const BLOCK_BYTES = 1024 * 1024
const LENGTH_BYTES = 4
/** In memory, of the place of a text. */
const PLACE_BYTES = 8

/** @throws UnreadableFile where there is more text than is taken into memory */
async function readSharedStrings(pieces: AsyncIterable<Buffer>): Promise<SharedStrings> {
  const store = createStore()
  let text = ''
  let [isText, isPhonetic] = [false, false]
  await parseWholeXml(pieces, {
    open: (name) => {
      if (name === 'si') text = ''
      isText = name === 't'
      isPhonetic ||= name === 'rPh'
    },
    text: (part) => {
      if (isText && !isPhonetic && text.length <= CELL_LENGTH_MAX) text += part
    },
    close: (name) => {
      isText = false
      if (name === 'rPh') isPhonetic = false
      if (name === 'si') store.add(plainText(text))
    },
  })
  return store
}

const NO_SHARED_STRINGS: SharedStrings = { at: () => undefined }

/** Workbooks spell a character that XML cannot hold by its number; half of one that takes two is none. */
const NUMBERED = /_x([0-9A-CE-Fa-ce-f][0-9A-Fa-f]{3}|[Dd][0-7][0-9A-Fa-f]{2})_/g

const plainText = (text: string): string =>
  unescapeFormula(
    text.includes('_x') ? text.replace(NUMBERED, (_, code: string) => String.fromCharCode(parseInt(code, 16))) : text,
  )

/** Texts in blocks of bytes, each behind its length. */
function createStore() {
  const blocks: Buffer[] = []
  /** Block and place of each text, as one number. */
  const places: number[] = []
  let used = BLOCK_BYTES
  const bytes = (): number => blocks.length * BLOCK_BYTES + places.length * PLACE_BYTES
  const add = (text: string): void => {
    const length = Buffer.byteLength(text)
    if (text.length > CELL_LENGTH_MAX) {
      const message = `A text of the workbook has more than ${CELL_LENGTH_MAX} characters`
      throw new UnreadableFile(message)
    }
    if (bytes() > TEXTS_BYTES_MAX) {
      const message = `The texts of the workbook take more than ${TEXTS_BYTES_MAX} bytes; save the sheet as CSV`
      throw new UnreadableFile(message)
    }
    if (places.length >= TEXTS_MAX) {
      const message = `The workbook lists more than ${TEXTS_MAX} different texts; save the sheet as CSV`
      throw new UnreadableFile(message)
    }
    if (used + LENGTH_BYTES + length > BLOCK_BYTES) {
      blocks.push(Buffer.allocUnsafeSlow(BLOCK_BYTES))
      used = 0
    }
    const block = blocks.at(-1)!
    places.push((blocks.length - 1) * BLOCK_BYTES + used)
    block.writeUInt32LE(length, used)
    block.write(text, used + LENGTH_BYTES)
    used += LENGTH_BYTES + length
  }
  const at = (number: number): string | undefined => {
    const place = places[number]
    if (place === undefined) return undefined
    const block = blocks[Math.floor(place / BLOCK_BYTES)]!
    const start = (place % BLOCK_BYTES) + LENGTH_BYTES
    return block.toString('utf8', start, start + block.readUInt32LE(start - LENGTH_BYTES))
  }
  return { add, at }
}

export interface Workbook {
  readonly zip: Zip
  /** The parts that hold the sheets, by name, in their sequence. */
  readonly sheets: ReadonlyMap<string, string>
  readonly texts: SharedStrings
  /** Characters that all rows of a sheet may have, in all. */
  readonly textLengthMax: number
  /** By the number of a cell's style: whether it shows a number as a day. */
  readonly showsDay: readonly boolean[]
  readonly countsFrom1904: boolean
}

const WORKBOOK = 'xl/workbook.xml'
const RELATIONS = 'xl/_rels/workbook.xml.rels'

/** @throws UnreadableFile where the file is no workbook, is damaged, or has more in it than is read */
export async function openWorkbook(source: ByteSource): Promise<Workbook> {
  const zip = await openZip(source)
  if (!zip.has(WORKBOOK)) throw new UnreadableFile('The file is a ZIP file, but no XLSX workbook')
  const { sheets, countsFrom1904 } = await readWorkbook(zip)
  const { partOf, partOfType } = await readRelations(zip)
  const [texts, styles] = [partOfType.get('sharedStrings'), partOfType.get('styles')]
  return {
    zip,
    sheets: new Map(
      sheets.flatMap(({ name, id }) => {
        const part = partOf.get(id)
        return part === undefined ? [] : [[name, part] as const]
      }),
    ),
    texts: texts ? await readSharedStrings(zip.read(texts, TEXTS_PART_BYTES_MAX)) : NO_SHARED_STRINGS,
    textLengthMax: Math.max(SHEET_TEXT_FREE, source.bytes * SHEET_TEXT_RATIO_MAX),
    showsDay: styles ? await readStyles(zip, styles) : [],
    countsFrom1904,
  }
}

async function readWorkbook(zip: Zip) {
  const sheets: { readonly name: string; readonly id: string }[] = []
  let countsFrom1904 = false
  await parseWholeXml(zip.read(WORKBOOK, DESCRIPTION_BYTES_MAX), {
    open: (element, attributes) => {
      const { name, date1904 } = attributes
      if (element === 'workbookPr') countsFrom1904 = date1904 === '1' || date1904 === 'true'
      if (element !== 'sheet') return
      const id = Object.entries(attributes).find(([key]) => key.endsWith(':id'))?.[1]
      if (name === undefined || id === undefined) return
      refuseLong('name of a sheet', name)
      refuseLong('name of a relation', id)
      sheets.push({ name, id })
      refuseMany('sheets', sheets.length, SHEETS_MAX)
    },
  })
  return { sheets, countsFrom1904 }
}

/** The parts of the workbook: by the name of their relation, and the first that is there of each type. */
async function readRelations(zip: Zip) {
  const partOf = new Map<string, string>()
  const partOfType = new Map<string, string>()
  await parseWholeXml(zip.read(RELATIONS, DESCRIPTION_BYTES_MAX), {
    open: (element, { Id: id = '', Type: type = '', Target: target = '', TargetMode: mode }) => {
      // Addresses outside the file are as long as they please, and are none of its parts.
      if (element !== 'Relationship' || mode === 'External') return
      refuseLong('name of a relation', id)
      refuseLong('target of a relation', target)
      const part = target.startsWith('/') ? target.slice(1) : `xl/${target}`
      partOf.set(id, part)
      refuseMany('relations', partOf.size, RELATIONS_MAX)
      const shortType = type.slice(type.lastIndexOf('/') + 1)
      if (TYPES_READ.has(shortType) && !partOfType.has(shortType) && zip.has(part)) partOfType.set(shortType, part)
    },
  })
  return { partOf, partOfType }
}

const TYPES_READ: ReadonlySet<string> = new Set(['sharedStrings', 'styles'])

async function readStyles(zip: Zip, part: string): Promise<readonly boolean[]> {
  const isDayOf = new Map<number, boolean>()
  const formats: number[] = []
  let isInCells = false
  await parseWholeXml(zip.read(part, DESCRIPTION_BYTES_MAX), {
    open: (element, { numFmtId = '0', formatCode = '' }) => {
      if (element === 'numFmt') {
        isDayOf.set(Number(numFmtId), isDayCode(formatCode.slice(0, FORMAT_CODE_LENGTH_MAX)))
        refuseMany('number formats', isDayOf.size, NUMBER_FORMATS_MAX)
      }
      if (element === 'cellXfs') isInCells = true
      if (element !== 'xf' || !isInCells) return
      formats.push(Number(numFmtId))
      refuseMany('formats of cells', formats.length, CELL_FORMATS_MAX)
    },
    close: (element) => {
      if (element === 'cellXfs') isInCells = false
    },
  })
  return formats.map((id) => isDayOf.get(id) ?? DAY_FORMATS.has(id))
}

function refuseMany(what: string, count: number, max: number): void {
  if (count > max) throw new UnreadableFile(`The workbook has more than ${max} ${what}; save the sheet as CSV`)
}

function refuseLong(what: string, name: string): void {
  if (name.length <= NAME_LENGTH_MAX) return
  throw new UnreadableFile(`The ${what} in the workbook has ${name.length} characters, and may have ${NAME_LENGTH_MAX}`)
}

/** The formats of days among those that need no code in the file. */
const DAY_FORMATS: ReadonlySet<number> = new Set([
  14, 15, 16, 17, 22, 27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 57, 58,
])

/** What is quoted or in brackets in a code; what is not closed goes on to its end, so that it is read once. */
const QUOTED = /"[^"]*"?|\[[^\]]*\]?|\\.?/g

/** Whether a code like `dd.mm.yyyy` shows a day. */
function isDayCode(code: string): boolean {
  const bare = code.replace(QUOTED, '').toLowerCase()
  return /[yd]/.test(bare) || (bare.includes('m') && !/[hs]/.test(bare))
}

/** What a spreadsheet computes with; digits beyond are traces of binary fractions. */
const DIGITS = 15

/**
 * The rows that hold anything, in batches of a few thousand characters of XML.
 * @param decimal how numbers are written; null leaves out what is a number or a day for itself
 */
export async function* readSheet(
  book: Workbook,
  sheet: string,
  decimal: Decimal | null,
): AsyncGenerator<readonly Row[]> {
  const part = book.sheets.get(sheet)
  if (part === undefined) throw new UnreadableFile(`There is no sheet "${sheet}"`)
  const reading = createReading(book, decimal)
  const parsing = parseXml(book.zip.read(part), reading)
  while (!(await parsing.next()).done) {
    const rows = reading.takeRows()
    if (rows.length > 0) yield rows
  }
  yield reading.takeRows()
}

type Attributes = Readonly<Record<string, string>>

function createReading(book: Workbook, decimal: Decimal | null) {
  let rows: Row[] = []
  let width: number | null = null
  let [number, cells, errors]: [number, string[], RowError[]] = [0, [], []]
  let [at, type, style, text]: [number, string, number, string] = [-1, 'n', 0, '']
  let [isValue, isPhonetic] = [false, false]
  let [length, isFilled] = [0, false]
  const all = { cells: 0, length: 0 }

  const endCell = (): void => {
    if (text === '' || at >= COLUMNS_MAX) return
    // One cell beyond the header shows that there are some.
    const place = width === null ? at : Math.min(at, width)
    fillTo(place)
    cells[place] = cellText(book, type, style, text, decimal)
    // A number that is left out is one all the same.
    isFilled ||= type === 'n' || !isBlank(cells[place])
    length += cells[place].length
    // A few bytes may name a long text, again and again.
    if (length > RECORD_LENGTH_MAX) throw tooLarge(`Row ${number}`, RECORD_LENGTH_MAX, 'characters')
    if (type === 'e' && errors.length < PROBLEMS_MAX) {
      const reason = text.length <= ERROR_LENGTH_MAX ? text : displayText(text)
      errors.push({ at: place, reason: `The cell holds the error ${reason}`, suggestion: null })
    }
  }
  const fillTo = (place: number): void => {
    while (cells.length < place) cells.push('')
  }
  const endRow = (): void => {
    if (isFilled && width !== null) fillTo(width)
    all.cells += cells.length
    all.length += length
    if (all.cells > TABLE_CELLS_MAX) throw tooLarge('The sheet', TABLE_CELLS_MAX, 'cells, rows times columns')
    if (all.length > book.textLengthMax) throw tooLarge('The sheet', book.textLengthMax, 'characters in its cells')
    if (!isFilled) return
    width ??= cells.length
    rows.push({ number, line: null, cells, json: null, errors: errors.length > 0 ? errors : NO_ERRORS })
  }
  return {
    open: (name: string, attributes: Attributes): void => {
      if (name === 'row') {
        number = numberAfter(number, attributes['r'])
        ;[cells, errors, at, length, isFilled] = [[], [], -1, 0, false]
      } else if (name === 'c') {
        at = columnOf(attributes['r']) ?? at + 1
        ;[type, style, text] = [attributes['t'] ?? 'n', Number(attributes['s'] ?? 0), '']
      } else if (name === 'rPh') isPhonetic = true
      isValue = (name === 'v' || name === 't') && !isPhonetic
    },
    text: (part: string): void => {
      if (isValue) text += part
      if (text.length > CELL_LENGTH_MAX) throw longCell(number)
    },
    close: (name: string): void => {
      isValue = false
      if (name === 'c') endCell()
      else if (name === 'row') endRow()
      else if (name === 'rPh') isPhonetic = false
    },
    takeRows: (): readonly Row[] => {
      const taken = rows
      rows = []
      return taken
    },
  }
}

/** Like "#DIV/0!". */
const ERROR_LENGTH_MAX = 20

const tooLarge = (where: string, max: number, what: string): UnreadableFile =>
  new UnreadableFile(`${where} has more than ${max} ${what}; delete what is no order, or split the file`)

const longCell = (row: number): UnreadableFile =>
  new UnreadableFile(`A cell of row ${row} has more than ${CELL_LENGTH_MAX} characters; shorten it`)

/** Rows are told apart, and found again, by their numbers. */
function numberAfter(last: number, written: string | undefined): number {
  const number = Number(written ?? last + 1)
  if (Number.isInteger(number) && number > last && number <= ROW_NUMBER_MAX) return number
  throw new UnreadableFile(
    `The XLSX file is damaged: a row of the number ${displayText(written ?? '')} follows row ${last}`,
  )
}

/** "AB12" is the 28th column, 27 from 0. */
function columnOf(reference: string | undefined): number | null {
  if (!reference) return null
  let column = 0
  for (let at = 0; at < reference.length; at += 1) {
    const letter = reference.charCodeAt(at) - 0x40
    if (letter < 1 || letter > 26) break
    column = column * 26 + letter
  }
  return column - 1
}

function cellText(book: Workbook, type: string, style: number, text: string, decimal: Decimal | null): string {
  switch (type) {
    case 's':
      return book.texts.at(Number(text)) ?? ''
    case 'n':
      return numberText(book, style, text, decimal)
    case 'b':
      return text === '1' ? 'TRUE' : 'FALSE'
    default:
      return plainText(text)
  }
}

function numberText(book: Workbook, style: number, text: string, decimal: Decimal | null): string {
  const value = Number(text)
  if (decimal === null || !Number.isFinite(value)) return decimal === null ? '' : text
  if (book.showsDay[style]) return dayText(value, book.countsFrom1904) ?? writeNumber(value, decimal)
  return writeNumber(Number(value.toPrecision(DIGITS)), decimal)
}

const DAY_MS = 86_400_000
const LAST_SERIAL = 2_958_465

/** A day as spreadsheets count it, as YYYY-MM-DD, with its time where it has one; null for what is no day. */
function dayText(serial: number, countsFrom1904: boolean): string | null {
  if (!(serial >= 0 && serial <= LAST_SERIAL)) return null
  // Spreadsheets have a 29 February 1900, as the first ones had; before it, their count is one less off.
  const first = countsFrom1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, serial < 60 ? 31 : 30)
  const written = new Date(first + Math.round(serial * 86_400) * 1000).toISOString()
  const isMidnight = (Math.round(serial * 86_400) * 1000) % DAY_MS === 0
  return isMidnight ? written.slice(0, 10) : written.slice(0, 19).replace('T', ' ')
}
