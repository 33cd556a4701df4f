// What commands share: the database, output lines, reading files to verify, and the current reference data.
import { createReadStream, statSync } from 'node:fs'
import { join } from 'node:path'
import { readConfig } from '../config.ts'
import { matcherFor } from '../engine/matching/matcher.ts'
import type { CurrentRelease } from '../create-import-context.ts'
import { connectToRunning, type Database } from '../postgres/database.ts'
import { registerRelease } from '../postgres/dataset-releases.ts'
import { readDatasetFiles } from '../reference-data/files.ts'
import { loadReferenceData } from '../reference-data/load.ts'
import { createReleaseCache } from '../reference-data/release-cache.ts'

export async function withDatabase<Result>(use: (database: Database) => Promise<Result>): Promise<Result> {
  const fail = (error: Error) => {
    throw error
  }
  const database = await connectToRunning(readConfig(process.env), { report: () => undefined, onFailure: fail })
  try {
    return await use(database)
  } finally {
    await database.close()
  }
}

export const print = (line: string): void => void process.stdout.write(`${line}\n`)

/**
 * Null if the input is too large. A file's size is checked before it is read; standard input is read only up to the
 * limit.
 */
export async function readText(file: string, bytesMax: number): Promise<string | null> {
  if (file !== '-' && statSync(file).size > bytesMax) return null
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of file === '-' ? process.stdin : createReadStream(file)) {
    chunks.push(chunk as Buffer)
    size += (chunk as Buffer).length
    if (size > bytesMax) return null
  }
  return Buffer.concat(chunks).toString('utf8')
}

export const displayName = (file: string): string => (file === '-' ? 'Standard input' : `"${file}"`)

/** The release that is shipped with the program. */
export const DATA = join(import.meta.dirname, '..', '..', 'data')

export async function loadCurrentRelease(pool: Database['pool']): Promise<CurrentRelease> {
  const files = readDatasetFiles(DATA)
  const referenceData = loadReferenceData(files)
  matcherFor(referenceData)
  const releaseId = await registerRelease(pool, referenceData.release, referenceData.hash, files)
  return {
    referenceData,
    releaseId,
    referenceDataOf: createReleaseCache(pool, [releaseId, referenceData]),
  }
}
