// Counts latencies by the microsecond up to one second, then by the millisecond: recording one is an increment.
import type { Latency } from './load-plan.ts'

const MICROSECONDS = 1_000_000
// Longer latencies share the last bucket; their percentiles read 60 s, and the maximum is kept apart, exact.
const BUCKETS = MICROSECONDS + 59_001

/** From 1 s on each bucket is a millisecond. */
const bucketOf = (ms: number): number =>
  Math.min(ms < 1000 ? Math.round(ms * 1000) : MICROSECONDS + Math.round(ms - 1000), BUCKETS - 1)
const msOf = (bucket: number): number => (bucket < MICROSECONDS ? bucket / 1000 : 1000 + bucket - MICROSECONDS)

export class LatencyHistogram {
  readonly #counts = new Uint32Array(BUCKETS)
  #recorded = 0
  #maxMs = 0

  record(ms: number): void {
    const bucket = bucketOf(ms)
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1
    this.#recorded += 1
    if (ms > this.#maxMs) this.#maxMs = ms
  }

  latency(): Latency {
    return {
      p50Ms: this.#percentileMs(0.5),
      p95Ms: this.#percentileMs(0.95),
      p99Ms: this.#percentileMs(0.99),
      maxMs: this.#maxMs,
    }
  }

  /** The smallest latency that at least this share of the requests did not exceed. */
  #percentileMs(share: number): number {
    const wanted = Math.ceil(this.#recorded * share)
    let seen = 0
    for (let bucket = 0; bucket < BUCKETS; bucket += 1) {
      seen += this.#counts[bucket] ?? 0
      if (seen >= wanted) return msOf(bucket)
    }
    return this.#maxMs
  }
}
