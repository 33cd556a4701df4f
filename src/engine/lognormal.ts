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

/** Something that may be off: lines that name the same factor err together in it. */
export interface ErrorSource {
  readonly factor: string
  /** What may be off, in words. */
  readonly name: string
  readonly logSd: number
}

/** An arithmetic mean with the independent errors that multiply in it. */
export interface UnsureMean {
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
export const logSdOf = ({ errors }: UnsureMean): number => combine(...errors.map(({ logSd }) => logSd))

/**
 * Spread of a sum as that of a lognormal with the same mean and variance (Fenton–Wilkinson). What errors
 * two lines share is wholly correlated; all else is independent.
 */
export function sumSpread(lines: readonly UnsureMean[]): Spread {
  const groups = grouped(lines)
  const mean = groups.reduce((sum, group) => sum + group.mean, 0)
  const variance = groups.reduce((sum, group) => sum + covariance(group, group), 0)
  const shared = pairsOfOneFactor(groups).reduce((sum, [a, b]) => sum + 2 * covariance(a, b), 0)
  // What cancels out leaves rounding errors of either sign.
  return { mean, logSd: mean === 0 ? 0 : Math.sqrt(Math.log1p(Math.max(0, variance + shared) / mean ** 2)) }
}

/** Lines with the same errors are as one: a thousand rentals of a model are no more work than one. */
function grouped(lines: readonly UnsureMean[]): readonly UnsureMean[] {
  const groups = new Map<string, { mean: number; readonly errors: UnsureMean['errors'] }>()
  for (const { mean, errors } of lines) {
    const key = errors.map(({ factor, logSd }) => `${factor}\0${logSd}`).join('\0')
    const group = groups.get(key)
    if (group) group.mean += mean
    else groups.set(key, { mean, errors })
  }
  return [...groups.values()]
}

/** The errors that both share are wholly correlated: the deviations that they alone would make are multiplied. */
export const covariance = (a: UnsureMean, b: UnsureMean): number => sharedDeviation(a, b) * sharedDeviation(b, a)

function sharedDeviation({ mean, errors }: UnsureMean, other: UnsureMean): number {
  const shared = errors.filter(({ factor }) => other.errors.some((error) => error.factor === factor))
  return mean * Math.sqrt(Math.expm1(shared.reduce((sum, { logSd }) => sum + logSd ** 2, 0)))
}

/** Each pair once, however many factors it shares. */
function pairsOfOneFactor(groups: readonly UnsureMean[]): readonly (readonly [UnsureMean, UnsureMean])[] {
  const byFactor = new Map<string, number[]>()
  for (const [at, { errors }] of groups.entries()) {
    for (const { factor } of errors) byFactor.set(factor, [...(byFactor.get(factor) ?? []), at])
  }
  const pairs = new Map<string, readonly [UnsureMean, UnsureMean]>()
  for (const sharing of byFactor.values()) {
    for (const [place, at] of sharing.entries()) {
      for (const other of sharing.slice(place + 1)) pairs.set(`${at} ${other}`, [groups[at]!, groups[other]!])
    }
  }
  return [...pairs.values()]
}

/** Spread of a sum to first order: each line's by its share of the whole. */
export function sumSpreadFirstOrder(lines: readonly Spread[]): Spread {
  const mean = lines.reduce((sum, line) => sum + line.mean, 0)
  return { mean, logSd: Math.hypot(...lines.map((line) => (line.mean / mean) * line.logSd)) }
}

export const standardDeviation = ({ mean, logSd }: Spread): number => mean * Math.sqrt(Math.expm1(logSd ** 2))
