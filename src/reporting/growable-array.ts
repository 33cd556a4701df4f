// Typed arrays that grow as numbers are appended.

export interface GrowableArray<Numbers> {
  readonly push: (number: number) => void
  /** Reserves consecutive places. @returns the index of the first one */
  readonly take: (count: number) => number
  /** The underlying array, which may extend beyond `size`. Valid until more is appended. */
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
    // A transfer leaves no old buffer to be garbage-collected.
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
