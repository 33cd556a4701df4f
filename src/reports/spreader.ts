// How far off sums may be whose lines share errors: as engine/lognormal.ts has it, for many groups of one report.
import { logSdOf, sumSpread, type ErrorSource } from '../engine/lognormal.ts'

/** Of a sum of means, each with the number of its source: the standard deviation of the logarithm. */
export type SpreadOf = (sources: ArrayLike<number>, means: ArrayLike<number>, count: number) => number

/**
 * Sources that share no error with another are by far the most, and their variances simply add up; only those that do
 * are looked at together.
 * @param errors of each source
 */
export function createSpreader(errors: readonly (readonly ErrorSource[])[]): SpreadOf {
  const clusters = clustersOf(errors)
  const variances = errors.map((own) => Math.expm1(logSdOf({ mean: 1, errors: own }) ** 2))
  return (sources, means, count) => {
    let [mean, variance] = [0, 0]
    const together = new Map<number, number[]>()
    for (let at = 0; at < count; at += 1) {
      const source = sources[at]!
      mean += means[at]!
      const cluster = clusters[source]!
      if (cluster === ALONE) variance += means[at]! ** 2 * variances[source]!
      else together.set(cluster, [...(together.get(cluster) ?? []), at])
    }
    for (const those of together.values()) {
      const spread = sumSpread(those.map((at) => ({ mean: means[at]!, errors: errors[sources[at]!]! })))
      variance += spread.mean ** 2 * Math.expm1(spread.logSd ** 2)
    }
    return mean === 0 ? 0 : Math.sqrt(Math.log1p(variance / mean ** 2))
  }
}

const ALONE = -1

/** By source: the number of those that it shares errors with, directly or through others; ALONE for one with none. */
function clustersOf(errors: readonly (readonly ErrorSource[])[]): readonly number[] {
  const parents = errors.map((_, source) => source)
  const rootOf = (source: number): number => {
    let root = source
    while (parents[root] !== root) root = parents[root]!
    parents[source] = root
    return root
  }
  const byFactor = new Map<string, number>()
  for (const [source, own] of errors.entries()) {
    for (const { factor } of own) {
      const other = byFactor.get(factor)
      if (other === undefined) byFactor.set(factor, source)
      else parents[rootOf(source)] = rootOf(other)
    }
  }
  const sizes = new Map<number, number>()
  const roots = errors.map((_, source) => rootOf(source))
  for (const root of roots) sizes.set(root, (sizes.get(root) ?? 0) + 1)
  return roots.map((root) => (sizes.get(root) === 1 ? ALONE : root))
}
