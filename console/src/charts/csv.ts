// A chart's data as CSV, for programs that compute with it.

export type Cell = string | number | null

export interface ChartTable {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly Cell[])[]
}

const BYTE_ORDER_MARK = '\ufeff'
/** A program for tables may take what begins so for a formula, or what does behind characters that cannot be seen. */
const FORMULA = /^(?:[\t\r\n]|[\s\p{Cc}\p{Cf}\u2800\u3164]*[=+\-@＝＋－＠])/u

/** Numbers in full and with a decimal point, whatever the language: this is to be computed with. */
export function toCsv({ columns, rows }: ChartTable): string {
  const lines = [columns, ...rows].map((cells) => cells.map(toCsvCell).join(','))
  return `${BYTE_ORDER_MARK}${lines.join('\r\n')}\r\n`
}

function toCsvCell(cell: Cell): string {
  if (cell === null) return ''
  if (typeof cell === 'number') return String(cell)
  const safe = FORMULA.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
