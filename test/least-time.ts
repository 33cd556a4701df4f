// How long something takes at best: of several runs the shortest, which what else the machine does lengthens least.

const RUNS = 5

/** Milliseconds: to be set in proportion to another, never to a number of them. */
export function leastTime(work: () => unknown): number {
  const times = Array.from({ length: RUNS }, () => {
    const startedAt = performance.now()
    work()
    return performance.now() - startedAt
  })
  return Math.min(...times)
}
