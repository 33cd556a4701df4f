// Caches the reference data of all dataset releases used by orders, so that each is read from the database once.
import type { Pool } from 'pg'
import { loadArchivedRelease } from './load.ts'
import type { ReferenceData } from '../engine/reference/reference-data.ts'
import { raceDeadline } from '../concurrency/deadline.ts'
import { filesOfRelease } from '../postgres/dataset-releases.ts'

/**
 * Returns a function that reads a dataset release when it is first requested.
 * @param served the release that is served; releases without a lexicon of their own get its lexicon
 */
export function createReleaseCache(
  pool: Pool,
  [servedId, served]: readonly [releaseId: number, referenceData: ReferenceData],
) {
  const referenceDataById = new Map([[servedId, Promise.resolve(served)]])
  return (releaseId: number): Promise<ReferenceData> => {
    const referenceData =
      referenceDataById.get(releaseId) ??
      filesOfRelease(pool, releaseId).then((files) => loadArchivedRelease(files, served.matching))
    referenceDataById.set(releaseId, referenceData)
    referenceData.catch(() => referenceDataById.delete(releaseId))
    return raceDeadline(referenceData)
  }
}
