// The lognormal distribution in doubles: this is about spread, not about an emission. METHODOLOGY.md#uncertainty

/** Of a normal distribution, 95 % lie within so many standard deviations of its middle. */
export const COVERAGE_Z = 1.959964

/** ln 1.20: what a published sheet may be off by where it does not say so itself. */
export const DATASHEET_LOG_SD = Math.log(1.2)

/** A published mean and the standard deviation of its logarithm. */
export interface MeanAndSpread {
  /** Arithmetic mean, in any unit. */
  readonly mean: number
  readonly logSd: number
}

/** Something that may be off: lines that name the same factor err together in it. */
export interface ErrorSource {
  readonly factor: string
  /** What may be off, in words. */
  readonly name: string
  readonly logSd: number
}

/** An arithmetic mean with the independent errors that multiply in it. */
export interface UncertainMean {
  readonly mean: number
  readonly errors: readonly ErrorSource[]
}

/** What of an arithmetic mean the two ends of its 95 % interval are: low ≤ 1 ≤ high for every logSd from 0 to 3.9. */
export function intervalOf(logSd: number): { readonly low: number; readonly high: number } {
  const middle = Math.exp(-(logSd ** 2) / 2)
  return { low: middle * Math.exp(-COVERAGE_Z * logSd), high: middle * Math.exp(COVERAGE_Z * logSd) }
}

/** Independent errors that multiply: their logarithms add up in quadrature. */
export const combine = (...logSds: readonly number[]): number => Math.hypot(...logSds)

/** Standard deviation of the logarithm of one mean. */
export const logSdOf = ({ errors }: UncertainMean): number => combine(...errors.map(({ logSd }) => logSd))

/** The errors that both share are wholly correlated: the deviations that they alone would make are multiplied. */
export const covariance = (a: UncertainMean, b: UncertainMean): number => sharedDeviation(a, b) * sharedDeviation(b, a)

function sharedDeviation({ mean, errors }: UncertainMean, other: UncertainMean): number {
  const shared = errors.filter(({ factor }) => other.errors.some((error) => error.factor === factor))
  return mean * deviation(shared)
}

/** Relative standard deviation of what errs by these alone. */
export const deviation = (errors: readonly Pick<ErrorSource, 'logSd'>[]): number =>
  Math.sqrt(Math.expm1(errors.reduce((sum, { logSd }) => sum + logSd ** 2, 0)))

/** Spread of a sum to first order: each line's by its share of the whole. */
export function sumSpreadFirstOrder(lines: readonly MeanAndSpread[]): MeanAndSpread {
  const mean = lines.reduce((sum, line) => sum + line.mean, 0)
  return { mean, logSd: Math.hypot(...lines.map((line) => (line.mean / mean) * line.logSd)) }
}

export const standardDeviation = ({ mean, logSd }: MeanAndSpread): number => mean * Math.sqrt(Math.expm1(logSd ** 2))
