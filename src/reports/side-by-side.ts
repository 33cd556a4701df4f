// Numbers in the sequence of the groups that they belong to.

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
