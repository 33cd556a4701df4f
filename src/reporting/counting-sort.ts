// A counting sort: the rows of a report grouped by their labels.
import { CONTRIBUTION, ENTRY_SIZE, FACT_COUNT, FIRST_LABEL, SECOND_LABEL, type Contributions } from './contributions.ts'

/** How many facts add which; of a row those from one place to before another. */
export interface SortedRows {
  readonly size: number
  readonly all: Int32Array
}

/**
 * By the first labels, and of one of these by the second: to number the rows as they come would be to look for each
 * entry somewhere else in memory.
 * @param labels how many there are of the first, and of the second
 * @returns until more is entered
 */
export function sortByRow({ entries }: Contributions, [firsts, seconds]: readonly [number, number]): SortedRows {
  const asEntered = { size: entries.size() / ENTRY_SIZE, all: entries.all() }
  return sortBy(FIRST_LABEL, firsts, sortBy(SECOND_LABEL, seconds, asEntered))
}

/** By one of their labels; those that have the same stay in their sequence. */
function sortBy(field: number, labels: number, { size, all }: SortedRows): SortedRows {
  if (labels === 1) return { size, all }
  const next = new Int32Array(labels + 1)
  for (let at = field; at < ENTRY_SIZE * size; at += ENTRY_SIZE) next[all[at]! + 1]! += ENTRY_SIZE
  for (let label = 0; label < labels; label += 1) next[label + 1]! += next[label]!
  const sorted = new Int32Array(ENTRY_SIZE * size)
  for (let from = 0; from < ENTRY_SIZE * size; from += ENTRY_SIZE) {
    const label = all[from + field]!
    const to = next[label]!
    next[label] = to + ENTRY_SIZE
    for (let no = 0; no < ENTRY_SIZE; no += 1) sorted[to + no] = all[from + no]!
  }
  return { size, all: sorted }
}

export const firstLabel = ({ all }: SortedRows, entry: number): number => all[ENTRY_SIZE * entry + FIRST_LABEL]!
export const secondLabel = ({ all }: SortedRows, entry: number): number => all[ENTRY_SIZE * entry + SECOND_LABEL]!

/** Where the row ends that begins there. */
export function rowEnd({ size, all }: SortedRows, from: number): number {
  const [first, second] = [all[ENTRY_SIZE * from + FIRST_LABEL], all[ENTRY_SIZE * from + SECOND_LABEL]]
  let to = from + 1
  while (to < size && all[ENTRY_SIZE * to + SECOND_LABEL] === second && all[ENTRY_SIZE * to + FIRST_LABEL] === first)
    to += 1
  return to
}

/** All entries as if they were of one row: each addend once. */
export function unsortedRows({ entries, counts }: Contributions): SortedRows {
  const [size, entered] = [counts.slots.size(), entries.all()]
  const all = new Int32Array(ENTRY_SIZE * size)
  for (let addend = 0; addend < size; addend += 1) all[ENTRY_SIZE * addend + CONTRIBUTION] = addend
  for (let at = 0; at < entries.size(); at += ENTRY_SIZE)
    all[ENTRY_SIZE * entered[at + CONTRIBUTION]! + FACT_COUNT]! += entered[at + FACT_COUNT]!
  return { size, all }
}

/**
 * Numbers, those of one group side by side and in the sequence in which they were.
 * @param groupOf by number, from 0 to below `groups`
 */
export function countingSort(groupOf: Int32Array, groups: number) {
  const starts = startsOf(groupOf, groups)
  const next = starts.slice()
  const sorted = new Int32Array(groupOf.length)
  for (let no = 0; no < groupOf.length; no += 1) sorted[next[groupOf[no]!]!++] = no
  return { sorted, of: (group: number): Int32Array => sorted.subarray(starts[group], starts[group + 1]) }
}

/** Where each group begins, and behind the last where it ends. */
function startsOf(groupOf: Int32Array, groups: number): Int32Array {
  const starts = new Int32Array(groups + 1)
  for (let no = 0; no < groupOf.length; no += 1) starts[groupOf[no]! + 1]! += 1
  for (let group = 0; group < groups; group += 1) starts[group + 1]! += starts[group]!
  return starts
}
