// Transactions for events on the ledgers of an order or a device: they lock what the decision depends on, and store the
// event.
import type { Pool, PoolClient } from 'pg'
import { isDecommissioning } from '../engine/device-event-types.ts'
import { orderKey, type OrderKey } from '../engine/device-timeline.ts'
import { deviceNotice, orderNotice, type FeedNotice } from '../engine/feed-events.ts'
import { eventIdOf, revisionSuffixOf } from '../engine/order-revision.ts'
import { ConcurrentModification, isRowError } from './errors.ts'
import {
  appendLocked,
  identifiedIn,
  noticesOfOthers,
  statusesOfOtherOrders,
  deviceKey,
  findOrderEntries,
  type NewStatus,
  findShortLedgers,
  withDevices,
} from './entries.ts'
import { lockLedgers } from './ledgers-to-post.ts'
import { findFootprints, findLongLedgers } from './long-ledgers.ts'
import { findSimilarSerials } from './similar-serials.ts'
import { cachedOf, createLedgerCache, type LedgerCache } from './ledger-cache.ts'
import { findPostedEmissions, findPostingTime } from './event-preview.ts'
import type { RunLedgerTransaction } from './ledger-transactions.ts'
import {
  addEvents,
  findCurrentOrder,
  findCurrentOrders,
  setStatuses,
  findEvents,
  findEventsOfOrder,
  findEventsOfOrders,
  findOrders,
  lockOrders,
  orderIdentity,
} from './order-reads.ts'
import { findReplacedRevisions } from './replaced-revisions.ts'
import type { OrderStatus } from '../engine/order.ts'
import type { DeviceLedger, DeviceLedgers, PostingTime, NewEvent, RevisionPosting } from '../ledger/records.ts'
import type { DecidedRevision, EventStore, LedgerTransaction, OnSnapshot } from '../ledger/store.ts'
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
          lockOrders: (keys) => Promise.resolve(new Set(keys.map(orderKey))),
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
    findCurrentOrders: (keys) => findCurrentOrders(connection, accountId, keys),
    findEventsOfOrders: async (keys) => {
      const found = await findEventsOfOrders(connection, accountId, keys)
      return new Map([...found.values()].map((events) => [orderKey(events[0]!.order!), events]))
    },
    findReplacedRevisions: (orders, restatementId) =>
      findReplacedRevisions(connection, accountId, orders, restatementId),
    findEvents: (order, eventId) => findEvents(connection, accountId, order, eventId),
    findOrderEntries: (key) => findOrderEntries(connection, { accountId, key }),
    lockLedgers: async (serialNumbers, own) => {
      const devices = serialNumbers.map((serialNumber) => ({ accountId, serialNumber }))
      locked = await lockLedgers(connection, devices, cache, own)
      return groupBySerialNumber(locked)
    },
    findFootprints: (serialNumber) => findFootprints(connection, { accountId, serialNumber }),
    findLongLedgers: (serialNumbers) => findLongLedgers(connection, accountId, serialNumbers),
    lockOrder: async (key) => (await lockOrders(connection, accountId, [key])).has(orderKey(key)),
    lockOrders: (keys) => lockOrders(connection, accountId, keys),
    findPostedEmissions: (keys) => findPostedEmissions(connection, accountId, keys),
    findSimilarSerials: (serialNumbers) => findSimilarSerials(connection, accountId, serialNumbers),
    findPostingTime: () => findPostingTime(connection, accountId),
    restart: () => {
      throw new ConcurrentModification()
    },
    append: async ({ devices, entries, status, serialNumber, identified, identifications = [] }, event) => {
      const { order } = event
      const statuses = statusesOfOtherOrders(entries, order)
      const cause = { eventId: eventIdOf(event.eventId), order, serialNumber: order === null ? serialNumber : null }
      const { times } = await appendLocked(connection, [
        {
          accountId,
          orders: [],
          entries: withDevices(entries, devices, groupBySerialNumber(locked), identified),
          statuses: status === null || order === null ? statuses : [...statuses, { ...order, status }],
          notices: [...noticesOfEvent(event, serialNumber), ...noticesOfOthers(statuses, cause)],
        },
      ])
      const time = times.get(accountId)!
      const { postedAt } = time
      await addEvents(connection, accountId, [
        { ...event, serialNumber, postedAt },
        ...identifications.map((one) => ({ ...one, postedAt })),
      ])
      // A long ledger of a device that was identified is read again: all of its figures are others.
      if (identified) return time
      for (const [identity, device] of cachedOf(accountId, { devices, entries }, locked, time))
        cache.give(identity, device)
      return time
    },
    appendRevisions: async (revisions) => {
      const time = await appendRevisions(connection, accountId, revisions)
      for (const { revision } of revisions)
        for (const [identity, device] of cachedOf(accountId, revision, locked, time)) cache.give(identity, device)
    },
  }
}

/** The revisions that are corrected, and the next ones with their entries and the events of the orders. */
async function appendRevisions(
  connection: PoolClient,
  accountId: number,
  revisions: readonly DecidedRevision[],
): Promise<PostingTime> {
  const { corrected, next } = statusesAfter(revisions.map(({ revision }) => revision))
  const own = new Set(revisions.flatMap(({ revision: { event, order } }) => [event.order!, order].map(orderKey)))
  const isOther = (one: OrderKey) => !own.has(orderKey(one))
  const { times } = await appendLocked(connection, [
    {
      accountId,
      orders: revisions.map(({ revision: { order } }) => order),
      entries: revisions.flatMap(({ revision: { entries, devices, identifications }, ledgers }) =>
        withDevices(entries, devices, ledgers, identifiedIn(identifications)),
      ),
      statuses: corrected,
      notices: revisions.flatMap(({ revision: { event, order, entries } }) => [
        noticeOfRevision(event, order),
        ...noticesOfOthers(statusesOfOtherOrders(entries, order).filter(isOther), {
          eventId: eventIdOf(event.eventId),
          order,
        }),
      ]),
    },
  ])
  const time = times.get(accountId)!
  const { postedAt } = time
  await setStatuses(connection, accountId, next)
  await addEvents(
    connection,
    accountId,
    revisions.flatMap(({ revision: { event, order, identifications, events } }) => [
      ...[event, ...identifications].map((one) => ({ ...one, postedAt })),
      ...events.map((one) => ({ ...one, eventId: `${one.eventId}${revisionSuffixOf(order.orderId)}`, order })),
    ]),
  )
  return time
}

/** What the feed says of an event itself: its order changed, or it ended the life of its device. */
function noticesOfEvent(event: NewEvent, serialNumber: string | null): readonly FeedNotice[] {
  const eventId = eventIdOf(event.eventId)
  if (event.order !== null) return [orderNotice('order.changed', event.order, { eventId })]
  const told = JSON.parse(event.content) as { readonly type: string }
  return isDecommissioning(told) ? [deviceNotice(serialNumber!, eventId, told.type)] : []
}

function noticeOfRevision(event: NewEvent, order: OrderKey): FeedNotice {
  const { restatement_id: restatementId } = JSON.parse(event.content) as { readonly restatement_id?: number }
  const type = restatementId === undefined ? 'order.corrected' : 'order.restated'
  return orderNotice(type, order, { eventId: eventIdOf(event.eventId) })
}

/** A later revision may correct an order of which the next revision is stored with it. */
function statusesAfter(revisions: readonly RevisionPosting[]) {
  const corrected = new Map<string, NewStatus>()
  const next = new Map<string, OrderKey & { readonly status: OrderStatus }>()
  for (const { event, order, status, entries } of revisions) {
    const { customerId, orderId } = order
    for (const other of statusesOfOtherOrders(entries, order)) {
      const key = orderKey(other)
      const known = next.get(key)
      if (known?.status === 'created') next.set(key, { ...known, status: 'amended' })
      else if (!known && !corrected.has(key)) corrected.set(key, other)
    }
    const before = event.order!
    corrected.set(orderKey(before), { ...before, status: 'corrected' })
    next.set(orderKey(order), { customerId, orderId, status })
  }
  return {
    corrected: [...corrected.values()],
    next: [...next.values()].filter(({ status }) => status !== 'created'),
  }
}

export const groupBySerialNumber = (ledgers: ReadonlyMap<string, DeviceLedger>): DeviceLedgers =>
  new Map([...ledgers.values()].map((ledger) => [ledger.device.serialNumber, ledger]))
