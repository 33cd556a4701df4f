// Exact fractions and calendar days for the reference model of ledgers: naive, and shared with no product code.

export interface Fraction {
  readonly over: bigint
  readonly under: bigint
}

const gcd = (a: bigint, b: bigint): bigint => (b === 0n ? a : gcd(b, a % b))

/** Lowest terms, the sign above. */
export function fraction(over: bigint | number, under: bigint | number = 1n): Fraction {
  const [a, b] = [BigInt(over), BigInt(under)]
  const divisor = gcd(a < 0n ? -a : a, b < 0n ? -b : b) * (b < 0n ? -1n : 1n)
  return { over: a / divisor, under: b / divisor }
}

export const ZERO = fraction(0)
export const plus = (a: Fraction, b: Fraction): Fraction =>
  fraction(a.over * b.under + b.over * a.under, a.under * b.under)
export const minus = (a: Fraction, b: Fraction): Fraction => plus(a, fraction(-b.over, b.under))
export const times = (a: Fraction, b: Fraction): Fraction => fraction(a.over * b.over, a.under * b.under)
export const over = (a: Fraction, b: Fraction): Fraction => fraction(a.over * b.under, a.under * b.over)
export const isLess = (a: Fraction, b: Fraction): boolean => a.over * b.under < b.over * a.under
export const least = (a: Fraction, b: Fraction): Fraction => (isLess(b, a) ? b : a)

/** To a whole number, half away from zero. */
export function rounded({ over: above, under }: Fraction): bigint {
  const magnitude = ((above < 0n ? -above : above) * 2n + under) / (2n * under)
  return above < 0n ? -magnitude : magnitude
}

/** A kilogram figure as written, in milligrams. */
export function milligramsOf(kilograms: string): Fraction {
  const [whole, decimals = ''] = kilograms.split('.')
  return fraction(BigInt(whole! + decimals) * 1_000_000n, 10n ** BigInt(decimals.length))
}

const MONTH_DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
const isLeap = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
const daysIn = (year: number, month: number): number => (month === 2 && isLeap(year) ? 29 : MONTH_DAYS[month - 1]!)

const partsOf = (day: string) => day.split('-').map(Number) as [number, number, number]
const write = (year: number, month: number, day: number): string =>
  [String(year).padStart(4, '0'), String(month).padStart(2, '0'), String(day).padStart(2, '0')].join('-')

/** The same day so many months on, or the month's last where it is shorter. */
export function monthsLater(day: string, months: number): string {
  const [year, month, dayOfMonth] = partsOf(day)
  const count = year * 12 + month - 1 + months
  const [laterYear, laterMonth] = [Math.floor(count / 12), (count % 12) + 1]
  return write(laterYear, laterMonth, Math.min(dayOfMonth, daysIn(laterYear, laterMonth)))
}

/** So many days on, or back where negative. */
export function daysLater(day: string, days: number): string {
  let [year, month, dayOfMonth] = partsOf(day)
  for (dayOfMonth += days; dayOfMonth > daysIn(year, month);) {
    dayOfMonth -= daysIn(year, month)
    ;[year, month] = month === 12 ? [year + 1, 1] : [year, month + 1]
  }
  while (dayOfMonth < 1) {
    ;[year, month] = month === 1 ? [year - 1, 12] : [year, month - 1]
    dayOfMonth += daysIn(year, month)
  }
  return write(year, month, dayOfMonth)
}

/** Where a day stands, in months: whole ones, and the part of its own month that lies before it. */
function positionOf(day: string): Fraction {
  const [year, month, dayOfMonth] = partsOf(day)
  return plus(fraction(12 * year + month - 1), fraction(dayOfMonth - 1, daysIn(year, month)))
}

export const monthsBetween = (from: string, to: string): Fraction => minus(positionOf(to), positionOf(from))
