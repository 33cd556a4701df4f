// What reports are read from, all of one moment: the chunks, and what was posted after them.
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

/** What is stored of an account's facts; each is read once. */
export interface StoredFacts {
  readonly chunks: AsyncGenerator<Buffer>
  /** What was posted since, whenever it is of. */
  readonly tail: AsyncGenerator<readonly ReportEntry[]>
}

export type ReadFacts = <Result>(
  wanted: ChunkQuery,
  /** May be called again from the start, where a replica fails on the way. */
  use: (stored: StoredFacts) => Promise<Result>,
) => Promise<Result>

/**
 * Each holds a connection, and what it adds up: some tens of megabytes. One account may have two, and there is a third
 * place: an account whose reports take long does not keep the others out. They wait less than a request may take.
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

/** What is being folded: what was posted, and where it goes. All of it is stored, or nothing. */
export interface RollupRun {
  readonly postings: AsyncGenerator<readonly ReportEntry[]>
  readonly last: LastChunk | null
  readonly write: (chunk: StoredChunk) => Promise<void>
}

export type Rollups = ReturnType<typeof createRollups>

/**
 * @param lagMs how long an entry may take from its time to where it can be seen
 * @param idleMs how far behind a mark may stay where nothing is posted
 */
export const createRollups = (pool: Pool, lagMs: number, idleMs: number) => ({
  safeTime: () => findSafeWatermark(pool, lagMs),
  unfolded: (safe: string) => findAccountsToRollUp(pool, safe, idleMs),
  /** Whether so much of an account is unfolded up to a safe time that it takes more than one fold. */
  isFarBehind: (accountId: number, safe: string) => isRollupLagging(pool, accountId, safe),
  /** Folds some of what is not folded until then; false where nothing is, or another process is at it. */
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
