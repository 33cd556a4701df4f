// How much of a file is under way at once: so many small orders, or a single large one.
import { weightOf, type FileOrder } from '../tables/file-order.ts'

/** An order weighs something by itself, whatever stands in its rows. */
const ORDER_WEIGHT = 500

export const orderWeight = ({ rows }: FileOrder): number =>
  rows.reduce((weight, row) => weight + weightOf(row), ORDER_WEIGHT)

/** Lets in so much at once, and whatever is alone; one after the other asks to be let in. */
export function createGate(weightMax: number) {
  let inside = 0
  let goOn: (() => void) | null = null
  return {
    enter: async (weight: number): Promise<void> => {
      while (inside > 0 && inside + weight > weightMax) await new Promise<void>((resolve) => (goOn = resolve))
      inside += weight
    },
    leave: (weight: number): void => {
      inside -= weight
      goOn?.()
    },
  }
}
