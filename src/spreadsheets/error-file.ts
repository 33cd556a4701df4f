// The rows that were not imported, as they stand in the file, with what is wrong: mended, they import again.
import { REASON_COLUMN, SUGGESTION_COLUMN } from './columns.ts'
import type { FileOrderError, FileRow } from './file-order.ts'
import { QUOTES_ADVICE } from './read-csv.ts'
import type { Settings } from './settings.ts'
import { writeCsvRow } from './write-csv.ts'

export type ErrorFileSettings = Pick<Settings, 'format' | 'delimiter'>

/** How the file is called by its kind: JSON lines of JSON lines, CSV in UTF-8 of all others. */
export const errorFileExtension = ({ format }: ErrorFileSettings): '.jsonl' | '.csv' =>
  format === 'jsonl' ? '.jsonl' : '.csv'

/**
 * What the file begins with. The two columns are the first, since a row that is too long or too short would move them.
 * The byte order mark tells spreadsheets that it is UTF-8.
 */
export const errorFileHeader = (settings: ErrorFileSettings, header: readonly string[]): string =>
  settings.format === 'jsonl' ? '' : `\ufeff${csvRow([REASON_COLUMN, SUGGESTION_COLUMN, ...header], settings)}`

/**
 * Stands behind the cells of a row whose quotes are wrong, which written anew would be right: with a cell too many it
 * stays refused, with its whole order, until somebody has seen it.
 */
const UNTIL_MENDED = 'Delete this cell once the quotes of the row are mended'

/** The same behind the cells of a row that is not stored whole: nothing else would tell that cells are missing. */
const NOT_WHOLE = 'This row is not whole: put the row of your file in its place, and delete this cell'

/** A row that is written; of one that is truncated, cells or their ends are missing. */
export type RowToCorrect = FileRow & { readonly isTruncated?: boolean }

/**
 * All rows of one order that was not imported.
 * @param errors of that order; those of a row stand with it
 */
export function errorFileRows(
  settings: ErrorFileSettings,
  rows: readonly RowToCorrect[],
  errors: readonly FileOrderError[],
): string {
  const ofRow = Map.groupBy(errors, ({ row }) => row)
  const text = ({ number, json, cells, isTruncated = false }: RowToCorrect): string => {
    const here = ofRow.get(number) ?? []
    const reason = here.map(withColumn((fault) => fault.reason)).join(' | ')
    const suggestion = here
      .filter((fault) => fault.suggestion !== null)
      .map(withColumn((fault) => fault.suggestion!))
      .join(' | ')
    const hasWrongQuotes = here.some((fault) => fault.suggestion === QUOTES_ADVICE)
    const guard = isTruncated ? [NOT_WHOLE] : hasWrongQuotes ? [UNTIL_MENDED] : []
    if (json === null) return csvRow([reason, suggestion, ...cells, ...guard], settings)
    const remark = { [REASON_COLUMN]: reason, ...(suggestion !== '' && { [SUGGESTION_COLUMN]: suggestion }) }
    return `${reason === '' ? '' : `${JSON.stringify(remark)}\n`}${json}\n`
  }
  return rows.map(text).join('')
}

const withColumn =
  (textOf: (fault: FileOrderError) => string) =>
  (fault: FileOrderError): string =>
    fault.column === null ? textOf(fault) : `${fault.column}: ${textOf(fault)}`

const csvRow = (cells: readonly string[], settings: ErrorFileSettings): string =>
  `${writeCsvRow(cells, settings.delimiter ?? ',')}\r\n`
