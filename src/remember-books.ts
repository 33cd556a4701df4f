// The factor books of all releases that orders were made with, each read from the database once.
import type { Pool } from 'pg'
import { reopenDatasets } from './datasets/read-datasets.ts'
import type { FactorBook } from './engine/factor-book.ts'
import { untilDeadline } from './postgres/deadline.ts'
import { filesOfRelease } from './postgres/releases.ts'

/** Reads a release of the datasets the first time that it is asked for; the one that is served is known. */
export function rememberBooks(pool: Pool, servedId: number, served: FactorBook) {
  const books = new Map<number, Promise<FactorBook>>([[servedId, Promise.resolve(served)]])
  return (releaseId: number): Promise<FactorBook> => {
    const book = books.get(releaseId) ?? filesOfRelease(pool, releaseId).then(reopenDatasets)
    books.set(releaseId, book)
    book.catch(() => books.delete(releaseId))
    return untilDeadline(book)
  }
}
