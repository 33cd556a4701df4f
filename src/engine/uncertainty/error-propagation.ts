// Uncertainty of sums whose lines share errors, for one or for many sums. METHODOLOGY.md#uncertainty
import { covariance, deviation, type FactorError, type MeanAndSpread, type UncertainMean } from './lognormal.ts'

/** The standard deviation of the logarithm of a sum of means, each with its source's index, no source twice. */
export type PropagateError = (sources: ArrayLike<number>, means: ArrayLike<number>, count: number) => number

/**
 * Spread of a sum, as that of a lognormal with the same mean and variance (Fenton–Wilkinson). Errors that two lines
 * share are fully correlated; all other errors are independent.
 */
export function propagateSum(lines: readonly UncertainMean[]): MeanAndSpread {
  const groups = grouped(lines)
  const spreadOf = createErrorPropagator(groups.map(({ errors }) => errors))
  const means = groups.map((group) => group.mean)
  return { mean: means.reduce((sum, mean) => sum + mean, 0), logSd: spreadOf([...groups.keys()], means, groups.length) }
}

/** Groups lines with the same errors into one, so that a thousand rentals of a model take no more work than one. */
function grouped(lines: readonly UncertainMean[]): readonly UncertainMean[] {
  const groups = new Map<string, { mean: number; readonly errors: UncertainMean['errors'] }>()
  for (const { mean, errors } of lines) {
    const key = errors.map(({ factor, logSd }) => `${factor}\0${logSd}`).join('\0')
    const group = groups.get(key)
    if (group) group.mean += mean
    else groups.set(key, { mean, errors })
  }
  return [...groups.values()]
}

/**
 * Finds shared errors once for all sums. The deviations that a factor causes are added over all its sources and then
 * squared, so that a thousand models on one grid take a thousand steps instead of a million. Pairs are examined one by
 * one only if two sources share several factors.
 * @param errors of each source
 */
export function createErrorPropagator(errors: readonly (readonly FactorError[])[]): PropagateError {
  const shared = sharedFactors(errors)
  const alike = pairsOfSeveral(errors)
  const looked = {
    ...shared,
    alike,
    own: Float64Array.from(errors, (all) => covariance({ mean: 1, errors: all }, { mean: 1, errors: all })),
    // Most sources share nothing with others and need no lookup.
    isAlone: Uint8Array.from(alike, (others, source) =>
      Number(others === null && shared.starts[source] === shared.starts[source + 1]),
    ),
    sums: new Float64Array(shared.size),
    squares: new Float64Array(shared.size),
    meanOf: new Float64Array(errors.length),
  }
  return (sources, means, count) => spreadIn(looked, sources, means, count)
}

interface LookedUp extends ReturnType<typeof sharedFactors> {
  readonly alike: ReturnType<typeof pairsOfSeveral>
  readonly own: Float64Array
  readonly isAlone: Uint8Array
  /** All zero between two calls, like the next two arrays. */
  readonly sums: Float64Array
  readonly squares: Float64Array
  readonly meanOf: Float64Array
}

const NONE: NonNullable<LookedUp['alike'][number]> = []

/** One function for all reports, which V8 optimises once; a new closure for each report would start unoptimised. */
function spreadIn(
  { own, isAlone, starts, factors, deviations, alike, sums, squares, meanOf }: LookedUp,
  sources: ArrayLike<number>,
  means: ArrayLike<number>,
  count: number,
): number {
  // Millions of values are added; iterating here and below over [index, value] pairs would create objects to collect.
  let mean = 0
  let variance = 0
  for (let at = 0; at < count; at += 1) {
    const source = sources[at]!
    const one = means[at]!
    mean += one
    variance += one * one * own[source]!
    if (isAlone[source] === 1) continue
    for (let next = starts[source]!; next < starts[source + 1]!; next += 1) {
      const off = one * deviations[next]!
      sums[factors[next]!]! += off
      squares[factors[next]!]! += off * off
    }
    // For two sources that share several factors, the second one to be processed finds the first.
    const others = alike[source] ?? NONE
    for (let no = 0; no < others.length; no += 1) variance += one * meanOf[others[no]!.other]! * others[no]!.twice
    meanOf[source] = one
  }
  for (let at = 0; at < count; at += 1) {
    const source = sources[at]!
    if (isAlone[source] === 1) continue
    meanOf[source] = 0
    for (let next = starts[source]!; next < starts[source + 1]!; next += 1) {
      const factor = factors[next]!
      variance += sums[factor]! ** 2 - squares[factor]!
      sums[factor] = squares[factor] = 0
    }
  }
  // Terms that cancel out can leave rounding errors of either sign.
  return mean === 0 ? 0 : Math.sqrt(Math.log1p(Math.max(0, variance) / mean ** 2))
}

/** The factors that several sources share: those of a source lie between its start and the next. Others are omitted. */
function sharedFactors(errors: readonly (readonly FactorError[])[]) {
  const counts = new Map<string, number>()
  for (const { factor } of errors.flat()) counts.set(factor, (counts.get(factor) ?? 0) + 1)
  const several = [...counts].flatMap(([factor, count]) => (count > 1 ? [factor] : []))
  const numbers = new Map(several.map((factor, number) => [factor, number]))
  const shared = errors.map((all) => all.filter(({ factor }) => numbers.has(factor)))
  const starts = new Int32Array(errors.length + 1)
  for (const [source, all] of shared.entries()) starts[source + 1] = starts[source]! + all.length
  return {
    starts,
    factors: Int32Array.from(shared.flat(), ({ factor }) => numbers.get(factor)!),
    deviations: Float64Array.from(shared.flat(), (error) => deviation([error])),
    size: numbers.size,
  }
}

/** By source, the others that share several factors with it, and twice the excess over the factors' separate sum. */
function pairsOfSeveral(errors: readonly (readonly FactorError[])[]) {
  const pairs = errors.map(() => new Map<number, number>())
  const byFactors = new Map<string, number[]>()
  for (const [source, own] of errors.entries()) {
    for (const [at, { factor }] of own.entries()) {
      for (const next of own.slice(at + 1)) {
        const key = [factor, next.factor].sort().join('\0')
        const others = byFactors.get(key) ?? []
        for (const other of others) {
          const twice = 2 * excess(own, errors[other]!)
          pairs[source]!.set(other, twice)
          pairs[other]!.set(source, twice)
        }
        others.push(source)
        byFactors.set(key, others)
      }
    }
  }
  return pairs.map((all) => (all.size === 0 ? null : [...all].map(([other, twice]) => ({ other, twice }))))
}

function excess(a: readonly FactorError[], b: readonly FactorError[]): number {
  const single = a.reduce((sum, error) => {
    const same = b.find(({ factor }) => factor === error.factor)
    return same ? sum + deviation([error]) * deviation([same]) : sum
  }, 0)
  return covariance({ mean: 1, errors: a }, { mean: 1, errors: b }) - single
}
