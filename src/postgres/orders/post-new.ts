// The statement that posts orders of which nothing is known yet, and reads back those that are stored: nearly all of
// what is sent is the one or the other.
import type { Pool } from 'pg'
import { deviceKey, toLedger, type LedgerRow } from './journal-reads.ts'
import { ORDER_FIELDS, orderIdentity, orderOfRow, type OrderRow } from './order-reads.ts'
import {
  CHARGE_COLUMNS,
  ORDER_COLUMNS,
  POSTED_AT_SQL,
  castTo,
  encodeRows,
  sqlColumnNames,
  nullableText,
  postedAtCte,
  valuesCte,
  text,
  type Column,
} from './statement-columns.ts'
import type { DeviceLedger, NewEntry, OrderPosting, StoredDevice, StoredOrder } from '../../ledger/records.ts'

/** A device that is rented for the first time, with the first entry of its journal; none for the order alone. */
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
  ['put_in_mg', castTo('bigint'), ({ device }) => String(device?.balance.whole ?? 0n)],
  ...CHARGE_COLUMNS,
]

/** What an entry is read back by, as `LedgerRow` has it. */
const ENTRY_FIELDS = `serial_number, customer_id, order_id, account_id, entry_no, posted_at, embodied_mg, use_mg,
  packaging_mg, transportation_mg, put_in_mg, release_id, device_release_id, reason, start_date, end_date, months,
  country, event_id, cause_customer_id, cause_order_id, basis, is_capped, weight_kg, product_id, found_by`

const namesIn = (fields: string): readonly string[] => fields.split(/,\s*/)
const ORDER_NAMES = namesIn(ORDER_FIELDS)
const ENTRY_NAMES = namesIn(ENTRY_FIELDS)
const STORED_NAMES = [...new Set([...ORDER_NAMES, ...ENTRY_NAMES])]

/** All columns that a stored row may have, with null for those of the other kind of row. */
const padded = (own: readonly string[]): string =>
  STORED_NAMES.map((name) => (own.includes(name) ? name : `null as ${name}`)).join(', ')

/**
 * Posts the orders of which nothing is known: neither the order nor any of its devices. Of the others it writes
 * nothing, and returns what is stored: the order, and the first entry of each device. Without any, one row has the time
 * alone. So an order that is sent again costs no further statement, and needs no lock.
 * Two processes that post the same at one moment make it fail with a unique violation, whole.
 */
const POST_NEW = `
  with ${valuesCte('sent_orders', ORDER_COLUMNS, 1)},
  ${valuesCte('sent_entries', FIRST_COLUMNS, ORDER_COLUMNS.length + 1)},
  ${postedAtCte('sent_orders')},
  known_orders as materialized (
    select stored.* from sent_orders as sent cross join lateral (
      select ${ORDER_FIELDS} from orders where account_id = sent.account_id and customer_id = sent.customer_id
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
      packaging_mg, transportation_mg, put_in_mg, release_id, reason, start_date, end_date, months, country,
      device_release_id, ${sqlColumnNames(CHARGE_COLUMNS)})
    select account_id, serial_number, customer_id, order_id, 1, created_at, embodied_mg, use_mg,
      packaging_mg, transportation_mg, put_in_mg, release_id, 'order',
      case when basis is not null then tenure_start_date end, end_date, months, country,
      case when basis is not null then release_id end, ${sqlColumnNames(CHARGE_COLUMNS)}
    from sent_entries join posted_orders using (account_id, customer_id, order_id)
  )
  select posting.posted_at as statement_time, stored.* from posting left join (
    select ${padded(ORDER_NAMES)} from known_orders
    union all
    select ${padded(ENTRY_NAMES)} from known_devices
  ) as stored on true`

/** A row that POST_NEW returns: an order that is stored, the first entry of a device, or nothing but the time. */
type ReturnedRow = { readonly statement_time: Date } & (
  | (OrderRow & { readonly serial_number: null })
  | (LedgerRow & { readonly serial_number: string })
  | { readonly account_id: null; readonly serial_number: null }
)

/** What was known of the orders that were sent. */
export interface KnownBefore {
  readonly time: Date
  /** By orderIdentity. */
  readonly orders: ReadonlyMap<string, StoredOrder>
  /** Of each device its first entry alone, by deviceKey. */
  readonly devices: ReadonlyMap<string, DeviceLedger>
}

/** Posts what is new, and reads what is known: one statement, one commit. */
export async function postNew(pool: Pool, posted: readonly AccountPosting[]): Promise<KnownBefore> {
  const { rows } = await pool.query<ReturnedRow>({
    name: 'post-new',
    text: POST_NEW,
    values: insertNewOrdersValues(posted),
  })
  const orders = new Map<string, StoredOrder>()
  const devices = new Map<string, DeviceLedger>()
  for (const row of rows) {
    if (row.account_id === null) continue
    if (row.serial_number === null) {
      const order = orderOfRow(row)
      orders.set(orderIdentity(row.account_id, order), order)
    } else {
      const device = { accountId: row.account_id, serialNumber: row.serial_number }
      devices.set(deviceKey(device), toLedger([{ ...row, event_content: null }]))
    }
  }
  return { time: rows[0]!.statement_time, orders, devices }
}

interface AccountPosting {
  readonly accountId: number
  readonly posting: OrderPosting
}

/** The values of POST_NEW. */
export function insertNewOrdersValues(posted: readonly AccountPosting[]): string[] {
  const orders = posted.map(({ accountId, posting }) => ({ accountId, row: posting.order }))
  const entries = posted.flatMap(({ accountId, posting: { devices, entries } }) =>
    entries.map((entry, at) => ({ accountId, device: devices[at] ?? null, entry })),
  )
  return [...encodeRows(ORDER_COLUMNS, orders), ...encodeRows(FIRST_COLUMNS, entries)]
}
