// What a backup takes at each size, and its restoring: by the commands that an operator gives.
import { execFile } from 'node:child_process'
import { rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

export interface BackupMeasures {
  readonly backupSeconds: number
  readonly backupBytes: number
  /** Into a new database, compared with the backup row by row, and brought to the schema of today. */
  readonly restoreSeconds: number
}

const COMMAND = join(import.meta.dirname, '..', 'bin', 'cradle')

/**
 * Leaves nothing behind. No program may run on the directory.
 * @throws Error where a command fails, with what it said
 */
export async function measureBackup(dataDirectory: string): Promise<BackupMeasures> {
  const file = `${dataDirectory}.backup`
  const restored = `${dataDirectory}-restored`
  try {
    const backupSeconds = await secondsOf(['backup', file], dataDirectory)
    const restoreSeconds = await secondsOf(['restore', file], restored)
    return { backupSeconds, backupBytes: statSync(file).size, restoreSeconds }
  } finally {
    for (const path of [file, restored]) rmSync(path, { recursive: true, force: true })
  }
}

async function secondsOf(words: readonly string[], dataDirectory: string): Promise<number> {
  const startedAt = performance.now()
  const env = { ...process.env, DATABASE_URL: '', DATABASE_REPLICA_URL: '', CRADLE_DATA_DIR: dataDirectory }
  await promisify(execFile)(COMMAND, words, { env })
  return (performance.now() - startedAt) / 1000
}
