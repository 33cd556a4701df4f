// What reports take, put together: the process that makes them, and what has it fold.
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from 'pg'
import { AsideEnded, createAside, type Aside } from './aside/start-aside.ts'
import { FOLD_IDLE_MS, FOLD_REST_MS, POSTING_MS_MAX, REPORT_HEAP_MB_MAX } from './config.ts'
import type { FactorBook } from './engine/figures/factor-book.ts'
import { Failure } from './http/requests/failure.ts'
import type { ReportsContext } from './http/reports/send-report.ts'
import { unavailabilityOf } from './postgres/connection/database-errors.ts'
import { currentDeadline } from './postgres/connection/deadline.ts'
import { settingsOf } from './postgres/connection/pool.ts'
import type { TellRead } from './postgres/connection/replica.ts'
import { createFolds } from './postgres/reports/report-store.ts'
import type { ReportJob, ReportPiece, ReportSettings } from './report-process.ts'
import { startFolder } from './reports/folder.ts'

/** In use is who was asked for something so short a time ago. */
const IN_USE_MS = 1_000
/** How long folding rests, of what the piece before took: so long those who post have the machine for themselves. */
const REST_SHARE = { inUse: 4, idle: 0.5 } as const

const PROGRAM = join(import.meta.dirname, 'report-process.ts')

export type Reporting = Pick<Aside<ReportJob, ReportPiece>, 'ask' | 'stop'>

/**
 * Has what is posted folded for as long as the program runs, and reports made.
 * @param servedWithin true where somebody asked the service for something so short a time ago
 * @param report tells the operator of a fault of the service's own
 */
export function openReporting(
  pool: Pool,
  replica: Pool | null,
  { releaseId, book }: { readonly releaseId: number; readonly book: FactorBook },
  servedWithin: (milliseconds: number) => boolean,
  report: (error: Error) => void,
): Reporting {
  const settings: ReportSettings = {
    first: settingsOf(pool),
    replica: replica && settingsOf(replica),
    served: [releaseId, book],
  }
  const aside = createAside<ReportSettings, ReportJob, ReportPiece>({
    program: PROGRAM,
    what: 'reports',
    settings,
    heapMbMax: REPORT_HEAP_MB_MAX,
    report,
  })
  const folds = createFolds(pool, POSTING_MS_MAX, FOLD_IDLE_MS)
  const rest = (tookMs: number, signal: AbortSignal): Promise<void> =>
    sleep(tookMs * REST_SHARE[servedWithin(IN_USE_MS) ? 'inUse' : 'idle'], undefined, { signal }).catch(() => undefined)
  const stopFolding = startFolder(
    {
      look: async () => {
        const safe = await folds.safeTime()
        return safe !== null && (await folds.unfolded(safe)).length > 0
      },
      fold: async (signal) => {
        for await (const piece of aside.ask({ kind: 'fold' }, signal)) {
          if (piece.kind === 'fault') report(piece.error)
          if (piece.kind === 'folded') await rest(piece.tookMs, signal)
        }
      },
      isUnavailable: (error) => error instanceof AsideEnded || unavailabilityOf(error) !== null,
      restMs: FOLD_REST_MS,
    },
    report,
  )
  const stop = async () => {
    await Promise.all([aside.stop(), stopFolding()])
  }
  return { ask: aside.ask, stop }
}

export function createAskReport(
  { ask: askReports }: Pick<Reporting, 'ask'>,
  onRead: TellRead,
): ReportsContext['askReport'] {
  return async (ask, signal) => {
    const databaseMs = currentDeadline() - performance.now()
    const pieces = toldApart(askReports({ kind: 'report', ask, databaseMs }, signal))
    const first = (await pieces.next()).value
    if (first?.kind !== 'head') throw new Error('A report came without a beginning')
    for (const read of first.reads) onRead(...read)
    return { head: first.head, pieces: bytesOf(pieces) }
  }
}

type Told = Exclude<ReportPiece, { readonly kind: 'refused' }>

/** @throws Failure where the process refuses, or has ended */
async function* toldApart(pieces: AsyncGenerator<ReportPiece>): AsyncGenerator<Told, undefined> {
  try {
    for await (const piece of pieces) {
      if (piece.kind === 'refused') throw new Failure(piece.code, piece.message)
      yield piece
    }
  } catch (error) {
    if (!(error instanceof AsideEnded)) throw error
    throw new Failure('unavailable', 'What makes reports has ended, perhaps by the memory of one; try again')
  }
}

async function* bytesOf(pieces: AsyncGenerator<Told>): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) if (piece.kind === 'bytes') yield piece.bytes
}
