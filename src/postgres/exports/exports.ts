// Exports: all that an account has of a kind, as of one moment, read page by page beside those who write.
import type pg from 'pg'
import {
  findLabels,
  findReleases,
  readDevices,
  readEntries,
  readOrders,
  type ExportFilter,
  type ExportedDevice,
  type ExportedEntry,
  type ExportedOrder,
  type Source,
} from './export-reads.ts'
import type { StoredEvent, StoredOrder } from '../../ledger/records.ts'
import { connectDirectly } from '../connection/pool.ts'
import { READ_ONLY_SNAPSHOT } from '../connection/transaction.ts'
import { createSemaphore, type SemaphoreLimits } from '../../concurrency/semaphore.ts'

/** One state of the database for as long as it is read. It has to be closed. */
export interface ExportSnapshot {
  /** Names of the dataset releases that the rows were made with, in the sequence of their first use. */
  readonly releases: (source: Source) => Promise<readonly string[]>
  /** The names of metadata that occur, by code point; null where there are more than so many. */
  readonly labels: (most: number) => Promise<readonly string[] | null>
  /** By order id, then customer id, by code point. `serialsOf`: the devices that stand in an order. */
  readonly orders: (
    serialsOf: (order: StoredOrder, events: readonly StoredEvent[]) => readonly string[],
  ) => AsyncGenerator<readonly ExportedOrder[]>
  /** By serial number. */
  readonly devices: () => AsyncGenerator<readonly ExportedDevice[]>
  /** By serial number, customer id, order id, then their own numbers. */
  readonly entries: () => AsyncGenerator<readonly ExportedEntry[]>
  readonly close: () => Promise<void>
}

export type BeginExport = (accountId: number, filter: ExportFilter) => Promise<ExportSnapshot>

/** Each holds a connection of its own, and what it sees cannot be cleared away until it is done. */
const EXPORTS_AT_ONCE: SemaphoreLimits = { most: 4, ofOneMost: 2, waitMs: 10_000 }
/** A client that takes nothing for so long has gone; one that takes a little now and then is cut off in the end. */
const IDLE_MS_MAX = 60_000
const EXPORT_MS_MAX = 3_600_000

/** @throws QueueFull where those that are under way take too long */
export function createExports(pool: pg.Pool): BeginExport {
  const takeTurn = createSemaphore('exports', EXPORTS_AT_ONCE)
  return async (accountId, filter) => {
    const endTurn = await takeTurn(accountId)
    const client = connectDirectly(pool)
    const isTooLong = setTimeout(() => void close(), EXPORT_MS_MAX).unref()
    let closed: Promise<void> | null = null
    const close = (): Promise<void> => (closed ??= client.end().finally(endTurn))
    client.once('end', () => clearTimeout(isTooLong))
    try {
      await client.connect()
      await client.query(`set idle_in_transaction_session_timeout = ${IDLE_MS_MAX}`)
      await client.query(READ_ONLY_SNAPSHOT)
    } catch (error) {
      await close()
      throw error
    }
    return { ...readsOf(client, accountId, filter), close }
  }
}

const readsOf = (client: pg.Client, accountId: number, filter: ExportFilter): Omit<ExportSnapshot, 'close'> => ({
  releases: (source) => findReleases(client, source, accountId, filter),
  labels: (most) => findLabels(client, accountId, filter, most),
  orders: (serialsOf) => readOrders(client, accountId, filter, serialsOf),
  devices: () => readDevices(client, accountId, filter),
  entries: () => readEntries(client, accountId, filter),
})
