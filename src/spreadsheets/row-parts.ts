// Parses one row into the members of its order and its items, with each cell read according to its column.
import { PROBLEMS_MAX } from '../engine/validate-order.ts'
import { CellError, isBlank, readDay, readAmount, readText } from './cells.ts'
import { labelColumn, columnOfPath } from './columns.ts'
import { fillIn, fillInItem } from './constant-columns.ts'
import { orderErrorAt, type FileOrderError, type FileRow } from './file-order.ts'
import { CELL_MESSAGES } from './messages.ts'
import { widthOf, type OrderTable, type CellPosition } from './order-table.ts'
import type { Row, RowError } from './row.ts'
import { readChoice } from './values.ts'
import { replacedCell } from './value-table.ts'

type Members = Record<string, unknown>

export interface ParsedRow {
  readonly order: Members
  readonly metadata: Members
  readonly items: readonly { readonly type?: unknown; readonly config: Members }[]
  readonly errors: readonly FileOrderError[]
}

/**
 * Parses a row. Empty cells become absent members; an unreadable cell keeps its text and gets an error. In a row with
 * thousands of cells, not all errors are reported.
 */
export function parseRow(row: FileRow, table: OrderTable, faultsOfReader: readonly RowError[]): ParsedRow {
  const errors = faultsOfReader.slice(0, PROBLEMS_MAX).map((fault) => cellFault(row, table, fault))
  // A cell with an error from the file reader gets no further errors.
  const addError = (fault: RowError): void => {
    if (errors.length >= PROBLEMS_MAX) return
    if (!faultsOfReader.some(({ at }) => at === fault.at)) errors.push(cellFault(row, table, fault))
  }
  const read = (spots: readonly CellPosition[]) => readSpots(row, spots, table, addError)
  const { constants } = table
  const order = fillIn(read(table.order), constants, 'order')
  const metadata = fillIn(read(table.metadata), constants, 'metadata')
  if (table.layout === 'orders') {
    const items = table.groups.flatMap(({ kind, number, spots }) => {
      return isPresent(row, spots) ? [{ type: kind, config: fillInItem(read(spots), constants, kind, number) }] : []
    })
    return { order, metadata, items, errors }
  }
  const type = typeOfRow(row, table)
  const isItem = hasItem(row, table)
  const items = isItem
    ? [{ ...(type !== '' && { type }), config: fillInItem(read(table.item), constants, type, 1) }]
    : []
  return { order, metadata, items, errors }
}

/** In the layout `items`, the kind of the item as its cell or the constant states it; empty if neither does. */
export function typeOfRow(row: FileRow, table: OrderTable): string {
  const cell = cellOf(row, table.typeAt, table)
  if (!isBlank(cell)) return readChoice('type', cell)
  return String(table.constants.find(({ part }) => part === 'type')?.value ?? '')
}

/** In the layout `items`: true if the row has an item. */
export const hasItem = (row: FileRow, table: OrderTable): boolean =>
  !isBlank(cellOf(row, table.typeAt, table)) || isPresent(row, table.item)

/** The text of a cell, or the value that the sender stated instead of it. */
export const cellOf = ({ cells }: Pick<FileRow, 'cells'>, at: number, { replacements }: OrderTable): string =>
  replacedCell(cells[at] ?? '', at, replacements)

/** True if the row has any cell of the item. */
export const isPresent = ({ cells }: FileRow, spots: readonly CellPosition[]): boolean =>
  spots.some(({ at }) => !isBlank(cells[at] ?? ''))

function readSpots(
  row: FileRow,
  spots: readonly CellPosition[],
  table: OrderTable,
  addError: (fault: RowError) => void,
): Members {
  const members: Members = {}
  for (const { at, name, reads, factor } of spots) {
    const cell = cellOf(row, at, table)
    if (cell === '' || isBlank(cell)) continue
    const value =
      reads === 'text'
        ? textOf(cell, name)
        : reads === 'number'
          ? readAmount(cell, table.decimal, factor)
          : readDay(cell, table.dates)
    if (value instanceof CellError) addError({ at, ...value })
    setMember(members, name, value instanceof CellError ? cell : value)
  }
  return members
}

function textOf(cell: string, name: string): string | CellError {
  const text = readText(cell, name)
  return typeof text === 'string' ? readChoice(name, text) : text
}

/** A label named `__proto__` is an ordinary member. */
function setMember(members: Members, name: string, value: unknown): void {
  if (name === '__proto__') Object.defineProperty(members, name, { value, enumerable: true, writable: true })
  else members[name] = value
}

function cellFault(row: FileRow, { header }: OrderTable, { at, reason, suggestions }: RowError): FileOrderError {
  const cell =
    at === null ? { column: null, value: null } : { column: header[at] ?? null, value: row.cells[at] ?? null }
  return orderErrorAt({ row: row.number, ...cell }, reason, suggestions)
}

/** The row, and the error that prevents reading it as cells of this table, or null. */
export function validityOf(raw: Row, table: OrderTable): { row: FileRow; fault: FileOrderError | null } {
  const { number, line, cells, json, errors } = raw
  const whole = errors.find(({ at }) => at === null) ?? cellCountFault(cells, table)
  // Copied member by member, because a spread takes as long as the rest of this function.
  const row = { number, line, cells, json, isSound: !whole }
  return { row, fault: whole ? cellFault(row, table, whole) : null }
}

function cellCountFault(cells: readonly string[], { header, width, format }: OrderTable): RowError | null {
  if (format === 'csv' && cells.length < width) {
    return countFault(cells.length, width)
  }
  // Even an empty extra cell shifts all cells after the place where it was inserted.
  const length = format === 'csv' && cells.length > header.length ? cells.length : widthOf(cells)
  return length > width ? countFault(length, width) : null
}

const countFault = (cells: number, width: number): RowError => ({
  at: null,
  reason: CELL_MESSAGES.row_cell_count({ cells, width }),
  suggestions: [],
})

/** The header of a member's column, or the name the column would have if the file has none. */
export function headerOfColumn(table: OrderTable, part: 'order' | 'metadata', name: string): string {
  const spot = table[part].find((one) => one.name === name)
  if (spot) return table.header[spot.at]!
  return part === 'metadata' ? labelColumn(name) : columnOfPath('order', name, table.layout)
}
