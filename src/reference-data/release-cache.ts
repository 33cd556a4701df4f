// Caches the reference data of all dataset releases used by orders, so that each is read from the database once.
import type { Pool } from 'pg'
import { loadArchivedRelease } from './load.ts'
import type { ReferenceData } from '../engine/reference/reference-data.ts'
import { raceDeadline } from '../concurrency/deadline.ts'
import { filesOfRelease } from '../postgres/dataset-releases.ts'

/**
 * Returns a function that reads a dataset release when it is first requested.
 * @param known releases by id that are already loaded
 */
export function createReleaseCache(
  pool: Pool,
  known: readonly (readonly [releaseId: number, referenceData: ReferenceData])[],
) {
  const referenceDataById = new Map(
    known.map(([releaseId, referenceData]) => [releaseId, Promise.resolve(referenceData)]),
  )
  return (releaseId: number): Promise<ReferenceData> => {
    const referenceData = referenceDataById.get(releaseId) ?? filesOfRelease(pool, releaseId).then(loadArchivedRelease)
    referenceDataById.set(releaseId, referenceData)
    referenceData.catch(() => referenceDataById.delete(releaseId))
    return raceDeadline(referenceData)
  }
}
