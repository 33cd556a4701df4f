// The table of entries: reading the entries of devices and orders, and appending entries under row locks.
import { orderNotice, type FeedCause, type FeedNotice } from '../engine/feed-events.ts'
import { LONG_LEDGER } from '../engine/ledger-history.ts'
import type { Milligrams } from '../engine/numbers/emission.ts'
import type { OrderStatus } from '../engine/order.ts'
import type {
  AccountPosting,
  AppendedEntry,
  DeviceLedger,
  DeviceLedgers,
  NewEntry,
  NewEvent,
  NewOrder,
  PostingTime,
  StoredDevice,
  StoredEntry,
} from '../ledger/records.ts'
import { entryOfRow, type EntryRow } from './entry-rows.ts'
import { NOTICE_COLUMNS, toOutbox } from './feed.ts'
import type { AccountOrder } from './order-reads.ts'
import { RECORDER_FIELDS } from './recorder.ts'
import {
  APPENDED_ENTRY_COLUMNS,
  LOCKED_ORDER_COLUMNS,
  POSTED_AT_SQL,
  openBooksCte,
  castTo,
  encodeRows,
  nullableText,
  postedAtCte,
  sqlColumnNames,
  text,
  valuesCte,
  withAccount,
  type Column,
  type OwnedRow,
} from './row-encoding.ts'
import type { Connection } from './transaction.ts'

export interface AccountDevice {
  readonly accountId: number
  readonly serialNumber: string
}

export const deviceKey = ({ accountId, serialNumber }: AccountDevice): string => `${accountId}\0${serialNumber}`

export const devicesOf = ({ accountId, posting }: AccountPosting): readonly AccountDevice[] =>
  posting.devices.map(({ serialNumber }) => ({ accountId, serialNumber }))

/** The ledgers of the devices of an order, from those of several orders by deviceKey. */
export function ledgersOf(order: AccountPosting, all: ReadonlyMap<string, DeviceLedger>): DeviceLedgers {
  const known = devicesOf(order).map((device) => [device.serialNumber, all.get(deviceKey(device))] as const)
  return new Map(known.filter((pair): pair is [string, DeviceLedger] => pair[1] !== undefined))
}

/**
 * SQL condition for the entries of a serial number that an order posted, in terms of the primary key. The first entry
 * of a device has an empty order_key, so the order columns are compared too.
 * @param entries the alias of the entries table in the statement
 * @param customer, order SQL expressions for the ids of the order
 */
export const belongsToOrder = (entries: string, customer: string, order: string): string =>
  `${entries}.order_key in ('', ${customer} || chr(31) || ${order})
    and ${entries}.customer_id = ${customer} and ${entries}.order_id = ${order}`

/**
 * A device is locked through its first entry. Rows are locked in key order, so that two transactions that lock several
 * devices never deadlock. Each row is looked up by its key, whatever the statistics say.
 */
const lockingDevices = (locking: string): string => `
  select account_id, serial_number from (
    select * from unnest($1::integer[], $2::text[]) as wanted (account_id, serial_number)
    order by account_id, serial_number
  ) as wanted cross join lateral (
    select from entries
    where entries.account_id = wanted.account_id and entries.serial_number = wanted.serial_number
      and order_key = '' and entry_no = 1
    ${locking}
  ) as locked`

/**
 * Locks existing devices until the transaction ends: all of them, or those that can be locked without waiting.
 * @returns the locked devices, by deviceKey
 */
export async function lockDevices(
  connection: Connection,
  wanted: readonly AccountDevice[],
  others: 'wait' | 'skip',
): Promise<ReadonlySet<string>> {
  const { rows } = await connection.query<Pick<LedgerRow, 'account_id' | 'serial_number'>>({
    name: `lock-devices-${others}`,
    text: lockingDevices(others === 'wait' ? 'for update' : 'for update skip locked'),
    values: deviceValues(wanted),
  })
  return new Set(rows.map((row) => deviceKey({ accountId: row.account_id, serialNumber: row.serial_number })))
}

const deviceValues = (wanted: readonly AccountDevice[]) => [
  wanted.map(({ accountId }) => accountId),
  wanted.map(({ serialNumber }) => serialNumber),
]

/**
 * Entries posted up to a time, or all entries. An entry about the device alone comes with the content of its event
 * and who recorded it.
 * Each device and each event is looked up by its key, whatever the statistics say: one device may have more entries
 * than all others together.
 */
const FIND_ENTRIES = `
  select entries.*, content as event_content, ${RECORDER_FIELDS}
  from unnest($1::integer[], $2::text[]) as wanted (wanted_account, wanted_serial)
  cross join lateral (
    select * from entries
    where account_id = wanted_account and serial_number = wanted_serial and ($3::timestamptz is null or posted_at <= $3)
    order by order_key, entry_no
    limit ${LONG_LEDGER + 1}
  ) as entries
  left join lateral (
    select content, ${RECORDER_FIELDS} from events
    where entries.order_id = '' and events.account_id = entries.account_id and events.event_id = entries.event_id
    offset 0
  ) as told on true
  order by entries.account_id, entries.serial_number, entry_no`

/**
 * The ledgers of devices, as known at some time, by deviceKey; unknown devices are missing. Of a long ledger,
 * LONG_LEDGER + 1 entries are returned, the first one among them.
 */
export async function findShortLedgers(
  connection: Connection,
  wanted: readonly AccountDevice[],
  knownAt: Date | null = null,
): Promise<ReadonlyMap<string, DeviceLedger>> {
  if (wanted.length === 0) return new Map()
  // Each device once: look-ups that share a batch may ask for the same device, and its entries must not be returned
  // twice.
  const values = deviceValues([...new Map(wanted.map((one) => [deviceKey(one), one])).values()])
  const { rows } = await connection.query<LedgerRow>({
    name: 'find-entries',
    text: FIND_ENTRIES,
    values: [...values, knownAt],
  })
  const ledgers = Map.groupBy(rows, (row) => deviceKey({ accountId: row.account_id, serialNumber: row.serial_number }))
  return new Map([...ledgers].map(([identity, own]) => [identity, toLedger(own)]))
}

export type LedgerRow = EntryRow & {
  readonly account_id: number
  readonly embodied_added_mg: Milligrams
}

/** Builds a ledger from its rows, which are in order and begin with the first entry. */
export function toLedger(rows: readonly LedgerRow[]): DeviceLedger {
  const embodiedTotal = rows.reduce((total, row) => total + row.embodied_added_mg, 0n)
  const allocated = rows.reduce((total, row) => total + row.embodied_mg, 0n)
  const entries = rows.map(entryOfRow)
  const footprint = entries.findLast((entry) => entry.footprint)!.footprint!
  const { serialNumber } = entries[0]!
  return { device: { serialNumber, ...footprint, balance: { embodiedTotal, allocated } }, entries }
}

/** The entries of an order without devices, in order. */
export async function findOrderEntries(
  connection: Connection,
  { accountId, key }: AccountOrder,
  knownAt: Date | null = null,
): Promise<readonly StoredEntry[]> {
  const { rows } = await connection.query<EntryRow>({
    name: 'find-order-entries',
    text: `select entries.*, null as event_content from entries
      where account_id = $1 and serial_number = '' and order_key = $2::text || chr(31) || $3::text
        and ($4::timestamptz is null or posted_at <= $4)
      order by entry_no`,
    values: [accountId, key.customerId, key.orderId, knownAt],
  })
  return rows.map(entryOfRow)
}

/** The entries of a customer's orders without devices, sorted by order id and number. */
export async function findEntriesOfCustomer(
  connection: Connection,
  accountId: number,
  customerId: string,
  knownAt: Date | null,
): Promise<readonly StoredEntry[]> {
  const { rows } = await connection.query<EntryRow>({
    name: 'find-order-entries-of-customer',
    text: `select entries.*, null as event_content from entries
      where account_id = $1 and serial_number = ''
        and order_key > $2::text || chr(31) and order_key < $2::text || chr(32)
        and ($3::timestamptz is null or posted_at <= $3)
      order by order_id, entry_no`,
    values: [accountId, customerId, knownAt],
  })
  return rows.map(entryOfRow)
}

/** What is written while the devices concerned are locked. */
export interface LedgerWrite {
  readonly accountId: number
  readonly orders: readonly NewOrder[]
  readonly entries: readonly AppendedEntry[]
  readonly statuses: readonly NewStatus[]
  /** What the feed of the account says of it. */
  readonly notices: readonly FeedNotice[]
}

export interface NewStatus {
  readonly customerId: string
  readonly orderId: string
  /** Null for an order that another posting corrects. */
  readonly status: OrderStatus | null
}

const STATUS_COLUMNS: readonly Column<OwnedRow<NewStatus>>[] = [
  ['account_id', castTo('integer'), ({ accountId }) => String(accountId)],
  ['customer_id', text, ({ row }) => row.customerId],
  ['order_id', text, ({ row }) => row.orderId],
  ['status', nullableText, ({ row }) => row.status],
]

const AT_ENTRIES = LOCKED_ORDER_COLUMNS.length + 1
const AT_STATUSES = AT_ENTRIES + APPENDED_ENTRY_COLUMNS.length
const AT_NOTICES = AT_STATUSES + STATUS_COLUMNS.length

/**
 * An order that only the posting of another order changed becomes `amended`, unless it already has a more specific
 * status.
 */
const APPEND_ENTRIES = `
  with ${valuesCte('sent_orders', LOCKED_ORDER_COLUMNS, 1)},
  ${valuesCte('sent_entries', APPENDED_ENTRY_COLUMNS, AT_ENTRIES)},
  ${valuesCte('new_statuses', STATUS_COLUMNS, AT_STATUSES)},
  ${valuesCte('sent_notices', NOTICE_COLUMNS, AT_NOTICES)},
  ${postedAtCte('sent_orders', 'sent_entries')},
  ${openBooksCte('sent_orders', 'sent_entries', 'new_statuses')},
  posted_orders as (
    insert into orders (${sqlColumnNames(LOCKED_ORDER_COLUMNS)}, created_at)
    select ${sqlColumnNames(LOCKED_ORDER_COLUMNS)}, ${POSTED_AT_SQL} from sent_orders
  ), posted_entries as (
    insert into entries (${sqlColumnNames(APPENDED_ENTRY_COLUMNS)}, posted_at, counts_from)
    select ${sqlColumnNames(APPENDED_ENTRY_COLUMNS)}, ${POSTED_AT_SQL}, counts_from
    from sent_entries join open_books using (account_id)
  ), updated_orders as (
    update orders set status = coalesce(new_statuses.status, 'amended') from new_statuses
    where (orders.account_id, orders.customer_id, orders.order_id)
      = (new_statuses.account_id, new_statuses.customer_id, new_statuses.order_id)
      and (orders.status = 'created' or new_statuses.status is not null)
  ), told as (${toOutbox('(select * from sent_notices where account_id is not null) as sent', POSTED_AT_SQL)})
  select posted_at, account_id, counts_from from posting left join open_books on true`

const appendEntriesValues = (writings: readonly LedgerWrite[]): string[] => {
  const all = <Row>(rowsOf: (writing: LedgerWrite) => readonly Row[]): readonly OwnedRow<Row>[] =>
    writings.flatMap((writing) => withAccount(writing.accountId, rowsOf(writing)))
  return [
    ...encodeRows(
      LOCKED_ORDER_COLUMNS,
      all(({ orders }) => orders),
    ),
    ...encodeRows(
      APPENDED_ENTRY_COLUMNS,
      all(({ entries }) => entries),
    ),
    ...encodeRows(
      STATUS_COLUMNS,
      all(({ statuses }) => statuses),
    ),
    ...encodeRows(
      NOTICE_COLUMNS,
      all(({ notices }) => notices),
    ),
  ]
}

interface AppendedRow {
  readonly posted_at: Date
  /** Null where nothing was sent. */
  readonly account_id: number | null
  readonly counts_from: string | null
}

export interface Appended {
  readonly postedAt: Date
  /** By account. */
  readonly times: ReadonlyMap<number, PostingTime>
}

/** Writes while the devices are locked. */
export async function appendLocked(connection: Connection, writings: readonly LedgerWrite[]): Promise<Appended> {
  const { rows } = await connection.query<AppendedRow>({
    name: 'append-entries',
    text: APPEND_ENTRIES,
    values: appendEntriesValues(writings),
  })
  const postedAt = rows[0]!.posted_at
  const timeOf = ({ counts_from: countsFrom }: AppendedRow) => ({ postedAt, countsFrom, isSpreadUntilEnd: true })
  return { postedAt, times: new Map(rows.map((row) => [row.account_id ?? 0, timeOf(row)])) }
}

/**
 * The first new entry of a device also has the embodied emissions added to the device. The device comes with it if it
 * was unknown; if it is identified, with the entry of the device alone.
 */
export function withDevices(
  entries: readonly NewEntry[],
  devices: readonly StoredDevice[],
  ledgers: DeviceLedgers,
  identified: ReadonlySet<string> = NONE,
): readonly AppendedEntry[] {
  const bySerial = new Map(devices.map((device) => [device.serialNumber, device]))
  const begun = new Set<string>()
  return entries.map((entry) => {
    const { serialNumber, orderId } = entry
    const device = bySerial.get(serialNumber) ?? null
    const known = ledgers.get(serialNumber)?.device
    const isFirst = !begun.has(serialNumber)
    begun.add(serialNumber)
    const isCharging = known ? identified.has(serialNumber) && orderId === '' : isFirst
    return {
      entry,
      embodiedAdded: device && isFirst ? device.balance.embodiedTotal - (known?.balance.embodiedTotal ?? 0n) : 0n,
      device: isCharging ? device : null,
    }
  })
}

const NONE: ReadonlySet<string> = new Set()

/** The devices of events that identify them. */
export const identifiedIn = (events: readonly NewEvent[]): ReadonlySet<string> =>
  new Set(events.flatMap(({ serialNumber }) => serialNumber ?? []))

/** The other orders that a posting corrects, each once. */
export function statusesOfOtherOrders(
  entries: readonly NewEntry[],
  own: { readonly customerId: string; readonly orderId: string } | null,
): readonly NewStatus[] {
  const others = entries.filter(
    ({ customerId, orderId }) => orderId !== '' && (customerId !== own?.customerId || orderId !== own.orderId),
  )
  const byKey = new Map(others.map(({ customerId, orderId }) => [`${customerId}\0${orderId}`, { customerId, orderId }]))
  return [...byKey.values()].map((key) => ({ ...key, status: null }))
}

/** What the feed says of other orders whose entries a posting corrects. */
export const noticesOfOthers = (statuses: readonly NewStatus[], cause: Partial<FeedCause>): readonly FeedNotice[] =>
  statuses.map((other) => orderNotice('order.changed', other, cause))
