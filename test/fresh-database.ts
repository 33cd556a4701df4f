// A new, empty database for a test: one PostgreSQL for the process, from the first call until after the last test.
import { after } from 'node:test'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Pool } from 'pg'
import { createPool } from '../src/postgres/pool.ts'
import { startServer, type Server } from '../src/postgres/embedded/server.ts'
import type { ConnectionSettings } from '../src/postgres/embedded/connection.ts'
import { createDatabase, dropDatabase } from '../src/postgres/embedded/create-database.ts'
import { migrate } from '../src/postgres/migrate.ts'
import { readMigrations } from '../src/postgres/migrate-files.ts'
import { partitioned } from './partitioned-schema.ts'

export interface FreshDatabase {
  readonly connection: ConnectionSettings
  readonly pool: Pool
  /** Ends the pool and drops the database. What is left at the end of the process is dropped with the server. */
  drop(): Promise<void>
}

let running: Promise<Server> | undefined
let directory: string | undefined
let databases = 0
const pools = new Set<Pool>()

/** @param partitions of the tables of the ledger, which are there then; else the database is empty */
export async function freshDatabase(partitions = Number(process.env['TEST_PARTITIONS'] ?? 0)): Promise<FreshDatabase> {
  running ??= startForTests()
  const server = await running
  const connection = await createDatabase(server.connection, `test_${++databases}`)
  const pool = createPool(connection, {}, () => {})
  pools.add(pool)
  if (partitions > 0) {
    await migrate(pool, partitioned(readMigrations(join(import.meta.dirname, '..', 'sql')), partitions))
  }
  const drop = async () => {
    if (pools.delete(pool)) await pool.end()
    await dropDatabase(server.connection, connection.database)
  }
  return { connection, pool, drop }
}

function startForTests(): Promise<Server> {
  directory = mkdtempSync(join(tmpdir(), 'cradle-test-'))
  // mkdtemp closes it to everybody else, and as root the server's user must pass through.
  chmodSync(directory, 0o711)
  return startServer({ dataDirectory: directory })
}

// Of the file's root suite, so it runs after every test of the file, whichever asked first.
after(async () => {
  await Promise.all([...pools].map((pool) => pool.end()))
  await running?.then(
    (server) => server.stop(),
    () => {},
  )
  if (directory) rmSync(directory, { recursive: true, force: true })
})
