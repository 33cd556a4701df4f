// The factor book for commands that post: the release in `data/`, as the service would serve it.
import { join } from 'node:path'
import { readDatasetFiles } from '../reference-data/files.ts'
import { loadReferenceData } from '../reference-data/load.ts'
import { matcherFor } from '../engine/matching/matcher.ts'
import type { CurrentRelease } from '../open-importing.ts'
import type { Database } from '../postgres/database.ts'
import { registerRelease } from '../postgres/dataset-releases.ts'
import { createReleaseCache } from '../reference-data/release-cache.ts'

const DATA = join(import.meta.dirname, '..', '..', 'data')

export async function loadCurrentRelease(pool: Database['pool']): Promise<CurrentRelease> {
  const files = readDatasetFiles(DATA)
  const book = loadReferenceData(files)
  matcherFor(book)
  const releaseId = await registerRelease(pool, book.release, book.hash, files)
  return { book, releaseId, bookOf: createReleaseCache(pool, [[releaseId, book]]) }
}
