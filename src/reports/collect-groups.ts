// The groups of a report from its sums: what each emits, how many orders it is of, and how far off it may be.
import type { Milligrams } from '../engine/line.ts'
import type { Steps } from '../engine/steps.ts'
import { entriesByRow } from './addends.ts'
import type { Counter } from './count-emissions.ts'
import { isOfLine, isTime } from './emissions-query.ts'
import { refuseMoreGroups } from './group-limit.ts'
import type { KeptSum } from './kept-sums.ts'
import { createRowSums, type RowSums } from './row-sums.ts'
import { sideBySide } from './side-by-side.ts'
import { sortInSteps } from './sort-in-steps.ts'
import { createSpreader, type SpreadOf } from '../engine/sum-spread.ts'

export interface Emissions {
  readonly emission: Milligrams
  /** Standard deviation of the logarithm; null where too many different things were added up to tell. */
  readonly logSd: number | null
}

export interface Group extends Emissions {
  /** What it is, by each of the dimensions that are grouped by; null for what it is not told of. */
  readonly labels: readonly (string | null)[]
  /** Null where groups are of lines: an order has several. */
  readonly orders: number | null
  readonly rentals: number | null
}

interface Total extends Emissions {
  readonly orders: number
  readonly rentals: number
}

export interface Collected {
  /** By their labels, those of none last. */
  readonly groups: readonly Group[]
  readonly total: Total
}

/**
 * A step for every row.
 * @throws TooManyGroups
 */
export function* collectGroups(counter: Counter): Steps<Collected> {
  const { query, addends, kept, rows, slots, footings } = counter
  const errors = footings.errors()
  const spreadOf = createSpreader(errors)
  const sums = createRowSums(slots.size(), errors.length)
  const total = createTotal(errors.length)
  const ofLines = query.groupBy.some(isOfLine)
  const entriesOf = entriesByRow(addends, rows.size())
  const keptOf = kept.byRow(rows.size())
  const groups: Group[] = []
  for (let row = 0; row < rows.size(); row += 1) {
    sums.add(addends, entriesOf(row))
    const before = new Map(keptOf(row, sums).map((one) => [one.slot, one]))
    for (let slot = 0; slot < slots.size(); slot += 1) {
      if (!sums.isUsed(slot) && !before.has(slot)) continue
      const sum = sumOf(sums, slot, before.get(slot))
      const emissions = { emission: sum.emission, logSd: total.add(sum, sums.meansOf(slot), spreadOf) }
      // Of what was taken back nothing is left, not even a group of nothing.
      if (sum.emission === 0n && (ofLines || (sum.orders === 0 && sum.rentals === 0))) continue
      const { orders, rentals } = ofLines ? { orders: null, rentals: null } : sum
      groups.push({ labels: labelsOf(row, slot, counter), ...emissions, orders, rentals })
    }
    sums.clear()
    refuseMoreGroups(groups.length)
    yield
  }
  return { groups: yield* byLabels(groups, query.groupBy.length), total: total.finish(spreadOf) }
}

type Sum = Omit<KeptSum, 'slot'>

const sumOf = ({ sums, orders, rentals, hasMeans }: RowSums, slot: number, before: KeptSum | undefined): Sum => ({
  emission: BigInt(sums[slot]!) + (before?.emission ?? 0n),
  orders: orders[slot]! + (before?.orders ?? 0),
  rentals: rentals[slot]! + (before?.rentals ?? 0),
  isUnknown: !hasMeans || (before?.isUnknown ?? false),
})

/** All that is told of slots, one after the other. */
function createTotal(sources: number) {
  const means = new Float64Array(sources)
  let [emission, orders, rentals, isUnknown] = [0n, 0, 0, false]
  return {
    /** @returns how far off the slot itself may be */
    add: (sum: Sum, own: ReturnType<RowSums['meansOf']>, spreadOf: SpreadOf): number | null => {
      emission += sum.emission
      orders += sum.orders
      rentals += sum.rentals
      isUnknown ||= sum.isUnknown
      for (let at = 0; at < own.count; at += 1) means[own.sources[at]!]! += own.means[at]!
      return sum.isUnknown ? null : spreadOf(own.sources, own.means, own.count)
    },
    finish: (spreadOf: SpreadOf): Total => {
      const logSd = isUnknown ? null : spreadOf(Int32Array.from(means.keys()), means, sources)
      return { emission, logSd, orders, rentals }
    },
  }
}

function labelsOf(row: number, slot: number, { query, slots, rows, factGroups, periods, lineAt }: Counter) {
  return query.groupBy.map((name) => {
    if (isTime(name)) return periods.label(slots.firstOf(slot), name)
    if (isOfLine(name)) return lineAt(slots.secondOf(slot))[name]
    const at = factGroups.findIndex((group) => group.name === name)
    return factGroups[at]!.labels.at(at === 0 ? rows.firstOf(row) : rows.secondOf(row))
  })
}

/** Labels are compared once, not each time that a group has them: by the last dimension first, then by those before. */
function* byLabels(groups: readonly Group[], dimensions: number): Steps<readonly Group[]> {
  let sorted = groups
  for (let at = dimensions - 1; at >= 0; at -= 1) {
    const before = sorted
    const labels = yield* sortInSteps([...new Set(before.map((group) => group.labels[at]!))], compareLabels)
    const ranks = new Map(labels.map((label, rank) => [label, rank]))
    yield
    const order = sideBySide((no) => ranks.get(before[no]!.labels[at]!)!, before.length, labels.length).sorted
    sorted = Array.from(order, (no) => before[no]!)
    yield
  }
  return sorted
}

function compareLabels(a: string | null, b: string | null): number {
  if (a === b) return 0
  if (a === null || b === null) return a === null ? 1 : -1
  return a < b ? -1 : 1
}
