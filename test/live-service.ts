// A service that a test talks to: every answer is held against its own document; several can share one database.
import type { FastifyInstance } from 'fastify'
import type { Pool } from 'pg'
import type { DatasetFiles } from '../src/reference-data/files.ts'
import { loadReferenceData } from '../src/reference-data/load.ts'
import type { ReferenceData } from '../src/engine/reference/reference-data.ts'
import { DEFAULT_SETTINGS, buildApp, type ServiceSettings } from '../src/app.ts'
import { SCOPES, createKey, ensureAccount, type Scope } from '../src/postgres/accounts.ts'
import { migrate, readMigrations } from '../src/postgres/migrations.ts'
import { createDocumentCheck, type OpenApi } from './document-check.ts'
import { closeConnections, exchange, type Answer, type Sent } from './raw-http.ts'
import { freshDatabase } from './fresh-database.ts'
import { shippedReferenceData } from './shipped-book.ts'

/** What the shipped datasets call the things that the hostile corpus needs. */
export const SHIPPED_IDS = {
  transportationId: 'road-van-diesel',
  transportationMode: 'road',
  airTransportationId: 'air-long-haul',
  packagingId: 'corrugated-board-recycled',
}

const ACCOUNT = 'test'

export interface LiveService {
  readonly server: { readonly app: FastifyInstance; readonly url: string; readonly referenceData: ReferenceData }
  readonly pool: Pool
  readonly document: OpenApi
  readonly key: string
  readonly createKey: (scopes?: readonly Scope[], expiresAt?: Date | null, account?: string) => Promise<string>
  /** Sends with the key, and asserts that the answer is what the document says. */
  readonly ask: (path: string, sent?: Sent) => Promise<Answer>
  readonly post: (order: unknown, query?: string) => Promise<Answer>
  readonly stop: () => Promise<void>
}

/** @param settings in place of the usual ones */
export async function startLiveService(settings: Partial<ServiceSettings> = {}): Promise<LiveService> {
  const { pool } = await freshDatabase()
  await migrate(pool, readMigrations())
  const { accountId } = await ensureAccount(pool, ACCOUNT)
  const { referenceData, files } = shippedReferenceData()
  return startOn(pool, await createKey(pool, accountId, SCOPES, null), referenceData, files, settings)
}

/** Another service on the database of a first one, as after a restart or in a second process. */
export const startBeside = (
  { pool, key }: LiveService,
  files: DatasetFiles = shippedReferenceData().files,
): Promise<LiveService> => startOn(pool, key, loadReferenceData(files), files)

async function startOn(
  pool: Pool,
  key: string,
  referenceData: ReferenceData,
  files: DatasetFiles,
  settings: Partial<ServiceSettings> = {},
): Promise<LiveService> {
  // Tests send more wrong keys from one address than anybody may.
  const app = await buildApp(pool, referenceData, files, false, {
    ...DEFAULT_SETTINGS,
    wrongKeysPerMinuteMax: 0,
    ...settings,
  })
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  const document = JSON.parse((await exchange(url, '/openapi.json')).text) as OpenApi
  const check = createDocumentCheck(document)
  const ask = async (path: string, sent: Sent = {}) => {
    const answer = await exchange(url, path, { ...sent, headers: { 'x-api-key': key, ...sent.headers } })
    check.answer(sent.method ?? 'GET', path, answer)
    return answer
  }
  return {
    server: { app, url, referenceData },
    pool,
    document,
    key,
    createKey: async (scopes = SCOPES, expiresAt = null, account = ACCOUNT) =>
      createKey(pool, (await ensureAccount(pool, account)).accountId, scopes, expiresAt),
    ask,
    post: (order, query = '') =>
      ask(`/api/customer-orders${query}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: typeof order === 'string' ? order : JSON.stringify(order),
      }),
    stop: async () => {
      closeConnections()
      await app.close()
    },
  }
}

export interface RowCounts {
  readonly orders: bigint
  readonly devices: bigint
  readonly entries: bigint
  readonly events: bigint
}

export async function countRows(pool: Pool): Promise<RowCounts> {
  const { rows } = await pool.query<RowCounts>(
    `select (select count(*) from orders) as orders, (select count(*) from devices) as devices,
      (select count(*) from entries) as entries, (select count(*) from events) as events`,
  )
  return rows[0]!
}

/** Emissions in milligrams: sums of them are exact. */
export const milligrams = (kilograms: unknown): bigint => BigInt(Math.round(Number(kilograms) * 1e6))
