// Everything stored of a customer's orders, and the locks under which it is replaced.
import { deviceKey, lockDevices } from '../entries.ts'
import type { Connection } from '../transaction.ts'
import { serialNumbersIn } from './rewrite-content.ts'
import type { Tie } from './pseudonyms.ts'

export interface CustomerKey {
  readonly accountId: number
  readonly customerId: string
}

export interface OrderText {
  readonly order_id: string
  readonly items: string
  readonly has_metadata: boolean
}

export interface EventText {
  readonly event_id: string
  readonly order_id: string | null
  readonly serial_number: string | null
  readonly content: string
}

export interface FoundRecords {
  readonly orders: readonly OrderText[]
  /** Events of these orders. */
  readonly events: readonly EventText[]
  /** Serial numbers of all devices that were ever in one of the orders. */
  readonly devices: readonly string[]
}

type Locking = '' | 'for update' | 'for update skip locked'

/** Written like the index `orders_by_customer`. */
const ordersText = (locking: Locking): string => `
  select order_id, items, metadata is not null as has_metadata from orders
  where account_id = $1 and account_id + 0 = $1 and customer_id = $2 order by order_id ${locking}`

async function findRecords(
  connection: Connection,
  { accountId, customerId }: CustomerKey,
  locking: Locking,
): Promise<FoundRecords> {
  const key = [accountId, customerId]
  const orders = await connection.query<OrderText>(ordersText(locking), key)
  const events = await connection.query<EventText>(
    `select event_id, order_id, serial_number, content from events
    where account_id = $1 and customer_id = $2 and order_id is not null order by event_no`,
    key,
  )
  const texts = [...orders.rows.map(({ items }) => items), ...events.rows.map(({ content }) => content)]
  return { orders: orders.rows, events: events.rows, devices: [...new Set(texts.flatMap(serialNumbersIn))] }
}

/** Serial numbers of locked devices, and of devices that do not exist. */
export type DeviceLocks = Set<string>

const missingIn = (locks: DeviceLocks, devices: Iterable<string>): readonly string[] =>
  [...devices].filter((serial) => !locks.has(serial))

/**
 * Locks the devices and then the orders of a customer, as postings do, so that nothing is posted to them until the end
 * of the transaction. Orders that are posted meanwhile, on other devices, are not among them.
 * @param more further devices to lock
 */
export async function lockRecords(
  connection: Connection,
  key: CustomerKey,
  locks: DeviceLocks,
  more: readonly string[] = [],
): Promise<FoundRecords> {
  let found = await findRecords(connection, key, '')
  for (;;) {
    const missing = missingIn(locks, new Set([...more, ...found.devices]))
    await lockDevices(
      connection,
      missing.map((serialNumber) => ({ accountId: key.accountId, serialNumber })),
      'wait',
    )
    for (const serial of missing) locks.add(serial)
    found = await findRecords(connection, key, 'for update')
    if (missingIn(locks, found.devices).length === 0) return found
  }
}

/** The same without waiting: null if another transaction has locked one of the devices or orders. */
export async function lockFreeRecords(
  connection: Connection,
  key: CustomerKey,
  locks: DeviceLocks,
): Promise<FoundRecords | null> {
  const { accountId } = key
  const { orders, devices } = await findRecords(connection, key, '')
  const missing = missingIn(locks, devices).map((serialNumber) => ({ accountId, serialNumber }))
  const locked = await lockDevices(connection, missing, 'skip')
  const known = await findKnownDevices(connection, accountId, devices)
  if (missing.some((device) => !locked.has(deviceKey(device)) && known.has(device.serialNumber))) return null
  const found = await findRecords(connection, key, 'for update skip locked')
  return found.orders.length === orders.length ? found : null
}

async function findKnownDevices(
  connection: Connection,
  accountId: number,
  serials: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await connection.query<{ readonly serial: string }>(
    `select serial from unnest($2::text[]) as wanted (serial)
    where exists (select from entries where account_id = $1 and serial_number = serial)`,
    [accountId, serials],
  )
  return new Set(rows.map(({ serial }) => serial))
}

/** All devices with an entry that names the customer, whatever its orders and events say. Reads all entries. */
export async function scanDevices(connection: Connection, { accountId, customerId }: CustomerKey) {
  const { rows } = await connection.query<{ readonly serial: string }>(
    `select distinct serial_number as serial from entries
    where account_id = $1 and serial_number <> '' and (customer_id = $2 or cause_customer_id = $2)`,
    [accountId, customerId],
  )
  return rows.map(({ serial }) => serial)
}

/** Those of the devices that no other customer ever rented. */
export async function findOwnDevices(
  connection: Connection,
  accountId: number,
  serials: readonly string[],
  customerIds: readonly string[],
): Promise<readonly string[]> {
  const { rows } = await connection.query<{ readonly serial: string }>(
    `select serial from unnest($2::text[]) as wanted (serial)
    where not exists (
      select from entries
      where account_id = $1 and serial_number = serial and order_id <> '' and customer_id <> all ($3)
    )`,
    [accountId, serials, customerIds],
  )
  return rows.map(({ serial }) => serial)
}

/** Pairs of an order of the customer and another order with a rental of the same device from the same day. */
export async function findTies(
  connection: Connection,
  { accountId, customerId }: CustomerKey,
  serials: readonly string[],
): Promise<readonly Tie[]> {
  const { rows } = await connection.query<Tie>(
    `select distinct own.order_id as "orderId", other.customer_id as "otherCustomerId",
      other.order_id as "otherOrderId"
    from entries as own join entries as other using (account_id, serial_number, start_date)
    where account_id = $1 and serial_number = any ($3) and own.customer_id = $2
      and (other.customer_id, other.order_id) <> (own.customer_id, own.order_id)`,
    [accountId, customerId, serials],
  )
  return rows
}

/** The events of devices themselves: each has an entry without an order. */
export async function findDeviceEvents(
  connection: Connection,
  accountId: number,
  serials: readonly string[],
): Promise<readonly EventText[]> {
  const { rows } = await connection.query<EventText>(
    `select distinct event_id, events.order_id, events.serial_number, content
    from entries join events using (account_id, event_id)
    where account_id = $1 and entries.serial_number = any ($2) and entries.order_id = ''`,
    [accountId, serials],
  )
  return rows
}
