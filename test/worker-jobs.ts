// Jobs that a process beside a test does: it counts, waits, and takes all the memory that there is.
import { setTimeout as sleep } from 'node:timers/promises'
import { endWithParent, runWorker } from '../src/workers/worker-entry.ts'

export type Job = 'count' | 'wait' | 'fill' | 'fail' | 'tell' | 'pid' | 'spin'

/** How far each job has come, whoever asks. */
const made = { count: 0, left: 0 }

runWorker<string, Job, number | string>(
  (settings) =>
    async function* (job, signal) {
      if (job === 'spin') for (;;);
      if (job === 'fail') throw new RangeError('A fault')
      if (job === 'tell') yield `${settings} ${made.count} ${made.left}`
      if (job === 'pid') yield process.pid
      if (job === 'fill') for (const map = new Map<number, number>(); ;) map.set(map.size, map.size)
      if (job === 'wait') await sleep(60_000, undefined, { signal }).catch(() => (made.left += 1))
      if (job === 'count') for (;;) yield (made.count += 1)
    },
)
endWithParent()
