// Exact numbers as ratios of two integers, so that no figure passes through binary floating point.

/** An exact rational number; the denominator is always greater than zero. Not kept in lowest terms. */
export interface Rational {
  readonly numerator: bigint
  readonly denominator: bigint
}

const POWERS_OF_TEN = Array.from({ length: 400 }, (_, power) => 10n ** BigInt(power))
const DECIMAL = /^(?<sign>-?)(?<whole>\d+)(?:\.(?<fraction>\d+))?(?:[eE](?<exponent>[+-]?\d{1,3}))?$/
const FRACTION = /^(-?\d+)\/(\d+)$/
const PLAIN_DECIMAL = /^\d{1,15}(?:\.\d{1,15})?$/

const SAFE_MAX = BigInt(Number.MAX_SAFE_INTEGER)

const powerOfTen = (power: number): bigint => POWERS_OF_TEN[power] ?? 10n ** BigInt(power)

export const rational = (numerator: bigint, denominator: bigint): Rational => {
  if (denominator <= 0n) throw new RangeError(`A denominator must be greater than zero, not ${denominator}`)
  return { numerator, denominator }
}

export const whole = (value: number | bigint): Rational => ({ numerator: BigInt(value), denominator: 1n })

export const ZERO: Rational = whole(0)
export const ONE: Rational = whole(1)

/**
 * Parses a decimal as written ("0.121", "1e-7"), exactly.
 * @throws RangeError when the text is not a finite decimal number.
 */
export function parseDecimal(text: string): Rational {
  if (PLAIN_DECIMAL.test(text)) return parsePlainDecimal(text)
  const parts = DECIMAL.exec(text)?.groups
  if (!parts) throw new RangeError(`"${text}" is not a decimal number`)
  const digits = BigInt(parts['whole']! + (parts['fraction'] ?? ''))
  const scale = (parts['fraction'] ?? '').length - Number(parts['exponent'] ?? 0)
  const magnitude =
    scale > 0 ? { numerator: digits, denominator: powerOfTen(scale) } : whole(digits * powerOfTen(-scale))
  return parts['sign'] === '-' ? negate(magnitude) : magnitude
}

/**
 * Converts a number from JSON or from a script exactly, to the decimal that it prints as. No two decimals of up to
 * fifteen digits are the same double, so one that converts back to the number is the right one. Printing and parsing
 * would take ten times as long.
 */
export function rationalOfNumber(number: number): Rational {
  for (let scale = 0, power = 1; scale <= SCALE_TRIED_MAX; scale += 1, power *= 10) {
    const units = Math.round(number * power)
    if (units / power === number && Math.abs(units) < FIFTEEN_DIGITS)
      return { numerator: BigInt(units), denominator: powerOfTen(scale) }
  }
  return parseDecimal(String(number))
}

/** Weights and distances hardly ever have more decimals. */
const SCALE_TRIED_MAX = 4
const FIFTEEN_DIGITS = 1e15

/** The common case, without a regular expression with named groups, because every order is parsed here. */
function parsePlainDecimal(text: string): Rational {
  const point = text.indexOf('.')
  if (point === -1) return { numerator: BigInt(text), denominator: 1n }
  return {
    numerator: BigInt(text.slice(0, point) + text.slice(point + 1)),
    denominator: powerOfTen(text.length - point - 1),
  }
}

export const multiply = (a: Rational, b: Rational): Rational => ({
  numerator: a.numerator * b.numerator,
  denominator: a.denominator * b.denominator,
})

/** @throws RangeError when `b` is not greater than zero; the method never divides by such a number. */
export const divide = (a: Rational, b: Rational): Rational =>
  rational(a.numerator * b.denominator, a.denominator * b.numerator)

export function add(a: Rational, b: Rational): Rational {
  if (a.numerator === 0n) return b
  if (b.numerator === 0n) return a
  if (a.denominator === b.denominator) return { numerator: a.numerator + b.numerator, denominator: a.denominator }
  return {
    numerator: a.numerator * b.denominator + b.numerator * a.denominator,
    denominator: a.denominator * b.denominator,
  }
}

export const negate = (a: Rational): Rational => ({ numerator: -a.numerator, denominator: a.denominator })

export const subtract = (a: Rational, b: Rational): Rational => add(a, negate(b))

/** Negative, zero or positive if `a` is less than, equal to or greater than `b`. */
export function compare(a: Rational, b: Rational): number {
  const left = a.numerator * b.denominator
  const right = b.numerator * a.denominator
  return left < right ? -1 : left > right ? 1 : 0
}

export const min = (a: Rational, b: Rational): Rational => (compare(a, b) <= 0 ? a : b)
export const max = (a: Rational, b: Rational): Rational => (compare(a, b) >= 0 ? a : b)

/** The same number in lowest terms; only worth its cost for numbers that are stored or accumulated. */
export function reduce(a: Rational): Rational {
  if (a.denominator === 1n) return a
  const divisor = greatestCommonDivisor(a.numerator < 0n ? -a.numerator : a.numerator, a.denominator)
  return { numerator: a.numerator / divisor, denominator: a.denominator / divisor }
}

/** Uses plain numbers once both values fit, as nearly all do from the start: every bigint step allocates memory. */
function greatestCommonDivisor(a: bigint, b: bigint): bigint {
  while (b > SAFE_MAX || a > SAFE_MAX) {
    if (b === 0n) return a
    ;[a, b] = [b, a % b]
  }
  let [left, right] = [Number(a), Number(b)]
  while (right !== 0) [left, right] = [right, left % right]
  return BigInt(left)
}

/** The nearest whole number, halves away from zero (METHODOLOGY.md#rounding). */
export function roundHalfAway(a: Rational): bigint {
  const doubled = (a.numerator < 0n ? -a.numerator : a.numerator) * 2n
  const rounded = (doubled + a.denominator) / (a.denominator * 2n)
  return a.numerator < 0n ? -rounded : rounded
}

/** The shortest decimal that equals the number, or its value rounded half away from zero to `digitsMax` decimals. */
export function toDecimal(a: Rational, digitsMax = 12): string {
  return decimalOf(roundHalfAway(multiply(a, whole(powerOfTen(digitsMax)))), digitsMax)
}

/** An exact number as text: a finite decimal if possible, else a fraction in lowest terms. */
export function toExactText(a: Rational): string {
  const { numerator, denominator } = reduce(a)
  let [rest, twos, fives] = [denominator, 0, 0]
  for (; rest % 2n === 0n; twos += 1) rest /= 2n
  for (; rest % 5n === 0n; fives += 1) rest /= 5n
  return rest === 1n ? toDecimal(a, Math.max(twos, fives)) : `${numerator}/${denominator}`
}

/** An exact number as stored in a ledger: an integer if possible, else a fraction in lowest terms. */
export function toFractionText(a: Rational): string {
  const { numerator, denominator } = reduce(a)
  return denominator === 1n ? `${numerator}` : `${numerator}/${denominator}`
}

/**
 * Parses an exact number in either of these two formats.
 * @throws RangeError when the text is in neither format
 */
export function fromExactText(text: string): Rational {
  const fraction = FRACTION.exec(text)
  return fraction ? rational(BigInt(fraction[1]!), BigInt(fraction[2]!)) : parseDecimal(text)
}

/** An integer in the unit 10^-scale, as the shortest decimal: (9928900n, 6) is "9.9289". */
export function decimalOf(units: bigint, scale: number): string {
  const sign = units < 0n ? '-' : ''
  const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, '0')
  const whole = digits.slice(0, digits.length - scale)
  let end = digits.length
  while (end > whole.length && digits.charCodeAt(end - 1) === 48) end -= 1
  return end === whole.length ? sign + whole : `${sign}${whole}.${digits.slice(whole.length, end)}`
}
