// The times that an overview can be of, each beside the time a year before that it is held against.
import { daysOf } from '../emissions/period-days.ts'

export interface Span {
  /** First and last day, both inclusive; null without an end. */
  readonly from: string | null
  readonly to: string | null
}

export interface Time extends Span {
  /** How it is called in a sentence. */
  readonly kind: 'soFar' | 'year' | 'months' | 'all'
  readonly year: string
  /** The same part of the year before; null where nothing is before. */
  readonly before: Span | null
  /** Months to come after the current one, of which something is contracted; null where the time does not end now. */
  readonly ahead: Span | null
}

export const LAST_12_MONTHS = '12-months'
export const ALL_TIME = 'all'
const MONTHS_AHEAD = 6

/**
 * No time reaches beyond today: what is contracted for later is told apart.
 * @param choice '' for this year so far, a year, or one of the above
 * @param today like 2026-11-22
 */
export function timeOf(choice: string, today: string): Time {
  const year = today.slice(0, 4)
  const ahead = aheadOf(today)
  if (choice === ALL_TIME) return { from: null, to: today, before: null, kind: 'all', year, ahead }
  if (choice === LAST_12_MONTHS)
    return { ...withBefore(dayAfter(yearEarlier(today)), today), kind: 'months', year, ahead }
  if (/^\d{4}$/.test(choice) && choice < year)
    return { ...withBefore(`${choice}-01-01`, `${choice}-12-31`), kind: 'year', year: choice, ahead: null }
  return { ...withBefore(`${year}-01-01`, today), kind: 'soFar', year, ahead }
}

function aheadOf(today: string): Span {
  const months = monthsFrom(today.slice(0, 7), `${Number(today.slice(0, 4)) + 1}-12`)
  return { from: daysOf(months[1]!).from, to: daysOf(months[MONTHS_AHEAD]!).to }
}

const withBefore = (from: string, to: string) => ({
  from,
  to,
  before: { from: yearEarlier(from), to: yearEarlier(to) },
})

/** The last day of February has none a year earlier. */
function yearEarlier(day: string): string {
  const earlier = `${String(Number(day.slice(0, 4)) - 1).padStart(4, '0')}${day.slice(4)}`
  return earlier.endsWith('-02-29') ? earlier.replace('-29', '-28') : earlier
}

function dayAfter(day: string): string {
  const next = new Date(`${day}T00:00:00Z`)
  next.setUTCDate(next.getUTCDate() + 1)
  return next.toISOString().slice(0, 10)
}

export const today = (): string => new Date().toISOString().slice(0, 10)

/** Every month from the first to the last, also those without anything: a gap is told by being seen. */
export function monthsFrom(first: string, last: string): readonly string[] {
  const [start, end] = [first, last].map((month) => 12 * Number(month.slice(0, 4)) + Number(month.slice(5, 7)) - 1)
  return Array.from({ length: end! - start! + 1 }, (_, at) => {
    const month = start! + at
    return `${Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}`
  })
}

/** The same month of the year before. */
export const monthBefore = (month: string): string =>
  `${String(Number(month.slice(0, 4)) - 1).padStart(4, '0')}${month.slice(4)}`
