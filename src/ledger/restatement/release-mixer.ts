// Releases that are mixed from two, and the causes for which two differ, each computed once for a restatement.
import type { ReferenceData } from '../../engine/reference/reference-data.ts'
import type { LoadReferenceData } from '../record-event.ts'
import { differingCauses, mixReleases, type Cause } from './causes.ts'

/** The release by which an order is calculated, under the id that its entries name. */
export interface NamedRelease {
  readonly releaseId: number
  readonly referenceData: ReferenceData
}

/** No stored release has this number, or a lower one: those are of 16 bits. */
const FIRST_MIXED = -100_000

/** Releases that are mixed from two, each under a number that no stored release has. */
export function createReleaseMixer(referenceDataOf: LoadReferenceData) {
  const mixed = new Map<string, NamedRelease>()
  const byId = new Map<number, ReferenceData>()
  const differing = new Map<string, ReturnType<typeof differingCauses>>()
  return {
    referenceDataOf: (releaseId: number): Promise<ReferenceData> => {
      const known = byId.get(releaseId)
      return known ? Promise.resolve(known) : referenceDataOf(releaseId)
    },
    differing: async (earlier: number, later: number) => {
      const pair = `${earlier} ${later}`
      const known = differing.get(pair) ?? differingCauses(await referenceDataOf(earlier), await referenceDataOf(later))
      differing.set(pair, known)
      return known
    },
    mix: async (earlier: number, later: number, exchanged: ReadonlySet<Cause>): Promise<NamedRelease> => {
      const name = `${earlier} ${later} ${[...exchanged].join(' ')}`
      const known = mixed.get(name)
      if (known) return known
      const referenceData = mixReleases(await referenceDataOf(earlier), await referenceDataOf(later), exchanged)
      const release = { releaseId: FIRST_MIXED - mixed.size, referenceData }
      mixed.set(name, release)
      byId.set(release.releaseId, referenceData)
      return release
    },
  }
}

export type ReleaseMixer = ReturnType<typeof createReleaseMixer>
