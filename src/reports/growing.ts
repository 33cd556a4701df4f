// Numbers one after the other in typed arrays, of which nobody knows beforehand how many there will be.

export interface Growing<Numbers> {
  readonly push: (number: number) => void
  /** All that there are, and what was there before: for as long as nothing is pushed. */
  readonly all: () => Numbers
  readonly size: () => number
  readonly clear: () => void
}

const FIRST = 1_024

const createGrowing = <Numbers extends Int32Array | Float64Array>(
  make: (size: number) => Numbers,
): Growing<Numbers> => {
  let numbers = make(FIRST)
  let size = 0
  return {
    push: (number) => {
      if (size === numbers.length) {
        const longer = make(2 * size)
        longer.set(numbers)
        numbers = longer
      }
      numbers[size] = number
      size += 1
    },
    all: () => numbers,
    size: () => size,
    clear: () => {
      size = 0
    },
  }
}

export const createIntegers = () => createGrowing((size) => new Int32Array(size))
export const createDoubles = () => createGrowing((size) => new Float64Array(size))
