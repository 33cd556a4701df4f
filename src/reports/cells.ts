// The sums of a report one after the other, by row and slot: a group is made of each that is told.
import type { Steps } from '../engine/numbers/steps.ts'
import { entriesByRow, entriesOfAll } from './addends.ts'
import type { Counter } from './count-emissions.ts'
import { isOfLine } from './emissions-query.ts'
import { createRowSums } from './row-sums.ts'
import type { Sum, Summand, Total } from './totals.ts'

/** @param weight milligrams, exact below 2^53 */
export type Visit = (row: number, slot: number, weight: number) => void

/** Entries and slots that are added up without a step in between: less than a millisecond. */
const STRETCH = 4_096

const NOTHING: ReadonlyMap<number, Sum> = new Map()

export type Cells = ReturnType<typeof createCells>

export function createCells({ query, addends, kept, rows, slots, footings }: Counter) {
  const sums = createRowSums(slots.size(), footings.errors().length)
  const ofLines = query.groupBy.some(isOfLine)
  const entriesOf = entriesByRow(addends, rows.size())
  const keptOf = kept.byRow(rows.size())
  let before = NOTHING
  const isNothing = (slot: number, weight: number): boolean =>
    weight === 0 &&
    (ofLines ||
      (sums.orders[slot]! + (before.get(slot)?.orders ?? 0) === 0 &&
        sums.rentals[slot]! + (before.get(slot)?.rentals ?? 0) === 0))
  /** Of a slot of the row that is visited, with what it may be off by. */
  const sumAt = (slot: number): Summand => ({
    emission: BigInt(sums.sums[slot]!) + (before.get(slot)?.emission ?? 0n),
    orders: sums.orders[slot]! + (before.get(slot)?.orders ?? 0),
    rentals: sums.rentals[slot]! + (before.get(slot)?.rentals ?? 0),
    isUnknown: !sums.hasMeans || (before.get(slot)?.isUnknown ?? false),
    means: sums.meansOf(slot),
  })
  return {
    sumAt,
    /** All that are something, in the same sequence each time. */
    *each(visit: Visit): Steps<void> {
      let work = 0
      for (let row = 0; row < rows.size(); row += 1) {
        const entries = entriesOf(row)
        sums.add(addends, entries)
        before = keptOf(row, sums)
        for (let slot = 0; slot < slots.size(); slot += 1) {
          if (!sums.isUsed(slot) && !before.has(slot)) continue
          const weight = sums.sums[slot]! + Number(before.get(slot)?.emission ?? 0)
          // Of what was taken back nothing is left, not even a group of nothing.
          if (!isNothing(slot, weight)) visit(row, slot, weight)
        }
        sums.clear()
        work += entries.to - entries.from + slots.size()
        if (work < STRETCH) continue
        work = 0
        yield
      }
      before = NOTHING
    },
    /** All of them at once, for which they need not be told apart. */
    addAll(total: Total): void {
      sums.add(addends, entriesOfAll(addends))
      for (let slot = 0; slot < slots.size(); slot += 1) if (sums.isUsed(slot)) total.add(sumAt(slot))
      sums.clear()
      kept.addAll(total)
    },
  }
}
