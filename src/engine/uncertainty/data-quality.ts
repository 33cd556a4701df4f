// How good the inputs of an order are: scores weighted by emission, and how much of it rests on primary data.
import { ZERO, add, divide, multiply, whole, type Rational } from '../numbers/ratio.ts'

/** An emission in kg CO2e, and the score from 1 (best) to 5 of what it was computed from. */
export interface WeightedScore {
  readonly emission: Rational
  readonly score: Rational
}

const total = (emissions: readonly Rational[]): Rational => emissions.reduce(add, ZERO)

/**
 * The mean score, weighted by emission. METHODOLOGY.md#uncertainty
 * @throws RangeError where nothing is emitted
 */
export const dataQualityRating = (lines: readonly WeightedScore[]): Rational =>
  divide(
    lines.map(({ emission, score }) => multiply(emission, score)).reduce(add, ZERO),
    total(lines.map(({ emission }) => emission)),
  )

/**
 * Percent of the emissions that were computed from primary data. METHODOLOGY.md#uncertainty
 * @throws RangeError where nothing is emitted
 */
export const primaryDataShare = (
  lines: readonly { readonly emission: Rational; readonly isPrimary: boolean }[],
): Rational =>
  multiply(
    whole(100),
    divide(
      total(lines.flatMap(({ emission, isPrimary }) => (isPrimary ? [emission] : []))),
      total(lines.map(({ emission }) => emission)),
    ),
  )
