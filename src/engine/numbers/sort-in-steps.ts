// Sorting in steps, for lists that are too long to be sorted without interruption.
import type { Resumable } from './steps.ts'

/** Number of elements sorted or merged between two yields; takes some milliseconds. */
const STRETCH = 4_096

/** Like `toSorted`, which is stable. */
export function* sortInSteps<One>(all: readonly One[], compare: (a: One, b: One) => number): Resumable<readonly One[]> {
  let stretches: (readonly One[])[] = []
  for (let from = 0; from < all.length; from += STRETCH) {
    stretches.push(all.slice(from, from + STRETCH).sort(compare))
    yield
  }
  while (stretches.length > 1) {
    const longer: (readonly One[])[] = []
    for (let at = 0; at < stretches.length; at += 2)
      longer.push(yield* merge(stretches[at]!, stretches[at + 1] ?? [], compare))
    stretches = longer
  }
  return stretches[0] ?? []
}

function* merge<One>(
  a: readonly One[],
  b: readonly One[],
  compare: (a: One, b: One) => number,
): Resumable<readonly One[]> {
  const merged: One[] = []
  for (let [atA, atB] = [0, 0]; atA < a.length || atB < b.length;) {
    const isOfA = atB === b.length || (atA < a.length && compare(a[atA]!, b[atB]!) <= 0)
    merged.push(isOfA ? a[atA++]! : b[atB++]!)
    if (merged.length % STRETCH === 0) yield
  }
  return merged
}
