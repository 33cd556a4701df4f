// Numbers in the sequence of the groups that they belong to.

/**
 * Numbers, those of one group side by side and in the sequence in which they were.
 * @param groupOf by number, from 0 to below `groups`
 * @param order the numbers; from 0 to below as many as there are, where nothing is said
 */
export function sideBySide(groupOf: Int32Array, groups: number, order = numbersTo(groupOf.length)) {
  const starts = startsOf(groupOf, groups, order)
  const next = starts.slice()
  const sorted = new Int32Array(order.length)
  for (let at = 0; at < order.length; at += 1) sorted[next[groupOf[order[at]!]!]!++] = order[at]!
  return { sorted, of: (group: number): Int32Array => sorted.subarray(starts[group], starts[group + 1]) }
}

/** 0, 1, 2 … */
export function numbersTo(size: number): Int32Array {
  const numbers = new Int32Array(size)
  for (let no = 0; no < size; no += 1) numbers[no] = no
  return numbers
}

/** Where each group begins, and behind the last where it ends. */
function startsOf(groupOf: Int32Array, groups: number, order: Int32Array): Int32Array {
  const starts = new Int32Array(groups + 1)
  for (let at = 0; at < order.length; at += 1) starts[groupOf[order[at]!]! + 1]! += 1
  for (let group = 0; group < groups; group += 1) starts[group + 1]! += starts[group]!
  return starts
}
