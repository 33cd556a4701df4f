// Everything known about a customer at some time: the orders, their events, and the ledgers of their devices.
import type { Pool } from 'pg'
import { groupBySerialNumber } from './events.ts'
import { isRowError } from './errors.ts'
import { findLedgers } from './long-ledgers.ts'
import { findEntriesOfCustomer } from './entries.ts'
import { ORDER_FIELDS, findEventsOfOrders, orderIdentity, orderOfRow, type OrderRow } from './order-reads.ts'
import { eventKey, orderKey, type OrderKey } from '../engine/device-timeline.ts'
import type {
  CustomerRecords,
  DeviceLedger,
  DeviceLedgers,
  Recorder,
  StoredEvent,
  StoredOrder,
} from '../ledger/records.ts'
import { JOB_BYTES, createBatcher, type BatchLimits } from '../concurrency/batcher.ts'
import { CLOCK_SQL } from './row-encoding.ts'
import type { ReplicaReads } from './read-replica.ts'
import { findClosedUntil } from './period-closings.ts'
import type { Connection } from './transaction.ts'

export interface CustomerQuery {
  readonly accountId: number
  readonly customerId: string
  /** Only orders whose tenure began, or that were received, before this day. */
  readonly before: string
  readonly knownAt: Date | null
  /** Customers with more devices, or more orders, than this are not read. */
  readonly devicesMax: number
  /** The devices that are in an order after its events. */
  readonly serialsOf: (order: StoredOrder, events: readonly StoredEvent[]) => readonly string[]
}

/** Null for a customer without orders; `too-large` for a customer with too many orders or devices. */
export type ReadCustomerRecords = (wanted: CustomerQuery) => Promise<CustomerRecords | 'too-large' | null>

/** These reads are long. Running one at a time leaves connections for other requests. */
const AT_ONCE = 1
const ORDERS_PER_PAGE = 500
const DEVICES_PER_PAGE = 500

export function createCustomerReader(first: Pool, longReads: ReplicaReads, limits: BatchLimits): ReadCustomerRecords {
  return createBatcher<CustomerQuery, CustomerRecords | 'too-large' | null>({
    ...limits,
    queue: 'customers',
    concurrencyMax: AT_ONCE,
    isJobError: isRowError,
    bytesOf: () => JOB_BYTES,
    batchBytesMax: 0,
    executeBatch: async ([wanted]) => {
      const readAt = await findTime(first)
      return [await longReads((connection) => readCustomer(connection, wanted!, readAt))]
    },
  })
}

async function readCustomer(
  connection: Connection,
  wanted: CustomerQuery,
  readAt: Date,
): Promise<CustomerRecords | 'too-large' | null> {
  const { accountId, customerId, knownAt, devicesMax } = wanted
  const orders: StoredOrder[] = []
  const serials = new Set<string>()
  const recorders = new Map<string, Recorder | null>()
  const orderIds = await findOrderIds(connection, wanted)
  if (orderIds.length > devicesMax) return 'too-large'
  for (let at = 0; at < orderIds.length; at += ORDERS_PER_PAGE) {
    const page = await findPage(connection, wanted, orderIds.slice(at, at + ORDERS_PER_PAGE))
    const events = await findEventsOfOrders(connection, accountId, page)
    for (const order of page) {
      const known = (events.get(orderIdentity(accountId, order)) ?? []).filter(
        ({ postedAt }) => knownAt === null || postedAt <= knownAt,
      )
      addRecorders(recorders, known)
      for (const serial of wanted.serialsOf(order, known)) serials.add(serial)
    }
    orders.push(...page)
    if (serials.size > devicesMax) return 'too-large'
  }
  if (orders.length === 0 && !(await hasOrders(connection, wanted))) return null
  const entries = await findEntriesOfCustomer(connection, accountId, customerId, knownAt)
  const booksClosedUntil = await findClosedUntil(connection, accountId, knownAt)
  const ledgers = await findAllLedgers(connection, [...serials], wanted)
  await addOtherEvents(connection, wanted, recorders, ledgers)
  return { readAt, booksClosedUntil, orders, ledgers, entries, recorders }
}

/**
 * Reads the clock of the primary, even if the records are then read from a replica. It is read before the records, so
 * these include everything that was posted by then.
 */
async function findTime(connection: Connection): Promise<Date> {
  const { rows } = await connection.query<{ readonly now: Date }>(`select ${CLOCK_SQL} as now`)
  return rows[0]!.now
}

/**
 * Reads all ids in one query: the index on customers is not sorted by order id, so each page would scan all orders of
 * the customer.
 */
async function findOrderIds(
  connection: Connection,
  { accountId, customerId, before, knownAt, devicesMax }: CustomerQuery,
): Promise<readonly string[]> {
  const { rows } = await connection.query<{ readonly order_id: string }>({
    name: 'find-order-ids-of-customer',
    text: `select order_id from (
        select order_id from orders
        where account_id = $1 and account_id + 0 = $1 and customer_id = $2
          and (tenure_start_date < $3::date or created_at < $3::date::timestamp at time zone 'UTC')
          and ($4::timestamptz is null or created_at <= $4)
        limit $5
      ) as found order by order_id`,
    values: [accountId, customerId, before, knownAt, devicesMax + 1],
  })
  return rows.map(({ order_id }) => order_id)
}

async function findPage(
  connection: Connection,
  { accountId, customerId }: CustomerQuery,
  orderIds: readonly string[],
): Promise<readonly StoredOrder[]> {
  const { rows } = await connection.query<OrderRow>({
    name: 'find-orders-of-customer',
    text: `select ${ORDER_FIELDS} from orders
      where account_id = $1 and customer_id = $2 and order_id = any($3) order by order_id`,
    values: [accountId, customerId, orderIds],
  })
  return rows.map(orderOfRow)
}

async function hasOrders(connection: Connection, { accountId, customerId }: CustomerQuery): Promise<boolean> {
  const { rows } = await connection.query({
    name: 'find-any-order-of-customer',
    text: 'select from orders where account_id = $1 and account_id + 0 = $1 and customer_id = $2 limit 1',
    values: [accountId, customerId],
  })
  return rows.length > 0
}

async function findAllLedgers(
  connection: Connection,
  serials: readonly string[],
  { accountId, knownAt }: CustomerQuery,
): Promise<DeviceLedgers> {
  const ledgers = new Map<string, DeviceLedger>()
  for (let at = 0; at < serials.length; at += DEVICES_PER_PAGE) {
    const devices = serials.slice(at, at + DEVICES_PER_PAGE).map((serialNumber) => ({ accountId, serialNumber }))
    for (const [serial, ledger] of groupBySerialNumber(await findLedgers(connection, devices, knownAt)))
      ledgers.set(serial, ledger)
  }
  return ledgers
}

function addRecorders(recorders: Map<string, Recorder | null>, events: readonly StoredEvent[]): void {
  for (const { order, eventId, recordedBy } of events) recorders.set(eventKey(order, eventId), recordedBy)
}

/**
 * The events of devices alone, whose entries say who recorded them, and those of orders of the customer that begin
 * later but have changed the orders that were read.
 */
async function addOtherEvents(
  connection: Connection,
  { accountId, customerId }: CustomerQuery,
  recorders: Map<string, Recorder | null>,
  ledgers: DeviceLedgers,
): Promise<void> {
  const later = new Map<string, OrderKey>()
  for (const { entries } of ledgers.values()) {
    for (const { eventId, orderId, recordedBy, cause } of entries) {
      if (eventId === null) continue
      if (orderId === '') recorders.set(eventKey(null, eventId), recordedBy ?? null)
      if (cause?.customerId === customerId && !recorders.has(eventKey(cause, eventId)))
        later.set(orderKey(cause), cause)
    }
  }
  const keys = [...later.values()]
  for (let at = 0; at < keys.length; at += ORDERS_PER_PAGE) {
    const found = await findEventsOfOrders(connection, accountId, keys.slice(at, at + ORDERS_PER_PAGE))
    for (const events of found.values()) addRecorders(recorders, events)
  }
}
