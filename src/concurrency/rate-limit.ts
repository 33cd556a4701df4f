// Rate limits for requests per key and wrong keys per address, counted in memory by this process or across all workers.

/** Counts a request of a key. */
export type ConsumeRequest = (keyId: number) => RateLimitState | Promise<RateLimitState>

export interface RateLimitState {
  readonly isOver: boolean
  /** The fields `RateLimit-Policy` and `RateLimit`, in the form of draft-ietf-httpapi-ratelimit-headers-11. */
  readonly policy: string
  readonly state: string
}

/** Counts a wrong key of an address. */
export type CountFailedAuth = (address: string) => FailedAuthLimit | null | Promise<FailedAuthLimit | null>

export interface FailedAuthLimit {
  /** Time until the count starts again. */
  readonly seconds: number
  /** True for the first attempt above the limit. */
  readonly isFirst: boolean
}

/** The number of this request in the current window of its subject, from 1; 0 if it is not counted. */
export type CountOf<Subject> = (subject: Subject) => number | Promise<number>

/** The draft counts in whole seconds; it could not express a shorter window. */
export const KEY_WINDOW_MS = 1_000
const POLICY = '"key"'

/**
 * All keys share the same windows, the seconds of the clock: only the keys of one second are remembered, however many
 * there are in all. Two bursts on either side of a window's edge can therefore reach twice the limit within one second.
 */
export function createRateLimit(
  requestsPerSecondMax: number,
  now: () => Date,
  countOf: CountOf<number> = countInWindows(KEY_WINDOW_MS, Infinity, now),
): ConsumeRequest {
  const policy = `${POLICY};q=${requestsPerSecondMax};w=${KEY_WINDOW_MS / 1000}`
  const spentOf = (count: number): RateLimitState => {
    const left = Math.max(0, requestsPerSecondMax - count)
    return { isOver: count > requestsPerSecondMax, policy, state: `${POLICY};r=${left};t=1` }
  }
  return (keyId) => {
    const count = countOf(keyId)
    return typeof count === 'number' ? spentOf(count) : count.then(spentOf)
  }
}

export const FAILED_AUTH_WINDOW_MS = 60_000

/**
 * Above this number of addresses in a minute, further addresses are not counted: a limit per address does not stop a
 * client with that many addresses, and it must not use up the memory.
 */
export function createFailedAuthLimit(
  perMinuteMax: number,
  addressesMax: number,
  now: () => Date,
  countOf: CountOf<string> = countInWindows(FAILED_AUTH_WINDOW_MS, addressesMax, now),
): CountFailedAuth {
  const tooManyOf = (count: number): FailedAuthLimit | null => {
    if (count <= perMinuteMax) return null
    const seconds = Math.ceil((FAILED_AUTH_WINDOW_MS - (now().getTime() % FAILED_AUTH_WINDOW_MS)) / 1000)
    return { seconds, isFirst: count === perMinuteMax + 1 }
  }
  return (address) => {
    const count = countOf(address)
    return typeof count === 'number' ? tooManyOf(count) : count.then(tooManyOf)
  }
}

/** Counts by subject within windows of the clock that all subjects share; 0 for subjects beyond `subjectsMax`. */
function countInWindows<Subject>(windowMs: number, subjectsMax: number, now: () => Date) {
  let window = 0
  let counts = new Map<Subject, number>()
  return (subject: Subject): number => {
    const current = Math.floor(now().getTime() / windowMs)
    if (current !== window) {
      window = current
      counts = new Map()
    }
    const known = counts.get(subject)
    if (known === undefined && counts.size >= subjectsMax) return 0
    const count = (known ?? 0) + 1
    counts.set(subject, count)
    return count
  }
}
