// What is made of a dataset release once, for as long as the release is in memory.
import type { ReferenceData } from '../engine/reference/reference-data.ts'

export function madeOnce<Made>(make: (referenceData: ReferenceData) => Made): (referenceData: ReferenceData) => Made {
  const made = new WeakMap<ReferenceData, Made>()
  return (referenceData) => {
    const known = made.get(referenceData) ?? make(referenceData)
    made.set(referenceData, known)
    return known
  }
}
