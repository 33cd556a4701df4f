// Orders and the entries that they post: written once, in shared commits, and read back as they were answered.
import type { Pool } from 'pg'
import type { DeviceShare } from '../engine/estimate.ts'
import type { Milligrams } from '../engine/line.ts'
import { isOfOneRow } from './database-errors.ts'
import { joinMembers, joinRows, splitMembers, splitRows } from './joined-texts.ts'
import { createSharedTrips } from './shared-trips.ts'

/** An order as it is kept: what was asked, in canonical JSON, and what was answered, in milligrams. */
export interface StoredOrder {
  readonly customerId: string
  readonly orderId: string
  readonly orderDate: string
  readonly tenureStartDate: string
  readonly createdAt: Date
  readonly country: string | null
  readonly metadata: string | null
  /** The items as canonical JSON: what a repetition of the order is compared with. */
  readonly items: string
  readonly releaseId: number
  /** What each product was charged by, in the sequence of the products. */
  readonly bases: readonly string[]
  /** The published lines, in the sequence of the items. */
  readonly lines: readonly Milligrams[]
}

/** The part of an order that one device carries; the empty serial number stands for the order alone. */
export interface PostedOrder {
  readonly accountId: number
  readonly order: StoredOrder
  readonly shares: readonly DeviceShare[]
}

/** Created now, or there before: then with what is stored, so that the two can be compared. */
export type Posted =
  | { readonly outcome: 'created' }
  | { readonly outcome: 'there-before', readonly stored: StoredOrder }

export interface DeviceOrder {
  readonly order: StoredOrder
  readonly share: DeviceShare
}

export interface OrdersOptions {
  readonly jobsPerTripMax: number
  readonly waitingMax: number
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
  const list = createSharedTrips<Wanted, readonly DeviceOrder[]>({ ...shared, travel: (wanted) => listAll(pool, wanted) })
  return {
    post: createSharedTrips<PostedOrder, Posted>({ ...shared, travel: (orders) => postAll(pool, orders), keyOf }),
    listOfDevice: (accountId, serialNumber) => list({ accountId, serialNumber }),
  }
}

interface Wanted { readonly accountId: number, readonly serialNumber: string }

/** Neither JSON text nor ids can hold a NUL, so it tells the members apart. */
const keyOf = ({ accountId, order }: PostedOrder): string => `${accountId}\0${order.customerId}\0${order.orderId}`

const POST_ORDERS = `
  with posted_orders as (
    insert into orders (account_id, release_id, order_date, tenure_start_date, created_at, customer_id, order_id,
      country, metadata, items, bases, lines_mg)
    select account_id::integer, release_id::smallint, order_date::date, tenure_start_date::date, created_at::timestamptz,
      customer_id, order_id, nullif(country, ''), nullif(metadata, ''), items,
      ${splitMembers('bases')}, ${splitMembers('lines_mg')}::bigint[]
    from unnest(${columns(12)}) as posted (account_id, release_id, order_date, tenure_start_date, created_at,
      customer_id, order_id, country, metadata, items, bases, lines_mg)
    on conflict do nothing
    returning account_id, customer_id, order_id, created_at
  ), posted_entries as (
    insert into entries (account_id, posted_at, embodied_mg, use_mg, packaging_mg, transportation_mg,
      serial_number, customer_id, order_id)
    select account_id, created_at, embodied_mg::bigint, use_mg::bigint, packaging_mg::bigint, transportation_mg::bigint,
      coalesce(serial_number, ''), customer_id, order_id
    from (
      select account_id::integer, customer_id, order_id, serial_number, embodied_mg, use_mg, packaging_mg, transportation_mg
      from unnest(${columns(8, 12)}) as entry (account_id, customer_id, order_id, serial_number,
        embodied_mg, use_mg, packaging_mg, transportation_mg)
    ) as entry
    join posted_orders using (account_id, customer_id, order_id)
  )
  select account_id, customer_id, order_id from posted_orders`

const FIND_ORDERS = `
  select account_id, release_id, order_date, tenure_start_date, created_at, customer_id, order_id,
    country, metadata, items, bases, lines_mg
  from orders
  join unnest($1::integer[], $2::text[], $3::text[]) as wanted (account_id, customer_id, order_id)
    using (account_id, customer_id, order_id)`

const LIST_OF_DEVICES = `
  select posted.*, release_id, order_date, tenure_start_date, created_at, country, metadata, items, bases, lines_mg
  from (
    select position, account_id, customer_id, order_id, sum(embodied_mg)::bigint as embodied_mg,
      sum(use_mg)::bigint as use_mg, sum(packaging_mg)::bigint as packaging_mg,
      sum(transportation_mg)::bigint as transportation_mg
    from unnest($1::integer[], $2::text[]) with ordinality as wanted (account_id, serial_number, position)
    join entries using (account_id, serial_number)
    group by position, account_id, customer_id, order_id
  ) as posted
  join orders using (account_id, customer_id, order_id)
  order by position, tenure_start_date, order_id, customer_id`

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
  const sorted = [...posted].sort((a, b) => keyOf(a) < keyOf(b) ? -1 : 1)
  const { rows } = await pool.query<OrderRow>({
    name: 'post-orders', text: POST_ORDERS, values: [...orderColumns(sorted), ...entryColumns(sorted)],
  })
  if (rows.length === posted.length) return posted.map(() => ({ outcome: 'created' }))
  const created = new Set(rows.map(keyOfRow))
  const stored = await findOrders(pool, posted.filter((order) => !created.has(keyOf(order))))
  return posted.map((order) => created.has(keyOf(order))
    ? { outcome: 'created' } : { outcome: 'there-before', stored: stored.get(keyOf(order))! })
}

async function findOrders(pool: Pool, wanted: readonly PostedOrder[]): Promise<ReadonlyMap<string, StoredOrder>> {
  const { rows } = await pool.query<OrderRow>({
    name: 'find-orders', text: FIND_ORDERS,
    values: [
      wanted.map(({ accountId }) => accountId),
      wanted.map(({ order }) => order.customerId),
      wanted.map(({ order }) => order.orderId),
    ],
  })
  return new Map(rows.map((row) => [keyOfRow(row), toStoredOrder(row)]))
}

const keyOfRow = ({ account_id, customer_id, order_id }: OrderRow): string => `${account_id}\0${customer_id}\0${order_id}`

/** Parameters of a statement as columns of texts, `first` of them standing before. */
function columns(count: number, first = 0): string {
  return Array.from({ length: count }, (_, position) => splitRows(`$${first + position + 1}`)).join(', ')
}

function orderColumns(posted: readonly PostedOrder[]): readonly string[] {
  const column = (valueOf: (order: StoredOrder) => string | null) => joinRows(posted.map(({ order }) => valueOf(order)))
  return [
    joinRows(posted.map(({ accountId }) => String(accountId))),
    column(({ releaseId }) => String(releaseId)),
    column(({ orderDate }) => orderDate),
    column(({ tenureStartDate }) => tenureStartDate),
    column(({ createdAt }) => createdAt.toISOString()),
    column(({ customerId }) => customerId),
    column(({ orderId }) => orderId),
    column(({ country }) => country),
    column(({ metadata }) => metadata),
    column(({ items }) => items),
    column(({ bases }) => joinMembers(bases)),
    column(({ lines }) => joinMembers(lines)),
  ]
}

function entryColumns(posted: readonly PostedOrder[]): readonly string[] {
  const entries = posted.flatMap(({ accountId, order, shares }) => shares.map((share) => ({ accountId, order, share })))
  const column = (valueOf: (entry: typeof entries[number]) => string) => joinRows(entries.map(valueOf))
  return [
    column(({ accountId }) => String(accountId)),
    column(({ order }) => order.customerId),
    column(({ order }) => order.orderId),
    column(({ share }) => share.serialNumber),
    column(({ share }) => String(share.product_embodied_emission)),
    column(({ share }) => String(share.product_use)),
    column(({ share }) => String(share.packaging)),
    column(({ share }) => String(share.transportation)),
  ]
}

async function listAll(pool: Pool, wanted: readonly Wanted[]): Promise<readonly (readonly DeviceOrder[])[]> {
  const { rows } = await pool.query<DeviceOrderRow>({
    name: 'list-of-devices', text: LIST_OF_DEVICES,
    values: [
      wanted.map(({ accountId }) => accountId),
      wanted.map(({ serialNumber }) => serialNumber),
    ],
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
