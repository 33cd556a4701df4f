// Draws for the demo fleet: the same sequence for the same seed, on every machine and in every release.
import { hash } from 'node:crypto'

export interface Draw {
  /** From 0 to below the limit. */
  readonly below: (limit: number) => number
  readonly chance: (share: number) => boolean
  readonly oneOf: <Value>(values: readonly Value[]) => Value
}

export function drawFrom(seed: string): Draw {
  let drawn = 0
  const below = (limit: number): number =>
    Math.floor((hash('sha256', `${seed} ${(drawn += 1)}`, 'buffer').readUInt32BE() / 2 ** 32) * limit)
  return {
    below,
    chance: (share) => below(10_000) < share * 10_000,
    oneOf: (values) => values[below(values.length)]!,
  }
}
