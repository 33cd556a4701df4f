// The rows of a CSV file. A row whose quotes are wrong is a faulty row, and the next line is read on as usual.
import { unescapeFormula } from './cells.ts'
import { RECORD_LENGTH_MAX } from './limits.ts'
import { splitRecords, toRows, decodeStream, type RawRecord } from './read-text.ts'
import { NO_ERRORS, type Row, type RowError } from './row.ts'
import type { Delimiter, Encoding } from './settings.ts'
import type { ByteSource } from './source.ts'

const REASONS = {
  unclosed: 'A double quote opens a cell here and is never closed',
  misquoted: 'A double quote stands inside a cell that is not quoted as a whole',
  long: `The row is longer than ${RECORD_LENGTH_MAX} characters`,
}
/** How a row is mended whose quotes do not tell where its cells end. */
export const QUOTES_ADVICE = 'Put the cell in double quotes, and write each double quote inside it twice'

/** The rows, the header among them, in batches that take a millisecond or so. */
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

/** The cells of each record, null where they cannot be told; those with quotes are parsed together, for speed. */
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
    const suggestion = fault === 'long' ? null : QUOTES_ADVICE
    const faults = [{ at: null, reason: REASONS[fault], suggestion }]
    return { number, line, cells: text.split(delimiter), json: null, faults }
  }
  return { number, line, cells: unguarded(cells!), json: null, faults: strangeCells(text, cells!, encoding) }
}

/** Cells as they were before they were written for a spreadsheet; the same array where there is nothing to do. */
function unguarded(cells: readonly string[]): readonly string[] {
  for (const cell of cells) if (cell.charCodeAt(0) === 0x27) return cells.map(unescapeFormula)
  return cells
}

/** What the bytes of a row cannot be: no text of a spreadsheet holds it, so that something damaged the file. */
function strangeCells(text: string, cells: readonly string[], encoding: Encoding): readonly RowError[] {
  if (!text.includes('\ufffd') && !text.includes('\0')) return NO_ERRORS
  return cells.flatMap((cell, at) => [
    ...(cell.includes('\ufffd') ? [{ at, reason: undecodable(encoding), suggestion: null }] : []),
    ...(cell.includes('\0')
      ? [{ at, reason: 'The cell holds a NUL byte', suggestion: cell.replaceAll('\0', '') }]
      : []),
  ])
}

const undecodable = (encoding: Encoding): string =>
  `Some bytes of the cell are not ${encoding}; type the cell anew, or say the encoding of the whole file`
