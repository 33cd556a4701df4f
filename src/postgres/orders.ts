// The table of orders: new orders are inserted in batches with their entries; stored ones are read back.
import type { Pool, PoolClient } from 'pg'
import { createBatcher, type CompletedBatch } from '../concurrency/batcher.ts'
import type { QueueLoad } from '../concurrency/queue-load.ts'
import type {
  DeviceLedger,
  DeviceLedgers,
  NewEntry,
  OrderPosting,
  PostedOrder,
  StoredDevice,
  StoredOrder,
} from '../ledger/records.ts'
import {
  appendLocked,
  statusesOfOtherOrders,
  deviceKey,
  lockDevices,
  toLedger,
  withDevices,
  type AccountDevice,
  type LedgerRow,
  type LedgerWrite,
} from './entries.ts'
import { isRowError, isUnavailable } from './errors.ts'
import { cachedOf, type LedgerCache } from './ledger-cache.ts'
import { findLedgersToPost, lockLedgers } from './ledgers-to-post.ts'
import type { Ledgers, Posted } from './load-ledgers.ts'
import { ORDER_FIELDS, findOrders, orderIdentity, orderOfRow, type OrderRow } from './order-reads.ts'
import {
  CHARGE_COLUMNS,
  ORDER_COLUMNS,
  POSTED_AT_SQL,
  castTo,
  encodeRows,
  nullableText,
  postedAtCte,
  sqlColumnNames,
  text,
  valuesCte,
  type Column,
} from './row-encoding.ts'
import { inTransaction, retryOnContention } from './transaction.ts'

/**
 * A device that is rented for the first time, with the first entry of its ledger; null for an entry without a device.
 */
interface FirstRental {
  readonly accountId: number
  readonly device: StoredDevice | null
  readonly entry: NewEntry
}

const FIRST_COLUMNS: readonly Column<FirstRental>[] = [
  ['account_id', castTo('integer'), ({ accountId }) => String(accountId)],
  ['serial_number', text, ({ entry }) => entry.serialNumber],
  ['customer_id', text, ({ entry }) => entry.customerId],
  ['order_id', text, ({ entry }) => entry.orderId],
  ['embodied_mg', castTo('bigint'), ({ entry }) => String(entry.product_embodied_emission)],
  ['use_mg', castTo('bigint'), ({ entry }) => String(entry.product_use)],
  ['packaging_mg', castTo('bigint'), ({ entry }) => String(entry.packaging)],
  ['transportation_mg', castTo('bigint'), ({ entry }) => String(entry.transportation)],
  ['end_date', castTo('date'), ({ entry }) => entry.terms?.end ?? null],
  ['months', nullableText, ({ entry }) => entry.terms?.months ?? null],
  ['country', nullableText, ({ entry }) => entry.country],
  ['embodied_added_mg', castTo('bigint'), ({ device }) => String(device?.balance.embodiedTotal ?? 0n)],
  ...CHARGE_COLUMNS,
]

/** The columns of an entry that are read back into a `LedgerRow`. */
const ENTRY_FIELDS = `serial_number, customer_id, order_id, account_id, entry_no, posted_at, embodied_mg, use_mg,
  packaging_mg, transportation_mg, embodied_added_mg, release_id, device_release_id, reason, start_date, end_date,
  months, country, event_id, cause_customer_id, cause_order_id, footprint_id, is_capped, weight_kg,
  product_id, match_method`

const namesIn = (fields: string): readonly string[] => fields.split(/,\s*/)
const ORDER_NAMES = namesIn(ORDER_FIELDS)
const ENTRY_NAMES = namesIn(ENTRY_FIELDS)
const STORED_NAMES = [...new Set([...ORDER_NAMES, ...ENTRY_NAMES])]

/** All columns that a stored row may have, with null for those of the other kind of row. */
const padded = (own: readonly string[]): string =>
  STORED_NAMES.map((name) => (own.includes(name) ? name : `null as ${name}`)).join(', ')

/**
 * Posts the orders of which nothing is known: neither the order nor any of its devices. For the other orders it writes
 * nothing and returns what is stored: the order, and the first entry of each device. If nothing is stored, it returns
 * one row with only the time. So an order that is sent again needs no further statement and no lock.
 * If two processes post the same order concurrently, one statement fails completely with a unique violation.
 */
const POST_NEW = `
  with ${valuesCte('sent_orders', ORDER_COLUMNS, 1)},
  ${valuesCte('sent_entries', FIRST_COLUMNS, ORDER_COLUMNS.length + 1)},
  ${postedAtCte('sent_orders')},
  known_orders as materialized (
    select stored.* from sent_orders as sent cross join lateral (
      select ${ORDER_FIELDS} from orders where account_id = sent.account_id and customer_id = sent.customer_id
        and order_id = sent.order_id limit 1
    ) as stored
  ),
  known_devices as materialized (
    select stored.*, sent.customer_id as sent_customer_id, sent.order_id as sent_order_id
    from sent_entries as sent cross join lateral (
      select ${ENTRY_FIELDS} from entries where account_id = sent.account_id and serial_number = sent.serial_number
        and order_key = '' and entry_no = 1 limit 1
    ) as stored
  ),
  posted_orders as (
    insert into orders (${sqlColumnNames(ORDER_COLUMNS)}, created_at)
    select ${sqlColumnNames(ORDER_COLUMNS)}, ${POSTED_AT_SQL} from sent_orders
    where (account_id, customer_id, order_id) not in (
      select account_id, customer_id, order_id from known_orders
      union all
      select account_id, sent_customer_id, sent_order_id from known_devices
    )
    returning account_id, customer_id, order_id, created_at, release_id, tenure_start_date
  ), posted_entries as (
    insert into entries (account_id, serial_number, customer_id, order_id, entry_no, posted_at, embodied_mg, use_mg,
      packaging_mg, transportation_mg, embodied_added_mg, release_id, reason, start_date, end_date, months, country,
      device_release_id, ${sqlColumnNames(CHARGE_COLUMNS)})
    select account_id, serial_number, customer_id, order_id, 1, created_at, embodied_mg, use_mg,
      packaging_mg, transportation_mg, embodied_added_mg, release_id, 'order',
      case when footprint_id is not null then tenure_start_date end, end_date, months, country,
      case when footprint_id is not null then release_id end, ${sqlColumnNames(CHARGE_COLUMNS)}
    from sent_entries join posted_orders using (account_id, customer_id, order_id)
  )
  select posting.posted_at as statement_time, stored.* from posting left join (
    select ${padded(ORDER_NAMES)} from known_orders
    union all
    select ${padded(ENTRY_NAMES)} from known_devices
  ) as stored on true`

/** A row that POST_NEW returns: a stored order, the first entry of a device, or only the time. */
type ReturnedRow = { readonly statement_time: Date } & (
  | (OrderRow & { readonly serial_number: null })
  | (LedgerRow & { readonly serial_number: string })
  | { readonly account_id: null; readonly serial_number: null }
)

/** What was already known about the orders that were sent. */
export interface KnownBefore {
  readonly time: Date
  /** By orderIdentity. */
  readonly orders: ReadonlyMap<string, StoredOrder>
  /** Only the first entry of each device, by deviceKey. */
  readonly devices: ReadonlyMap<string, DeviceLedger>
}

/** Posts new orders and reads known ones: one statement, one commit. */
async function postNew(pool: Pool, posted: readonly AccountPosting[]): Promise<KnownBefore> {
  const { rows } = await pool.query<ReturnedRow>({
    name: 'insert-new-orders',
    text: POST_NEW,
    values: insertNewOrdersValues(posted),
  })
  const orders = new Map<string, StoredOrder>()
  const devices = new Map<string, DeviceLedger>()
  for (const row of rows) {
    if (row.account_id === null) continue
    if (row.serial_number === null) {
      const order = orderOfRow(row)
      orders.set(orderIdentity(row.account_id, order), order)
    } else {
      const device = { accountId: row.account_id, serialNumber: row.serial_number }
      devices.set(deviceKey(device), toLedger([{ ...row, event_content: null }]))
    }
  }
  return { time: rows[0]!.statement_time, orders, devices }
}

interface AccountPosting {
  readonly accountId: number
  readonly posting: OrderPosting
}

/** The values of POST_NEW. */
export function insertNewOrdersValues(posted: readonly AccountPosting[]): string[] {
  const orders = posted.map(({ accountId, posting }) => ({ accountId, row: posting.order }))
  const entries = posted.flatMap(({ accountId, posting: { devices, entries } }) =>
    entries.map((entry, at) => ({ accountId, device: devices[at] ?? null, entry })),
  )
  return [...encodeRows(ORDER_COLUMNS, orders), ...encodeRows(FIRST_COLUMNS, entries)]
}

/** Created now, or stored before. Then the stored order is returned, so that the two can be compared. */
export type PostResult =
  { readonly outcome: 'created'; readonly createdAt: Date; readonly posting: OrderPosting } | ExistingOrder

export interface ExistingOrder {
  readonly outcome: 'there-before'
  readonly stored: StoredOrder
  /**
   * The ledgers of its devices as known when it was created, if it was the first order of each of them and the order
   * that was sent has the same devices. Null if they have to be read.
   */
  readonly journals: DeviceLedgers | null
}

export interface BatchLimits {
  readonly batchBytesMax: number
  readonly queueBytesMax: number
  readonly queueLoad: QueueLoad
  readonly onBatch?: (trip: CompletedBatch) => void
  readonly spanOf?: () => unknown
}

/** With two batches, one is prepared while the other commits. More would only leave fewer orders for each flush. */
export const BATCHES_IN_FLIGHT_MAX = 2

/** Measured memory in bytes: of any waiting job, and of an order for each byte of its items. */
export const JOB_BYTES = 5_000
const WEIGHT_PER_BYTE = 16

/** Orders that wait for another process run in batches of their own, each holding a connection while it waits. */
const ALONE_AT_ONCE = 6

/**
 * Returns a function that durably stores an order with its entries, or finds it already stored. Most orders have
 * devices that were never rented before: one statement posts these, and returns the orders that are already stored.
 * Orders with known devices follow in a separate transaction, which locks the devices and runs their ledgers again. An
 * order whose devices another process is writing to does not delay the others in that batch: it waits in its own batch.
 */
export function createOrders(
  pool: Pool,
  limits: BatchLimits,
  ledgers: Ledgers,
): (order: PostedOrder) => Promise<PostResult> {
  const shared = { ...limits, concurrencyMax: BATCHES_IN_FLIGHT_MAX, isJobError: isRowError, keysOf, bytesOf }
  const postNew = createBatcher<PostedOrder, PostResult | 'copy' | null>({
    ...shared,
    queue: 'insert-orders',
    takesCopies: true,
    executeBatch: (orders) => retryOnContention(() => postNewOrders(pool, orders)),
  })
  // These batches compute a lot, and an error in one order must not reject the others.
  const isJobError = (error: unknown) => !isUnavailable(error)
  const settle = createBatcher<PostedOrder, PostResult | null>({
    ...shared,
    queue: 'post-orders',
    isJobError: isJobError,
    executeBatch: (orders) => settleTrip(pool, orders, lockFree, ledgers),
  })
  const settleAlone = createBatcher<PostedOrder, PostResult | null>({
    ...shared,
    queue: 'post-orders-serial',
    isJobError: isJobError,
    concurrencyMax: ALONE_AT_ONCE,
    batchBytesMax: 0,
    executeBatch: (orders) => settleTrip(pool, orders, lockAll, ledgers),
  })
  return async (order) => {
    let posted = await postNew(order)
    // This statement created an order with the same identity; the next one finds it.
    while (posted === 'copy') posted = await postNew(order)
    return posted ?? (await settle(order)) ?? (await settleAlone(order))!
  }
}

async function settleTrip(
  pool: Pool,
  orders: readonly PostedOrder[],
  lock: Lock,
  ledgers: Ledgers,
): Promise<readonly (PostResult | null)[]> {
  return ledgers.runTransaction((cache) =>
    inTransaction(pool, (connection) => settleOrders(connection, orders, lock, cache)),
  )
}

const bytesOf = ({ posting }: PostedOrder): number => JOB_BYTES + WEIGHT_PER_BYTE * posting.order.items.length

const devicesOf = ({ accountId, posting }: PostedOrder): readonly AccountDevice[] =>
  posting.devices.map(({ serialNumber }) => ({ accountId, serialNumber }))

const identityOfPosted = ({ accountId, posting }: PostedOrder): string => orderIdentity(accountId, posting.order)

/** Orders with the same identity, or with a common device, have to see each other's result. */
const keysOf = (posted: PostedOrder): readonly string[] => [
  identityOfPosted(posted),
  ...devicesOf(posted).map(deviceKey),
]

/**
 * One statement and one commit. Of orders with the same identity in a batch, only the first is sent.
 * @returns null for an order with known devices; 'copy' for an order whose first copy was created
 */
async function postNewOrders(
  pool: Pool,
  posted: readonly PostedOrder[],
): Promise<readonly (PostResult | 'copy' | null)[]> {
  const firsts = new Map<string, PostedOrder>()
  const identities = posted.map(identityOfPosted)
  for (const [at, identity] of identities.entries()) if (!firsts.has(identity)) firsts.set(identity, posted[at]!)
  const { time, orders, devices } = await postNew(pool, [...firsts.values()])
  return posted.map((order, at) => {
    const stored = orders.get(identities[at]!)
    if (stored) return { outcome: 'there-before', stored, journals: journalsAtCreation(stored, order, devices) }
    const first = firsts.get(identities[at]!)!
    if (devices.size > 0 && devicesOf(first).some((device) => devices.has(deviceKey(device)))) return null
    return order === first ? { outcome: 'created', createdAt: time, posting: order.posting } : 'copy'
  })
}

/** @param devices ledgers with only their first entries: all that was known once the order had posted them */
function journalsAtCreation(
  stored: StoredOrder,
  order: PostedOrder,
  devices: ReadonlyMap<string, DeviceLedger>,
): DeviceLedgers | null {
  const journals = journalsOf(order, devices)
  const isFirst = ({ entries: [first] }: DeviceLedger) =>
    first!.customerId === stored.customerId && first!.orderId === stored.orderId
  return journals.size === order.posting.devices.length && [...journals.values()].every(isFirst) ? journals : null
}

interface Locked {
  /** The orders whose devices are all locked now. */
  readonly free: readonly PostedOrder[]
  readonly journals: ReadonlyMap<string, DeviceLedger>
}
type Lock = (connection: PoolClient, orders: readonly PostedOrder[], ledgers: LedgerCache) => Promise<Locked>

const lockAll: Lock = async (connection, orders, ledgers) => ({
  free: orders,
  journals: await lockLedgers(connection, orders.flatMap(devicesOf), ledgers, null),
})

/**
 * Leaves out the orders that would have to wait: those with an existing device that another process has locked, or
 * whose ledger has to be loaded first.
 */
const lockFree: Lock = async (connection, orders, ledgers) => {
  const wanted = orders.flatMap(devicesOf)
  const locked = await lockDevices(connection, wanted, 'skip')
  // A device whose ledger is cached exists; it need not be read to know that.
  const isTaken = (identity: string) => !locked.has(identity) && ledgers.has(identity)
  const others = wanted.filter((device) => !isTaken(deviceKey(device)))
  const { journals, notKept } = await findLedgersToPost(connection, others, ledgers, null)
  const isLong = new Set(notKept.map(deviceKey))
  const isFree = (identity: string) =>
    !isLong.has(identity) && (locked.has(identity) || !(journals.has(identity) || isTaken(identity)))
  return { free: orders.filter((order) => devicesOf(order).map(deviceKey).every(isFree)), journals }
}

/** Locks the devices, runs their ledgers with the new orders, and writes the postings; null for the orders left out. */
async function settleOrders(
  connection: PoolClient,
  posted: readonly PostedOrder[],
  lock: Lock,
  ledgers: LedgerCache,
): Promise<Posted<readonly (PostResult | null)[]>> {
  const stored = await findOrders(
    connection,
    posted.map(({ accountId, posting }) => ({ accountId, key: posting.order })),
  )
  const unknown = posted.filter((order) => !stored.has(identityOfPosted(order)))
  const { free, journals } = await lock(connection, unknown, ledgers)
  const postings = new Map<PostedOrder, OrderPosting>()
  for (const order of free) postings.set(order, await order.settle(journalsOf(order, journals)))
  const createdAt = await appendLocked(
    connection,
    [...postings].map(([order, posting]) => writingOf(order.accountId, posting, journalsOf(order, journals))),
  )
  const outcomes = posted.map((order): PostResult | null => {
    const there = stored.get(identityOfPosted(order))
    if (there) return { outcome: 'there-before', stored: there, journals: null }
    const posting = postings.get(order)
    return posting ? { outcome: 'created', createdAt, posting } : null
  })
  const appended = [...postings].flatMap(([{ accountId }, posting]) =>
    cachedOf(accountId, posting, journals, createdAt),
  )
  return { result: outcomes, appended }
}

function journalsOf(order: PostedOrder, all: ReadonlyMap<string, DeviceLedger>): DeviceLedgers {
  const known = devicesOf(order).map((device) => [device.serialNumber, all.get(deviceKey(device))] as const)
  return new Map(known.filter((pair): pair is [string, DeviceLedger] => pair[1] !== undefined))
}

/** What an order writes: itself and its entries. Orders that it corrects become amended. */
const writingOf = (
  accountId: number,
  { order, devices, entries }: OrderPosting,
  journals: DeviceLedgers,
): LedgerWrite => ({
  accountId,
  orders: [order],
  entries: withDevices(entries, devices, journals),
  statuses: statusesOfOtherOrders(entries, order),
})
