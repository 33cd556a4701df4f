// Rows on their way into a statement: the columns of each table, how they are joined here and split there.
import { joinMembers, joinRows, splitRows } from '../connection/joined-texts.ts'
import type { NewOrder, WrittenEntry } from './order-record.ts'

/** Milliseconds, since that is what an answer shows and `known_at` can name. */
export const NOW = `date_trunc('milliseconds', statement_timestamp())`

/**
 * When the rows that were sent are posted: now, but always after what is folded of their accounts. A clock that was set
 * back, or is behind that of the server before, would put them where no report looks again.
 */
export function postingTime(...sent: readonly string[]): string {
  const accounts = sent.map((name) => `select account_id from ${name}`).join(' union ')
  return `posting as materialized (
    select greatest(${NOW}, max(folded_until) + interval '1 millisecond') as posted_at
    from report_marks where account_id in (${accounts})
  )`
}

/** The time of the common table expression that `postingTime` makes. */
export const POSTED_AT = '(select posted_at from posting)'

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

/** What a device is charged by: of its first entry alone. Its release goes without saying where an order is new. */
export const CHARGE_COLUMNS: readonly Column<Pick<WrittenEntry, 'device'>>[] = [
  ['basis', optional, ({ device }) => device && device.basis],
  ['weight_kg', optional, ({ device }) => device && device.weightKg],
  ['product_id', optional, ({ device }) => device?.guess?.productId ?? null],
  ['found_by', optional, ({ device }) => device?.guess?.found ?? null],
  ['is_capped', as('boolean'), ({ device }) => device && String(device.isCapped)],
]

export const ENTRY_COLUMNS: readonly Column<Owned<WrittenEntry>>[] = [
  ['account_id', as('integer'), ({ accountId }) => String(accountId)],
  ['serial_number', text, ({ row: { entry } }) => entry.serialNumber],
  ['customer_id', text, ({ row: { entry } }) => entry.customerId],
  ['order_id', text, ({ row: { entry } }) => entry.orderId],
  ['entry_no', as('integer'), ({ row: { entry } }) => String(entry.no)],
  ['embodied_mg', as('bigint'), ({ row: { entry } }) => String(entry.product_embodied_emission)],
  ['use_mg', as('bigint'), ({ row: { entry } }) => String(entry.product_use)],
  ['packaging_mg', as('bigint'), ({ row: { entry } }) => String(entry.packaging)],
  ['transportation_mg', as('bigint'), ({ row: { entry } }) => String(entry.transportation)],
  ['put_in_mg', as('bigint'), ({ row }) => String(row.putIn)],
  ['release_id', as('smallint'), ({ row: { entry } }) => String(entry.releaseId)],
  ['reason', text, ({ row: { entry } }) => entry.reason],
  ['start_date', as('date'), ({ row: { entry } }) => entry.terms?.start ?? null],
  ['end_date', as('date'), ({ row: { entry } }) => entry.terms?.end ?? null],
  ['months', optional, ({ row: { entry } }) => entry.terms?.months ?? null],
  ['country', optional, ({ row: { entry } }) => entry.country],
  ['event_id', optional, ({ row: { entry } }) => entry.eventId],
  ['cause_customer_id', optional, ({ row: { entry } }) => entry.cause?.customerId ?? null],
  ['cause_order_id', optional, ({ row: { entry } }) => entry.cause?.orderId ?? null],
  ['device_release_id', as('smallint'), ({ row: { device } }) => device && String(device.releaseId)],
  ...CHARGE_COLUMNS.map(([name, read, valueOf]): Column<Owned<WrittenEntry>> => [
    name,
    read,
    ({ row }) => valueOf(row),
  ]),
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
