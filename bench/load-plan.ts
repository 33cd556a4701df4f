// What the load generator is told (one JSON argument) and what it answers (one JSON line on standard output).

/** Stands for the changing digits of a request; the generator writes a number of as many digits over it. */
export const NUMBER_MARK = '@@@@@@@@@'

export interface LoadPlan {
  readonly port: number
  readonly connections: number
  readonly warmUpMs: number
  readonly windowMs: number
  readonly request: RequestPlan
  readonly numbers: NumberPlan
  /** What the body of every answer must hold, looked for in a sample of the answers; null looks for nothing. */
  readonly expect: string | null
}

export interface RequestPlan {
  readonly method: 'GET' | 'POST'
  /** Path and body may hold NUMBER_MARK, any number of times. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** `rising` counts up from a number, so that every request is new; `spread` scatters over 0 … below-1. */
export type NumberPlan =
  { readonly kind: 'rising'; readonly from: number } | { readonly kind: 'spread'; readonly below: number }

/** A sign of life on the way to the result, so that the parent reads CPU clocks at the edges of the window. */
export interface WindowEvent {
  readonly window: 'open' | 'closed'
}

export interface LoadResult {
  /** Answers with a 2xx status that were complete inside the window, and how long the window was. */
  readonly responses: number
  readonly elapsedMs: number
  readonly latency: Latency
  /** Requests sent, answers with another status, and broken or unanswered connections, warm-up included. */
  readonly issued: number
  readonly non2xx: number
  readonly socketErrors: number
  /** The first thing that went wrong, in words. */
  readonly firstError: string | null
  readonly sampled: number
  readonly sampleMisses: number
  /** CPU time of the generator's process inside the window. */
  readonly cpuMicros: number
}

export interface Latency {
  readonly p50Ms: number
  readonly p95Ms: number
  readonly p99Ms: number
  readonly maxMs: number
}
