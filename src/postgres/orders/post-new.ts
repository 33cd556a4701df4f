// The statement that posts orders of which nothing is known yet: nearly all of them, so it takes along little.
import {
  CHARGE_COLUMNS,
  ORDER_COLUMNS,
  POSTED_AT,
  as,
  joined,
  namesOf,
  optional,
  postingTime,
  rowsFrom,
  text,
  type Column,
} from './statement-columns.ts'
import type { NewEntry, OrderPosting, StoredDevice } from './order-record.ts'

/** A device that is rented for the first time, with the first entry of its journal; none for the order alone. */
interface FirstRental {
  readonly accountId: number
  readonly device: StoredDevice | null
  readonly entry: NewEntry
}

const FIRST_COLUMNS: readonly Column<FirstRental>[] = [
  ['account_id', as('integer'), ({ accountId }) => String(accountId)],
  ['serial_number', text, ({ entry }) => entry.serialNumber],
  ['customer_id', text, ({ entry }) => entry.customerId],
  ['order_id', text, ({ entry }) => entry.orderId],
  ['embodied_mg', as('bigint'), ({ entry }) => String(entry.product_embodied_emission)],
  ['use_mg', as('bigint'), ({ entry }) => String(entry.product_use)],
  ['packaging_mg', as('bigint'), ({ entry }) => String(entry.packaging)],
  ['transportation_mg', as('bigint'), ({ entry }) => String(entry.transportation)],
  ['end_date', as('date'), ({ entry }) => entry.terms?.end ?? null],
  ['months', optional, ({ entry }) => entry.terms?.months ?? null],
  ['country', optional, ({ entry }) => entry.country],
  ['put_in_mg', as('bigint'), ({ device }) => String(device?.balance.whole ?? 0n)],
  ...CHARGE_COLUMNS,
]

/**
 * Posts the orders of which nothing is known: neither the order nor any of its devices. Of the others it writes
 * nothing, and names them; without any, one row tells when.
 * Two processes that post the same at one moment make it fail with a unique violation, whole.
 */
export const POST_NEW = `
  with ${rowsFrom('sent_orders', ORDER_COLUMNS, 1)},
  ${rowsFrom('sent_entries', FIRST_COLUMNS, ORDER_COLUMNS.length + 1)},
  ${postingTime('sent_orders')},
  known as materialized (
    select account_id, customer_id, order_id from sent_orders as sent
    where (select true from orders where account_id = sent.account_id and customer_id = sent.customer_id
      and order_id = sent.order_id limit 1)
    union all
    select account_id, customer_id, order_id from sent_entries as sent
    where (select true from entries where account_id = sent.account_id and serial_number = sent.serial_number
      and order_key = '' and entry_no = 1 limit 1)
  ),
  posted_orders as (
    insert into orders (${namesOf(ORDER_COLUMNS)}, created_at)
    select ${namesOf(ORDER_COLUMNS)}, ${POSTED_AT} from sent_orders
    where (account_id, customer_id, order_id) not in (select * from known)
    returning account_id, customer_id, order_id, created_at, release_id, tenure_start_date
  ), posted_entries as (
    insert into entries (account_id, serial_number, customer_id, order_id, entry_no, posted_at, embodied_mg, use_mg,
      packaging_mg, transportation_mg, put_in_mg, release_id, reason, start_date, end_date, months, country,
      device_release_id, ${namesOf(CHARGE_COLUMNS)})
    select account_id, serial_number, customer_id, order_id, 1, created_at, embodied_mg, use_mg,
      packaging_mg, transportation_mg, put_in_mg, release_id, 'order',
      case when basis is not null then tenure_start_date end, end_date, months, country,
      case when basis is not null then release_id end, ${namesOf(CHARGE_COLUMNS)}
    from sent_entries join posted_orders using (account_id, customer_id, order_id)
  )
  select posted_at, account_id, customer_id, order_id from posting left join known on true`

interface AccountPosting {
  readonly accountId: number
  readonly posting: OrderPosting
}

/** The values of POST_NEW. */
export function newValues(posted: readonly AccountPosting[]): string[] {
  const orders = posted.map(({ accountId, posting }) => ({ accountId, row: posting.order }))
  const entries = posted.flatMap(({ accountId, posting: { devices, entries } }) =>
    entries.map((entry, at) => ({ accountId, device: devices[at] ?? null, entry })),
  )
  return [...joined(ORDER_COLUMNS, orders), ...joined(FIRST_COLUMNS, entries)]
}
