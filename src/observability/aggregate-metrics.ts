// Aggregates the metrics of several workers: counters and histograms are added up, gauges are labelled by worker.
import { AggregatorRegistry } from 'prom-client'
import type { MeasuredMetrics } from './metrics.ts'

export interface AggregatedMetrics {
  /** Replaces the earlier metrics of a worker. */
  readonly note: (worker: string, metrics: MeasuredMetrics) => void
  /** Retains the counters of a worker that has ended: a falling sum would look like a restart and be counted again. */
  readonly end: (worker: string) => void
  readonly text: () => Promise<string>
  readonly contentType: string
}

export function createMetricsAggregator(): AggregatedMetrics {
  const known = new Map<string, MeasuredMetrics>()
  let ended: readonly MeasuredMetrics[] = []
  return {
    note: (worker, metrics) => void known.set(worker, metrics),
    end: (worker) => {
      const last = known.get(worker)
      known.delete(worker)
      if (last) ended = [...ended, last.filter(({ type }) => !isGauge(type))]
    },
    text: async () => {
      if (ended.length > 1) ended = [await add(ended).getMetricsAsJSON()]
      return add([...ended, ...[...known].map(([worker, metrics]) => metrics.map(labelled(worker)))]).metrics()
    },
    contentType: AggregatorRegistry.PROMETHEUS_CONTENT_TYPE,
  }
}

type Metric = MeasuredMetrics[number]

const add = (parts: readonly MeasuredMetrics[]) => AggregatorRegistry.aggregate(parts as Metric[][])

/** The types of prom-client declare a number. */
const isGauge = (type: unknown): boolean => type === 'gauge'

/** Labels the gauges of each worker; gauges with version information are the same for all. */
const labelled =
  (worker: string) =>
  (metric: Metric): Metric => {
    if (!isGauge(metric.type)) return metric
    if (metric.name.endsWith('_info')) return { ...metric, aggregator: 'first' }
    const values = metric.values.map((value) => ({ ...value, labels: { ...value.labels, worker } }))
    return { ...metric, values, aggregator: 'sum' }
  }
