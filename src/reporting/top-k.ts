// Finds the largest sums of a report with a limit by their weights, before any group is built.
import type { Resumable } from '../engine/numbers/steps.ts'
import type { AggregateCells } from './aggregate.ts'
import { createDoubleArray } from './growable-array.ts'

export interface TopK {
  /** The total number of cells. */
  readonly cells: number
  /** False if no cell of the row can be listed. */
  readonly isRow: (row: number) => boolean
  /** Must be called in cell order: of cells with equal weight, the first ones are listed. */
  readonly isCell: (weight: number) => boolean
}

/** @param limit the number of wanted cells, at least 1 */
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
  let equals = weights.subarray(0, size).reduce((count, weight) => count + Number(weight === least), 0)
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
