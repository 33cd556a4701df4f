// The program put together: datasets, database and HTTP server, wired by hand, started and stopped in order.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { Pool } from 'pg'
import pino from 'pino'
import {
  BACKLOG_MS_MAX,
  BODY_BYTES_MAX,
  DRAIN_MS_MAX,
  JSON_NESTING_MAX,
  KEY_CACHE_KEYS_MAX,
  KEY_CACHE_MS,
  KEY_REQUESTS_PER_SECOND_MAX,
  MAPPINGS_KEPT_MAX,
  MAPPINGS_MAX,
  READY_MS_MAX,
  REQUEST_DATABASE_MS_MAX,
  REQUEST_MS_MAX,
  RETRY_AFTER_SECONDS,
  TRACES_FLUSH_MS_MAX,
  TRIP_WEIGHT_MAX,
  WAITING_WEIGHT_MAX,
  WRONG_KEYS_PER_MINUTE_MAX,
  WRONG_KEY_ADDRESSES_MAX,
  type Config,
} from './config.ts'
import { readDatasetFiles, type DatasetFiles } from './datasets/dataset-files.ts'
import { readDatasets, reopenDatasets } from './datasets/read-datasets.ts'
import { matcherOf } from './engine/book-matcher.ts'
import type { FactorBook } from './engine/factor-book.ts'
import { createRateLimit, createWrongKeyLimit } from './http/rate-limit.ts'
import { createServer } from './http/server.ts'
import { createWaitingRoom, type WaitingRoom } from './http/waiting-room.ts'
import { createMetrics, type Metrics } from './metrics/metrics.ts'
import { serveMetrics, type MetricsServer } from './metrics/metrics-server.ts'
import { SCOPES, createKey, ensureAccount, findCaller, isWellFormedKey } from './postgres/accounts.ts'
import { openDatabase, type Database } from './postgres/database.ts'
import { unavailabilityOf } from './postgres/database-errors.ts'
import { untilDeadline, withDeadline } from './postgres/deadline.ts'
import { readMigrations } from './postgres/migrate-files.ts'
import { createEvents } from './postgres/events.ts'
import { createMappings } from './postgres/mappings.ts'
import { createOrderFiles } from './postgres/order-files.ts'
import { createOrderList } from './postgres/order-list.ts'
import { createOrders, type SharedLimits } from './postgres/orders.ts'
import { createProductList } from './postgres/product-list.ts'
import { createReadiness } from './postgres/readiness.ts'
import { createLongReads } from './postgres/replica.ts'
import { filesOfRelease, useRelease } from './postgres/releases.ts'
import type { Trip } from './postgres/shared-trips.ts'
import type { Tracing } from './tracing/start-tracing.ts'
import { isBacklogged, nobodyWaits } from './postgres/waiting.ts'

const ROOT = join(import.meta.dirname, '..')
const DEMO_ACCOUNT = 'demo'

export const VERSION = (JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { readonly version: string })
  .version

export interface Running {
  readonly address: string
  /** Where the metrics are, if anywhere. */
  readonly metricsAddress: string | null
  readonly book: FactorBook
  /** The key of the demo account, on the start that made it. */
  readonly demoKey: string | null
  readonly stop: () => Promise<void>
}

/**
 * Starts everything and serves; a database elsewhere that is not there yet is waited for, which is answered meanwhile.
 * @throws Error with a sentence for the operator when a part cannot start; what had started is stopped again
 */
export async function start(
  config: Config,
  report: (sentence: string) => void,
  onFailure: (error: Error) => void,
): Promise<Running> {
  const room = createWaitingRoom((app) => listen(app, config), report, RETRY_AFTER_SECONDS)
  try {
    const database = await openDatabase(config, { report, onFailure, onAbsent: room.tell })
    return await serve(config, database, room).catch(async (error: unknown) => {
      await database.close()
      throw error
    })
  } finally {
    await room.close()
  }
}

async function serve(config: Config, database: Database, room: WaitingRoom): Promise<Running> {
  const files = readDatasetFiles(join(ROOT, 'data'))
  const book = readDatasets(files)
  const metrics = config.metricsPort === null ? null : createMetrics(config.metricsByAccount)
  const logger = pino({ level: config.logsRequests ? 'info' : 'warn' }, pino.destination(2))
  const tracing = await beginTracing(config, (sentence) => logger.warn(sentence))
  const app = await createService(database.pool, book, files, logger, {
    metrics,
    tracing,
    keyRequestsPerSecondMax: config.keyRequestsPerSecondMax,
    replica: database.replica,
    wrongKeysPerMinuteMax: WRONG_KEYS_PER_MINUTE_MAX,
  })
  const address = await listen(app, { ...config, port: (await room.close()) ?? config.port })
  const metricsServer = await listenForMetrics(app, metrics, config)
  // After the port is ours: the key is shown once, and a start that fails must not use that up.
  const demoKey = await createDemoAccount(database)
  const stop = async () => {
    // Browsers keep connections open on which nothing was asked; they must not hold up the stop.
    const cut = setTimeout(() => app.server.closeAllConnections(), DRAIN_MS_MAX)
    await app.close()
    clearTimeout(cut)
    await metricsServer?.stop()
    await tracing?.stop()
    await database.close()
  }
  return { address, metricsAddress: metricsServer?.address ?? null, book, demoKey, stop }
}

/** Nothing of OpenTelemetry is loaded where its variables do not ask for traces. */
async function beginTracing({ traceProtocol }: Config, onFailure: (sentence: string) => void): Promise<Tracing | null> {
  if (traceProtocol === null) return null
  const { startTracing } = await import('./tracing/start-tracing.ts')
  return startTracing({ version: VERSION, protocol: traceProtocol, flushMsMax: TRACES_FLUSH_MS_MAX, onFailure })
}

async function listen(app: FastifyInstance, { host, port }: Config): Promise<string> {
  try {
    return await app.listen({ host, port })
  } catch (error) {
    await app.close()
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    throw new Error(`Port ${port} of ${host} is in use; set CRADLE_PORT to another one, or to 0 for any that is free`)
  }
}

async function listenForMetrics(
  app: FastifyInstance,
  metrics: Metrics | null,
  { host, metricsPort }: Config,
): Promise<MetricsServer | null> {
  if (metrics === null || metricsPort === null) return null
  try {
    return await serveMetrics(metrics, host, metricsPort)
  } catch (error) {
    await app.close()
    throw error
  }
}

export interface ServiceSettings {
  readonly metrics: Metrics | null
  /** Where requests and trips are told one by one, if anywhere. */
  readonly tracing?: Tracing | null
  /** 0 for no limit. */
  readonly keyRequestsPerSecondMax: number
  /** Where lists are read from as long as it has all that the database has. */
  readonly replica?: Pool | null
  /** Of one address; 0 for no limit. */
  readonly wrongKeysPerMinuteMax: number
}

export const USUAL_SETTINGS: ServiceSettings = {
  metrics: null,
  keyRequestsPerSecondMax: KEY_REQUESTS_PER_SECOND_MAX,
  wrongKeysPerMinuteMax: WRONG_KEYS_PER_MINUTE_MAX,
}

/** The HTTP service on a migrated database, with one release of the datasets. */
export async function createService(
  pool: Pool,
  book: FactorBook,
  files: DatasetFiles,
  logger: FastifyBaseLogger | false,
  {
    metrics,
    tracing = null,
    keyRequestsPerSecondMax,
    wrongKeysPerMinuteMax,
    replica = null,
  }: ServiceSettings = USUAL_SETTINGS,
): Promise<FastifyInstance> {
  // Before the first order asks for it: this takes 0.1 to 0.2 s.
  matcherOf(book)
  const releaseId = await useRelease(pool, book.release, book.hash, files)
  const waiting = nobodyWaits()
  const limits = {
    weightPerTripMax: TRIP_WEIGHT_MAX,
    weightWaitingMax: WAITING_WEIGHT_MAX,
    waiting,
    ...watchTrips(metrics, tracing),
  }
  const longReads = createLongReads(pool, replica, metrics?.onRead)
  const now = () => new Date()
  metrics?.watch({
    version: VERSION,
    datasetRelease: book.release,
    pool,
    waiting,
    weightWaitingMax: WAITING_WEIGHT_MAX,
  })
  return createServer({
    version: VERSION,
    book,
    releaseId,
    bookOf: rememberBooks(new Map([[releaseId, book]]), async (id) => reopenDatasets(await filesOfRelease(pool, id))),
    postOrder: createOrders(pool, limits),
    events: createEvents(pool, limits),
    files: createOrderFiles(pool, limits),
    mappings: createMappings(pool, { mappingsPerAccountMax: MAPPINGS_MAX, mappingsKeptMax: MAPPINGS_KEPT_MAX }),
    mappingsPerAccountMax: MAPPINGS_MAX,
    listProducts: createProductList(longReads, limits),
    listOrders: createOrderList(longReads, limits),
    findCaller: (key) => findCaller(pool, key, now()),
    isWellFormedKey,
    unavailabilityOf,
    databaseMsMax: REQUEST_DATABASE_MS_MAX,
    withDeadline,
    isBacklogged: () => isBacklogged(waiting, BACKLOG_MS_MAX),
    checkReady: createReadiness(pool, readMigrations(join(ROOT, 'sql')), READY_MS_MAX),
    logger,
    onAnswered: metrics?.onAnswered ?? null,
    traceRequest: tracing?.traceRequest ?? null,
    now,
    spendRequest: keyRequestsPerSecondMax === 0 ? null : createRateLimit(keyRequestsPerSecondMax, now),
    spendWrongKey:
      wrongKeysPerMinuteMax === 0 ? null : createWrongKeyLimit(wrongKeysPerMinuteMax, WRONG_KEY_ADDRESSES_MAX, now),
    cacheMs: KEY_CACHE_MS,
    cachedKeysMax: KEY_CACHE_KEYS_MAX,
    bodyBytesMax: BODY_BYTES_MAX,
    jsonNestingMax: JSON_NESTING_MAX,
    requestMsMax: REQUEST_MS_MAX,
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  })
}

function watchTrips(metrics: Metrics | null, tracing: Tracing | null): Pick<SharedLimits, 'onTrip' | 'senderOf'> {
  if (tracing === null) return metrics === null ? {} : { onTrip: metrics.onTrip }
  const onTrip = (trip: Trip) => {
    metrics?.onTrip(trip)
    tracing.onTrip(trip)
  }
  return { onTrip, senderOf: tracing.senderOf }
}

/** The demo account is made once; its key is shown on that start alone, as every key is. */
async function createDemoAccount({ pool }: Database): Promise<string | null> {
  const { accountId, isNew } = await ensureAccount(pool, DEMO_ACCOUNT)
  return isNew ? createKey(pool, accountId, SCOPES, null) : null
}

/** Reads a release of the datasets the first time that it is asked for. */
function rememberBooks(known: ReadonlyMap<number, FactorBook>, read: (releaseId: number) => Promise<FactorBook>) {
  const books = new Map<number, Promise<FactorBook>>([...known].map(([id, book]) => [id, Promise.resolve(book)]))
  return (releaseId: number): Promise<FactorBook> => {
    const book = books.get(releaseId) ?? read(releaseId)
    books.set(releaseId, book)
    book.catch(() => books.delete(releaseId))
    return untilDeadline(book)
  }
}
