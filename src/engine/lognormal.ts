// The lognormal distribution in doubles: this is about spread, not about an emission. METHODOLOGY.md#uncertainty

/** Of a normal distribution, 95 % lie within so many standard deviations of its middle. */
export const COVERAGE_Z = 1.959964

/** ln 1.20: what a published sheet may be off by where it does not say so itself. */
export const SHEET_LOG_SD = Math.log(1.2)

/** A published mean and the standard deviation of its logarithm. */
export interface Spread {
  /** Arithmetic mean, in any unit. */
  readonly mean: number
  readonly logSd: number
}

/** A spread whose factor others may share: those err together. */
export interface FactorSpread extends Spread {
  readonly factor: string
}

/** What of an arithmetic mean the two ends of its 95 % interval are: low ≤ 1 ≤ high for every logSd from 0 to 3.9. */
export function intervalOf(logSd: number): { readonly low: number; readonly high: number } {
  const middle = Math.exp(-(logSd ** 2) / 2)
  return { low: middle * Math.exp(-COVERAGE_Z * logSd), high: middle * Math.exp(COVERAGE_Z * logSd) }
}

/** Independent errors that multiply: their logarithms add up in quadrature. */
export const combine = (...logSds: readonly number[]): number => Math.hypot(...logSds)

/**
 * Spread of a sum as that of a lognormal with the same mean and variance (Fenton–Wilkinson). Lines that use one factor
 * are wholly correlated, so their standard deviations add up; all others are independent.
 */
export function sumSpread(lines: readonly FactorSpread[]): Spread {
  const deviations = new Map<string, number>()
  let mean = 0
  for (const line of lines) {
    mean += line.mean
    deviations.set(line.factor, (deviations.get(line.factor) ?? 0) + deviationOf(line))
  }
  const variance = [...deviations.values()].reduce((sum, deviation) => sum + deviation ** 2, 0)
  return { mean, logSd: mean === 0 ? 0 : Math.sqrt(Math.log1p(variance / mean ** 2)) }
}

const deviationOf = ({ mean, logSd }: Spread): number => mean * Math.sqrt(Math.expm1(logSd ** 2))

/** Spread of a sum to first order: each line's by its share of the whole. */
export function sumSpreadFirstOrder(lines: readonly Spread[]): Spread {
  const mean = lines.reduce((sum, line) => sum + line.mean, 0)
  return { mean, logSd: Math.hypot(...lines.map((line) => (line.mean / mean) * line.logSd)) }
}

export const standardDeviation = deviationOf
