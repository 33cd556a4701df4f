// Shares of an order's transport and packaging for each of its devices, by mass, adding up to the last milligram.
import type { Milligrams } from './numbers/emission.ts'
import type { Rational } from './numbers/rational.ts'

/**
 * Weights brought to whole numbers of one unit, so that one order's many lines share the work.
 * If any weight is unknown, or all are zero, every device weighs the same: keys are never mixed within an order. One
 * alone carries all, whatever it weighs.
 */
export function toIntegerWeights(weights: readonly (Rational | null)[]): readonly bigint[] {
  const equal = weights.map(() => 1n)
  if (weights.length === 1 || weights.some((weight) => weight === null)) return equal
  const known = weights as readonly Rational[]
  const unit = known.reduce((common, { denominator }) => leastCommonMultiple(common, denominator), 1n)
  const units = known.map(({ numerator, denominator }) => numerator * (unit / denominator))
  return units.every((weight) => weight === 0n) ? equal : units
}

/**
 * Splits an emission by weight with the largest-remainder rule: shares are floored, and the milligrams left over go
 * to the largest remainders, ties to the earlier position. The shares add up to the emission exactly; a negative
 * emission is split as its magnitude. METHODOLOGY.md#allocation
 * @param weights 0 or more each, not all zero (see toIntegerWeights)
 */
export function allocate(emission: Milligrams, weights: readonly bigint[]): readonly Milligrams[] {
  if (weights.length === 1) return [emission]
  const magnitude = emission < 0n ? -emission : emission
  const total = weights.reduce((sum, weight) => sum + weight, 0n)
  const shares = weights.map((weight) => (magnitude * weight) / total)
  const leftOver = Number(shares.reduce((left, share) => left - share, magnitude))
  for (const position of largestRemainders(magnitude, weights, total).slice(0, leftOver)) shares[position]! += 1n
  return emission < 0n ? shares.map((share) => -share) : shares
}

function largestRemainders(magnitude: bigint, weights: readonly bigint[], total: bigint): readonly number[] {
  const remainders = weights.map((weight) => (magnitude * weight) % total)
  return remainders
    .map((_, position) => position)
    .sort((a, b) => (remainders[a]! === remainders[b]! ? a - b : remainders[a]! > remainders[b]! ? -1 : 1))
}

function leastCommonMultiple(a: bigint, b: bigint): bigint {
  if (a % b === 0n) return a
  let [high, low] = [a, b]
  while (low !== 0n) [high, low] = [low, high % low]
  return (a / high) * b
}
