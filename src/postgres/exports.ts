// Reads for exports: all orders, events, devices or entries of an account from one snapshot, page by page.
import type pg from 'pg'
import type { StoredDefault } from '../contract/event-schema.ts'
import { createSemaphore, type SemaphoreLimits } from '../concurrency/semaphore.ts'
import type { Milligrams } from '../engine/numbers/emission.ts'
import type { OrderStatus } from '../engine/order.ts'
import type { StoredDevice, StoredEntry, StoredEvent, StoredOrder } from '../ledger/records.ts'
import { belongsToOrder } from './entries.ts'
import { deviceOfRow, entryOfRow, type DeviceRow, type EntryRow } from './entry-rows.ts'
import {
  IS_CURRENT,
  ORDER_FIELDS,
  findEventsOfOrders,
  keyValues,
  orderIdentity,
  orderOfRow,
  type OrderRow,
} from './order-reads.ts'
import { connectDirectly } from './pool.ts'
import { READ_ONLY_SNAPSHOT } from './transaction.ts'

/** Filters of the export; null for no filter. */
export interface ExportFilter {
  readonly customerId: string | null
  readonly statuses: readonly OrderStatus[] | null
  /** Calendar days, both inclusive. For orders: the order date. For all others: the day of posting, UTC. */
  readonly from: string | null
  readonly to: string | null
}

/** Posted emissions in milligrams. */
export interface PostedEmissions {
  readonly embodied: Milligrams
  readonly use: Milligrams
  readonly packaging: Milligrams
  readonly transportation: Milligrams
}

/** With the device's footprint and the dataset release that contains it; null if there is no device. */
export interface PostedToDevice extends PostedEmissions {
  readonly basis: string | null
  readonly releaseId: number | null
}

export interface ExportedOrder {
  readonly order: StoredOrder
  /**
   * What was posted to each device that is in the order, or was until it was swapped. The key '' is the order itself.
   */
  readonly posted: ReadonlyMap<string, PostedToDevice>
  readonly events: readonly StoredEvent[]
  readonly release: string
}

export interface ExportedDevice extends PostedEmissions {
  readonly device: StoredDevice
  readonly release: string
  readonly orderCount: number
  readonly firstPostedAt: Date
  readonly lastPostedAt: Date
}

export interface ExportedEntry {
  readonly entry: StoredEntry
  readonly release: string
}

/** What was told and counts. */
export interface ExportedEvent extends Pick<StoredEvent, 'postedAt' | 'order' | 'serialNumber'> {
  /** The members that the client sent; `event_id` as it is stored. */
  readonly wire: Readonly<Record<string, string | number | boolean>>
  /** Null for one that has no emission, or states it. */
  readonly emissionDefault: StoredDefault | null
}

export type Source = 'orders' | 'events' | 'devices' | 'entries'

/** An order may have a thousand items. */
const ORDERS_PER_PAGE = 250
const ROWS_PER_PAGE = 1_000

const ENTRIES_MATCH = `($2::text is null or entries.customer_id = $2)
  and ($3::date is null or posted_at >= $3::date::timestamp at time zone 'UTC')
  and ($4::date is null or posted_at < ($4::date + 1)::timestamp at time zone 'UTC')`

/** The condition of the filter for each kind of row. A device matches if one of its entries does. */
const MATCHES: Readonly<Record<Source, string>> = {
  orders: `orders.account_id = $1 and ($2::text is null or orders.customer_id = $2)
    and ($3::date is null or order_date >= $3) and ($4::date is null or order_date <= $4)
    and ($5::text[] is null or orders.status = any($5)) and ${IS_CURRENT}`,
  // What clients cannot send is left out: how an order was corrected or undone, and what that made of its devices.
  events: `events.account_id = $1 and ($2::text is null or events.customer_id = $2)
    and ($3::date is null or posted_at >= $3::date::timestamp at time zone 'UTC')
    and ($4::date is null or posted_at < ($4::date + 1)::timestamp at time zone 'UTC')
    and content::json ->> 'type' not in ('withdrawn', 'corrected', 'reversed')
    and (events.order_id is null and content::json ->> 'footprint_id' is null or exists (
      select from orders where orders.account_id = $1 and orders.customer_id = events.customer_id
        and orders.order_id = events.order_id and orders.status not in ('corrected', 'reversed')
    ))`,
  devices: `devices.account_id = $1 and exists (
    select from entries where entries.account_id = $1 and entries.serial_number = devices.serial_number
      and ${ENTRIES_MATCH}
  )`,
  entries: `entries.account_id = $1 and ${ENTRIES_MATCH}`,
}

const valuesOf = (source: Source, accountId: number, { customerId, from, to, statuses }: ExportFilter) => [
  accountId,
  customerId,
  from,
  to,
  ...(source === 'orders' ? [statuses] : []),
]

const releasesOf = (source: Source): string =>
  `select name from dataset_releases where release_id in (select release_id from ${source} where ${MATCHES[source]})
  order by release_id`

async function findReleases(
  client: pg.Client,
  source: Source,
  accountId: number,
  filter: ExportFilter,
): Promise<readonly string[]> {
  // An event has no figures.
  if (source === 'events') return []
  const values = valuesOf(source, accountId, filter)
  const { rows } = await client.query<{ readonly name: string }>(releasesOf(source), values)
  return rows.map(({ name }) => name)
}

const LABELS = `select distinct label collate "C" as label from orders, json_object_keys(metadata::json) as label
  where metadata is not null and ${MATCHES.orders} order by label limit $6`

async function findLabels(
  client: pg.Client,
  accountId: number,
  filter: ExportFilter,
  most: number,
): Promise<readonly string[] | null> {
  const { rows } = await client.query<{ readonly label: string }>(LABELS, [
    ...valuesOf('orders', accountId, filter),
    most + 1,
  ])
  return rows.length > most ? null : rows.map(({ label }) => label)
}

const cursorOf = (rows: string): string => `declare exported no scroll cursor for ${rows}`
const fetchOf = (count: number): string => `fetch ${count} from exported`

/** Only one cursor at a time per connection. All its statements see the snapshot of its transaction. */
async function* pagesOf<Row extends pg.QueryResultRow>(
  client: pg.Client,
  text: string,
  values: readonly unknown[],
  rowsPerPage: number,
): AsyncGenerator<readonly Row[]> {
  await client.query(cursorOf(text), [...values])
  for (;;) {
    const { rows } = await client.query<Row>(fetchOf(rowsPerPage))
    if (rows.length > 0) yield rows
    if (rows.length < rowsPerPage) return
  }
}

const RELEASE = '(select name from dataset_releases where dataset_releases.release_id'

const ORDERS = `select ${ORDER_FIELDS}, ${RELEASE} = orders.release_id) as release from orders
  where ${MATCHES.orders} order by order_id, customer_id`

async function* readOrders(
  client: pg.Client,
  accountId: number,
  filter: ExportFilter,
  serialsOf: (order: StoredOrder, events: readonly StoredEvent[]) => readonly string[],
): AsyncGenerator<readonly ExportedOrder[]> {
  const values = valuesOf('orders', accountId, filter)
  for await (const rows of pagesOf<OrderRow & { readonly release: string }>(client, ORDERS, values, ORDERS_PER_PAGE)) {
    const orders = rows.map(orderOfRow)
    const events = await findEventsOfOrders(client, accountId, orders)
    const eventsOf = (order: StoredOrder) => events.get(orderIdentity(accountId, order)) ?? []
    const places = orders.flatMap((order) =>
      // Entries of an order without devices have an empty serial number.
      orEmpty(serialsOf(order, eventsOf(order))).map((serial) => ({ order, serial })),
    )
    const posted = await findPosted(client, accountId, places)
    yield rows.map(({ release }, at) => {
      const order = orders[at]!
      return { order, release, events: eventsOf(order), posted: posted.get(order)! }
    })
  }
}

const orEmpty = (serials: readonly string[]): readonly string[] => (serials.length > 0 ? serials : [''])

type PostedRow = PostedToDevice & { readonly at: number }

const SUMS = `coalesce(sum(embodied_mg), 0)::bigint as embodied, coalesce(sum(use_mg), 0)::bigint as use,
  coalesce(sum(packaging_mg), 0)::bigint as packaging, coalesce(sum(transportation_mg), 0)::bigint as transportation`

/** What orders posted to devices. The entries are looked up by device, whatever the statistics say. */
async function findPosted(
  client: pg.Client,
  accountId: number,
  places: readonly { readonly order: StoredOrder; readonly serial: string }[],
): Promise<ReadonlyMap<StoredOrder, Map<string, PostedRow>>> {
  const { rows } = await client.query<PostedRow>({
    name: 'export-posted',
    text: `select at::integer - 1 as at, posted.*, device.footprint_id as basis, device.release_id as "releaseId"
      from unnest($2::text[], $3::text[], $4::text[]) with ordinality as wanted (customer, order_of, serial, at)
      cross join lateral (
        select ${SUMS} from entries where account_id = $1 and serial_number = wanted.serial
          and ${belongsToOrder('entries', 'wanted.customer', 'wanted.order_of')}
        offset 0
      ) as posted
      left join lateral (
        select footprint_id, release_id from devices where account_id = $1 and serial_number = wanted.serial
      ) as device on true
      order by at`,
    values: [accountId, ...keyValues(places.map(({ order }) => order)), places.map(({ serial }) => serial)],
  })
  const postedOfOrders = new Map<StoredOrder, Map<string, PostedRow>>(places.map(({ order }) => [order, new Map()]))
  for (const row of rows) {
    const { order, serial } = places[row.at]!
    postedOfOrders.get(order)!.set(serial, row)
  }
  return postedOfOrders
}

const DEVICES = `select devices.serial_number, devices.release_id, is_capped, footprint_id, weight_kg, product_id,
    match_method, posted.*, posted.embodied as allocated_mg, ${RELEASE} = devices.release_id) as release from devices
  cross join lateral (
    select ${SUMS}, sum(embodied_added_mg)::bigint as embodied_total_mg,
      count(distinct (customer_id, split_part(order_id, chr(31), 1)))
        filter (where order_id <> '')::integer as "orderCount",
      min(posted_at) as "firstPostedAt", max(posted_at) as "lastPostedAt"
    from entries where entries.account_id = $1 and entries.serial_number = devices.serial_number
    offset 0
  ) as posted
  where ${MATCHES.devices} order by devices.serial_number`

async function* readDevices(
  client: pg.Client,
  accountId: number,
  filter: ExportFilter,
): AsyncGenerator<readonly ExportedDevice[]> {
  const values = valuesOf('devices', accountId, filter)
  for await (const rows of pagesOf<DeviceRow & Omit<ExportedDevice, 'device'>>(
    client,
    DEVICES,
    values,
    ROWS_PER_PAGE,
  )) {
    yield rows.map((row) => ({ ...row, device: deviceOfRow(row) }))
  }
}

const ENTRIES = `select entries.*, null as event_content, ${RELEASE} = entries.release_id) as release from entries
  where ${MATCHES.entries} order by serial_number, customer_id, order_id, entry_no`

async function* readEntries(
  client: pg.Client,
  accountId: number,
  filter: ExportFilter,
): AsyncGenerator<readonly ExportedEntry[]> {
  const values = valuesOf('entries', accountId, filter)
  for await (const rows of pagesOf<EntryRow & { readonly release: string }>(client, ENTRIES, values, ROWS_PER_PAGE)) {
    yield rows.map((row) => ({ entry: entryOfRow(row), release: row.release }))
  }
}

const EVENTS = `select posted_at, customer_id, order_id, serial_number, content from events
  where ${MATCHES.events} order by event_no`

const WITHDRAWN = `select customer_id, order_id, content::json ->> 'withdraws' as id from events
  where account_id = $1 and content::json ->> 'type' = 'withdrawn'`

type OrderColumns = { readonly customer_id: string | null; readonly order_id: string | null }
type ExportedEventRow = OrderColumns & {
  readonly posted_at: Date
  readonly serial_number: string | null
  readonly content: string
}

/** The id in the content of an event has no revision, and neither has the one that a withdrawal names. */
const eventIdentity = ({ customer_id: customer, order_id: order }: OrderColumns, id: unknown): string =>
  [customer, order, id].join('\0')

type DefaultOfEvent = { readonly emission_default?: StoredDefault }

/** An event that was withdrawn, and its withdrawal, leave nothing. */
async function* readEvents(
  client: pg.Client,
  accountId: number,
  filter: ExportFilter,
): AsyncGenerator<readonly ExportedEvent[]> {
  // Not in the statement of the events: without statistics, it might look through these for every event.
  const found = await client.query<OrderColumns & { readonly id: string }>(WITHDRAWN, [accountId])
  const withdrawn = new Set(found.rows.map((row) => eventIdentity(row, row.id)))
  const values = valuesOf('events', accountId, filter)
  for await (const rows of pagesOf<ExportedEventRow>(client, EVENTS, values, ROWS_PER_PAGE))
    yield rows.flatMap((row) => {
      const wire = JSON.parse(row.content) as ExportedEvent['wire']
      const { emission_default: emissionDefault = null } = JSON.parse(row.content) as DefaultOfEvent
      if (withdrawn.has(eventIdentity(row, wire['event_id']))) return []
      const { posted_at: postedAt, customer_id: customerId, order_id: orderId, serial_number: serialNumber } = row
      const order = customerId === null || orderId === null ? null : { customerId, orderId }
      return [{ postedAt, order, serialNumber, wire, emissionDefault }]
    })
}

/** One snapshot of the database for the whole export. It must be closed. */
export interface ExportSnapshot {
  /** Names of the dataset releases of the rows, in the order of their first use. */
  readonly releases: (source: Source) => Promise<readonly string[]>
  /** The metadata names that occur, sorted by code point; null if there are more than `most`. */
  readonly labels: (most: number) => Promise<readonly string[] | null>
  /** Sorted by order id, then customer id, by code point. `serialsOf` returns the devices in an order. */
  readonly orders: (
    serialsOf: (order: StoredOrder, events: readonly StoredEvent[]) => readonly string[],
  ) => AsyncGenerator<readonly ExportedOrder[]>
  /** In the order in which they were recorded. */
  readonly events: () => AsyncGenerator<readonly ExportedEvent[]>
  /** Sorted by serial number. */
  readonly devices: () => AsyncGenerator<readonly ExportedDevice[]>
  /** Sorted by serial number, customer id, order id, then entry number. */
  readonly entries: () => AsyncGenerator<readonly ExportedEntry[]>
  readonly close: () => Promise<void>
}

export type BeginExport = (accountId: number, filter: ExportFilter) => Promise<ExportSnapshot>

/** Each export holds its own connection, and vacuum cannot remove rows that its snapshot sees until it is done. */
const EXPORTS_AT_ONCE: SemaphoreLimits = { most: 4, ofOneMost: 2, waitMs: 10_000 }
/** A client that reads nothing for this long is gone. One that reads only a little is cut off after EXPORT_MS_MAX. */
const IDLE_MS_MAX = 60_000
const EXPORT_MS_MAX = 3_600_000

/** @throws QueueFull if no running export ends within the waiting time */
export function createExports(pool: pg.Pool): BeginExport {
  const takeTurn = createSemaphore('exports', EXPORTS_AT_ONCE)
  return async (accountId, filter) => {
    const endTurn = await takeTurn(accountId)
    const client = connectDirectly(pool)
    const isTooLong = setTimeout(() => void close(), EXPORT_MS_MAX).unref()
    let closed: Promise<void> | null = null
    const close = (): Promise<void> => (closed ??= client.end().finally(endTurn))
    client.once('end', () => clearTimeout(isTooLong))
    try {
      await client.connect()
      await client.query(`set idle_in_transaction_session_timeout = ${IDLE_MS_MAX}`)
      await client.query(READ_ONLY_SNAPSHOT)
    } catch (error) {
      await close()
      throw error
    }
    return { ...readsOf(client, accountId, filter), close }
  }
}

const readsOf = (client: pg.Client, accountId: number, filter: ExportFilter): Omit<ExportSnapshot, 'close'> => ({
  releases: (source) => findReleases(client, source, accountId, filter),
  labels: (most) => findLabels(client, accountId, filter, most),
  orders: (serialsOf) => readOrders(client, accountId, filter, serialsOf),
  events: () => readEvents(client, accountId, filter),
  devices: () => readDevices(client, accountId, filter),
  entries: () => readEntries(client, accountId, filter),
})
