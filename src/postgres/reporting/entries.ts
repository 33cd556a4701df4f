// The entries of an account as reports read them, in the order of posting, with all that a report needs.
import type { OrderKey } from '../../engine/device-timeline.ts'
import type { EmissionsByPart, EntryReason } from '../../engine/ledger-history.ts'
import type { PossibleMatch, StoredEntry } from '../../ledger/records.ts'
import { footprintAsOf, possibleMatchOfRow } from '../row-encoding.ts'
import type { Connection } from '../transaction.ts'
import { createFindPosted, entryKey, placeOfEntry, type FindPosted, type PostedLedger } from './earlier-entries.ts'

/** An entry with what reports need. Days are counted from 1970-01-01. */
export interface ReportEntry {
  readonly no: number
  readonly reason: EntryReason
  readonly parts: EmissionsByPart
  /** Null for an entry about the device alone. */
  readonly order: ReportOrder | null
  /** The footprint of the device; null for an order without devices. */
  readonly device: ChargedAs | null
  /** As in the first entry of its rental; null for an order without devices. */
  readonly rental: ReportRental | null
  /**
   * What was posted to its rental, or its order without devices, before. Null for the first entry of either, before
   * which nothing was posted.
   */
  readonly earlier: EarlierEntries | null
  /**
   * For an entry that sets the terms of a rental, or charges it by another footprint: the other rental of the device
   * that was posted first and counts.
   */
  readonly otherRental: RelatedRental | null
  /**
   * Everything posted to its device, or to its order without devices; null for the first entry of either, and for an
   * event of the device that neither withdraws another nor identifies it.
   */
  readonly ledger: PostedLedger | null
  /** For an entry about the device alone: the event, as it was sent. */
  readonly eventContent: string | null
  /** The first day on which it counts, YYYY-MM-DD; null if it counts in the months that it concerns. */
  readonly countsFrom: string | null
}

export interface EarlierEntries {
  readonly ledger: PostedLedger
  /** The entries of its rental, or of its order without devices, in order; some may have been posted after it. */
  readonly own: readonly StoredEntry[]
  /** The position of the entry among them. */
  readonly at: number
}

export interface ChargedAs {
  readonly releaseId: number
  readonly footprintId: string
  readonly weightKg: string | null
  /** If it was matched by a guess or by a mapping. */
  readonly possibleMatch: PossibleMatch | null
}

export interface RelatedRental extends ReportRental {
  /** True if its order began to rent the device after the order of the entry. */
  readonly isLater: boolean
  /** Null for the first entry of a rental: the other one goes on counting as it did. */
  readonly order: ReportOrder | null
}

export interface ReportRental {
  readonly start: string
  readonly months: string
  readonly country: string | null
  readonly releaseId: number
}

export interface ReportOrder {
  readonly customerId: string
  readonly orderId: string
  readonly orderDay: number
  readonly dispatchDay: number
  readonly country: string | null
  readonly metadata: string | null
  readonly releaseId: number
  /** JSON, as stored with the order. */
  readonly items: string
}

/** The reason of an entry that is always the first of a rental; a rental that a swap began has another reason. */
const FIRST: EntryReason = 'order'

interface ReportEntryRow {
  readonly customer_id: string
  readonly order_id: string
  readonly serial_number: string
  readonly entry_no: number
  readonly reason: EntryReason
  readonly embodied_mg: bigint
  readonly use_mg: bigint
  readonly packaging_mg: bigint
  readonly transportation_mg: bigint
  readonly device_release: number | null
  readonly footprint_id: string | null
  readonly weight_kg: string | null
  readonly product_id: string | null
  readonly match_method: string | null
  readonly own_start: string | null
  readonly own_months: string | null
  readonly own_country: string | null
  readonly own_release: number
  readonly counts_from: string | null
  readonly content: string | null
}

const keyOfRow = (row: ReportEntryRow): OrderKey => ({ customerId: row.customer_id, orderId: row.order_id })

const placeOf = (row: ReportEntryRow) => ({ ...keyOfRow(row), serialNumber: row.serial_number })

/** True if earlier entries may determine what the entry adds, or how it is counted. */
const needsLedger = ({ order_id: orderId, serial_number: serial, reason, entry_no: no }: ReportEntryRow): boolean =>
  orderId === ''
    ? reason === 'withdrawal' || reason === 'identification'
    : no > 1 && (reason !== FIRST || serial !== '')

const otherIn = (row: ReportEntryRow, ledger: PostedLedger | null): StoredEntry | null =>
  row.serial_number === '' ? null : (ledger?.others.get(row.entry_no) ?? null)

/** The other rental, if the count of the device may move between it and the rental of the entry. */
function otherToTell(row: ReportEntryRow, ledger: PostedLedger | null): StoredEntry | null {
  const other = otherIn(row, ledger)
  if (other === null || row.reason !== FIRST) return MOVING_COUNTS.has(row.reason) ? other : null
  return isLater(other, row, ledger!) ? other : null
}

/** True if the other rental began after an earlier revision of the order, with which the device counts again. */
const isLater = (other: StoredEntry, row: ReportEntryRow, { beganAt }: PostedLedger): boolean =>
  beganAt(keyOfRow(row)) < beganAt(other)

const MOVING_COUNTS: ReadonlySet<EntryReason> = new Set<EntryReason>([
  'cancelled',
  'reversal',
  'correction',
  'withdrawal',
  'swapped_in',
])

function toReportEntry(
  row: ReportEntryRow,
  orders: ReadonlyMap<string, ReportOrder>,
  ledger: PostedLedger | null,
): ReportEntry {
  const order = row.order_id === '' ? null : orders.get(entryKey(keyOfRow(row)))
  if (order === undefined) throw new Error(`An entry is of the order "${row.order_id}", which is not there`)
  return {
    no: row.entry_no,
    reason: row.reason,
    parts: {
      product_embodied_emission: row.embodied_mg,
      product_use: row.use_mg,
      packaging: row.packaging_mg,
      transportation: row.transportation_mg,
    },
    order,
    device: row.footprint_id === null ? null : chargedAs(row, row.footprint_id),
    rental: rentalOf(row, ledger),
    earlier: ledger === null || row.reason === FIRST ? null : earlierOf(row, ledger),
    otherRental: otherOf(row, ledger, orders),
    ledger,
    eventContent: row.content,
    countsFrom: row.counts_from,
  }
}

function earlierOf(row: ReportEntryRow, ledger: PostedLedger): EarlierEntries | null {
  const own = ledger.byOrder.get(entryKey(keyOfRow(row))) ?? []
  const at = placeOfEntry(own, row.entry_no)
  return at > 0 ? { ledger, own, at } : null
}

function rentalOf(row: ReportEntryRow, ledger: PostedLedger | null): ReportRental | null {
  if (row.serial_number === '' || row.order_id === '') return null
  const first = row.reason === FIRST ? undefined : ledger?.byOrder.get(entryKey(keyOfRow(row)))?.[0]
  if (first?.terms) {
    const { terms, country, releaseId } = first
    return { start: terms.start, months: terms.months, country, releaseId }
  }
  return { start: row.own_start!, months: row.own_months!, country: row.own_country, releaseId: row.own_release }
}

function otherOf(
  row: ReportEntryRow,
  ledger: PostedLedger | null,
  orders: ReadonlyMap<string, ReportOrder>,
): RelatedRental | null {
  const other = otherIn(row, ledger)
  if (other === null) return null
  return {
    isLater: isLater(other, row, ledger!),
    start: other.terms!.start,
    months: other.terms!.months,
    country: other.country,
    releaseId: other.releaseId,
    order: orders.get(entryKey(other)) ?? null,
  }
}

const chargedAs = (
  { device_release, weight_kg, product_id, match_method }: ReportEntryRow,
  basis: string,
): ChargedAs => ({
  releaseId: device_release!,
  footprintId: basis,
  weightKg: weight_kg,
  possibleMatch: possibleMatchOfRow(product_id, match_method),
})

/** Entries per page. A page is in memory at a time with its orders, each of which may have 1,000 items. */
const PAGE_ROWS = 250

/**
 * Each entry is looked up with its device by the device's key, page by page: `offset 0` keeps the planner from reading
 * all devices of the account. The conditions that make a look-up unnecessary are inside it; outside, the look-up would
 * be executed anyway. What the other entries of the device determine is taken from its ledger, which is read once for
 * all of them.
 */
const POSTINGS = `
  select customer_id, order_id, serial_number, entry_no, reason, embodied_mg, use_mg, packaging_mg, transportation_mg,
    own_start, own_months, own_country, own_release, counts_from,
    device.device_release_id as device_release, footprint_id, weight_kg,
    product_id, match_method, content
  from (
    select posted_at, account_id, customer_id, order_id, serial_number, entry_no, reason, event_id, embodied_mg,
      use_mg, packaging_mg, transportation_mg, start_date::text as own_start, months as own_months,
      country as own_country, release_id as own_release, counts_from::text as counts_from
    from entries
    where account_id = $1 and posted_at > $2 and posted_at <= $3
    order by entries.posted_at, customer_id, order_id, serial_number, entry_no
    offset 0
  ) as entries
  left join lateral (${footprintAsOf('entries')}) as device on entries.serial_number <> ''
  left join lateral (
    select content from events
    where events.account_id = entries.account_id and events.event_id = entries.event_id and entries.order_id = ''
    offset 0
  ) as told on true`

/**
 * All entries that were posted after one time and up to another, page by page, sorted by time; entries of one time by
 * customer, order, device and number. The connection has to be in a transaction.
 * @param after '-infinity' or a time as the database writes it
 * @param until 'infinity' or such a time
 */
export async function* readReportEntries(
  connection: Connection,
  accountId: number,
  after: string,
  until: string,
): AsyncGenerator<readonly ReportEntry[]> {
  const findPosted = createFindPosted(connection, accountId)
  await connection.query(`declare postings no scroll cursor for ${POSTINGS}`, [accountId, after, until])
  for (;;) {
    const { rows } = await connection.query<ReportEntryRow>(`fetch ${PAGE_ROWS} from postings`)
    if (rows.length > 0) yield await withOrders(connection, accountId, findPosted, rows)
    if (rows.length < PAGE_ROWS) break
  }
  await connection.query('close postings')
}

async function withOrders(
  connection: Connection,
  accountId: number,
  findPosted: FindPosted,
  rows: readonly ReportEntryRow[],
): Promise<readonly ReportEntry[]> {
  const ledgerOf = await findPosted(rows.filter(needsLedger).map(placeOf))
  const posted = rows.map((row) => ({ row, ledger: needsLedger(row) ? ledgerOf(placeOf(row)) : null }))
  const keys = posted.flatMap(({ row, ledger }): readonly OrderKey[] => {
    const other = otherToTell(row, ledger)
    return [keyOfRow(row), ...(other === null ? [] : [{ customerId: other.customerId, orderId: other.orderId }])]
  })
  const wanted = [...new Map(keys.map((key) => [entryKey(key), key])).values()].filter(({ orderId }) => orderId !== '')
  const found = wanted.length > 0 ? await findOrders(connection, accountId, wanted) : []
  const orders = new Map(found.map((order) => [entryKey(order), order]))
  return posted.map(({ row, ledger }) => toReportEntry(row, orders, ledger))
}

async function findOrders(
  connection: Connection,
  accountId: number,
  keys: readonly OrderKey[],
): Promise<readonly ReportOrder[]> {
  const { rows: orders } = await connection.query<ReportOrder>({
    name: 'find-orders-of-entries',
    text: `select customer_id as "customerId", order_id as "orderId", order_date - date '1970-01-01' as "orderDay",
        tenure_start_date - date '1970-01-01' as "dispatchDay", country, metadata, release_id as "releaseId", items
      from unnest($2::text[], $3::text[]) as wanted (customer_id, order_id)
      cross join lateral (
        select order_date, tenure_start_date, country, metadata, release_id, items from orders
        where account_id = $1 and orders.customer_id = wanted.customer_id and orders.order_id = wanted.order_id
        offset 0
      ) as found`,
    values: [accountId, keys.map(({ customerId }) => customerId), keys.map(({ orderId }) => orderId)],
  })
  return orders
}
