// Exact sums of milligrams in doubles, by two numbers: what could outgrow a double is moved aside in time.
import { createPairInterner } from './pair-index.ts'

/** Milligrams that are added up side by side. */
export const SPILL_LANES = 5

/** More than so many pairs are not told apart: some 100 MB. */
const PAIRS_MAX = 1_000_000

export interface ExactAccumulator {
  readonly size: () => number
  readonly firstOf: (no: number) => number
  readonly secondOf: (no: number) => number
  /** Where to add for a pair; with too many of them, for the first and what is coarser than the second. */
  readonly at: (first: number, second: number, coarse: (second: number) => number) => number
  readonly add: (at: number, lane: number, milligrams: number) => void
  /** Has to be told before so much is added, at most 2^53 − 1 in all: the sum of all magnitudes. */
  readonly expect: (milligrams: number) => void
  readonly sum: (at: number, lane: number) => number
  /** What was moved aside, by `at` × LANES + lane; null where nothing was: then `sum` is all. */
  readonly aside: () => ReadonlyMap<number, bigint> | null
}

export function createExactAccumulator(): ExactAccumulator {
  const pairs = createPairInterner()
  let sums = new Float64Array(SPILL_LANES * 1_024)
  let aside: Map<number, bigint> | null = null
  let expected = 0
  const moveAside = () => {
    aside ??= new Map()
    for (let at = 0; at < pairs.size() * SPILL_LANES; at += 1) {
      if (sums[at] !== 0) aside.set(at, (aside.get(at) ?? 0n) + BigInt(sums[at]!))
    }
    sums.fill(0)
  }
  return {
    size: pairs.size,
    firstOf: pairs.firstOf,
    secondOf: pairs.secondOf,
    at: (first, second, coarse) => {
      const at = pairs.of(first, pairs.size() < PAIRS_MAX ? second : coarse(second))
      if (at * SPILL_LANES >= sums.length) {
        const longer = new Float64Array(2 * sums.length)
        longer.set(sums)
        sums = longer
      }
      return at
    },
    add: (at, lane, milligrams) => {
      sums[at * SPILL_LANES + lane]! += milligrams
    },
    expect: (milligrams) => {
      if (expected + milligrams > Number.MAX_SAFE_INTEGER) {
        moveAside()
        expected = 0
      }
      expected += milligrams
    },
    sum: (at, lane) => sums[at * SPILL_LANES + lane]!,
    aside: () => aside,
  }
}
