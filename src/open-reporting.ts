// What reports take, put together: facts to be read, and the work of folding them.
import type { Pool } from 'pg'
import { FOLD_IDLE_MS, FOLD_REST_MS, POSTING_MS_MAX } from './config.ts'
import type { FactorBook } from './engine/factor-book.ts'
import { unavailabilityOf } from './postgres/database-errors.ts'
import type { LongReads } from './postgres/replica.ts'
import { createFolds, createReadFacts } from './postgres/report-store.ts'
import { startFolder } from './reports/folder.ts'

/**
 * Folds what is posted for as long as the program runs.
 * @param report tells the operator of a fault of the service's own
 */
export function serveReports(
  pool: Pool,
  longReads: LongReads,
  bookOf: (releaseId: number) => Promise<FactorBook>,
  report: (error: Error) => void,
) {
  const folder = startFolder(
    {
      folds: createFolds(pool, POSTING_MS_MAX, FOLD_IDLE_MS),
      bookOf,
      isUnavailable: (error) => unavailabilityOf(error) !== null,
      restMs: FOLD_REST_MS,
    },
    report,
  )
  return { facts: { readFacts: createReadFacts(longReads), bookOf }, stopFolding: folder.stop }
}
