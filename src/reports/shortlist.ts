// The heaviest of the groups of a report, where not all are wanted: only some are in memory, however many there are.
import type { Milligrams } from '../engine/numbers/line.ts'
import type { Steps } from '../engine/numbers/steps.ts'
import type { KeptSum } from './kept-sums.ts'
import type { RowSums } from './row-sums.ts'
import { sortInSteps } from './sort-in-steps.ts'

/** What is added up to a total. */
export interface Summand extends KeptSum {
  /** Another summand's, as soon as its own are asked for. */
  readonly means: ReturnType<RowSums['meansOf']>
}

interface Weighed {
  readonly emission: Milligrams
}

export const heavierFirst = (a: Weighed, b: Weighed): number =>
  a.emission === b.emission ? 0 : a.emission > b.emission ? -1 : 1

/**
 * @param limit of groups, from 1 on; Infinity for all
 * @param setAside is told of each group that is not among them, once
 */
export function createShortlist<Group extends Weighed>(limit: number, setAside: (summand: Summand) => void) {
  let groups: Group[] = []
  const summands = new Map<Group, Summand>()
  let least: Milligrams | null = null
  function* cut(): Steps<void> {
    if (groups.length <= limit) return
    const sorted = yield* sortInSteps(groups, heavierFirst)
    for (const group of sorted.slice(limit)) {
      setAside(summands.get(group)!)
      summands.delete(group)
    }
    groups = sorted.slice(0, limit)
    least = groups.at(-1)!.emission
  }
  return {
    size: () => groups.length,
    /** Whether it may be among them: then it has to be added, else it is set aside already. */
    mayHave: (summand: Summand): boolean => {
      if (least === null || summand.emission > least) return true
      setAside(summand)
      return false
    },
    add: (group: Group, summand: Summand): void => {
      groups.push(group)
      if (limit !== Infinity) summands.set(group, { ...summand, means: copyOf(summand.means) })
    },
    /** Has to be cut before more is added. */
    isFull: () => groups.length >= 2 * limit,
    cut,
    *finish(): Steps<readonly Group[]> {
      yield* cut()
      return groups
    },
  }
}

const copyOf = ({ sources, means, count }: Summand['means']): Summand['means'] => ({
  sources: sources.slice(0, count),
  means: means.slice(0, count),
  count,
})
