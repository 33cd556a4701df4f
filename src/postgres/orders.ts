// Transactions that post orders: they lock the devices of the orders, read their ledgers, and append.
import type { Pool, PoolClient } from 'pg'
import { createdNotice } from '../engine/feed-events.ts'
import type { AccountPosting, DeviceLedger } from '../ledger/records.ts'
import type { OrderStore, OrderTransaction } from '../ledger/store.ts'
import {
  appendLocked,
  deviceKey,
  devicesOf,
  identifiedIn,
  ledgersOf,
  lockDevices,
  noticesOfOthers,
  statusesOfOtherOrders,
  withDevices,
  type LedgerWrite,
} from './entries.ts'
import { isRowError, isUnavailable } from './errors.ts'
import { insertNewOrders } from './insert-orders.ts'
import { cachedOf, type LedgerCache } from './ledger-cache.ts'
import { findLedgersToPost, lockLedgers } from './ledgers-to-post.ts'
import type { RunLedgerTransaction } from './ledger-transactions.ts'
import { addEvents, findOrders, findRevisions, orderIdentity } from './order-reads.ts'
import { retryOnContention, type Connection } from './transaction.ts'

export const createOrderStore = (pool: Pool, runTransaction: RunLedgerTransaction): OrderStore => ({
  insertNew: (orders) => retryOnContention(() => insertNewOrders(pool, orders)),
  inTransaction: (work) => runTransaction((connection, cache) => work(orderTransaction(connection, cache))),
  findRevisions: (accountId, { customerId, orderId }) =>
    findRevisions(pool, { accountId, key: { customerId, orderId } }),
  isRowError,
  isUnavailable,
})

/** By deviceKey. */
type Ledgers = ReadonlyMap<string, DeviceLedger>

function orderTransaction(connection: PoolClient, cache: LedgerCache): OrderTransaction {
  let locked: Ledgers = new Map()
  return {
    findOrders: async (orders) => {
      const stored = await findOrders(
        connection,
        orders.map(({ accountId, posting }) => ({ accountId, key: posting.order })),
      )
      return orders.map(({ accountId, posting }) => stored.get(orderIdentity(accountId, posting.order)) ?? null)
    },
    lockLedgers: async (orders) => {
      locked = await lockLedgers(connection, orders.flatMap(devicesOf), cache, null)
      return orders.map((order) => ledgersOf(order, locked))
    },
    lockFreeLedgers: async (orders) => {
      const { ledgers, isFree } = await lockFree(connection, orders, cache)
      locked = ledgers
      return orders.map((order) => (devicesOf(order).map(deviceKey).every(isFree) ? ledgersOf(order, locked) : null))
    },
    append: async (orders) => {
      const { postedAt, times } = await appendLocked(
        connection,
        orders.map((order) => writeOf(order, locked)),
      )
      for (const { accountId, posting } of orders) {
        const events = posting.identifications.map((event) => ({ ...event, postedAt }))
        await addEvents(connection, accountId, events)
        for (const [identity, device] of cachedOf(accountId, posting, locked, times.get(accountId)!))
          cache.give(identity, device)
      }
      return postedAt
    },
  }
}

/**
 * Locks the known devices that can be locked without waiting.
 * @returns the ledgers, and for a deviceKey whether the device is locked now, or new. A device is not free if it exists
 * and another process has locked it, or if its ledger has to be loaded first.
 */
async function lockFree(connection: Connection, orders: readonly AccountPosting[], cache: LedgerCache) {
  const wanted = orders.flatMap(devicesOf)
  const locked = await lockDevices(connection, wanted, 'skip')
  // A device whose ledger is cached exists; it need not be read to know that.
  const isTaken = (identity: string) => !locked.has(identity) && cache.has(identity)
  const others = wanted.filter((device) => !isTaken(deviceKey(device)))
  const { ledgers, notCached } = await findLedgersToPost(connection, others, cache, null)
  const isMissing = new Set(notCached.map(deviceKey))
  const isFree = (identity: string) =>
    !isMissing.has(identity) && (locked.has(identity) || !(ledgers.has(identity) || isTaken(identity)))
  return { ledgers, isFree }
}

/** What an order writes: itself and its entries. Orders that it corrects become amended. */
function writeOf(order: AccountPosting, ledgers: Ledgers): LedgerWrite {
  const { accountId, posting } = order
  const statuses = statusesOfOtherOrders(posting.entries, posting.order)
  return {
    accountId,
    orders: [posting.order],
    entries: withDevices(
      posting.entries,
      posting.devices,
      ledgersOf(order, ledgers),
      identifiedIn(posting.identifications),
    ),
    statuses,
    notices: [createdNotice(posting.order), ...noticesOfOthers(statuses, { order: posting.order })],
  }
}
