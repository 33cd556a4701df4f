// How far a figure may move without a reason.
import { compare, multiply, parseDecimal, subtract, type Rational } from '../numbers/rational.ts'

/** A share of the old figure. */
const JUMP = parseDecimal('0.2')

/** True if a figure moved by more than 20 % of the old one, or from 0. Both are 0 or more. */
export function isFar(old: Rational, current: Rational): boolean {
  const moved = compare(current, old) < 0 ? subtract(old, current) : subtract(current, old)
  return compare(moved, multiply(old, JUMP)) > 0
}
