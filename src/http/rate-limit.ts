// How many requests a key may send in a second: counted in the memory of this process, and told in every answer.

/** Counts a request of a key. */
export type SpendRequest = (keyId: number) => Spent

export interface Spent {
  readonly isOver: boolean
  /** The fields `RateLimit-Policy` and `RateLimit`, in the form of draft-ietf-httpapi-ratelimit-headers-11. */
  readonly policy: string
  readonly state: string
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
  let window = 0
  let spent = new Map<number, number>()
  return (keyId) => {
    const current = Math.floor(now().getTime() / WINDOW_MS)
    if (current !== window) {
      window = current
      spent = new Map()
    }
    const count = (spent.get(keyId) ?? 0) + 1
    spent.set(keyId, count)
    const left = Math.max(0, requestsPerSecondMax - count)
    return { isOver: count > requestsPerSecondMax, policy, state: `${POLICY};r=${left};t=1` }
  }
}
