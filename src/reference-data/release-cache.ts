// The factor books of all releases that orders were made with, each read from the database once.
import type { Pool } from 'pg'
import { loadArchivedRelease } from './load.ts'
import type { ReferenceData } from '../engine/reference/reference-data.ts'
import { raceDeadline } from '../concurrency/deadline.ts'
import { filesOfRelease } from '../postgres/dataset-releases.ts'

/**
 * Reads a release of the datasets the first time that it is asked for.
 * @param known by their ids, which need not be read
 */
export function createReleaseCache(pool: Pool, known: readonly (readonly [releaseId: number, book: ReferenceData])[]) {
  const books = new Map(known.map(([releaseId, book]) => [releaseId, Promise.resolve(book)]))
  return (releaseId: number): Promise<ReferenceData> => {
    const book = books.get(releaseId) ?? filesOfRelease(pool, releaseId).then(loadArchivedRelease)
    books.set(releaseId, book)
    book.catch(() => books.delete(releaseId))
    return raceDeadline(book)
  }
}
