// How many requests a key may send, and how many wrong keys an address: counted in the memory of this process.

/** Counts a request of a key. */
export type SpendRequest = (keyId: number) => Spent

export interface Spent {
  readonly isOver: boolean
  /** The fields `RateLimit-Policy` and `RateLimit`, in the form of draft-ietf-httpapi-ratelimit-headers-11. */
  readonly policy: string
  readonly state: string
}

/** Counts a wrong key of an address. */
export type SpendWrongKey = (address: string) => TooManyWrong | null

export interface TooManyWrong {
  /** Until the count starts again. */
  readonly seconds: number
  /** True of the first one that is too many. */
  readonly isFirst: boolean
}

/** The draft counts in whole seconds; a shorter window could not be told. */
const WINDOW_MS = 1_000
const POLICY = '"key"'

/**
 * All keys share their windows, the seconds of the clock: what is remembered is the keys of one second, however many
 * there are in all. Two bursts on both sides of a window's edge can so be twice the number within one second.
 */
export function createRateLimit(requestsPerSecondMax: number, now: () => Date): SpendRequest {
  const policy = `${POLICY};q=${requestsPerSecondMax};w=${WINDOW_MS / 1000}`
  const countOf = countInWindows<number>(WINDOW_MS, Infinity, now)
  return (keyId) => {
    const count = countOf(keyId)
    const left = Math.max(0, requestsPerSecondMax - count)
    return { isOver: count > requestsPerSecondMax, policy, state: `${POLICY};r=${left};t=1` }
  }
}

const WRONG_KEYS_WINDOW_MS = 60_000

/**
 * Of more addresses than this in a minute the further ones are not counted: whoever has that many is not stopped by a
 * count per address, and must not take all memory.
 */
export function createWrongKeyLimit(perMinuteMax: number, addressesMax: number, now: () => Date): SpendWrongKey {
  const countOf = countInWindows<string>(WRONG_KEYS_WINDOW_MS, addressesMax, now)
  return (address) => {
    const count = countOf(address)
    if (count <= perMinuteMax) return null
    const seconds = Math.ceil((WRONG_KEYS_WINDOW_MS - (now().getTime() % WRONG_KEYS_WINDOW_MS)) / 1000)
    return { seconds, isFirst: count === perMinuteMax + 1 }
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
