// Sums of a report that are moved out of the way while more is added up than is kept at a time: exact, however large.
import type { Milligrams } from '../engine/numbers/line.ts'
import { refuseMoreGroups } from './group-limit.ts'
import { createDoubles } from './growing.ts'
import { createPairIndex } from './pair-index.ts'
import type { RowSums } from './row-sums.ts'
import { sideBySide } from './side-by-side.ts'
import type { Sum, Total } from './totals.ts'

/** More means than that are not told apart: some 50 MB. */
const MEANS_MAX = 1_000_000

const NOTHING: ReadonlyMap<number, Sum> = new Map()

export type KeptSums = ReturnType<typeof createKeptSums>

export function createKeptSums() {
  const cells = createPairIndex()
  const sums: { emission: Milligrams; orders: number; rentals: number; isUnknown: boolean }[] = []
  const means = createPairIndex()
  const milligrams = createDoubles()
  const keepMean = (cell: number, source: number, mean: number) => {
    const at = means.of(cell, source)
    if (at === milligrams.size()) milligrams.push(mean)
    else milligrams.all()[at]! += mean
  }
  return {
    keep: (row: number, slot: number, from: RowSums) => {
      const cell = cells.of(row, slot)
      refuseMoreGroups(cells.size())
      const sum = (sums[cell] ??= { emission: 0n, orders: 0, rentals: 0, isUnknown: false })
      sum.emission += BigInt(from.sums[slot]!)
      sum.orders += from.orders[slot]!
      sum.rentals += from.rentals[slot]!
      const { sources, means: added, count } = from.meansOf(slot)
      if (!from.hasMeans || milligrams.size() + count > MEANS_MAX) sum.isUnknown = true
      if (sum.isUnknown) return
      for (let at = 0; at < count; at += 1) keepMean(cell, sources[at]!, added[at]!)
    },
    addAll: (total: Total): void => {
      for (const sum of sums) total.addSum(sum)
      for (let at = 0; at < milligrams.size(); at += 1) total.addMean(means.secondOf(at), milligrams.all()[at]!)
    },
    /** What is kept of each row, by slot; its means are put to those that came since. */
    byRow: (rows: number): ((row: number, to: RowSums) => ReadonlyMap<number, Sum>) => {
      if (cells.size() === 0) return () => NOTHING
      const { of: cellsOf } = sideBySide(cells.firstOf, cells.size(), rows)
      const { of: meansOf } = sideBySide(means.firstOf, means.size(), cells.size())
      return (row, to) => {
        const found = new Map<number, Sum>()
        for (const cell of cellsOf(row)) {
          const slot = cells.secondOf(cell)
          if (to.hasMeans) for (const at of meansOf(cell)) to.addMean(slot, means.secondOf(at), milligrams.all()[at]!)
          found.set(slot, sums[cell]!)
        }
        return found
      }
    },
  }
}
