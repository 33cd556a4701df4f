// Orders and what they post to the journals of their devices: written once, in shared commits.
import type { Pool, PoolClient } from 'pg'
import { isOfOneRow, isUnavailable } from '../connection/database-errors.ts'
import { deviceIdentity, findJournals, lockDevices, lockJournals, type AccountDevice } from './journal-reads.ts'
import { POST_NEW, newValues } from './post-new.ts'
import { WRITE_LOCKED, lockedValues, type Writing } from './write-locked.ts'
import { findOrders, identityOf } from './order-reads.ts'
import type {
  Journal,
  Journals,
  NewEntry,
  OrderPosting,
  PostedOrder,
  StoredDevice,
  StoredOrder,
  WrittenEntry,
} from './order-record.ts'
import { createSharedTrips, type Trip } from '../connection/shared-trips.ts'
import { inTransaction, untilUncontended } from '../connection/transaction.ts'
import type { Waiting } from '../connection/waiting.ts'

/** Created now, or there before: then with what is stored, so that the two can be compared. */
export type Posted =
  | { readonly outcome: 'created'; readonly createdAt: Date; readonly posting: OrderPosting }
  | { readonly outcome: 'there-before'; readonly stored: StoredOrder }

export interface SharedLimits {
  readonly weightPerTripMax: number
  readonly weightWaitingMax: number
  readonly waiting: Waiting
  readonly onTrip?: (trip: Trip) => void
  readonly senderOf?: () => unknown
}

/** With two, one is prepared while the other commits; more would only leave fewer orders to each flush. */
export const TRIPS_MAX = 2

/** What any waiting job takes of memory, and what an order takes for each byte of its items, in bytes, as measured. */
export const JOB_WEIGHT = 5_000
const WEIGHT_PER_BYTE = 16

/** Orders that wait for another process travel alone, each holding a connection while it waits. */
const ALONE_AT_ONCE = 6

/**
 * A function that stores an order with its entries, durably, or finds it there before. Most orders are of devices that
 * nobody rented before: they are posted by one statement, which leaves alone those that it knows something of. These
 * follow in a transaction of their own, which locks their devices and runs the ledgers again. One whose devices another
 * process is writing to does not hold up its neighbours there: it waits by itself.
 */
export function createOrders(pool: Pool, limits: SharedLimits): (order: PostedOrder) => Promise<Posted> {
  const shared = { ...limits, tripsMax: TRIPS_MAX, isOfOneJob: isOfOneRow, keysOf, weightOf }
  const postNew = createSharedTrips<PostedOrder, Posted | null>({
    ...shared,
    queue: 'new-orders',
    travel: (orders) => untilUncontended(() => postNewOrders(pool, orders)),
  })
  // Much is computed under way in these, and what goes wrong with one order must not reject its neighbours.
  const isOfOneJob = (error: unknown) => !isUnavailable(error)
  const settle = createSharedTrips<PostedOrder, Posted | null>({
    ...shared,
    queue: 'known-orders',
    isOfOneJob,
    travel: (orders) => settleTrip(pool, orders, lockFree),
  })
  const settleAlone = createSharedTrips<PostedOrder, Posted | null>({
    ...shared,
    queue: 'contended-orders',
    isOfOneJob,
    tripsMax: ALONE_AT_ONCE,
    weightPerTripMax: 0,
    travel: (orders) => settleTrip(pool, orders, lockAll),
  })
  return async (order) => (await postNew(order)) ?? (await settle(order)) ?? (await settleAlone(order))!
}

const settleTrip = (pool: Pool, orders: readonly PostedOrder[], lock: Lock): Promise<readonly (Posted | null)[]> =>
  untilUncontended(() => inTransaction(pool, (connection) => settleOrders(connection, orders, lock)))

const weightOf = ({ posting }: PostedOrder): number => JOB_WEIGHT + WEIGHT_PER_BYTE * posting.order.items.length

const devicesOf = ({ accountId, posting }: PostedOrder): readonly AccountDevice[] =>
  posting.devices.map(({ serialNumber }) => ({ accountId, serialNumber }))

const identityOfPosted = ({ accountId, posting }: PostedOrder): string => identityOf(accountId, posting.order)

/** Two orders of one identity, or of one device, have to see what the other did. */
const keysOf = (posted: PostedOrder): readonly string[] => [
  identityOfPosted(posted),
  ...devicesOf(posted).map(deviceIdentity),
]

/** An order of which something is known, or nothing but the time. */
interface PostedRow {
  readonly posted_at: Date
  readonly account_id: number | null
  readonly customer_id: string
  readonly order_id: string
}

/** One statement, one commit; null for an order of which something is known. */
async function postNewOrders(pool: Pool, posted: readonly PostedOrder[]): Promise<readonly (Posted | null)[]> {
  const { rows } = await pool.query<PostedRow>({ name: 'post-new', text: POST_NEW, values: newValues(posted) })
  const createdAt = rows[0]!.posted_at
  const known = new Set(
    rows.flatMap(({ account_id, customer_id, order_id }) =>
      account_id === null ? [] : [identityOf(account_id, { customerId: customer_id, orderId: order_id })],
    ),
  )
  return posted.map((order) =>
    known.size > 0 && known.has(identityOfPosted(order))
      ? null
      : { outcome: 'created', createdAt, posting: order.posting },
  )
}

interface Locked {
  /** The orders all of whose devices are locked now. */
  readonly free: readonly PostedOrder[]
  readonly journals: ReadonlyMap<string, Journal>
}
type Lock = (connection: PoolClient, orders: readonly PostedOrder[]) => Promise<Locked>

const lockAll: Lock = async (connection, orders) => ({
  free: orders,
  journals: await lockJournals(connection, orders.flatMap(devicesOf)),
})

/** Leaves out the orders that would have to wait: those with a device that is there, but locked by another process. */
const lockFree: Lock = async (connection, orders) => {
  const locked = await lockDevices(connection, orders.flatMap(devicesOf), 'skip')
  const journals = await findJournals(connection, orders.flatMap(devicesOf))
  const isFree = (identity: string) => locked.has(identity) || !journals.has(identity)
  return { free: orders.filter((order) => devicesOf(order).map(deviceIdentity).every(isFree)), journals }
}

/** Locks the devices, runs their ledgers with the new orders, and writes what that posts; null for those left out. */
async function settleOrders(
  connection: PoolClient,
  posted: readonly PostedOrder[],
  lock: Lock,
): Promise<readonly (Posted | null)[]> {
  const stored = await findOrders(
    connection,
    posted.map(({ accountId, posting }) => ({ accountId, key: posting.order })),
  )
  const unknown = posted.filter((order) => !stored.has(identityOfPosted(order)))
  const { free, journals } = await lock(connection, unknown)
  const postings = new Map<PostedOrder, OrderPosting>()
  for (const order of free) postings.set(order, await order.settle(journalsOf(order, journals)))
  const createdAt = await writeLocked(
    connection,
    [...postings].map(([order, posting]) => writingOf(order.accountId, posting, journalsOf(order, journals))),
  )
  return posted.map((order) => {
    const there = stored.get(identityOfPosted(order))
    if (there) return { outcome: 'there-before', stored: there }
    const posting = postings.get(order)
    return posting ? { outcome: 'created', createdAt, posting } : null
  })
}

function journalsOf(order: PostedOrder, all: ReadonlyMap<string, Journal>): Journals {
  const known = devicesOf(order).map((device) => [device.serialNumber, all.get(deviceIdentity(device))] as const)
  return new Map(known.filter((pair): pair is [string, Journal] => pair[1] !== undefined))
}

/** What an order writes: itself and its entries; and an order that it corrects is amended. */
const writingOf = (accountId: number, { order, devices, entries }: OrderPosting, journals: Journals): Writing => ({
  accountId,
  orders: [order],
  entries: withDevices(entries, devices, journals),
  statuses: amendedBy(entries, order),
})

/** The first of a device's entries bears what was put into it, and the device itself where nothing of it was known. */
export function withDevices(
  entries: readonly NewEntry[],
  devices: readonly StoredDevice[],
  journals: Journals,
): readonly WrittenEntry[] {
  const toCome = new Map(devices.map((device) => [device.serialNumber, device]))
  return entries.map((entry) => {
    const device = toCome.get(entry.serialNumber)
    if (!device) return { entry, putIn: 0n, device: null }
    toCome.delete(entry.serialNumber)
    const known = journals.get(entry.serialNumber)?.device
    return { entry, putIn: device.balance.whole - (known?.balance.whole ?? 0n), device: known ? null : device }
  })
}

/** The orders beside its own that a posting corrects, each once. */
export function amendedBy(
  entries: readonly NewEntry[],
  own: { readonly customerId: string; readonly orderId: string } | null,
): Writing['statuses'] {
  const others = entries.filter(
    ({ customerId, orderId }) => orderId !== '' && (customerId !== own?.customerId || orderId !== own.orderId),
  )
  const byKey = new Map(others.map(({ customerId, orderId }) => [`${customerId}\0${orderId}`, { customerId, orderId }]))
  return [...byKey.values()].map((key) => ({ ...key, status: 'amended' }))
}

/** Writes while the devices are locked, and says when. */
export async function writeLocked(connection: PoolClient, writings: readonly Writing[]): Promise<Date> {
  const { rows } = await connection.query<{ readonly posted_at: Date }>({
    name: 'write-locked',
    text: WRITE_LOCKED,
    values: lockedValues(writings),
  })
  return rows[0]!.posted_at
}
