// Loads every release that stored orders may use, for verification: those of the catalogue, and those with own figures.
import { join } from 'node:path'
import type { ReferenceData, ReferenceDataOf } from '../engine/reference/reference-data.ts'
import { readAccountRelease } from '../postgres/account-releases.ts'
import type { Database } from '../postgres/database.ts'
import { filesOfRelease } from '../postgres/dataset-releases.ts'
import { isDatabaseFailure } from '../postgres/errors.ts'
import type { LedgerSnapshot } from '../postgres/verification/scan.ts'
import { hashContent, readDatasetFiles } from '../reference-data/files.ts'
import type { loadArchivedRelease } from '../reference-data/load.ts'
import { readMatchLexicon } from '../reference-data/read-lexicon.ts'

const DATA = join(import.meta.dirname, '..', '..', 'data')

/** A release whose stored files have another hash than the one under which they were stored. */
type NoteOtherHash = (name: string, stored: string, recomputed: string) => void

/** A release that cannot be read fails where it is first used. */
export async function openReleases(
  pool: Database['pool'],
  snapshot: LedgerSnapshot,
  load: typeof loadArchivedRelease,
  noteOtherHash: NoteOtherHash,
): Promise<ReferenceDataOf> {
  const referenceDataById = new Map<number, ReferenceData | Error>()
  const open = async (releaseId: number, read: () => Promise<ReferenceData>) => {
    try {
      referenceDataById.set(releaseId, await read())
    } catch (error) {
      if (isDatabaseFailure(error)) throw error
      referenceDataById.set(releaseId, error as Error)
    }
  }
  const referenceDataOf: ReferenceDataOf = (releaseId) => {
    const referenceData = referenceDataById.get(releaseId)
    if (referenceData === undefined) throw new Error(`the database has no dataset release ${releaseId}`)
    if (referenceData instanceof Error) throw referenceData
    return referenceData
  }
  const shipped = readMatchLexicon(readDatasetFiles(DATA))
  for (const { releaseId, name, contentHash } of await snapshot.releases()) {
    await open(releaseId, async () => {
      const files = await filesOfRelease(pool, releaseId)
      const hash = hashContent(files)
      if (hash !== contentHash) noteOtherHash(name, contentHash, hash)
      return load(files, shipped)
    })
  }
  for (const releaseId of await snapshot.accountReleases())
    await open(releaseId, () => readAccountRelease(pool, releaseId, referenceDataOf))
  return referenceDataOf
}
