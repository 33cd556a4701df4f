// Sorts the entries of a report by the labels of their rows, with a counting sort.
import { CONTRIBUTION, ENTRY_SIZE, FACT_COUNT, FIRST_LABEL, SECOND_LABEL, type Contributions } from './contributions.ts'

/** Entries of contributions and fact counts. The entries of a row are contiguous. */
export interface SortedRows {
  readonly size: number
  readonly all: Int32Array
}

/**
 * Sorts by the first label and then by the second. Numbering the rows in order of arrival instead would access memory
 * randomly for each entry.
 * @param labels the number of first and of second labels
 * @returns a result that is valid until more is entered
 */
export function sortByRow({ entries }: Contributions, [firsts, seconds]: readonly [number, number]): SortedRows {
  const asEntered = { size: entries.size() / ENTRY_SIZE, all: entries.all() }
  return sortBy(FIRST_LABEL, firsts, sortBy(SECOND_LABEL, seconds, asEntered))
}

/** Stable sort by one of the labels. */
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

/** The end of the row that begins at `from`. */
export function rowEnd({ size, all }: SortedRows, from: number): number {
  const [first, second] = [all[ENTRY_SIZE * from + FIRST_LABEL], all[ENTRY_SIZE * from + SECOND_LABEL]]
  let to = from + 1
  while (to < size && all[ENTRY_SIZE * to + SECOND_LABEL] === second && all[ENTRY_SIZE * to + FIRST_LABEL] === first)
    to += 1
  return to
}

/** All entries as if they belonged to one row, with each contribution once. */
export function unsortedRows({ entries, counts }: Contributions): SortedRows {
  const [size, entered] = [counts.slots.size(), entries.all()]
  const all = new Int32Array(ENTRY_SIZE * size)
  for (let addend = 0; addend < size; addend += 1) all[ENTRY_SIZE * addend + CONTRIBUTION] = addend
  for (let at = 0; at < entries.size(); at += ENTRY_SIZE)
    all[ENTRY_SIZE * entered[at + CONTRIBUTION]! + FACT_COUNT]! += entered[at + FACT_COUNT]!
  return { size, all }
}

/**
 * Sorts numbers by group; numbers of one group stay in their order.
 * @param groupOf by number, from 0 to below `groups`
 */
export function countingSort(groupOf: Int32Array, groups: number) {
  const starts = startsOf(groupOf, groups)
  const next = starts.slice()
  const sorted = new Int32Array(groupOf.length)
  for (let no = 0; no < groupOf.length; no += 1) sorted[next[groupOf[no]!]!++] = no
  return { sorted, of: (group: number): Int32Array => sorted.subarray(starts[group], starts[group + 1]) }
}

/** The start of each group, followed by the end of the last one. */
function startsOf(groupOf: Int32Array, groups: number): Int32Array {
  const starts = new Int32Array(groups + 1)
  for (let no = 0; no < groupOf.length; no += 1) starts[groupOf[no]! + 1]! += 1
  for (let group = 0; group < groups; group += 1) starts[group + 1]! += starts[group]!
  return starts
}
