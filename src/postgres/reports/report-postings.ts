// What was posted to an account within some time, in the sequence of posting: each entry with all that a report needs.
import type { Reason } from '../../engine/device-history.ts'
import type { OrderKey } from '../../engine/device-run.ts'
import { deviceIdentity, findJournals, findOrderEntries, isOfOrder } from '../orders/journal-reads.ts'
import type { StoredEntry } from '../orders/order-record.ts'
import type { Connection } from '../connection/transaction.ts'
import {
  BEGINNING,
  TAKING_BACK,
  hasEarlier,
  keyOf,
  needsOther,
  toPosting,
  type PostedOrderFacts,
  type Posting,
  type PostingRow,
} from './report-posting.ts'

/** Entries on a page: all of one is in memory at a time, with its orders, each of which may have 1,000 items. */
const PAGE_ROWS = 250

const oneOf = (reasons: readonly Reason[]): string => `in (${reasons.map((reason) => `'${reason}'`).join(', ')})`

/**
 * Each entry is looked up with its device and, where that matters, the first other rental of that, by their keys,
 * page by page: `offset 0` keeps the planner from reading all devices of the account for that. What is not needed is
 * said inside of each look-up: beside it, it would be looked up nevertheless.
 */
const POSTINGS = `
  select customer_id, order_id, serial_number, entry_no, reason, embodied_mg, use_mg, packaging_mg, transportation_mg,
    own_start, own_months, own_country, own_release, device.release_id as device_release, basis, weight_kg, product_id,
    found_by, other.*, content
  from (
    select posted_at, account_id, customer_id, order_id, serial_number, entry_no, reason, event_id, embodied_mg,
      use_mg, packaging_mg, transportation_mg, start_date::text as own_start, months as own_months,
      country as own_country, release_id as own_release
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
    select entry_no as other_no, customer_id as other_customer, order_id as other_order,
      start_date::text as other_start, months as other_months, country as other_country, release_id as other_release
    from entries as begun
    where begun.account_id = entries.account_id and begun.serial_number = entries.serial_number
      and begun.entry_no < entries.entry_no and begun.reason ${oneOf(BEGINNING)}
      and (begun.customer_id, begun.order_id) <> (entries.customer_id, entries.order_id)
      and entries.reason ${oneOf([...BEGINNING, ...TAKING_BACK])}
      and entries.entry_no > 1 and entries.serial_number <> ''
      and not exists (
        select from entries as taken
        where taken.account_id = begun.account_id and taken.serial_number = begun.serial_number
          and ${isOfOrder('taken', 'begun.customer_id', 'begun.order_id')}
          and taken.entry_no < entries.entry_no and taken.reason ${oneOf(TAKING_BACK)}
      )
    order by entry_no limit 1
  ) as other on true
  left join lateral (
    select content from events
    where events.account_id = entries.account_id and events.event_id = entries.event_id and entries.order_id = ''
    offset 0
  ) as told on true`

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
    const { rows } = await connection.query<PostingRow>(`fetch ${PAGE_ROWS} from postings`)
    if (rows.length > 0) yield await withOrders(connection, accountId, rows)
    if (rows.length < PAGE_ROWS) break
  }
  await connection.query('close postings')
}

async function withOrders(connection: Connection, accountId: number, rows: readonly PostingRow[]) {
  const keys = rows.flatMap((row): readonly OrderKey[] => [
    { customerId: row.customer_id, orderId: row.order_id },
    ...(needsOther(row) ? [{ customerId: row.other_customer, orderId: row.other_order }] : []),
  ])
  const wanted = [...new Map(keys.map((key) => [keyOf(key), key])).values()].filter(({ orderId }) => orderId !== '')
  const found = wanted.length > 0 ? await findOrders(connection, accountId, wanted) : []
  const orders = new Map(found.map((order) => [keyOf(order), order]))
  const journalOf = await findPosted(connection, accountId, rows.filter(hasEarlier))
  return rows.map((row) => toPosting(row, orders, hasEarlier(row) ? journalOf(row) : null))
}

/** What was posted to devices, each of them read once, and to orders without any: until an entry. */
async function findPosted(
  connection: Connection,
  accountId: number,
  rows: readonly PostingRow[],
): Promise<(row: PostingRow) => readonly StoredEntry[]> {
  const serials = new Set(rows.map((row) => row.serial_number).filter((serial) => serial !== ''))
  const journals = await findJournals(
    connection,
    [...serials].map((serialNumber) => ({ accountId, serialNumber })),
  )
  const alone = new Map<string, readonly StoredEntry[]>()
  for (const row of rows.filter(({ serial_number: serial }) => serial === '')) {
    const key = { customerId: row.customer_id, orderId: row.order_id }
    alone.set(keyOf(key), await findOrderEntries(connection, { accountId, key }))
  }
  return (row) => {
    const serialNumber = row.serial_number
    const posted =
      serialNumber === ''
        ? alone.get(keyOf({ customerId: row.customer_id, orderId: row.order_id }))
        : journals.get(deviceIdentity({ accountId, serialNumber }))?.entries
    return (posted ?? []).filter(({ no }) => no <= row.entry_no)
  }
}

async function findOrders(
  connection: Connection,
  accountId: number,
  keys: readonly OrderKey[],
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
    values: [accountId, keys.map(({ customerId }) => customerId), keys.map(({ orderId }) => orderId)],
  })
  return found
}
