// Numbers one after the other in typed arrays, of which nobody knows beforehand how many there will be.

export interface GrowableArray<Numbers> {
  readonly push: (number: number) => void
  /** Makes room for so many side by side. @returns where they begin */
  readonly take: (count: number) => number
  /** All that there are, and what was there before: for as long as nothing is pushed. */
  readonly all: () => Numbers
  readonly size: () => number
  readonly clear: () => void
}

const FIRST = 1_024

const createGrowing = <Numbers extends Int32Array<ArrayBuffer> | Float64Array<ArrayBuffer>>(
  make: (buffer: ArrayBuffer) => Numbers,
): GrowableArray<Numbers> => {
  let numbers = make(new ArrayBuffer(FIRST * Float64Array.BYTES_PER_ELEMENT))
  let size = 0
  const take = (count: number): number => {
    size += count
    // What is transferred leaves nothing behind that would have to be cleared up.
    while (size > numbers.length) numbers = make(numbers.buffer.transfer(2 * numbers.byteLength))
    return size - count
  }
  return {
    push: (number) => {
      const at = take(1)
      numbers[at] = number
    },
    take,
    all: () => numbers,
    size: () => size,
    clear: () => {
      size = 0
    },
  }
}

export const createIntegerArray = () => createGrowing((buffer) => new Int32Array(buffer))
export const createDoubleArray = () => createGrowing((buffer) => new Float64Array(buffer))
