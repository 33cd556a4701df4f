// Caches the reference data of the dataset releases used by orders, so that each is rarely read from the database.
import type { Pool } from 'pg'
import { loadArchivedRelease } from './load.ts'
import type { ReferenceData } from '../engine/reference/reference-data.ts'
import { raceDeadline } from '../concurrency/deadline.ts'
import { filesOfRelease } from '../postgres/dataset-releases.ts'

/** Beside the one that is shipped: some 5 MB each, or 10 MB once words were matched with it. */
const RELEASES_CACHED_MAX = 8

/**
 * Returns a function that reads a dataset release when it is first requested. The releases that were not requested for
 * longest are forgotten.
 * @param shipped the release that is shipped; releases without a lexicon of their own get its lexicon
 */
export function createReleaseCache(
  pool: Pool,
  [shippedId, shipped]: readonly [releaseId: number, referenceData: ReferenceData],
  cachedMax = RELEASES_CACHED_MAX,
) {
  const shippedData = Promise.resolve(shipped)
  const cached = new Map<number, Promise<ReferenceData>>()
  return (releaseId: number): Promise<ReferenceData> => {
    if (releaseId === shippedId) return shippedData
    const referenceData =
      cached.get(releaseId) ??
      filesOfRelease(pool, releaseId).then((files) => loadArchivedRelease(files, shipped.matching))
    cached.delete(releaseId)
    cached.set(releaseId, referenceData)
    for (const other of [...cached.keys()].slice(0, -cachedMax)) cached.delete(other)
    referenceData.catch(() => {
      if (cached.get(releaseId) === referenceData) cached.delete(releaseId)
    })
    return raceDeadline(referenceData)
  }
}
