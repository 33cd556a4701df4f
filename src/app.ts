// Assembles the HTTP service on a migrated database with one dataset release; dependencies are wired by hand.
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { Pool } from 'pg'
import {
  DB_QUEUE_WAIT_MS_MAX,
  BODY_BYTES_MAX,
  CONSOLE_SESSION_MS,
  JSON_NESTING_MAX,
  KEY_CACHE_KEYS_MAX,
  KEY_CACHE_MS,
  KEY_REQUESTS_PER_SECOND_MAX,
  LEDGER_ENTRIES_CACHED_MAX,
  MAPPINGS_MAX,
  OWN_FIGURES_MAX,
  PACT_CLIENTS_MAX,
  READINESS_MS_MAX,
  REQUEST_DATABASE_MS_MAX,
  RELEASES_KEPT_MAX,
  REQUEST_MS_MAX,
  RETRY_AFTER_SECONDS,
  SOCKET_IDLE_MS_MAX,
  DB_BATCH_BYTES_MAX,
  UPLOAD_LIMITS,
  FAILED_AUTH_PER_MINUTE_MAX,
} from './config.ts'
import type { DatasetFiles } from './reference-data/files.ts'
import { matcherFor } from './engine/matching/matcher.ts'
import type { ReferenceData } from './engine/reference/reference-data.ts'
import { countRequests, type RequestCount } from './http/plugins/count-requests.ts'
import { createPublisher, type FootprintSources } from './pact/publish-footprints.ts'
import { startPactEvents, type PactEventsContext } from './pact/send-events.ts'
import { createPactMessages } from './postgres/pact-messages.ts'
import type { Console, ConsoleNotBuilt } from './http/plugins/console-assets.ts'
import { logError } from './observability/logging.ts'
import { createBaseReleaseFor, type ReleaseFor } from './ledger/account-release.ts'
import { createPrematcher } from './ledger/prematch.ts'
import { API_ERRORS, type ApiErrorCode } from './contract/errors.ts'
import { createServer } from './http/server.ts'
import { createOpenLedger } from './ledger/codec.ts'
import { createRecordOrder } from './ledger/record-order.ts'
import type { Metrics } from './observability/metrics.ts'
import type { UploadLimits } from './imports/upload-admission.ts'
import type { CurrentRelease } from './create-import-context.ts'
import { createReleases } from './dataset-releases.ts'
import { createDemoFleets } from './demo-fleets.ts'
import { openWorkerPools } from './worker-pools.ts'
import { IMPORT_LIMITS, startImports, type ImportLimits } from './import-workers.ts'
import { createAccountKeys, createLastUsedRecorder } from './postgres/api-keys.ts'
import { createPeriodClosings } from './postgres/period-closings.ts'
import { createAccountsSettings, findCaller, isValidKeyFormat, type Caller } from './postgres/accounts.ts'
import { createRenderPdf } from './pdf-rendering.ts'
import { createAskBeside, createWorkerMatcher } from './reporting.ts'
import { createSemaphore } from './concurrency/semaphore.ts'
import { createConsoleSessions } from './postgres/console-sessions.ts'
import { unavailabilityOf } from './postgres/errors.ts'
import { withDeadline } from './concurrency/deadline.ts'
import type { ReadFreeSpace } from './postgres/free-space.ts'
import { readMigrations } from './postgres/migrations.ts'
import { createAccountLedgers } from './postgres/account-ledgers.ts'
import { createCustomerReader } from './postgres/customer-records.ts'
import { createErasures } from './postgres/erasure/pseudonymise.ts'
import { createEventStore } from './postgres/events.ts'
import { createLedgerTransactions } from './postgres/ledger-transactions.ts'
import { createExports } from './postgres/exports.ts'
import { createAccountFigures } from './postgres/account-figures.ts'
import { createAccountReleases } from './postgres/account-releases.ts'
import { createPactClients } from './postgres/pact-clients.ts'
import { createPactFootprints } from './postgres/pact-footprints.ts'
import { createRestatements } from './postgres/restatements.ts'
import { startRestatements } from './restatements.ts'
import { DEFAULT_WEBHOOKS, startWebhooks, type WebhookSettings, type WebhookWatching } from './webhook-sender.ts'
import { createMappings } from './postgres/product-mappings.ts'
import { createStoredIds } from './postgres/stored-ids.ts'
import { createOrderReader } from './postgres/order-reader.ts'
import { createDeviceList } from './postgres/device-list.ts'
import { createOverdueRentals } from './postgres/overdue-rentals.ts'
import { createOrderList } from './postgres/order-list.ts'
import { createOrderStore } from './postgres/orders.ts'
import { createProductList, createProductSums } from './postgres/product-list.ts'
import { createReadiness } from './postgres/health.ts'
import { READ_SOURCES, createReplicaReads, type ReplicaReads, type OnRead } from './postgres/read-replica.ts'
import { findReleaseId, registerRelease } from './postgres/dataset-releases.ts'
import { createDeviceHistoryReader } from './postgres/device-history.ts'
import { statementKeyOf } from './postgres/statement-keys.ts'
import { alpha2Of } from './reference-data/country-codes.ts'
import { createReleaseCache } from './reference-data/release-cache.ts'
import type { BatchLimits, CompletedBatch } from './concurrency/batcher.ts'
import type { Tracing } from './observability/tracing.ts'
import { isOverloaded, wasUsedWithin, createQueueLoad, type QueueLoad } from './concurrency/queue-load.ts'
import { VERSION } from './version.ts'
import {
  limitKeys,
  memoryOf,
  othersClosed,
  uploadsOf,
  withOthers,
  type KeyLimits,
  type Shared,
} from './worker-limits.ts'

export interface ServiceSettings extends KeyLimits {
  readonly metrics: Metrics | null
  /** Traces requests and batches. Null or omitted: no tracing. */
  readonly tracing?: Tracing | null
  /** Lists are read from the replica while it has replayed everything that the database has. */
  readonly replica?: Pool | null
  readonly console?: Console | ConsoleNotBuilt | null
  /** Origins whose pages may call the API. Default: none. */
  readonly corsOrigins?: readonly string[]
  /** Default: UPLOAD_LIMITS. */
  readonly uploadLimits?: UploadLimits
  /** Reads the free space on the database's disk. Null or omitted if it cannot be read. */
  readonly readFreeSpace?: ReadFreeSpace | null
  readonly importLimits?: ImportLimits
  /** Default: DEFAULT_WEBHOOKS. */
  readonly webhooks?: WebhookSettings
  /** Null if this process is the only one that serves requests. */
  readonly shared?: Shared | null
}

export const DEFAULT_SETTINGS: ServiceSettings = {
  metrics: null,
  keyRequestsPerSecondMax: KEY_REQUESTS_PER_SECOND_MAX,
  wrongKeysPerMinuteMax: FAILED_AUTH_PER_MINUTE_MAX,
}

const MATCHED_AHEAD = { most: 1, ofOneMost: 1, waitMs: 10_000 }

const matchingTurns = () => createSemaphore('orders whose products are to be matched', MATCHED_AHEAD)

const REQUEST_LIMITS = {
  bodyBytesMax: BODY_BYTES_MAX,
  jsonNestingMax: JSON_NESTING_MAX,
  requestMsMax: REQUEST_MS_MAX,
  silenceMsMax: SOCKET_IDLE_MS_MAX,
  retryAfterSeconds: RETRY_AFTER_SECONDS,
}
const WATCHED = {
  version: VERSION,
  failureCodes: Object.keys(API_ERRORS),
  readsFrom: READ_SOURCES,
}

/** The console, and other pages that may call the API. */
const pagesOf = ({ console = null, corsOrigins = [] }: ServiceSettings) => ({ console, corsOrigins })

/** Assembles the HTTP service on a migrated database with one dataset release. */
export async function buildApp(
  pool: Pool,
  referenceData: ReferenceData,
  files: DatasetFiles,
  logger: FastifyBaseLogger | false,
  settings: ServiceSettings = DEFAULT_SETTINGS,
): Promise<FastifyInstance> {
  const { metrics, tracing = null, replica = null, importLimits = IMPORT_LIMITS } = settings
  const { uploadLimits = UPLOAD_LIMITS, readFreeSpace = null, shared = null } = settings
  // Builds the matcher before the first order needs it.
  matcherFor(referenceData)
  const releaseId = await registerRelease(pool, referenceData.release, referenceData.hash, files)
  const queueLoad = createQueueLoad()
  const requestCount = { underWay: 0 }
  const { queueBytesMax, mappingsCachedMax, connectionLimits } = memoryOf(shared)
  const limits = { batchBytesMax: DB_BATCH_BYTES_MAX, queueBytesMax, queueLoad, ...watchBatches(metrics, tracing) }
  const now = () => new Date()
  metrics?.watch({ ...WATCHED, queueBytesMax, datasetRelease: referenceData.release, pool, queueLoad })
  const served = { referenceData, releaseId, referenceDataOf: createReleaseCache(pool, [releaseId, referenceData]) }
  const report = createReport(metrics, logger)
  const onRead = tellReads(metrics, logger)
  const longReads = createReplicaReads(pool, replica, onRead)
  const servedMsAgo = () => performance.now() - queueLoad.joinedAt
  shared?.primary.watchUse(servedMsAgo)
  const besideSettings = { pool, replica, served, importLimits, readFreeSpace, servedMsAgo, report }
  const beside = shared?.beside ?? openWorkerPools({ ...besideSettings, folding: metrics?.folding ?? null })
  const releases = serveReleases(pool, served)
  const watching = { report, onAttempt: metrics?.onWebhookAttempt ?? null, logger: logger || null }
  const statements = serveStatements(pool, longReads, limits)
  const background = startBackgroundWork(
    pool,
    { ...served, ...releases, ...statements, queueLoad, requestCount, now },
    watching,
    settings.webhooks,
  )
  const app = await createServer({
    ...releases,
    ...createAskBeside(beside.reporting, onRead),
    drawPdf: createRenderPdf(beside.drawing),
    ...pagesOf(settings),
    version: VERSION,
    ...servePosting(pool, limits, served.referenceDataOf),
    orderReader: createOrderReader(pool, limits),
    storedIds: createStoredIds(pool),
    ...serveMappings(pool, mappingsCachedMax),
    matchAhead: createPrematcher(matchingTurns(), createWorkerMatcher(beside.reporting)),
    ...serveLists(longReads, limits),
    ...statements,
    ...background.served,
    openExport: createExports(pool),
    ...startImports(pool, { uploadLimits: uploadsOf(uploadLimits, shared), readFreeSpace }, beside.importing),
    ...serveAccounts(pool, now),
    unavailabilityOf,
    databaseMsMax: REQUEST_DATABASE_MS_MAX,
    withDeadline,
    isBacklogged: () => isOverloaded(queueLoad, DB_QUEUE_WAIT_MS_MAX),
    checkReady: withOthers(createReadiness(pool, readMigrations(), READINESS_MS_MAX), shared),
    logger,
    onAnswered: metrics?.onAnswered ?? null,
    traceRequest: tracing?.traceRequest ?? null,
    now,
    ...limitKeys(settings, shared, now),
    ...REQUEST_LIMITS,
    ...connectionLimits,
    othersClosed: othersClosed(shared),
  })
  countRequests(app, requestCount)
  for (const stop of [beside.stop, ...background.stops]) app.addHook('onClose', stop)
  return app
}

/** Reports an error that no request is answered with. */
const createReport =
  (metrics: Metrics | null, logger: FastifyBaseLogger | false) =>
  (error: Error, known?: ApiErrorCode): void => {
    const code = known ?? unavailabilityOf(error) ?? 'internal'
    metrics?.onFailure(code)
    if (logger) logError(logger, error, code)
  }

const serveLists = (longReads: ReplicaReads, limits: BatchLimits) => ({
  listProducts: createProductList(longReads, limits),
  sumProducts: createProductSums(longReads, limits),
  listOrders: createOrderList(longReads, limits),
  listDevices: createDeviceList(longReads, limits),
  findOverdueRentals: createOverdueRentals(longReads, limits),
})

/** Orders and events share the cache of ledgers of devices with many entries. */
function servePosting(pool: Pool, limits: BatchLimits, referenceDataOf: (releaseId: number) => Promise<ReferenceData>) {
  const run = createLedgerTransactions(pool, LEDGER_ENTRIES_CACHED_MAX, createOpenLedger(referenceDataOf))
  return {
    recordOrder: createRecordOrder(createOrderStore(pool, run), limits, referenceDataOf),
    events: createEventStore(limits, run),
  }
}

const serveMappings = (pool: Pool, mappingsCachedMax: number) => ({
  mappings: createMappings(pool, { mappingsPerAccountMax: MAPPINGS_MAX, mappingsCachedMax }),
  mappingsPerAccountMax: MAPPINGS_MAX,
})

function startBackgroundWork(
  pool: Pool,
  served: CurrentRelease &
    Pick<FootprintSources, 'readCustomer' | 'pactFootprints' | 'now'> & {
      readonly releaseFor: ReleaseFor
      readonly queueLoad: QueueLoad
      readonly requestCount: RequestCount
    },
  watching: WebhookWatching,
  webhooks = DEFAULT_WEBHOOKS,
) {
  const { report } = watching
  // While the database is unavailable, all else that asks it says so.
  const reportFault = (error: Error) => {
    if (unavailabilityOf(error) === null) report(error)
  }
  const servedWithin = (milliseconds: number): boolean => wasUsedWithin(served.queueLoad, milliseconds)
  const requests = { wereWithin: servedWithin, areUnderWay: () => served.requestCount.underWay > 0 }
  const demoFleets = createDemoFleets(pool, served, servedWithin, report)
  const { wake, stop } = startRestatements(pool, served, requests, report)
  const events = startWebhooks(pool, webhooks, { ...watching, report: reportFault })
  const restatements = createRestatements(pool)
  const sources = { ...served, version: VERSION, restatements, exchange: events.exchange, report: reportFault }
  const pact = startPact(pool, sources, webhooks.publicUrl)
  return {
    served: {
      ...events.served,
      ...pact.served,
      publicUrl: webhooks.publicUrl,
      demoFleets,
      restatements,
      wakeRestatements: wake,
      findReleaseId: (name: string) => findReleaseId(pool, name),
    },
    stops: [demoFleets.stop, events.stop, pact.stop, stop],
  }
}

/**
 * Lists and events have one publisher, so that what one of them computes is not computed again for the other.
 * @param publicUrl null if footprints are not published and nothing is sent
 */
function startPact(
  pool: Pool,
  sources: Omit<PactEventsContext, 'publicUrl' | 'publishFootprints' | 'pactMessages'>,
  publicUrl: string | null,
) {
  const pactMessages = createPactMessages(pool)
  if (publicUrl === null) {
    const served = { pactMessages, publishFootprints: null, wakePactEvents: () => undefined }
    return { served, stop: () => Promise.resolve() }
  }
  const publishFootprints = createPublisher(sources, publicUrl)
  const events = startPactEvents({ ...sources, publicUrl, publishFootprints, pactMessages })
  return { served: { pactMessages, publishFootprints, wakePactEvents: events.wake }, stop: events.stop }
}

/** Statements, the product footprints that are made from them, inventories of electricity, and passports. */
const serveStatements = (pool: Pool, longReads: ReplicaReads, limits: BatchLimits) => ({
  readCustomer: createCustomerReader(pool, longReads, limits),
  readAccountLedgers: createAccountLedgers(longReads),
  statementKeyOf: (accountId: number) => statementKeyOf(pool, accountId),
  readDeviceHistory: createDeviceHistoryReader(pool),
  pactClients: createPactClients(pool, PACT_CLIENTS_MAX),
  pactClientsMax: PACT_CLIENTS_MAX,
  pactFootprints: createPactFootprints(pool),
})

/** The releases that there are, the own figures of accounts, and the release of each account with them. */
const serveReleases = (pool: Pool, served: CurrentRelease) => ({
  ...served,
  ...createAccountReleases(
    pool,
    createBaseReleaseFor(served, served.referenceDataOf, RELEASES_KEPT_MAX),
    served.referenceDataOf,
  ),
  figures: createAccountFigures(pool, OWN_FIGURES_MAX),
  ownFiguresMax: OWN_FIGURES_MAX,
  alpha2Of,
  releases: createReleases(pool, served.referenceData.release),
})

/** Authentication by key or session, and the administration of keys. */
function serveAccounts(pool: Pool, now: () => Date) {
  const noteUse = createLastUsedRecorder(pool, KEY_CACHE_KEYS_MAX, now)
  const noting = (find: (text: string) => Promise<Caller | null>) => async (text: string) => {
    const caller = await find(text)
    if (caller) noteUse(caller)
    return caller
  }
  const sessions = createConsoleSessions(pool, CONSOLE_SESSION_MS, now)
  return {
    sessions,
    sessionMs: CONSOLE_SESSION_MS,
    findSessionCaller: noting(sessions.findCaller),
    keys: createAccountKeys(pool),
    accountsSettings: createAccountsSettings(pool),
    periods: createPeriodClosings(pool),
    erasures: createErasures(pool),
    findCaller: noting((key) => findCaller(pool, key, now())),
    isWellFormedKey: isValidKeyFormat,
    cacheMs: KEY_CACHE_MS,
    cachedKeysMax: KEY_CACHE_KEYS_MAX,
  }
}

const REPLICA_TOLD_MS = 60_000

/** Logs a replica that is not used at most once a minute instead of once per list. */
function tellReads(metrics: Metrics | null, logger: FastifyBaseLogger | false): OnRead {
  let reportedAt = -Infinity
  return (from, why) => {
    metrics?.onRead(from)
    if (!why || !logger || performance.now() - reportedAt < REPLICA_TOLD_MS) return
    reportedAt = performance.now()
    logError(logger, why, 'unavailable', 'The replica is passed over')
  }
}

function watchBatches(metrics: Metrics | null, tracing: Tracing | null): Pick<BatchLimits, 'onBatch' | 'spanOf'> {
  if (tracing === null) return metrics === null ? {} : { onBatch: metrics.onBatch }
  const onBatch = (batch: CompletedBatch) => {
    metrics?.onBatch(batch)
    tracing.onBatch(batch)
  }
  return { onBatch, spanOf: tracing.spanOf }
}
