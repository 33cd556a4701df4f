// The rows that recomputing reads, column by column: fewer columns and simpler types than an answer needs.
import type { EntryReason } from '../../engine/ledger-history.ts'
import type { OrderStatus } from '../../engine/order.ts'
import { eventIdOf } from '../../engine/order-revision.ts'
import { decodeTextColumnSql, footprintAsOf, possibleMatchOfRow } from '../row-encoding.ts'
import { belongsToOrder } from '../entries.ts'
import type { StoredDevice, StoredEntry, StoredEvent, StoredFootprint } from '../../ledger/records.ts'
import type { OrderRow } from '../../ledger/verification/records.ts'

const ENTRY_FIELDS = `entry_no, embodied_mg, use_mg, packaging_mg, transportation_mg, entries.release_id, reason,
  start_date, end_date, months, country, entries.event_id, cause_customer_id, cause_order_id,
  in_force_reason, in_force_event_id`
const chargeOf = (table: string): string =>
  ['footprint_id', 'weight_kg', 'is_capped', 'product_id', 'match_method']
    .map((column) => `${table}.${column}`)
    .join(', ')

type EntryColumns = readonly [
  no: number,
  embodied: bigint,
  use: bigint,
  packaging: bigint,
  transportation: bigint,
  releaseId: number,
  reason: EntryReason,
  start: string | null,
  end: string | null,
  months: string | null,
  country: string | null,
  eventId: string | null,
  causeCustomerId: string | null,
  causeOrderId: string | null,
  inForceReason: EntryReason | null,
  inForceEventId: string | null,
]
/**
 * The embodied emissions that an entry adds to its device, and the device's footprint: null if another entry has it.
 */
type ChargeColumns = readonly [
  putIn: bigint,
  deviceReleaseId: number | null,
  basis: string,
  weightKg: string | null,
  isCapped: boolean,
  productId: string | null,
  found: string | null,
]

export type LedgerColumns = readonly [
  ...EntryColumns,
  ...ChargeColumns,
  accountId: number,
  serialNumber: string,
  customerId: string,
  orderId: string,
  eventContent: string | null,
]

/**
 * Ledgers, except those that consist of the one entry with which an order rents a device: these come with their orders,
 * see IS_WHOLE. A ledger's own order is not that of the primary key; sorting one device at a time costs little.
 */
export const SCAN_LEDGERS = `
  select ${ENTRY_FIELDS}, embodied_added_mg, device_release_id, ${chargeOf('entries')}, entries.account_id,
    entries.serial_number, customer_id, order_id,
    case when order_id = '' then (
      select content from events
      where events.account_id = entries.account_id and events.event_id = entries.event_id
        and events.serial_number = entries.serial_number and events.order_id is null
    ) end
  from (
    select *, count(*) over (partition by account_id, serial_number) as of_device
    from entries where serial_number <> ''
  ) as entries
  where not (of_device = 1 and reason = 'order' and months is not null and order_id <> '')
  order by entries.account_id, entries.serial_number, entry_no`

/** True if an entry is the complete ledger of its device: the entry with which an order rents it. */
const IS_WHOLE = `reason = 'order' and months is not null and order_id <> '' and entries.serial_number <> ''
  and not exists (
    select from entries as others
    where others.account_id = entries.account_id and others.serial_number = entries.serial_number
      and others.entry_no <> entries.entry_no
  )`

const EVENT_AS_JSON = `json_build_array(event_id, serial_number, content, extract(epoch from posted_at) * 1000)`

export type OrderColumns = readonly [
  accountId: number,
  customerId: string,
  orderId: string,
  releaseId: number,
  orderDate: string,
  tenureStartDate: string,
  country: string | null,
  items: string,
  bases: string,
  lines: string,
  status: OrderStatus,
  events: string | null,
  found: string,
]

export const SCAN_ORDERS = `
  select account_id, customer_id, order_id, release_id, order_date, tenure_start_date, country, items,
    footprint_ids, line_emissions_mg, status, (
      select json_agg(${EVENT_AS_JSON} order by event_no)::text from events
      where events.account_id = orders.account_id and events.customer_id = orders.customer_id
        and events.order_id = orders.order_id
    ), match_methods
  from orders order by account_id, order_id, customer_id`

export type OrderEntryColumns = readonly [...EntryColumns, ...ChargeColumns, at: number, isWhole: boolean]

// Adds one row: otherwise a column with the single text '', an order itself, would split into no rows.
const split = (parameter: string): string => decodeTextColumnSql(`${parameter} || chr(30)`)

/** What orders posted to devices, looked up by the primary key, whatever the statistics say. */
export const FIND_ORDER_ENTRIES = `
  select ${ENTRY_FIELDS}, embodied_added_mg, charged.device_release_id, ${chargeOf('charged')}, at::integer, ${IS_WHOLE}
  from unnest(string_to_array($1, ',')::integer[], ${['$2', '$3', '$4'].map(split).join(', ')})
    with ordinality as wanted (account_id, serial_number, wanted_customer, wanted_order, at)
  cross join lateral (
    select * from entries
    where entries.account_id = wanted.account_id and entries.serial_number = wanted.serial_number
      and ${belongsToOrder('entries', 'wanted_customer', 'wanted_order')}
    offset 0
  ) as entries
  left join lateral (${footprintAsOf('entries')}) as charged on true`

const NO_EVENTS: readonly StoredEvent[] = []

export function toOrderRow(columns: OrderColumns): OrderRow {
  const [accountId, customerId, orderId, releaseId, orderDate, tenureStartDate, country, items, bases, lines, status] =
    columns
  const events = columns[11]
  return {
    accountId,
    customerId,
    orderId,
    releaseId,
    orderDate,
    tenureStartDate,
    country,
    items,
    bases,
    matchMethods: columns[12],
    lines,
    status,
    events: events === null ? NO_EVENTS : toEvents(events, { customerId, orderId }),
  }
}

const toEvents = (json: string, order: NonNullable<StoredEvent['order']>): readonly StoredEvent[] =>
  (JSON.parse(json) as readonly [string, string | null, string, number][]).map(
    ([eventId, serialNumber, content, time]) => ({
      eventId: eventIdOf(eventId),
      serialNumber,
      content,
      order,
      postedAt: new Date(time),
      recordedBy: null,
    }),
  )

/** The time of an entry and the day it counts from are not read here: neither affects its emissions. */
const UNREAD = new Date(0)

export function toStoredEntry(
  columns: LedgerColumns | OrderEntryColumns,
  serialNumber: string,
  { customerId, orderId }: NonNullable<StoredEvent['order']>,
  eventContent: string | null,
): StoredEntry {
  const [no, embodied, use, packaging, transportation, releaseId, reason, start, end, months, country] = columns
  const [eventId, causeCustomerId, causeOrderId] = [columns[11], columns[12], columns[13]]
  const [inForceReason, inForceEventId] = [columns[14], columns[15]]
  return {
    serialNumber,
    customerId,
    orderId,
    no,
    postedAt: UNREAD,
    product_embodied_emission: embodied,
    product_use: use,
    packaging,
    transportation,
    releaseId,
    reason,
    terms: months === null ? null : { start: start!, end: end!, months },
    country,
    eventId,
    cause: causeOrderId === null ? null : { customerId: causeCustomerId!, orderId: causeOrderId },
    inForce: inForceReason === null ? null : { reason: inForceReason, eventId: inForceEventId },
    eventContent,
    footprint: toFootprint(columns),
    countsFrom: null,
    isSpreadUntilEnd: true,
  }
}

/**
 * The device of some entries, or null if the database has none. Its balance is the sum of these entries, which is the
 * balance of the device if they are all of its entries.
 */
export function toStoredDevice(
  rows: readonly (LedgerColumns | OrderEntryColumns)[],
  serialNumber: string,
): StoredDevice | null {
  const charged = rows.find((columns) => columns[17] !== null)
  if (!charged) return null
  let [whole, posted] = [0n, 0n]
  for (const columns of rows) {
    whole += columns[16]
    posted += columns[1]
  }
  return { serialNumber, ...toFootprint(charged)!, balance: { embodiedTotal: whole, allocated: posted } }
}

function toFootprint(columns: LedgerColumns | OrderEntryColumns): StoredFootprint | null {
  const [releaseId, footprintId, weightKg, isCapped, productId, method] = columns.slice(17, 23) as unknown as [
    number | null,
    string,
    string | null,
    boolean,
    string | null,
    string | null,
  ]
  if (releaseId === null) return null
  return { releaseId, footprintId, weightKg, isCapped, possibleMatch: possibleMatchOfRow(productId, method) }
}
