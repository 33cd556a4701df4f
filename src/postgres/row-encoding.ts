// Encodes rows as text columns for statements and decodes them in SQL; quoting each value would cost more.
import type { MatchMethod } from '../engine/reference/product-match.ts'
import type { AppendedEntry, NewOrder, PossibleMatch } from '../ledger/records.ts'

/** Separators of rows, and of members within a row: ids, serial numbers and JSON text have no control characters. */
const BETWEEN_ROWS = '\u001e'
const BETWEEN_MEMBERS = '\u001f'

/**
 * Splits a joined column in SQL. A null was joined as an empty text, and remains one. However, a column that is a
 * single empty text splits into no rows, which `unnest` fills with null.
 */
export const decodeTextColumnSql = (parameter: string): string => `string_to_array(${parameter}, chr(30))`

/** A text that cannot be encoded in a column. The error concerns only its own row. */
export class UnencodableText extends Error {
  override name = 'UnencodableText'
}

/** @throws UnencodableText for a text that contains a separator: it would shift every row after it */
export function encodeTextColumn(texts: readonly (string | null)[]): string {
  for (const text of texts) {
    if (text?.includes(BETWEEN_ROWS)) throw new UnencodableText('A text with a control character cannot be stored')
  }
  return texts.join(BETWEEN_ROWS)
}

/** No member is an empty text. */
export const encodeList = (texts: readonly (string | bigint)[]): string => texts.join(BETWEEN_MEMBERS)
export const decodeList = (joined: string): readonly string[] => (joined === '' ? [] : joined.split(BETWEEN_MEMBERS))

/** The match of a row; a blank product id is not stored, but its match method is. */
export const possibleMatchOfRow = (productId: string | null, matchMethod: string | null): PossibleMatch | null =>
  matchMethod === null ? null : { productId: productId ?? '', matchMethod: matchMethod as MatchMethod }

/** Milliseconds, because answers show them and `known_at` can state them. */
export const CLOCK_SQL = `date_trunc('milliseconds', statement_timestamp())`

/**
 * The time of posting of the rows that were sent: now, but always after the watermarks of their accounts. A clock that
 * was set back, or is behind that of the previous server, would otherwise place entries where no report looks again.
 */
export function postedAtCte(...sent: readonly string[]): string {
  const accounts = sent.map((name) => `select account_id from ${name}`).join(' union ')
  return `posting as materialized (
    select greatest(${CLOCK_SQL}, max(rolled_up_until) + interval '1 millisecond') as posted_at
    from report_watermarks where account_id in (${accounts})
  )`
}

/**
 * The first day on which entries that are posted now count, by account; null where the books are open for all days. It
 * also keeps the books from being closed until these entries are committed.
 */
export const openBooksCte = (...sent: readonly string[]): string => `open_books as materialized (
    select account_id, books_closed_until(account_id) as counts_from
    from (${sent.map((name) => `select distinct account_id from ${name}`).join(' union ')}) as posting_accounts
  )`

/** SQL that selects what the device of an entry was charged by when the entry was posted. */
export const footprintAsOf = (entry: string): string => `
  select own.device_release_id, own.footprint_id, own.weight_kg, own.is_capped, own.product_id, own.match_method
  from entries as own
  where own.account_id = ${entry}.account_id and own.serial_number = ${entry}.serial_number
    and own.order_key in ('', chr(31)) and own.footprint_id is not null and own.entry_no <= ${entry}.entry_no
  order by own.entry_no desc limit 1`

/** The time from the common table expression of `postedAtCte`. */
export const POSTED_AT_SQL = '(select posted_at from posting)'

/** A column of a table: its name, how its text is decoded, and how its value is taken from a row. */
export type Column<Row> = readonly [name: string, read: (text: string) => string, valueOf: (row: Row) => string | null]

export const text = (column: string): string => `coalesce(${column}, '')`
export const nullableText = (column: string): string => `nullif(${column}, '')`
export const castTo =
  (type: string) =>
  (column: string): string =>
    `nullif(${column}, '')::${type}`

export interface OwnedRow<Row> {
  readonly accountId: number
  readonly row: Row
}

export const ORDER_COLUMNS: readonly Column<OwnedRow<NewOrder>>[] = [
  ['account_id', castTo('integer'), ({ accountId }) => String(accountId)],
  ['customer_id', text, ({ row }) => row.customerId],
  ['order_id', text, ({ row }) => row.orderId],
  ['release_id', castTo('smallint'), ({ row }) => String(row.releaseId)],
  ['order_date', castTo('date'), ({ row }) => row.orderDate],
  ['tenure_start_date', castTo('date'), ({ row }) => row.tenureStartDate],
  ['country', nullableText, ({ row }) => row.country],
  ['metadata', nullableText, ({ row }) => row.metadata],
  ['items', text, ({ row }) => row.items],
  ['footprint_ids', text, ({ row }) => encodeList(row.footprintIds)],
  ['match_methods', text, ({ row }) => encodeList(row.matchMethods)],
  ['line_emissions_mg', text, ({ row }) => encodeList(row.lineEmissions)],
  ['import_id', castTo('integer'), ({ row }) => (row.origin ? String(row.origin.importId) : null)],
  ['import_row', castTo('integer'), ({ row }) => (row.origin ? String(row.origin.row) : null)],
]

/** Those of an order of which a device may be known. */
export const LOCKED_ORDER_COLUMNS: readonly Column<OwnedRow<NewOrder>>[] = [
  ...ORDER_COLUMNS,
  ['warnings', nullableText, ({ row }) => row.warnings ?? null],
]

/**
 * The device's footprint, which only its first entry has. Its dataset release is not sent for a new order: it is the
 * order's.
 */
export const CHARGE_COLUMNS: readonly Column<Pick<AppendedEntry, 'device'>>[] = [
  ['footprint_id', nullableText, ({ device }) => device && device.footprintId],
  ['weight_kg', nullableText, ({ device }) => device && device.weightKg],
  ['product_id', nullableText, ({ device }) => device?.possibleMatch?.productId ?? null],
  ['match_method', nullableText, ({ device }) => device?.possibleMatch?.matchMethod ?? null],
  ['is_capped', castTo('boolean'), ({ device }) => device && String(device.isCapped)],
]

export const APPENDED_ENTRY_COLUMNS: readonly Column<OwnedRow<AppendedEntry>>[] = [
  ['account_id', castTo('integer'), ({ accountId }) => String(accountId)],
  ['serial_number', text, ({ row: { entry } }) => entry.serialNumber],
  ['customer_id', text, ({ row: { entry } }) => entry.customerId],
  ['order_id', text, ({ row: { entry } }) => entry.orderId],
  ['entry_no', castTo('integer'), ({ row: { entry } }) => String(entry.no)],
  ['embodied_mg', castTo('bigint'), ({ row: { entry } }) => String(entry.product_embodied_emission)],
  ['use_mg', castTo('bigint'), ({ row: { entry } }) => String(entry.product_use)],
  ['packaging_mg', castTo('bigint'), ({ row: { entry } }) => String(entry.packaging)],
  ['transportation_mg', castTo('bigint'), ({ row: { entry } }) => String(entry.transportation)],
  ['embodied_added_mg', castTo('bigint'), ({ row }) => String(row.embodiedAdded)],
  ['release_id', castTo('smallint'), ({ row: { entry } }) => String(entry.releaseId)],
  ['reason', text, ({ row: { entry } }) => entry.reason],
  ['start_date', castTo('date'), ({ row: { entry } }) => entry.terms?.start ?? null],
  ['end_date', castTo('date'), ({ row: { entry } }) => entry.terms?.end ?? null],
  ['months', nullableText, ({ row: { entry } }) => entry.terms?.months ?? null],
  ['country', nullableText, ({ row: { entry } }) => entry.country],
  ['event_id', nullableText, ({ row: { entry } }) => entry.eventId],
  ['cause_customer_id', nullableText, ({ row: { entry } }) => entry.cause?.customerId ?? null],
  ['cause_order_id', nullableText, ({ row: { entry } }) => entry.cause?.orderId ?? null],
  ['in_force_reason', nullableText, ({ row: { entry } }) => entry.inForce?.reason ?? null],
  ['in_force_event_id', nullableText, ({ row: { entry } }) => entry.inForce?.eventId ?? null],
  ['device_release_id', castTo('smallint'), ({ row: { device } }) => device && String(device.releaseId)],
  ...CHARGE_COLUMNS.map(([name, read, valueOf]): Column<OwnedRow<AppendedEntry>> => [
    name,
    read,
    ({ row }) => valueOf(row),
  ]),
]

export const sqlColumnNames = <Row>(columns: readonly Column<Row>[]): string => columns.map(([name]) => name).join(', ')

/** A common table expression of rows that were joined into texts; the first text is in parameter `$first`. */
export function valuesCte<Row>(name: string, columns: readonly Column<Row>[], first: number): string {
  const texts = columns.map((_, at) => decodeTextColumnSql(`$${first + at}`)).join(', ')
  const reads = columns.map(([column, read]) => `${read(column)} as ${column}`).join(', ')
  return `${name} as materialized (select ${reads} from unnest(${texts}) as texts (${sqlColumnNames(columns)}))`
}

export const encodeRows = <Row>(columns: readonly Column<Row>[], rows: readonly Row[]): readonly string[] =>
  columns.map(([, , valueOf]) => encodeTextColumn(rows.map(valueOf)))

export const withAccount = <Row>(accountId: number, rows: readonly Row[]): readonly OwnedRow<Row>[] =>
  rows.map((row) => ({ accountId, row }))
