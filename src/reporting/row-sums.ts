// The sums of one row, slot by slot: exact emission and counts, and the means of the error sources.
import { CONTRIBUTION, ENTRY_SIZE, FACT_COUNT, type Contributions } from './contributions.ts'
import { ENTRY_KINDS } from './fact.ts'
import type { SortedRows } from './counting-sort.ts'

/** Maximum number of pairs of slot and source, 32 MB. A report with more has an unknown uncertainty. */
const MEANS_MAX = 4_000_000

/** Sources and their means, `count` of each. Valid until the means of another slot are requested. */
export interface SlotErrorMeans {
  readonly sources: Int32Array
  readonly means: Float64Array
  readonly count: number
}

export interface RowSums {
  /** Milligrams by slot, below 2^53. */
  readonly sums: Float64Array
  readonly orders: Float64Array
  readonly rentals: Float64Array
  /** Millionths of device-months. */
  readonly months: Float64Array
  readonly hasMeans: boolean
  /** Called once per row, with the range of its entries; `to` is exclusive. */
  readonly add: (addends: Contributions, entries: SortedRows, from: number, to: number) => void
  /** True if the slot has any content. */
  readonly isUsed: (slot: number) => boolean
  readonly meansOf: (slot: number) => SlotErrorMeans
  /** Prepares for the next row. */
  readonly clear: () => void
}

/** By slot; each array has one element per slot. */
interface Slots {
  readonly sums: Float64Array
  readonly orders: Float64Array
  readonly rentals: Float64Array
  readonly months: Float64Array
  readonly used: Uint8Array
}

/** @param sources the total number of error sources */
export function createRowSums(slots: number, sources: number): RowSums {
  const [sums, orders, rentals] = [new Float64Array(slots), new Float64Array(slots), new Float64Array(slots)]
  const months = new Float64Array(slots)
  const used = new Uint8Array(slots)
  const row: Slots = { sums, orders, rentals, months, used }
  const hasMeans = slots * sources <= MEANS_MAX
  const means = createRowMeans(slots, hasMeans ? sources : 0)
  // In a report that lists only its largest groups, the uncertainty of most rows is never requested.
  let unasked: readonly [Contributions, SortedRows] | null = null
  let [start, end] = [0, 0]
  return {
    sums,
    orders,
    rentals,
    months,
    hasMeans,
    add: (addends, entries, from, to) => {
      addEntries(row, addends, entries, from, to)
      if (unasked?.[1] !== entries) unasked = [addends, entries]
      start = from
      end = to
    },
    isUsed: (slot) => used[slot] === 1,
    meansOf: (slot) => {
      if (hasMeans && start < end) means.add(...unasked!, start, end)
      start = end
      return means.of(slot)
    },
    clear: () => {
      means.clear()
      start = end
      for (let slot = 0; slot < slots; slot += 1)
        sums[slot] = orders[slot] = rentals[slot] = months[slot] = used[slot] = 0
    },
  }
}

// Module-level functions, which V8 optimises once; closures created per report would start slowly each time.

function addEntries(
  { sums, orders, rentals, months, used }: Slots,
  { sums: added, counts, held }: Contributions,
  { all }: SortedRows,
  from: number,
  to: number,
): void {
  const [starts, places, milligrams] = [added.starts.all(), added.slots.all(), added.milligrams.all()]
  const [countedIn, kinds] = [counts.slots.all(), counts.kinds.all()]
  const [heldStarts, heldIn, heldMonths] = [held.starts.all(), held.slots.all(), held.months.all()]
  for (let entry = ENTRY_SIZE * from; entry < ENTRY_SIZE * to; entry += ENTRY_SIZE) {
    const addend = all[entry + CONTRIBUTION]!
    const number = all[entry + FACT_COUNT]!
    const end = starts[addend + 1]!
    for (let at = starts[addend]!; at < end; at += 1) {
      used[places[at]!] = 1
      sums[places[at]!]! += number * milligrams[at]!
    }
    const heldEnd = heldStarts[addend + 1]!
    for (let at = heldStarts[addend]!; at < heldEnd; at += 1) {
      used[heldIn[at]!] = 1
      months[heldIn[at]!]! += number * heldMonths[at]!
    }
    const slot = countedIn[addend]!
    if (slot === -1) continue
    used[slot] = 1
    const kind = kinds[addend]!
    const counted = (kind & ENTRY_KINDS.takenBack) === 0 ? number : -number
    if ((kind & ENTRY_KINDS.firstOfOrder) !== 0) orders[slot]! += counted
    if ((kind & ENTRY_KINDS.firstOfRental) !== 0) rentals[slot]! += counted
  }
}

/**
 * Means by place of a source and by slot. The sources that occur in a row are stored contiguously in order of arrival,
 * so that only those are visited.
 */
interface RowMeans {
  readonly slots: number
  readonly means: Float64Array
  readonly sources: Int32Array
  /** By source; -1 for none. */
  readonly placeOf: Int32Array
  /** Number of sources that have a place. */
  count: number
}

/** @param size the total number of error sources */
function createRowMeans(slots: number, size: number) {
  const row: RowMeans = {
    slots,
    means: new Float64Array(slots * size),
    sources: new Int32Array(size),
    placeOf: new Int32Array(size).fill(-1),
    count: 0,
  }
  const [ofSlot, meansOfSlot] = [new Int32Array(size), new Float64Array(size)]
  return {
    add: (addends: Contributions, entries: SortedRows, from: number, to: number) =>
      addMeans(row, addends, entries, from, to),
    of: (slot: number): SlotErrorMeans => {
      let matches = 0
      for (let at = 0; at < row.count; at += 1) {
        const mean = row.means[at * slots + slot]!
        if (mean === 0) continue
        ofSlot[matches] = row.sources[at]!
        meansOfSlot[matches] = mean
        matches += 1
      }
      return { sources: ofSlot, means: meansOfSlot, count: matches }
    },
    clear: () => {
      row.means.fill(0, 0, row.count * slots)
      for (let at = 0; at < row.count; at += 1) row.placeOf[row.sources[at]!] = -1
      row.count = 0
    },
  }
}

function addMeans(
  row: RowMeans,
  { runs, means: added }: Contributions,
  { all }: SortedRows,
  from: number,
  to: number,
): void {
  const [firstRuns, sources, starts] = [runs.starts.all(), runs.sources.all(), added.starts.all()]
  const [slots, values] = [added.slots.all(), added.means.all()]
  const { means } = row
  for (let entry = ENTRY_SIZE * from; entry < ENTRY_SIZE * to; entry += ENTRY_SIZE) {
    const addend = all[entry + CONTRIBUTION]!
    const number = all[entry + FACT_COUNT]!
    const lastRun = firstRuns[addend + 1]!
    for (let run = firstRuns[addend]!; run < lastRun; run += 1) {
      const begin = placeIn(row, sources[run]!) * row.slots
      const end = starts[run + 1]!
      for (let at = starts[run]!; at < end; at += 1) means[begin + slots[at]!]! += number * values[at]!
    }
  }
}

function placeIn(row: RowMeans, source: number): number {
  const known = row.placeOf[source]!
  if (known !== -1) return known
  row.sources[row.count] = source
  row.placeOf[source] = row.count
  row.count += 1
  return row.count - 1
}
