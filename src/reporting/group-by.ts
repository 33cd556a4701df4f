// Builds the groups of a report from its sums: emission, order count and uncertainty of each.
import type { Resumable } from '../engine/numbers/steps.ts'
import { createAggregateCells, type AggregateCell } from './aggregate.ts'
import type { Aggregator } from './aggregate-emissions.ts'
import { isLineDimension, isTimeDimension, refuseMoreGroups } from './query.ts'
import { findTopK, type TopK } from './top-k.ts'
import { countingSort } from './counting-sort.ts'
import { sortInSteps } from '../engine/numbers/sort-in-steps.ts'
import { createTotal, type Counts, type EmissionTotal, type SlotSum } from './totals.ts'
import { createErrorPropagator, type PropagateError } from '../engine/uncertainty/error-propagation.ts'

export interface Group extends EmissionTotal {
  /** The group's label in each grouping dimension; null where none is stated. */
  readonly labels: readonly (string | null)[]
  /** Null if the report is grouped by a line dimension, because an order has several lines. */
  readonly orders: number | null
  readonly rentals: number | null
  /** Device-months in millionths; null in the same case. */
  readonly months: number | null
}

/** The sum of all groups that are not listed. */
export interface RemainderGroup extends Omit<Group, 'labels'> {
  readonly groups: number
}

export interface GroupedResult {
  /** Sorted by label, null labels last; or by emission, and by label among equal emissions. */
  readonly groups: readonly Group[]
  /** Null if all groups are listed. */
  readonly others: RemainderGroup | null
  readonly total: EmissionTotal & Counts
}

const NO_COUNTS = { orders: null, rentals: null, months: null } as const

/** Used without a limit, when the number of cells need not be known in advance. */
const ALL: TopK = { cells: 0, isRow: () => true, isCell: () => true }

/** @throws ApiError if there are too many groups */
export function* groupCells(counter: Aggregator): Resumable<GroupedResult> {
  const { query, footings } = counter
  const cells = yield* createAggregateCells(counter)
  const sources = footings.errors().length
  const spreadOf = createErrorPropagator(footings.errors())
  // Starts with the total. Listed groups are subtracted, so that the remainder is left.
  const remainder = createTotal(sources)
  cells.addAll(remainder)
  const total = remainder.finish(spreadOf)
  const shown = query.limit === null ? ALL : yield* findTopK(cells, query.limit)
  const labelsOf = labelReader(counter)
  const countsOf = query.groupBy.some(isLineDimension)
    ? () => NO_COUNTS
    : ({ orders, rentals, months }: Counts) => ({ orders, rentals, months })
  const groups: Group[] = []
  yield* cells.each((_row, weight, cell) => {
    if (!shown.isCell(weight)) return
    const sum = cell.sum()
    if (query.limit !== null) remainder.take(sum)
    groups.push({ labels: labelsOf(cell), emission: sum.emission, logSd: logSdOf(sum, spreadOf), ...countsOf(sum) })
    refuseMoreGroups(groups.length)
  }, shown.isRow)
  const rest = remainder.finish(spreadOf)
  const others = shown.cells - groups.length
  return {
    groups: query.sort === 'name' ? yield* byLabels(groups, query.groupBy.length) : yield* byWeight(groups),
    others: others > 0 ? { ...rest, ...countsOf(rest), groups: others } : null,
    total,
  }
}

const logSdOf = ({ isUnknown, means }: SlotSum, spreadOf: PropagateError): number | null =>
  isUnknown ? null : spreadOf(means.sources, means.means, means.count)

function labelReader({ query, slots, factGroups, periods, lineAt }: Aggregator) {
  const readers = query.groupBy.map((name): ((cell: AggregateCell) => string | null) => {
    if (isTimeDimension(name)) return ({ slot }) => periods.label(slots.firstOf(slot), name)
    if (isLineDimension(name)) return ({ slot }) => lineAt(slots.secondOf(slot))[name]
    const at = factGroups.findIndex((group) => group.name === name)
    const { labels } = factGroups[at]!
    return at === 0 ? ({ first }) => labels.at(first) : ({ second }) => labels.at(second)
  })
  return (cell: AggregateCell) => readers.map((read) => read(cell))
}

const heavierFirst = (a: EmissionTotal, b: EmissionTotal): number =>
  a.emission === b.emission ? 0 : a.emission > b.emission ? -1 : 1

/** Sorts by emission, then by label. Most comparisons use only the doubles, which are contiguous in memory. */
function* byWeight(groups: readonly Group[]): Resumable<readonly Group[]> {
  const weights = Float64Array.from(groups, ({ emission }) => Number(emission))
  const exactly = (a: Group, b: Group): number =>
    heavierFirst(a, b) || a.labels.reduce((sooner, label, at) => sooner || compareLabels(label, b.labels[at]!), 0)
  const order = yield* sortInSteps(
    Array.from(groups.keys()),
    (a, b) => weights[b]! - weights[a]! || exactly(groups[a]!, groups[b]!),
  )
  return order.map((no) => groups[no]!)
}

/**
 * Compares each distinct label once instead of once per group. Sorts by the last dimension first, then by earlier ones.
 */
function* byLabels(groups: readonly Group[], dimensions: number): Resumable<readonly Group[]> {
  let sorted = groups
  for (let at = dimensions - 1; at >= 0; at -= 1) {
    const before = sorted
    const labels = yield* sortInSteps([...new Set(before.map((group) => group.labels[at]!))], compareLabels)
    const ranks = new Map(labels.map((label, rank) => [label, rank]))
    yield
    const rankOf = Int32Array.from(before, (group) => ranks.get(group.labels[at]!)!)
    sorted = Array.from(countingSort(rankOf, labels.length).sorted, (no) => before[no]!)
    yield
  }
  return sorted
}

function compareLabels(a: string | null, b: string | null): number {
  if (a === b) return 0
  if (a === null || b === null) return a === null ? 1 : -1
  return a < b ? -1 : 1
}
