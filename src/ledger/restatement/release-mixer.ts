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
  const mixed = new Map<string, Promise<NamedRelease>>()
  const byId = new Map<number, ReferenceData>()
  const differing = new Map<string, Promise<ReturnType<typeof differingCauses>>>()
  const both = (earlier: number, later: number) => Promise.all([referenceDataOf(earlier), referenceDataOf(later)])
  const mixOnce = async (earlier: number, later: number, exchanged: ReadonlySet<Cause>): Promise<NamedRelease> => {
    const [before, after] = await both(earlier, later)
    const release = { releaseId: FIRST_MIXED - byId.size, referenceData: mixReleases(before, after, exchanged) }
    byId.set(release.releaseId, release.referenceData)
    return release
  }
  return {
    referenceDataOf: (releaseId: number): Promise<ReferenceData> => {
      const known = byId.get(releaseId)
      return known ? Promise.resolve(known) : referenceDataOf(releaseId)
    },
    differing: (earlier: number, later: number) => {
      const pair = `${earlier} ${later}`
      const known =
        differing.get(pair) ?? both(earlier, later).then(([before, after]) => differingCauses(before, after))
      differing.set(pair, known)
      return known
    },
    mix: (earlier: number, later: number, exchanged: ReadonlySet<Cause>): Promise<NamedRelease> => {
      const name = `${earlier} ${later} ${[...exchanged].join(' ')}`
      const known = mixed.get(name) ?? mixOnce(earlier, later, exchanged)
      mixed.set(name, known)
      return known
    },
  }
}

export type ReleaseMixer = ReturnType<typeof createReleaseMixer>
