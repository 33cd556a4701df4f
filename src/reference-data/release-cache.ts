// Caches the reference data of all dataset releases used by orders, so that each is read from the database once.
import type { Pool } from 'pg'
import { loadArchivedRelease } from './load.ts'
import type { ReferenceData } from '../engine/reference/reference-data.ts'
import { raceDeadline } from '../concurrency/deadline.ts'
import { isAccountRelease, readAccountRelease } from '../postgres/account-releases.ts'
import { filesOfRelease } from '../postgres/dataset-releases.ts'

/** Releases with figures of accounts' own that are kept; each is small. Further ones are read again. */
const OWN_RELEASES_MAX = 1_000

/**
 * Returns a function that reads a dataset release when it is first requested.
 * @param served the release that is served; releases without a lexicon of their own get its lexicon
 */
export function createReleaseCache(
  pool: Pool,
  [servedId, served]: readonly [releaseId: number, referenceData: ReferenceData],
) {
  const referenceDataById = new Map([[servedId, Promise.resolve(served)]])
  const read = (releaseId: number): Promise<ReferenceData> =>
    isAccountRelease(releaseId)
      ? readAccountRelease(pool, releaseId, referenceDataOf)
      : filesOfRelease(pool, releaseId).then((files) => loadArchivedRelease(files, served.matching))
  function referenceDataOf(releaseId: number): Promise<ReferenceData> {
    const known = referenceDataById.get(releaseId)
    if (known) return raceDeadline(known)
    const referenceData = read(releaseId)
    referenceDataById.set(releaseId, referenceData)
    referenceData.catch(() => referenceDataById.delete(releaseId))
    if (isAccountRelease(releaseId)) forgetEarliest(referenceDataById)
    return raceDeadline(referenceData)
  }
  return referenceDataOf
}

function forgetEarliest(referenceDataById: Map<number, unknown>): void {
  const own = [...referenceDataById.keys()].filter(isAccountRelease)
  for (const releaseId of own.slice(0, Math.max(0, own.length - OWN_RELEASES_MAX))) referenceDataById.delete(releaseId)
}
