// The last days that are accepted: what happened cannot lie in the future, and tenures are not agreed long before.
import { DEVICE_EVENT_TYPES } from '../engine/device-event-types.ts'
import type { Problem } from '../engine/order.ts'
import { REQUEST_MESSAGES } from './messages.ts'

/** The last days that an account may send, YYYY-MM-DD. */
export interface DayLimits {
  /** For the events that record what happened to a device. */
  readonly fact: string
  readonly tenureStart: string
}

const TENURE_STARTS_YEARS_AHEAD = 3
const DAY_MS = 86_400_000

/** The events that record what happened, as opposed to what was agreed. */
const FACTS: ReadonlySet<string> = new Set(['returned', 'swapped', ...DEVICE_EVENT_TYPES])

const dayOf = (time: Date): string => time.toISOString().slice(0, 10)

/**
 * The limits at a time, by days in UTC. Null for an account without limits.
 * @param daysAheadMax how many days after today a fact may lie; null for an account without limits
 */
export function dayLimitsAt(now: Date, daysAheadMax: number | null): DayLimits | null {
  if (daysAheadMax === null) return null
  const tenureStart = new Date(now)
  tenureStart.setUTCFullYear(now.getUTCFullYear() + TENURE_STARTS_YEARS_AHEAD)
  return { fact: dayOf(new Date(now.getTime() + daysAheadMax * DAY_MS)), tenureStart: dayOf(tenureStart) }
}

/** @param tenureStart a day, or anything else, which is not judged */
export function tenureStartProblems(tenureStart: unknown, limits: DayLimits | null): readonly Problem[] {
  if (limits === null || typeof tenureStart !== 'string' || tenureStart <= limits.tenureStart) return []
  const late = { last: limits.tenureStart, years: TENURE_STARTS_YEARS_AHEAD, sent: tenureStart }
  return [{ path: '/tenure_start_date', ...REQUEST_MESSAGES.tenure_start_too_late(late) }]
}

export function factDayProblems(type: string, date: string | undefined, limits: DayLimits | null): readonly Problem[] {
  if (limits === null || date === undefined || !FACTS.has(type) || date <= limits.fact) return []
  return [{ path: '/date', ...REQUEST_MESSAGES.day_in_future({ last: limits.fact, sent: date }) }]
}
