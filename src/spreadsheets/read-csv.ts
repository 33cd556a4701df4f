// Reads the rows of a CSV file. A row with wrong quotes is rejected, and reading continues on the next line.
import { CsvError, parse } from 'csv-parse/sync'
import { chunksOf, type ByteSource } from './byte-source.ts'
import { unescapeFormula } from './cells.ts'
import { RECORD_LENGTH_MAX } from './limits.ts'
import { CELL_MESSAGES } from './messages.ts'
import { NO_ERRORS, type Row, type RowError } from './row.ts'
import type { Delimiter, Encoding } from './settings.ts'

/** The text of a file without its byte order mark. U+FFFD replaces bytes that are invalid in the encoding. */
export async function* decodeStream(source: ByteSource, encoding: Encoding): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding)
  for await (const piece of chunksOf(source)) yield decoder.decode(piece, { stream: true })
  yield decoder.decode()
}

/** A part of the text that is read as one row. */
export interface RawRecord {
  readonly text: string
  readonly line: number
  /** The number of lines it occupies. */
  readonly lines: number
  readonly hasQuotes: boolean
  /** Why the record cannot be read. Its text is then only its first line. */
  readonly fault: keyof typeof REASONS | null
}

/** Limits of a batch, between which other work can run: a number of records, or fewer if they reach the length. */
const BATCH = 32
const BATCH_LENGTH = 64 * 1024

/**
 * The records of a text, batch by batch.
 * @param delimiter of cells whose quotes may contain line breaks; null if every line is a record
 */
export async function* splitRecords(
  texts: AsyncIterable<string>,
  delimiter: Delimiter | null,
): AsyncGenerator<readonly RawRecord[]> {
  let rest = ''
  let line = 1
  let isPassing = false
  let wanted = 0
  for await (const text of withEnd(texts)) {
    rest += text ?? ''
    if (text !== null && rest.length < wanted) continue
    if (isPassing) {
      const end = rest.indexOf('\n')
      rest = end === -1 ? '' : rest.slice(end + 1)
      isPassing = end === -1
    }
    const cutter = createCutter(rest, line, delimiter, text === null)
    for (let batch = cutter.cut(); batch.length > 0; batch = cutter.cut()) yield batch
    ;({ rest, line } = cutter.left())
    // An open record is searched again only when its length has doubled, not with every new piece.
    wanted = Math.min(2 * rest.length, RECORD_LENGTH_MAX + 1)
    if (rest.length > RECORD_LENGTH_MAX && !rest.includes('\n')) {
      yield [{ text: rest.slice(0, 200), line, lines: 1, hasQuotes: false, fault: 'long' }]
      rest = ''
      line += 1
      isPassing = true
    }
  }
}

/** The texts, then null. */
async function* withEnd(texts: AsyncIterable<string>): AsyncGenerator<string | null> {
  yield* texts
  yield null
}

type Wrong = RawRecord['fault']

function createCutter(text: string, firstLine: number, delimiter: Delimiter | null, isLast: boolean) {
  let at = 0
  let line = firstLine
  let quote = -1

  /** The first double quote at or after a position; the length of the text if there is none. */
  const quoteFrom = (position: number): number => {
    if (quote < position) quote = text.indexOf('"', position)
    if (quote === -1) quote = text.length
    return quote
  }
  const lineEnd = (position: number): number => {
    const end = text.indexOf('\n', position)
    return end === -1 && isLast ? text.length : end
  }
  const take = (end: number, lines: number, hasQuotes: boolean, fault: Wrong = null) => {
    const stop = withoutReturns(text, at, end)
    const record: RawRecord = { text: text.slice(at, stop), line, lines, hasQuotes, fault }
    at = end + 1
    line += lines
    return record
  }
  /**
   * A record with quotes continues until their number is even. If that fails, its first line is reported as an error.
   */
  const takeQuoted = (firstEnd: number): RawRecord | null => {
    const firstQuote = quote
    const record = seekEnd(firstEnd)
    // The search has passed quotes of later records.
    quote = firstQuote
    return record
  }
  const seekEnd = (firstEnd: number): RawRecord | null => {
    let lines = 1
    let isOpen = false
    for (let end = firstEnd, from = at; end !== -1 && end - at <= RECORD_LENGTH_MAX; lines += 1) {
      for (let q = quoteFrom(from); q < end; q = quoteFrom(q + 1)) isOpen = !isOpen
      if (!isOpen) {
        const isRight = hasRightQuotes(text.slice(at, withoutReturns(text, at, end)), delimiter!)
        return isRight ? take(end, lines, true) : takeFaulty(firstEnd, 'misquoted')
      }
      if (end >= text.length) return isLast ? takeFaulty(firstEnd, 'unclosed') : null
      from = end + 1
      end = lineEnd(from)
      if (end === -1 && text.length - at <= RECORD_LENGTH_MAX) return null
    }
    return takeFaulty(firstEnd, 'unclosed')
  }
  const takeFaulty = (end: number, fault: Wrong): RawRecord => take(end, 1, true, fault)
  const next = (): RawRecord | null => {
    if (at >= text.length) return null
    const end = lineEnd(at)
    if (end === -1) return null
    return delimiter === null || quoteFrom(at) >= end ? take(end, 1, false) : takeQuoted(end)
  }
  return {
    cut: (): readonly RawRecord[] => {
      const [records, start]: [RawRecord[], number] = [[], at]
      while (records.length < BATCH && at - start < BATCH_LENGTH) {
        const record = next()
        if (!record) break
        records.push(record)
      }
      return records
    },
    left: () => ({ rest: text.slice(at), line }),
  }
}

/** The end of a line without its CRs. There are two if line endings were converted once too often. */
function withoutReturns(text: string, from: number, end: number): number {
  let stop = end
  while (stop > from && text.charCodeAt(stop - 1) === 0x0d) stop -= 1
  return stop
}

/**
 * True if each quote of a record opens or closes a cell, or is one of two inside a quoted cell. This is checked before
 * parsing, because a parser that throws takes thousands of times as long as reading the few bytes of a line.
 */
function hasRightQuotes(text: string, delimiter: Delimiter): boolean {
  for (let at = 0; ;) {
    const next = text[at] === '"' ? endOfQuoted(text, at) : endOfBare(text, at, delimiter)
    if (next === -1 || (next < text.length && text[next] !== delimiter)) return false
    if (next >= text.length) return true
    at = next + 1
  }
}

/** The position after the closing quote of the cell; -1 if there is none. */
function endOfQuoted(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote !== -1; quote = text.indexOf('"', quote + 2))
    if (text[quote + 1] !== '"') return quote + 1
  return -1
}

/** The delimiter after a cell without quotes, or the end; -1 if the cell contains a quote. */
function endOfBare(text: string, start: number, delimiter: Delimiter): number {
  let at = start
  while (at < text.length && text[at] !== delimiter && text[at] !== '"') at += 1
  return text[at] === '"' ? -1 : at
}

/** The cells of the records; null if the quotes of any record are wrong. */
function toRows(texts: readonly string[], delimiter: Delimiter): readonly (readonly string[])[] | null {
  try {
    const rows = parse(texts.join('\n'), { delimiter, relax_column_count: true, record_delimiter: '\n' })
    return rows.length === texts.length ? rows : null
  } catch (error) {
    if (error instanceof CsvError) return null
    throw error
  }
}

const REASONS = {
  unclosed: CELL_MESSAGES.quote_unclosed(),
  misquoted: CELL_MESSAGES.quote_in_unquoted_cell(),
  long: CELL_MESSAGES.row_too_long({ max: RECORD_LENGTH_MAX }),
}

/** The rows, including the header, in batches that take about a millisecond. */
export async function* readCsv(
  source: ByteSource,
  encoding: Encoding,
  delimiter: Delimiter,
): AsyncGenerator<readonly Row[]> {
  yield* readCsvText(decodeStream(source, encoding), encoding, delimiter)
}

export async function* readCsvText(
  texts: AsyncIterable<string>,
  encoding: Encoding,
  delimiter: Delimiter,
): AsyncGenerator<readonly Row[]> {
  let number = 0
  for await (const records of splitRecords(texts, delimiter)) {
    yield quotedCells(records, delimiter).map((cells, at) => {
      const record = records[at]!
      number += 1
      return toRow(record, cells, number, encoding, delimiter)
    })
  }
}

/** The cells of each record; null if they cannot be determined. Records with quotes are parsed together, for speed. */
function quotedCells(records: readonly RawRecord[], delimiter: Delimiter): readonly (readonly string[] | null)[] {
  const texts = records.filter(({ hasQuotes, fault }) => hasQuotes && !fault).map(({ text }) => text)
  const together = texts.length > 0 ? toRows(texts, delimiter) : []
  let at = 0
  return records.map(({ text, hasQuotes, fault }) => {
    if (fault) return null
    if (!hasQuotes) return text.split(delimiter)
    const cells = together ? together[at] : toRows([text], delimiter)?.[0]
    at += 1
    return cells ?? null
  })
}

function toRow(
  record: RawRecord,
  cells: readonly string[] | null,
  number: number,
  encoding: Encoding,
  delimiter: Delimiter,
): Row {
  const { line, text } = record
  const fault = record.fault ?? (cells ? null : 'misquoted')
  if (fault) {
    const errors = [{ at: null, reason: REASONS[fault], suggestions: [] }]
    return { number, line, cells: text.split(delimiter), json: null, errors }
  }
  return { number, line, cells: unguarded(cells!), json: null, errors: strangeCells(text, cells!, encoding) }
}

/** Cells without the escapes added for spreadsheets. Returns the same array if there is nothing to do. */
function unguarded(cells: readonly string[]): readonly string[] {
  for (const cell of cells) if (cell.charCodeAt(0) === 0x27) return cells.map(unescapeFormula)
  return cells
}

/** Errors for characters that no spreadsheet writes and that therefore show a damaged file. */
function strangeCells(text: string, cells: readonly string[], encoding: Encoding): readonly RowError[] {
  if (!text.includes('\ufffd') && !text.includes('\0')) return NO_ERRORS
  return cells.flatMap((cell, at) => [
    ...(cell.includes('\ufffd') ? [{ at, reason: CELL_MESSAGES.cell_undecodable({ encoding }), suggestions: [] }] : []),
    ...(cell.includes('\0')
      ? [{ at, reason: CELL_MESSAGES.cell_has_nul(), suggestions: [cell.replaceAll('\0', '')] }]
      : []),
  ])
}
