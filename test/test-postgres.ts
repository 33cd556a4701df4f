// The PostgreSQL of all files that `npm test` runs, each with databases of its own, another for those that start the
// program on theirs, and one service for those that only send requests; a file run alone starts its own.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ConnectionSettings } from '../src/postgres/embedded/connection-file.ts'
import { migrate, readMigrations } from '../src/postgres/migrations.ts'
import { createPool } from '../src/postgres/pool.ts'
import { startServer } from '../src/postgres/embedded/server.ts'
import type { ServerSettings } from '../src/postgres/embedded/process.ts'

export interface TestPostgres {
  readonly connection: ConnectionSettings
  readonly stop: () => Promise<void>
}

/** How files are told of the shared ones: by their connections, as JSON. */
const VARIABLE = 'TEST_POSTGRES'
/** Of the one that waits for its disk. */
const DURABLE_VARIABLE = 'TEST_DURABLE_POSTGRES'
/** How files are told of the service that they share. */
export const SERVICE_VARIABLE = 'TEST_SERVICE'
/** The name of their database that has every migration and nothing else, to be copied. */
export const TEMPLATE_VARIABLE = 'TEST_TEMPLATE'

/** What the program of that service says once it serves. */
export interface SharedAddress {
  readonly url: string
  readonly connection: ConnectionSettings
}

/** For as many files as run at a time, with several services each. */
const SHARED_SETTINGS = { max_connections: '400' }
/**
 * Of the one that is used most: no test cuts its power, and to wait for the disk takes more time than all else when a
 * database is made and dropped.
 */
const FAST_SETTINGS = {
  ...SHARED_SETTINGS,
  fsync: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  wal_init_zero: 'off',
}

const shared: TestPostgres[] = []
let stopService: (() => Promise<void>) | undefined

/** The runner calls it before the first file. What files that run at a time may not do each for itself is done here. */
export async function globalSetup(): Promise<void> {
  const { unpackChromium } = await import('./console/chromium.ts')
  await unpackChromium()
  await share(VARIABLE, FAST_SETTINGS)
  await share(DURABLE_VARIABLE, SHARED_SETTINGS)
  stopService = await startSharedService()
}

async function share(variable: string, settings: ServerSettings): Promise<void> {
  const postgres = await startPostgres(settings)
  shared.push(postgres)
  process.env[variable] = JSON.stringify(postgres.connection)
  process.env[TEMPLATE_VARIABLE] = await migrateTemplate(postgres.connection)
}

/** Its own first database, which no file uses. A database that is copied may have no connections. */
async function migrateTemplate(connection: ConnectionSettings): Promise<string> {
  const pool = createPool(connection, { connectionsMax: 1 }, () => undefined)
  await migrate(pool, readMigrations())
  await pool.end()
  return connection.database
}

/** @returns what ends it */
async function startSharedService(): Promise<() => Promise<void>> {
  // Without the options of the test runner.
  const child = fork(join(import.meta.dirname, 'shared-service-program.ts'), { execArgv: [] })
  const [said] = (await Promise.race([once(child, 'message'), once(child, 'exit')])) as [SharedAddress | number]
  if (typeof said !== 'object') throw new Error('The service that test files share did not start')
  process.env[SERVICE_VARIABLE] = JSON.stringify(said)
  return async () => {
    const ended = once(child, 'exit')
    child.disconnect()
    await ended
  }
}

/** The runner calls it after the last file. */
export async function globalTeardown(): Promise<void> {
  await stopService?.()
  for (const { stop } of shared) await stop()
}

/**
 * The shared one, or one for this process where there is none.
 * @param isDurable whether it waits for its disk, as the program demands
 */
export async function sharedPostgres(isDurable: boolean): Promise<TestPostgres> {
  const told = process.env[isDurable ? DURABLE_VARIABLE : VARIABLE]
  if (told === undefined) return startPostgres()
  return { connection: JSON.parse(told) as ConnectionSettings, stop: () => Promise.resolve() }
}

export async function startPostgres(settings: ServerSettings = {}): Promise<TestPostgres> {
  const directory = mkdtempSync(join(tmpdir(), 'cradle-test-'))
  // mkdtemp closes it to everybody else, and as root the server's user must pass through.
  chmodSync(directory, 0o711)
  const server = await startServer({ dataDirectory: directory, settings })
  const stop = async () => {
    await server.stop()
    rmSync(directory, { recursive: true, force: true })
  }
  return { connection: server.connection, stop }
}
