// Numbers in the sequence of the groups that they belong to.

/**
 * Numbers from 0 on, those of one group side by side and in their own sequence.
 * @param groupOf from 0 to below `groups`
 */
export function sideBySide(groupOf: (no: number) => number, size: number, groups: number) {
  const starts = startsOf(groupOf, size, groups)
  const next = starts.slice()
  const sorted = new Int32Array(size)
  for (let no = 0; no < size; no += 1) sorted[next[groupOf(no)]!++] = no
  return { sorted, starts, of: (group: number): Int32Array => sorted.subarray(starts[group], starts[group + 1]) }
}

/** Where each group begins, and behind the last where it ends. */
function startsOf(groupOf: (no: number) => number, size: number, groups: number): Int32Array {
  const starts = new Int32Array(groups + 1)
  for (let no = 0; no < size; no += 1) starts[groupOf(no) + 1]! += 1
  for (let group = 0; group < groups; group += 1) starts[group + 1]! += starts[group]!
  return starts
}
