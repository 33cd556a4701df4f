// What rented devices emit beside what new ones would have: a comparison, which is subtracted from no emission.
import type { Milligrams } from './numbers/emission.ts'
import { ONE, divide, multiply, roundHalfAway, subtract, whole, type Rational } from './numbers/rational.ts'
import type { MatchLevel } from './uncertainty/data-quality.ts'
import { propagateSum } from './uncertainty/error-propagation.ts'
import { COVERAGE_Z, standardDeviation, type UncertainMean } from './uncertainty/lognormal.ts'

/** Both sides of a comparison. */
export interface Sides {
  /** ref: what new devices would have emitted in the same months. */
  readonly reference: Milligrams
  /** sol: what the rented devices emit, with what they were shipped by and in. */
  readonly solution: Milligrams
}

/** gross = ref − sol, below 0 if the rented devices emit more. METHODOLOGY.md#impact */
export const grossOf = ({ reference, solution }: Sides): Milligrams => reference - solution

/**
 * net(d) = d × ref − sol, rounded to milligrams. METHODOLOGY.md#impact
 * @param displacement d, the share of rentals without which a new device would have been bought, 0 to 1
 */
export const netOf = ({ reference, solution }: Sides, displacement: Rational): Milligrams =>
  roundHalfAway(multiply(whole(reference), displacement)) - solution

/**
 * (1 − r) × gross, rounded to milligrams. METHODOLOGY.md#impact
 * @param rebound r, the share of the difference that is emitted elsewhere because of it, 0 or more
 */
export const afterRebound = (sides: Sides, rebound: Rational): Milligrams =>
  roundHalfAway(multiply(whole(grossOf(sides)), subtract(ONE, rebound)))

/** sol ÷ ref: the d at which net(d) is 0; null if the reference emits nothing. METHODOLOGY.md#impact */
export const breakEvenOf = ({ reference, solution }: Sides): Rational | null =>
  reference > 0n ? divide(whole(solution), whole(reference)) : null

/** How much a comparison says of the very devices, the most first. */
export const SPECIFICITIES = ['solution_specific', 'average', 'generic'] as const
export type Specificity = (typeof SPECIFICITIES)[number]

/** A sheet of the model is specific, a figure of its family or brand an average, one of its type or weight generic. */
export function specificityOf(level: MatchLevel): Specificity {
  if (level === 'model') return 'solution_specific'
  return level === 'family' || level === 'brand-fit' || level === 'brand' ? 'average' : 'generic'
}

/** The least specific of all; null of none. */
export const leastSpecific = (all: readonly Specificity[]): Specificity | null =>
  SPECIFICITIES.findLast((one) => all.includes(one)) ?? null

/** What both sides have on one calculation basis, whose errors they share. */
export interface SidesOnBasis extends Sides {
  readonly errors: UncertainMean['errors']
}

/** The weights of both sides in a difference: 1 and 1 for gross, d and 1 for net(d), 1 − r twice with a rebound. */
export interface Weights {
  readonly reference: Rational
  readonly solution: Rational
}

/**
 * The 95 % interval of a weighted difference of two sides, rounded outward to milligrams: that of a normal
 * distribution, because a difference may be below 0. Errors that both sides share cancel out as far as their emissions
 * do.
 * METHODOLOGY.md#impact
 */
export function intervalOfDifference(
  difference: Milligrams,
  onBases: readonly SidesOnBasis[],
  weights: Weights,
): { readonly low: Milligrams; readonly high: Milligrams } {
  const [ofReference, ofSolution] = [toNumber(weights.reference), toNumber(weights.solution)]
  const lines = onBases.map(({ reference, solution, errors }) => ({
    mean: ofReference * Number(reference) - ofSolution * Number(solution),
    errors,
  }))
  const half = COVERAGE_Z * deviationOf(lines)
  return { low: difference - BigInt(Math.ceil(half)), high: difference + BigInt(Math.ceil(half)) }
}

/**
 * The spread of a sum is relative to its mean, which may be 0 here. A line without errors keeps the mean above 0, and
 * adds nothing to the deviation.
 */
function deviationOf(lines: readonly UncertainMean[]): number {
  const certain = { mean: 1 + 2 * lines.reduce((sum, { mean }) => sum + Math.abs(mean), 0), errors: [] }
  return standardDeviation(propagateSum([...lines, certain]))
}

const toNumber = ({ numerator, denominator }: Rational): number => Number(numerator) / Number(denominator)
