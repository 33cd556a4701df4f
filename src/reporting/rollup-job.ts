// Folds what was posted, account by account, for as long as the program runs.
import { setTimeout as sleep } from 'node:timers/promises'
import type { ReferenceData } from '../engine/reference/reference-data.ts'
import type { Rollups } from '../postgres/reporting/store.ts'
import { rollUp } from './rollup.ts'
import type { RollupFailures } from './rollup-failures.ts'
import { createFactBuilder } from './facts-of-entry.ts'

export interface RollupJobContext {
  /** Whether there is something to fold by now. */
  readonly look: () => Promise<boolean>
  /** @returns false where some of it failed */
  readonly fold: (signal: AbortSignal) => Promise<boolean>
  readonly isUnavailable: (error: unknown) => boolean
  readonly failures: RollupFailures
  /** Between two looks at what was posted. */
  readonly restMs: number
}

/** @returns what ends it; what is being folded then waits for the next start */
export function startRollupJob({ look, fold, isUnavailable, failures, restMs }: RollupJobContext): () => Promise<void> {
  const stopping = new AbortController()
  const { signal } = stopping
  const foldWhatIsThere = async () => {
    if (!(await look()) || (await fold(signal))) failures.wentWell()
  }
  const loop = async () => {
    while (!signal.aborted) {
      await foldWhatIsThere().catch((error: Error) => {
        if (!signal.aborted) failures.failed(error, isUnavailable(error))
      })
      await sleep(restMs, undefined, { signal, ref: false }).catch(() => undefined)
    }
  }
  const ended = loop()
  return () => {
    stopping.abort()
    return ended
  }
}

/** Another process or report folds this account: in some such times it is done with its piece. */
const FOLDED_ELSEWHERE_MS = 100

export interface RollupProgress {
  readonly folds: Rollups
  readonly bookOf: (releaseId: number) => Promise<ReferenceData>
}

/**
 * Folds all that can be folded by now, in pieces. An account that fails does not keep the others from it.
 * @returns of each piece, the milliseconds that it took: whoever has them asks for the next after a rest
 */
export async function* rollUpInBatches(
  { folds, bookOf }: RollupProgress,
  isStopping: () => boolean,
  report: (error: Error) => void,
): AsyncGenerator<number> {
  const safe = await folds.safeTime()
  if (safe === null) return
  for (const { accountId } of await folds.unfolded(safe)) {
    let goesOn = true
    while (goesOn && !isStopping()) {
      const beganAt = performance.now()
      goesOn = await folds
        .foldOnce(accountId, safe, (folding) => rollUp(folding, createFactBuilder(bookOf)))
        .catch((error: Error) => {
          report(error)
          return false
        })
      if (goesOn) yield performance.now() - beganAt
    }
  }
}

/**
 * Folds an account without rests until little is left. A report would read all of that entry by entry, and so would
 * the next one; what is folded for one that comes too early is there for the next.
 * @param goesOn asked before each piece, and while it is waited for
 * @returns false where much is left
 */
export async function rollUpBacklog(
  { folds, bookOf }: RollupProgress,
  accountId: number,
  goesOn: () => boolean,
): Promise<boolean> {
  const safe = await folds.safeTime()
  while (safe !== null && (await folds.isFarBehind(accountId, safe))) {
    if (!goesOn()) return false
    const folding: Promise<boolean> = folds
      .foldOnce(accountId, safe, (piece) => rollUp(piece, createFactBuilder(bookOf)))
      .then((isFolded) => isFolded || sleep(FOLDED_ELSEWHERE_MS, true))
    let isOver
    do isOver = await Promise.race([folding, sleep(FOLDED_ELSEWHERE_MS, false)])
    while (!isOver && goesOn())
  }
  return true
}
