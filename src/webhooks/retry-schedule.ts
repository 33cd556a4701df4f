// When a delivery is attempted again, and when an endpoint that fails is left alone. Without a clock: times are passed.

const [SECOND, MINUTE, HOUR] = [1_000, 60_000, 3_600_000]

/** Before each attempt, after the one before it: 75 h 35 min in all. */
const DELAYS_MS = [
  0,
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
] as const

export const ATTEMPTS_MAX = DELAYS_MS.length

/** A delay is up to this much shorter or longer, so that what failed together is not sent together again. */
const JITTER = 0.1
/** Of a receiver's `Retry-After`; the longest delay of the schedule. */
const RETRY_AFTER_MS_MAX = 24 * HOUR

/**
 * The time of the next attempt; null after the last one.
 * @param attempts those that were made, at least 1
 * @param random from 0 to 1
 * @param retryAfterMs what the receiver asked for; null if nothing
 */
export function nextAttemptAt(attempts: number, now: Date, random: number, retryAfterMs: number | null): Date | null {
  const delay = DELAYS_MS[attempts]
  if (delay === undefined) return null
  const jittered = delay * (1 - JITTER + 2 * JITTER * random)
  const asked = Math.min(retryAfterMs ?? 0, RETRY_AFTER_MS_MAX)
  return new Date(now.getTime() + Math.round(Math.max(jittered, asked)))
}

/** After so many failures in a row, one delivery at a time is attempted, with pauses. */
export const FAILURES_MAX = 5
const FIRST_PAUSE_MS = 5 * SECOND
const PAUSE_MS_MAX = 15 * MINUTE

/**
 * Until when nothing is sent to an endpoint: it asked for a pause, or it keeps failing; null to go on.
 * @param failuresInARow with the one that was just made
 */
export function pauseUntil(failuresInARow: number, now: Date, retryAfterMs: number | null): Date | null {
  const asked = Math.min(retryAfterMs ?? 0, PAUSE_MS_MAX)
  const times = failuresInARow - FAILURES_MAX
  const breaking = times < 0 ? 0 : Math.min(FIRST_PAUSE_MS * 2 ** Math.min(times, 20), PAUSE_MS_MAX)
  const pause = Math.max(asked, breaking)
  return pause === 0 ? null : new Date(now.getTime() + pause)
}

const ASKING: ReadonlySet<number> = new Set([429, 502, 503, 504])

/** The milliseconds of a `Retry-After`, in seconds or as a date; null if there is none that counts. */
export function retryAfterOf(status: number, header: string | undefined, now: Date): number | null {
  if (!ASKING.has(status) || header === undefined) return null
  if (/^\d{1,9}$/.test(header)) return Number(header) * SECOND
  const at = Date.parse(header)
  return Number.isNaN(at) ? null : Math.max(0, at - now.getTime())
}
