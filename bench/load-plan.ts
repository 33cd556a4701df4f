// What the load generator is told (one JSON argument) and what it answers (one JSON line on standard output).

/** Stands for the changing digits of a request; the generator writes a number of as many digits over it. */
export const NUMBER_MARK = '@@@@@@@@@'

export interface LoadPlan {
  readonly port: number
  readonly connections: number
  readonly warmUpMs: number
  readonly windowMs: number
  /** Null for a closed loop: each connection sends its next request when it has its answer. */
  readonly arrivals: Arrivals | null
  readonly request: RequestPlan
  readonly numbers: NumberPlan
  /** What the body of every answer must hold, looked for in a sample of the answers; null looks for nothing. */
  readonly expect: string | null
}

/** An open loop: requests fall due at even distances, whether or not earlier ones are answered. */
export interface Arrivals {
  readonly perSecond: number
  /** How long a request that is due may wait for a free connection, until it counts as not sent. */
  readonly patienceMs: number
}

export interface RequestPlan {
  readonly method: 'GET' | 'POST'
  /** Path and body may hold NUMBER_MARK, any number of times. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** `rising` counts up from a number, so that every request is new; `spread` scatters over from … from+count-1. */
export type NumberPlan =
  | { readonly kind: 'rising'; readonly from: number }
  | { readonly kind: 'spread'; readonly from: number; readonly count: number }

/** A sign of life on the way to the result, so that the parent reads CPU clocks at the edges of the window. */
export interface WindowEvent {
  readonly window: 'open' | 'closed'
}

export interface LoadResult {
  /** Answers with a 2xx status that were complete inside the window, and how long the window was. */
  readonly responses: number
  readonly elapsedMs: number
  readonly latency: Latency
  /** The same of the same answers, without the time until a connection was free: what the server makes of it. */
  readonly latencyFromSent: Latency
  /** Answers inside the window that say to come again, 429 or 503, and how long they took. */
  readonly shed: number
  readonly shedLatency: Latency
  /** Requests that were due inside the window, and found no free connection in time. */
  readonly notSent: number
  /** How long the oldest request without an answer was under way when the window closed; 0 where there was none. */
  readonly oldestMs: number
  /** Requests sent, answers with another status, and broken or unanswered connections, warm-up included. */
  readonly issued: number
  readonly non2xx: number
  /** Those of them that do not say to come again. */
  readonly otherThanShed: number
  readonly socketErrors: number
  /** The first thing that went wrong, in words. */
  readonly firstError: string | null
  readonly sampled: number
  readonly sampleMisses: number
  /** CPU time of the generator's process inside the window. */
  readonly cpuMicros: number
}

/** From sending to the whole answer; in an open loop from the time at which the request was due. */
export interface Latency {
  readonly p50Ms: number
  readonly p95Ms: number
  readonly p99Ms: number
  readonly maxMs: number
}
