// Groups rows into orders: adjacent rows with the same order id form one order. In the layout `orders`, the devices of
// an order may be in several rows.
import { PROBLEMS_MAX } from '../engine/validate-order.ts'
import { isBlank } from './cells.ts'
import { orderErrorAt, rowBytes, type FileOrderError, type FileOrder, type FileRow } from './file-order.ts'
import { CELL_MESSAGES, shownValue } from './messages.ts'
import type { OrderTable } from './order-table.ts'
import { createRegisterGrouping } from './register.ts'
import { cellOf, headerOfColumn, isPresent, parseRow, type ParsedRow, validityOf } from './row-parts.ts'
import type { RowGrouping } from './row-grouping.ts'
import type { Row } from './row.ts'
import { isLeftOut } from './value-table.ts'

/** More rows than the largest order has. A longer sequence is passed on in parts, each with an error. */
const ROWS_MAX = 2_000
/** A longer value is not a valid member of an order, and would be repeated for every row. */
const SUGGESTED_LENGTH_MAX = 200
/** In bytes of memory: many times what POST accepts as one order. */
const WEIGHT_MAX = 16 * 1024 * 1024

interface Key {
  customer: string
  order: string
}

interface Gathered extends Key {
  readonly rows: FileRow[]
  readonly items: unknown[]
  readonly errors: FileOrderError[]
  /** The first readable row. */
  head: { readonly row: FileRow; readonly parts: ParsedRow } | null
  readonly isContinued: boolean
  /** In the layout `orders`: the transportations and packagings of its rows, as JSON. */
  readonly shared: Set<string>
  weight: number
}

function createRowGrouping(table: OrderTable): RowGrouping {
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
      if (!gathered || !belongs(key, row, gathered, table)) done = finish(begin(key, false))
      else if (isFull(gathered)) done = finish(begin(gathered, true))
      gather(gathered!, row, fault ?? parseRow(row, table, raw.errors), key, table)
      return done
    },
    end: () => {
      const last = finish(null)
      return last ? [last] : []
    },
  }
}

/** Several rows may form an order; each event is a row of its own. */
export function createReading(table: OrderTable): RowGrouping {
  const { add, end } = groupingOf(table)
  return { add: (row) => (isLeftOut(row.cells, table.replacements) ? null : add(row)), end }
}

function groupingOf(table: OrderTable): RowGrouping {
  if (table.register !== null) return createRegisterGrouping(table, table.register)
  if (table.layout !== 'events') return createRowGrouping(table)
  return { add: (row) => eventOfRow(row, table), end: () => [] }
}

function eventOfRow(raw: Row, table: OrderTable): FileOrder {
  const { row, fault } = validityOf(raw, table)
  if (fault) return { body: null, rows: [row], errors: [fault], table }
  const parts = parseRow(row, table, raw.errors)
  return { body: parts.order, rows: [row], errors: parts.errors, table }
}

const begin = ({ customer, order }: Key, isContinued: boolean): Gathered => ({
  customer,
  order,
  rows: [],
  items: [],
  errors: [],
  head: null,
  isContinued,
  shared: new Set(),
  weight: 0,
})

const isFull = ({ rows, weight }: Gathered): boolean => rows.length >= ROWS_MAX || weight >= WEIGHT_MAX

function keyOf(row: FileRow, table: OrderTable): Key {
  const [customer, order] = [cellOf(row, table.customerAt, table), cellOf(row, table.orderAt, table)]
  // A row that could not be parsed still has the quotes around its cells.
  return row.isSound ? { customer, order } : { customer: unquoted(customer), order: unquoted(order) }
}

const unquoted = (cell: string): string => cell.replace(/^"|"$/g, '')

/**
 * In the layout `orders`, a row without an id is an order of its own, and so is one that repeats the only row before
 * it: an order that is sent twice.
 */
function belongs(key: Key, { cells }: FileRow, gathered: Gathered, { layout }: OrderTable): boolean {
  if (layout === 'items') return isOfOrder(key, gathered)
  if ([key.customer, key.order, gathered.customer, gathered.order].some(isBlank)) return false
  const [first, second] = gathered.rows
  const isSecondCopy = first !== undefined && !second && cells.every((cell, at) => cell === first.cells[at])
  return !isSecondCopy && isOfOrder(key, gathered)
}

/** A row without an order id is grouped with its neighbour. It has an error, so that both wait for correction. */
const isOfOrder = (key: Key, gathered: Key): boolean =>
  isLike(key.customer, gathered.customer) && isLike(key.order, gathered.order)

/** Ids are trimmed and normalised when the order is read. */
const isLike = (one: string, other: string): boolean =>
  one === other || isBlank(one) || isBlank(other) || one.normalize('NFC').trim() === other.normalize('NFC').trim()

function gather(into: Gathered, row: FileRow, read: ParsedRow | FileOrderError, key: Key, table: OrderTable): void {
  const isFirst = into.rows.length === 0
  into.rows.push(row)
  into.weight += rowBytes(row)
  if (isBlank(into.customer)) into.customer = key.customer
  if (isBlank(into.order)) into.order = key.order
  if ('reason' in read) return void into.errors.push(read)
  into.errors.push(...read.errors.filter((fault) => !isRepeated(fault, into.head?.row, table)))
  if (table.layout === 'orders') into.errors.push(...repeatedItems(row, read, into.shared, table))
  into.items.push(...read.items)
  if (!isFirst) into.errors.push(...emptyKeys(row, key, into, table))
  if (into.head) into.errors.push(...disagreements(row, read, into.head, table))
  else into.head = { row, parts: read }
}

/** An error in a cell about the order is reported once, even if several rows repeat the cell. */
function isRepeated(
  { column, value }: FileOrderError,
  first: FileRow | undefined,
  { order, header }: OrderTable,
): boolean {
  return first !== undefined && order.some(({ at }) => header[at] === column && first.cells[at] === value)
}

/**
 * A transportation or packaging that two rows of an order state alike may be one for both or one for each, so the file
 * has to say which.
 */
function repeatedItems(
  row: FileRow,
  { items }: ParsedRow,
  shared: Set<string>,
  { groups, header }: OrderTable,
): readonly FileOrderError[] {
  const there = groups.filter(({ spots }) => isPresent(row, spots))
  return items.flatMap((item, at): readonly FileOrderError[] => {
    if (item.type === 'product') return []
    const text = JSON.stringify(item)
    const isRepeated = shared.has(text)
    shared.add(text)
    const spot = there[at]!.spots[0]!
    const place = { row: row.number, column: header[spot.at]!, value: row.cells[spot.at] ?? null }
    return isRepeated ? [orderErrorAt(place, CELL_MESSAGES.row_repeats_item())] : []
  })
}

function emptyKeys(row: FileRow, key: Key, { customer, order }: Key, table: OrderTable): readonly FileOrderError[] {
  const fault = (name: string, value: string): FileOrderError => {
    const place = { row: row.number, column: headerOfColumn(table, 'order', name), value: null }
    return orderErrorAt(place, CELL_MESSAGES.row_order_unknown(), value.length > SUGGESTED_LENGTH_MAX ? [] : [value])
  }
  return [
    ...(isBlank(key.customer) && !isBlank(customer) ? [fault('customer_id', customer)] : []),
    ...(isBlank(key.order) && !isBlank(order) ? [fault('order_id', order)] : []),
  ]
}

/** The members by which rows are grouped. */
const KEYS: readonly string[] = ['customer_id', 'order_id']

/** Values about the order must be the same in all of its rows, or be present only in the first one. */
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
        const first = head.row.cells[spot.at] ?? ''
        const place = { row: row.number, column: table.header[spot.at]!, value: row.cells[spot.at] ?? null }
        const other = { row: head.row.number }
        if (isBlank(first)) return orderErrorAt(place, CELL_MESSAGES.row_fills_empty(other))
        const message = CELL_MESSAGES.row_differs({ ...other, value: shownValue(first) })
        return orderErrorAt(place, message, first.length > SUGGESTED_LENGTH_MAX ? [] : [first])
      }),
  )
}

function toOrder(gathered: Gathered, table: OrderTable): FileOrder {
  const { rows, items, errors, head, isContinued } = gathered
  const isLong = isContinued || isFull(gathered)
  const body = head && orderBodyOf(head.parts, items)
  if (!isLong) return { body, rows, errors, table }
  const place = { row: rows[0]!.number, column: null, value: null }
  const tooLong = orderErrorAt(place, CELL_MESSAGES.order_too_many_rows({ rows: ROWS_MAX }))
  return { body, rows, errors: [...errors, tooLong], table }
}

/** The POST body. */
const orderBodyOf = ({ order, metadata }: ParsedRow, items: readonly unknown[]): unknown => ({
  ...order,
  ...(Object.keys(metadata).length > 0 && { metadata }),
  items,
})
