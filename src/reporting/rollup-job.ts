// The background job that rolls up posted entries, account by account, while the program runs.
import { setTimeout as sleep } from 'node:timers/promises'
import type { ReferenceData } from '../engine/reference/reference-data.ts'
import type { Rollups } from '../postgres/reporting/store.ts'
import { rollUp } from './rollup.ts'
import type { RollupFailures } from './rollup-failures.ts'
import { createFactBuilder } from './facts-of-entry.ts'

export interface RollupJobContext {
  /** True if there is something to roll up. */
  readonly look: () => Promise<boolean>
  /** @returns false if some of it failed */
  readonly fold: (signal: AbortSignal) => Promise<boolean>
  readonly isUnavailable: (error: unknown) => boolean
  readonly failures: RollupFailures
  /** Pause between two checks for posted entries. */
  readonly restMs: number
}

/** @returns a function that stops the job; interrupted work continues at the next start */
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

/** Time to wait while another process or report rolls up this account; after a few such waits its batch is done. */
const FOLDED_ELSEWHERE_MS = 100

export interface RollupProgress {
  readonly folds: Rollups
  readonly referenceDataOf: (releaseId: number) => Promise<ReferenceData>
}

/**
 * Rolls up everything that is ready, in batches. A failing account does not block the others.
 * @returns the duration of each batch in milliseconds, so that the caller can pause before requesting the next
 */
export async function* rollUpInBatches(
  { folds, referenceDataOf }: RollupProgress,
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
        .foldOnce(accountId, safe, (folding) => rollUp(folding, createFactBuilder(referenceDataOf)))
        .catch((error: Error) => {
          report(error)
          return false
        })
      if (goesOn) yield performance.now() - beganAt
    }
  }
}

/**
 * Rolls up an account without pauses until little is left. Otherwise this report and the next one would read all of the
 * backlog entry by entry. If the report gives up early, the next one benefits from the work done.
 * @param goesOn checked before each batch and while waiting for it
 * @returns false if much is left
 */
export async function rollUpBacklog(
  { folds, referenceDataOf }: RollupProgress,
  accountId: number,
  goesOn: () => boolean,
): Promise<boolean> {
  const safe = await folds.safeTime()
  while (safe !== null && (await folds.isFarBehind(accountId, safe))) {
    if (!goesOn()) return false
    const folding: Promise<boolean> = folds
      .foldOnce(accountId, safe, (piece) => rollUp(piece, createFactBuilder(referenceDataOf)))
      .then((isFolded) => isFolded || sleep(FOLDED_ELSEWHERE_MS, true))
    let isOver
    do isOver = await Promise.race([folding, sleep(FOLDED_ELSEWHERE_MS, false)])
    while (!isOver && goesOn())
  }
  return true
}
