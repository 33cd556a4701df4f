// Has imports worked on: those that wait are claimed one after the other, held while they are worked on, and given up.
import { setTimeout as sleep } from 'node:timers/promises'
import type { EndOfWork, ImportLeases } from '../postgres/import-jobs.ts'
import type { ImportKey, StoredImport } from '../postgres/import-record.ts'
import type { Imports } from '../postgres/imports.ts'
import type { DiskSpace } from './disk-space.ts'
import type { Progress } from './context.ts'

/** How often it is looked whether another process left something behind. */
const LOOK_MS = 3_000
/** An import that is to be undone is worked on for no longer than this. */
const HOLD_MS = 1_000
/** Of its time an import is to gain ground for twice as long as it takes to come back to where it stood. */
const SLICE_PER_CATCHING_UP = 3

const BROKE_OFF_TOO_OFTEN =
  'Work on it broke off again and again without coming further, mostly by the memory or the time that its file ' +
  'takes, and is given up. What was stored stays. Split the file, or save it as CSV, and import that'

export interface ImporterContext {
  readonly imports: Pick<Imports, 'sweep'>
  /** Of the disk of the database: while there is little, no file is worked on. */
  readonly room: DiskSpace
  readonly claims: ImportLeases
  /**
   * Works on an import that was claimed.
   * @param signal ends it at once
   */
  readonly work: (job: StoredImport, signal: AbortSignal) => AsyncGenerator<Progress, void>
  /** So long an import is worked on where others wait. */
  readonly sliceMs: number
  /** True for an error after which a repetition may succeed. */
  readonly isUnavailable: (error: unknown) => boolean
  /** True for the error that tells that another process has taken an import over, or that it is not to go on. */
  readonly isLost: (error: unknown) => boolean
  /** How work on an import ended its process, where an error tells that it did; else null. */
  readonly endOfWorker: (error: unknown) => string | null
  /** Tells the operator of a fault of the service's own, and of imports that ended their process. */
  readonly report: (error: Error) => void
}

export interface Importer {
  /** Something new waits. */
  readonly wake: () => void
  /** Ends what is under way; another process goes on from its last checkpoint, or the next start. */
  readonly stop: () => Promise<void>
}

/** @param places how many imports are worked on at a time */
export function startImporter(context: ImporterContext, places: number): Importer {
  const stopping = new AbortController()
  const sleeping = Array.from({ length: places }, () => new AbortController())
  const next = (): Promise<boolean> =>
    workOnNext(context, null, stopping.signal).catch((error: Error) => {
      if (!context.isUnavailable(error)) context.report(error)
      return false
    })
  const loop = async (place: number) => {
    while (!stopping.signal.aborted) {
      if ((await next()) || stopping.signal.aborted) continue
      // Woken before it slept, it does not sleep.
      await sleep(LOOK_MS, undefined, { signal: sleeping[place]!.signal, ref: false }).catch(() => undefined)
      sleeping[place] = new AbortController()
    }
  }
  const wake = () => {
    for (const one of sleeping) one.abort()
  }
  const ended = Promise.all(sleeping.map((_, place) => loop(place)))
  return {
    wake,
    stop: async () => {
      stopping.abort(new Error('The service stops'))
      wake()
      await ended
    },
  }
}

/**
 * Works on an import that waits, or on the one that is named: to its end, or until it makes room for others.
 * @returns false where none waits
 */
export async function workOnNext(
  context: ImporterContext,
  key: ImportKey | null,
  stopping: AbortSignal,
): Promise<boolean> {
  await context.imports.sweep()
  if (context.room.isLow()) return false
  for (const { accountId, importId } of await context.claims.failRepeated(BROKE_OFF_TOO_OFTEN))
    context.report(new Error(`Import ${importId} of account ${accountId} has failed: work on it broke off too often`))
  const job = await context.claims.claim(key)
  if (!job) return false
  const end = await workOn(context, job, stopping)
  // Where the database is away, it waits until nobody has been heard of for long enough.
  await context.claims.release(job, end).catch(() => undefined)
  return end !== 'interrupted'
}

async function workOn(context: ImporterContext, job: StoredImport, stopping: AbortSignal): Promise<EndOfWork> {
  const lost = new AbortController()
  const ending = AbortSignal.any([stopping, lost.signal])
  const endHolding = keepHeld(context, job, (error) => lost.abort(error))
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
    await endHolding()
  }
}

/** Work may be silent for longer than a silence is borne with, where the database is slow. */
function keepHeld({ claims, isLost }: ImporterContext, job: StoredImport, onLost: (error: unknown) => void) {
  let holding = Promise.resolve()
  const hold = async () => {
    try {
      await claims.hold(job)
    } catch (error) {
      // While the database is away nothing can be said.
      if (isLost(error)) onLost(error)
    }
  }
  const timer = setInterval(() => {
    holding = hold()
  }, HOLD_MS)
  return () => {
    clearInterval(timer)
    return holding
  }
}

/**
 * Whether an import is to make room at a checkpoint. Its file is read again from its beginning then: most of its time
 * it is to gain ground. A dry run would begin again, and ends before.
 */
function createSlice({ claims, sliceMs }: ImporterContext, { accountId, isDryRun }: StoredImport) {
  const begunAt = performance.now()
  return async (caughtUpMs: number): Promise<boolean> => {
    const workedMs = performance.now() - begunAt
    if (isDryRun || workedMs < Math.max(sliceMs, SLICE_PER_CATCHING_UP * caughtUpMs)) return false
    return claims.othersWait(accountId)
  }
}
