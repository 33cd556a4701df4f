// Migrations: numbered SQL files, each applied once, in order and in one transaction, and checked against the history.
import { createHash } from 'node:crypto'
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import { connectDirectly } from './pool.ts'

export interface Migration {
  readonly number: number
  readonly name: string
  readonly file: string
  readonly sql: string
  /** SHA-256 of the SQL text, in hexadecimal. */
  readonly checksum: string
}

const OWN = join(import.meta.dirname, '..', '..', 'sql')

/** All `NNNN-name.sql` of a directory (by default this release's own), in order from 0001 without a gap. */
export function readMigrations(directory = OWN): readonly Migration[] {
  const files = readdirSync(directory)
    .filter((file) => /^\d.*\.sql$/.test(file))
    .sort()
  const migrations = files.map((file) => readMigration(directory, file))
  migrations.forEach(({ number, file }, at) => {
    if (number === at + 1) return
    const before = migrations[at - 1]
    throw new Error(
      before?.number === number
        ? `Two migrations in ${directory} have the number ${number}: ${before.file} and ${file}. ` +
            `Renumber the newer one.`
        : `Migration ${padVersion(at + 1)} is missing in ${directory}: ${file} comes next. ` +
            `Migrations are numbered without a gap.`,
    )
  })
  return migrations
}

function readMigration(directory: string, file: string): Migration {
  const match = /^(\d{4})-([a-z0-9-]+)\.sql$/.exec(file)
  if (!match) throw new Error(`${join(directory, file)} is not named like a migration: 0001-what-it-does.sql.`)
  // Git may have converted the line ends to those of Windows, which is not a change.
  const sql = readFileSync(join(directory, file), 'utf8').replaceAll('\r\n', '\n')
  const checksum = createHash('sha256').update(sql).digest('hex')
  return { number: Number(match[1]), name: match[2]!, file, sql, checksum }
}

/** A migration's number as in its file name. */
function padVersion(number: number): string {
  return String(number).padStart(4, '0')
}

interface AppliedMigration {
  readonly number: number
  readonly name: string
  readonly checksum: string
}

/** Undefined if the applied migrations are the first of the known ones, unchanged. */
export function describeHistoryConflict(
  applied: readonly AppliedMigration[],
  known: readonly Migration[],
): string | undefined {
  const newer = applied.filter(({ number }) => number > known.length)
  if (newer.length > 0) {
    return (
      `The database is newer than this Cradle: it has ${newer.map(fileOf).join(', ')}, and this release knows ` +
      `${known.length === 0 ? 'none' : `0001 to ${padVersion(known.length)}`}. Start the newer release, or ` +
      `restore a backup ` +
      `from before its first start.`
    )
  }
  for (const [at, migration] of applied.entries()) {
    const fault = explainOne(migration, at + 1, known)
    if (fault) return fault
  }
  return undefined
}

function explainOne(applied: AppliedMigration, expected: number, known: readonly Migration[]): string | undefined {
  if (applied.number !== expected) {
    return (
      `The database lacks migration ${padVersion(expected)} and has ${fileOf(applied)}: its table ` +
      `schema_migrations was ` +
      `changed by hand. Restore it from a backup.`
    )
  }
  const { name, checksum, file } = known[expected - 1]!
  if (applied.name !== name) {
    return (
      `Migration ${fileOf(applied)} was applied to the database and is missing in this release, which has ${file} ` +
      `in its place. Bring the file back; a change goes into a new migration.`
    )
  }
  if (applied.checksum === checksum) return undefined
  return (
    `Migration ${file} was changed after it had been applied to the database. Bring its old text back; ` +
    `a change goes into a new migration.`
  )
}

function fileOf({ number, name }: AppliedMigration): string {
  return `${padVersion(number)}-${name}.sql`
}

export interface MigrateLimits {
  /** How long to wait for another process that migrates. */
  readonly waitMilliseconds: number
  /** How long a statement may wait for a table lock; queries that queue behind it wait as long. */
  readonly lockMilliseconds: number
  readonly attemptsMax: number
}

const LIMITS: MigrateLimits = { waitMilliseconds: 60_000, lockMilliseconds: 2_000, attemptsMax: 10 }

// Arbitrary, but the same in every release of Cradle: the first bytes of "cradle" and 1.
const LOCK_KEY = '109270983210849'
const LOCK_NOT_AVAILABLE = '55P03'

/**
 * Applies the missing migrations and returns them. Any number of processes may call this concurrently: one works, the
 * others wait and then find nothing to do. A process killed half-way leaves complete committed migrations only.
 */
export async function migrate(
  pool: pg.Pool,
  migrations: readonly Migration[],
  limits: Partial<MigrateLimits> = {},
): Promise<readonly Migration[]> {
  const client = connectDirectly(pool)
  await client.connect()
  try {
    return await migrateAlone(client, migrations, { ...LIMITS, ...limits })
  } finally {
    // Ends the session and so releases the advisory lock.
    await client.end()
  }
}

/** A sentence that says how the schema differs from that of these migrations; undefined if it does not. */
export async function explainSchema(pool: pg.Pool, migrations: readonly Migration[]): Promise<string | undefined> {
  const applied = (await hasHistory(pool)) ? await listApplied(pool) : []
  const fault = describeHistoryConflict(applied, migrations)
  if (fault !== undefined || applied.length === migrations.length) return fault
  const missing = migrations.slice(applied.length).map(({ file }) => file)
  return (
    `The database has ${applied.length} of the ${migrations.length} migrations of this Cradle; missing: ` +
    `${missing.join(', ')}. Start the service once, or run cradle migrate, which applies them.`
  )
}

/** Rejects a database whose schema is not exactly that of these migrations. */
export async function checkMigrated(pool: pg.Pool, migrations: readonly Migration[]): Promise<void> {
  const fault = await explainSchema(pool, migrations)
  if (fault !== undefined) throw new Error(fault)
}

async function migrateAlone(
  client: pg.Client,
  migrations: readonly Migration[],
  limits: MigrateLimits,
): Promise<readonly Migration[]> {
  await takeLock(client, limits.waitMilliseconds)
  await client.query(`set lock_timeout = ${limits.lockMilliseconds}`)
  // A role that may only write rows can start if no migration is missing. Even `if not exists` needs the privilege to
  // create.
  if (!(await hasHistory(client))) await createHistory(client)
  const applied = await listApplied(client)
  const fault = describeHistoryConflict(applied, migrations)
  if (fault) throw new Error(fault)
  const missing = migrations.slice(applied.length)
  for (const migration of missing) await applyPatiently(client, migration, limits.attemptsMax)
  return missing
}

async function hasHistory(connection: pg.Client | pg.Pool): Promise<boolean> {
  const { rows } = await connection.query<{ there: boolean }>(
    `select to_regclass('schema_migrations') is not null as there`,
  )
  return rows[0]!.there
}

export const createHistory = (client: pg.Client): Promise<unknown> =>
  client.query(`
    create table if not exists schema_migrations (
      number     integer primary key,
      name       text not null,
      checksum   text not null,
      applied_at timestamptz not null default now()
    )`)

/** Keeps other processes from migrating until the session ends. */
export const takeMigrationLock = (client: pg.Client): Promise<void> => takeLock(client, LIMITS.waitMilliseconds)

async function takeLock(client: pg.Client, milliseconds: number): Promise<void> {
  await client.query(`set lock_timeout = ${milliseconds}`)
  try {
    await client.query('select pg_advisory_lock($1)', [LOCK_KEY])
  } catch (error) {
    if ((error as pg.DatabaseError).code !== LOCK_NOT_AVAILABLE) throw error
    throw new Error(
      `Another process has been migrating this database for more than ${milliseconds / 1000} s. ` +
        `Wait until it has finished, or end it, and start Cradle again.`,
      { cause: error },
    )
  }
}

export async function listApplied(client: pg.Client | pg.Pool): Promise<readonly AppliedMigration[]> {
  const { rows } = await client.query<AppliedMigration>(
    'select number, name, checksum from schema_migrations order by number',
  )
  return rows
}

// Giving up lets the queries pass that queue behind us; a retry may find a moment without other transactions.
async function applyPatiently(client: pg.Client, migration: Migration, attemptsMax: number): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await apply(client, migration)
    } catch (error) {
      const { code, message } = error as pg.DatabaseError
      if (code === LOCK_NOT_AVAILABLE && attempt < attemptsMax) continue
      throw new Error(`Migration ${migration.file} failed and left nothing behind: ${message}.`, { cause: error })
    }
  }
}

/** Applies a migration in the open transaction. */
export async function applyWithin(client: pg.Client, { number, name, checksum, sql }: Migration): Promise<void> {
  // First, so that a second migrator that the lock did not stop fails here and not in the middle of the file.
  await client.query('insert into schema_migrations (number, name, checksum) values ($1, $2, $3)', [
    number,
    name,
    checksum,
  ])
  await client.query(sql)
}

async function apply(client: pg.Client, migration: Migration): Promise<void> {
  await client.query('begin')
  try {
    await applyWithin(client, migration)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
}
