// Orders and devices with everything known about them, now or at some time in the past.
import { LONG_LEDGER } from '../engine/ledger-history.ts'
import { setImmediate as turn } from 'node:timers/promises'
import type { Pool } from 'pg'
import type { OrderKey } from '../engine/device-timeline.ts'
import { ConcurrentModification, isRowError } from './errors.ts'
import { groupBySerialNumber } from './events.ts'
import { deviceKey, findOrderEntries, findShortLedgers } from './entries.ts'
import { findLedgers, readLedger } from './long-ledgers.ts'
import { findLedgersAtCreation, type OrderDevices } from './ledgers-at-creation.ts'
import {
  findCurrentOrder,
  findEventsOfOrder,
  findEventsOfOrders,
  findOrders,
  findRevisions,
  findRevisionsOf,
  orderIdentity,
} from './order-reads.ts'
import type {
  DeviceLedger,
  DeviceLedgers,
  DeviceRecords,
  OrderRecords,
  StoredCorrection,
  StoredEvent,
  StoredOrder,
} from '../ledger/records.ts'
import { BATCHES_IN_FLIGHT_MAX, JOB_BYTES, createBatcher, type BatchLimits } from '../concurrency/batcher.ts'
import { findSimilarSerials } from './similar-serials.ts'
import { READ_ONLY_SNAPSHOT, inTransaction, type Connection } from './transaction.ts'

export type SerialsOf = (order: StoredOrder, events: readonly StoredEvent[]) => readonly string[]

/** Long ledgers are not read here; 'long' is returned instead. */
/** What is known of the devices of an order that is not posted. */
export interface DevicesBefore {
  /** By serial number. */
  readonly ledgers: DeviceLedgers
  /** For some of the serial numbers, a device whose own differs from it in case or white space alone. */
  readonly similar: ReadonlyMap<string, string>
}

export interface OrderReader {
  /** An order as known at some time, or in its current state; null if it did not exist. */
  readonly orderRecords: (
    accountId: number,
    key: OrderKey,
    serialsOf: SerialsOf,
    knownAt: Date | null,
  ) => Promise<OrderRecords | 'long' | null>
  /** The ledgers of the devices of a stored order as known when it was created; they may include later entries. */
  readonly ledgersAtCreation: (
    accountId: number,
    key: OrderKey,
    serialNumbers: readonly string[],
  ) => Promise<DeviceLedgers | 'long'>
  /** Null for a device of which nothing was known. */
  readonly deviceRecords: (
    accountId: number,
    serialNumber: string,
    knownAt: Date | null,
  ) => Promise<DeviceRecords | 'long' | null>
  /** The devices of an order before it is posted to them. They are not locked. Null if the order is already posted. */
  readonly devicesBefore: (
    accountId: number,
    key: OrderKey,
    serialNumbers: readonly string[],
  ) => Promise<DevicesBefore | null>
  /** The serial numbers of the devices of each order; none for an order that is not stored. */
  readonly devicesOfOrders: (
    accountId: number,
    keys: readonly OrderKey[],
    serialsOf: SerialsOf,
  ) => Promise<readonly (readonly string[])[]>
}

const ORDER_FILES_AT_ONCE = 4
/** The ledgers that a batch of repeated orders has in memory at the same time, because each may be long. */
const LEDGERS_PER_BATCH = 32

export interface OrderRecordsQuery {
  readonly accountId: number
  readonly key: OrderKey
  readonly serialsOf: SerialsOf
  readonly knownAt: Date | null
}

export interface DeviceRecordsQuery {
  readonly accountId: number
  readonly serialNumber: string
  readonly knownAt: Date | null
}

export function createOrderReader(pool: Pool, limits: BatchLimits): OrderReader {
  const deviceRecords = createBatcher<DeviceRecordsQuery, DeviceRecords | 'long' | null>({
    ...limits,
    queue: 'devices',
    concurrencyMax: BATCHES_IN_FLIGHT_MAX,
    isJobError: isRowError,
    bytesOf: () => JOB_BYTES,
    executeBatch: (wanted) => findDeviceRecords(pool, wanted),
  })
  // Each holds a connection for several statements, and enough connections must remain for writes.
  const orderRecords = createBatcher<OrderRecordsQuery, OrderRecords | 'long' | null>({
    ...limits,
    queue: 'orders',
    concurrencyMax: ORDER_FILES_AT_ONCE,
    isJobError: isRowError,
    bytesOf: () => JOB_BYTES,
    batchBytesMax: 0,
    executeBatch: async ([wanted]) => [
      await inTransaction(pool, (connection) => findShortOrderRecords(connection, wanted!), READ_ONLY_SNAPSHOT),
    ],
  })
  const ledgers = createBatcher<OrderDevices, DeviceLedgers | 'long'>({
    ...limits,
    queue: 'journals',
    concurrencyMax: BATCHES_IN_FLIGHT_MAX,
    isJobError: isRowError,
    bytesOf: ({ serialNumbers }) => JOB_BYTES * Math.max(1, serialNumbers.length),
    batchBytesMax: JOB_BYTES * LEDGERS_PER_BATCH,
    executeBatch: (orders) => findLedgersAtCreation(pool, orders),
  })
  return {
    ledgersAtCreation: (accountId, { customerId, orderId }, serialNumbers) =>
      ledgers({ accountId, key: { customerId, orderId }, serialNumbers }),
    orderRecords: (accountId, key, serialsOf, knownAt) => orderRecords({ accountId, key, serialsOf, knownAt }),
    devicesBefore: (accountId, key, serialNumbers) => findDevicesBefore(pool, accountId, key, serialNumbers),
    deviceRecords: (accountId, serialNumber, knownAt) => deviceRecords({ accountId, serialNumber, knownAt }),
    devicesOfOrders: (accountId, keys, serialsOf) => findDevicesOfOrders(pool, accountId, keys, serialsOf),
  }
}

/** An order may have a thousand devices, which take a millisecond to decode. */
const ORDERS_TO_DECODE = 16

/** The serial numbers of the devices of each order; none for an order that is not stored. */
export async function findDevicesOfOrders(
  pool: Pool,
  accountId: number,
  keys: readonly OrderKey[],
  serialsOf: SerialsOf,
): Promise<readonly (readonly string[])[]> {
  const devices: (readonly string[])[] = []
  for (let at = 0; at < keys.length; at += ORDERS_TO_DECODE) {
    const page = keys.slice(at, at + ORDERS_TO_DECODE)
    const revisions = await findRevisionsOf(pool, accountId, page)
    const current = new Map([...revisions].map(([identity, all]) => [identity, all.at(-1)!]))
    const events = await findEventsOfOrders(pool, accountId, [...current.values()])
    for (const key of page) {
      const order = current.get(orderIdentity(accountId, key))
      devices.push(order ? serialsOf(order, events.get(orderIdentity(accountId, order)) ?? []) : [])
    }
  }
  return devices
}

/** The order, its devices and those that are similar are read from one snapshot. */
async function findDevicesBefore(
  pool: Pool,
  accountId: number,
  key: OrderKey,
  serialNumbers: readonly string[],
): Promise<DevicesBefore | null> {
  const devices = serialNumbers.map((serialNumber) => ({ accountId, serialNumber }))
  const find = async (connection: Connection) => {
    const order = await findCurrentOrder(connection, { accountId, key })
    if (order && order.status !== 'reversed') return null
    const ledgers = groupBySerialNumber(await findLedgers(connection, devices))
    return { ledgers, similar: await findSimilarSerials(connection, accountId, serialNumbers) }
  }
  return inTransaction(pool, find, READ_ONLY_SNAPSHOT)
}

/** An order that has a device with a long ledger; null if the order did not exist. */
export const readLongOrder = (pool: Pool, wanted: OrderRecordsQuery): Promise<OrderRecords | null> =>
  inTransaction(pool, (connection) => findOrderRecords(connection, wanted, findLedgers), READ_ONLY_SNAPSHOT)

async function findShortOrderRecords(
  connection: Connection,
  wanted: OrderRecordsQuery,
): Promise<OrderRecords | 'long' | null> {
  const records = await findOrderRecords(connection, wanted, findShortLedgers)
  return records === null || records.ledgers.values().every(isShort) ? records : 'long'
}

async function findOrderRecords(
  connection: Connection,
  { accountId, key, serialsOf, knownAt }: OrderRecordsQuery,
  find: typeof findLedgers,
): Promise<OrderRecords | null> {
  const order = await findCurrentOrder(connection, { accountId, key }, knownAt)
  if (!order) return null
  const wanted = { accountId, key: { customerId: order.customerId, orderId: order.orderId } }
  const events = await findEventsOfOrder(connection, wanted, knownAt)
  const devices = serialsOf(order, events).map((serialNumber) => ({ accountId, serialNumber }))
  const ledgers = groupBySerialNumber(await find(connection, devices, knownAt))
  const entries = devices.length === 0 ? await findOrderEntries(connection, wanted, knownAt) : []
  const corrections = await findCorrections(connection, accountId, key, order)
  return { order, events, ledgers, entries, ...(corrections.length > 0 && { corrections }) }
}

/** What a revision of an order replaced; nothing for nearly all orders, which have one revision. */
async function findCorrections(
  connection: Connection,
  accountId: number,
  key: OrderKey,
  current: StoredOrder,
): Promise<readonly StoredCorrection[]> {
  if (current.orderId === key.orderId) return []
  const revisions = await findRevisions(connection, { accountId, key }, current.createdAt)
  const isCounted = (at: number) => revisions.slice(at).every(({ status }) => status !== 'reversed')
  const replaced = revisions.filter((one, at) => one.orderId !== current.orderId && isCounted(at))
  const events = await findEventsOfOrders(connection, accountId, replaced)
  return replaced.map((one) => {
    const ofRevision = events.get(orderIdentity(accountId, one))!
    return { replaced: one, event: ofRevision.at(-1)!, events: ofRevision }
  })
}

const isShort = ({ entries }: DeviceLedger): boolean => entries.length <= LONG_LEDGER

/**
 * Look-ups with the same `knownAt` share a query; nearly all ask for the current state. Returns 'long' for a long
 * ledger.
 */
async function findDeviceRecords(
  pool: Pool,
  wanted: readonly DeviceRecordsQuery[],
): Promise<readonly (DeviceRecords | 'long' | null)[]> {
  const recordsOfQuery = new Map<DeviceRecordsQuery, DeviceRecords | 'long'>()
  for (const group of Map.groupBy(wanted, ({ knownAt }) => knownAt?.getTime() ?? null).values()) {
    const ledgers = await findShortLedgers(pool, group, group[0]!.knownAt)
    const keys = group.flatMap((one) => {
      const ledger = ledgers.get(deviceKey(one))
      return ledger && isShort(ledger) ? namedIn(ledger).map((key) => ({ accountId: one.accountId, key })) : []
    })
    const orders = await findOrders(pool, [
      ...new Map(keys.map((one) => [orderIdentity(one.accountId, one.key), one])).values(),
    ])
    for (const one of group) {
      const ledger = ledgers.get(deviceKey(one))
      if (!ledger) continue
      const named = new Set((isShort(ledger) ? namedIn(ledger) : []).map((key) => orderIdentity(one.accountId, key)))
      const found = [...named].flatMap((identity) => orders.get(identity) ?? [])
      // Names were erased between the two statements.
      const again = found.length < named.size ? (await findDeviceRecords(pool, [one]))[0]! : null
      recordsOfQuery.set(one, again ?? (isShort(ledger) ? { ledger, orders: found } : 'long'))
    }
  }
  return wanted.map((one) => recordsOfQuery.get(one) ?? null)
}

const namedIn = ({ entries }: DeviceLedger): readonly OrderKey[] => entries.filter(({ orderId }) => orderId !== '')

/** Small enough that neither a statement nor a turn of the event loop takes long. */
const ORDERS_PER_STATEMENT = 1_000

/**
 * A device with a long ledger, which may take some hundred megabytes of memory.
 * @throws ConcurrentModification if names in it are erased while it is read
 */
export async function readLongDevice(
  pool: Pool,
  { accountId, serialNumber, knownAt }: DeviceRecordsQuery,
  signal: AbortSignal,
): Promise<DeviceRecords> {
  const ledger = await readLedger(pool, { accountId, serialNumber }, knownAt)
  if (!ledger) throw new ConcurrentModification()
  const keys = new Map<string, OrderKey>()
  for (const [at, key] of ledger.entries.entries()) {
    if (key.orderId !== '') keys.set(orderIdentity(accountId, key), key)
    if (at % ORDERS_PER_STATEMENT === ORDERS_PER_STATEMENT - 1) await turn()
  }
  const orders: StoredOrder[] = []
  const wanted = [...keys]
  for (let at = 0; at < wanted.length; at += ORDERS_PER_STATEMENT) {
    signal.throwIfAborted()
    const page = wanted.slice(at, at + ORDERS_PER_STATEMENT)
    const found = await findOrders(
      pool,
      page.map(([, key]) => ({ accountId, key })),
    )
    if (found.size < page.length) throw new ConcurrentModification()
    for (const [identity] of page) orders.push(found.get(identity)!)
  }
  return { ledger, orders }
}
