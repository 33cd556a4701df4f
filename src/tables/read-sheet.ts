// The rows of one sheet of a workbook, each cell as the text that stands for it in a CSV file.
import { PROBLEMS_MAX } from '../engine/validate-order.ts'
import { isBlank, displayText, writeNumber, type Decimal } from './cells.ts'
import { CELL_LENGTH_MAX, COLUMNS_MAX, RECORD_LENGTH_MAX, ROW_NUMBER_MAX, TABLE_CELLS_MAX } from './limits.ts'
import { parseXml } from './read-xml.ts'
import { NO_ERRORS, UnreadableFile, type Row, type RowError } from './row.ts'
import { plainText } from './shared-strings.ts'
import type { Workbook } from './workbook.ts'

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
  let [number, cells, faults]: [number, string[], RowError[]] = [0, [], []]
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
    if (type === 'e' && faults.length < PROBLEMS_MAX) {
      const reason = text.length <= ERROR_LENGTH_MAX ? text : displayText(text)
      faults.push({ at: place, reason: `The cell holds the error ${reason}`, suggestion: null })
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
    rows.push({ number, line: null, cells, json: null, faults: faults.length > 0 ? faults : NO_ERRORS })
  }
  return {
    open: (name: string, attributes: Attributes): void => {
      if (name === 'row') {
        number = numberAfter(number, attributes['r'])
        ;[cells, faults, at, length, isFilled] = [[], [], -1, 0, false]
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
