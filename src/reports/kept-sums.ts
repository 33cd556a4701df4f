// Sums of a report that are moved out of the way while more is added up than is kept at a time: exact, however large.
import type { Milligrams } from '../engine/numbers/emission.ts'
import { refuseMoreGroups } from './group-limit.ts'
import { createDoubleArray } from './growing.ts'
import { createPairInterner } from './pair-index.ts'
import type { RowSums, SlotErrorMeans } from './row-sums.ts'
import { countingSort } from './side-by-side.ts'
import type { Sum, Total } from './totals.ts'

/** More means than that are not told apart: some 50 MB. */
const MEANS_MAX = 1_000_000

export type SpilledSums = ReturnType<typeof createSpilledSums>

export function createSpilledSums() {
  const rows = createPairInterner()
  const cells = createPairInterner()
  const sums: { emission: Milligrams; orders: number; rentals: number; isUnknown: boolean }[] = []
  const means = createPairInterner()
  const milligrams = createDoubleArray()
  // The total needs none of the cells to be told apart.
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
    /** How many cells: slots of rows. */
    size: cells.size,
    firstOf: (cell: number): number => rows.firstOf(cells.firstOf(cell)),
    secondOf: (cell: number): number => rows.secondOf(cells.firstOf(cell)),
    slotOf: cells.secondOf,
    sumOf: (cell: number): Sum => sums[cell]!,
    /** What is kept of each cell by now, to be looked up. */
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
      const sum = (sums[cell] ??= { emission: 0n, orders: 0, rentals: 0, isUnknown: false })
      sum.emission += BigInt(from.sums[slot]!)
      sum.orders += from.orders[slot]!
      sum.rentals += from.rentals[slot]!
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
