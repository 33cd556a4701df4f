// A register: a file of devices that holds no orders. What it lacks is stated once, and one order per customer is made.
import { hash } from 'node:crypto'
import { isBlank } from './cells.ts'
import { rowBytes, type FileOrder, type FileRow } from './file-order.ts'
import type { OrderTable } from './order-table.ts'
import type { Register } from './register-members.ts'
import type { RowGrouping } from './row-grouping.ts'
import { parseRow, validityOf, type ParsedRow } from './row-parts.ts'

/** As many items as an order may have. */
const DEVICES_MAX = 1000
/** Devices of all orders that are not complete, in bytes of memory. Beyond it, the largest order is ended early. */
const HELD_BYTES_MAX = 24 * 1024 * 1024

interface OpenOrder {
  readonly order: Readonly<Record<string, unknown>>
  readonly metadata: Readonly<Record<string, unknown>>
  readonly rows: FileRow[]
  readonly items: Item[]
  bytes: number
}

interface Item {
  readonly type: 'product'
  readonly config: Readonly<Record<string, unknown>>
}

/**
 * Groups the devices of a file by all values about the order: the customer, the start, and any labels. An order beyond
 * the maximum of items is continued in another one. The same file gives the same orders with the same ids.
 */
export function createRegisterGrouping(table: OrderTable, register: Register): RowGrouping {
  const open = new Map<string, OpenOrder>()
  let [held, place] = [0, 0]
  const next = (): number => (place += 1)
  const end = (key: string): FileOrder => {
    const ended = open.get(key)!
    open.delete(key)
    held -= ended.bytes
    return orderOf(key, ended, table, next())
  }
  return {
    add: (raw) => {
      const { row, fault } = validityOf(raw, table)
      if (fault) return { body: null, rows: [row], errors: [fault], table, place: next() }
      const parts = parseRow(row, table, raw.errors)
      const { order, metadata } = { order: orderMembers(parts.order, register), metadata: parts.metadata }
      const item: Item = { type: 'product', config: productMembers(parts, register) }
      const key = JSON.stringify([order, metadata])
      // A row that is refused for itself does not keep the others out.
      if (parts.errors.length > 0 || isWithoutSerial(item)) {
        const alone = { order, metadata, rows: [row], items: [item], bytes: 0 }
        return { ...orderOf(key, alone, table, next()), errors: parts.errors }
      }
      const into = open.get(key) ?? { order, metadata, rows: [], items: [], bytes: 0 }
      open.set(key, into)
      into.rows.push(row)
      into.items.push(item)
      const bytes = 2 * rowBytes(row) + (into.rows.length === 1 ? key.length : 0)
      into.bytes += bytes
      held += bytes
      if (into.rows.length >= DEVICES_MAX) return end(key)
      return held > HELD_BYTES_MAX ? end(largestOf(open)) : null
    },
    end: () => [...open.keys()].map(end),
  }
}

const isWithoutSerial = ({ config: { serial_number: serial } }: Item): boolean =>
  typeof serial !== 'string' || isBlank(serial)

function largestOf(open: ReadonlyMap<string, OpenOrder>): string {
  let [largest, bytes] = ['', -1]
  for (const [key, one] of open) if (one.bytes > bytes) [largest, bytes] = [key, one.bytes]
  return largest
}

function orderMembers(read: Readonly<Record<string, unknown>>, register: Register): Readonly<Record<string, unknown>> {
  const { customer_id: customer = register.customer_id, tenure_start_date: start = register.starts_on } = read
  const { country = register.country, order_date: date = start } = read
  return {
    ...(customer !== undefined && { customer_id: typeof customer === 'string' ? normalId(customer) : customer }),
    ...(date !== undefined && { order_date: date }),
    ...(start !== undefined && { tenure_start_date: start }),
    ...(country !== undefined && { country }),
  }
}

/** Ids are compared so, when the order is read. */
const normalId = (id: string): string => id.normalize('NFC').trim()

const PRODUCT_ID_LENGTH_MAX = 200

/** A register names its devices by words: these are their product ids, too, unless it has some. */
function productMembers({ items }: ParsedRow, register: Register): Readonly<Record<string, unknown>> {
  const config = items[0]?.config ?? {}
  const words = config['product_name'] ?? config['model_id'] ?? config['device_type']
  return {
    ...(typeof words === 'string' && { product_id: words.slice(0, PRODUCT_ID_LENGTH_MAX) }),
    ...(register.tenure_months !== undefined && { tenure_months: register.tenure_months }),
    ...(register.weight_kg !== undefined && { weight_kg: register.weight_kg }),
    ...config,
  }
}

function orderOf(
  key: string,
  { order, metadata, rows, items }: OpenOrder,
  table: OrderTable,
  place: number,
): FileOrder {
  const first = normalId(textOrNull(items[0]!.config['serial_number']) ?? `row ${rows[0]!.number}`)
  const orderId = `register-${hash('sha256', JSON.stringify([key, first])).slice(0, 20)}`
  const body = {
    ...order,
    order_id: orderId,
    ...(Object.keys(metadata).length > 0 && { metadata }),
    items,
  }
  return { body, rows, errors: [], table, place }
}

const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null)
