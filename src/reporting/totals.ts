// The total of several sums of a report, with its uncertainty.
import type { Milligrams } from '../engine/numbers/emission.ts'
import type { PropagateError } from '../engine/uncertainty/error-propagation.ts'
import type { RowSums } from './row-sums.ts'

export interface EmissionTotal {
  readonly emission: Milligrams
  /** Standard deviation of the logarithm; null if too many different sources were added up to determine it. */
  readonly logSd: number | null
}

export interface Counts {
  readonly orders: number
  readonly rentals: number
  /** Device-months in millionths; 0 unless the report is by tenure. */
  readonly months: number
}

export interface Sum extends Counts {
  readonly emission: Milligrams
  /** True if the uncertainty can no longer be determined. */
  readonly isUnknown: boolean
}

/** A sum of one slot with its error means. */
export interface SlotSum extends Sum {
  /** Overwritten when the means of another slot are requested. */
  readonly means: ReturnType<RowSums['meansOf']>
}

export type Total = ReturnType<typeof createTotal>

/** @param sources the total number of error sources */
export function createTotal(sources: number) {
  const means = new Float64Array(sources)
  let [emission, orders, rentals, months, isUnknown] = [0n, 0, 0, 0, false]
  const put = (sign: 1 | -1, sum: Sum): void => {
    emission += BigInt(sign) * sum.emission
    orders += sign * sum.orders
    rentals += sign * sum.rentals
    months += sign * sum.months
    isUnknown ||= sum.isUnknown
  }
  const putMeans = (sign: 1 | -1, added: SlotSum['means']): void => {
    for (let at = 0; at < added.count; at += 1) means[added.sources[at]!]! += sign * added.means[at]!
  }
  return {
    add: (sum: SlotSum): void => {
      put(1, sum)
      putMeans(1, sum.means)
    },
    addSum: (sum: Sum): void => put(1, sum),
    addMean: (source: number, mean: number): void => {
      means[source]! += mean
    },
    /** Subtracts a group that is listed separately, so that it is not part of the remainder. */
    take: (sum: SlotSum): void => {
      put(-1, sum)
      putMeans(-1, sum.means)
    },
    finish: (spreadOf: PropagateError): EmissionTotal & Counts => {
      const logSd = isUnknown ? null : spreadOf(Int32Array.from(means.keys()), means, sources)
      return { emission, logSd, orders, rentals, months }
    },
  }
}
