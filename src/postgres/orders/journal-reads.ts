// The journals of devices: what they are charged by, and every entry, read back as it was kept.
import type { EntryReason } from '../../engine/ledger-history.ts'
import type { Milligrams } from '../../engine/numbers/emission.ts'
import { guessOfRow, type DeviceLedger, type StoredDevice, type StoredEntry } from '../../ledger/records.ts'
import type { Connection } from '../connection/transaction.ts'

export interface EntryRow {
  readonly serial_number: string
  readonly customer_id: string
  readonly order_id: string
  readonly entry_no: number
  readonly posted_at: Date
  readonly embodied_mg: bigint
  readonly use_mg: bigint
  readonly packaging_mg: bigint
  readonly transportation_mg: bigint
  readonly release_id: number
  readonly reason: EntryReason
  readonly start_date: string | null
  readonly end_date: string | null
  readonly months: string | null
  readonly country: string | null
  readonly event_id: string | null
  readonly cause_customer_id: string | null
  readonly cause_order_id: string | null
  readonly event_content: string | null
}

export const entryOfRow = (row: EntryRow): StoredEntry => ({
  serialNumber: row.serial_number,
  customerId: row.customer_id,
  orderId: row.order_id,
  no: row.entry_no,
  postedAt: row.posted_at,
  product_embodied_emission: row.embodied_mg,
  product_use: row.use_mg,
  packaging: row.packaging_mg,
  transportation: row.transportation_mg,
  releaseId: row.release_id,
  reason: row.reason,
  terms: row.months === null ? null : { start: row.start_date!, end: row.end_date!, months: row.months },
  country: row.country,
  eventId: row.event_id,
  cause: row.cause_order_id === null ? null : { customerId: row.cause_customer_id!, orderId: row.cause_order_id },
  eventContent: row.event_content,
})

export interface DeviceRow {
  readonly serial_number: string
  readonly basis: string
  readonly release_id: number
  readonly weight_kg: string | null
  readonly is_capped: boolean
  readonly product_id: string | null
  readonly found_by: string | null
  readonly whole_mg: Milligrams
  readonly posted_mg: Milligrams
}

export const deviceOfRow = (row: DeviceRow): StoredDevice => ({
  serialNumber: row.serial_number,
  basis: row.basis,
  releaseId: row.release_id,
  weightKg: row.weight_kg,
  isCapped: row.is_capped,
  guess: guessOfRow(row.product_id, row.found_by),
  balance: { whole: row.whole_mg, posted: row.posted_mg },
})

export interface AccountDevice {
  readonly accountId: number
  readonly serialNumber: string
}

export const deviceKey = ({ accountId, serialNumber }: AccountDevice): string => `${accountId}\0${serialNumber}`

/**
 * In SQL, the entries of a serial number that an order posted, as the key has them: the first of a device does without
 * the order, and so is to be held against its columns.
 * @param entries the name that the statement gives to entries
 * @param customer, order what it calls the ids of the order
 */
export const belongsToOrder = (entries: string, customer: string, order: string): string =>
  `${entries}.order_key in ('', ${customer} || chr(31) || ${order})
    and ${entries}.customer_id = ${customer} and ${entries}.order_id = ${order}`

/**
 * The first entry stands for its device. In one sequence, so that two writers that lock all at once never wait for each
 * other in a ring; each by its key, whatever the statistics say.
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
 * Locks the devices that are there until the transaction ends: all of them, or those that can be had without waiting.
 * @returns which they are, by deviceKey
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

/** A journal with more entries is long: the index entries_beyond has those beyond, device by device. */
export const LONG_LEDGER = 250

/**
 * What was posted until a time, or all of it; the event of an entry that is about the device alone comes with it. Each
 * device is looked up by its key, and each event by its own, whatever the statistics say: one device may have more
 * entries than all others together.
 */
const FIND_ENTRIES = `
  select entries.*, content as event_content
  from unnest($1::integer[], $2::text[]) as wanted (wanted_account, wanted_serial)
  cross join lateral (
    select * from entries
    where account_id = wanted_account and serial_number = wanted_serial and ($3::timestamptz is null or posted_at <= $3)
    limit ${LONG_LEDGER + 1}
  ) as entries
  left join lateral (
    select content from events
    where entries.order_id = '' and events.account_id = entries.account_id and events.event_id = entries.event_id
    offset 0
  ) as told on true
  order by entries.account_id, entries.serial_number, entry_no`

/**
 * The journals of devices, as far as they were known at some time, by deviceKey; unknown devices have none. Of a
 * long one there is one entry more than a short one has, and it is not said which.
 */
export async function findShortLedgers(
  connection: Connection,
  wanted: readonly AccountDevice[],
  knownAt: Date | null = null,
): Promise<ReadonlyMap<string, DeviceLedger>> {
  if (wanted.length === 0) return new Map()
  // Each device once: look-ups that share a trip may ask for the same one, and its entries must not come twice.
  const values = deviceValues([...new Map(wanted.map((one) => [deviceKey(one), one])).values()])
  const { rows } = await connection.query<LedgerRow>({
    name: 'find-entries',
    text: FIND_ENTRIES,
    values: [...values, knownAt],
  })
  const journals = Map.groupBy(rows, (row) => deviceKey({ accountId: row.account_id, serialNumber: row.serial_number }))
  return new Map([...journals].map(([identity, own]) => [identity, toLedger(own)]))
}

export type LedgerRow = EntryRow & {
  readonly account_id: number
  readonly put_in_mg: Milligrams
  /** What the device is charged by: of the first entry alone. */
  readonly device_release_id: number
  readonly basis: string
  readonly is_capped: boolean
  readonly weight_kg: string | null
  readonly product_id: string | null
  readonly found_by: string | null
}

/** In sequence, from the first entry on. */
export function toLedger(rows: readonly LedgerRow[]): DeviceLedger {
  const [first] = rows
  const whole = rows.reduce((total, row) => total + row.put_in_mg, 0n)
  const posted = rows.reduce((total, row) => total + row.embodied_mg, 0n)
  const charged = { ...first!, release_id: first!.device_release_id, whole_mg: whole, posted_mg: posted }
  return { device: deviceOfRow(charged), entries: rows.map(entryOfRow) }
}
