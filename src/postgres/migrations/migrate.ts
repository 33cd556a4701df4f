// Brings a database to the schema this release needs: each numbered SQL file once, in order, all or nothing.
import type pg from 'pg'
import { describeHistoryConflict, type AppliedMigration } from './migrate-history.ts'
import type { Migration } from './migrate-files.ts'
import { connectDirectly } from '../connection/pool.ts'

export interface MigrateLimits {
  /** How long to wait for another process that migrates. */
  readonly waitMilliseconds: number
  /** How long one statement may wait for a table that queries hold, keeping everybody behind it waiting too. */
  readonly lockMilliseconds: number
  readonly attemptsMax: number
}

const LIMITS: MigrateLimits = { waitMilliseconds: 60_000, lockMilliseconds: 2_000, attemptsMax: 10 }

// Any number will do, as long as every release of Cradle takes the same: the first bytes of "cradle" and 1.
const LOCK_KEY = '109270983210849'
const LOCK_NOT_AVAILABLE = '55P03'

/**
 * Applies what is missing and returns it. Any number of processes may call this at once: one works, the others wait
 * and then find nothing to do. A process killed half-way leaves the migrations that it committed, and no part of one.
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
    // Ends the session, and with it the lock.
    await client.end()
  }
}

/** What keeps the schema from being exactly the one of these migrations, in a sentence; nothing where it is. */
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

/** Refuses a database whose schema is not exactly the one of these migrations. */
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
  // Whoever may write rows alone starts where nothing is missing: even `if not exists` asks for the right to create.
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

/** Keeps others from migrating until the session ends. */
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

// Giving up the wait lets the queries pass that queued behind us, and trying again finds a gap between others.
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

/** Within a transaction that is open. */
export async function applyWithin(client: pg.Client, { number, name, checksum, sql }: Migration): Promise<void> {
  // First, so that a second migrator whom the lock did not stop fails here and not in the middle of the file.
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
