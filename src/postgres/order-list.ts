// The orders of an account, page by page, each with its total posted emissions.
import type { OrderKey } from '../engine/device-timeline.ts'
import type { Milligrams } from '../engine/numbers/emission.ts'
import { isRowError } from './errors.ts'
import { belongsToOrder } from './entries.ts'
import { buildOrderQuery, orderBy, type OrderQuery } from './order-query.ts'
import { ORDER_FIELDS, findEventsOfOrders, orderIdentity, keyValues, orderOfRow, type OrderRow } from './order-reads.ts'
import type { StoredEvent, StoredOrder } from '../ledger/records.ts'
import { JOB_BYTES, createBatcher, type BatchLimits } from '../concurrency/batcher.ts'
import type { ReplicaReads } from './read-replica.ts'
import type { Connection } from './transaction.ts'

/** Lists take long to read and to send; more of them concurrently would keep connections from writes. */
const LISTS_AT_ONCE = 4

/** An order may have a thousand items. A page of large orders ends once it exceeds this by at most one order. */
const PAGE_BYTES_MAX = 2.5 * 2 ** 20

export interface OrderPageQuery extends OrderQuery {
  /** The devices that are in an order after its events. */
  readonly serialsOf: (order: StoredOrder, events: readonly StoredEvent[]) => readonly string[]
}

export interface ListedOrder {
  readonly order: StoredOrder
  /** Includes devices that a swap added or removed. */
  readonly deviceCount: number
  /** The sum of all entries. */
  readonly posted: Milligrams
}

export interface OrderPage {
  readonly orders: readonly ListedOrder[]
  readonly hasMore: boolean
}

/** `too-many` if the list is sorted by emission and more orders match than may be summed up. */
export type ListOrders = (wanted: OrderPageQuery) => Promise<OrderPage | 'too-many'>

export function createOrderList(longReads: ReplicaReads, limits: BatchLimits): ListOrders {
  return createBatcher<OrderPageQuery, OrderPage | 'too-many'>({
    ...limits,
    queue: 'order-lists',
    concurrencyMax: LISTS_AT_ONCE,
    isJobError: isRowError,
    bytesOf: () => JOB_BYTES,
    batchBytesMax: 0,
    executeBatch: async ([wanted]) => [await longReads((connection) => listOrders(connection, wanted!))],
  })
}

/** Everything on a page is read from one snapshot, so a sum never includes an entry that its order does not show. */
async function listOrders(connection: Connection, wanted: OrderPageQuery): Promise<OrderPage | 'too-many'> {
  const page = await findPage(connection, wanted)
  if (page === 'too-many') return page
  const { orders, hasMore } = page
  const events = await findEventsOfOrders(connection, wanted.accountId, orders)
  const held = orders.map((order) => ({
    order,
    serials: wanted.serialsOf(order, events.get(orderIdentity(wanted.accountId, order)) ?? []),
  }))
  const sums = await findSums(connection, wanted.accountId, held)
  return {
    orders: held.map(({ order, serials }) => ({
      order,
      deviceCount: serials.length,
      posted: sums.get(orderIdentity(wanted.accountId, order))!,
    })),
    hasMore,
  }
}

/** Reads one row more than fits on the page, to know whether there is another page. */
async function findPage(connection: Connection, wanted: OrderPageQuery) {
  const chosen = await buildOrderQuery(connection, { ...wanted, limit: wanted.limit + 1 })
  if (chosen === 'too-many') return chosen
  const { text, values } = chosen
  // Not a prepared statement, so that PostgreSQL plans each query for its filters.
  const { rows } = await connection.query<OrderRow & { readonly found: number }>(
    cutWhereLong(text, orderBy(wanted.sequence)),
    [...values],
  )
  const orders = rows.slice(0, wanted.limit).map(orderOfRow)
  return { orders, hasMore: (rows[0]?.found ?? 0) > orders.length }
}

/** Cuts off a page of large orders. Each row has the number of orders found, including those that are cut off. */
const cutWhereLong = (listed: string, inSequence: string): string =>
  `with listed as materialized (${listed}), weighed as (
    select *, count(*) over ()::integer as found, octet_length(items) + coalesce(octet_length(metadata), 0) as bytes
    from listed
  ), summed as (
    select *, sum(bytes) over (order by ${inSequence}) - bytes as bytes_before from weighed
  )
  select ${ORDER_FIELDS}, found from summed where bytes_before <= ${PAGE_BYTES_MAX} order by ${inSequence}`

interface HeldDevices {
  readonly order: OrderKey
  readonly serials: readonly string[]
}

/**
 * Total emissions posted to orders, by orderIdentity. Entries are looked up by device because they have no index by
 * order.
 */
async function findSums(
  connection: Connection,
  accountId: number,
  held: readonly HeldDevices[],
): Promise<ReadonlyMap<string, Milligrams>> {
  // Entries of an order without devices have an empty serial number.
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
          and ${belongsToOrder('entries', 'wanted_customer', 'wanted_order')}
      ) as entries_of_place
      group by wanted_customer, wanted_order`,
    values: [accountId, ...keyValues(places), places.map(({ serial }) => serial)],
  })
  return new Map(rows.map((row) => [orderIdentity(accountId, row), row.posted]))
}
