// The heaviest sums of a report, where not all are wanted: found by their weights, before any group is made.
import type { Steps } from '../engine/numbers/steps.ts'
import type { Cells } from './cells.ts'

/**
 * @param limit how many are wanted, from 1 on
 * @returns whether a weight is among them, asked in the sequence of the cells: of those that are equal, the first are
 */
export function* findHeaviest(cells: Cells, limit: number): Steps<(weight: number) => boolean> {
  const weights = new Float64Array(2 * limit)
  let [size, least] = [0, -Infinity]
  const keepHeaviest = (): void => {
    weights.subarray(0, size).sort()
    weights.copyWithin(0, size - limit, size)
    size = limit
    least = weights[0]!
  }
  yield* cells.each((_row, _slot, weight) => {
    if (weight <= least) return
    weights[size] = weight
    size += 1
    if (size === weights.length) keepHeaviest()
  })
  if (size > limit) keepHeaviest()
  let equals = weights.subarray(0, size).reduce((count, weight) => count + Number(weight === least), 0)
  return (weight) => {
    if (weight !== least) return weight > least
    equals -= 1
    return equals >= 0
  }
}
