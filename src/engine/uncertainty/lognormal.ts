// The lognormal distribution in doubles, which suffice because only spreads depend on it. METHODOLOGY.md#uncertainty
import type { ERROR_MESSAGES } from './messages.ts'

/** 95 % of a normal distribution lies within this many standard deviations of its mean. */
export const COVERAGE_Z = 1.959964

/** ln 1.20: the assumed error of a published sheet that states none. */
export const DATASHEET_LOG_SD = Math.log(1.2)

/** A published mean and the standard deviation of its logarithm. */
export interface MeanAndSpread {
  /** Arithmetic mean, in any unit. */
  readonly mean: number
  readonly logSd: number
}

/** An error of a factor. Lines with the same `factor` share this error. */
export interface FactorError {
  readonly factor: string
  readonly logSd: number
}

/** An error with its kind, which has a name. */
export interface ErrorSource extends FactorError {
  readonly kind: keyof typeof ERROR_MESSAGES
}

/** An arithmetic mean with its independent, multiplicative errors. */
export interface UncertainMean {
  readonly mean: number
  readonly errors: readonly FactorError[]
}

/** The ends of the 95 % interval as multiples of the arithmetic mean: low ≤ 1 ≤ high for every logSd from 0 to 3.9. */
export function intervalOf(logSd: number): { readonly low: number; readonly high: number } {
  const middle = Math.exp(-(logSd ** 2) / 2)
  return { low: middle * Math.exp(-COVERAGE_Z * logSd), high: middle * Math.exp(COVERAGE_Z * logSd) }
}

/** Combines independent multiplicative errors: their logarithms add up in quadrature. */
export const combine = (...logSds: readonly number[]): number => Math.hypot(...logSds)

/** Standard deviation of the logarithm of one mean. */
export const logSdOf = ({ errors }: UncertainMean): number => combine(...errors.map(({ logSd }) => logSd))

/** Shared errors are fully correlated, so the deviations that they alone cause are multiplied. */
export const covariance = (a: UncertainMean, b: UncertainMean): number => sharedDeviation(a, b) * sharedDeviation(b, a)

function sharedDeviation({ mean, errors }: UncertainMean, other: UncertainMean): number {
  const shared = errors.filter(({ factor }) => other.errors.some((error) => error.factor === factor))
  return mean * deviation(shared)
}

/** Relative standard deviation caused by these errors alone. */
export const deviation = (errors: readonly Pick<FactorError, 'logSd'>[]): number =>
  Math.sqrt(Math.expm1(errors.reduce((sum, { logSd }) => sum + logSd ** 2, 0)))

/** First-order spread of a sum: each line's spread is weighted by its share of the total. */
export function sumSpreadFirstOrder(lines: readonly MeanAndSpread[]): MeanAndSpread {
  const mean = lines.reduce((sum, line) => sum + line.mean, 0)
  return { mean, logSd: Math.hypot(...lines.map((line) => (line.mean / mean) * line.logSd)) }
}

export const standardDeviation = ({ mean, logSd }: MeanAndSpread): number => mean * Math.sqrt(Math.expm1(logSd ** 2))
