// Caches the reference data of the dataset releases used by orders, so that each is rarely read from the database.
import type { Pool } from 'pg'
import { loadArchivedRelease } from './load.ts'
import type { ReferenceData } from '../engine/reference/reference-data.ts'
import { raceDeadline } from '../concurrency/deadline.ts'
import { isAccountRelease, readAccountRelease } from '../postgres/account-releases.ts'
import { filesOfRelease } from '../postgres/dataset-releases.ts'

/** Beside the one that is shipped. */
const RELEASES_CACHED_MAX = 8
/** Releases with figures of accounts' own; each is small. */
const OWN_RELEASES_CACHED_MAX = 1_000

/**
 * Returns a function that reads a release when it is first requested: a dataset release, or one with figures of an
 * account's own over it. Those that were not requested for longest are forgotten.
 * @param shipped the release that is shipped; releases without a lexicon of their own get its lexicon
 */
export function createReleaseCache(
  pool: Pool,
  [shippedId, shipped]: readonly [releaseId: number, referenceData: ReferenceData],
  cachedMax = RELEASES_CACHED_MAX,
) {
  const shippedData = Promise.resolve(shipped)
  const ofDatasets = remembering(cachedMax, async (releaseId) =>
    loadArchivedRelease(await filesOfRelease(pool, releaseId), shipped.matching, shipped.transports),
  )
  const ofAccounts = remembering(OWN_RELEASES_CACHED_MAX, (releaseId) =>
    readAccountRelease(pool, releaseId, referenceDataOf),
  )
  function referenceDataOf(releaseId: number): Promise<ReferenceData> {
    if (releaseId === shippedId) return shippedData
    return raceDeadline(isAccountRelease(releaseId) ? ofAccounts(releaseId) : ofDatasets(releaseId))
  }
  return referenceDataOf
}

type Read = (releaseId: number) => Promise<ReferenceData>

function remembering(most: number, read: Read): Read {
  const cached = new Map<number, Promise<ReferenceData>>()
  return (releaseId) => {
    const known = cached.get(releaseId)
    const referenceData = known ?? read(releaseId)
    cached.delete(releaseId)
    cached.set(releaseId, referenceData)
    for (const other of cached.keys()) {
      if (cached.size <= most) break
      cached.delete(other)
    }
    if (!known)
      referenceData.catch(() => {
        if (cached.get(releaseId) === referenceData) cached.delete(releaseId)
      })
    return referenceData
  }
}
