// A new, empty database for a test, on the PostgreSQL of all test files or on one for this process alone.
import { setTimeout } from 'node:timers/promises'
import pg, { type Pool } from 'pg'
import { createPool } from '../src/postgres/pool.ts'
import type { ConnectionSettings } from '../src/postgres/embedded/connection-file.ts'
import { migrate, readMigrations } from '../src/postgres/migrations.ts'
import { atEndOfFile } from './end-of-file.ts'
import { partitioned } from './partitioned-schema.ts'
import { TEMPLATE_VARIABLE, sharedPostgres, startPostgres, type TestPostgres } from './test-postgres.ts'

export interface FreshDatabase {
  readonly connection: ConnectionSettings
  readonly pool: Pool
  /** Ends the pool and drops the database, as the end of the file does. */
  readonly drop: () => Promise<void>
}

let shared: Promise<TestPostgres> | undefined
let durable: Promise<TestPostgres> | undefined
let own: Promise<TestPostgres> | undefined
let databases = 0
const POOL_END_MS = 10_000
/** Read each time: a test file sets it after this file was loaded. */
const partitionsByDefault = (): number => Number(process.env['TEST_PARTITIONS'] ?? 0)
const left = new Set<FreshDatabase>()
const users = new Set<() => Promise<void>>()

/** What uses a database and is left at the end of the file ends before the databases are dropped. */
export const stopBeforeDrop = (stop: () => Promise<void>): void => void users.add(stop)

/** @param partitions of the tables of the ledger, which are there then; else the database is empty */
export const freshDatabase = (partitions?: number): Promise<FreshDatabase> =>
  createOn((shared ??= sharedPostgres(false)), { partitions })

/** One with every migration: where files share a PostgreSQL, it is copied from one that was migrated once. */
export const freshMigratedDatabase = (): Promise<FreshDatabase> => migratedOn((shared ??= sharedPostgres(false)))

/** An empty one for a program to be started on: it refuses a server that does not wait for its disk. */
export const durableDatabase = (): Promise<FreshDatabase> => createOn((durable ??= sharedPostgres(true)))

/** The same with every migration. */
export const durableMigratedDatabase = (): Promise<FreshDatabase> => migratedOn((durable ??= sharedPostgres(true)))

/** On a server that no other file uses: for what ends it, or changes what holds for all of its databases. */
export const freshDatabaseAlone = (): Promise<FreshDatabase> => createOn((own ??= startPostgres()))

async function migratedOn(postgres: Promise<TestPostgres>): Promise<FreshDatabase> {
  const template = process.env[TEMPLATE_VARIABLE]
  if (template !== undefined && partitionsByDefault() === 0) return createOn(postgres, { template })
  const database = await createOn(postgres)
  await migrate(database.pool, readMigrations())
  return database
}

async function createOn(
  postgres: Promise<TestPostgres>,
  {
    partitions = partitionsByDefault(),
    template,
  }: { readonly partitions?: number | undefined; readonly template?: string } = {},
): Promise<FreshDatabase> {
  const server = (await postgres).connection
  const connection = { ...server, database: `test_${process.pid}_${++databases}` }
  const name = pg.escapeIdentifier(connection.database)
  await runOn(server, `create database ${name}${template === undefined ? '' : ` template ${template}`}`)
  const pool = createPool(connection, {}, () => {})
  const drop = async () => {
    if (!left.delete(database)) return
    // A test that failed may have left a connection checked out: then the pool ends with its sessions, or never.
    await Promise.race([pool.end(), setTimeout(POOL_END_MS, undefined, { ref: false })])
    // Also ends the sessions that still use it.
    await runOn(server, `drop database if exists ${name} with (force)`)
  }
  const database = { connection, pool, drop }
  left.add(database)
  if (partitions > 0) {
    await migrate(pool, partitioned(readMigrations(), partitions))
  }
  return database
}

async function runOn(server: ConnectionSettings, sql: string): Promise<void> {
  const client = new pg.Client({ ...server, database: 'postgres' })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}

atEndOfFile(async () => {
  await Promise.all([...users].map((stop) => stop()))
  await Promise.all([...left].map(({ drop }) => drop()))
  const ending = [shared, durable, own]
  shared = durable = own = undefined
  for (const postgres of ending) await (await postgres?.catch(() => undefined))?.stop()
})
