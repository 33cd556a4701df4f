// A whole server for a test: HTTP on a free port, a database of its own, an account with a key; wired as in main.ts.
import { after } from 'node:test'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { Pool } from 'pg'
import {
  BODY_BYTES_MAX,
  JSON_NESTING_MAX,
  KEY_CACHE_KEYS_MAX,
  KEY_CACHE_MS,
  JOBS_PER_TRIP_MAX,
  JOBS_WAITING_MAX,
  REQUEST_MS_MAX,
  RETRY_AFTER_SECONDS,
} from '../src/config.ts'
import type { FactorBook } from '../src/engine/factor-book.ts'
import { createServer, type ServerOptions } from '../src/http/server.ts'
import { SCOPES, createKey, ensureAccount, findCaller, isWellFormedKey } from '../src/postgres/accounts.ts'
import { isUnavailable } from '../src/postgres/database-errors.ts'
import { migrate } from '../src/postgres/migrate.ts'
import { readMigrations } from '../src/postgres/migrate-files.ts'
import { createOrders } from '../src/postgres/orders.ts'
import { useRelease } from '../src/postgres/releases.ts'
import { TooManyWaiting } from '../src/postgres/shared-trips.ts'
import { freshDatabase } from './fresh-database.ts'
import { shippedBook } from './shipped-book.ts'

export { shippedBook }

const ROOT = join(import.meta.dirname, '..')

export interface TestServer {
  readonly app: FastifyInstance
  /** Where it listens: `http://127.0.0.1:<port>`, without a slash at the end. */
  readonly url: string
  /** A key of `accountId` with all scopes. */
  readonly key: string
  readonly accountId: number
  readonly pool: Pool
  readonly book: FactorBook
  readonly releaseId: number
  /** Closes the server. One that is left at the end of the file is closed then; its database goes with it. */
  stop(): Promise<void>
}

const running = new Set<FastifyInstance>()

/** @param changed what differs from the server of main.ts; without a `book` it serves the shipped one */
export async function startTestServer(changed: Partial<ServerOptions> = {}): Promise<TestServer> {
  const { pool } = await freshDatabase()
  await migrate(pool, readMigrations(join(ROOT, 'sql')))
  const { files, book } = changed.book ? { files: new Map<string, string>(), book: changed.book } : shippedBook()
  const releaseId = await useRelease(pool, book.release, book.hash, files)
  const { accountId } = await ensureAccount(pool, 'test')
  const key = await createKey(pool, accountId, SCOPES, null)
  const app = await createServer({ ...optionsFor(pool, book, releaseId), ...changed })
  running.add(app)
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  return { app, url, key, accountId, pool, book, releaseId, stop: () => stop(app) }
}

const optionsFor = (pool: Pool, book: FactorBook, releaseId: number): ServerOptions => ({
  version: '0.0.0-test',
  book,
  releaseId,
  bookOf: () => Promise.resolve(book),
  orders: createOrders(pool, { jobsPerTripMax: JOBS_PER_TRIP_MAX, waitingMax: JOBS_WAITING_MAX }),
  findCaller: (key) => findCaller(pool, key),
  isWellFormedKey,
  isUnavailable: (error) => error instanceof TooManyWaiting || isUnavailable(error),
  logger: false,
  now: () => new Date(),
  cacheMs: KEY_CACHE_MS,
  cachedKeysMax: KEY_CACHE_KEYS_MAX,
  bodyBytesMax: BODY_BYTES_MAX,
  jsonNestingMax: JSON_NESTING_MAX,
  requestMsMax: REQUEST_MS_MAX,
  retryAfterSeconds: RETRY_AFTER_SECONDS,
})

async function stop(app: FastifyInstance): Promise<void> {
  if (running.delete(app)) await app.close()
}

after(async () => {
  await Promise.all([...running].map(stop))
})
