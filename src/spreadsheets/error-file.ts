// Writes the rows that were not imported, as in the file, with their errors. Corrected rows can be imported again.
import { REASON_COLUMN, SUGGESTION_COLUMN } from './columns.ts'
import type { FileRow } from './file-order.ts'
import { CELL_MESSAGES } from './messages.ts'
import type { Settings } from './settings.ts'
import { kindOf, type StoredError } from './stored-messages.ts'
import { writeCsvRow } from './write-csv.ts'

export type ErrorFileSettings = Pick<Settings, 'format' | 'delimiter'>

/** The file extension: `.jsonl` for JSON lines, `.csv` (UTF-8) for all other formats. */
export const errorFileExtension = ({ format }: ErrorFileSettings): '.jsonl' | '.csv' =>
  format === 'jsonl' ? '.jsonl' : '.csv'

/**
 * The start of the file. The two additional columns come first, because rows that are too long or too short would shift
 * them. The byte order mark marks the file as UTF-8 for spreadsheets.
 */
export const errorFileHeader = (settings: ErrorFileSettings, header: readonly string[]): string =>
  settings.format === 'jsonl' ? '' : `\ufeff${csvRow([REASON_COLUMN, SUGGESTION_COLUMN, ...header], settings)}`

/**
 * Appended to the cells of a row with wrong quotes, whose rewritten form would be valid. The extra cell keeps the row
 * and its complete order rejected until a person has checked it.
 */
const UNTIL_MENDED = 'Delete this cell once the quotes of the row are corrected'

/** The same for a row that is not stored completely, because nothing else would show that cells are missing. */
const NOT_WHOLE = 'This row is incomplete: put the row of your file in its place, and delete this cell'

/** A row to be written. If it is truncated, cells or the ends of cells are missing. */
export type RowToCorrect = FileRow & { readonly isTruncated?: boolean }

/**
 * All rows of one order that was not imported.
 * @param errors of that order; those of a row are written with it
 */
export function errorFileRows(
  settings: ErrorFileSettings,
  rows: readonly RowToCorrect[],
  errors: readonly StoredError[],
): string {
  const ofRow = Map.groupBy(errors, ({ row }) => row)
  const text = ({ number, json, cells, isTruncated = false }: RowToCorrect): string => {
    const here = ofRow.get(number) ?? []
    const reason = here.map(withColumn((fault) => fault.reason)).join(' | ')
    const suggestion = here
      .filter((fault) => fault.suggestion !== null)
      .map(withColumn((fault) => fault.suggestion!))
      .join(' | ')
    const hasWrongQuotes = here.some((fault) => QUOTE_CODES.includes(kindOf(fault)))
    const guard = isTruncated ? [NOT_WHOLE] : hasWrongQuotes ? [UNTIL_MENDED] : []
    if (json === null) return csvRow([reason, suggestion, ...cells, ...guard], settings)
    const remark = { [REASON_COLUMN]: reason, ...(suggestion !== '' && { [SUGGESTION_COLUMN]: suggestion }) }
    return `${reason === '' ? '' : `${JSON.stringify(remark)}\n`}${json}\n`
  }
  return rows.map(text).join('')
}

const QUOTE_CODES: readonly string[] = [
  CELL_MESSAGES.quote_unclosed().code,
  CELL_MESSAGES.quote_in_unquoted_cell().code,
]

const withColumn =
  (textOf: (fault: StoredError) => string) =>
  (fault: StoredError): string =>
    fault.column === null ? textOf(fault) : `${fault.column}: ${textOf(fault)}`

const csvRow = (cells: readonly string[], settings: ErrorFileSettings): string =>
  `${writeCsvRow(cells, settings.delimiter ?? ',')}\r\n`
