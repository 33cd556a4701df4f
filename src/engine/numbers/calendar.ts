// Months between calendar days, calculated from a position for each day, without time zones (METHODOLOGY.md#months).
import { compare, min, rational, subtract, whole, type Rational } from './rational.ts'

interface CalendarDay {
  readonly year: number
  readonly month: number
  readonly day: number
}

const isLeapYear = (year: number): boolean => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0

export function daysInMonth(year: number, month: number): number {
  if (month === 2) return isLeapYear(year) ? 29 : 28
  return [4, 6, 9, 11].includes(month) ? 30 : 31
}

/** True for a real calendar day written YYYY-MM-DD. */
export const isCalendarDay = (text: string): boolean => readDay(text) !== null

/** Reads digit by digit instead of by a regular expression, because every order's days are read several times. */
function readDay(text: string): CalendarDay | null {
  if (text.length !== 10 || text[4] !== '-' || text[7] !== '-') return null
  const [year, month, day] = [digits(text, 0, 4), digits(text, 5, 7), digits(text, 8, 10)]
  const isReal = year >= 0 && month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month)
  return isReal ? { year, month, day } : null
}

/** The number written in a range of characters, or -1 if one of them is not a digit. */
function digits(text: string, from: number, to: number): number {
  let value = 0
  for (let at = from; at < to; at += 1) {
    const digit = text.charCodeAt(at) - 48
    if (digit < 0 || digit > 9) return -1
    value = value * 10 + digit
  }
  return value
}

/** @throws RangeError when the text is not a real calendar day. */
function parseDay(text: string): CalendarDay {
  const day = readDay(text)
  if (!day) throw new RangeError(`"${text}" is not a calendar day (YYYY-MM-DD)`)
  return day
}

const toText = (year: number, month: number, day: number): string =>
  `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`

/** @throws RangeError when the text is not a real calendar day. */
export function dayAfter(text: string): string {
  const { year, month, day } = parseDay(text)
  if (day < daysInMonth(year, month)) return toText(year, month, day + 1)
  return month < 12 ? toText(year, month + 1, 1) : toText(year + 1, 1, 1)
}

/** Formats a month number, counted from the year 0, as YYYY-MM. */
export const monthText = (month: number): string => toText(Math.floor(month / 12), (month % 12) + 1, 1).slice(0, -3)

/** G(y-m-d) = 12·y + (m − 1) + (d − 1) / daysInMonth: the position of a day, in months. */
function monthPosition({ year, month, day }: CalendarDay): Rational {
  const days = daysInMonth(year, month)
  return rational(BigInt((12 * year + month - 1) * days + day - 1), BigInt(days))
}

/**
 * The position of a day in months, counted from the year 0: whole on the first of a month. METHODOLOGY.md#months
 * @throws RangeError when the text is not a real calendar day (YYYY-MM-DD).
 */
export const dayPosition = (day: string): Rational => monthPosition(parseDay(day))

/**
 * Months from the first day to the second, which is exclusive. If a period is split, its parts add up to the same
 * number. Unit: months. METHODOLOGY.md#months
 * @throws RangeError when a text is not a real calendar day (YYYY-MM-DD).
 */
export const monthsBetween = (from: string, to: string): Rational => subtract(dayPosition(to), dayPosition(from))

/**
 * The same day of a later month, or that month's last day if it is shorter. This is the exclusive end of a tenure.
 * METHODOLOGY.md#months
 * @param months whole number, 0 or more
 * @throws RangeError when the start is not a real calendar day.
 */
export function addMonths(start: string, months: number): string {
  const { year, month, day } = parseDay(start)
  const position = 12 * year + (month - 1) + months
  const [endYear, endMonth] = [Math.floor(position / 12), (position % 12) + 1]
  const endDay = Math.min(day, daysInMonth(endYear, endMonth))
  return `${endYear}-${String(endMonth).padStart(2, '0')}-${String(endDay).padStart(2, '0')}`
}

/**
 * The number of months that `addMonths` added to get from a start to an end; always whole. METHODOLOGY.md#months
 * @throws RangeError when a text is not a real calendar day.
 */
export function wholeMonthsBetween(start: string, end: string): number {
  const [from, to] = [parseDay(start), parseDay(end)]
  return 12 * (to.year - from.year) + (to.month - from.month)
}

export interface MonthsOfYear {
  readonly year: number
  readonly months: Rational
}

/**
 * The months of a tenure that fall into each calendar year. They add up to the tenure, whatever day it starts on. Unit:
 * months. METHODOLOGY.md#months
 * @throws RangeError when the start is not a real calendar day.
 */
export function monthsByYear(start: string, tenure: Rational): readonly MonthsOfYear[] {
  const years: MonthsOfYear[] = []
  let left = tenure
  let from = parseDay(start)
  while (compare(left, whole(0)) > 0) {
    const newYear = { year: from.year + 1, month: 1, day: 1 }
    const months = min(left, subtract(monthPosition(newYear), monthPosition(from)))
    years.push({ year: from.year, months })
    left = subtract(left, months)
    from = newYear
  }
  return years
}
