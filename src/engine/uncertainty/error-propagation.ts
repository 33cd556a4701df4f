// How far off a sum may be whose lines share errors, once or for many sums. METHODOLOGY.md#uncertainty
import { covariance, deviation, type ErrorSource, type MeanAndSpread, type UncertainMean } from './lognormal.ts'

/** Of a sum of means, each with the number of its source, none twice: the standard deviation of the logarithm. */
export type PropagateError = (sources: ArrayLike<number>, means: ArrayLike<number>, count: number) => number

/**
 * Spread of a sum as that of a lognormal with the same mean and variance (Fenton–Wilkinson). What errors
 * two lines share is wholly correlated; all else is independent.
 */
export function propagateSum(lines: readonly UncertainMean[]): MeanAndSpread {
  const groups = grouped(lines)
  const spreadOf = createErrorPropagator(groups.map(({ errors }) => errors))
  const means = groups.map((group) => group.mean)
  return { mean: means.reduce((sum, mean) => sum + mean, 0), logSd: spreadOf([...groups.keys()], means, groups.length) }
}

/** Lines with the same errors are as one: a thousand rentals of a model are no more work than one. */
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
 * What sources share is looked up once for all sums. What a factor makes all of its sources err by is added up before
 * it is squared, so that a thousand models by one grid are a thousand steps and no million; only of two sources that
 * share several factors is the pair looked at.
 * @param errors of each source
 */
export function createErrorPropagator(errors: readonly (readonly ErrorSource[])[]): PropagateError {
  const shared = sharedFactors(errors)
  const alike = pairsOfSeveral(errors)
  const looked = {
    ...shared,
    alike,
    own: Float64Array.from(errors, (all) => covariance({ mean: 1, errors: all }, { mean: 1, errors: all })),
    // Most share nothing with any other: there is nothing to look up for them.
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
  /** All 0 between two sums, as are the next two. */
  readonly sums: Float64Array
  readonly squares: Float64Array
  readonly meanOf: Float64Array
}

const NONE: NonNullable<LookedUp['alike'][number]> = []

/** One function for all reports, which V8 makes fast once: a function of each report would begin slowly each time. */
function spreadIn(
  { own, isAlone, starts, factors, deviations, alike, sums, squares, meanOf }: LookedUp,
  sources: ArrayLike<number>,
  means: ArrayLike<number>,
  count: number,
): number {
  // Millions are added up: as pairs, they and those below would be objects to be cleared up.
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
    // Of two that share several, whichever comes second finds the first.
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
  // What cancels out leaves rounding errors of either sign.
  return mean === 0 ? 0 : Math.sqrt(Math.log1p(Math.max(0, variance) / mean ** 2))
}

/** What several sources err by: of a source, from its start to that of the next. What one errs by alone is left out. */
function sharedFactors(errors: readonly (readonly ErrorSource[])[]) {
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

/** By source: others that share several factors with it, and twice what that is more than what each factor makes. */
function pairsOfSeveral(errors: readonly (readonly ErrorSource[])[]) {
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

function excess(a: readonly ErrorSource[], b: readonly ErrorSource[]): number {
  const single = a.reduce((sum, error) => {
    const same = b.find(({ factor }) => factor === error.factor)
    return same ? sum + deviation([error]) * deviation([same]) : sum
  }, 0)
  return covariance({ mean: 1, errors: a }, { mean: 1, errors: b }) - single
}
