// Allocation of an order's transport and packaging emissions to its devices by mass, exact to the milligram.
import type { Milligrams, Part } from './numbers/emission.ts'
import type { Rational } from './numbers/rational.ts'

/**
 * Converts the weights to integers in one common unit, so that all lines of an order can reuse them. If any weight is
 * unknown, or all are zero, every device gets the same weight: mass and equal weights are never mixed within an order.
 * An order's only device gets the complete emission, whatever its weight.
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
 * Splits an emission by weight with the largest-remainder rule: shares are rounded down, and the milligrams left over
 * go to the largest remainders; in a tie, to the earlier position. The shares add up to the emission exactly. A
 * negative emission is split by its magnitude. METHODOLOGY.md#allocation
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

/** What each device gets of all lines of packaging and transportation. @param weights of the devices, at least one */
export function allocateLines(
  lines: readonly { readonly part: Part; readonly emission: Milligrams }[],
  weights: readonly (Rational | null)[],
): readonly Shares[] {
  const units = toIntegerWeights(weights)
  const shares = weights.map((): Shares => ({ packaging: 0n, transportation: 0n }))
  for (const { part, emission } of lines) {
    if (part !== 'packaging' && part !== 'transportation') continue
    for (const [at, share] of allocate(emission, units).entries()) shares[at]![part] += share
  }
  return shares
}

type Shares = Record<'packaging' | 'transportation', Milligrams>

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
