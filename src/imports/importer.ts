// Claims waiting imports in order, renews their leases while they are processed, and releases them.
import { startLoop, type BackgroundLoop } from '../concurrency/background-loop.ts'
import { keepLease } from '../concurrency/keep-lease.ts'
import type { EndOfWork, ImportLeases } from '../postgres/import-jobs.ts'
import type { ImportKey, StoredImport } from '../postgres/import-record.ts'
import type { Imports } from '../postgres/imports.ts'
import type { DiskSpace } from './disk-space.ts'
import type { Progress } from './context.ts'
import { IMPORT_MESSAGES } from './messages.ts'

/** How often imports left behind by other processes are looked for. */
const LOOK_MS = 3_000
/** Interval of lease renewal; an import that is to be reversed is processed no longer than this. */
const HOLD_MS = 1_000
/**
 * An import runs at least this many times as long as it takes to get back to its previous position, so that two thirds
 * of its time is progress.
 */
const SLICE_PER_CATCHING_UP = 3

export interface ImporterContext {
  readonly imports: Pick<Imports, 'sweep'>
  /** Free space on the database's disk: while it is low, no file is processed. */
  readonly room: DiskSpace
  readonly claims: ImportLeases
  /**
   * Processes a claimed import.
   * @param signal ends the processing immediately
   */
  readonly work: (job: StoredImport, signal: AbortSignal) => AsyncGenerator<Progress, void>
  /** How long an import is processed while others wait. */
  readonly sliceMs: number
  /** True for an error after which a retry may succeed. */
  readonly isUnavailable: (error: unknown) => boolean
  /** True for the error that another process has taken over the import, or that it must not continue. */
  readonly isLost: (error: unknown) => boolean
  /** How processing ended its worker process, if the error is of that kind; else null. */
  readonly endOfWorker: (error: unknown) => string | null
  /** Reports internal errors, and imports that ended their worker process, to the operator. */
  readonly report: (error: Error) => void
}

/**
 * Work that is stopped is continued from the last checkpoint by another process, or at the next start.
 * @param places number of imports processed concurrently
 */
export function startImporter(context: ImporterContext, places: number): BackgroundLoop {
  const report = (error: Error) => {
    if (!context.isUnavailable(error)) context.report(error)
  }
  const loops = Array.from({ length: places }, () =>
    startLoop((stopping) => workOnNext(context, null, stopping), LOOK_MS, report),
  )
  return {
    wake: () => {
      for (const { wake } of loops) wake()
    },
    stop: async () => void (await Promise.all(loops.map(({ stop }) => stop()))),
  }
}

/**
 * Processes a waiting import, or the given one, until it ends or yields to others.
 * @returns false if no import waits
 */
export async function workOnNext(
  context: ImporterContext,
  key: ImportKey | null,
  stopping: AbortSignal,
): Promise<boolean> {
  await context.imports.sweep()
  if (context.room.isLow()) return false
  for (const { accountId, importId } of await context.claims.failRepeated(IMPORT_MESSAGES.import_stopped()))
    context.report(new Error(`Import ${importId} of account ${accountId} has failed: work on it broke off too often`))
  const job = await context.claims.claim(key)
  if (!job) return false
  const end = await workOn(context, job, stopping)
  // If the database is unavailable, the lease expires instead.
  await context.claims.release(job, end).catch(() => undefined)
  return end !== 'interrupted'
}

async function workOn(context: ImporterContext, job: StoredImport, stopping: AbortSignal): Promise<EndOfWork> {
  const lost = new AbortController()
  const ending = AbortSignal.any([stopping, lost.signal])
  const endLease = keepLease(
    () => context.claims.hold(job),
    HOLD_MS,
    (error) => {
      if (context.isLost(error)) lost.abort(error)
    },
  )
  const makesRoom = createSlice(context, job)
  try {
    for await (const progress of context.work(job, ending)) {
      if (progress.kind === 'fault') context.report(progress.error)
      if (progress.kind === 'interrupted') return 'interrupted'
      if (progress.kind !== 'checkpoint') continue
      if (context.room.isLow() || (await makesRoom(progress.caughtUpMs))) return 'in order'
    }
    return 'in order'
  } catch (error) {
    if (ending.aborted) return 'in order'
    if (context.isUnavailable(error)) return 'interrupted'
    const how = context.endOfWorker(error)
    const { importId, accountId } = job
    const ofFile = new Error(`Import ${importId} of account ${accountId} ended its process: ${how}`)
    context.report(how === null ? (error as Error) : ofFile)
    return 'broken off'
  } finally {
    await endLease()
  }
}

/**
 * Returns a function that decides at a checkpoint whether the import yields to others. After yielding, its file is read
 * again from the beginning, so most of its time has to be progress. A dry run would start again, and so never yields.
 */
function createSlice({ claims, sliceMs }: ImporterContext, { accountId, isDryRun }: StoredImport) {
  const begunAt = performance.now()
  return async (caughtUpMs: number): Promise<boolean> => {
    const workedMs = performance.now() - begunAt
    if (isDryRun || workedMs < Math.max(sliceMs, SLICE_PER_CATCHING_UP * caughtUpMs)) return false
    return claims.othersWait(accountId)
  }
}
