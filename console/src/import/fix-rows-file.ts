// The file of the rows that were refused, taken apart to be mended cell by cell, and put together again.
import type { Schemas } from '../api/client.ts'

type Fault = Schemas['ImportError']

export interface FaultyCell {
  /** Of the file as it was sent. */
  readonly row: number
  readonly column: string
  /** Which cell of which line of the file of errors. */
  readonly line: number
  readonly at: number
  readonly value: string
  readonly reasons: readonly string[]
  readonly suggestion: string | null
}

export interface FixRowsFile {
  readonly lines: readonly (readonly string[])[]
  readonly cells: readonly FaultyCell[]
  /** Errors of rows as such, or of columns that the file has not: these take the file itself. */
  readonly others: readonly Fault[]
}

/**
 * @param text the file of errors: every row with a fault of its own begins with the reason
 * @param errors all errors of its rows, by row
 */
export async function readFixRowsFile(text: string, delimiter: string, errors: readonly Fault[]): Promise<FixRowsFile> {
  const { parse } = await import('csv-parse/browser/esm/sync')
  const lines: string[][] = parse(text, { delimiter, bom: true, relax_column_count: true })
  const [header = []] = lines
  const faulty = lines.flatMap(([reason], line) => (line > 0 && reason !== '' ? [line] : []))
  const numbers = [...new Set(errors.map(({ row }) => row))]
  const cells = new Map<string, FaultyCell>()
  const others: Fault[] = []
  for (const fault of errors) {
    const line = faulty[numbers.indexOf(fault.row)]
    const at = fault.column === null ? -1 : header.indexOf(fault.column)
    if (line === undefined || at === -1) others.push(fault)
    else {
      const key = keyOfCell({ line, at })
      const { reasons = [], suggestion = null } = cells.get(key) ?? {}
      cells.set(key, {
        row: fault.row,
        column: fault.column!,
        line,
        at,
        value: lines[line]![at] ?? '',
        reasons: [...reasons, fault.reason],
        suggestion: suggestion ?? fault.suggestion,
      })
    }
  }
  return { lines, cells: [...cells.values()], others }
}

export const keyOfCell = ({ line, at }: Pick<FaultyCell, 'line' | 'at'>): string => `${line} ${at}`

/** The columns before those of the file: what was wrong and what would be right, which what is mended has not. */
const REMARKS = 2

/** @param mended what is to stand in cells, by keyOfCell() */
export const writeMended = (
  { lines }: FixRowsFile,
  mended: ReadonlyMap<string, string>,
  delimiter: string,
): readonly string[] =>
  lines.map((cells, line) => {
    const texts = cells.map((cell, at) => mended.get(keyOfCell({ line, at })) ?? cell).slice(REMARKS)
    return `${texts.map((text) => quoted(text, delimiter)).join(delimiter)}\r\n`
  })

const quoted = (text: string, delimiter: string): string =>
  text.includes(delimiter) || /["\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
