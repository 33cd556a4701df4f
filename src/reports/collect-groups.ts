// The groups of a report from its sums: what each emits, how many orders it is of, and how far off it may be.
import type { Milligrams } from '../engine/numbers/line.ts'
import type { Steps } from '../engine/numbers/steps.ts'
import { entriesByRow } from './addends.ts'
import type { Counter } from './count-emissions.ts'
import { isOfLine, isTime } from './emissions-query.ts'
import { refuseMoreGroups } from './group-limit.ts'
import type { KeptSum } from './kept-sums.ts'
import { createRowSums, type RowSums } from './row-sums.ts'
import { createShortlist, heavierFirst, type Summand } from './shortlist.ts'
import { sideBySide } from './side-by-side.ts'
import { sortInSteps } from './sort-in-steps.ts'
import { createSpreader, type SpreadOf } from '../engine/uncertainty/sum-spread.ts'

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

interface Counts {
  readonly orders: number
  readonly rentals: number
}

interface Total extends Emissions, Counts {}

/** All groups but those that are told. */
export interface Others extends Omit<Group, 'labels'> {
  readonly groups: number
}

export interface Collected {
  /** By their labels, those of none last; or by what they emit, and only then by labels. */
  readonly groups: readonly Group[]
  /** Null where all groups are told. */
  readonly others: Others | null
  readonly total: Total
}

/** Entries and slots that are added up without a step in between: less than a millisecond. */
const STRETCH = 4_096

/** @throws TooManyGroups */
export function* collectGroups(counter: Counter): Steps<Collected> {
  const { query, addends, kept, rows, slots, footings } = counter
  const errors = footings.errors()
  const spreadOf = createSpreader(errors)
  const sums = createRowSums(slots.size(), errors.length)
  const [total, others] = [createTotal(errors.length), createTotal(errors.length)]
  const ofLines = query.groupBy.some(isOfLine)
  const counted = (one: Counts) =>
    ofLines ? { orders: null, rentals: null } : { orders: one.orders, rentals: one.rentals }
  const entriesOf = entriesByRow(addends, rows.size())
  const keptOf = kept.byRow(rows.size())
  const shortlist = createShortlist<Group>(query.limit ?? Infinity, others.add)
  const labelsOf = labelReader(counter)
  let work = 0
  for (let row = 0; row < rows.size(); row += 1) {
    const entries = entriesOf(row)
    sums.add(addends, entries)
    const before = keptOf(row, sums)
    for (let slot = 0; slot < slots.size(); slot += 1) {
      if (!sums.isUsed(slot) && !before.has(slot)) continue
      const sum = sumOf(sums, slot, before.get(slot))
      total.add(sum)
      // Of what was taken back nothing is left, not even a group of nothing.
      const isNothing = sum.emission === 0n && (ofLines || (sum.orders === 0 && sum.rentals === 0))
      if (isNothing || !shortlist.mayHave(sum)) continue
      const { emission } = sum
      const { orders, rentals } = counted(sum)
      shortlist.add({ labels: labelsOf(row, slot), emission, logSd: logSdOf(sum, spreadOf), orders, rentals }, sum)
      if (shortlist.isFull()) yield* shortlist.cut()
    }
    sums.clear()
    refuseMoreGroups(shortlist.size())
    work += entries.addends.length + slots.size()
    if (work < STRETCH) continue
    work = 0
    yield
  }
  const told = yield* shortlist.finish()
  const rest = others.finish(spreadOf)
  return {
    groups: query.sort === 'name' ? yield* byLabels(told, query.groupBy.length) : yield* byWeight(told),
    others: others.count() === 0 ? null : { ...rest, ...counted(rest), groups: others.count() },
    total: total.finish(spreadOf),
  }
}

const sumOf = (sums: RowSums, slot: number, before: KeptSum | undefined): Summand => ({
  emission: BigInt(sums.sums[slot]!) + (before?.emission ?? 0n),
  orders: sums.orders[slot]! + (before?.orders ?? 0),
  rentals: sums.rentals[slot]! + (before?.rentals ?? 0),
  isUnknown: !sums.hasMeans || (before?.isUnknown ?? false),
  means: sums.meansOf(slot),
})

const logSdOf = ({ isUnknown, means }: Summand, spreadOf: SpreadOf): number | null =>
  isUnknown ? null : spreadOf(means.sources, means.means, means.count)

/** All that is told of slots, one after the other. */
function createTotal(sources: number) {
  const means = new Float64Array(sources)
  let [emission, orders, rentals, isUnknown, count] = [0n, 0, 0, false, 0]
  return {
    add: (sum: Summand): void => {
      emission += sum.emission
      orders += sum.orders
      rentals += sum.rentals
      isUnknown ||= sum.isUnknown
      count += 1
      for (let at = 0; at < sum.means.count; at += 1) means[sum.means.sources[at]!]! += sum.means.means[at]!
    },
    count: () => count,
    finish: (spreadOf: SpreadOf): Total => {
      const logSd = isUnknown ? null : spreadOf(Int32Array.from(means.keys()), means, sources)
      return { emission, logSd, orders, rentals }
    },
  }
}

function labelReader({ query, slots, rows, factGroups, periods, lineAt }: Counter) {
  const readers = query.groupBy.map((name): ((row: number, slot: number) => string | null) => {
    if (isTime(name)) return (_, slot) => periods.label(slots.firstOf(slot), name)
    if (isOfLine(name)) return (_, slot) => lineAt(slots.secondOf(slot))[name]
    const at = factGroups.findIndex((group) => group.name === name)
    const { labels } = factGroups[at]!
    return at === 0 ? (row) => labels.at(rows.firstOf(row)) : (row) => labels.at(rows.secondOf(row))
  })
  return (row: number, slot: number) => readers.map((read) => read(row, slot))
}

/** Of equal weight, by labels. Most are told apart by doubles, which lie side by side. */
function* byWeight(groups: readonly Group[]): Steps<readonly Group[]> {
  const weights = Float64Array.from(groups, ({ emission }) => Number(emission))
  const exactly = (a: Group, b: Group): number =>
    heavierFirst(a, b) || a.labels.reduce((sooner, label, at) => sooner || compareLabels(label, b.labels[at]!), 0)
  const order = yield* sortInSteps(
    Array.from(groups.keys()),
    (a, b) => weights[b]! - weights[a]! || exactly(groups[a]!, groups[b]!),
  )
  return order.map((no) => groups[no]!)
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
