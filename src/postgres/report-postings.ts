// What was posted to an account within some time, in the sequence of posting: each entry with all that a report needs.
import type { Milligrams } from '../engine/line.ts'
import type { Reason } from '../engine/device-history.ts'
import { keptGuess, type Guess } from './order-record.ts'
import type { Connection } from './order-reads.ts'

/** An entry, as far as reports see it. Days are counted from 1970-01-01. */
export interface Posting {
  readonly postedDay: number
  readonly no: number
  readonly reason: Reason
  readonly embodied: Milligrams
  readonly use: Milligrams
  readonly packaging: Milligrams
  readonly transportation: Milligrams
  /** Null for an entry about the device alone. */
  readonly order: PostedOrderFacts | null
  /** What the device is charged by; null for an order without devices. */
  readonly device: ChargedAs | null
  /** The first entry of the rental that it belongs to; null for an order without devices. */
  readonly rental: PostedRental | null
  /** Of an entry about the device alone: the event, as it was told. */
  readonly eventContent: string | null
}

interface ChargedAs {
  readonly releaseId: number
  readonly basis: string
  readonly weightKg: string | null
  /** Where it was guessed or mapped. */
  readonly guess: Guess | null
}

export interface PostedRental {
  readonly firstNo: number
  readonly start: string
  readonly months: string
  readonly country: string | null
  readonly releaseId: number
}

export interface PostedOrderFacts {
  readonly customerId: string
  readonly orderId: string
  readonly orderDay: number
  readonly dispatchDay: number
  readonly country: string | null
  readonly metadata: string | null
  readonly releaseId: number
  /** As the order keeps them, JSON. */
  readonly items: string
}

/** The reason of what is always the first entry of a rental; one that came by a swap begins otherwise. */
const FIRST: Reason = 'order'

/** Entries on a page: all of one is in memory at a time, with its orders, each of which may have 1,000 items. */
const PAGE_ROWS = 250

/**
 * Each entry is looked up with its device and, unless it is that itself, the first entry of its rental, by their keys,
 * page by page: `offset 0` keeps the planner from reading all devices of the account for that. What is not needed is
 * said inside of each look-up: beside it, it would be looked up nevertheless.
 */
const POSTINGS = `
  select entries.*, device.release_id as device_release, basis, weight_kg, product_id, found_by, first_no,
    first_start, first_months, first_country, first_release, content
  from (
    select posted_at, (posted_at at time zone 'UTC')::date - date '1970-01-01' as posted_day, account_id, customer_id,
      order_id, serial_number, entry_no, reason, event_id, embodied_mg, use_mg, packaging_mg, transportation_mg,
      start_date::text as own_start, months as own_months, country as own_country, release_id as own_release
    from entries
    where account_id = $1 and posted_at > $2 and posted_at <= $3
    order by entries.posted_at, customer_id, order_id, serial_number, entry_no
    offset 0
  ) as entries
  left join lateral (
    select release_id, basis, weight_kg, product_id, found_by from devices
    where devices.account_id = entries.account_id and devices.serial_number = entries.serial_number
      and entries.serial_number <> ''
    offset 0
  ) as device on true
  left join lateral (
    select entry_no as first_no, start_date::text as first_start, months as first_months, country as first_country,
      release_id as first_release
    from entries as own
    where own.account_id = entries.account_id and own.serial_number = entries.serial_number
      and own.customer_id = entries.customer_id and own.order_id = entries.order_id
      and entries.reason <> '${FIRST}' and entries.serial_number <> '' and entries.order_id <> ''
    order by entry_no limit 1
  ) as first_entry on true
  left join lateral (
    select content from events
    where events.account_id = entries.account_id and events.event_id = entries.event_id and entries.order_id = ''
    offset 0
  ) as told on true`

interface Row {
  readonly posted_day: number
  readonly customer_id: string
  readonly order_id: string
  readonly serial_number: string
  readonly entry_no: number
  readonly reason: Reason
  readonly embodied_mg: bigint
  readonly use_mg: bigint
  readonly packaging_mg: bigint
  readonly transportation_mg: bigint
  readonly device_release: number | null
  readonly basis: string | null
  readonly weight_kg: string | null
  readonly product_id: string | null
  readonly found_by: string | null
  readonly own_start: string
  readonly own_months: string
  readonly own_country: string | null
  readonly own_release: number
  readonly first_no: number | null
  readonly first_start: string | null
  readonly first_months: string | null
  readonly first_country: string | null
  readonly first_release: number | null
  readonly content: string | null
}

/**
 * All entries that were posted after one time and until another, page by page, in the sequence of their times; those
 * of one time by customer, order, device and number. The connection has to be in a transaction.
 * @param after '-infinity' or a time as the database writes it
 * @param until 'infinity' or such a time
 */
export async function* readPostings(
  connection: Connection,
  accountId: number,
  after: string,
  until: string,
): AsyncGenerator<readonly Posting[]> {
  await connection.query(`declare postings no scroll cursor for ${POSTINGS}`, [accountId, after, until])
  for (;;) {
    const { rows } = await connection.query<Row>(`fetch ${PAGE_ROWS} from postings`)
    if (rows.length > 0) yield await withOrders(connection, accountId, rows)
    if (rows.length < PAGE_ROWS) break
  }
  await connection.query('close postings')
}

const keyOf = (customerId: string, orderId: string): string => `${customerId}\0${orderId}`

async function withOrders(connection: Connection, accountId: number, rows: readonly Row[]) {
  const keys = new Map(rows.map((row) => [keyOf(row.customer_id, row.order_id), row]))
  const wanted = [...keys.values()].filter((row) => row.order_id !== '')
  const found = wanted.length > 0 ? await findOrders(connection, accountId, wanted) : []
  const orders = new Map(found.map((order) => [keyOf(order.customerId, order.orderId), order]))
  return rows.map((row) => toPosting(row, orders))
}

async function findOrders(
  connection: Connection,
  accountId: number,
  rows: readonly Row[],
): Promise<readonly PostedOrderFacts[]> {
  const { rows: found } = await connection.query<PostedOrderFacts>({
    name: 'find-orders-of-postings',
    text: `select customer_id as "customerId", order_id as "orderId", order_date - date '1970-01-01' as "orderDay",
        tenure_start_date - date '1970-01-01' as "dispatchDay", country, metadata, release_id as "releaseId", items
      from unnest($2::text[], $3::text[]) as wanted (customer_id, order_id)
      cross join lateral (
        select order_date, tenure_start_date, country, metadata, release_id, items from orders
        where account_id = $1 and orders.customer_id = wanted.customer_id and orders.order_id = wanted.order_id
        offset 0
      ) as found`,
    values: [accountId, rows.map((row) => row.customer_id), rows.map((row) => row.order_id)],
  })
  return found
}

function toPosting(row: Row, orders: ReadonlyMap<string, PostedOrderFacts>): Posting {
  const order = row.order_id === '' ? null : orders.get(keyOf(row.customer_id, row.order_id))
  if (order === undefined) throw new Error(`An entry is of the order "${row.order_id}", which is not there`)
  return {
    postedDay: row.posted_day,
    no: row.entry_no,
    reason: row.reason,
    embodied: row.embodied_mg,
    use: row.use_mg,
    packaging: row.packaging_mg,
    transportation: row.transportation_mg,
    order,
    device: row.basis === null ? null : chargedAs(row, row.basis),
    rental: rentalOf(row),
    eventContent: row.content,
  }
}

function rentalOf(row: Row): PostedRental | null {
  if (row.serial_number !== '' && row.reason === FIRST)
    return {
      firstNo: row.entry_no,
      start: row.own_start,
      months: row.own_months,
      country: row.own_country,
      releaseId: row.own_release,
    }
  if (row.first_months === null) return null
  return {
    firstNo: row.first_no!,
    start: row.first_start!,
    months: row.first_months,
    country: row.first_country,
    releaseId: row.first_release!,
  }
}

const chargedAs = ({ device_release, weight_kg, product_id, found_by }: Row, basis: string): ChargedAs => ({
  releaseId: device_release!,
  basis,
  weightKg: weight_kg,
  guess: keptGuess(product_id, found_by),
})
