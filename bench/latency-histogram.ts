// Counts latencies by the microsecond: recording one is an increment, and percentiles are exact up to one second.
import type { Latency } from './load-plan.ts'

// Longer latencies share the last bucket; their percentiles read 1 s, and the maximum is kept apart, exact.
const BUCKETS = 1_000_001

export class LatencyHistogram {
  readonly #counts = new Uint32Array(BUCKETS)
  #recorded = 0
  #maxMs = 0

  record(ms: number): void {
    const bucket = Math.min(Math.round(ms * 1000), BUCKETS - 1)
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
      if (seen >= wanted) return bucket / 1000
    }
    return this.#maxMs
  }
}
