// The data that reports are read from, in one snapshot: the chunks, and the entries posted after them.
import type { Pool, PoolClient } from 'pg'
import {
  findLastChunk,
  readWatermark,
  readChunks,
  writeChunk,
  type LastChunk,
  type StoredChunk,
  type ChunkQuery,
} from './fact-chunks.ts'
import { findSafeWatermark, findAccountsToRollUp, rollUpOnce, isRollupLagging } from './watermarks.ts'
import { readReportEntries, type ReportEntry } from './entries.ts'
import type { ReplicaReads } from '../read-replica.ts'
import { createSemaphore, type SemaphoreLimits } from '../../concurrency/semaphore.ts'

/** The stored facts of an account; each generator can be read once. */
export interface StoredFacts {
  readonly chunks: AsyncGenerator<Buffer>
  /** Entries posted since, whatever their dates. */
  readonly tail: AsyncGenerator<readonly ReportEntry[]>
}

export type ReadFacts = <Result>(
  wanted: ChunkQuery,
  /** May be called again from the start if a replica fails while it is read. */
  use: (stored: StoredFacts) => Promise<Result>,
) => Promise<Result>

/**
 * Each report holds a connection and its sums, some tens of megabytes. An account may run two reports, and there is a
 * third place, so an account with long reports does not block the others. They wait for less than the time limit of a
 * request.
 */
const REPORTS_AT_ONCE: SemaphoreLimits = { most: 3, ofOneMost: 2, waitMs: 8_000 }

export function createReadFacts(longReads: ReplicaReads): ReadFacts {
  const takeTurn = createSemaphore('reports', REPORTS_AT_ONCE)
  return async (wanted, use) => {
    const endTurn = await takeTurn(wanted.accountId)
    try {
      return await longReads(async (connection) => {
        const mark = await readWatermark(connection, wanted.accountId)
        return use({
          chunks: readChunks(connection, wanted),
          tail: readReportEntries(connection, wanted.accountId, mark, 'infinity'),
        })
      })
    } finally {
      endTurn()
    }
  }
}

/** What is rolled up: the entries, and where they are written. Everything is stored, or nothing. */
export interface RollupRun {
  readonly postings: AsyncGenerator<readonly ReportEntry[]>
  readonly last: LastChunk | null
  readonly write: (chunk: StoredChunk) => Promise<void>
}

export type Rollups = ReturnType<typeof createRollups>

/**
 * @param lagMs how long an entry may take from its time until it is visible
 * @param idleMs how far a watermark may lag if nothing is posted
 */
export const createRollups = (pool: Pool, lagMs: number, idleMs: number) => ({
  safeTime: () => findSafeWatermark(pool, lagMs),
  unfolded: (safe: string) => findAccountsToRollUp(pool, safe, idleMs),
  /** Whether the account has more unprocessed entries, up to a safe time, than one roll-up step takes. */
  isFarBehind: (accountId: number, safe: string) => isRollupLagging(pool, accountId, safe),
  /** Rolls up some of the entries up to that time; false if there are none, or another process is doing it. */
  foldOnce: (accountId: number, safe: string, fold: (folding: RollupRun) => Promise<void>) =>
    rollUpOnce(pool, accountId, safe, async (connection, { after, until }) =>
      fold(await openFolding(connection, accountId, after, until)),
    ),
})

const openFolding = async (
  connection: PoolClient,
  accountId: number,
  after: string,
  until: string,
): Promise<RollupRun> => ({
  postings: readReportEntries(connection, accountId, after, until),
  last: await findLastChunk(connection, accountId),
  write: (chunk) => writeChunk(connection, accountId, chunk),
})
