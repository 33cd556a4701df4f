// The file of rejected rows: parsed to be corrected cell by cell, and written again.
import type { Schemas } from '../api/client.ts'
import type { ServiceMessage } from '../service-texts/messages.ts'
import { messageOf, suggestionsOf } from './cell-text.tsx'

type RowError = Schemas['ImportError']

export interface WrongCell {
  /** Row in the file as it was sent. */
  readonly row: number
  readonly column: string
  /** Position in the file of rejected rows. */
  readonly line: number
  readonly at: number
  readonly value: string
  readonly reasons: readonly ServiceMessage[]
  readonly suggestions: readonly string[]
}

export interface FixRowsFile {
  readonly lines: readonly (readonly string[])[]
  readonly cells: readonly WrongCell[]
  /** Errors of complete rows or of missing columns, which can only be corrected in the file. */
  readonly others: readonly RowError[]
}

/**
 * @param text the file of rejected rows: each row with an error of its own begins with the reason
 * @param errors all errors of its rows, by row
 */
export async function readFixRowsFile(
  text: string,
  delimiter: string,
  errors: readonly RowError[],
): Promise<FixRowsFile> {
  const { parse } = await import('csv-parse/browser/esm/sync')
  const lines: string[][] = parse(text, { delimiter, bom: true, relax_column_count: true })
  const [header = []] = lines
  const linesWithErrors = lines.flatMap(([reason], line) => (line > 0 && reason !== '' ? [line] : []))
  const rows = [...new Set(errors.map(({ row }) => row))]
  const cells = new Map<string, WrongCell>()
  const others: RowError[] = []
  for (const error of errors) {
    const line = linesWithErrors[rows.indexOf(error.row)]
    const at = error.column === null ? -1 : header.indexOf(error.column)
    if (line === undefined || at === -1) others.push(error)
    else {
      const key = keyOfCell({ line, at })
      const { reasons = [], suggestions = [] } = cells.get(key) ?? {}
      cells.set(key, {
        row: error.row,
        column: error.column!,
        line,
        at,
        value: lines[line]![at] ?? '',
        reasons: [...reasons, messageOf(error)],
        suggestions: [...new Set([...suggestions, ...suggestionsOf(error)])],
      })
    }
  }
  return { lines, cells: [...cells.values()], others }
}

export const keyOfCell = ({ line, at }: Pick<WrongCell, 'line' | 'at'>): string => `${line} ${at}`

/** The columns before those of the file, with reasons and suggestions: corrected rows are sent without them. */
const ADDED_COLUMNS = 2

/** @param corrected the values of corrected cells, by keyOfCell() */
export const writeCorrected = (
  { lines }: FixRowsFile,
  corrected: ReadonlyMap<string, string>,
  delimiter: string,
): readonly string[] =>
  lines.map((cells, line) => {
    const texts = cells.map((cell, at) => corrected.get(keyOfCell({ line, at })) ?? cell).slice(ADDED_COLUMNS)
    return `${texts.map((text) => quoted(text, delimiter)).join(delimiter)}\r\n`
  })

const quoted = (text: string, delimiter: string): string =>
  text.includes(delimiter) || /["\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
