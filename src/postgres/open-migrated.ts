// Opens a database to read it is: beside a running service or without one, and never changing its schema.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Pool } from 'pg'
import type { Database, DatabaseLocation } from './database.ts'
import { readConnectionFile } from './embedded/connection.ts'
import { startServer } from './embedded/server.ts'
import { checkMigrated } from './migrations/migrate.ts'
import { readMigrations } from './migrations/migrate-files.ts'
import { createPool } from './connection/pool.ts'

const NOBODY = (): void => undefined

/**
 * The database of a program that may be running, if its schema is the one of this program.
 * @throws Error with a sentence where there is no database, or one of another version
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
 * The database of a program that may be running, whatever its schema.
 * @throws Error with a sentence where there is no database
 */
export async function openUnchanged(place: DatabaseLocation): Promise<Database> {
  if (place.databaseUrl !== null) return of(createPool(place.databaseUrl, {}, NOBODY), () => Promise.resolve())
  const { dataDirectory } = place
  const running = await runningPool(dataDirectory)
  if (running) return of(running, () => Promise.resolve())
  // Starting a server would make a database where there is none.
  if (!hasCluster(dataDirectory)) throw new Error(`There is no database in ${dataDirectory}`)
  const server = await startServer({ dataDirectory, report: NOBODY })
  return of(createPool(server.connection, {}, NOBODY), () => server.stop())
}

/** The database of a program that may be running, or a new and empty one where there is none. */
export async function openOrCreate(place: DatabaseLocation): Promise<Database> {
  const { databaseUrl, dataDirectory } = place
  if (databaseUrl !== null || hasCluster(dataDirectory)) return openUnchanged(place)
  const server = await startServer({ dataDirectory, report: NOBODY })
  return of(createPool(server.connection, {}, NOBODY), () => server.stop())
}

/** Whether a server of our own was ever started in this directory. */
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
