// What the facts of one row come to, slot by slot: exact sums, and the means of the sources that they may be off by.
import type { Addends } from './addends.ts'
import { KINDS } from './fact.ts'

/** Means of so many slots and sources are told apart, 32 MB; of a report that has more it is not known how far off it is. */
const MEANS_MAX = 4_000_000

export interface RowSums {
  /** Milligrams by slot: less than 2^53. */
  readonly sums: Float64Array
  readonly orders: Float64Array
  readonly rentals: Float64Array
  readonly hasMeans: boolean
  readonly addMean: (slot: number, source: number, mean: number) => void
  readonly add: (addends: Addends, entry: number) => void
  /** Whether there is anything in it. */
  readonly isUsed: (slot: number) => boolean
  /** The sources of a slot and their means, as many as are told: until it is asked for the next. */
  readonly meansOf: (slot: number) => {
    readonly sources: Int32Array
    readonly means: Float64Array
    readonly count: number
  }
  /** Makes it ready for the next row. */
  readonly clear: () => void
}

export function createRowSums(slots: number, allSources: number): RowSums {
  const [sums, orders, rentals] = [new Float64Array(slots), new Float64Array(slots), new Float64Array(slots)]
  const used = new Uint8Array(slots)
  const hasMeans = slots * allSources <= MEANS_MAX
  const means = new Float64Array(hasMeans ? slots * allSources : 0)
  const touched = new Int32Array(allSources)
  const isTouched = new Uint8Array(allSources)
  let touchedCount = 0
  const [ofSlot, meansOfSlot] = [new Int32Array(allSources), new Float64Array(allSources)]
  const addMean = (slot: number, source: number, mean: number) => {
    if (isTouched[source] === 0) {
      isTouched[source] = 1
      touched[touchedCount] = source
      touchedCount += 1
    }
    means[slot * allSources + source]! += mean
  }
  const count = (slot: number, kind: number, facts: number) => {
    used[slot] = 1
    if ((kind & KINDS.firstOfOrder) !== 0) orders[slot]! += facts
    if ((kind & KINDS.firstOfRental) !== 0) rentals[slot]! += facts
  }
  return {
    sums,
    orders,
    rentals,
    hasMeans,
    addMean,
    add: ({ sums: added, means: spread, counts, entries }, entry) => {
      const [addend, facts] = [entries.addends.all()[entry]!, entries.facts.all()[entry]!]
      const [slots, milligrams, starts] = [added.slots.all(), added.milligrams.all(), added.starts.all()]
      for (let at = starts[addend]!; at < starts[addend + 1]!; at += 1) {
        used[slots[at]!] = 1
        sums[slots[at]!]! += facts * milligrams[at]!
      }
      const counted = counts.slots.all()[addend]!
      if (counted !== -1) count(counted, counts.kinds.all()[addend]!, facts)
      if (!hasMeans) return
      const [places, sources, values] = [spread.slots.all(), spread.sources.all(), spread.means.all()]
      const end = spread.starts.all()[addend + 1]!
      for (let at = spread.starts.all()[addend]!; at < end; at += 1)
        addMean(places[at]!, sources[at]!, facts * values[at]!)
    },
    isUsed: (slot) => used[slot] === 1,
    meansOf: (slot) => {
      let count = 0
      for (let at = 0; at < touchedCount; at += 1) {
        const mean = hasMeans ? means[slot * allSources + touched[at]!]! : 0
        if (mean === 0) continue
        ofSlot[count] = touched[at]!
        meansOfSlot[count] = mean
        count += 1
      }
      return { sources: ofSlot, means: meansOfSlot, count }
    },
    clear: () => {
      for (let slot = 0; hasMeans && slot < slots; slot += 1) {
        for (let at = 0; at < touchedCount; at += 1) means[slot * allSources + touched[at]!] = 0
      }
      for (let at = 0; at < touchedCount; at += 1) isTouched[touched[at]!] = 0
      touchedCount = 0
      for (const one of [sums, orders, rentals, used]) one.fill(0)
    },
  }
}
