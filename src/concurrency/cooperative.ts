// Long work on the one thread that all requests share: done in slices, and others have their turn in between.
import { setImmediate as turn } from 'node:timers/promises'
import type { Resumable } from '../engine/numbers/steps.ts'

/** Short beside the time that an order takes to be stored. */
const SLICE_MS = 5

/**
 * @param signal ends the work, as soon as others had their turn
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
