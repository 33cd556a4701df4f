// Opens the database, either the server in DATABASE_URL or the embedded one, with or without migrating its schema.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from 'pg'
import { checkDurability } from './durability.ts'
import { readConnectionFile } from './embedded/connection-file.ts'
import type { ServerSettings } from './embedded/process.ts'
import { startServer } from './embedded/server.ts'
import { isUnreachable } from './errors.ts'
import { checkMigrated, migrate, readMigrations } from './migrations.ts'
import { createPool, type poolSettings } from './pool.ts'

interface DatabaseLocation {
  readonly dataDirectory: string
  readonly databaseUrl: string | null
  readonly databaseReplicaUrl: string | null
}

export interface Database {
  readonly pool: Pool
  /** A replica of the database, which may be unreachable. */
  readonly replica: Pool | null
  readonly close: () => Promise<void>
}

export interface DatabaseEvents {
  readonly report: (sentence: string) => void
  readonly onFailure: (error: Error) => void
  /**
   * Called with the reason while the server of DATABASE_URL accepts no connections yet: at first, and then every 30
   * seconds. Without this callback, opening does not wait for the server.
   */
  readonly onAbsent?: (why: string) => void
}

const ABSENT_LOOK_MS = 500
const ABSENT_TELL_MS = 30_000

/** Short, because a request that waits for an unreachable replica can be answered without it. */
const REPLICA_CONNECT_MS_MAX = 500

/**
 * Opens the database, checks its durability settings, and migrates its schema to that of this release.
 * @param settings of the embedded server, which override the defaults
 */
export async function openDatabase(
  place: DatabaseLocation,
  events: DatabaseEvents,
  settings: ServerSettings = {},
): Promise<Database> {
  if (place.databaseUrl !== null) {
    const replica =
      place.databaseReplicaUrl === null
        ? null
        : createPool(place.databaseReplicaUrl, { connectMilliseconds: REPLICA_CONNECT_MS_MAX }, events.report)
    return prepare(createPool(place.databaseUrl, {}, events.report), () => Promise.resolve(), events.onAbsent, replica)
  }
  const server = await startServer({ dataDirectory: place.dataDirectory, settings, ...events })
  if (server.note) events.report(server.note)
  return prepare(createPool(server.connection, {}, events.report), () => server.stop())
}

type PoolSettings = ReturnType<typeof poolSettings>

/** Opens a database that another process of this program has already prepared. Waits if it is unreachable just now. */
export async function openPrepared(
  { first, replica }: { readonly first: PoolSettings; readonly replica: PoolSettings | null },
  connectionsMax: number,
  report: (sentence: string) => void,
): Promise<Database> {
  const open = ({ target, limits }: PoolSettings) => createPool(target, { ...limits, connectionsMax }, report)
  const pools = { pool: open(first), replica: replica && open(replica) }
  await reach(pools.pool, () => undefined)
  const close = async () => {
    await pools.pool.end()
    await pools.replica?.end()
  }
  return { ...pools, close }
}

/** Opens the database of a program that may be running. An embedded server is started if it is not running. */
export async function connectToRunning(place: DatabaseLocation, events: DatabaseEvents): Promise<Database> {
  const connection = place.databaseUrl === null ? readConnectionFile(place.dataDirectory) : undefined
  if (!connection) return openDatabase(place, events)
  const pool = createPool(connection, {}, () => undefined)
  try {
    await pool.query('select 1')
  } catch {
    await pool.end()
    return openDatabase(place, events)
  }
  return prepare(pool, () => Promise.resolve())
}

async function prepare(
  pool: Pool,
  stop: () => Promise<void>,
  onAbsent?: DatabaseEvents['onAbsent'],
  replica: Pool | null = null,
): Promise<Database> {
  const close = async () => {
    await pool.end()
    await replica?.end()
    await stop()
  }
  try {
    await reach(pool, onAbsent)
    await rejectReplica(pool)
    await checkDurability(pool)
    await migrate(pool, readMigrations())
    return { pool, replica, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** @throws Error with a sentence that does not contain the password in DATABASE_URL */
async function reach(pool: Pool, onAbsent: DatabaseEvents['onAbsent']): Promise<void> {
  for (let reportedAt = -Infinity; ; await sleep(ABSENT_LOOK_MS)) {
    try {
      await pool.query('select 1')
      return
    } catch (error) {
      const why = `The database cannot be reached: ${reasonOf(error as NodeJS.ErrnoException)}`
      if (!onAbsent || !isUnreachable(error)) throw new Error(`${why}. Check DATABASE_URL.`, { cause: error })
      if (performance.now() - reportedAt < ABSENT_TELL_MS) continue
      reportedAt = performance.now()
      onAbsent(why)
    }
  }
}

/** @throws Error if the database is a replica */
export async function rejectReplica(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ readonly isReplica: boolean }>('select pg_is_in_recovery() as "isReplica"')
  if (rows[0]!.isReplica)
    throw new Error('DATABASE_URL names a replica, which stores nothing. Name the database that it follows')
}

/** If every address of a host name refuses the connection, the error has a code but no message. */
const reasonOf = ({ message, code }: NodeJS.ErrnoException): string => message || (code ?? 'no connection')

const NOBODY = (): void => undefined

/**
 * Opens the database of a program that may be running, if its schema is that of this release.
 * @throws Error with a sentence if there is no database, or its schema has another version
 */
export async function openCurrentSchema(place: DatabaseLocation): Promise<Database> {
  const database = await openUnchanged(place)
  try {
    await checkMigrated(database.pool, readMigrations())
    return database
  } catch (error) {
    await database.close()
    throw error
  }
}

/**
 * Opens the database of a program that may be running, whatever its schema.
 * @throws Error with a sentence if there is no database
 */
export async function openUnchanged(place: DatabaseLocation): Promise<Database> {
  if (place.databaseUrl !== null) return of(createPool(place.databaseUrl, {}, NOBODY), () => Promise.resolve())
  const { dataDirectory } = place
  const running = await runningPool(dataDirectory)
  if (running) return of(running, () => Promise.resolve())
  // Starting a server would create a database where there is none.
  if (!hasCluster(dataDirectory)) throw new Error(`There is no database in ${dataDirectory}`)
  const server = await startServer({ dataDirectory, report: NOBODY })
  return of(createPool(server.connection, {}, NOBODY), () => server.stop())
}

/** Opens the database of a program that may be running, or creates an empty one. */
export async function openOrCreate(place: DatabaseLocation): Promise<Database> {
  const { databaseUrl, dataDirectory } = place
  if (databaseUrl !== null || hasCluster(dataDirectory)) return openUnchanged(place)
  const server = await startServer({ dataDirectory, report: NOBODY })
  return of(createPool(server.connection, {}, NOBODY), () => server.stop())
}

/** Whether an embedded server was ever started in this directory. */
export const hasCluster = (dataDirectory: string): boolean => existsSync(join(dataDirectory, 'password'))

const of = (pool: Pool, stop: () => Promise<void>): Database => ({
  pool,
  replica: null,
  close: async () => {
    await pool.end()
    await stop()
  },
})

async function runningPool(dataDirectory: string): Promise<Pool | null> {
  const connection = readConnectionFile(dataDirectory)
  if (!connection) return null
  const pool = createPool(connection, {}, NOBODY)
  try {
    await pool.query('select 1')
    return pool
  } catch {
    await pool.end()
    return null
  }
}
