// Natural logarithm and exponential of exact numbers, to twenty decimals, with the same digits on every machine.
import { roundHalfAway, multiply, rational, whole, type Rational } from './rational.ts'

const DECIMALS = 20n
/** Extra digits, so that the last retained digit is correct even if exp makes the number ten digits longer. */
const GUARD = 20n
const UNIT = 10n ** (DECIMALS + GUARD)
/** A larger result of exp is not a plausible footprint of a device, and would need more guard digits. */
const EXPONENT_MAX = 25

/** 2 × (z + z³ ÷ 3 + z⁵ ÷ 5 + …) for z in multiples of 1 ÷ UNIT, which is ln((1 + z) ÷ (1 − z)). */
function doubleArtanh(z: bigint): bigint {
  const square = (z * z) / UNIT
  let power = z
  let total = 0n
  for (let odd = 1n; power !== 0n; odd += 2n) {
    total += power / odd
    power = (power * square) / UNIT
  }
  return 2n * total
}

const LN_2 = doubleArtanh(UNIT / 3n)

/** Rounds a number with guard digits to the retained decimals. */
const keep = (units: bigint): Rational => rational(roundHalfAway(rational(units, 10n ** GUARD)), 10n ** DECIMALS)

const toUnits = (value: Rational): bigint => roundHalfAway(multiply(value, whole(UNIT)))

/**
 * Natural logarithm, rounded to 20 decimals.
 * @throws RangeError when the number is not greater than zero
 */
export function ln({ numerator, denominator }: Rational): Rational {
  if (numerator <= 0n) throw new RangeError('Only a number greater than zero has a logarithm')
  // x = m × 2^halvings with m near 1, where the series is short.
  let halvings = BigInt(numerator.toString(2).length - denominator.toString(2).length)
  const scaled =
    halvings >= 0n ? (numerator * UNIT) / (denominator << halvings) : ((numerator << -halvings) * UNIT) / denominator
  let nearOne = scaled
  if (nearOne * 3n > UNIT * 4n) {
    nearOne /= 2n
    halvings += 1n
  } else if (nearOne * 3n < UNIT * 2n) {
    nearOne *= 2n
    halvings -= 1n
  }
  return keep(doubleArtanh(((nearOne - UNIT) * UNIT) / (nearOne + UNIT)) + halvings * LN_2)
}

/**
 * e to the power of a number, rounded to 20 decimals.
 * @param exponent −25 to 25
 * @throws RangeError outside this range
 */
export function exp(exponent: Rational): Rational {
  const units = toUnits(exponent)
  if (units > BigInt(EXPONENT_MAX) * UNIT || units < BigInt(-EXPONENT_MAX) * UNIT) {
    throw new RangeError(`An exponent must be from −${EXPONENT_MAX} to ${EXPONENT_MAX}`)
  }
  const doublings = roundHalfAway(rational(units, LN_2))
  const rest = units - doublings * LN_2
  let term = UNIT
  let total = 0n
  for (let step = 1n; term !== 0n; step += 1n) {
    total += term
    term = (term * rest) / (UNIT * step)
  }
  return keep(doublings >= 0n ? total << doublings : total >> -doublings)
}
