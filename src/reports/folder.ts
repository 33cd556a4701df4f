// Folds what was posted, account by account, for as long as the program runs.
import { setTimeout as sleep } from 'node:timers/promises'
import type { FactorBook } from '../engine/factor-book.ts'
import type { Folds } from '../postgres/report-store.ts'
import { fold } from './fold.ts'
import { createFactReader } from './read-facts.ts'

export interface FolderContext {
  readonly folds: Folds
  readonly bookOf: (releaseId: number) => Promise<FactorBook>
  readonly isUnavailable: (error: unknown) => boolean
  /** Between two looks at what was posted. */
  readonly restMs: number
}

export interface Folder {
  /** Ends when what is being folded is stored; the rest waits for the next start. */
  readonly stop: () => Promise<void>
}

/** @param report tells the operator of a fault of the service's own */
export function startFolder(context: FolderContext, report: (error: Error) => void): Folder {
  const stopping = new AbortController()
  const { signal } = stopping
  const tell = (error: Error) => {
    if (!context.isUnavailable(error)) report(error)
  }
  const loop = async () => {
    while (!signal.aborted) {
      await foldAll(context, () => signal.aborted, tell).catch(tell)
      await sleep(context.restMs, undefined, { signal, ref: false }).catch(() => undefined)
    }
  }
  const ended = loop()
  return {
    stop: () => {
      stopping.abort()
      return ended
    },
  }
}

const LOOK_MS = 5
/** Of the time of the thread: above it, somebody waits. */
const BUSY_SHARE = 0.3
/** So much longer than a page took others have the thread to themselves then. */
const REST_SHARE = 4

/** Rests after each page: a moment, and where others keep the thread busy in it, until they had most of the time. */
async function* givingWay<Page>(pages: AsyncIterable<Page>, isStopping: () => boolean): AsyncGenerator<Page> {
  let startedAt = performance.now()
  for await (const page of pages) {
    yield page
    if (isStopping()) continue
    const worked = performance.now() - startedAt
    const before = performance.eventLoopUtilization()
    await sleep(LOOK_MS)
    if (performance.eventLoopUtilization(before).utilization > BUSY_SHARE) await sleep(REST_SHARE * worked)
    startedAt = performance.now()
  }
}

/** Folds all that can be folded by now. An account that fails does not keep the others from it. */
export async function foldAll(
  { folds, bookOf }: Pick<FolderContext, 'folds' | 'bookOf'>,
  isStopping: () => boolean,
  report: (error: Error) => void,
): Promise<void> {
  const safe = await folds.safeTime()
  if (safe === null) return
  for (const accountId of await folds.unfolded(safe)) {
    let goesOn = true
    while (goesOn && !isStopping()) {
      goesOn = await folds
        .foldOnce(accountId, safe, (folding) =>
          fold({ ...folding, postings: givingWay(folding.postings, isStopping) }, createFactReader(bookOf)),
        )
        .catch((error: Error) => {
          report(error)
          return false
        })
    }
  }
}
