// The journals of devices: what they are charged by, and every entry, read back as it was kept.
import type { Reason } from '../../engine/device-history.ts'
import { Overtaken } from '../connection/database-errors.ts'
import type { AccountOrder } from './order-reads.ts'
import { keptGuess, type Journal, type StoredDevice, type StoredEntry } from './order-record.ts'
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
  readonly reason: Reason
  readonly start_date: string | null
  readonly end_date: string | null
  readonly months: string | null
  readonly country: string | null
  readonly event_id: string | null
  readonly cause_customer_id: string | null
  readonly cause_order_id: string | null
  readonly event_content: string | null
}

export const toStoredEntry = (row: EntryRow): StoredEntry => ({
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
  readonly account_id: number
  readonly serial_number: string
  readonly basis: string
  readonly release_id: number
  readonly weight_kg: string | null
  readonly is_capped: boolean
  readonly product_id: string | null
  readonly found_by: string | null
  readonly whole_mg: bigint
  readonly posted_mg: bigint
}

export const toStoredDevice = (row: DeviceRow): StoredDevice => ({
  serialNumber: row.serial_number,
  basis: row.basis,
  releaseId: row.release_id,
  weightKg: row.weight_kg,
  isCapped: row.is_capped,
  guess: keptGuess(row.product_id, row.found_by),
  balance: { whole: row.whole_mg, posted: row.posted_mg },
})

export interface AccountDevice {
  readonly accountId: number
  readonly serialNumber: string
}

export const deviceIdentity = ({ accountId, serialNumber }: AccountDevice): string => `${accountId}\0${serialNumber}`

/** In one sequence, so that two writers that lock all at once never wait for each other in a ring. */
const LOCK_DEVICES = `
  select account_id, serial_number from devices
  join unnest($1::integer[], $2::text[]) as wanted (account_id, serial_number) using (account_id, serial_number)
  order by account_id, serial_number
  for update of devices`

/**
 * Locks the devices that are there until the transaction ends: all of them, or those that can be had without waiting.
 * @returns which they are, by deviceIdentity
 */
export async function lockDevices(
  connection: Connection,
  wanted: readonly AccountDevice[],
  others: 'wait' | 'skip',
): Promise<ReadonlySet<string>> {
  const { rows } = await connection.query<Pick<DeviceRow, 'account_id' | 'serial_number'>>({
    name: `lock-devices-${others}`,
    text: others === 'wait' ? LOCK_DEVICES : `${LOCK_DEVICES} skip locked`,
    values: deviceValues(wanted),
  })
  return new Set(rows.map((row) => deviceIdentity({ accountId: row.account_id, serialNumber: row.serial_number })))
}

/**
 * The journals of devices, which nobody else writes to until the transaction ends.
 * @throws Overtaken where a device came to be after the locks were taken: it is not locked
 */
export async function lockJournals(
  connection: Connection,
  wanted: readonly AccountDevice[],
): Promise<ReadonlyMap<string, Journal>> {
  const locked = await lockDevices(connection, wanted, 'wait')
  const journals = await findJournals(connection, wanted)
  if ([...journals.keys()].some((identity) => !locked.has(identity))) throw new Overtaken()
  return journals
}

const deviceValues = (wanted: readonly AccountDevice[]) => [
  wanted.map(({ accountId }) => accountId),
  wanted.map(({ serialNumber }) => serialNumber),
]

const FIND_DEVICES = `
  select account_id, serial_number, basis, release_id, weight_kg, is_capped, product_id, found_by, whole_mg,
    posted_mg from devices
  join unnest($1::integer[], $2::text[]) as wanted (account_id, serial_number) using (account_id, serial_number)`

/** What was posted until a time, or all of it; the event of an entry that is about the device alone comes with it. */
const FIND_ENTRIES = `
  select entries.*, events.content as event_content from entries
  join unnest($1::integer[], $2::text[]) as wanted (account_id, serial_number) using (account_id, serial_number)
  left join events on entries.order_id = '' and events.account_id = entries.account_id
    and events.event_id = entries.event_id
  where $3::timestamptz is null or entries.posted_at <= $3
  order by entries.account_id, entries.serial_number, entry_no`

/** The journals of devices, as far as they were known at some time, by deviceIdentity. Unknown devices have none. */
export async function findJournals(
  connection: Connection,
  wanted: readonly AccountDevice[],
  knownAt: Date | null = null,
): Promise<ReadonlyMap<string, Journal>> {
  if (wanted.length === 0) return new Map()
  // Each device once: look-ups that share a trip may ask for the same one, and its entries must not come twice.
  const values = deviceValues([...new Map(wanted.map((one) => [deviceIdentity(one), one])).values()])
  const { rows: devices } = await connection.query<DeviceRow>({
    name: 'find-devices',
    text: FIND_DEVICES,
    values,
  })
  const { rows } = await connection.query<EntryRow & { readonly account_id: number }>({
    name: 'find-entries',
    text: FIND_ENTRIES,
    values: [...values, knownAt],
  })
  const entries = Map.groupBy(rows, (row) =>
    deviceIdentity({ accountId: row.account_id, serialNumber: row.serial_number }),
  )
  return new Map(
    devices.flatMap((row) => {
      const identity = deviceIdentity({ accountId: row.account_id, serialNumber: row.serial_number })
      const known = entries.get(identity)?.map(toStoredEntry)
      return known ? [[identity, { device: toStoredDevice(row), entries: known }] as const] : []
    }),
  )
}

/** What was posted to an order without devices, in sequence. */
export async function findOrderEntries(
  connection: Connection,
  { accountId, key }: AccountOrder,
  knownAt: Date | null = null,
): Promise<readonly StoredEntry[]> {
  const { rows } = await connection.query<EntryRow>({
    name: 'find-order-entries',
    text: `select entries.*, null as event_content from entries
      where account_id = $1 and serial_number = '' and customer_id = $2 and order_id = $3
        and ($4::timestamptz is null or posted_at <= $4)
      order by entry_no`,
    values: [accountId, key.customerId, key.orderId, knownAt],
  })
  return rows.map(toStoredEntry)
}

/** What was posted to a customer's orders that have no devices, by order id, in sequence. */
export async function orderEntriesOfCustomer(
  connection: Connection,
  accountId: number,
  customerId: string,
  knownAt: Date | null,
): Promise<readonly StoredEntry[]> {
  const { rows } = await connection.query<EntryRow>({
    name: 'find-order-entries-of-customer',
    text: `select entries.*, null as event_content from entries
      where account_id = $1 and serial_number = '' and customer_id = $2
        and ($3::timestamptz is null or posted_at <= $3)
      order by order_id, entry_no`,
    values: [accountId, customerId, knownAt],
  })
  return rows.map(toStoredEntry)
}
