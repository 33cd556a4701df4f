// Work in the background, for as long as the program runs.
import { setTimeout as sleep } from 'node:timers/promises'
import { withDeadline } from './deadline.ts'

export interface BackgroundLoop {
  /** Works at once, if it waits. */
  readonly wake: () => void
  /** Ends once the work that is under way has ended. */
  readonly stop: () => Promise<void>
}

/**
 * Repeats work: at once while there is more, else after a while or when it is woken.
 * @param work gets a signal that is aborted when the loop stops; returns false if there is nothing more to do now
 * @param restMs how long it waits then, and after a failure
 * @param report is told each failure
 */
export function startLoop(
  work: (stopping: AbortSignal) => Promise<boolean>,
  restMs: number,
  report: (error: Error) => void,
): BackgroundLoop {
  const stopping = new AbortController()
  let sleeping = new AbortController()
  const next = () =>
    work(stopping.signal).catch((error: unknown) => {
      report(error as Error)
      return false
    })
  const loop = async () => {
    while (!stopping.signal.aborted) {
      if ((await next()) || stopping.signal.aborted) continue
      // If it was woken before it slept, it does not sleep.
      await sleep(restMs, undefined, { signal: sleeping.signal, ref: false }).catch(() => undefined)
      sleeping = new AbortController()
    }
  }
  // Not within the deadline of a request that happens to start it.
  const ended = withDeadline(Infinity, loop)
  const wake = () => sleeping.abort()
  return {
    wake,
    stop: async () => {
      stopping.abort(new Error('The service stops'))
      wake()
      await ended
    },
  }
}
