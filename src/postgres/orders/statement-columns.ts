// Rows on their way into a statement: the columns of each table, how they are joined here and split there.
import { joinMembers, joinRows, splitRows } from '../connection/joined-texts.ts'
import type { NewEntry, NewOrder, StoredDevice } from './order-record.ts'

/** Milliseconds, since that is what an answer shows and `known_at` can name. */
export const NOW = `date_trunc('milliseconds', statement_timestamp())`

/** A column of a table, how its texts are read, and what of a row goes into it. */
export type Column<Row> = readonly [name: string, read: (text: string) => string, valueOf: (row: Row) => string | null]

export const text = (column: string): string => `coalesce(${column}, '')`
export const optional = (column: string): string => `nullif(${column}, '')`
export const as =
  (type: string) =>
  (column: string): string =>
    `nullif(${column}, '')::${type}`

export interface Owned<Row> {
  readonly accountId: number
  readonly row: Row
}

export const ORDER_COLUMNS: readonly Column<Owned<NewOrder>>[] = [
  ['account_id', as('integer'), ({ accountId }) => String(accountId)],
  ['customer_id', text, ({ row }) => row.customerId],
  ['order_id', text, ({ row }) => row.orderId],
  ['release_id', as('smallint'), ({ row }) => String(row.releaseId)],
  ['order_date', as('date'), ({ row }) => row.orderDate],
  ['tenure_start_date', as('date'), ({ row }) => row.tenureStartDate],
  ['country', optional, ({ row }) => row.country],
  ['metadata', optional, ({ row }) => row.metadata],
  ['items', text, ({ row }) => row.items],
  ['bases', text, ({ row }) => joinMembers(row.bases)],
  ['found_by', text, ({ row }) => joinMembers(row.found)],
  ['lines_mg', text, ({ row }) => joinMembers(row.lines)],
  ['import_id', as('integer'), ({ row }) => (row.origin ? String(row.origin.importId) : null)],
  ['import_row', as('integer'), ({ row }) => (row.origin ? String(row.origin.row) : null)],
]

export const DEVICE_COLUMNS: readonly Column<Owned<StoredDevice>>[] = [
  ['account_id', as('integer'), ({ accountId }) => String(accountId)],
  ['serial_number', text, ({ row }) => row.serialNumber],
  ['release_id', as('smallint'), ({ row }) => String(row.releaseId)],
  ['basis', text, ({ row }) => row.basis],
  ['weight_kg', optional, ({ row }) => row.weightKg],
  ['is_capped', as('boolean'), ({ row }) => String(row.isCapped)],
  ['product_id', optional, ({ row }) => row.guess?.productId ?? null],
  ['found_by', optional, ({ row }) => row.guess?.found ?? null],
  ['whole_mg', as('bigint'), ({ row }) => String(row.balance.whole)],
  ['posted_mg', as('bigint'), ({ row }) => String(row.balance.posted)],
]

export const ENTRY_COLUMNS: readonly Column<Owned<NewEntry>>[] = [
  ['account_id', as('integer'), ({ accountId }) => String(accountId)],
  ['serial_number', text, ({ row }) => row.serialNumber],
  ['customer_id', text, ({ row }) => row.customerId],
  ['order_id', text, ({ row }) => row.orderId],
  ['entry_no', as('integer'), ({ row }) => String(row.no)],
  ['embodied_mg', as('bigint'), ({ row }) => String(row.product_embodied_emission)],
  ['use_mg', as('bigint'), ({ row }) => String(row.product_use)],
  ['packaging_mg', as('bigint'), ({ row }) => String(row.packaging)],
  ['transportation_mg', as('bigint'), ({ row }) => String(row.transportation)],
  ['release_id', as('smallint'), ({ row }) => String(row.releaseId)],
  ['reason', text, ({ row }) => row.reason],
  ['start_date', as('date'), ({ row }) => row.terms?.start ?? null],
  ['end_date', as('date'), ({ row }) => row.terms?.end ?? null],
  ['months', optional, ({ row }) => row.terms?.months ?? null],
  ['country', optional, ({ row }) => row.country],
  ['event_id', optional, ({ row }) => row.eventId],
  ['cause_customer_id', optional, ({ row }) => row.cause?.customerId ?? null],
  ['cause_order_id', optional, ({ row }) => row.cause?.orderId ?? null],
]

export const namesOf = <Row>(columns: readonly Column<Row>[]): string => columns.map(([name]) => name).join(', ')

/** A common table expression of rows that were joined into texts, the first of them in parameter `$first`. */
export function rowsFrom<Row>(name: string, columns: readonly Column<Row>[], first: number): string {
  const texts = columns.map((_, at) => splitRows(`$${first + at}`)).join(', ')
  const reads = columns.map(([column, read]) => `${read(column)} as ${column}`).join(', ')
  return `${name} as materialized (select ${reads} from unnest(${texts}) as texts (${namesOf(columns)}))`
}

export const joined = <Row>(columns: readonly Column<Row>[], rows: readonly Row[]): readonly string[] =>
  columns.map(([, , valueOf]) => joinRows(rows.map(valueOf)))

export const owned = <Row>(accountId: number, rows: readonly Row[]): readonly Owned<Row>[] =>
  rows.map((row) => ({ accountId, row }))
