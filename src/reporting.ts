// Reports: starts the worker that generates them, and has it roll up entries.
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from 'pg'
import { WorkerExited, createJobWorker, type JobWorker } from './workers/job-worker.ts'
import { WORKER_MESSAGES } from './workers/messages.ts'
import { ROLLUP_IDLE_INTERVAL_MS, ROLLUP_INTERVAL_MS, COMMIT_LAG_MS_MAX, REPORT_WORKER_HEAP_MB_MAX } from './config.ts'
import type { ReferenceData } from './engine/reference/reference-data.ts'
import { ApiError, type ApiErrorCode } from './contract/errors.ts'
import type { DevicesContext } from './http/routes/devices.ts'
import type { MatchInWorker } from './ledger/prematch.ts'
import type { OrderLookupContext } from './http/routes/orders.ts'
import type { ReportsContext } from './http/routes/reports.ts'
import type { ScenariosContext } from './http/routes/scenarios.ts'
import type { StreamedResponse } from './http/streamed-response.ts'
import { unavailabilityOf } from './postgres/errors.ts'
import { currentDeadline } from './concurrency/deadline.ts'
import { poolSettings } from './postgres/pool.ts'
import type { OnRead } from './postgres/read-replica.ts'
import { createRollups } from './postgres/reporting/store.ts'
import type { ReportTask, ReportMessage, ReportSettings } from './workers/report-worker.ts'
import { createRollupFailures } from './reporting/rollup-failures.ts'
import { startRollupJob } from './reporting/rollup-job.ts'

/** The service counts as in use for this long after a request. */
const IN_USE_MS = 1_000
/**
 * Pause after each roll-up step, as a multiple of its duration: meanwhile, posting requests have the machine to
 * themselves.
 */
const REST_SHARE = { inUse: 4, idle: 0.5 } as const

/** Metrics of roll-ups. */
export interface RollupWatch {
  /** A roll-up failed. */
  readonly onFailure: () => void
  /** @param ageOfOldest seconds since the oldest entry that should be rolled up was posted; 0 if there is none */
  readonly watch: (ageOfOldest: () => number) => void
}

/** Monitoring of reports and their roll-ups. */
export interface ReportingWatch extends RollupWatch {
  /** Reports an error to the operator: an internal one if no code is given. */
  readonly report: (error: Error, code?: ApiErrorCode) => void
}

const PROGRAM = join(import.meta.dirname, 'workers', 'report-worker.ts')

export type Reporting = Pick<JobWorker<ReportTask, ReportMessage>, 'ask' | 'stop'>

/**
 * Rolls up entries for as long as the program runs, and generates reports.
 * @param servedWithin true if the service received a request within the given time
 * @param watched receives errors and metrics
 */
export function openReporting(
  pool: Pool,
  replica: Pool | null,
  { releaseId, referenceData }: { readonly releaseId: number; readonly referenceData: ReferenceData },
  servedWithin: (milliseconds: number) => boolean,
  watched: ReportingWatch,
): Reporting {
  const settings: ReportSettings = {
    first: poolSettings(pool),
    replica: replica && poolSettings(replica),
    served: [releaseId, referenceData],
  }
  const aside = createJobWorker<ReportSettings, ReportTask, ReportMessage>({
    program: PROGRAM,
    what: 'reports',
    settings,
    heapMbMax: REPORT_WORKER_HEAP_MB_MAX,
    report: watched.report,
  })
  const stopFolding = foldForever(pool, aside, servedWithin, watched)
  const stop = async () => {
    await Promise.all([aside.stop(), stopFolding()])
  }
  return { ask: aside.ask, stop }
}

/** Requests reports, and responses about devices with large ledgers and their orders, from the worker. */
export function createAskBeside(
  { ask: askBeside }: Pick<Reporting, 'ask'>,
  onRead: OnRead,
): Pick<ReportsContext, 'askReport'> &
  Pick<DevicesContext, 'askDevice'> &
  Pick<OrderLookupContext, 'askOrder'> &
  Pick<ScenariosContext, 'askScenario'> {
  const answer = async (job: ReportTask, signal: AbortSignal): Promise<StreamedResponse> => {
    const pieces = throwIfRefused(askBeside(job, signal))
    const first = (await pieces.next()).value
    if (first?.kind !== 'head') throw new Error('An answer came without a beginning')
    for (const read of first.reads) onRead(...read)
    return { head: first.head, pieces: bytesOf(pieces) }
  }
  const databaseMs = () => currentDeadline() - performance.now()
  return {
    askReport: (ask, signal) => answer({ kind: 'report', ask, databaseMs: databaseMs() }, signal),
    askOrder: (ask, signal) => answer({ kind: 'order', ask, databaseMs: databaseMs() }, signal),
    askScenario: (ask, signal) => answer({ kind: 'scenario', ask, databaseMs: databaseMs() }, signal),
    askDevice: (ask, signal) => answer({ kind: 'device', ask, databaseMs: databaseMs() }, signal),
  }
}

/** Matches the words of many products in the worker. @throws ApiError if the worker has ended */
export const createWorkerMatcher =
  ({ ask: askBeside }: Pick<Reporting, 'ask'>): MatchInWorker =>
  async (products, releaseId, signal) => {
    for await (const piece of throwIfRefused(askBeside({ kind: 'match', products, releaseId }, signal)))
      if (piece.kind === 'meanings') return piece.meanings
    throw new Error('No answer came to what words mean')
  }

/** Checks periodically for entries to roll up, and has the worker do it. @returns a function that ends this */
function foldForever(
  pool: Pool,
  aside: JobWorker<ReportTask, ReportMessage>,
  servedWithin: (milliseconds: number) => boolean,
  { report, onFailure, watch }: ReportingWatch,
): () => Promise<void> {
  const folds = createRollups(pool, COMMIT_LAG_MS_MAX, ROLLUP_IDLE_INTERVAL_MS)
  const rest = (tookMs: number, signal: AbortSignal): Promise<void> =>
    sleep(tookMs * REST_SHARE[servedWithin(IN_USE_MS) ? 'inUse' : 'idle'], undefined, { signal }).catch(() => undefined)
  const reportFailure = (error: Error, isUnavailable: boolean) =>
    report(error, isUnavailable ? 'unavailable' : undefined)
  const failures = createRollupFailures(reportFailure, onFailure, () => performance.now())
  let oldestAt: number | null = null
  watch(() => (oldestAt === null ? 0 : (performance.now() - oldestAt) / 1000))
  return startRollupJob({
    look: async () => {
      const safe = await folds.safeTime()
      const unfolded = safe === null ? [] : await folds.unfolded(safe)
      const oldest = Math.max(...unfolded.map(({ oldestSeconds }) => oldestSeconds))
      oldestAt = unfolded.length === 0 ? null : performance.now() - 1000 * oldest
      return unfolded.length > 0
    },
    fold: async (signal) => {
      let isDone = true
      for await (const piece of aside.ask({ kind: 'fold' }, signal)) {
        if (piece.kind === 'folded') await rest(piece.tookMs, signal)
        if (piece.kind !== 'fault') continue
        isDone = false
        failures.failed(piece.error, piece.isUnavailable)
      }
      return isDone
    },
    isUnavailable: (error) => error instanceof WorkerExited || unavailabilityOf(error) !== null,
    failures,
    restMs: ROLLUP_INTERVAL_MS,
  })
}

type Delivered = Exclude<ReportMessage, { readonly kind: 'refused' }>

/** @throws ApiError if the worker rejects the request or has ended */
async function* throwIfRefused(pieces: AsyncGenerator<ReportMessage>): AsyncGenerator<Delivered, undefined> {
  try {
    for await (const piece of pieces) {
      if (piece.kind === 'refused') throw new ApiError(piece.code, piece.why)
      yield piece
    }
  } catch (error) {
    if (!(error instanceof WorkerExited)) throw error
    throw new ApiError('unavailable', WORKER_MESSAGES.report_worker_ended())
  }
}

async function* bytesOf(pieces: AsyncGenerator<Delivered>): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) if (piece.kind === 'bytes') yield piece.bytes
}
