// Reads the rows of a worksheet, with shared strings and cell formats. Each cell becomes its text in a CSV file.
import type { Message } from '../engine/message.ts'
import { PROBLEMS_MAX } from '../engine/validate-order.ts'
import type { ByteSource } from './byte-source.ts'
import { isBlank, unescapeFormula, type Decimal } from './cells.ts'
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
import { CELL_MESSAGES, FILE_MESSAGES, SETTING_MESSAGES, shownValue } from './messages.ts'
import { parseWholeXml, parseXml } from './read-xml.ts'
import { openZip, type Zip } from './read-zip.ts'
import { NO_ERRORS, UnreadableFile, type Row, type RowError } from './row.ts'
import { builtInStyle, numberText, styleOfCode, type CellStyle } from './workbook-numbers.ts'

interface SharedStrings {
  /** A text by its number, from 0; undefined if there is none. */
  readonly at: (number: number) => string | undefined
}

const BLOCK_BYTES = 1024 * 1024
const LENGTH_BYTES = 4
/** Memory for the position of a text. */
const PLACE_BYTES = 8

/** @throws UnreadableFile if the texts exceed the memory limit */
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

/** Workbooks write a character that XML cannot contain as its number. A single surrogate is not such a character. */
const NUMBERED = /_x([0-9A-CE-Fa-ce-f][0-9A-Fa-f]{3}|[Dd][0-7][0-9A-Fa-f]{2})_/g

const plainText = (text: string): string =>
  unescapeFormula(
    text.includes('_x') ? text.replace(NUMBERED, (_, code: string) => String.fromCharCode(parseInt(code, 16))) : text,
  )

/** Stores texts in blocks of bytes, each preceded by its length. */
function createStore() {
  const blocks: Buffer[] = []
  /** Block and position of each text, as one number. */
  const places: number[] = []
  let used = BLOCK_BYTES
  const bytes = (): number => blocks.length * BLOCK_BYTES + places.length * PLACE_BYTES
  const add = (text: string): void => {
    const length = Buffer.byteLength(text)
    if (text.length > CELL_LENGTH_MAX) {
      throw new UnreadableFile(FILE_MESSAGES.workbook_text_too_long({ max: CELL_LENGTH_MAX }))
    }
    if (bytes() > TEXTS_BYTES_MAX) {
      throw new UnreadableFile(FILE_MESSAGES.workbook_texts_too_large({ max: TEXTS_BYTES_MAX }))
    }
    if (places.length >= TEXTS_MAX) {
      throw new UnreadableFile(FILE_MESSAGES.workbook_too_many_texts({ max: TEXTS_MAX }))
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
  /** The part of each sheet, by sheet name, in order. */
  readonly sheets: ReadonlyMap<string, string>
  readonly texts: SharedStrings
  /** Maximum number of characters in all rows of a sheet. */
  readonly textLengthMax: number
  /** By cell style number. */
  readonly styles: readonly CellStyle[]
  readonly countsFrom1904: boolean
}

const WORKBOOK = 'xl/workbook.xml'
const RELATIONS = 'xl/_rels/workbook.xml.rels'

/** @throws UnreadableFile if the file is not a workbook, is damaged, or exceeds the limits */
export async function openWorkbook(source: ByteSource): Promise<Workbook> {
  const zip = await openZip(source)
  if (!zip.has(WORKBOOK)) throw new UnreadableFile(FILE_MESSAGES.zip_not_xlsx())
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
    styles: styles ? await readStyles(zip, styles) : [],
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
      refuseLong(FILE_MESSAGES.workbook_sheet_name_too_long, name)
      refuseLong(FILE_MESSAGES.workbook_relation_name_too_long, id)
      sheets.push({ name, id })
      refuseMany(FILE_MESSAGES.workbook_too_many_sheets, sheets.length, SHEETS_MAX)
    },
  })
  return { sheets, countsFrom1904 }
}

/** The parts of the workbook: by relation id, and the first existing part of each type. */
async function readRelations(zip: Zip) {
  const partOf = new Map<string, string>()
  const partOfType = new Map<string, string>()
  await parseWholeXml(zip.read(RELATIONS, DESCRIPTION_BYTES_MAX), {
    open: (element, { Id: id = '', Type: type = '', Target: target = '', TargetMode: mode }) => {
      // External addresses may have any length and are not parts of the file.
      if (element !== 'Relationship' || mode === 'External') return
      refuseLong(FILE_MESSAGES.workbook_relation_name_too_long, id)
      refuseLong(FILE_MESSAGES.workbook_relation_target_too_long, target)
      const part = target.startsWith('/') ? target.slice(1) : `xl/${target}`
      partOf.set(id, part)
      refuseMany(FILE_MESSAGES.workbook_too_many_relations, partOf.size, RELATIONS_MAX)
      const shortType = type.slice(type.lastIndexOf('/') + 1)
      if (TYPES_READ.has(shortType) && !partOfType.has(shortType) && zip.has(part)) partOfType.set(shortType, part)
    },
  })
  return { partOf, partOfType }
}

const TYPES_READ: ReadonlySet<string> = new Set(['sharedStrings', 'styles'])

async function readStyles(zip: Zip, part: string): Promise<readonly CellStyle[]> {
  const styleOf = new Map<number, CellStyle>()
  const formats: number[] = []
  let isInCells = false
  await parseWholeXml(zip.read(part, DESCRIPTION_BYTES_MAX), {
    open: (element, { numFmtId = '0', formatCode = '' }) => {
      if (element === 'numFmt') {
        const code = formatCode.slice(0, FORMAT_CODE_LENGTH_MAX)
        styleOf.set(Number(numFmtId), styleOfCode(code))
        refuseMany(FILE_MESSAGES.workbook_too_many_number_formats, styleOf.size, NUMBER_FORMATS_MAX)
      }
      if (element === 'cellXfs') isInCells = true
      if (element !== 'xf' || !isInCells) return
      formats.push(Number(numFmtId))
      refuseMany(FILE_MESSAGES.workbook_too_many_cell_formats, formats.length, CELL_FORMATS_MAX)
    },
    close: (element) => {
      if (element === 'cellXfs') isInCells = false
    },
  })
  return formats.map((id) => styleOf.get(id) ?? builtInStyle(id))
}

function refuseMany(message: (params: { readonly max: number }) => Message, count: number, max: number): void {
  if (count > max) throw new UnreadableFile(message({ max }))
}

type TooLong = (params: { readonly length: number; readonly max: number }) => Message

function refuseLong(message: TooLong, { length }: string): void {
  if (length > NAME_LENGTH_MAX) throw new UnreadableFile(message({ length, max: NAME_LENGTH_MAX }))
}

/**
 * The rows with content, in batches of a few thousand characters of XML.
 * @param decimal format of numbers; null omits the text of cells that are typed as numbers or days
 * @param headerRow the row that determines the width of the table; rows above it have any width
 */
export async function* readSheet(
  book: Workbook,
  sheet: string,
  decimal: Decimal | null,
  headerRow = 1,
): AsyncGenerator<readonly Row[]> {
  const part = book.sheets.get(sheet)
  if (part === undefined) throw new UnreadableFile(SETTING_MESSAGES.sheet_not_found({ sheet: shownValue(sheet) }))
  const reading = createReading(book, decimal, headerRow)
  const parsing = parseXml(book.zip.read(part), reading)
  while (!(await parsing.next()).done) {
    const rows = reading.takeRows()
    if (rows.length > 0) yield rows
  }
  yield reading.takeRows()
}

type Attributes = Readonly<Record<string, string>>

function createReading(book: Workbook, decimal: Decimal | null, headerRow: number) {
  let rows: Row[] = []
  let width: number | null = null
  let [number, cells, errors]: [number, string[], RowError[]] = [0, [], []]
  let [at, type, style, text]: [number, string, number, string] = [-1, 'n', 0, '']
  let [isValue, isPhonetic] = [false, false]
  let [length, isFilled] = [0, false]
  const all = { cells: 0, length: 0 }

  const endCell = (): void => {
    if (text === '' || at >= COLUMNS_MAX) return
    // All cells beyond the header share one cell, which is enough to detect them.
    const place = width === null ? at : Math.min(at, width)
    fillTo(place)
    cells[place] = cellText(book, type, style, text, decimal)
    // A numeric cell counts as content even if its text is omitted.
    isFilled ||= type === 'n' || !isBlank(cells[place])
    length += cells[place].length
    // A few bytes may refer to a long text repeatedly.
    if (length > RECORD_LENGTH_MAX) throw longRow(number)
    if (type === 'e' && errors.length < PROBLEMS_MAX) {
      errors.push({ at: place, reason: CELL_MESSAGES.cell_has_error({ error: shownValue(text) }), suggestions: [] })
    }
  }
  const fillTo = (place: number): void => {
    while (cells.length < place) cells.push('')
  }
  const endRow = (): void => {
    if (isFilled && width !== null) fillTo(width)
    all.cells += cells.length
    all.length += length
    if (all.cells > TABLE_CELLS_MAX)
      throw new UnreadableFile(FILE_MESSAGES.sheet_too_many_cells({ max: TABLE_CELLS_MAX }))
    if (all.length > book.textLengthMax)
      throw new UnreadableFile(FILE_MESSAGES.sheet_too_many_characters({ max: book.textLengthMax }))
    if (!isFilled) return
    if (number >= headerRow) width ??= cells.length
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

const longRow = (row: number): UnreadableFile =>
  new UnreadableFile(FILE_MESSAGES.sheet_row_too_long({ row, max: RECORD_LENGTH_MAX }))

const longCell = (row: number): UnreadableFile =>
  new UnreadableFile(FILE_MESSAGES.sheet_cell_too_long({ row, max: CELL_LENGTH_MAX }))

/** Rows are identified by their numbers, so the numbers must increase. */
function numberAfter(last: number, written: string | undefined): number {
  const number = Number(written ?? last + 1)
  if (Number.isInteger(number) && number > last && number <= ROW_NUMBER_MAX) return number
  throw new UnreadableFile(FILE_MESSAGES.xlsx_row_out_of_order({ row: shownValue(written ?? ''), last }))
}

/** "AB12" is in the 28th column, which has index 27. */
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
