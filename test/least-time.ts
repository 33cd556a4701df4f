// How long something takes at best: of several runs the shortest, which what else the machine does lengthens least.

const RUNS = 5

/** Milliseconds: to be set in proportion to another, never to a number of them. */
export const leastTime = (work: () => unknown): number => leastOf(work, () => performance.now())

/**
 * Milliseconds of this thread on a processor: for work that is long enough to be interrupted. To be set in proportion
 * to another. Some systems count it in steps of 4 ms.
 */
export const leastProcessorTime = (work: () => unknown): number => leastOf(work, processorTime)

/** Milliseconds that this thread has been on a processor. */
export function processorTime(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

function leastOf(work: () => unknown, now: () => number): number {
  const times = Array.from({ length: RUNS }, () => {
    const startedAt = now()
    work()
    return now() - startedAt
  })
  return Math.min(...times)
}
