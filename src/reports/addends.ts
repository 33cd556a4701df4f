// What facts add to a report: said once for all facts that add the same, with how many of them each row has.
import type { Lane } from './footings.ts'
import { createDoubles, createIntegers } from './growing.ts'
import { listsByGroup } from './side-by-side.ts'

/** More are not kept at a time: some 50 MB. */
const KEPT_MAX = 1_000_000

export type Addends = ReturnType<typeof createAddends>

/** Lists of numbers side by side; of an addend those from its start to that of the next. */
export function createAddends() {
  const sums = { starts: createIntegers(), slots: createIntegers(), milligrams: createDoubles() }
  const means = { starts: createIntegers(), slots: createIntegers(), sources: createIntegers(), means: createDoubles() }
  const counts = { slots: createIntegers(), kinds: createIntegers() }
  const entries = { rows: createIntegers(), addends: createIntegers(), facts: createIntegers() }
  const clear = () => {
    for (const list of [sums, means, counts, entries].flatMap((lists) => Object.values(lists))) list.clear()
    sums.starts.push(0)
    means.starts.push(0)
  }
  clear()
  return {
    sums,
    means,
    counts,
    entries,
    /** Adds to the addend that is being made. */
    add: (slot: number, milligrams: number, { sources }: Lane) => {
      const last = sums.slots.size() - 1
      if (last >= sums.starts.all()[counts.slots.size()]! && sums.slots.all()[last] === slot) {
        sums.milligrams.all()[last]! += milligrams
      } else {
        sums.slots.push(slot)
        sums.milligrams.push(milligrams)
      }
      for (const { source, share } of sources) {
        means.slots.push(slot)
        means.sources.push(source)
        means.means.push(milligrams * share)
      }
    },
    /** Ends the addend that is being made. @param slot where its facts are counted; -1 for nowhere */
    end: (slot: number, kind: number): number => {
      sums.starts.push(sums.slots.size())
      means.starts.push(means.slots.size())
      counts.slots.push(slot)
      counts.kinds.push(kind)
      return counts.slots.size() - 1
    },
    /** So many facts of a row that add this. */
    enter: (row: number, addend: number, facts: number) => {
      entries.rows.push(row)
      entries.addends.push(addend)
      entries.facts.push(facts)
    },
    isFull: () => means.slots.size() + entries.rows.size() > KEPT_MAX,
    clear,
  }
}

/** How many facts add which: of one row those from one place to before another. */
export interface RowEntries {
  readonly addends: Int32Array
  readonly facts: Int32Array
  readonly from: number
  readonly to: number
}

/** The entries of each row, side by side. */
export function entriesByRow({ entries }: Addends, rows: number): (row: number) => RowEntries {
  const size = entries.rows.size()
  const lists = listsByGroup(entries.rows.all(), size, rows, entries.addends.all(), entries.facts.all())
  const { starts, ones: addends, others: facts } = lists
  return (row) => ({ addends, facts, from: starts[row]!, to: starts[row + 1]! })
}

/** All entries as if they were of one row: each addend once. */
export function entriesOfAll({ entries, counts }: Addends): RowEntries {
  const [addendOf, factsOf] = [entries.addends.all(), entries.facts.all()]
  const addends = Int32Array.from({ length: counts.slots.size() }, (_, addend) => addend)
  const facts = new Int32Array(addends.length)
  for (let entry = 0; entry < entries.addends.size(); entry += 1) facts[addendOf[entry]!]! += factsOf[entry]!
  return { addends, facts, from: 0, to: addends.length }
}
