// The statement that writes while the devices that it concerns are locked: orders, entries, statuses.
import {
  ENTRY_COLUMNS,
  ORDER_COLUMNS,
  POSTED_AT_SQL,
  castTo,
  encodeRows,
  sqlColumnNames,
  withAccount,
  postedAtCte,
  valuesCte,
  text,
  type Column,
  type OwnedRow,
} from './statement-columns.ts'
import type { NewOrder, AppendedEntry } from '../../ledger/records.ts'

/** What is written while the devices that it concerns are locked. */
export interface LedgerWrite {
  readonly accountId: number
  readonly orders: readonly NewOrder[]
  readonly entries: readonly AppendedEntry[]
  readonly statuses: readonly NewStatus[]
}

export interface NewStatus {
  readonly customerId: string
  readonly orderId: string
  readonly status: string
}

const STATUS_COLUMNS: readonly Column<OwnedRow<NewStatus>>[] = [
  ['account_id', castTo('integer'), ({ accountId }) => String(accountId)],
  ['customer_id', text, ({ row }) => row.customerId],
  ['order_id', text, ({ row }) => row.orderId],
  ['status', text, ({ row }) => row.status],
]

const AT_ENTRIES = ORDER_COLUMNS.length + 1
const AT_STATUSES = AT_ENTRIES + ENTRY_COLUMNS.length

/** An order that only a neighbour changed is amended, unless more is known of it already. */
export const APPEND_ENTRIES = `
  with ${valuesCte('sent_orders', ORDER_COLUMNS, 1)},
  ${valuesCte('sent_entries', ENTRY_COLUMNS, AT_ENTRIES)},
  ${valuesCte('new_statuses', STATUS_COLUMNS, AT_STATUSES)},
  ${postedAtCte('sent_orders', 'sent_entries')},
  posted_orders as (
    insert into orders (${sqlColumnNames(ORDER_COLUMNS)}, created_at)
    select ${sqlColumnNames(ORDER_COLUMNS)}, ${POSTED_AT_SQL} from sent_orders
  ), posted_entries as (
    insert into entries (${sqlColumnNames(ENTRY_COLUMNS)}, posted_at)
    select ${sqlColumnNames(ENTRY_COLUMNS)}, ${POSTED_AT_SQL} from sent_entries
  ), updated_orders as (
    update orders set status = new_statuses.status from new_statuses
    where (orders.account_id, orders.customer_id, orders.order_id)
      = (new_statuses.account_id, new_statuses.customer_id, new_statuses.order_id)
      and (orders.status = 'created' or new_statuses.status <> 'amended')
  )
  select posted_at from posting`

/** The values of APPEND_ENTRIES. */
export const appendEntriesValues = (writings: readonly LedgerWrite[]): string[] => {
  const all = <Row>(rowsOf: (writing: LedgerWrite) => readonly Row[]): readonly OwnedRow<Row>[] =>
    writings.flatMap((writing) => withAccount(writing.accountId, rowsOf(writing)))
  return [
    ...encodeRows(
      ORDER_COLUMNS,
      all(({ orders }) => orders),
    ),
    ...encodeRows(
      ENTRY_COLUMNS,
      all(({ entries }) => entries),
    ),
    ...encodeRows(
      STATUS_COLUMNS,
      all(({ statuses }) => statuses),
    ),
  ]
}
