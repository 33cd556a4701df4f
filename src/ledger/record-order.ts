// Records orders: inserts new ones in shared statements, and posts those of known devices to their locked ledgers.
import { BATCHES_IN_FLIGHT_MAX, JOB_BYTES, createBatcher, type BatchLimits } from '../concurrency/batcher.ts'
import { orderKey } from '../engine/device-timeline.ts'
import type { Problem } from '../engine/order.ts'
import type { ReferenceData } from '../engine/reference/reference-data.ts'
import { differencesOfOrder } from './idempotency.ts'
import { forgetPosted } from './posted-ledgers.ts'
import { asNextRevision, revisionToCompare, revisionsSinceSent } from './revisions.ts'
import { postingOfKnownDevices, postingOfNewOrder, type ParsedOrder } from './order-posting.ts'
import type { AccountPosting, DeviceLedgers, OrderPosting, StoredOrder } from './records.ts'
import type { InsertResult, OrderStore, OrderTransaction } from './store.ts'
import { ledgerWarningsOf } from './stored-warnings.ts'

/** An order to record, with its posting if all its devices are new. */
export interface OrderToRecord extends AccountPosting {
  readonly order: ParsedOrder
}

export const toRecord = (accountId: number, order: ParsedOrder): OrderToRecord => ({
  accountId,
  order,
  posting: postingOfNewOrder(order),
})

/** Created now, or stored before. Then the stored order is returned, so that the two can be compared. */
export type RecordedOrder =
  | { readonly outcome: 'created'; readonly createdAt: Date; readonly posting: OrderPosting }
  | ExistingOrder
  | RefusedOrder

/** Nothing is stored: the account is strict, and the ledgers of the devices have warnings. */
export interface RefusedOrder {
  readonly outcome: 'refused'
  readonly warnings: readonly Problem[]
}

export interface ExistingOrder {
  readonly outcome: 'already-exists'
  readonly stored: StoredOrder
  /**
   * The ledgers of its devices as known when it was created, if it was the first order of each of them and the order
   * that was sent has the same devices. Null if they have to be read.
   */
  readonly ledgers: DeviceLedgers | null
  /** True if the content of the order was corrected since, and the one that was sent is an earlier one. */
  readonly isCorrected?: boolean
  /** The revision as which the order was sent, before its corrections, if it has several. */
  readonly firstSent?: StoredOrder
}

/** @throws QueueFull, DeadlineExceeded or an error of the database; then nothing is stored, or a retry finds it */
export type RecordOrder = (order: OrderToRecord) => Promise<RecordedOrder>

export function createRecordOrder(
  store: OrderStore,
  limits: BatchLimits,
  referenceDataOf: (releaseId: number) => Promise<ReferenceData>,
): RecordOrder {
  const record: RecordOrder = createOrderRecorder(store, limits, async ({ order, posting }, ledgers) => {
    const decided = await postingOfKnownDevices(order, posting, ledgers, referenceDataOf)
    const warnings = order.isStrict ? ledgerWarningsOf(decided.order) : []
    return warnings.length === 0 ? decided : { outcome: 'refused', warnings }
  })
  return async (order) => {
    const recorded = await record(order)
    if (recorded.outcome !== 'already-exists') return recorded
    const { status } = recorded.stored
    return status === 'reversed' || status === 'corrected' ? recordRevision(store, order, record) : recorded
  }
}

/** An order that was reversed with its import is sent anew: as its next revision. One that was corrected is found. */
async function recordRevision(store: OrderStore, sent: OrderToRecord, record: RecordOrder): Promise<RecordedOrder> {
  const { accountId, order, posting } = sent
  for (;;) {
    const revisions = await store.findRevisions(accountId, posting.order)
    const stored = revisionToCompare(revisions, order.wire)
    const latest = revisions.at(-1)!
    const [firstSent] = revisionsSinceSent(revisions)
    if (stored && firstSent) {
      const isCorrected = differencesOfOrder(latest, order.wire).length > 0
      return { outcome: 'already-exists', stored, ledgers: null, isCorrected, firstSent }
    }
    const wire = asNextRevision(order.wire, latest.orderId)
    const recorded = await record(toRecord(accountId, { ...order, wire }))
    // If not, another request has sent the order anew; it is read again.
    if (recorded.outcome !== 'already-exists') return recorded
  }
}

/** Memory in bytes of an order for each byte of its items, measured. */
const BYTES_PER_ITEM_BYTE = 16

/** Orders that wait for another process run in batches of their own, each holding a connection while it waits. */
const SERIAL_CONCURRENCY_MAX = 6

/**
 * Returns a function that durably stores an order with its entries, or finds it already stored. Most orders have
 * devices that were never rented before: one statement inserts these, and returns the orders that are already stored.
 * Orders with known devices follow in a separate transaction, which locks the devices and runs their ledgers again. An
 * order whose devices another process is writing to does not delay the others in that batch: it waits in its own batch.
 * @param decide computes the posting from the ledgers of the known devices, which are locked
 */
export function createOrderRecorder<Order extends AccountPosting>(
  store: OrderStore,
  limits: BatchLimits,
  decide: Decide<Order>,
): (order: Order) => Promise<RecordedOrder> {
  const shared = { ...limits, concurrencyMax: BATCHES_IN_FLIGHT_MAX, keysOf, bytesOf }
  const insertNew = createBatcher<Order, RecordedOrder | 'copy' | null>({
    ...shared,
    queue: 'insert-orders',
    isJobError: store.isRowError,
    takesCopies: true,
    executeBatch: (orders) => insertEachOnce(store, orders),
  })
  const post = (orders: readonly Order[], lock: Lock) =>
    store.inTransaction((transaction) => postLocked(transaction, orders, lock, decide))
  // These batches compute a lot, and an error in one order must not reject the others.
  const isJobError = (error: unknown) => !store.isUnavailable(error)
  const postToFree = createBatcher<Order, RecordedOrder | null>({
    ...shared,
    queue: 'post-orders',
    isJobError,
    executeBatch: (orders) => post(orders, (transaction, unknown) => transaction.lockFreeLedgers(unknown)),
  })
  const postSerially = createBatcher<Order, RecordedOrder | null>({
    ...shared,
    queue: 'post-orders-serial',
    isJobError,
    concurrencyMax: SERIAL_CONCURRENCY_MAX,
    batchBytesMax: 0,
    executeBatch: (orders) => post(orders, (transaction, unknown) => transaction.lockLedgers(unknown)),
  })
  return async (order) => {
    let recorded = await insertNew(order)
    // This statement created an order with the same identity; the next one finds it.
    while (recorded === 'copy') recorded = await insertNew(order)
    return recorded ?? (await postToFree(order)) ?? (await postSerially(order))!
  }
}

type Decide<Order> = (order: Order, ledgers: DeviceLedgers) => Promise<OrderPosting | RefusedOrder>
type Lock = (
  transaction: OrderTransaction,
  orders: readonly AccountPosting[],
) => Promise<readonly (DeviceLedgers | null)[]>

const bytesOf = ({ posting }: AccountPosting): number => JOB_BYTES + BYTES_PER_ITEM_BYTE * posting.order.items.length

const identityOf = ({ accountId, posting }: AccountPosting): string => `${accountId}\0${orderKey(posting.order)}`

/** Orders with the same identity, or with a common device, have to see each other's result. */
const keysOf = (order: AccountPosting): readonly string[] => [
  identityOf(order),
  ...order.posting.devices.map(({ serialNumber }) => `${order.accountId}\0${serialNumber}`),
]

/**
 * One statement and one commit. Of orders with the same identity in a batch, only the first is sent.
 * @returns null for an order with known devices; 'copy' for an order whose first copy was created
 */
async function insertEachOnce(
  store: OrderStore,
  orders: readonly AccountPosting[],
): Promise<readonly (RecordedOrder | 'copy' | null)[]> {
  const identities = orders.map(identityOf)
  const firsts = new Map<string, AccountPosting>()
  for (const [at, identity] of identities.entries()) if (!firsts.has(identity)) firsts.set(identity, orders[at]!)
  const inserted = await store.insertNew([...firsts.values()])
  const results = new Map([...firsts.keys()].map((identity, at) => [identity, inserted[at]!]))
  return orders.map((order, at) => {
    const result = results.get(identities[at]!)!
    if (result.outcome === 'known-devices') return null
    if (result.outcome === 'already-exists') return existingOrder(order, result)
    return order === firsts.get(identities[at]!) ? { ...result, posting: order.posting } : 'copy'
  })
}

function existingOrder(
  { posting: { devices } }: AccountPosting,
  { stored, firstEntries }: InsertResult & { readonly outcome: 'already-exists' },
): ExistingOrder {
  const isOfOrder = (serialNumber: string) => {
    const first = firstEntries.get(serialNumber)?.entries[0]
    return first !== undefined && orderKey(first) === orderKey(stored)
  }
  const isComplete =
    devices.length === firstEntries.size && devices.every(({ serialNumber }) => isOfOrder(serialNumber))
  return { outcome: 'already-exists', stored, ledgers: isComplete ? firstEntries : null }
}

/** Locks the devices, runs their ledgers with the new orders, and stores the postings; null for an order left out. */
async function postLocked<Order extends AccountPosting>(
  transaction: OrderTransaction,
  orders: readonly Order[],
  lock: Lock,
  decide: Decide<Order>,
): Promise<readonly (RecordedOrder | null)[]> {
  const stored = await transaction.findOrders(orders)
  const unknown = orders.filter((_, at) => !stored[at])
  const ledgers = await lock(transaction, unknown)
  const postings = new Map<Order, OrderPosting>()
  const refused = new Map<Order, RefusedOrder>()
  for (const [at, order] of unknown.entries()) {
    if (!ledgers[at]) continue
    const decided = await decide(order, ledgers[at])
    if (!('outcome' in decided)) postings.set(order, decided)
    else {
      refused.set(order, decided)
      forgetPosted(ledgers[at])
    }
  }
  const createdAt = await transaction.append([...postings].map(([{ accountId }, posting]) => ({ accountId, posting })))
  return orders.map((order, at): RecordedOrder | null => {
    const existing = stored[at]
    if (existing) return { outcome: 'already-exists', stored: existing, ledgers: null }
    const posting = postings.get(order)
    if (refused.has(order)) return refused.get(order)!
    return posting ? { outcome: 'created', createdAt, posting } : null
  })
}
