// Reads orders and their events as they were stored.
import type { Connection } from './transaction.ts'
import { orderKey, type OrderKey } from '../engine/device-timeline.ts'
import type { OrderStatus } from '../engine/order.ts'
import { eventIdOf, sentIdOf } from '../engine/order-revision.ts'
import { RECORDER_FIELDS, recorderOfRow, recorderValues, type RecorderRow } from './recorder.ts'
import { decodeList } from './row-encoding.ts'
import type { MatchMethod } from '../engine/reference/product-match.ts'
import type { StoredEvent, StoredOrder } from '../ledger/records.ts'

export const ORDER_FIELDS = `account_id, release_id, order_date, tenure_start_date, created_at, status, customer_id,
  order_id, country, metadata, items, footprint_ids, match_methods, line_emissions_mg, import_id, import_row`

/** What a repetition of an order, or its correction, needs of it. */
export const FIRST_ANSWER_FIELDS = `${ORDER_FIELDS}, warnings`

export interface OrderRow {
  readonly account_id: number
  readonly release_id: number
  readonly order_date: string
  readonly tenure_start_date: string
  readonly created_at: Date
  readonly status: OrderStatus
  readonly customer_id: string
  readonly order_id: string
  readonly country: string | null
  readonly metadata: string | null
  readonly items: string
  readonly footprint_ids: string
  readonly match_methods: string
  readonly line_emissions_mg: string
  readonly import_id: number | null
  readonly import_row: number | null
  /** Read with FIRST_ANSWER_FIELDS alone. */
  readonly warnings?: string | null
}

export const orderOfRow = (row: OrderRow): StoredOrder => ({
  customerId: row.customer_id,
  orderId: row.order_id,
  orderDate: row.order_date,
  tenureStartDate: row.tenure_start_date,
  createdAt: row.created_at,
  status: row.status,
  country: row.country,
  metadata: row.metadata,
  items: row.items,
  releaseId: row.release_id,
  footprintIds: decodeList(row.footprint_ids),
  matchMethods: decodeList(row.match_methods) as readonly MatchMethod[],
  lineEmissions: decodeList(row.line_emissions_mg).map(BigInt),
  ...(row.import_id !== null && { origin: { importId: row.import_id, row: row.import_row! } }),
  ...(row.warnings && { warnings: row.warnings }),
})

/** Identifies an order among all accounts. Neither JSON text nor ids can contain a NUL, so it is a safe separator. */
export const orderIdentity = (accountId: number, { customerId, orderId }: OrderKey): string =>
  `${accountId}\0${customerId}\0${orderId}`

export interface AccountOrder {
  readonly accountId: number
  readonly key: OrderKey
}

/** By orderIdentity. */
export async function findOrders(
  connection: Connection,
  wanted: readonly AccountOrder[],
): Promise<ReadonlyMap<string, StoredOrder>> {
  const { rows } = await connection.query<OrderRow>({
    name: 'find-orders',
    text: `select ${FIRST_ANSWER_FIELDS} from orders
      join unnest($1::integer[], $2::text[], $3::text[]) as wanted (account_id, customer_id, order_id)
        using (account_id, customer_id, order_id)`,
    values: [
      wanted.map(({ accountId }) => accountId),
      wanted.map(({ key }) => key.customerId),
      wanted.map(({ key }) => key.orderId),
    ],
  })
  return new Map(rows.map((row) => [orderIdentity(row.account_id, orderOfRow(row)), orderOfRow(row)]))
}

/** True for the row of an order's current revision: no later one follows it. The account is the first parameter. */
export const IS_CURRENT = `orders.status <> 'corrected' and (orders.status <> 'reversed' or not exists (
    select from orders as later
    where later.account_id = $1 and later.customer_id = orders.customer_id
      and later.order_id > orders.order_id and later.order_id < split_part(orders.order_id, chr(31), 1) || chr(32)
  ))`

/** Orders that were sent again or corrected afterwards have later revisions; nearly no order has. */
const mayHaveRevisions = ({ status }: StoredOrder): boolean => status === 'reversed' || status === 'corrected'

/**
 * SQL condition for the revisions of an order, all of which are looked up by the primary key. The customer is compared
 * as an expression: by the index of customers, all orders of the customer would be read.
 * @param customer, order SQL expressions for the ids that the client sent
 */
export const isRevisionOf = (customer: string, order: string): string =>
  `orders.order_id >= ${order} and orders.order_id < ${order} || chr(32) and orders.customer_id || '' = ${customer}`

/** All revisions of an order that were known at some time, in order. */
export async function findRevisions(
  connection: Connection,
  { accountId, key }: AccountOrder,
  knownAt: Date | null = null,
): Promise<readonly StoredOrder[]> {
  const { rows } = await connection.query<OrderRow>({
    name: 'find-revisions',
    text: `select ${FIRST_ANSWER_FIELDS} from orders
      where account_id = $1 and ${isRevisionOf('$2::text', '$3::text')}
        and ($4::timestamptz is null or created_at <= $4)
      order by order_id`,
    values: [accountId, key.customerId, key.orderId, knownAt],
  })
  return rows.map(orderOfRow)
}

/**
 * The current revision of an order, or the one that was current at some time; null if there was none.
 * @param key with the id that the client sent
 */
export async function findCurrentOrder(
  connection: Connection,
  wanted: AccountOrder,
  knownAt: Date | null = null,
): Promise<StoredOrder | null> {
  const first = (await findOrders(connection, [wanted])).get(orderIdentity(wanted.accountId, wanted.key))
  if (!first || (knownAt && first.createdAt > knownAt)) return null
  return mayHaveRevisions(first) ? (await findRevisions(connection, wanted, knownAt)).at(-1)! : first
}

/** The current revisions of many orders. @param keys with the ids that the clients sent, each once */
export async function findCurrentOrders(
  connection: Connection,
  accountId: number,
  keys: readonly OrderKey[],
): Promise<readonly StoredOrder[]> {
  const { rows } = await connection.query<OrderRow>({
    name: 'find-current-orders',
    text: `select ${FIRST_ANSWER_FIELDS}
      from unnest($2::text[], $3::text[]) as wanted (wanted_customer, wanted_order)
      cross join lateral (
        select * from orders where account_id = $1 and ${isRevisionOf('wanted_customer', 'wanted_order')}
        order by order_id desc limit 1
      ) as latest`,
    values: [accountId, ...keyValues(keys)],
  })
  return rows.map(orderOfRow)
}

/** Locks orders until the transaction ends, in the order of their keys. @returns the stored ones, by orderKey */
export async function lockOrders(
  connection: Connection,
  accountId: number,
  keys: readonly OrderKey[],
): Promise<ReadonlySet<string>> {
  const { rows } = await connection.query<OrderKey>({
    name: 'lock-orders',
    text: `select customer_id as "customerId", order_id as "orderId" from (
        select * from unnest($2::text[], $3::text[]) as wanted (customer_id, order_id) order by order_id, customer_id
      ) as wanted cross join lateral (
        select from orders
        where account_id = $1 and orders.customer_id = wanted.customer_id and orders.order_id = wanted.order_id
        for update
      ) as locked`,
    values: [accountId, ...keyValues(keys)],
  })
  return new Set(rows.map(orderKey))
}

/** All revisions of several orders, by orderIdentity of the key that the client sent. */
export async function findRevisionsOf(
  connection: Connection,
  accountId: number,
  keys: readonly OrderKey[],
): Promise<ReadonlyMap<string, readonly StoredOrder[]>> {
  const wanted = keys.map((key) => ({ accountId, key }))
  const revisions = new Map<string, readonly StoredOrder[]>()
  for (const [identity, order] of await findOrders(connection, wanted)) {
    const all = mayHaveRevisions(order) ? await findRevisions(connection, { accountId, key: order }) : [order]
    revisions.set(identity, all)
  }
  return revisions
}

export interface EventRow extends RecorderRow {
  readonly event_id: string
  readonly posted_at: Date
  readonly customer_id: string | null
  readonly order_id: string | null
  readonly serial_number: string | null
  readonly content: string
}

const EVENT_FIELDS = `event_id, posted_at, customer_id, order_id, serial_number, content, ${RECORDER_FIELDS}`

const toStoredEvent = (row: EventRow): StoredEvent => ({
  eventId: eventIdOf(row.event_id),
  postedAt: row.posted_at,
  recordedBy: recorderOfRow(row),
  order: row.order_id === null ? null : { customerId: row.customer_id!, orderId: row.order_id },
  serialNumber: row.serial_number,
  content: row.content,
})

/**
 * The events of an order, in the order in which they became known, and the event that was sent last with an id,
 * whatever it is about. Of one that is stored for several revisions of an order, the last counts.
 * @param order null to find only the event with the id
 * @param sentId as the client sent it
 */
export async function findEvents(
  connection: Connection,
  accountId: number,
  order: OrderKey | null,
  sentId: string,
): Promise<{ readonly events: readonly StoredEvent[]; readonly sameId: StoredEvent | null }> {
  const { rows } = await connection.query<EventRow>({
    name: 'find-events',
    text: `select ${EVENT_FIELDS} from (
        select ${EVENT_FIELDS}, event_no from events where account_id = $1 and customer_id = $2 and order_id = $3
        union
        select ${EVENT_FIELDS}, event_no from events
        where account_id = $1 and event_id >= $4::text and event_id < $4::text || chr(32)
      ) as found order by event_no`,
    values: [accountId, order?.customerId ?? null, order?.orderId ?? null, sentId],
  })
  const stored = rows.map(toStoredEvent)
  return {
    events: stored.filter((event) => event.order !== null && order !== null && isSameOrder(event.order, order)),
    sameId: stored.findLast(({ eventId }) => sentIdOf(eventId) === sentId) ?? null,
  }
}

const isSameOrder = (a: OrderKey, b: OrderKey): boolean => a.customerId === b.customerId && a.orderId === b.orderId

/** By event id, whatever they concern. */
export async function findEventsById(
  connection: Connection,
  accountId: number,
  eventIds: readonly string[],
): Promise<ReadonlyMap<string, StoredEvent>> {
  if (eventIds.length === 0) return new Map()
  const { rows } = await connection.query<EventRow>({
    name: 'find-events-by-id',
    text: `select ${EVENT_FIELDS} from events where account_id = $1 and event_id = any($2::text[])`,
    values: [accountId, eventIds],
  })
  return new Map(rows.map((row) => [row.event_id, toStoredEvent(row)]))
}

/** The events of an order, in the order in which they became known. */
export async function findEventsOfOrder(
  connection: Connection,
  { accountId, key }: AccountOrder,
  knownAt: Date | null = null,
): Promise<readonly StoredEvent[]> {
  const { rows } = await connection.query<EventRow>({
    name: 'find-events-of-order',
    text: `select ${EVENT_FIELDS} from events
      where account_id = $1 and customer_id = $2 and order_id = $3 and ($4::timestamptz is null or posted_at <= $4)
      order by event_no`,
    values: [accountId, key.customerId, key.orderId, knownAt],
  })
  return rows.map(toStoredEvent)
}

/** As arrays for unnest(). */
export const keyValues = (keys: readonly OrderKey[]) => [
  keys.map(({ customerId }) => customerId),
  keys.map(({ orderId }) => orderId),
]

/**
 * The events of orders, in the order in which they became known, by orderIdentity. `offset 0` makes each order be
 * looked up by itself: for a long page, the planner would read all events of the account once.
 */
export async function findEventsOfOrders(
  connection: Connection,
  accountId: number,
  keys: readonly OrderKey[],
): Promise<ReadonlyMap<string, readonly StoredEvent[]>> {
  const { rows } = await connection.query<EventRow>({
    name: 'find-events-of-orders',
    text: `select ${EVENT_FIELDS}
      from unnest($2::text[], $3::text[]) as wanted (wanted_customer, wanted_order)
      cross join lateral (
        select * from events where account_id = $1 and customer_id = wanted_customer and order_id = wanted_order
        offset 0
      ) as told
      order by event_no`,
    values: [accountId, ...keyValues(keys)],
  })
  return Map.groupBy(rows.map(toStoredEvent), ({ order }) => orderIdentity(accountId, order!))
}

/** For revisions that were just inserted. */
export async function setStatuses(
  connection: Connection,
  accountId: number,
  orders: readonly (OrderKey & { readonly status: OrderStatus })[],
): Promise<void> {
  if (orders.length === 0) return
  await connection.query({
    name: 'set-statuses',
    text: `update orders set status = told.status
      from unnest($2::text[], $3::text[], $4::text[]) as told (customer_id, order_id, status)
      where orders.account_id = $1 and orders.customer_id = told.customer_id and orders.order_id = told.order_id`,
    values: [accountId, ...keyValues(orders), orders.map(({ status }) => status)],
  })
}

/** Stores events, in order. */
export async function addEvents(
  connection: Connection,
  accountId: number,
  events: readonly StoredEvent[],
): Promise<void> {
  if (events.length === 0) return
  const recorders = events.map(({ recordedBy }) => recorderValues(recordedBy))
  await connection.query({
    name: 'add-events',
    text: `insert into events (account_id, event_id, customer_id, order_id, serial_number, content, posted_at,
        ${RECORDER_FIELDS})
      select $1, event_id, customer_id, order_id, serial_number, content, posted_at, ${RECORDER_FIELDS}
      from unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::timestamptz[],
          $8::text[], $9::text[], $10::integer[])
        with ordinality
        as sent (event_id, customer_id, order_id, serial_number, content, posted_at, ${RECORDER_FIELDS}, number)
      order by number`,
    values: [
      accountId,
      events.map(({ eventId }) => eventId),
      events.map(({ order }) => order?.customerId ?? null),
      events.map(({ order }) => order?.orderId ?? null),
      events.map(({ serialNumber }) => serialNumber),
      events.map(({ content }) => content),
      events.map(({ postedAt }) => postedAt),
      ...[0, 1, 2].map((at) => recorders.map((values) => values[at])),
    ],
  })
}
