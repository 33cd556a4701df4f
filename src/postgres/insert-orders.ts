// One statement that inserts orders of which nothing is known, with their entries, and reads what is stored of others.
import type { Pool } from 'pg'
import type { AccountPosting, DeviceLedger, NewEntry, StoredDevice, StoredOrder } from '../ledger/records.ts'
import type { InsertResult } from '../ledger/store.ts'
import { deviceKey, devicesOf, ledgersOf, toLedger, type LedgerRow } from './entries.ts'
import { subjectSql } from './feed.ts'
import { FIRST_ANSWER_FIELDS, orderIdentity, orderOfRow, type OrderRow } from './order-reads.ts'
import {
  CHARGE_COLUMNS,
  ORDER_COLUMNS,
  POSTED_AT_SQL,
  openBooksCte,
  castTo,
  encodeRows,
  nullableText,
  postedAtCte,
  sqlColumnNames,
  text,
  valuesCte,
  type Column,
} from './row-encoding.ts'

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
  months, country, counts_from, spread_until_end,
  event_id, cause_customer_id, cause_order_id, footprint_id, is_capped, weight_kg,
  product_id, match_method`

const namesIn = (fields: string): readonly string[] => fields.split(/,\s*/)
const ORDER_NAMES = namesIn(FIRST_ANSWER_FIELDS)
const ENTRY_NAMES = namesIn(ENTRY_FIELDS)
const STORED_NAMES = [...new Set([...ORDER_NAMES, ...ENTRY_NAMES])]

/** All columns that a stored row may have, with null for those of the other kind of row. */
const padded = (own: readonly string[]): string =>
  STORED_NAMES.map((name) => (own.includes(name) ? name : `null as ${name}`)).join(', ')

/**
 * Inserts the orders of which nothing is known: neither the order nor any of its devices. For the other orders it
 * writes nothing and returns what is stored: the order, and the first entry of each device. If nothing is stored, it
 * returns one row with only the time. So an order that is sent again needs no further statement and no lock.
 * If two processes post the same order concurrently, one statement fails completely with a unique violation.
 */
const INSERT_NEW = `
  with ${valuesCte('sent_orders', ORDER_COLUMNS, 1)},
  ${valuesCte('sent_entries', FIRST_COLUMNS, ORDER_COLUMNS.length + 1)},
  ${postedAtCte('sent_orders')},
  ${openBooksCte('sent_orders')},
  known_orders as materialized (
    select stored.* from sent_orders as sent cross join lateral (
      select ${FIRST_ANSWER_FIELDS} from orders where account_id = sent.account_id and customer_id = sent.customer_id
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
      counts_from, device_release_id, ${sqlColumnNames(CHARGE_COLUMNS)})
    select account_id, serial_number, customer_id, order_id, 1, created_at, embodied_mg, use_mg,
      packaging_mg, transportation_mg, embodied_added_mg, release_id, 'order',
      case when footprint_id is not null then tenure_start_date end, end_date, months, country,
      counts_from, case when footprint_id is not null then release_id end, ${sqlColumnNames(CHARGE_COLUMNS)}
    from sent_entries join posted_orders using (account_id, customer_id, order_id) join open_books using (account_id)
  ), told as (
    insert into feed_outbox (account_id, type, posted_at, subjects)
    select account_id, 'order.created', ${POSTED_AT_SQL}, array_agg(${subjectSql('customer_id', 'order_id')})
    from posted_orders group by account_id
  )
  select posting.posted_at as statement_time, stored.* from posting left join (
    select ${padded(ORDER_NAMES)} from known_orders
    union all
    select ${padded(ENTRY_NAMES)} from known_devices
  ) as stored on true`

/** A row that INSERT_NEW returns: a stored order, the first entry of a device, or only the time. */
type ReturnedRow = { readonly statement_time: Date } & (
  | (OrderRow & { readonly serial_number: null })
  | (LedgerRow & { readonly serial_number: string })
  | { readonly account_id: null; readonly serial_number: null }
)

/**
 * Inserts the orders of which nothing is known: one statement, one commit. No two of the orders have the same identity
 * or a common device.
 */
export async function insertNewOrders(pool: Pool, orders: readonly AccountPosting[]): Promise<readonly InsertResult[]> {
  const { rows } = await pool.query<ReturnedRow>({
    name: 'insert-new-orders',
    text: INSERT_NEW,
    values: insertNewOrdersValues(orders),
  })
  const createdAt = rows[0]!.statement_time
  const stored = new Map<string, StoredOrder>()
  // Only the first entry of each device.
  const known = new Map<string, DeviceLedger>()
  for (const row of rows) {
    if (row.account_id === null) continue
    if (row.serial_number === null) {
      const order = orderOfRow(row)
      stored.set(orderIdentity(row.account_id, order), order)
    } else {
      const device = { accountId: row.account_id, serialNumber: row.serial_number }
      known.set(deviceKey(device), toLedger([{ ...row, event_content: null }]))
    }
  }
  return orders.map((order): InsertResult => {
    const existing = stored.get(orderIdentity(order.accountId, order.posting.order))
    if (existing) return { outcome: 'already-exists', stored: existing, firstEntries: ledgersOf(order, known) }
    const isKnown = known.size > 0 && devicesOf(order).some((device) => known.has(deviceKey(device)))
    return isKnown ? { outcome: 'known-devices' } : { outcome: 'created', createdAt }
  })
}

/** The values of INSERT_NEW. */
export function insertNewOrdersValues(posted: readonly AccountPosting[]): string[] {
  const orders = posted.map(({ accountId, posting }) => ({ accountId, row: posting.order }))
  const entries = posted.flatMap(({ accountId, posting: { devices, entries } }) =>
    entries.map((entry, at) => ({ accountId, device: devices[at] ?? null, entry })),
  )
  return [...encodeRows(ORDER_COLUMNS, orders), ...encodeRows(FIRST_COLUMNS, entries)]
}
