// Replaces a customer's names by random ids everywhere in its account, in one transaction.
import type pg from 'pg'
import { sentIdOf } from '../../engine/order-revision.ts'
import { createSemaphore, type SemaphoreLimits } from '../../concurrency/semaphore.ts'
import { ConcurrentModification } from '../errors.ts'
import { renameInFeed } from '../feed.ts'
import { BOOKS_LOCK } from '../period-closings.ts'
import { connectDirectly } from '../pool.ts'
import { restartRollup } from '../reporting/watermarks.ts'
import { retryOnContention } from '../transaction.ts'
import {
  findDeviceEvents,
  findOwnDevices,
  findTies,
  lockFreeRecords,
  lockRecords,
  scanDevices,
  type CustomerKey,
  type DeviceLocks,
  type FoundRecords,
} from './customer-records.ts'
import { removeImportTraces } from './import-traces.ts'
import { renameInstruments } from './instrument-traces.ts'
import { removePactTraces } from './pact-traces.ts'
import { removeRestatementTraces } from './restatement-traces.ts'
import { keepsSequence, newCustomerId, newOrderIds, randomId } from './pseudonyms.ts'
import { recordErasure } from './record-erasure.ts'
import { removeOrderWarnings, rewriteEntries, rewriteEvents, rewriteOrders } from './rewrite-records.ts'

export interface ErasureRequest extends CustomerKey {
  readonly keyId: number
  /** Also replaces the serial numbers of devices that only this customer ever rented. */
  readonly withSerialNumbers: boolean
  readonly withOrderIds: boolean
}

export interface ErasureCounts {
  readonly orders: number
  readonly entries: number
  readonly events: number
  readonly orderIds: number
  readonly serialNumbers: number
  /** Orders whose metadata was removed. */
  readonly metadata: number
  /** Free texts and metadata removed from events. */
  readonly texts: number
  readonly rejectedRows: number
}

export interface Erasure {
  readonly customerId: string
  /** Null for a preview. */
  readonly recordedAt: Date | null
  readonly counts: ErasureCounts
}

/**
 * `unknown`: there is no order of the customer. `importing`: a file is being imported into the account. `unordered`: no
 * id was found that keeps the sequence of rentals of one device from the same day.
 */
export type ErasureOutcome = Erasure | 'unknown' | 'importing' | 'unordered'

export interface Erasures {
  readonly pseudonymise: (request: ErasureRequest) => Promise<ErasureOutcome>
  /** Does the same and undoes it; also while a file is imported. */
  readonly preview: (request: ErasureRequest) => Promise<ErasureOutcome>
}

/** Each has a connection of its own, without a time limit, and the names of all orders of a customer in memory. */
const ERASURES_AT_ONCE: SemaphoreLimits = { most: 2, ofOneMost: 1, waitMs: 8_000 }

export function createErasures(pool: pg.Pool): Erasures {
  const takeTurn = createSemaphore('erasures', ERASURES_AT_ONCE)
  const run = async (request: ErasureRequest, isPreview: boolean): Promise<ErasureOutcome> => {
    const endTurn = await takeTurn(request.accountId)
    const client = connectDirectly(pool)
    try {
      await client.connect()
      // As for all other statements: whatever the statistics say, rows are looked up by their keys.
      await client.query('set enable_seqscan = off')
      return await retryOnContention(() => attempt(client, request, isPreview))
    } finally {
      await client.end()
      endTurn()
    }
  }
  return { pseudonymise: (request) => run(request, false), preview: (request) => run(request, true) }
}

async function attempt(client: pg.Client, request: ErasureRequest, isPreview: boolean): Promise<ErasureOutcome> {
  await client.query('begin')
  try {
    const outcome = await pseudonymise(client, request, isPreview)
    await client.query(isPreview || typeof outcome === 'string' ? 'rollback' : 'commit')
    return outcome
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw error
  }
}

/** What was decided and done so far. */
interface Progress {
  readonly request: ErasureRequest
  readonly locks: DeviceLocks
  readonly newId: string
  /** New ids of orders by the ids as they were sent, if these are replaced. */
  readonly orderIds: Map<string, string>
  /** New serial numbers by the old ones, if these are replaced. */
  readonly serials: Map<string, string>
  counts: ErasureCounts
}

const NOTHING: ErasureCounts = {
  orders: 0,
  entries: 0,
  events: 0,
  orderIds: 0,
  serialNumbers: 0,
  metadata: 0,
  texts: 0,
  rejectedRows: 0,
}

async function pseudonymise(client: pg.Client, request: ErasureRequest, isPreview: boolean): Promise<ErasureOutcome> {
  const { accountId, keyId } = request
  // One erasure of an account at a time, and no import begins to be worked on.
  await client.query('select from accounts where account_id = $1 for no key update', [accountId])
  if (!(await hasOrders(client, request))) return 'unknown'
  if (!isPreview && (await isImporting(client, accountId))) return 'importing'
  const locks: DeviceLocks = new Set()
  const found = await lockRecords(client, request, locks, await scanDevices(client, request))
  const ties = request.withOrderIds ? [] : await findTies(client, request, [...locks])
  const newId = newCustomerId(request.customerId, ties)
  if (newId === null) return 'unordered'
  const progress: Progress = { request, locks, newId, orderIds: new Map(), serials: new Map(), counts: NOTHING }
  if (!(await erase(client, progress, found, [...locks]))) return 'unordered'
  if (isPreview) return { customerId: newId, recordedAt: null, counts: progress.counts }
  await restartRollup(client, accountId)
  await eraseLatecomers(client, progress)
  // Nothing is being posted any more.
  const { orderIds: orders, serials } = progress
  await renameInFeed(client, accountId, { customers: new Map([[request.customerId, newId]]), orders, serials })
  const recordedAt = await recordErasure(client, { accountId, keyId, kind: 'customer', counts: { ...progress.counts } })
  return { customerId: newId, recordedAt, counts: progress.counts }
}

async function hasOrders(client: pg.Client, { accountId, customerId }: CustomerKey): Promise<boolean> {
  const text = 'select from orders where account_id = $1 and account_id + 0 = $1 and customer_id = $2 limit 1'
  return (await client.query(text, [accountId, customerId])).rowCount === 1
}

/** A file that is stored until it is imported may name the customer, and its content cannot be searched. */
async function isImporting(client: pg.Client, accountId: number): Promise<boolean> {
  const text = `select from imports
    where account_id = $1 and state in ('uploading', 'queued', 'running', 'reversing') limit 1`
  return (await client.query(text, [accountId])).rowCount === 1
}

/** More rounds are needed only if orders of the customer keep being posted to devices that others are posting to. */
const ROUNDS_MAX = 20

/**
 * Orders of the customer that were posted while the others were replaced. At last, with the lock that every posting
 * shares, none can follow: what waits for that lock is posted after this transaction, under the old id. The lock is
 * held only for the last few orders, since postings of other accounts may be in one statement with those that wait.
 */
async function eraseLatecomers(client: pg.Client, progress: Progress): Promise<void> {
  const { request, locks } = progress
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    await client.query('savepoint books_open')
    await client.query('select pg_advisory_xact_lock($1, $2)', [BOOKS_LOCK, request.accountId])
    const late = await lockFreeRecords(client, request, locks)
    if (late) {
      if (late.orders.length > 0) await eraseLate(client, progress, late)
      return
    }
    // Releases the lock, so that the postings that hold the devices can end.
    await client.query('rollback to savepoint books_open')
    await eraseLate(client, progress, await lockRecords(client, request, locks))
  }
  throw new ConcurrentModification()
}

async function eraseLate(client: pg.Client, progress: Progress, found: FoundRecords): Promise<void> {
  if (found.orders.length > 0 && !(await erase(client, progress, found, found.devices))) {
    throw new ConcurrentModification()
  }
}

/**
 * Replaces the names in some orders of the customer, which are locked with their devices.
 * @returns false if there is no new id for an order that keeps the sequence of rentals
 */
async function erase(
  client: pg.Client,
  progress: Progress,
  found: FoundRecords,
  devices: readonly string[],
): Promise<boolean> {
  const { request, newId } = progress
  const { accountId, customerId } = request
  const sentIds = sentIdsOf(found.orders)
  const ties = await findTies(client, request, devices)
  if (!request.withOrderIds && !keepsSequence(customerId, newId, ties)) return false
  // A revision that came late gets the id of its order.
  const unnamed = sentIds.filter((sent) => !progress.orderIds.has(sent))
  const added = request.withOrderIds ? newOrderIds(customerId, unnamed, ties) : new Map<string, string>()
  if (added === null) return false
  for (const [sent, id] of added) progress.orderIds.set(sent, id)
  const orders: ReadonlyMap<string, string> = progress.orderIds
  const own = request.withSerialNumbers ? await findOwnDevices(client, accountId, devices, [customerId, newId]) : []
  const serials = new Map(own.map((serial) => [serial, randomId('serial')]))
  for (const [serial, id] of serials) progress.serials.set(serial, id)
  const renaming = { customers: new Map([[customerId, newId]]), orders, serials }
  const deviceEvents = await findDeviceEvents(client, accountId, devices)
  await rewriteOrders(client, request, found.orders, renaming)
  await removeOrderWarnings(client, request, devices)
  const { events, removed } = await rewriteEvents(client, request, [...found.events, ...deviceEvents], renaming)
  const names = new Set([customerId, ...added.keys(), ...serials.keys()])
  await removeRestatementTraces(client, accountId, customerId, names)
  await removePactTraces(client, request)
  await renameInstruments(client, request, newId, names)
  const { counts } = progress
  progress.counts = {
    orders: counts.orders + sentIds.length,
    entries: counts.entries + (await rewriteEntries(client, request, found.orders, devices, renaming)),
    events: counts.events + events,
    orderIds: orders.size,
    serialNumbers: counts.serialNumbers + serials.size,
    metadata: counts.metadata + sentIdsOf(found.orders.filter((order) => order.has_metadata)).length,
    texts: counts.texts + removed,
    rejectedRows: counts.rejectedRows + (await removeImportTraces(client, accountId, names)),
  }
  return true
}

/** Each order once, however many revisions it has. */
const sentIdsOf = (orders: FoundRecords['orders']): readonly string[] => [
  ...new Set(orders.map((order) => sentIdOf(order.order_id))),
]
