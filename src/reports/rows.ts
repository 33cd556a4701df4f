// The rows of a report: entries that have the same labels, side by side.
import type { Addends } from './addends.ts'
import { numbersTo, sideBySide } from './side-by-side.ts'

/** How many facts add which: of a row those from one place to before another. */
export interface Entries {
  readonly size: number
  readonly addends: Int32Array
  readonly facts: Int32Array
}

export interface SortedEntries extends Entries {
  /** By entry: the labels of its row. */
  readonly firsts: Int32Array
  readonly seconds: Int32Array
}

/**
 * By the first labels, and of one of these by the second: to number the rows as they come would be to look for each
 * entry somewhere else in memory.
 * @param labels how many there are of the first, and of the second
 * @returns until more is entered
 */
export function sortByRow({ entries }: Addends, [firsts, seconds]: readonly [number, number]): SortedEntries {
  const size = entries.addends.size()
  const asEntered = numbersTo(size)
  const bySecond = seconds === 1 ? asEntered : sideBySide(entries.seconds.all(), seconds, asEntered).sorted
  const order = firsts === 1 ? bySecond : sideBySide(entries.firsts.all(), firsts, bySecond).sorted
  return {
    size,
    firsts: gather(order, entries.firsts.all()),
    seconds: gather(order, entries.seconds.all()),
    addends: gather(order, entries.addends.all()),
    facts: gather(order, entries.facts.all()),
  }
}

function gather(order: Int32Array, from: Int32Array): Int32Array {
  const gathered = new Int32Array(order.length)
  for (let no = 0; no < order.length; no += 1) gathered[no] = from[order[no]!]!
  return gathered
}

/** Where the row ends that begins there. */
export function endOfRow({ size, firsts, seconds }: SortedEntries, from: number): number {
  let to = from + 1
  while (to < size && seconds[to] === seconds[from] && firsts[to] === firsts[from]) to += 1
  return to
}

/** All entries as if they were of one row: each addend once. */
export function entriesOfAll({ entries, counts }: Addends): Entries {
  const [addendOf, factsOf] = [entries.addends.all(), entries.facts.all()]
  const size = counts.slots.size()
  const facts = new Int32Array(size)
  for (let entry = 0; entry < entries.addends.size(); entry += 1) facts[addendOf[entry]!]! += factsOf[entry]!
  return { size, addends: numbersTo(size), facts }
}
