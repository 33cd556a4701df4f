// The days of a month, a quarter or a year, as reports label them.

export interface Days {
  /** First and last day, both inclusive. */
  readonly from: string
  readonly to: string
}

const MONTHS_OF_QUARTER = 3

/** @param label like 2026-01, 2026-Q1 or 2026 */
export function daysOf(label: string): Days {
  const [year = '', part] = label.split('-')
  if (part === undefined) return { from: `${year}-01-01`, to: `${year}-12-31` }
  const last = part.startsWith('Q') ? MONTHS_OF_QUARTER * Number(part.slice(1)) : Number(part)
  const first = part.startsWith('Q') ? last - MONTHS_OF_QUARTER + 1 : last
  return { from: `${year}-${twoDigits(first)}-01`, to: `${year}-${twoDigits(last)}-${lengthOf(Number(year), last)}` }
}

const twoDigits = (month: number): string => String(month).padStart(2, '0')

function lengthOf(year: number, month: number): number {
  // The day before the first of the next; of a year below 100 the constructor would take it for one of 1900.
  const day = new Date(0)
  day.setUTCFullYear(year, month, 0)
  return day.getUTCDate()
}

/** What lies in both, where something does. */
export const common = (one: Partial<Days>, other: Days): Days => ({
  from: one.from !== undefined && one.from > other.from ? one.from : other.from,
  to: one.to !== undefined && one.to < other.to ? one.to : other.to,
})
