// What the facts of one row come to, slot by slot: exact sums, and the means of the sources that they may be off by.
import type { Addends, RowEntries } from './addends.ts'
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
  readonly add: (addends: Addends, entries: RowEntries) => void
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
  const touch = (source: number) => {
    isTouched[source] = 1
    touched[touchedCount] = source
    touchedCount += 1
  }
  const addMeans = (
    { means: { starts, slots: places, sources, means: values } }: Addends,
    { addends, facts }: RowEntries,
  ) => {
    const [from, at, source, value] = [starts.all(), places.all(), sources.all(), values.all()]
    for (let entry = 0; entry < addends.length; entry += 1) {
      const [addend, number] = [addends[entry]!, facts[entry]!]
      for (let next = from[addend]!; next < from[addend + 1]!; next += 1) {
        if (isTouched[source[next]!] === 0) touch(source[next]!)
        means[at[next]! * allSources + source[next]!]! += number * value[next]!
      }
    }
  }
  const addSums = ({ sums: { starts, slots: places, milligrams } }: Addends, { addends, facts }: RowEntries) => {
    const [from, at, value] = [starts.all(), places.all(), milligrams.all()]
    for (let entry = 0; entry < addends.length; entry += 1) {
      const [addend, number] = [addends[entry]!, facts[entry]!]
      for (let next = from[addend]!; next < from[addend + 1]!; next += 1) {
        used[at[next]!] = 1
        sums[at[next]!]! += number * value[next]!
      }
    }
  }
  const addCounts = ({ counts }: Addends, { addends, facts }: RowEntries) => {
    const [at, kinds] = [counts.slots.all(), counts.kinds.all()]
    for (let entry = 0; entry < addends.length; entry += 1) {
      const [slot, kind] = [at[addends[entry]!]!, kinds[addends[entry]!]!]
      if (slot === -1) continue
      used[slot] = 1
      if ((kind & KINDS.firstOfOrder) !== 0) orders[slot]! += facts[entry]!
      if ((kind & KINDS.firstOfRental) !== 0) rentals[slot]! += facts[entry]!
    }
  }
  return {
    sums,
    orders,
    rentals,
    hasMeans,
    addMean: (slot, source, mean) => {
      if (isTouched[source] === 0) touch(source)
      means[slot * allSources + source]! += mean
    },
    add: (addends, entries) => {
      addSums(addends, entries)
      addCounts(addends, entries)
      if (hasMeans) addMeans(addends, entries)
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
