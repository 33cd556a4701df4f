// Random numbers for the demo fleet: the same sequence for the same seed, on every machine and in every release.
import { hash } from 'node:crypto'

export interface Random {
  /** From 0 to below the limit. */
  readonly below: (limit: number) => number
  readonly chance: (share: number) => boolean
  readonly oneOf: <Value>(values: readonly Value[]) => Value
}

export function createRandom(seed: string): Random {
  let [bytes, at, blocks] = [Buffer.alloc(0), 0, 0]
  const below = (limit: number): number => {
    if (at === bytes.length) [bytes, at] = [hash('sha256', `${seed} ${(blocks += 1)}`, 'buffer'), 0]
    const drawn = bytes.readUInt32BE(at)
    at += 4
    return Math.floor((drawn / 2 ** 32) * limit)
  }
  return {
    below,
    chance: (share) => below(10_000) < share * 10_000,
    oneOf: (values) => values[below(values.length)]!,
  }
}
