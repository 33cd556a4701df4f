// The contributions of facts to a report: stored once for equal facts, with fact counts by pair of labels.
import type { ReportPart } from './classification.ts'
import { createDoubleArray, createIntegerArray, type GrowableArray } from './growable-array.ts'

/** Limit at which contributions are spilled. At most twice as many are held at a time, some 100 MB. */
export const BUFFERED_MAX = 1_000_000

/** The fields of an entry: its two labels, its contribution, and the number of facts. */
export const [FIRST_LABEL, SECOND_LABEL, CONTRIBUTION, FACT_COUNT] = [0, 1, 2, 3] as const
export const ENTRY_SIZE = 4

export type Contributions = ReturnType<typeof createContributions>

/** Parallel lists of numbers. A contribution, or a run, extends from its start to the start of the next one. */
export function createContributions() {
  const sums = { starts: createIntegerArray(), slots: createIntegerArray(), milligrams: createDoubleArray() }
  // A run is one error source over several periods, so that the source is looked up only once.
  const runs = { starts: createIntegerArray(), sources: createIntegerArray() }
  const means = { starts: createIntegerArray(), slots: createIntegerArray(), means: createDoubleArray() }
  const counts = { slots: createIntegerArray(), kinds: createIntegerArray() }
  const held = { starts: createIntegerArray(), slots: createIntegerArray(), months: createDoubleArray() }
  /** ENTRY_SIZE consecutive numbers per entry, because they are sorted and read together. */
  const entries = createIntegerArray()
  /** The contribution under construction: the lane added to last, and the first and last of its sums. */
  const made: { part: ReportPart | null; first: number; last: number } = { part: null, first: 0, last: 0 }
  const clear = () => {
    for (const list of [entries, ...[sums, runs, means, counts, held].flatMap((lists) => Object.values(lists))])
      list.clear()
    for (const { starts } of [sums, runs, means, held]) starts.push(0)
  }
  clear()
  const addSum = (slot: number, milligrams: number, part: ReportPart) => {
    // All lanes visit the same periods in the same order. A slot not found at the expected place gets a further sum.
    const place = part === made.part ? made.last + 1 : made.first
    const isExpected = made.part !== null && place < sums.slots.size() && sums.slots.all()[place] === slot
    made.last = isExpected ? place : sums.slots.size()
    if (part !== made.part) made.first = made.last
    made.part = part
    if (isExpected) {
      sums.milligrams.all()[place]! += milligrams
      return
    }
    sums.slots.push(slot)
    sums.milligrams.push(milligrams)
  }
  return {
    sums,
    runs,
    means,
    counts,
    held,
    entries,
    /** Adds to the contribution under construction. All of one lane must be added before any of the next. */
    add: (slot: number, milligrams: number, part: ReportPart) => {
      addSum(slot, milligrams, part)
      const firstRun = runs.starts.all()[counts.slots.size()]!
      for (const { source, share } of part.sources) addMean(runs, means, firstRun, slot, milligrams * share, source)
    },
    /** Adds millionths of device-months to the contribution under construction. */
    addMonths: (slot: number, months: number): void => {
      held.slots.push(slot)
      held.months.push(months)
    },
    /** Ends the contribution under construction. @param slot in which its facts are counted; -1 for none */
    end: (slot: number, kind: number): number => {
      sums.starts.push(sums.slots.size())
      runs.starts.push(runs.sources.size())
      held.starts.push(held.slots.size())
      made.part = null
      counts.slots.push(slot)
      counts.kinds.push(kind)
      return counts.slots.size() - 1
    },
    /** Enters a number of facts that have these labels and this contribution. */
    enter: (first: number, second: number, addend: number, facts: number): void =>
      addEntry(entries, first, second, addend, facts),
    isFull: () => means.slots.size() + held.slots.size() + entries.size() / ENTRY_SIZE > BUFFERED_MAX,
    clear,
  }
}

type Integers = GrowableArray<Int32Array>
interface ErrorRuns {
  readonly sources: Integers
}
interface ErrorMeans {
  readonly starts: Integers
  readonly slots: Integers
  readonly means: GrowableArray<Float64Array>
}

/** @param firstRun of the contribution under construction */
function addMean(
  { sources }: ErrorRuns,
  means: ErrorMeans,
  firstRun: number,
  slot: number,
  milligrams: number,
  source: number,
): void {
  const run = sources.size() - 1
  if (run < firstRun || sources.all()[run] !== source) {
    sources.push(source)
    means.starts.push(means.slots.size())
  }
  means.slots.push(slot)
  means.means.push(milligrams)
  means.starts.all()[sources.size()]! += 1
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
