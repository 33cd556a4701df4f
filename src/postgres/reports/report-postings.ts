// What was posted to an account within some time, in the sequence of posting: each entry with all that a report needs.
import type { OrderKey } from '../../engine/device-timeline.ts'
import type { Connection } from '../connection/transaction.ts'
import { createFindPosted, entryKey, type FindPosted } from './posted-journals.ts'
import {
  keyOfRow,
  needsJournal,
  otherToTell,
  placeOf,
  toReportEntry,
  type ReportOrder,
  type ReportEntry,
  type ReportEntryRow,
} from './report-posting.ts'

/** Entries on a page: all of one is in memory at a time, with its orders, each of which may have 1,000 items. */
const PAGE_ROWS = 250

/**
 * Each entry is looked up with its device by the device's key, page by page: `offset 0` keeps the planner from reading
 * all devices of the account for that. What is not needed is said inside of each look-up: beside it, it would be looked
 * up nevertheless. What the device's other entries say of it comes from its journal, read once for all of them.
 */
const POSTINGS = `
  select customer_id, order_id, serial_number, entry_no, reason, embodied_mg, use_mg, packaging_mg, transportation_mg,
    own_start, own_months, own_country, own_release, device.release_id as device_release, basis, weight_kg, product_id,
    found_by, content
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
export async function* readReportEntries(
  connection: Connection,
  accountId: number,
  after: string,
  until: string,
): AsyncGenerator<readonly ReportEntry[]> {
  const findPosted = createFindPosted(connection, accountId)
  await connection.query(`declare postings no scroll cursor for ${POSTINGS}`, [accountId, after, until])
  for (;;) {
    const { rows } = await connection.query<ReportEntryRow>(`fetch ${PAGE_ROWS} from postings`)
    if (rows.length > 0) yield await withOrders(connection, accountId, findPosted, rows)
    if (rows.length < PAGE_ROWS) break
  }
  await connection.query('close postings')
}

async function withOrders(
  connection: Connection,
  accountId: number,
  findPosted: FindPosted,
  rows: readonly ReportEntryRow[],
): Promise<readonly ReportEntry[]> {
  const journalOf = await findPosted(rows.filter(needsJournal).map(placeOf))
  const posted = rows.map((row) => ({ row, journal: needsJournal(row) ? journalOf(placeOf(row)) : null }))
  const keys = posted.flatMap(({ row, journal }): readonly OrderKey[] => {
    const other = otherToTell(row, journal)
    return [keyOfRow(row), ...(other === null ? [] : [{ customerId: other.customerId, orderId: other.orderId }])]
  })
  const wanted = [...new Map(keys.map((key) => [entryKey(key), key])).values()].filter(({ orderId }) => orderId !== '')
  const found = wanted.length > 0 ? await findOrders(connection, accountId, wanted) : []
  const orders = new Map(found.map((order) => [entryKey(order), order]))
  return posted.map(({ row, journal }) => toReportEntry(row, orders, journal))
}

async function findOrders(
  connection: Connection,
  accountId: number,
  keys: readonly OrderKey[],
): Promise<readonly ReportOrder[]> {
  const { rows: found } = await connection.query<ReportOrder>({
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
