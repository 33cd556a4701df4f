// What several workers measured, as one: counts and histograms are added up, gauges are told worker by worker.
import { AggregatorRegistry } from 'prom-client'
import type { MeasuredMetrics } from './metrics.ts'

export interface AggregatedMetrics {
  /** What a worker measured, in place of what it measured before. */
  readonly note: (worker: string, metrics: MeasuredMetrics) => void
  /** What it counted stays counted: a sum that falls would look like a restart of all, and be counted anew. */
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

/** The types of prom-client say a number. */
const isGauge = (type: unknown): boolean => type === 'gauge'

/** Of a gauge each worker's own value; those that tell of a version are the same for all. */
const labelled =
  (worker: string) =>
  (metric: Metric): Metric => {
    if (!isGauge(metric.type)) return metric
    if (metric.name.endsWith('_info')) return { ...metric, aggregator: 'first' }
    const values = metric.values.map((value) => ({ ...value, labels: { ...value.labels, worker } }))
    return { ...metric, values, aggregator: 'sum' }
  }
