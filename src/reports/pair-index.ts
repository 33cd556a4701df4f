// Numbers each pair of whole numbers that is come upon: 0, 1, 2 … A Map would need a text or an object for each.

const FIRST_SLOTS = 1_024

export interface PairInterner {
  readonly size: () => number
  /** The number of a pair; a new pair gets the next one. Both are from 0 to 2^31 − 1. */
  readonly of: (first: number, second: number) => number
  readonly firstOf: (no: number) => number
  readonly secondOf: (no: number) => number
}

/** Open addressing: a pair stands in the first free slot after the one that it is scattered to. */
export function createPairInterner(): PairInterner {
  let slots = new Int32Array(FIRST_SLOTS).fill(-1)
  let mask = FIRST_SLOTS - 1
  let firsts = new Int32Array(FIRST_SLOTS / 2)
  let seconds = new Int32Array(FIRST_SLOTS / 2)
  let size = 0
  const grow = () => {
    slots = new Int32Array(2 * slots.length).fill(-1)
    mask = slots.length - 1
    firsts = longer(firsts)
    seconds = longer(seconds)
    for (let no = 0; no < size; no += 1) {
      let slot = scatter(firsts[no]!, seconds[no]!) & mask
      while (slots[slot] !== -1) slot = (slot + 1) & mask
      slots[slot] = no
    }
  }
  return {
    size: () => size,
    of: (first, second) => {
      let slot = scatter(first, second) & mask
      for (let no = slots[slot]!; no !== -1; no = slots[slot]!) {
        if (firsts[no] === first && seconds[no] === second) return no
        slot = (slot + 1) & mask
      }
      if (size === firsts.length) {
        grow()
        slot = scatter(first, second) & mask
        while (slots[slot] !== -1) slot = (slot + 1) & mask
      }
      slots[slot] = size
      firsts[size] = first
      seconds[size] = second
      return size++
    },
    firstOf: (no) => firsts[no]!,
    secondOf: (no) => seconds[no]!,
  }
}

function scatter(first: number, second: number): number {
  const mixed = Math.imul(first, 0x9e3779b1) ^ Math.imul(second, 0x85ebca6b)
  return (mixed ^ (mixed >>> 15)) >>> 0
}

const longer = ({ buffer, byteLength }: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> =>
  new Int32Array(buffer.transfer(2 * byteLength))
