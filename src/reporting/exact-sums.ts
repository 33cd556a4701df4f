// Exact sums of milligrams in doubles: partial sums that could lose precision are moved to exact storage in time.
import type { Milligrams } from '../engine/numbers/emission.ts'
import { countingSort } from './counting-sort.ts'
import { createPairInterner } from './dictionary.ts'
import { createDoubleArray } from './growable-array.ts'
import { refuseMoreGroups } from './query.ts'
import type { RowSums, SlotErrorMeans } from './row-sums.ts'
import type { Sum, Total } from './totals.ts'

/** Maximum number of error means, some 50 MB. Above it, cells have an unknown uncertainty. */
const MEANS_MAX = 1_000_000

export type SpilledSums = ReturnType<typeof createSpilledSums>

export function createSpilledSums() {
  const rows = createPairInterner()
  const cells = createPairInterner()
  const sums: { emission: Milligrams; orders: number; rentals: number; months: number; isUnknown: boolean }[] = []
  const means = createPairInterner()
  const milligrams = createDoubleArray()
  // The total does not require distinguishing the cells.
  const ofAll = createDoubleArray()
  let isTotalUnknown = false
  const keepOfAll = (source: number, mean: number) => {
    while (ofAll.size() <= source) ofAll.push(0)
    ofAll.all()[source]! += mean
  }
  const keepMean = (cell: number, source: number, mean: number) => {
    const at = means.of(cell, source)
    if (at === milligrams.size()) milligrams.push(mean)
    else milligrams.all()[at]! += mean
  }
  return {
    /** Number of cells: slots of rows. */
    size: cells.size,
    firstOf: (cell: number): number => rows.firstOf(cells.firstOf(cell)),
    secondOf: (cell: number): number => rows.secondOf(cells.firstOf(cell)),
    slotOf: cells.secondOf,
    sumOf: (cell: number): Sum => sums[cell]!,
    /** The error means of each cell spilled so far, indexed for lookup. */
    meansByCell: (): ((cell: number) => SlotErrorMeans) => {
      const cellOf = Int32Array.from({ length: means.size() }, (_, at) => means.firstOf(at))
      const { of } = countingSort(cellOf, cells.size())
      return (cell) => {
        const places = of(cell)
        const added = Float64Array.from(places, (at) => milligrams.all()[at]!)
        return { sources: places.map(means.secondOf), means: added, count: places.length }
      }
    },
    keep: (first: number, second: number, slot: number, from: RowSums) => {
      const cell = cells.of(rows.of(first, second), slot)
      refuseMoreGroups(cells.size())
      const sum = (sums[cell] ??= { emission: 0n, orders: 0, rentals: 0, months: 0, isUnknown: false })
      sum.emission += BigInt(from.sums[slot]!)
      sum.orders += from.orders[slot]!
      sum.rentals += from.rentals[slot]!
      sum.months += from.months[slot]!
      const { sources, means: added, count } = from.meansOf(slot)
      for (let at = 0; at < count; at += 1) keepOfAll(sources[at]!, added[at]!)
      if (!from.hasMeans) isTotalUnknown = true
      if (!from.hasMeans || milligrams.size() + count > MEANS_MAX) sum.isUnknown = true
      if (sum.isUnknown) return
      for (let at = 0; at < count; at += 1) keepMean(cell, sources[at]!, added[at]!)
    },
    addAll: (total: Total): void => {
      for (const sum of sums) total.addSum({ ...sum, isUnknown: isTotalUnknown })
      for (let source = 0; source < ofAll.size(); source += 1) total.addMean(source, ofAll.all()[source]!)
    },
  }
}

/** Number of lanes of milligrams that are summed in parallel. */
export const SPILL_LANES = 5

/** Maximum number of distinct pairs, some 100 MB. */
const PAIRS_MAX = 1_000_000

export interface ExactAccumulator {
  readonly size: () => number
  readonly firstOf: (no: number) => number
  readonly secondOf: (no: number) => number
  /** The index of a pair; if there are too many pairs, of the first value and the coarser form of the second. */
  readonly at: (first: number, second: number, coarse: (second: number) => number) => number
  readonly add: (at: number, column: number, milligrams: number) => void
  /** Must be called before adding, with the sum of the absolute amounts, at most 2^53 − 1 in total. */
  readonly expect: (milligrams: number) => void
  readonly sum: (at: number, column: number) => number
  /**
   * The amounts moved to exact storage, by `at` × SPILL_LANES + lane; null if none were, in which case `sum` is
   * complete.
   */
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
    add: (at, column, milligrams) => {
      sums[at * SPILL_LANES + column]! += milligrams
    },
    expect: (milligrams) => {
      if (expected + milligrams > Number.MAX_SAFE_INTEGER) {
        moveAside()
        expected = 0
      }
      expected += milligrams
    },
    sum: (at, column) => sums[at * SPILL_LANES + column]!,
    aside: () => aside,
  }
}
