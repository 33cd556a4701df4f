// The service as tests start it in their own process: on a database of its own, or of another service.
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { Pool } from 'pg'
import type { DatasetFiles } from '../src/reference-data/files.ts'
import { loadReferenceData } from '../src/reference-data/load.ts'
import type { ReferenceData } from '../src/engine/reference/reference-data.ts'
import { DEFAULT_SETTINGS, buildApp, type ServiceSettings } from '../src/app.ts'
import {
  SCOPES,
  createKey,
  ensureAccount,
  setAmortisation,
  type Amortisation,
  type Scope,
} from '../src/postgres/accounts.ts'
import { createMetrics, serveMetrics } from '../src/observability/metrics.ts'
import { migrate, readMigrations } from '../src/postgres/migrations.ts'
import { closeConnections, exchange } from './raw-http.ts'
import { createAsk, readDocument, type AskedService } from './asked-service.ts'
import { freshMigratedDatabase, stopBeforeDrop } from './fresh-database.ts'
import { shippedReferenceData } from './shipped-book.ts'

/** A service with its metrics: what it counted, metric by metric. */
export interface MeasuredService {
  readonly url: string
  /** Where the metrics are, with their path. */
  readonly address: string
  readonly text: () => Promise<string>
  /** The value of a series, written as in the text; undefined where there is none. */
  readonly valueOf: (series: string) => Promise<number | undefined>
  readonly stop: () => Promise<void>
}

/** @param countsAccounts whether requests are counted by account, too */
export async function startMeasured(beside: Service, countsAccounts: boolean): Promise<MeasuredService> {
  const metrics = createMetrics(countsAccounts)
  const { server, stop } = await startService({ beside, settings: { metrics, keyRequestsPerSecondMax: 0 } })
  const { address, stop: stopServing } = await serveMetrics(metrics, '127.0.0.1', 0)
  stopBeforeDrop(stopServing)
  const text = async () => (await exchange(address, '/metrics')).text
  return {
    url: server.url,
    address,
    text,
    valueOf: async (series) => {
      const line = (await text()).split('\n').find((one) => one.startsWith(`${series} `))
      return line === undefined ? undefined : Number(line.slice(series.length + 1))
    },
    stop: async () => {
      await stopServing()
      await stop()
    },
  }
}

/** What the shipped datasets call the things that the hostile corpus needs. */
export const SHIPPED_IDS = {
  transportationId: 'road-van-diesel',
  transportationMode: 'road',
  airTransportationId: 'air-long-haul',
  packagingId: 'corrugated-board-recycled',
}

export interface ServiceOptions {
  /** The service whose database, key and document this one has too, as after a restart or in a second process. */
  readonly beside?: Service
  /** A database to migrate and use. A new one without it. */
  readonly pool?: Pool
  /** The dataset release. The shipped one without it. */
  readonly files?: DatasetFiles
  /** The factor book, where it is not that of the files. */
  readonly book?: ReferenceData
  readonly account?: string
  /** How the account charges its devices. */
  readonly amortisation?: Amortisation
  /** Nothing is logged without it. */
  readonly logger?: FastifyBaseLogger
  /** In place of the usual ones; tests send more wrong keys from one address than anybody may. */
  readonly settings?: Partial<ServiceSettings>
}

/** A service in the process of the test. One that is left at the end of the file is closed then. */
export interface Service extends AskedService {
  readonly server: { readonly app: FastifyInstance; readonly url: string; readonly referenceData: ReferenceData }
  readonly pool: Pool
}

const running = new Set<FastifyInstance>()

export async function startService(options: ServiceOptions = {}): Promise<Service> {
  const { beside, pool = beside?.pool ?? (await freshMigratedDatabase()).pool, account: own = 'test' } = options
  if (options.pool && !beside) await migrate(pool, readMigrations())
  const keyOf = async (scopes: readonly Scope[] = SCOPES, expiresAt: Date | null = null, account = own) =>
    createKey(pool, (await ensureAccount(pool, account)).accountId, scopes, expiresAt)
  const key = beside?.key ?? (await keyOf())
  if (options.amortisation) await setAmortisation(pool, own, options.amortisation)
  const { referenceData, files } = releaseOf(options)
  const app = await buildApp(pool, referenceData, files, options.logger ?? false, {
    ...DEFAULT_SETTINGS,
    wrongKeysPerMinuteMax: 0,
    ...options.settings,
  })
  running.add(app)
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  const document = beside?.document ?? (await readDocument(url))
  return {
    server: { app, url, referenceData },
    pool,
    document,
    key,
    createKey: keyOf,
    ...createAsk(url, document, key),
    stop: () => stop(app),
  }
}

function releaseOf({ files, book }: ServiceOptions): { referenceData: ReferenceData; files: DatasetFiles } {
  if (book) return { referenceData: book, files: files ?? new Map<string, string>() }
  return files ? { referenceData: loadReferenceData(files), files } : shippedReferenceData()
}

async function stop(app: FastifyInstance): Promise<void> {
  closeConnections()
  if (running.delete(app)) await app.close()
}

stopBeforeDrop(async () => {
  await Promise.all([...running].map(stop))
})

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
