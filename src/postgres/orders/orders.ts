// Orders and what they post to the journals of their devices: written once, in shared commits.
import type { Pool, PoolClient } from 'pg'
import { isOfOneRow, isUnavailable } from '../connection/database-errors.ts'
import { deviceIdentity, lockDevices, type AccountDevice } from './journal-reads.ts'
import { findJournalsToPost, lockJournals } from './journals-to-post.ts'
import { keptOf, type KeptDevice, type KeptLedgers } from './kept-ledgers.ts'
import type { Ledgers } from './load-ledgers.ts'
import { postNew as postAllNew } from './post-new.ts'
import { WRITE_LOCKED, lockedValues, type Writing } from './write-locked.ts'
import { amendedBy, withDevices } from './written-entries.ts'
import { findOrders, identityOf } from './order-reads.ts'
import type { Journal, Journals, OrderPosting, PostedOrder, StoredOrder } from './order-record.ts'
import { createSharedTrips, type Trip } from '../connection/shared-trips.ts'
import { inTransaction, untilUncontended } from '../connection/transaction.ts'
import type { Waiting } from '../connection/waiting.ts'

/** Created now, or there before: then with what is stored, so that the two can be compared. */
export type Posted =
  { readonly outcome: 'created'; readonly createdAt: Date; readonly posting: OrderPosting } | ThereBefore

export interface ThereBefore {
  readonly outcome: 'there-before'
  readonly stored: StoredOrder
  /**
   * The journals of its devices as they were known when it was created: where it was the first order of each of them,
   * and the order that was sent names them; null where they are to be read.
   */
  readonly journals: Journals | null
}

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
 * nobody rented before: they are posted by one statement, which returns those that are stored already. Orders of known
 * devices follow in a transaction of their own, which locks their devices and runs the ledgers again. One whose devices
 * another process is writing to does not hold up its neighbours there: it waits by itself.
 */
export function createOrders(
  pool: Pool,
  limits: SharedLimits,
  ledgers: Ledgers,
): (order: PostedOrder) => Promise<Posted> {
  const shared = { ...limits, tripsMax: TRIPS_MAX, isOfOneJob: isOfOneRow, keysOf, weightOf }
  const postNew = createSharedTrips<PostedOrder, Posted | 'copy' | null>({
    ...shared,
    queue: 'new-orders',
    takesCopies: true,
    travel: (orders) => untilUncontended(() => postNewOrders(pool, orders)),
  })
  // Much is computed under way in these, and what goes wrong with one order must not reject its neighbours.
  const isOfOneJob = (error: unknown) => !isUnavailable(error)
  const settle = createSharedTrips<PostedOrder, Posted | null>({
    ...shared,
    queue: 'known-orders',
    isOfOneJob,
    travel: (orders) => settleTrip(pool, orders, lockFree, ledgers),
  })
  const settleAlone = createSharedTrips<PostedOrder, Posted | null>({
    ...shared,
    queue: 'contended-orders',
    isOfOneJob,
    tripsMax: ALONE_AT_ONCE,
    weightPerTripMax: 0,
    travel: (orders) => settleTrip(pool, orders, lockAll, ledgers),
  })
  return async (order) => {
    let posted = await postNew(order)
    // Of an order that was created with this statement: the next one finds it.
    while (posted === 'copy') posted = await postNew(order)
    return posted ?? (await settle(order)) ?? (await settleAlone(order))!
  }
}

async function settleTrip(
  pool: Pool,
  orders: readonly PostedOrder[],
  lock: Lock,
  ledgers: Ledgers,
): Promise<readonly (Posted | null)[]> {
  const { posted, kept } = await ledgers.untilLoaded(() =>
    inTransaction(pool, (connection) => settleOrders(connection, orders, lock, ledgers)),
  )
  for (const [identity, device] of kept) ledgers.give(identity, device)
  return posted
}

const weightOf = ({ posting }: PostedOrder): number => JOB_WEIGHT + WEIGHT_PER_BYTE * posting.order.items.length

const devicesOf = ({ accountId, posting }: PostedOrder): readonly AccountDevice[] =>
  posting.devices.map(({ serialNumber }) => ({ accountId, serialNumber }))

const identityOfPosted = ({ accountId, posting }: PostedOrder): string => identityOf(accountId, posting.order)

/** Two orders of one identity, or of one device, have to see what the other did. */
const keysOf = (posted: PostedOrder): readonly string[] => [
  identityOfPosted(posted),
  ...devicesOf(posted).map(deviceIdentity),
]

/**
 * One statement, one commit, for each order once: of copies that arrived together, the first is sent.
 * @returns null for an order of known devices; 'copy' for one that was created by the first of its copies
 */
async function postNewOrders(pool: Pool, posted: readonly PostedOrder[]): Promise<readonly (Posted | 'copy' | null)[]> {
  const firsts = new Map<string, PostedOrder>()
  const identities = posted.map(identityOfPosted)
  for (const [at, identity] of identities.entries()) if (!firsts.has(identity)) firsts.set(identity, posted[at]!)
  const { time, orders, devices } = await postAllNew(pool, [...firsts.values()])
  return posted.map((order, at) => {
    const stored = orders.get(identities[at]!)
    if (stored) return { outcome: 'there-before', stored, journals: journalsAtCreation(stored, order, devices) }
    const first = firsts.get(identities[at]!)!
    if (devices.size > 0 && devicesOf(first).some((device) => devices.has(deviceIdentity(device)))) return null
    return order === first ? { outcome: 'created', createdAt: time, posting: order.posting } : 'copy'
  })
}

/** @param devices journals with their first entries alone: all that was known when the order had posted it */
function journalsAtCreation(
  stored: StoredOrder,
  order: PostedOrder,
  devices: ReadonlyMap<string, Journal>,
): Journals | null {
  const journals = journalsOf(order, devices)
  const isFirst = ({ entries: [first] }: Journal) =>
    first!.customerId === stored.customerId && first!.orderId === stored.orderId
  return journals.size === order.posting.devices.length && [...journals.values()].every(isFirst) ? journals : null
}

interface Locked {
  /** The orders all of whose devices are locked now. */
  readonly free: readonly PostedOrder[]
  readonly journals: ReadonlyMap<string, Journal>
}
type Lock = (connection: PoolClient, orders: readonly PostedOrder[], ledgers: KeptLedgers) => Promise<Locked>

const lockAll: Lock = async (connection, orders, ledgers) => ({
  free: orders,
  journals: await lockJournals(connection, orders.flatMap(devicesOf), ledgers, null),
})

/**
 * Leaves out the orders that would have to wait: those with a device that is there, but locked by another process, or
 * whose ledger is to be loaded first.
 */
const lockFree: Lock = async (connection, orders, ledgers) => {
  const wanted = orders.flatMap(devicesOf)
  const locked = await lockDevices(connection, wanted, 'skip')
  // One whose ledger is kept is there: it need not be read to know that.
  const isTaken = (identity: string) => !locked.has(identity) && ledgers.has(identity)
  const others = wanted.filter((device) => !isTaken(deviceIdentity(device)))
  const { journals, notKept } = await findJournalsToPost(connection, others, ledgers, null)
  const isLong = new Set(notKept.map(deviceIdentity))
  const isFree = (identity: string) =>
    !isLong.has(identity) && (locked.has(identity) || !(journals.has(identity) || isTaken(identity)))
  return { free: orders.filter((order) => devicesOf(order).map(deviceIdentity).every(isFree)), journals }
}

/** Locks the devices, runs their ledgers with the new orders, and writes what that posts; null for those left out. */
async function settleOrders(
  connection: PoolClient,
  posted: readonly PostedOrder[],
  lock: Lock,
  ledgers: KeptLedgers,
): Promise<{ readonly posted: readonly (Posted | null)[]; readonly kept: ReadonlyMap<string, KeptDevice> }> {
  const stored = await findOrders(
    connection,
    posted.map(({ accountId, posting }) => ({ accountId, key: posting.order })),
  )
  const unknown = posted.filter((order) => !stored.has(identityOfPosted(order)))
  const { free, journals } = await lock(connection, unknown, ledgers)
  const postings = new Map<PostedOrder, OrderPosting>()
  for (const order of free) postings.set(order, await order.settle(journalsOf(order, journals)))
  const createdAt = await writeLocked(
    connection,
    [...postings].map(([order, posting]) => writingOf(order.accountId, posting, journalsOf(order, journals))),
  )
  const outcomes = posted.map((order): Posted | null => {
    const there = stored.get(identityOfPosted(order))
    if (there) return { outcome: 'there-before', stored: there, journals: null }
    const posting = postings.get(order)
    return posting ? { outcome: 'created', createdAt, posting } : null
  })
  const kept = [...postings].flatMap(([{ accountId }, posting]) => keptOf(accountId, posting, journals, createdAt))
  return { posted: outcomes, kept: new Map(kept) }
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

/** Writes while the devices are locked, and says when. */
export async function writeLocked(connection: PoolClient, writings: readonly Writing[]): Promise<Date> {
  const { rows } = await connection.query<{ readonly posted_at: Date }>({
    name: 'write-locked',
    text: WRITE_LOCKED,
    values: lockedValues(writings),
  })
  return rows[0]!.posted_at
}
