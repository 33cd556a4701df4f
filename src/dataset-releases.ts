// Lists the dataset releases of a database, and compares them in slices, so that other requests are not delayed.
import type { Pool } from 'pg'
import { runCooperatively } from './concurrency/cooperative.ts'
import { newestRelease } from './engine/reference/release-version.ts'
import type { ReleaseDifference } from './engine/reference/release-difference.ts'
import type { DatasetReleasesContext } from './http/routes/dataset-releases.ts'
import type { Release } from './http/schemas/dataset-release.ts'
import { filesOfRelease, listReleases } from './postgres/dataset-releases.ts'
import { PARENT_FILE } from './reference-data/files.ts'
import { compareReleases, countFigures } from './reference-data/release-figures.ts'

/** Each has up to some ten thousand figures. */
const DIFFERENCES_KEPT_MAX = 4

/** @param shipped the name of the release that is shipped with the program */
export function createReleases(pool: Pool, shipped: string): DatasetReleasesContext['releases'] {
  const contents = new Map<number, Promise<Pick<Release, 'parent' | 'counts'>>>()
  const differences = new Map<string, Promise<ReleaseDifference>>()

  async function readContent(releaseId: number): Promise<Pick<Release, 'parent' | 'counts'>> {
    const files = await filesOfRelease(pool, releaseId)
    return { parent: files.get(PARENT_FILE)?.trim() ?? null, counts: await runCooperatively(countFigures(files)) }
  }

  async function difference(from: number, to: number): Promise<ReleaseDifference> {
    const [a, b] = [await filesOfRelease(pool, from), await filesOfRelease(pool, to)]
    return runCooperatively(compareReleases(a, b))
  }

  return {
    list: async () => {
      const all = await listReleases(pool)
      const newest = newestRelease({ name: shipped }, all).name
      const releases: Release[] = []
      for (const release of all) {
        const content = await remember(contents, release.releaseId, () => readContent(release.releaseId), Infinity)
        releases.push({ ...release, ...content, isNewest: release.name === newest })
      }
      return releases.toReversed()
    },
    compare: (from, to) => remember(differences, `${from} ${to}`, () => difference(from, to), DIFFERENCES_KEPT_MAX),
  }
}

/** What was made first is forgotten first; what failed is made again. */
function remember<Key, Made>(
  known: Map<Key, Promise<Made>>,
  key: Key,
  make: () => Promise<Made>,
  max: number,
): Promise<Made> {
  const before = known.get(key)
  if (before) return before
  const made = make()
  known.set(key, made)
  made.catch(() => known.delete(key))
  for (const other of known.keys()) if (known.size > max) known.delete(other)
  return made
}
