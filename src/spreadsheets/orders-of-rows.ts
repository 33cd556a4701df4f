// Rows into orders, in the layout of one row an item: rows that stand together and name one order are that order.
import { PROBLEMS_MAX } from '../engine/validate-order.ts'
import { isBlank, displayText } from './cells.ts'
import { rowBytes, type FileOrderError, type FileOrder, type FileRow } from './file-order.ts'
import type { OrderTable } from './order-table.ts'
import { headerOfColumn, parseRow, type ParsedRow, validityOf } from './row-parts.ts'
import type { Row } from './row.ts'

/** More rows than the largest order has; what goes on longer is handed on in parts, each at fault. */
const ROWS_MAX = 2_000
/** What is longer is no member of an order, and would be repeated for every row. */
const SUGGESTED_LENGTH_MAX = 200
/** In bytes of memory: many times what POST takes as one order. */
const WEIGHT_MAX = 16 * 1024 * 1024

export interface RowGrouping {
  /** Takes a row; answers the order that is complete by that, if one is. */
  readonly add: (row: Row) => FileOrder | null
  /** The last order, when there are no more rows. */
  readonly end: () => FileOrder | null
}

interface Key {
  customer: string
  order: string
}

interface Gathered extends Key {
  readonly rows: FileRow[]
  readonly items: unknown[]
  readonly errors: FileOrderError[]
  /** Of the first row that can be read. */
  head: { readonly row: FileRow; readonly parts: ParsedRow } | null
  readonly isContinued: boolean
  weight: number
}

export function createRowGrouping(table: OrderTable): RowGrouping {
  let gathered: Gathered | null = null
  const finish = (next: Gathered | null): FileOrder | null => {
    const done = gathered
    gathered = next
    return done && toOrder(done, table)
  }
  return {
    add: (raw) => {
      const { row, fault } = validityOf(raw, table)
      const key = keyOf(row, table)
      let done: FileOrder | null = null
      if (!gathered || !isOfOrder(key, gathered)) done = finish(begin(key, false))
      else if (isFull(gathered)) done = finish(begin(gathered, true))
      gather(gathered!, row, fault ?? parseRow(row, table, raw.errors), key, table)
      return done
    },
    end: () => finish(null),
  }
}

const begin = ({ customer, order }: Key, isContinued: boolean): Gathered => ({
  customer,
  order,
  rows: [],
  items: [],
  errors: [],
  head: null,
  isContinued,
  weight: 0,
})

const isFull = ({ rows, weight }: Gathered): boolean => rows.length >= ROWS_MAX || weight >= WEIGHT_MAX

function keyOf({ cells, isSound }: FileRow, { customerAt, orderAt }: OrderTable): Key {
  const [customer, order] = [cells[customerAt] ?? '', cells[orderAt] ?? '']
  // The quotes of a row that could not be taken apart still stand around its cells.
  return isSound ? { customer, order } : { customer: unquoted(customer), order: unquoted(order) }
}

const unquoted = (cell: string): string => cell.replace(/^"|"$/g, '')

/** A row that does not say of which order it is goes with its neighbour: at fault, both wait to be mended. */
const isOfOrder = (key: Key, gathered: Key): boolean =>
  isLike(key.customer, gathered.customer) && isLike(key.order, gathered.order)

const isLike = (one: string, other: string): boolean => one === other || isBlank(one) || isBlank(other)

function gather(into: Gathered, row: FileRow, read: ParsedRow | FileOrderError, key: Key, table: OrderTable): void {
  const isFirst = into.rows.length === 0
  into.rows.push(row)
  into.weight += rowBytes(row)
  if (isBlank(into.customer)) into.customer = key.customer
  if (isBlank(into.order)) into.order = key.order
  if ('reason' in read) return void into.errors.push(read)
  into.errors.push(...read.errors.filter((fault) => !isRepeated(fault, into.head?.row, table)))
  into.items.push(...read.items)
  if (!isFirst) into.errors.push(...emptyKeys(row, key, into, table))
  if (into.head) into.errors.push(...disagreements(row, read, into.head, table))
  else into.head = { row, parts: read }
}

/** What every row of an order says of the order is wrong once, however many rows repeat it. */
function isRepeated(
  { column, value }: FileOrderError,
  first: FileRow | undefined,
  { order, header }: OrderTable,
): boolean {
  return first !== undefined && order.some(({ at }) => header[at] === column && first.cells[at] === value)
}

function emptyKeys(row: FileRow, key: Key, { customer, order }: Key, table: OrderTable): readonly FileOrderError[] {
  const fault = (name: string, value: string): FileOrderError => ({
    row: row.number,
    column: headerOfColumn(table, 'order', name),
    value: null,
    reason: 'Is empty, so that it cannot be told of which order the row is',
    suggestion: value.length > SUGGESTED_LENGTH_MAX ? null : value,
  })
  return [
    ...(isBlank(key.customer) && !isBlank(customer) ? [fault('customer_id', customer)] : []),
    ...(isBlank(key.order) && !isBlank(order) ? [fault('order_id', order)] : []),
  ]
}

/** By these the rows were brought together. */
const KEYS: readonly string[] = ['customer_id', 'order_id']

/** What the rows of one order say of the order must be the same in all of them, or stand in the first alone. */
function disagreements(
  row: FileRow,
  parts: ParsedRow,
  head: NonNullable<Gathered['head']>,
  table: OrderTable,
): readonly FileOrderError[] {
  return (['order', 'metadata'] as const).flatMap((part) =>
    Object.keys(parts[part])
      .filter((name) => (part === 'metadata' || !KEYS.includes(name)) && parts[part][name] !== head.parts[part][name])
      .slice(0, PROBLEMS_MAX)
      .map((name): FileOrderError => {
        const spot = table[part].find((one) => one.name === name)!
        const first = head.row.cells[spot.at]!
        const there = isBlank(first) ? 'empty' : displayText(first)
        return {
          row: row.number,
          column: table.header[spot.at]!,
          value: row.cells[spot.at]!,
          reason: `Is ${there} in row ${head.row.number}, of the same order; an order has one`,
          suggestion: isBlank(first) || first.length > SUGGESTED_LENGTH_MAX ? null : first,
        }
      }),
  )
}

function toOrder(gathered: Gathered, table: OrderTable): FileOrder {
  const { rows, items, errors, head, isContinued } = gathered
  const isLong = isContinued || isFull(gathered)
  const tooLong: FileOrderError = {
    row: rows[0]!.number,
    column: null,
    value: null,
    reason: `The order has ${ROWS_MAX} rows or more, or too many characters; an order has at most 1000 items`,
    suggestion: 'Split it into several orders',
  }
  return { body: head && orderBodyOf(head.parts, items), rows, errors: isLong ? [...errors, tooLong] : errors, table }
}

/** POST's body. */
export const orderBodyOf = ({ order, metadata }: ParsedRow, items: readonly unknown[]): unknown => ({
  ...order,
  ...(Object.keys(metadata).length > 0 && { metadata }),
  items,
})
