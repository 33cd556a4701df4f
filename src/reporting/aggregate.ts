// Visits the sums of a report one after the other, by labels and slot. Each reported sum becomes a group.
import type { Resumable } from '../engine/numbers/steps.ts'
import { spillSums, sortedRows, type Aggregator } from './aggregate-emissions.ts'
import { isLineDimension, refuseMoreGroups } from './query.ts'
import { createRowSums } from './row-sums.ts'
import { rowEnd, unsortedRows, firstLabel, secondLabel } from './counting-sort.ts'
import type { Counts, SlotSum, Total } from './totals.ts'

/** The cell that is being visited. */
export interface AggregateCell {
  /** The numbers of its labels. */
  readonly first: number
  readonly second: number
  readonly slot: number
  /** The sum with the means of its error sources. */
  readonly sum: () => SlotSum
}

/**
 * @param row from 0; the cells of a row are visited one after the other
 * @param weight milligrams, exact below 2^53
 */
export type VisitCell = (row: number, weight: number, cell: AggregateCell) => void

export interface AggregateCells {
  /** Visits all non-empty cells, always in the same order. @param isWanted by row; other rows are skipped */
  readonly each: (visit: VisitCell, isWanted: (row: number) => boolean) => Resumable<void>
  /** Adds all cells to the total without distinguishing them. */
  readonly addAll: (total: Total) => void
}

/** Entries and slots that are added up between two steps: less than a millisecond of work. */
const STRETCH = 4_096

/** If some sums have been spilled, the remaining ones are spilled too. @throws ApiError if there are too many groups */
export function* createAggregateCells(counter: Aggregator): Resumable<AggregateCells> {
  if (counter.spilled.size() === 0) return cellsOfEntries(counter)
  yield* spillSums(counter)
  return cellsOfSpilled(counter)
}

/** Tests whether a cell without emission is empty. Reversed entries must not leave an empty group. */
function createNothing({ query }: Aggregator): (counts: Counts) => boolean {
  const ofLines = query.groupBy.some(isLineDimension)
  return ({ orders, rentals, months }) => ofLines || (orders === 0 && rentals === 0 && months === 0)
}

function cellsOfEntries(counter: Aggregator): AggregateCells {
  const { addends, slots, footings } = counter
  const sums = createRowSums(slots.size(), footings.errors().length)
  const sorted = sortedRows(counter)
  const isNothing = createNothing(counter)
  const sumAt = (slot: number): SlotSum => ({
    emission: BigInt(sums.sums[slot]!),
    orders: sums.orders[slot]!,
    rentals: sums.rentals[slot]!,
    months: sums.months[slot]!,
    isUnknown: !sums.hasMeans,
    means: sums.meansOf(slot),
  })
  const cell = { first: 0, second: 0, slot: 0, sum: () => sumAt(cell.slot) }
  const visitRow = (row: number, from: number, to: number, visit: VisitCell) => {
    sums.add(addends, sorted, from, to)
    cell.first = firstLabel(sorted, from)
    cell.second = secondLabel(sorted, from)
    for (let slot = 0; slot < slots.size(); slot += 1) {
      if (!sums.isUsed(slot)) continue
      const weight = sums.sums[slot]!
      const counts = { orders: sums.orders[slot]!, rentals: sums.rentals[slot]!, months: sums.months[slot]! }
      if (weight === 0 && isNothing(counts)) continue
      cell.slot = slot
      visit(row, weight, cell)
    }
    sums.clear()
  }
  return {
    *each(visit, isWanted) {
      let [row, work] = [0, 0]
      for (let from = 0, to = 0; from < sorted.size; from = to, row += 1) {
        to = rowEnd(sorted, from)
        refuseMoreGroups(row + 1)
        if (!isWanted(row)) continue
        visitRow(row, from, to, visit)
        work += to - from + slots.size()
        if (work < STRETCH) continue
        work = 0
        yield
      }
    },
    addAll(total) {
      const all = unsortedRows(addends)
      sums.add(addends, all, 0, all.size)
      for (let slot = 0; slot < slots.size(); slot += 1) if (sums.isUsed(slot)) total.add(sumAt(slot))
      sums.clear()
    },
  }
}

/** Visits each spilled cell as if it were a row of its own. */
function cellsOfSpilled(counter: Aggregator): AggregateCells {
  const { spilled } = counter
  const meansOf = spilled.meansByCell()
  const isNothing = createNothing(counter)
  return {
    *each(visit, isWanted) {
      for (let no = 0; no < spilled.size(); no += 1) {
        if (no % STRETCH === 0) yield
        const [sum, slot] = [spilled.sumOf(no), spilled.slotOf(no)]
        const weight = Number(sum.emission)
        if (!isWanted(no) || (sum.emission === 0n && isNothing(sum))) continue
        visit(no, weight, {
          first: spilled.firstOf(no),
          second: spilled.secondOf(no),
          slot,
          sum: () => ({ ...sum, means: meansOf(no) }),
        })
      }
    },
    addAll: spilled.addAll,
  }
}
