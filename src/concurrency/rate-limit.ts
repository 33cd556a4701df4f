// How many requests a key may send, and how many wrong keys an address: counted in memory, here or by all workers.

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
  /** Until the count starts again. */
  readonly seconds: number
  /** True of the first one that is too many. */
  readonly isFirst: boolean
}

/** The number of this one in the current window of its subject, from 1; 0 where it is not counted. */
export type CountOf<Subject> = (subject: Subject) => number | Promise<number>

/** The draft counts in whole seconds; a shorter window could not be told. */
export const KEY_WINDOW_MS = 1_000
const POLICY = '"key"'

/**
 * All keys share their windows, the seconds of the clock: what is remembered is the keys of one second, however many
 * there are in all. Two bursts on both sides of a window's edge can so be twice the number within one second.
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
 * Of more addresses than this in a minute the further ones are not counted: whoever has that many is not stopped by a
 * count per address, and must not take all memory.
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

/** Counts by subject within the windows of the clock, which all subjects share; 0 for those beyond `subjectsMax`. */
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
