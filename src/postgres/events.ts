// Transactions for events on the ledgers of an order or a device: they lock what the decision depends on, and store the
// event.
import type { Pool, PoolClient } from 'pg'
import type { OrderKey } from '../engine/device-timeline.ts'
import { revisionSuffixOf } from '../engine/order-revision.ts'
import { ConcurrentModification, isRowError } from './errors.ts'
import {
  appendLocked,
  identifiedIn,
  statusesOfOtherOrders,
  deviceKey,
  findOrderEntries,
  findShortLedgers,
  withDevices,
} from './entries.ts'
import { lockLedgers } from './ledgers-to-post.ts'
import { findFootprints } from './long-ledgers.ts'
import { findSimilarSerials } from './similar-serials.ts'
import { cachedOf, createLedgerCache, type LedgerCache } from './ledger-cache.ts'
import { findPostedEmissions, findPostingTime } from './event-preview.ts'
import type { RunLedgerTransaction } from './ledger-transactions.ts'
import {
  addEvent,
  findCurrentOrder,
  setStatus,
  findEvents,
  findEventsOfOrder,
  findOrders,
  orderIdentity,
} from './order-reads.ts'
import type { DeviceLedger, DeviceLedgers, PostingTime, RevisionPosting } from '../ledger/records.ts'
import type { EventStore, LedgerTransaction, OnSnapshot } from '../ledger/store.ts'
import { inTransaction, READ_ONLY_SNAPSHOT } from './transaction.ts'
import { JOB_BYTES, createBatcher, type BatchLimits } from '../concurrency/batcher.ts'

/** Events on different devices run concurrently; each holds a connection while it runs. */
const EVENTS_AT_ONCE = 6

interface Job {
  readonly accountId: number
  /** Jobs with the same key run one after the other. */
  readonly key: string
  readonly work: (transaction: LedgerTransaction) => Promise<unknown>
}

export function createEventStore(limits: BatchLimits, runTransaction: RunLedgerTransaction): EventStore {
  const queueOf = (queue: string) =>
    createBatcher<Job, unknown>({
      ...limits,
      queue,
      concurrencyMax: EVENTS_AT_ONCE,
      isJobError: isRowError,
      bytesOf: () => JOB_BYTES,
      // Each job runs alone, in its own transaction.
      batchBytesMax: 0,
      keysOf: ({ key }) => [key],
      executeBatch: async ([job]) => [
        await runTransaction((connection, cache) => job!.work(ledgerTransaction(connection, job!.accountId, cache))),
      ],
    })
  const [ofOrders, ofDevices] = [queueOf('order-events'), queueOf('device-events')]
  return {
    // The queue returns the result of this call's `work`.
    onOrder: <Result>(accountId: number, order: OrderKey, work: (transaction: LedgerTransaction) => Promise<Result>) =>
      ofOrders({ accountId, key: orderIdentity(accountId, order), work }) as Promise<Result>,
    onDevice: <Result>(accountId: number, serialNumber: string, work: (one: LedgerTransaction) => Promise<Result>) =>
      ofDevices({ accountId, key: deviceKey({ accountId, serialNumber }), work }) as Promise<Result>,
  }
}

/** Of a long ledger, a transaction on a snapshot reads LONG_LEDGER + 1 entries. */
export const createOnSnapshot =
  (pool: Pool): OnSnapshot =>
  (accountId, work) =>
    inTransaction(
      pool,
      (connection) =>
        work({
          ...ledgerTransaction(connection, accountId, NO_CACHE),
          lockLedgers: async (serialNumbers) => {
            const devices = serialNumbers.map((serialNumber) => ({ accountId, serialNumber }))
            return groupBySerialNumber(await findShortLedgers(connection, devices))
          },
          lockOrder: () => Promise.resolve(true),
        }),
      READ_ONLY_SNAPSHOT,
    )

const NO_CACHE = createLedgerCache(0)

function ledgerTransaction(connection: PoolClient, accountId: number, cache: LedgerCache): LedgerTransaction {
  let locked: ReadonlyMap<string, DeviceLedger> = new Map()
  return {
    findOrder: async (key) => {
      const order = await findCurrentOrder(connection, { accountId, key })
      return order && { order, events: await findEventsOfOrder(connection, { accountId, key: order }) }
    },
    findOrders: async (keys) => {
      const orders = await findOrders(
        connection,
        keys.map((key) => ({ accountId, key })),
      )
      return [...orders.values()]
    },
    findEvents: (order, eventId) => findEvents(connection, accountId, order, eventId),
    findOrderEntries: (key) => findOrderEntries(connection, { accountId, key }),
    lockLedgers: async (serialNumbers, own) => {
      const devices = serialNumbers.map((serialNumber) => ({ accountId, serialNumber }))
      locked = await lockLedgers(connection, devices, cache, own)
      return groupBySerialNumber(locked)
    },
    findFootprints: (serialNumber) => findFootprints(connection, { accountId, serialNumber }),
    lockOrder: async ({ customerId, orderId }) => {
      const { rowCount } = await connection.query(
        'select 1 from orders where account_id = $1 and customer_id = $2 and order_id = $3 for update',
        [accountId, customerId, orderId],
      )
      return rowCount === 1
    },
    findPostedEmissions: (keys) => findPostedEmissions(connection, accountId, keys),
    findSimilarSerials: (serialNumbers) => findSimilarSerials(connection, accountId, serialNumbers),
    findPostingTime: () => findPostingTime(connection, accountId),
    restart: () => {
      throw new ConcurrentModification()
    },
    append: async ({ devices, entries, status, serialNumber, identified, identifications = [] }, event) => {
      const { order } = event
      const statuses = statusesOfOtherOrders(entries, order)
      const { times } = await appendLocked(connection, [
        {
          accountId,
          orders: [],
          entries: withDevices(entries, devices, groupBySerialNumber(locked), identified),
          statuses: status === null || order === null ? statuses : [...statuses, { ...order, status }],
        },
      ])
      const time = times.get(accountId)!
      await addEvent(connection, accountId, { ...event, serialNumber, postedAt: time.postedAt })
      for (const one of identifications) await addEvent(connection, accountId, { ...one, postedAt: time.postedAt })
      // A long ledger of a device that was identified is read again: all of its figures are others.
      if (identified) return time
      for (const [identity, device] of cachedOf(accountId, { devices, entries }, locked, time))
        cache.give(identity, device)
      return time
    },
    appendRevision: async (revision) => {
      const time = await appendRevision(connection, accountId, revision, locked)
      for (const [identity, device] of cachedOf(accountId, revision, locked, time)) cache.give(identity, device)
    },
  }
}

/** The revision that is corrected, and the next one with its entries and the events of the order. */
async function appendRevision(
  connection: PoolClient,
  accountId: number,
  { event, order, status, events, devices, entries, identifications }: RevisionPosting,
  locked: ReadonlyMap<string, DeviceLedger>,
): Promise<PostingTime> {
  const corrected = event.order!
  const others = statusesOfOtherOrders(entries, corrected).filter(
    ({ customerId, orderId }) => customerId !== order.customerId || orderId !== order.orderId,
  )
  const { times } = await appendLocked(connection, [
    {
      accountId,
      orders: [order],
      entries: withDevices(entries, devices, groupBySerialNumber(locked), identifiedIn(identifications)),
      statuses: [...others, { ...corrected, status: 'corrected' }],
    },
  ])
  const time = times.get(accountId)!
  await setStatus(connection, accountId, order, status)
  await addEvent(connection, accountId, { ...event, postedAt: time.postedAt })
  for (const one of identifications) await addEvent(connection, accountId, { ...one, postedAt: time.postedAt })
  for (const earlier of events)
    await addEvent(connection, accountId, { ...earlier, order }, revisionSuffixOf(order.orderId))
  return time
}

export const groupBySerialNumber = (ledgers: ReadonlyMap<string, DeviceLedger>): DeviceLedgers =>
  new Map([...ledgers.values()].map((ledger) => [ledger.device.serialNumber, ledger]))
