// Files to import that the test's own process receives and works on, with no service at the database.
import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import type { Pool } from 'pg'
import { UPLOAD_LIMITS } from '../src/config.ts'
import { detectFile, type Detect } from '../src/imports/detect-file.ts'
import { createDiskSpace, type DiskSpace } from '../src/imports/disk-space.ts'
import { workOnNext } from '../src/imports/importer.ts'
import { receiveFile } from '../src/imports/receive-file.ts'
import { createImportProfiles } from '../src/postgres/import-profiles.ts'
import { createUploadAdmission } from '../src/imports/upload-admission.ts'
import { openOwnImporter } from '../src/create-import-context.ts'
import { ensureAccount } from '../src/postgres/accounts.ts'
import type { ImportKey, StoredImport } from '../src/postgres/import-record.ts'
import { registerRelease } from '../src/postgres/dataset-releases.ts'
import type { Settings } from '../src/spreadsheets/settings.ts'
import { shippedReferenceData } from './shipped-book.ts'

/** @param room of the disk, which the importer looks at before it works */
export async function createOwnImporter(pool: Pool, room: DiskSpace = createDiskSpace(null)) {
  const { referenceData, files } = shippedReferenceData()
  const releaseId = await registerRelease(pool, referenceData.release, referenceData.hash, files)
  const importer = openOwnImporter(
    pool,
    { referenceData, releaseId, referenceDataOf: () => Promise.resolve(referenceData) },
    room,
  )
  const admission = createUploadAdmission(UPLOAD_LIMITS, createDiskSpace(null))
  const { signal } = new AbortController()
  const { accountId } = await ensureAccount(pool, 'test')

  async function receive(file: string, isDryRun = false, asked: Partial<Settings> = {}): Promise<ImportKey> {
    const content = Readable.from([Buffer.from(file)])
    const request = { fileName: null, isDryRun, asked, profile: null }
    const sent = { request, announcedBytes: null, content, signal }
    const detect: Detect = (stored) => detectFile(importer.imports, stored)
    const received = await receiveFile(
      { ...importer, admission, detect, profiles: createImportProfiles(pool) },
      accountId,
      sent,
    )
    assert.ok(received.ok)
    return received.key
  }

  /** False where there was nothing to work on, or nothing is worked on. */
  const work = (key: ImportKey): Promise<boolean> => workOnNext(importer, key, signal)

  async function run(file: string, isDryRun = false): Promise<StoredImport> {
    const key = await receive(file, isDryRun)
    await work(key)
    return (await importer.imports.find(key))!
  }

  return { receive, work, run, imports: importer.imports }
}
