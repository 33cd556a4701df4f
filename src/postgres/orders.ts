// Orders and the entries that they post: written once, in shared commits, and read back as they were answered.
import type { Pool } from 'pg'
import type { DeviceShare } from '../engine/estimate.ts'
import { isOfOneRow } from './database-errors.ts'
import type { PostedOrder, StoredOrder } from './order-record.ts'
import { FIND_ORDERS, LIST_OF_DEVICES, POST_ORDERS, postedValues } from './order-statements.ts'
import { createSharedTrips } from './shared-trips.ts'

/** Created now, or there before: then with what is stored, so that the two can be compared. */
export type Posted =
  { readonly outcome: 'created' } | { readonly outcome: 'there-before'; readonly stored: StoredOrder }

export interface DeviceOrder {
  readonly order: StoredOrder
  readonly share: DeviceShare
}

export interface OrdersOptions {
  readonly weightPerTripMax: number
  readonly weightWaitingMax: number
}

/** With two, one is prepared while the other commits; more would only leave fewer orders to each flush. */
const TRIPS_MAX = 2

export interface Orders {
  /** Stores an order with its entries, durably, or finds it there before. */
  readonly post: (order: PostedOrder) => Promise<Posted>
  /** All orders that posted to a device, with its sums, by tenure start, then order id, then customer id. */
  readonly listOfDevice: (accountId: number, serialNumber: string) => Promise<readonly DeviceOrder[]>
}

export function createOrders(pool: Pool, limits: OrdersOptions): Orders {
  const shared = { ...limits, tripsMax: TRIPS_MAX, isOfOneJob: isOfOneRow }
  const list = createSharedTrips<Wanted, readonly DeviceOrder[]>({
    ...shared,
    travel: (wanted) => listAll(pool, wanted),
    weightOf: () => JOB_WEIGHT,
  })
  return {
    post: createSharedTrips<PostedOrder, Posted>({
      ...shared,
      travel: (orders) => postAll(pool, orders),
      keyOf,
      weightOf,
    }),
    listOfDevice: (accountId, serialNumber) => list({ accountId, serialNumber }),
  }
}

/** What any waiting job takes of memory, and what an order takes for each byte of its items, in bytes, as measured. */
const JOB_WEIGHT = 5_000
const WEIGHT_PER_BYTE = 10

const weightOf = ({ order }: PostedOrder): number => JOB_WEIGHT + WEIGHT_PER_BYTE * order.items.length

interface Wanted {
  readonly accountId: number
  readonly serialNumber: string
}

/** Neither JSON text nor ids can hold a NUL, so it tells the members apart. */
const keyOf = ({ accountId, order }: PostedOrder): string => `${accountId}\0${order.customerId}\0${order.orderId}`

interface OrderRow {
  readonly account_id: number
  readonly release_id: number
  readonly order_date: string
  readonly tenure_start_date: string
  readonly created_at: Date
  readonly customer_id: string
  readonly order_id: string
  readonly country: string | null
  readonly metadata: string | null
  readonly items: string
  readonly bases: readonly string[]
  readonly lines_mg: readonly string[]
}

interface DeviceOrderRow extends OrderRow {
  /** Which of the wanted devices, from 1. */
  readonly position: bigint
  readonly embodied_mg: bigint
  readonly use_mg: bigint
  readonly packaging_mg: bigint
  readonly transportation_mg: bigint
}

/** One statement, one commit. Sorted by key, so that two processes that post the same orders never wait in a ring. */
async function postAll(pool: Pool, posted: readonly PostedOrder[]): Promise<readonly Posted[]> {
  const sorted = [...posted].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
  const { rows } = await pool.query<OrderRow>({
    name: 'post-orders',
    text: POST_ORDERS,
    values: [...postedValues(sorted)],
  })
  if (rows.length === posted.length) return posted.map(() => ({ outcome: 'created' }))
  const created = new Set(rows.map(keyOfRow))
  const stored = await findOrders(
    pool,
    posted.filter((order) => !created.has(keyOf(order))),
  )
  return posted.map((order) =>
    created.has(keyOf(order)) ? { outcome: 'created' } : { outcome: 'there-before', stored: stored.get(keyOf(order))! },
  )
}

async function findOrders(pool: Pool, wanted: readonly PostedOrder[]): Promise<ReadonlyMap<string, StoredOrder>> {
  const { rows } = await pool.query<OrderRow>({
    name: 'find-orders',
    text: FIND_ORDERS,
    values: [
      wanted.map(({ accountId }) => accountId),
      wanted.map(({ order }) => order.customerId),
      wanted.map(({ order }) => order.orderId),
    ],
  })
  return new Map(rows.map((row) => [keyOfRow(row), toStoredOrder(row)]))
}

const keyOfRow = ({ account_id, customer_id, order_id }: OrderRow): string =>
  `${account_id}\0${customer_id}\0${order_id}`

async function listAll(pool: Pool, wanted: readonly Wanted[]): Promise<readonly (readonly DeviceOrder[])[]> {
  const { rows } = await pool.query<DeviceOrderRow>({
    name: 'list-of-devices',
    text: LIST_OF_DEVICES,
    values: [wanted.map(({ accountId }) => accountId), wanted.map(({ serialNumber }) => serialNumber)],
  })
  const orders = wanted.map((): DeviceOrder[] => [])
  for (const row of rows) {
    const position = Number(row.position) - 1
    orders[position]!.push(toDeviceOrder(row, wanted[position]!.serialNumber))
  }
  return orders
}

const toDeviceOrder = (row: DeviceOrderRow, serialNumber: string): DeviceOrder => ({
  order: toStoredOrder(row),
  share: {
    serialNumber,
    product_embodied_emission: row.embodied_mg,
    product_use: row.use_mg,
    packaging: row.packaging_mg,
    transportation: row.transportation_mg,
  },
})

const toStoredOrder = (row: OrderRow): StoredOrder => ({
  customerId: row.customer_id,
  orderId: row.order_id,
  orderDate: row.order_date,
  tenureStartDate: row.tenure_start_date,
  createdAt: row.created_at,
  country: row.country,
  metadata: row.metadata,
  items: row.items,
  releaseId: row.release_id,
  bases: row.bases,
  lines: row.lines_mg.map(BigInt),
})
