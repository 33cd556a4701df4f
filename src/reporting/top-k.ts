// The heaviest sums of a report, where not all are wanted: found by their weights, before any group is made.
import type { Resumable } from '../engine/numbers/steps.ts'
import type { AggregateCells } from './aggregate.ts'
import { createDoubleArray } from './growable-array.ts'

export interface TopK {
  /** How many there are in all. */
  readonly cells: number
  /** Whether anything of a row may be told. */
  readonly isRow: (row: number) => boolean
  /** Asked in the sequence of the cells: of those that are equal, the first are told. */
  readonly isCell: (weight: number) => boolean
}

/** @param limit how many are wanted, from 1 on */
export function* findTopK(cells: AggregateCells, limit: number): Resumable<TopK> {
  const weights = new Float64Array(2 * limit)
  const greatest = createDoubleArray()
  let [size, least, count] = [0, -Infinity, 0]
  const keepHeaviest = (): void => {
    weights.subarray(0, size).sort()
    weights.copyWithin(0, size - limit, size)
    size = limit
    least = weights[0]!
  }
  yield* cells.each(
    (row, weight) => {
      count += 1
      while (greatest.size() <= row) greatest.push(-Infinity)
      if (weight > greatest.all()[row]!) greatest.all()[row] = weight
      if (weight <= least) return
      weights[size] = weight
      size += 1
      if (size === weights.length) keepHeaviest()
    },
    () => true,
  )
  if (size > limit) keepHeaviest()
  let equals = weights.subarray(0, size).reduce((found, weight) => found + Number(weight === least), 0)
  return {
    cells: count,
    isRow: (row) => row < greatest.size() && greatest.all()[row]! >= least,
    isCell: (weight) => {
      if (weight !== least) return weight > least
      equals -= 1
      return equals >= 0
    },
  }
}
