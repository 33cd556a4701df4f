// Orders and what they post to the journals of their devices: written once, in shared commits.
import type { Pool, PoolClient } from 'pg'
import { isRowError, isUnavailable } from '../connection/database-errors.ts'
import { deviceKey, lockDevices, type AccountDevice } from './journal-reads.ts'
import { findLedgersToPost, lockLedgers } from './journals-to-post.ts'
import { cachedOf, type CachedDevice, type LedgerCache } from './kept-ledgers.ts'
import type { Ledgers } from './load-ledgers.ts'
import { postNew as postAllNew } from './post-new.ts'
import { APPEND_ENTRIES, appendEntriesValues, type LedgerWrite } from './write-locked.ts'
import { applyPosting, withDevices } from './written-entries.ts'
import { findOrders, orderIdentity } from './order-reads.ts'
import type { DeviceLedger, DeviceLedgers, OrderPosting, PostedOrder, StoredOrder } from '../../ledger/records.ts'
import { createBatcher, type CompletedBatch } from '../../concurrency/batcher.ts'
import { inTransaction, retryOnContention } from '../connection/transaction.ts'
import type { QueueLoad } from '../../concurrency/queue-load.ts'

/** Created now, or there before: then with what is stored, so that the two can be compared. */
export type PostResult =
  { readonly outcome: 'created'; readonly createdAt: Date; readonly posting: OrderPosting } | ExistingOrder

export interface ExistingOrder {
  readonly outcome: 'there-before'
  readonly stored: StoredOrder
  /**
   * The journals of its devices as they were known when it was created: where it was the first order of each of them,
   * and the order that was sent names them; null where they are to be read.
   */
  readonly journals: DeviceLedgers | null
}

export interface BatchLimits {
  readonly weightPerTripMax: number
  readonly weightWaitingMax: number
  readonly waiting: QueueLoad
  readonly onTrip?: (trip: CompletedBatch) => void
  readonly senderOf?: () => unknown
}

/** With two, one is prepared while the other commits; more would only leave fewer orders to each flush. */
export const BATCHES_IN_FLIGHT_MAX = 2

/** What any waiting job takes of memory, and what an order takes for each byte of its items, in bytes, as measured. */
export const JOB_BYTES = 5_000
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
  limits: BatchLimits,
  ledgers: Ledgers,
): (order: PostedOrder) => Promise<PostResult> {
  const shared = { ...limits, tripsMax: BATCHES_IN_FLIGHT_MAX, isOfOneJob: isRowError, keysOf, weightOf }
  const postNew = createBatcher<PostedOrder, PostResult | 'copy' | null>({
    ...shared,
    queue: 'new-orders',
    takesCopies: true,
    travel: (orders) => retryOnContention(() => postNewOrders(pool, orders)),
  })
  // Much is computed under way in these, and what goes wrong with one order must not reject its neighbours.
  const isOfOneJob = (error: unknown) => !isUnavailable(error)
  const settle = createBatcher<PostedOrder, PostResult | null>({
    ...shared,
    queue: 'known-orders',
    isOfOneJob,
    travel: (orders) => settleTrip(pool, orders, lockFree, ledgers),
  })
  const settleAlone = createBatcher<PostedOrder, PostResult | null>({
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
): Promise<readonly (PostResult | null)[]> {
  const { posted, kept } = await ledgers.untilLoaded(() =>
    inTransaction(pool, (connection) => settleOrders(connection, orders, lock, ledgers)),
  )
  for (const [identity, device] of kept) ledgers.give(identity, device)
  return posted
}

const weightOf = ({ posting }: PostedOrder): number => JOB_BYTES + WEIGHT_PER_BYTE * posting.order.items.length

const devicesOf = ({ accountId, posting }: PostedOrder): readonly AccountDevice[] =>
  posting.devices.map(({ serialNumber }) => ({ accountId, serialNumber }))

const identityOfPosted = ({ accountId, posting }: PostedOrder): string => orderIdentity(accountId, posting.order)

/** Two orders of one identity, or of one device, have to see what the other did. */
const keysOf = (posted: PostedOrder): readonly string[] => [
  identityOfPosted(posted),
  ...devicesOf(posted).map(deviceKey),
]

/**
 * One statement, one commit, for each order once: of copies that arrived together, the first is sent.
 * @returns null for an order of known devices; 'copy' for one that was created by the first of its copies
 */
async function postNewOrders(
  pool: Pool,
  posted: readonly PostedOrder[],
): Promise<readonly (PostResult | 'copy' | null)[]> {
  const firsts = new Map<string, PostedOrder>()
  const identities = posted.map(identityOfPosted)
  for (const [at, identity] of identities.entries()) if (!firsts.has(identity)) firsts.set(identity, posted[at]!)
  const { time, orders, devices } = await postAllNew(pool, [...firsts.values()])
  return posted.map((order, at) => {
    const stored = orders.get(identities[at]!)
    if (stored) return { outcome: 'there-before', stored, journals: journalsAtCreation(stored, order, devices) }
    const first = firsts.get(identities[at]!)!
    if (devices.size > 0 && devicesOf(first).some((device) => devices.has(deviceKey(device)))) return null
    return order === first ? { outcome: 'created', createdAt: time, posting: order.posting } : 'copy'
  })
}

/** @param devices journals with their first entries alone: all that was known when the order had posted it */
function journalsAtCreation(
  stored: StoredOrder,
  order: PostedOrder,
  devices: ReadonlyMap<string, DeviceLedger>,
): DeviceLedgers | null {
  const journals = journalsOf(order, devices)
  const isFirst = ({ entries: [first] }: DeviceLedger) =>
    first!.customerId === stored.customerId && first!.orderId === stored.orderId
  return journals.size === order.posting.devices.length && [...journals.values()].every(isFirst) ? journals : null
}

interface Locked {
  /** The orders all of whose devices are locked now. */
  readonly free: readonly PostedOrder[]
  readonly journals: ReadonlyMap<string, DeviceLedger>
}
type Lock = (connection: PoolClient, orders: readonly PostedOrder[], ledgers: LedgerCache) => Promise<Locked>

const lockAll: Lock = async (connection, orders, ledgers) => ({
  free: orders,
  journals: await lockLedgers(connection, orders.flatMap(devicesOf), ledgers, null),
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
  const others = wanted.filter((device) => !isTaken(deviceKey(device)))
  const { journals, notKept } = await findLedgersToPost(connection, others, ledgers, null)
  const isLong = new Set(notKept.map(deviceKey))
  const isFree = (identity: string) =>
    !isLong.has(identity) && (locked.has(identity) || !(journals.has(identity) || isTaken(identity)))
  return { free: orders.filter((order) => devicesOf(order).map(deviceKey).every(isFree)), journals }
}

/** Locks the devices, runs their ledgers with the new orders, and writes what that posts; null for those left out. */
async function settleOrders(
  connection: PoolClient,
  posted: readonly PostedOrder[],
  lock: Lock,
  ledgers: LedgerCache,
): Promise<{ readonly posted: readonly (PostResult | null)[]; readonly kept: ReadonlyMap<string, CachedDevice> }> {
  const stored = await findOrders(
    connection,
    posted.map(({ accountId, posting }) => ({ accountId, key: posting.order })),
  )
  const unknown = posted.filter((order) => !stored.has(identityOfPosted(order)))
  const { free, journals } = await lock(connection, unknown, ledgers)
  const postings = new Map<PostedOrder, OrderPosting>()
  for (const order of free) postings.set(order, await order.settle(journalsOf(order, journals)))
  const createdAt = await appendLocked(
    connection,
    [...postings].map(([order, posting]) => writingOf(order.accountId, posting, journalsOf(order, journals))),
  )
  const outcomes = posted.map((order): PostResult | null => {
    const there = stored.get(identityOfPosted(order))
    if (there) return { outcome: 'there-before', stored: there, journals: null }
    const posting = postings.get(order)
    return posting ? { outcome: 'created', createdAt, posting } : null
  })
  const kept = [...postings].flatMap(([{ accountId }, posting]) => cachedOf(accountId, posting, journals, createdAt))
  return { posted: outcomes, kept: new Map(kept) }
}

function journalsOf(order: PostedOrder, all: ReadonlyMap<string, DeviceLedger>): DeviceLedgers {
  const known = devicesOf(order).map((device) => [device.serialNumber, all.get(deviceKey(device))] as const)
  return new Map(known.filter((pair): pair is [string, DeviceLedger] => pair[1] !== undefined))
}

/** What an order writes: itself and its entries; and an order that it corrects is amended. */
const writingOf = (
  accountId: number,
  { order, devices, entries }: OrderPosting,
  journals: DeviceLedgers,
): LedgerWrite => ({
  accountId,
  orders: [order],
  entries: withDevices(entries, devices, journals),
  statuses: applyPosting(entries, order),
})

/** Writes while the devices are locked, and says when. */
export async function appendLocked(connection: PoolClient, writings: readonly LedgerWrite[]): Promise<Date> {
  const { rows } = await connection.query<{ readonly posted_at: Date }>({
    name: 'write-locked',
    text: APPEND_ENTRIES,
    values: appendEntriesValues(writings),
  })
  return rows[0]!.posted_at
}
