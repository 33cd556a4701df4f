// How long something takes at best: of several runs the shortest, which what else the machine does lengthens least.

const RUNS = 5

/** CPU time of the thread, in ms: to be set in proportion to another, never to a number of them. */
export function leastTime(work: () => unknown): number {
  const times = Array.from({ length: RUNS }, () => {
    const before = cpuMs()
    work()
    return cpuMs() - before
  })
  return Math.min(...times)
}

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}
