// Collects the metrics of all workers and combines them.
import { createMetricsAggregator } from '../observability/aggregate-metrics.ts'
import type { Metrics } from '../observability/metrics.ts'
import type { ToPrimary } from './messages.ts'
import type { Workers } from './workers.ts'

/** If a worker does not answer within this time, its last metrics are used again. */
const MEASURE_MS_MAX = 1_000

type Measured = Extract<ToPrimary, { readonly kind: 'measured' }>

export type ClusterMetrics = ReturnType<typeof collectMetrics>

/** @param own the metrics of the primary itself */
export function collectMetrics(own: Metrics) {
  const added = createMetricsAggregator()
  const asked = new Map<number, { readonly missing: Set<number>; readonly resolve: () => void }>()
  let last = 0
  let workers: Workers | null = null
  const answer = (worker: number, of: (id: number) => boolean): void => {
    for (const [id, { missing, resolve }] of asked)
      if (of(id) && missing.delete(worker) && missing.size === 0) resolve()
  }
  async function askAll(all: Workers): Promise<void> {
    const id = (last += 1)
    const { promise, resolve } = Promise.withResolvers<void>()
    const giveUp = setTimeout(resolve, MEASURE_MS_MAX)
    asked.set(id, { missing: new Set(all.numbers), resolve })
    all.sendAll({ kind: 'measure', id })
    await promise
    clearTimeout(giveUp)
    asked.delete(id)
  }
  return {
    contentType: added.contentType,
    /** Rejects until there are workers. */
    text: async (): Promise<string> => {
      if (workers === null) throw new Error('The service starts')
      await askAll(workers)
      added.note('primary', await own.measured())
      return added.text()
    },
    onFailure: own.onFailure,
    folding: own.folding,
    watch: (watched: Workers): void => {
      workers = watched
      own.watchWorkers({ serving: () => watched.serving, restarts: () => watched.restarts })
    },
    receive: (worker: number, { id, metrics }: Measured): void => {
      added.note(String(worker), metrics)
      answer(worker, (one) => one === id)
    },
    end: (worker: number): void => {
      added.end(String(worker))
      answer(worker, () => true)
    },
  }
}
