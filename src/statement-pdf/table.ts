// Lays out tables: rows of cells with line breaks, and a header that is repeated on every page.
import { ASCENT, BODY_WIDTH, COLOURS, LINE_HEIGHT, SIZES } from './theme.ts'
import type { Block, Shape, Table, Tagged } from './layout.ts'
import { breakLines, layoutSingleLine, type TextLine } from './text.ts'

export interface Column {
  readonly title: string
  /** Share of the table's width. */
  readonly share: number
  /** Numbers are right-aligned, so that their digits line up. */
  readonly isNumber?: boolean
}

export interface Row {
  readonly cells: readonly string[]
  /** A total row is set in bold with a line above it. */
  readonly isTotal?: boolean
}

export interface TableMessages {
  readonly title: string
  readonly columns: readonly Column[]
  /** Lines per cell. Longer text is truncated with an ellipsis; the statement's JSON contains it in full. */
  readonly linesMax?: number
}

const PADDING = 4
const PADDING_ABOVE = 3.2
const LINES_MAX = 3
/** A table with at most this number of rows is not split, nor separated from the block above it. */
const SHORT = 16

/** Yields the header and the rows as blocks. Rows may come from a generator of any length. */
export function* tableBlocks(
  { title, columns, linesMax = LINES_MAX }: TableMessages,
  rows: Iterable<Row>,
): Generator<Block> {
  const edges = columns.reduce<number[]>((sums, { share }) => [...sums, sums.at(-1)! + share * BODY_WIDTH], [0])
  const widths: Widths = { columns, edges, linesMax }
  const isShort = Array.isArray(rows) && rows.length <= SHORT
  const table: Table = { title }
  const header = { ...headerPiece(widths), table }
  const { content, backdrop, height } = header
  const shapes = content.children.flatMap((cell) => cell.shapes)
  const repeats: Block = { height, gap: 0, backdrop: [...backdrop, ...shapes] }
  yield header
  let at = 0
  for (const row of rows) {
    const staysWithNext = isShort && ++at < rows.length
    yield { ...rowPiece(row, widths), table, repeats, staysWithNext }
  }
}

function headerPiece(widths: Widths) {
  const { columns, edges } = widths
  const titles = columns.map(({ title }) => title)
  const { height, lines } = breakCells(titles, widths, true)
  const children = lines.map((cell, at) => ({
    tag: 'TH' as const,
    scope: 'Column' as const,
    // Titles are aligned to the bottom, directly above the figures.
    shapes: placeCell(cell, widths, at, height - cellHeight(cell)),
  }))
  const shade: Shape = { kind: 'box', x: 0, y: 0, width: edges.at(-1)!, height, color: COLOURS.shade, pattern: 'solid' }
  const backdrop = [shade, line(edges, height, COLOURS.rule, 0.8)]
  return { height, gap: 8, staysWithNext: true, content: { tag: 'TR' as const, children }, backdrop }
}

function rowPiece({ cells, isTotal = false }: Row, widths: Widths): Block {
  const { edges } = widths
  const { height, lines } = breakCells(cells, widths, isTotal)
  const children = lines.map<Tagged>((cell, at) => {
    const shapes = placeCell(cell, widths, at, 0)
    return at === 0 ? { tag: 'TH', scope: 'Row', shapes } : { tag: 'TD', shapes }
  })
  const backdrop = [isTotal ? line(edges, 0, COLOURS.text, 0.8) : line(edges, height, COLOURS.faint, 0.5)]
  return { height, gap: 0, content: { tag: 'TR', children }, backdrop }
}

const line = (edges: readonly number[], y: number, color: string, width: number): Shape => ({
  kind: 'rule',
  from: [0, y],
  to: [edges.at(-1)!, y],
  color,
  width,
})

const cellHeight = (lines: readonly TextLine[]): number => lines.length * SIZES.table * LINE_HEIGHT + 2 * PADDING_ABOVE

interface Widths {
  readonly columns: readonly Column[]
  /** The left edge of each column, and the right edge of the last. */
  readonly edges: readonly number[]
  readonly linesMax: number
}

const roomOf = ({ edges }: Widths, at: number): number => edges[at + 1]! - edges[at]! - 2 * PADDING

function breakCells(
  cells: readonly string[],
  widths: Widths,
  isBold: boolean,
): { height: number; lines: TextLine[][] } {
  const weight = isBold ? 'bold' : 'regular'
  const lines = cells.map((cell, at) =>
    widths.columns[at]!.isNumber
      ? [layoutSingleLine(cell, weight)]
      : breakLines(cell, weight, SIZES.table, roomOf(widths, at), widths.linesMax),
  )
  return { height: Math.max(...lines.map(cellHeight)), lines }
}

/** A number is never split: if it is too long for its column, it is set in a smaller size. */
function placeCell(lines: readonly TextLine[], widths: Widths, at: number, top: number): Shape[] {
  const { isNumber = false } = widths.columns[at]!
  return lines.map((one, row) => {
    const size = isNumber ? Math.min(SIZES.table, roomOf(widths, at) / one.width) : SIZES.table
    return {
      kind: 'text',
      line: one,
      x: isNumber ? widths.edges[at + 1]! - PADDING - one.width * size : widths.edges[at]! + PADDING,
      baseline: top + PADDING_ABOVE + (row * LINE_HEIGHT + ASCENT) * SIZES.table,
      size,
      color: COLOURS.text,
    }
  })
}
