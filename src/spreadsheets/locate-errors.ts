// Maps validation problems of an order to the row and column of the file.
import type { Problem } from '../engine/order.ts'
import { VALUE_KINDS, columnOfPath, type ValueKind } from './columns.ts'
import { orderErrorAt, withoutSuggestions, type FileOrderError, type FileOrder, type FileRow } from './file-order.ts'
import type { OrderTable, CellPosition } from './order-table.ts'
import { hasItem, headerOfColumn, isPresent, typeOfRow } from './row-parts.ts'
import { isBlank } from './cells.ts'

/**
 * All errors of an order, sorted by row: those of the file, and those that POST's validation finds in its body, unless
 * the file already has an error at the same place.
 * @param problems with JSON pointers into the body
 */
export function locateErrors(order: FileOrder, problems: readonly Problem[]): readonly FileOrderError[] {
  const placed = order.body === null ? [] : problems.map((problem) => faultOf(order, problem))
  const known = new Set(order.errors.map(keyOf))
  return [...order.errors, ...placed.filter((fault) => !known.has(keyOf(fault)))]
    .sort((a, b) => a.row - b.row)
    .map(shortened)
}

/** Enough to identify a cell. */
const VALUE_LENGTH_MAX = 200
/** An error may quote the file and be repeated in its row and in every row it contradicts: up to a thousand times. */
const SENTENCE_LENGTH_MAX = 1_000

function shortened(error: FileOrderError): FileOrderError {
  const { value, reason, suggestion } = error
  const short = {
    ...error,
    value: value?.slice(0, VALUE_LENGTH_MAX) ?? null,
    reason: reason.slice(0, SENTENCE_LENGTH_MAX),
  }
  return suggestion !== null && suggestion.length > SENTENCE_LENGTH_MAX ? withoutSuggestions(short) : short
}

const keyOf = ({ row, column }: FileOrderError): string => `${row} ${column}`

interface Spotted {
  readonly row: FileRow
  readonly column: string | null
  readonly value: string | null
}

function faultOf(order: FileOrder, problem: Problem): FileOrderError {
  const { row, column, value } = spotOf(order, problem.path)
  return orderErrorAt({ row: row.number, column, value }, problem, problem.suggestions)
}

function spotOf(order: FileOrder, path: string): Spotted {
  const { rows, table } = order
  const tokens = path.split('/').slice(1).map(unescapePointer)
  const first = rows.find(({ isSound }) => isSound) ?? rows[0]!
  if (table.format === 'jsonl' && table.layout === 'orders') {
    return { row: first, column: path === '' ? null : path, value: valueAt(order.body, tokens) }
  }
  const [part, name = '', , member = ''] = tokens
  if (part === 'items') return spotOfItem(order, Number(name), tokens[2] === 'type' ? 'type' : member)
  if (part === 'metadata' && name !== '') return spotOfMember(first, table, 'metadata', name)
  return part === undefined ? { row: first, column: null, value: null } : spotOfMember(first, table, 'order', part)
}

const unescapePointer = (token: string): string => token.replaceAll('~1', '/').replaceAll('~0', '~')

function spotOfMember(row: FileRow, table: OrderTable, part: 'order' | 'metadata', name: string): Spotted {
  const spot = table[part].find((one) => one.name === name)
  return { row, column: headerOfColumn(table, part, name), value: written(row, spot) }
}

const written = ({ cells }: FileRow, spot: Pick<CellPosition, 'at'> | undefined): string | null => {
  const cell = spot ? (cells[spot.at] ?? '') : ''
  return isBlank(cell) ? null : cell
}

function spotOfItem({ rows, table }: FileOrder, position: number, name: string): Spotted {
  const sound = rows.filter(({ isSound }) => isSound)
  if (table.layout === 'orders') return spotInGroup(sound, table, position, name)
  const items = sound.filter((row) => hasItem(row, table))
  const row = items[position] ?? sound[0]!
  if (name === '') return { row, column: null, value: null }
  if (name === 'type')
    return { row, column: table.header[table.typeAt] ?? 'type', value: written(row, { at: table.typeAt }) }
  const type = typeOfRow(row, table) as ValueKind
  const kind = VALUE_KINDS.includes(type) ? type : 'product'
  // `country` is a member of both the product and the order; the item's column has another name.
  const spot = table.item.find((one) => one.name === name)
  return { row, column: spot ? table.header[spot.at]! : columnOfPath(kind, name, 'items'), value: written(row, spot) }
}

function spotInGroup(rows: readonly FileRow[], table: OrderTable, position: number, name: string): Spotted {
  const groups = rows.flatMap((row) =>
    table.groups.flatMap((group) => (isPresent(row, group.spots) ? [{ row, group }] : [])),
  )
  const { row, group } = groups[position] ?? { row: rows[0]!, group: null }
  if (!group || name === '') return { row, column: null, value: null }
  const spot = group.spots.find((one) => one.name === name)
  const column = spot ? table.header[spot.at]! : columnOfPath(group.kind, name, 'orders', group.number)
  return { row, column, value: written(row, spot) }
}

function valueAt(body: unknown, tokens: readonly string[]): string | null {
  let value = body
  for (const token of tokens) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, token)) return null
    value = (value as Readonly<Record<string, unknown>>)[token]
  }
  return value === undefined ? null : JSON.stringify(value)
}
