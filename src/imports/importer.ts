// Works on the imports that wait, one at a time, for as long as the program runs.
import { setTimeout as sleep } from 'node:timers/promises'
import type { ImportKey, StoredImport } from '../postgres/imports/import-record.ts'
import { UnreadableFile } from '../tables/row.ts'
import { tryStretch } from './dry-run.ts'
import type { ImportContext, IsStopping } from './import-context.ts'
import { importFile, postStretch } from './import-file.ts'
import { undoImport } from './undo-import.ts'

/** How often it is looked whether another process left something behind. */
const LOOK_MS = 3_000
const HOLD_MS = 5_000

export interface Importer {
  /** Something new waits. */
  readonly wake: () => void
  /** Ends when what is under way is told; the rest waits for the next start. */
  readonly stop: () => Promise<void>
}

/** @param report tells the operator of a fault of the service's own */
export function startImporter(context: ImportContext, report: (error: Error) => void): Importer {
  let isStopping = false
  let sleeping = new AbortController()
  const loop = async () => {
    while (!isStopping) {
      const hasWorked = await workOnNext(context, null, () => isStopping).catch((error: Error) => {
        if (!context.isUnavailable(error)) report(error)
        return false
      })
      if (hasWorked || isStopping) continue
      await sleep(LOOK_MS, undefined, { signal: sleeping.signal, ref: false }).catch(() => undefined)
      sleeping = new AbortController()
    }
  }
  const ended = loop()
  return {
    wake: () => sleeping.abort(),
    stop: () => {
      isStopping = true
      sleeping.abort()
      return ended
    },
  }
}

/**
 * Works on an import that waits, or on the one that is named, as far as it gets.
 * @returns false where none waits
 */
export async function workOnNext(
  context: ImportContext,
  key: ImportKey | null,
  isStopping: IsStopping,
): Promise<boolean> {
  await context.imports.sweep()
  if (context.room.isLow()) return false
  const job = await context.work.claim(key)
  if (!job) return false
  const held = keepHeld(context, job)
  try {
    await workOn(context, job, () => isStopping() || held.isLost() || context.room.isLow())
  } catch (error) {
    // Not released: it waits until nobody has been heard of for long enough, and others get their turn.
    if (!context.isLost(error)) throw error
  } finally {
    await held.end()
  }
  await context.work.release(job).catch(() => undefined)
  return true
}

/** A stretch may take longer than a silence is borne with, where the database is slow. */
function keepHeld({ work, isLost }: ImportContext, job: StoredImport) {
  let hasLost = false
  let holding = Promise.resolve()
  const hold = () => work.hold(job).catch((error: unknown) => void (hasLost ||= isLost(error)))
  const timer = setInterval(() => {
    holding = hold()
  }, HOLD_MS)
  return {
    isLost: () => hasLost,
    end: () => {
      clearInterval(timer)
      return holding
    },
  }
}

async function workOn(context: ImportContext, job: StoredImport, isStopping: IsStopping): Promise<void> {
  if (job.state === 'undoing') {
    if (await undoImport(context, job, isStopping)) await context.work.finish(job, 'undone', null)
    return
  }
  try {
    if (await importOrTry(context, job, isStopping)) await context.work.finish(job, 'done', null)
  } catch (error) {
    if (context.isLost(error) || context.isUnavailable(error)) throw error
    const problem = error instanceof UnreadableFile ? error.message : context.problemOf(error)
    await context.work.finish(job, 'failed', problem ?? 'A fault of the service; it is in its log')
    if (problem === null) throw error
  }
}

function importOrTry(context: ImportContext, job: StoredImport, isStopping: IsStopping): Promise<boolean> {
  if (!job.isDryRun) return importFile(context, job, postStretch(context, job), isStopping)
  // What came earlier in the file is not stored anywhere, so a dry run that broke off begins again.
  return context.imports.withEarlierOrders(async (earlier) => {
    const anew = await context.work.restart(job)
    return importFile(context, anew, tryStretch(context, anew, earlier), isStopping)
  })
}
