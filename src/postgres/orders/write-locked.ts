// The statement that writes while the devices that it concerns are locked: orders, entries, statuses.
import {
  ENTRY_COLUMNS,
  ORDER_COLUMNS,
  POSTED_AT,
  as,
  joined,
  namesOf,
  owned,
  postingTime,
  rowsFrom,
  text,
  type Column,
  type Owned,
} from './statement-columns.ts'
import type { NewOrder, WrittenEntry } from './order-record.ts'

/** What is written while the devices that it concerns are locked. */
export interface Writing {
  readonly accountId: number
  readonly orders: readonly NewOrder[]
  readonly entries: readonly WrittenEntry[]
  readonly statuses: readonly NewStatus[]
}

export interface NewStatus {
  readonly customerId: string
  readonly orderId: string
  readonly status: string
}

const STATUS_COLUMNS: readonly Column<Owned<NewStatus>>[] = [
  ['account_id', as('integer'), ({ accountId }) => String(accountId)],
  ['customer_id', text, ({ row }) => row.customerId],
  ['order_id', text, ({ row }) => row.orderId],
  ['status', text, ({ row }) => row.status],
]

const AT_ENTRIES = ORDER_COLUMNS.length + 1
const AT_STATUSES = AT_ENTRIES + ENTRY_COLUMNS.length

/** An order that only a neighbour changed is amended, unless more is known of it already. */
export const WRITE_LOCKED = `
  with ${rowsFrom('sent_orders', ORDER_COLUMNS, 1)},
  ${rowsFrom('sent_entries', ENTRY_COLUMNS, AT_ENTRIES)},
  ${rowsFrom('new_statuses', STATUS_COLUMNS, AT_STATUSES)},
  ${postingTime('sent_orders', 'sent_entries')},
  posted_orders as (
    insert into orders (${namesOf(ORDER_COLUMNS)}, created_at)
    select ${namesOf(ORDER_COLUMNS)}, ${POSTED_AT} from sent_orders
  ), posted_entries as (
    insert into entries (${namesOf(ENTRY_COLUMNS)}, posted_at)
    select ${namesOf(ENTRY_COLUMNS)}, ${POSTED_AT} from sent_entries
  ), updated_orders as (
    update orders set status = new_statuses.status from new_statuses
    where (orders.account_id, orders.customer_id, orders.order_id)
      = (new_statuses.account_id, new_statuses.customer_id, new_statuses.order_id)
      and (orders.status = 'created' or new_statuses.status <> 'amended')
  )
  select posted_at from posting`

/** The values of WRITE_LOCKED. */
export const lockedValues = (writings: readonly Writing[]): string[] => {
  const all = <Row>(rowsOf: (writing: Writing) => readonly Row[]): readonly Owned<Row>[] =>
    writings.flatMap((writing) => owned(writing.accountId, rowsOf(writing)))
  return [
    ...joined(
      ORDER_COLUMNS,
      all(({ orders }) => orders),
    ),
    ...joined(
      ENTRY_COLUMNS,
      all(({ entries }) => entries),
    ),
    ...joined(
      STATUS_COLUMNS,
      all(({ statuses }) => statuses),
    ),
  ]
}
