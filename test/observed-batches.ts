// Shared trips whose departures a test watches, and ends one by one.
import { setImmediate as turn } from 'node:timers/promises'
import { createBatcher, type BatcherOptions } from '../src/concurrency/batcher.ts'
import { createQueueLoad } from '../src/concurrency/queue-load.ts'

export interface Trip {
  readonly jobs: readonly string[]
  readonly arrive: () => void
  readonly fail: (error: Error) => void
}

export class BadJob extends Error {}

/** Trips that end when the test says so; each answers its jobs in capitals. */
export function departures(options: Partial<BatcherOptions<string, string>> = {}) {
  const trips: Trip[] = []
  const send = createBatcher<string, string>({
    executeBatch: (jobs) =>
      new Promise((resolve, reject) => {
        trips.push({ jobs, arrive: () => resolve(jobs.map((job) => job.toUpperCase())), fail: reject })
      }),
    isJobError: (error) => error instanceof BadJob,
    concurrencyMax: 2,
    bytesOf: () => 1,
    batchBytesMax: 10,
    queueBytesMax: 20,
    queueLoad: createQueueLoad(),
    ...options,
  })
  return { trips, send }
}

export async function settle(): Promise<void> {
  for (let time = 0; time < 5; time += 1) await turn()
}
