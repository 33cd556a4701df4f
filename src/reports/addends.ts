// What facts add to a report: said once for all facts that add the same, with how many of them have which labels.
import type { Lane } from './footings.ts'
import { createDoubles, createIntegers } from './growing.ts'

/** More are not kept at a time: some 50 MB. */
const KEPT_MAX = 1_000_000

export type Addends = ReturnType<typeof createAddends>

/** Lists of numbers side by side; of an addend those from its start to that of the next. */
export function createAddends() {
  const sums = { starts: createIntegers(), slots: createIntegers(), milligrams: createDoubles() }
  const means = { starts: createIntegers(), slots: createIntegers(), sources: createIntegers(), means: createDoubles() }
  const counts = { slots: createIntegers(), kinds: createIntegers() }
  const entries = {
    firsts: createIntegers(),
    seconds: createIntegers(),
    addends: createIntegers(),
    facts: createIntegers(),
  }
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
    /** So many facts add this that have these labels. */
    enter: (first: number, second: number, addend: number, facts: number) => {
      entries.firsts.push(first)
      entries.seconds.push(second)
      entries.addends.push(addend)
      entries.facts.push(facts)
    },
    isFull: () => means.slots.size() + entries.addends.size() > KEPT_MAX,
    clear,
  }
}
