// Parameters that several operations take: identifiers, and the days from and to which something is asked for.
import { isCalendarDay } from '../../engine/numbers/calendar.ts'
import { isText, type Parameter } from './query.ts'

const ID_LENGTH_MAX = 200

/** A parameter that takes an identifier of the account's own. */
export const identifier = (description: string): Parameter => ({
  description,
  schema: { type: 'string', minLength: 1, maxLength: ID_LENGTH_MAX },
  check: (value) =>
    isText(value) && [...value].length <= ID_LENGTH_MAX
      ? null
      : `Must be 1 to ${ID_LENGTH_MAX} characters, none of them a control character`,
})

/** The year 0 is a calendar day here, and none to PostgreSQL. */
export const isDay = (value: string): boolean => isCalendarDay(value) && !value.startsWith('0000')

const day = (description: string, faultOfDay: (value: string) => string | null): Parameter => ({
  description,
  schema: { type: 'string', format: 'date' },
  check: (value) =>
    isDay(value) ? faultOfDay(value) : `Must be a calendar day, like 2026-01-31; it is "${value.slice(0, 40)}"`,
})

const faultOfSpan = (from: unknown, to: string): string | null =>
  typeof from === 'string' && isDay(from) && to < from ? `Must not be before from, which is ${from}; it is ${to}` : null

/**
 * The parameters `from` and `to`, days of which both are inclusive.
 * @param what are the days, like "order date"
 * @param from the day that is sent with `to`, against which that is held
 */
export const dateRangeParameters = (
  what: string,
  from: unknown,
): { readonly from: Parameter; readonly to: Parameter } => ({
  from: day(`First ${what}; without it, from the first one on.`, () => null),
  to: day(`Last ${what}, inclusive; without it, until the last one.`, (to) => faultOfSpan(from, to)),
})
