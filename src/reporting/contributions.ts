// What facts add to a report: said once for all facts that add the same, with how many of them have which labels.
import type { ReportPart } from './classification.ts'
import { createDoubleArray, createIntegerArray, type GrowableArray } from './growable-array.ts'

/** No more than twice as many are kept at a time: some 100 MB. */
export const BUFFERED_MAX = 1_000_000

/** Of an entry: its labels, what its facts add, and how many they are. */
export const [FIRST_LABEL, SECOND_LABEL, CONTRIBUTION, FACT_COUNT] = [0, 1, 2, 3] as const
export const ENTRY_SIZE = 4

export type Contributions = ReturnType<typeof createContributions>

/** Lists of numbers side by side; of an addend, or of a run, those from its start to that of the next. */
export function createContributions() {
  const sums = { starts: createIntegerArray(), slots: createIntegerArray(), milligrams: createDoubleArray() }
  // What one source makes err, in several periods: it is looked up once for all of a run.
  const runs = { starts: createIntegerArray(), sources: createIntegerArray() }
  const means = { starts: createIntegerArray(), slots: createIntegerArray(), means: createDoubleArray() }
  const counts = { slots: createIntegerArray(), kinds: createIntegerArray() }
  /** ENTRY_SIZE numbers each, side by side: they are sorted and read as one. */
  const entries = createIntegerArray()
  /** Of the addend that is being made: which lane was added to last, and to which sums at first and at last. */
  const made: { lane: ReportPart | null; first: number; last: number } = { lane: null, first: 0, last: 0 }
  const clear = () => {
    for (const list of [entries, ...[sums, runs, means, counts].flatMap((lists) => Object.values(lists))]) list.clear()
    for (const { starts } of [sums, runs, means]) starts.push(0)
  }
  clear()
  const addSum = (slot: number, milligrams: number, lane: ReportPart) => {
    // Lanes come upon the same periods in the same sequence. What is not found so is another sum of the slot.
    const place = lane === made.lane ? made.last + 1 : made.first
    const isFound = made.lane !== null && place < sums.slots.size() && sums.slots.all()[place] === slot
    made.last = isFound ? place : sums.slots.size()
    if (lane !== made.lane) made.first = made.last
    made.lane = lane
    if (isFound) {
      sums.milligrams.all()[place]! += milligrams
      return
    }
    sums.slots.push(slot)
    sums.milligrams.push(milligrams)
  }
  const addMean = (slot: number, milligrams: number, source: number) => {
    const [run, firstRun] = [runs.sources.size() - 1, runs.starts.all()[counts.slots.size()]!]
    if (run < firstRun || runs.sources.all()[run] !== source) {
      runs.sources.push(source)
      means.starts.push(means.slots.size())
    }
    means.slots.push(slot)
    means.means.push(milligrams)
    means.starts.all()[runs.sources.size()]! += 1
  }
  return {
    sums,
    runs,
    means,
    counts,
    entries,
    /** Adds to the addend that is being made: all of one lane before any of the next. */
    add: (slot: number, milligrams: number, lane: ReportPart) => {
      addSum(slot, milligrams, lane)
      for (const { source, share } of lane.sources) addMean(slot, milligrams * share, source)
    },
    /** Ends the addend that is being made. @param slot where its facts are counted; -1 for nowhere */
    end: (slot: number, kind: number): number => {
      sums.starts.push(sums.slots.size())
      runs.starts.push(runs.sources.size())
      made.lane = null
      counts.slots.push(slot)
      counts.kinds.push(kind)
      return counts.slots.size() - 1
    },
    /** So many facts add this that have these labels. */
    enter: (first: number, second: number, addend: number, facts: number): void =>
      addEntry(entries, first, second, addend, facts),
    isFull: () => means.slots.size() + entries.size() / ENTRY_SIZE > BUFFERED_MAX,
    clear,
  }
}

function addEntry(
  entries: GrowableArray<Int32Array>,
  first: number,
  second: number,
  addend: number,
  facts: number,
): void {
  const at = entries.take(ENTRY_SIZE)
  const all = entries.all()
  all[at + FIRST_LABEL] = first
  all[at + SECOND_LABEL] = second
  all[at + CONTRIBUTION] = addend
  all[at + FACT_COUNT] = facts
}
