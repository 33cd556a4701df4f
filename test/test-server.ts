// A whole server for a test: HTTP on a free port, a database of its own, an account with a key.
import { after } from 'node:test'
import type { FastifyInstance } from 'fastify'
import type { ReferenceData } from '../src/engine/reference/reference-data.ts'
import { buildApp } from '../src/app.ts'
import { SCOPES, createKey, ensureAccount } from '../src/postgres/accounts.ts'
import { migrate, readMigrations } from '../src/postgres/migrations.ts'
import { freshDatabase } from './fresh-database.ts'
import { shippedReferenceData } from './shipped-book.ts'

export interface TestServer {
  readonly app: FastifyInstance
  /** Where it listens: `http://127.0.0.1:<port>`, without a slash at the end. */
  readonly url: string
  /** A key of an account with all scopes. */
  readonly key: string
  /** Closes the server. One that is left at the end of the file is closed then; its database goes with it. */
  stop(): Promise<void>
}

const running = new Set<FastifyInstance>()

/** @param own a factor book to serve instead of the shipped one */
export async function startTestServer(own?: ReferenceData): Promise<TestServer> {
  const { pool } = await freshDatabase()
  await migrate(pool, readMigrations())
  const { files, referenceData } = own
    ? { files: new Map<string, string>(), referenceData: own }
    : shippedReferenceData()
  const app = await buildApp(pool, referenceData, files, false)
  running.add(app)
  const { accountId } = await ensureAccount(pool, 'test')
  const key = await createKey(pool, accountId, SCOPES, null)
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  return { app, url, key, stop: () => stop(app) }
}

async function stop(app: FastifyInstance): Promise<void> {
  if (running.delete(app)) await app.close()
}

after(async () => {
  await Promise.all([...running].map(stop))
})
