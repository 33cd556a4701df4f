// The orders of an account, page by page in the sequence of their keys, each with the sum of what was posted to it.
import type { OrderKey } from '../engine/device-run.ts'
import type { Milligrams } from '../engine/line.ts'
import type { OrderStatus } from '../engine/order-status.ts'
import { isOfOneRow } from './database-errors.ts'
import {
  ORDER_FIELDS,
  findEventsOfOrders,
  identityOf,
  keyValues,
  toStoredOrder,
  type Connection,
  type OrderRow,
} from './order-reads.ts'
import type { StoredEvent, StoredOrder } from './order-record.ts'
import { JOB_WEIGHT, type SharedLimits } from './orders.ts'
import type { LongReads } from './replica.ts'
import { createSharedTrips } from './shared-trips.ts'

/** Lists are long to read and long to send; more of them at once would keep connections from those who write. */
const LISTS_AT_ONCE = 4

/** An order may have a thousand items: a page of such orders ends before it has read more than this and one of them. */
const PAGE_BYTES_MAX = 2.5 * 2 ** 20

/** Which orders to list; null where anything fits. */
export interface OrderFilter {
  readonly customerId: string | null
  readonly orderId: string | null
  /** A device that the order holds, or held until it was swapped. */
  readonly serialNumber: string | null
  readonly statuses: ReadonlySet<OrderStatus> | null
  /** Calendar days of the order date, both inclusive. */
  readonly from: string | null
  readonly to: string | null
}

export interface WantedPage {
  readonly accountId: number
  readonly filter: OrderFilter
  /** The last order of the page before. */
  readonly after: OrderKey | null
  readonly limit: number
  /** The devices that stand in an order, given what happened to it. */
  readonly serialsOf: (order: StoredOrder, events: readonly StoredEvent[]) => readonly string[]
}

export interface ListedOrder {
  readonly order: StoredOrder
  /** With those that a swap brought in, and those that it took out. */
  readonly deviceCount: number
  /** The sum of all entries. */
  readonly posted: Milligrams
}

export interface OrderPage {
  /** By customer id, then order id, by code point. */
  readonly orders: readonly ListedOrder[]
  readonly hasMore: boolean
}

export type ListOrders = (wanted: WantedPage) => Promise<OrderPage>

export function createOrderList(longReads: LongReads, limits: SharedLimits): ListOrders {
  return createSharedTrips<WantedPage, OrderPage>({
    ...limits,
    queue: 'order-lists',
    tripsMax: LISTS_AT_ONCE,
    isOfOneJob: isOfOneRow,
    weightOf: () => JOB_WEIGHT,
    weightPerTripMax: 0,
    travel: async ([wanted]) => [await longReads((connection) => listOrders(connection, wanted!))],
  })
}

/** All of a page is read of one moment: a sum never has an entry whose order does not show it. */
async function listOrders(connection: Connection, wanted: WantedPage): Promise<OrderPage> {
  const { orders, hasMore } = await findPage(connection, wanted)
  const events = await findEventsOfOrders(connection, wanted.accountId, orders)
  const held = orders.map((order) => ({
    order,
    serials: wanted.serialsOf(order, events.get(identityOf(wanted.accountId, order)) ?? []),
  }))
  const sums = await findSums(connection, wanted.accountId, held)
  return {
    orders: held.map(({ order, serials }) => ({
      order,
      deviceCount: serials.length,
      posted: sums.get(identityOf(wanted.accountId, order))!,
    })),
    hasMore,
  }
}

const MATCHES = `orders.account_id = $1
    and ($2::text is null or customer_id = $2)
    and ($3::text is null or order_id = $3)
    and ($4::date is null or order_date >= $4)
    and ($5::date is null or order_date <= $5)
    and ($6::text[] is null or status = any($6))
    and ($7::text is null or (customer_id, order_id) > ($7, $8))`
const IN_SEQUENCE = 'order by customer_id, order_id limit $9'

const ALL_ORDERS = `select ${ORDER_FIELDS} from orders where ${MATCHES} ${IN_SEQUENCE}`

/** The index of changed orders has each status in sequence, so that a rare one is not searched for among all orders. */
const CHANGED_ORDERS = `select ${ORDER_FIELDS} from unnest($6::text[]) as wanted (wanted_status)
  cross join lateral (
    select ${ORDER_FIELDS} from orders
    where ${MATCHES} and status = wanted_status and status <> 'created' ${IN_SEQUENCE}
  ) as changed ${IN_SEQUENCE}`

/**
 * Up to so many orders of some days are read and sorted; among more, going along the primary key comes upon a page
 * sooner. With ten million orders of one account, both take as long at some 30,000.
 */
const ORDERS_OF_DAYS_MAX = 30_000

const OF_DAYS = `account_id = $1 and ($2::date is null or order_date >= $2) and ($3::date is null or order_date <= $3)`
const COUNT_OF_DAYS = `select count(*)::integer as found from (
    select from orders where ${OF_DAYS} limit ${ORDERS_OF_DAYS_MAX + 1}
  ) as of_days`

/** `offset 0` has them found by their days: the planner takes the sequence of the primary key to be worth more. */
const ORDERS_OF_DAYS = `select ${ORDER_FIELDS} from (
    select * from orders where account_id = $1 and ($4::date is null or order_date >= $4)
      and ($5::date is null or order_date <= $5)
    offset 0
  ) as orders where ${MATCHES} ${IN_SEQUENCE}`

/** A device's entries name its orders; those about the device alone name none. */
const ORDERS_OF_DEVICE = `select ${ORDER_FIELDS} from (
    select distinct customer_id, order_id from entries where account_id = $1 and serial_number = $11 and order_id <> ''
  ) as holding
  join orders using (customer_id, order_id)
  where ${MATCHES} ${IN_SEQUENCE}`

async function sourceOf(connection: Connection, { accountId, filter }: WantedPage): Promise<string> {
  const { customerId, orderId, serialNumber, statuses, from, to } = filter
  if (serialNumber !== null) return ORDERS_OF_DEVICE
  if (statuses && !statuses.has('created')) return CHANGED_ORDERS
  if (customerId !== null || orderId !== null || (from === null && to === null)) return ALL_ORDERS
  const { rows } = await connection.query<{ readonly found: number }>(COUNT_OF_DAYS, [accountId, from, to])
  return rows[0]!.found <= ORDERS_OF_DAYS_MAX ? ORDERS_OF_DAYS : ALL_ORDERS
}

/** One row more than the page may have tells whether there is another page. */
async function findPage(connection: Connection, wanted: WantedPage) {
  const { accountId, filter, after, limit } = wanted
  const { customerId, orderId, from, to, statuses, serialNumber } = filter
  // Without a name, so that each is planned for the filters that it has.
  const { rows } = await connection.query<OrderRow & { readonly found: number }>(
    `with listed as materialized (${await sourceOf(connection, wanted)}), weighed as (
      select *, count(*) over ()::integer as found, octet_length(items) + coalesce(octet_length(metadata), 0) as bytes
      from listed
    ), summed as (
      select *, sum(bytes) over (order by customer_id, order_id) - bytes as bytes_before from weighed
    )
    select ${ORDER_FIELDS}, found from summed where bytes_before <= $10 order by customer_id, order_id`,
    [
      accountId,
      customerId,
      orderId,
      from,
      to,
      statuses && [...statuses],
      after?.customerId ?? null,
      after?.orderId ?? null,
      limit + 1,
      PAGE_BYTES_MAX,
      ...(serialNumber === null ? [] : [serialNumber]),
    ],
  )
  const orders = rows.slice(0, limit).map(toStoredOrder)
  return { orders, hasMore: (rows[0]?.found ?? 0) > orders.length }
}

interface HeldDevices {
  readonly order: OrderKey
  readonly serials: readonly string[]
}

/** What was posted to orders in all, by identityOf. Entries are found by their device: an order has no index there. */
async function findSums(
  connection: Connection,
  accountId: number,
  held: readonly HeldDevices[],
): Promise<ReadonlyMap<string, Milligrams>> {
  // What is posted to an order without devices stands under no serial number.
  const places = held.flatMap(({ order, serials }) =>
    (serials.length > 0 ? serials : ['']).map((serial) => ({ ...order, serial })),
  )
  const { rows } = await connection.query<OrderKey & { readonly posted: Milligrams }>({
    name: 'find-sums-of-orders',
    text: `select wanted_customer as "customerId", wanted_order as "orderId", coalesce(sum(posted), 0)::bigint as posted
      from unnest($2::text[], $3::text[], $4::text[]) as wanted (wanted_customer, wanted_order, wanted_serial)
      cross join lateral (
        select sum(embodied_mg + use_mg + packaging_mg + transportation_mg) as posted from entries
        where account_id = $1 and serial_number = wanted_serial
          and customer_id = wanted_customer and order_id = wanted_order
      ) as entries_of_place
      group by wanted_customer, wanted_order`,
    values: [accountId, ...keyValues(places), places.map(({ serial }) => serial)],
  })
  return new Map(rows.map((row) => [identityOf(accountId, row), row.posted]))
}
