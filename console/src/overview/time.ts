// The times that an overview can be of, each beside the time a year before that it is held against.

export interface Span {
  /** First and last day, both inclusive; null without an end. */
  readonly from: string | null
  readonly to: string | null
}

export interface Time extends Span {
  /** The same part of the year before; null where nothing is before. */
  readonly before: Span | null
}

export const LAST_12_MONTHS = '12-months'
export const ALL_TIME = 'all'

/**
 * @param choice '' for this year so far, a year, or one of the above
 * @param today like 2026-11-22
 */
export function timeOf(choice: string, today: string): Time {
  const year = Number(today.slice(0, 4))
  if (choice === ALL_TIME) return { from: null, to: null, before: null }
  if (choice === LAST_12_MONTHS) return withBefore(dayAfter(yearEarlier(today)), today)
  if (/^\d{4}$/.test(choice)) return withBefore(`${choice}-01-01`, `${choice}-12-31`)
  return withBefore(`${year}-01-01`, today)
}

const withBefore = (from: string, to: string): Time => ({
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
