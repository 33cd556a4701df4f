// Runs long work on the main thread in slices, and yields to other requests between them.
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises'
import type { Resumable } from '../engine/numbers/steps.ts'

/** Short compared to the time that storing an order takes. */
const SLICE_MS = 5

/** Of work that goes on for minutes: a request waits for several slices of it, one at each of its own turns. */
const LONG_WORK_SLICE_MS = 1

/** Requests that come without a pause must not keep the work from going on. */
const PATIENCE_MS = 10

/**
 * For work that awaits in between: yields to other requests where it has run for a slice since the last time.
 * @param isInUse true while a request is under way: the work then waits for its end, though not for long
 */
export function createPause(isInUse: () => boolean): () => Promise<void> {
  let endsAt = performance.now() + LONG_WORK_SLICE_MS
  return async () => {
    if (performance.now() < endsAt) return
    await turn()
    const goesOnAt = performance.now() + PATIENCE_MS
    while (isInUse() && performance.now() < goesOnAt) await sleep(1)
    endsAt = performance.now() + LONG_WORK_SLICE_MS
  }
}

/**
 * @param signal ends the work at the next yield
 * @throws what the work throws
 */
export async function runCooperatively<Result>(steps: Resumable<Result>, signal?: AbortSignal): Promise<Result> {
  for (let endsAt = performance.now() + SLICE_MS; ;) {
    const { done, value } = steps.next()
    if (done) return value
    if (performance.now() < endsAt) continue
    await turn()
    signal?.throwIfAborted()
    endsAt = performance.now() + SLICE_MS
  }
}
