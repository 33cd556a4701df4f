// The commands on the whole database: `cradle backup`, `cradle restore`, `cradle migrate` and `cradle reports`.
import { createReadStream, createWriteStream, existsSync, renameSync, rmSync, statSync } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { readConfig } from '../config.ts'
import { listAccounts } from '../postgres/accounts.ts'
import { backup } from '../postgres/backup/backup.ts'
import { decodeFrames, type Frame, type Manifest } from '../postgres/backup/format.ts'
import { migrateRestored, restore } from '../postgres/backup/restore.ts'
import { openCurrentSchema, openOrCreate, openUnchanged } from '../postgres/database.ts'
import { explainSchema, readMigrations } from '../postgres/migrations.ts'
import { resetRollups } from '../postgres/reporting/watermarks.ts'
import { VERSION } from '../version.ts'
import { print, withDatabase } from './context.ts'

/** Nearly as small as with the highest level, in a third of the time. */
const GZIP_LEVEL = 4
/** A backup contains all stored data and the hashes of keys. */
const OWNER_ONLY = 0o600

/** Writes to a temporary file and renames it, so that a file with the final name is always complete. */
export async function backupCommand(file: string): Promise<void> {
  if (file === '-') throw new Error('A backup is written to a file, which is given its name when it is whole')
  if (existsSync(file)) throw new Error(`"${file}" is there already; a backup replaces nothing`)
  const draft = `${file}.partial`
  const { pool, close } = await openCurrentSchema(readConfig(process.env))
  try {
    const manifest = await writeBackup(backup(pool, VERSION), draft)
    renameSync(draft, file)
    tell(manifest)
    print(`${statSync(file).size} bytes in ${file}`)
  } finally {
    rmSync(draft, { force: true })
    await close()
  }
}

async function writeBackup(chunks: AsyncGenerator<Buffer, Manifest>, file: string): Promise<Manifest> {
  let manifest: Manifest | undefined
  const source = async function* () {
    manifest = yield* chunks
  }
  // A file left by an interrupted backup, or created by another user, may be readable by all users or be a symbolic
  // link.
  rmSync(file, { force: true })
  const target = createWriteStream(file, { flags: 'wx', mode: OWNER_ONLY, flush: true })
  await pipeline(source, createGzip({ level: GZIP_LEVEL }), target)
  return manifest!
}

export async function restoreCommand(file: string): Promise<void> {
  // Checked before a database is created for the backup.
  if (!existsSync(file)) throw new Error(`There is no file "${file}"`)
  const migrations = readMigrations()
  const { pool, close } = await openOrCreate(readConfig(process.env))
  try {
    const manifest = await restore(pool, readBackup(file), migrations)
    await migrateRestored(pool, migrations)
    tell(manifest)
    print('restored: every table has the rows and the hash of the backup')
  } finally {
    await close()
  }
}

/** @throws Error with a message that names the file if it is damaged or not a backup */
async function* readBackup(file: string): AsyncGenerator<Frame> {
  const unpacked = createGunzip()
  const reading = pipeline(createReadStream(file), unpacked)
  reading.catch(() => undefined)
  try {
    yield* decodeFrames(unpacked as AsyncIterable<Buffer>)
  } catch (error) {
    throw new Error(`"${file}" is damaged, or no backup of Cradle: ${(error as Error).message}`, { cause: error })
  }
}

function tell({ tables }: Manifest): void {
  for (const { name, rows } of tables) print(`${name} ${rows}`)
}

const UP_TO_DATE = 'The schema of the database is the one of this release.'

/** With `check`, changes nothing: exits with 0 if no migration is missing, else with 1 and the missing ones. */
export async function migrateCommand(options: { readonly check?: boolean }): Promise<void> {
  if (!options.check) {
    await withDatabase(() => Promise.resolve())
    return print(UP_TO_DATE)
  }
  const { pool, close } = await openUnchanged(readConfig(process.env))
  try {
    const fault = await explainSchema(pool, readMigrations())
    if (fault !== undefined) throw new Error(fault)
    print(UP_TO_DATE)
  } finally {
    await close()
  }
}

/**
 * Until a running service has rolled up the entries again, reports read the entries directly: slower, but just as
 * correct.
 */
export async function rebuildReportsCommand(options: { readonly account?: string }): Promise<void> {
  const { account } = options
  await withDatabase(async ({ pool }) => {
    const known = (await listAccounts(pool)).find(({ name }) => name === account)
    if (account !== undefined && !known) throw new Error(`There is no account "${account}"; see cradle accounts list`)
    await resetRollups(pool, known?.accountId ?? null)
  })
  process.stderr.write('Forgotten. A running service folds it again, beginning within seconds.\n')
}
