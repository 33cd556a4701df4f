// What the facts of one row come to, slot by slot: exact sums, and the means of the sources that they may be off by.
import type { Addends, RowEntries } from './addends.ts'
import { KINDS } from './fact.ts'

/** Of so many slots and sources, 32 MB; of a report that has more it is not known how far off it is. */
const MEANS_MAX = 4_000_000

/** Sources and their means, as many as are told: until somebody asks for those of another slot. */
interface SlotMeans {
  readonly sources: Int32Array
  readonly means: Float64Array
  readonly count: number
}

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
  readonly meansOf: (slot: number) => SlotMeans
  /** Makes it ready for the next row. */
  readonly clear: () => void
}

/** @param sources how many there are in all */
export function createRowSums(slots: number, sources: number): RowSums {
  const [sums, orders, rentals] = [new Float64Array(slots), new Float64Array(slots), new Float64Array(slots)]
  const used = new Uint8Array(slots)
  const hasMeans = slots * sources <= MEANS_MAX
  const means = createRowMeans(slots, hasMeans ? sources : 0)
  const addSums = ({ sums: added }: Addends, { addends, facts }: RowEntries) => {
    const [starts, places, milligrams] = [added.starts.all(), added.slots.all(), added.milligrams.all()]
    for (let entry = 0; entry < addends.length; entry += 1) {
      const [addend, number] = [addends[entry]!, facts[entry]!]
      for (let at = starts[addend]!; at < starts[addend + 1]!; at += 1) {
        used[places[at]!] = 1
        sums[places[at]!]! += number * milligrams[at]!
      }
    }
  }
  const addCounts = ({ counts }: Addends, { addends, facts }: RowEntries) => {
    const [places, kinds] = [counts.slots.all(), counts.kinds.all()]
    for (let entry = 0; entry < addends.length; entry += 1) {
      const [slot, kind] = [places[addends[entry]!]!, kinds[addends[entry]!]!]
      if (slot === -1) continue
      used[slot] = 1
      const number = (kind & KINDS.takenBack) === 0 ? facts[entry]! : -facts[entry]!
      if ((kind & KINDS.firstOfOrder) !== 0) orders[slot]! += number
      if ((kind & KINDS.firstOfRental) !== 0) rentals[slot]! += number
    }
  }
  return {
    sums,
    orders,
    rentals,
    hasMeans,
    addMean: means.addOne,
    add: (addends, entries) => {
      addSums(addends, entries)
      addCounts(addends, entries)
      if (hasMeans) means.add(addends, entries)
    },
    isUsed: (slot) => used[slot] === 1,
    meansOf: means.of,
    clear: () => {
      means.clear()
      for (const one of [sums, orders, rentals, used]) one.fill(0)
    },
  }
}

/** By slot and source; only those that a row has anything of are looked at. */
function createRowMeans(slots: number, size: number) {
  const means = new Float64Array(slots * size)
  const [touched, isTouched] = [new Int32Array(size), new Uint8Array(size)]
  let count = 0
  const touch = (source: number) => {
    isTouched[source] = 1
    touched[count] = source
    count += 1
  }
  const [ofSlot, meansOfSlot] = [new Int32Array(size), new Float64Array(size)]
  return {
    addOne: (slot: number, source: number, mean: number) => {
      if (isTouched[source] === 0) touch(source)
      means[slot * size + source]! += mean
    },
    add: ({ means: added }: Addends, { addends, facts }: RowEntries) => {
      const [starts, places, sources] = [added.starts.all(), added.slots.all(), added.sources.all()]
      const values = added.means.all()
      for (let entry = 0; entry < addends.length; entry += 1) {
        const [addend, number] = [addends[entry]!, facts[entry]!]
        for (let at = starts[addend]!; at < starts[addend + 1]!; at += 1) {
          if (isTouched[sources[at]!] === 0) touch(sources[at]!)
          means[places[at]! * size + sources[at]!]! += number * values[at]!
        }
      }
    },
    of: (slot: number): SlotMeans => {
      let found = 0
      for (let at = 0; at < count; at += 1) {
        const mean = means[slot * size + touched[at]!]!
        if (mean === 0) continue
        ofSlot[found] = touched[at]!
        meansOfSlot[found] = mean
        found += 1
      }
      return { sources: ofSlot, means: meansOfSlot, count: found }
    },
    clear: () => {
      for (let slot = 0; slot < slots; slot += 1) {
        for (let at = 0; at < count; at += 1) means[slot * size + touched[at]!] = 0
      }
      for (let at = 0; at < count; at += 1) isTouched[touched[at]!] = 0
      count = 0
    },
  }
}
