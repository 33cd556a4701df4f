// Orders and what they post to the journals of their devices: written once, in shared commits.
import type { Pool, PoolClient } from 'pg'
import { isOfOneRow, isUnavailable } from './database-errors.ts'
import { deviceIdentity, lockJournals, type AccountDevice } from './journal-reads.ts'
import { POST_NEW, newValues } from './post-new.ts'
import { WRITE_LOCKED, lockedValues, type Writing } from './write-locked.ts'
import { findOrders, identityOf } from './order-reads.ts'
import type { Journal, Journals, OrderPosting, PostedOrder, StoredDevice, StoredOrder } from './order-record.ts'
import { createSharedTrips } from './shared-trips.ts'
import { inTransaction, untilUncontended } from './transaction.ts'

/** Created now, or there before: then with what is stored, so that the two can be compared. */
export type Posted =
  | { readonly outcome: 'created'; readonly createdAt: Date; readonly posting: OrderPosting }
  | { readonly outcome: 'there-before'; readonly stored: StoredOrder }

export interface SharedLimits {
  readonly weightPerTripMax: number
  readonly weightWaitingMax: number
}

/** With two, one is prepared while the other commits; more would only leave fewer orders to each flush. */
export const TRIPS_MAX = 2

/** What any waiting job takes of memory, and what an order takes for each byte of its items, in bytes, as measured. */
export const JOB_WEIGHT = 5_000
const WEIGHT_PER_BYTE = 10

/**
 * A function that stores an order with its entries, durably, or finds it there before. Most orders are of devices that
 * nobody rented before: they are posted by one statement, which leaves alone those that it knows something of. These
 * follow in a transaction of their own, which locks their devices and runs the ledgers again.
 */
export function createOrders(pool: Pool, limits: SharedLimits): (order: PostedOrder) => Promise<Posted> {
  const shared = { ...limits, tripsMax: TRIPS_MAX, isOfOneJob: isOfOneRow, keysOf, weightOf }
  const postNew = createSharedTrips<PostedOrder, Posted | null>({
    ...shared,
    travel: (orders) => untilUncontended(() => postNewOrders(pool, orders)),
  })
  const settle = createSharedTrips<PostedOrder, Posted>({
    ...shared,
    // Much is computed under way here, and what goes wrong with one order must not reject its neighbours.
    isOfOneJob: (error) => !isUnavailable(error),
    travel: (orders) => untilUncontended(() => inTransaction(pool, (connection) => settleOrders(connection, orders))),
  })
  return async (order) => (await postNew(order)) ?? settle(order)
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

/** Locks the devices, runs their ledgers with the new orders, and writes what that posts. */
async function settleOrders(connection: PoolClient, posted: readonly PostedOrder[]): Promise<readonly Posted[]> {
  const stored = await findOrders(
    connection,
    posted.map(({ accountId, posting }) => ({ accountId, key: posting.order })),
  )
  const unknown = posted.filter((order) => !stored.has(identityOfPosted(order)))
  const journals = await lockJournals(connection, unknown.flatMap(devicesOf))
  const postings = new Map<PostedOrder, OrderPosting>()
  for (const order of unknown) postings.set(order, await order.settle(journalsOf(order, journals)))
  const createdAt = await writeLocked(
    connection,
    [...postings].map(([order, posting]) => writingOf(order.accountId, posting, journalsOf(order, journals))),
  )
  return posted.map((order) => {
    const posting = postings.get(order)
    if (posting) return { outcome: 'created', createdAt, posting }
    return { outcome: 'there-before', stored: stored.get(identityOfPosted(order))! }
  })
}

function journalsOf(order: PostedOrder, all: ReadonlyMap<string, Journal>): Journals {
  const known = devicesOf(order).map((device) => [device.serialNumber, all.get(deviceIdentity(device))] as const)
  return new Map(known.filter((pair): pair is [string, Journal] => pair[1] !== undefined))
}

/** What an order writes: itself, its devices, its entries; and an order that it corrects is amended. */
const writingOf = (accountId: number, { order, devices, entries }: OrderPosting, journals: Journals): Writing => ({
  accountId,
  orders: [order],
  ...partDevices(devices, journals),
  entries,
  statuses: amendedBy(entries, order),
})

export const partDevices = (devices: readonly StoredDevice[], journals: Journals) => ({
  newDevices: devices.filter(({ serialNumber }) => !journals.has(serialNumber)),
  knownDevices: devices.filter(({ serialNumber }) => journals.has(serialNumber)),
})

/** The orders beside its own that a posting corrects, each once. */
export function amendedBy(
  entries: Writing['entries'],
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
