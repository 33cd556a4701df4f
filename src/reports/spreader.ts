// How far off sums may be whose lines share errors: as engine/lognormal.ts has it, for many groups of one report.
import { covariance, type ErrorSource } from '../engine/lognormal.ts'

/** Of a sum of means, each with the number of its source, none twice: the standard deviation of the logarithm. */
export type SpreadOf = (sources: ArrayLike<number>, means: ArrayLike<number>, count: number) => number

/**
 * What two sources share is looked up once for all groups.
 * @param errors of each source
 */
export function createSpreader(errors: readonly (readonly ErrorSource[])[]): SpreadOf {
  const sure = errors.map((own) => ({ mean: 1, errors: own }))
  const variances = Float64Array.from(sure, (one) => covariance(one, one))
  const all = partnersOf(errors).map((others) => [...others])
  /** Of a source, those from its start to that of the next; with each, twice what the two have in common. */
  const starts = new Int32Array(errors.length + 1)
  for (const [source, others] of all.entries()) starts[source + 1] = starts[source]! + others.length
  const partners = Int32Array.from(all.flat())
  const twice = Float64Array.from(
    all.flatMap((others, at) => others.map((other) => 2 * covariance(sure[at]!, sure[other]!))),
  )
  const meanOf = new Float64Array(errors.length)
  return (sources, means, count) => {
    let [mean, variance] = [0, 0]
    for (let at = 0; at < count; at += 1) {
      const [source, own] = [sources[at]!, means[at]!]
      let shared = own * variances[source]!
      // Of two that share errors, whichever comes second finds the first.
      for (let next = starts[source]!; next < starts[source + 1]!; next += 1)
        shared += meanOf[partners[next]!]! * twice[next]!
      mean += own
      variance += own * shared
      meanOf[source] = own
    }
    for (let at = 0; at < count; at += 1) meanOf[sources[at]!] = 0
    // What cancels out leaves rounding errors of either sign.
    return mean === 0 ? 0 : Math.sqrt(Math.log1p(Math.max(0, variance) / mean ** 2))
  }
}

/** By source: all others that may be off by a factor that it is off by, too. */
function partnersOf(errors: readonly (readonly ErrorSource[])[]): readonly ReadonlySet<number>[] {
  const partners = errors.map(() => new Set<number>())
  const byFactor = new Map<string, number[]>()
  for (const [source, own] of errors.entries()) {
    for (const { factor } of own) {
      const others = byFactor.get(factor) ?? []
      for (const other of others) {
        partners[source]!.add(other)
        partners[other]!.add(source)
      }
      byFactor.set(factor, [...others, source])
    }
  }
  return partners
}
