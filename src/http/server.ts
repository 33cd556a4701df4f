// The HTTP server: parses strictly, authenticates, routes the operations, and returns all errors in one format.
import Fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { ReferenceData } from '../engine/reference/reference-data.ts'
import type { Unavailability } from '../contract/errors.ts'
import type { AccountFigures } from '../postgres/account-figures.ts'
import type { Mappings } from '../postgres/product-mappings.ts'
import type { ReadAccountLedgers } from '../postgres/account-ledgers.ts'
import type { ReadCustomerRecords } from '../postgres/customer-records.ts'
import type { StoredIds } from '../ledger/stored-ids.ts'
import type { OrderReader } from '../postgres/order-reader.ts'
import type { ListDevices } from '../postgres/device-list.ts'
import type { ListOrders } from '../postgres/order-list.ts'
import type { StatementKey } from '../postgres/statement-keys.ts'
import type { RecordOrder } from '../ledger/record-order.ts'
import type { EventStore } from '../ledger/store.ts'
import type { ListProducts, SumProducts } from '../postgres/product-list.ts'
import type { ConsoleSessions } from '../postgres/console-sessions.ts'
import { accountOperations, type AccountRoutesOptions } from './routes/account.ts'
import { correctedYearsOperation } from './routes/corrected-years.ts'
import { erasureOperations, type ErasuresContext } from './routes/erasures.ts'
import { pactClientOperations, type PactClientsContext } from './routes/pact-clients.ts'
import { servePact, type PactOptions } from './pact/serve-pact.ts'
import { periodOperations, type PeriodsContext } from './routes/periods.ts'
import { authenticate, type AuthenticateOptions } from './plugins/authentication.ts'
import { createConnections, type ConnectionLimits } from './connections.ts'
import { trackUnreadResponses, reserveBodyIn } from './plugins/unread-responses.ts'
import { batchOperations } from './routes/batches.ts'
import { serveConsole, type Console, type ConsoleNotBuilt } from './plugins/console-assets.ts'
import { serveConsoleSessions } from './routes/console-sessions.ts'
import { demoFleetOperations, type DemoFleetContext } from './routes/demo-fleet.ts'
import { deviceOperations, type DevicesContext } from './routes/devices.ts'
import { registerDatabaseDeadline } from './plugins/request-deadline.ts'
import { registerGracefulShutdown, type DrainOptions } from './plugins/graceful-shutdown.ts'
import { electricityOperation } from './routes/electricity-report.ts'
import { estimateOperations } from './routes/estimates.ts'
import type { ReleaseFor } from '../ledger/account-release.ts'
import type { PrematchProducts } from '../ledger/prematch.ts'
import { correctionOperation } from './routes/correct-order.ts'
import { eventOperations } from './routes/events.ts'
import { feedOperations, type FeedContext } from './routes/feed.ts'
import { deliveryOperations } from './routes/webhook-deliveries.ts'
import { webhookOperations, type WebhooksContext } from './routes/webhooks.ts'
import { exampleAnswers, exampleReceipt, exampleStatement, type StatementExamples } from './schemas/examples.ts'
import { exportOperations, type ExportsContext } from './routes/exports.ts'
import { modelRoutes } from './routes/catalogue.ts'
import { datasetReleaseOperations, type DatasetReleasesContext } from './routes/dataset-releases.ts'
import { healthOperations, type HealthOptions } from './routes/health.ts'
import { API_ERRORS, ApiError, invalidRequest } from '../contract/errors.ts'
import { sendError, toApiError } from './errors.ts'
import { createMemoryBudget } from '../concurrency/memory-budget.ts'
import { compressResponses } from './plugins/compression.ts'
import { answerPreflights, createCrossOriginHeaders } from './plugins/cross-origin.ts'
import { createNearPath } from './plugins/near-path.ts'
import { requestIdOf } from './plugins/request-id.ts'
import { SECURITY_HEADERS } from './plugins/security-headers.ts'
import { importProfileOperations, type ImportProfilesContext } from './routes/import-profiles.ts'
import { importOperations, type ImportsContext } from './routes/imports.ts'
import { NAMED_SCHEMAS, validatorOf } from './schemas/registry.ts'
import { openApiDocument } from './plugins/openapi.ts'
import { registerApiReference } from './plugins/api-reference.ts'
import { keyOperations, type KeysContext } from './routes/api-keys.ts'
import { serveMcp } from './routes/mcp.ts'
import { impactOperation } from './routes/impact.ts'
import { dataSourcesOperation } from './routes/data-sources.ts'
import { inventoriesOperation } from './routes/inventories.ts'
import { matchOperation, productOperations } from './routes/products.ts'
import { registerRoutes, type RouteDefinition } from './route-definition.ts'
import { RequestLog, logError } from '../observability/logging.ts'
import { logRequests, observeRequests, type RequestOutcome } from '../observability/request-metrics.ts'
import { OrderParams } from '../contract/order-schema.ts'
import { orderListOperations } from './routes/order-list.ts'
import { orderLookupOperations, orderOperations, type OrderLookupContext } from './routes/orders.ts'
import { passportOperations, type PassportsContext } from './routes/passports.ts'
import { negotiateContent } from './plugins/content-negotiation.ts'
import { qualityOperation, reportOperations, type ReportsContext } from './routes/reports.ts'
import { registerBodyParser } from './plugins/body-parser.ts'
import { receiptOperations, verificationOperations } from './routes/receipts.ts'
import { factorListRoutes } from './routes/factor-lists.ts'
import { ownFigureOperations, type FiguresContext } from './routes/own-figures.ts'
import { statementKeyOperations } from './routes/statement-keys.ts'
import { restatementOperations, type RestatementsContext } from './routes/restatements.ts'
import { scenarioOperation, type ScenariosContext } from './routes/scenarios.ts'
import { statementOperations, type DrawPdf } from './routes/statements.ts'
import { registerLoadShedding, type LoadSheddingOptions } from './plugins/load-shedding.ts'
import { isUploadError, registerUploads } from './plugins/uploads.ts'
import { registerTracing, type TraceRequest } from '../observability/trace-requests.ts'
import { PROTOCOL_MESSAGES } from './messages.ts'

export interface HttpOptions
  extends
    AuthenticateOptions,
    HealthOptions,
    DrainOptions,
    Omit<LoadSheddingOptions, 'crossOriginHeaders'>,
    ConnectionLimits,
    ImportsContext,
    Omit<ImportProfilesContext, 'validatorOf'>,
    ExportsContext,
    Omit<KeysContext, 'validatorOf'>,
    Omit<AccountRoutesOptions, 'validatorOf'>,
    Omit<PeriodsContext, 'validatorOf'>,
    Omit<ErasuresContext, 'validatorOf'>,
    Omit<RestatementsContext, 'validatorOf'>,
    Omit<PactClientsContext, 'validatorOf'>,
    Omit<PactOptions, 'pactClients' | 'restatements'>,
    ReportsContext,
    Pick<ScenariosContext, 'askScenario'>,
    Pick<DevicesContext, 'askDevice'>,
    Pick<OrderLookupContext, 'askOrder'>,
    DatasetReleasesContext,
    FeedContext,
    Omit<WebhooksContext, 'validatorOf'>,
    DemoFleetContext {
  readonly version: string
  readonly referenceData: ReferenceData
  readonly releaseId: number
  readonly releaseFor: ReleaseFor
  /** Origins whose pages may call the API. */
  readonly corsOrigins: readonly string[]
  /** Null if no console is served. */
  readonly console: Console | ConsoleNotBuilt | null
  readonly sessions: ConsoleSessions
  readonly sessionMs: number
  readonly referenceDataOf: (releaseId: number) => Promise<ReferenceData>
  readonly recordOrder: RecordOrder
  readonly events: EventStore
  readonly orderReader: OrderReader
  readonly storedIds: StoredIds
  readonly mappings: Mappings
  readonly figures: AccountFigures
  readonly noteFigures: FiguresContext['noteFigures']
  readonly ownFiguresMax: number
  readonly alpha2Of: FiguresContext['alpha2Of']
  readonly readAccountLedgers: ReadAccountLedgers
  readonly matchAhead: PrematchProducts
  readonly mappingsPerAccountMax: number
  readonly listProducts: ListProducts
  readonly sumProducts: SumProducts
  readonly listOrders: ListOrders
  readonly readCustomer: ReadCustomerRecords
  readonly statementKeyOf: (accountId: number) => Promise<StatementKey>
  readonly readDeviceHistory: PassportsContext['readDeviceHistory']
  readonly drawPdf: DrawPdf
  readonly listDevices: ListDevices
  /** Why the database was unavailable, for an error after which a retry may succeed; null for any other error. */
  readonly unavailabilityOf: (error: unknown) => Unavailability | null
  readonly logger: FastifyBaseLogger | false
  /** Null without metrics: then no time is spent on them. */
  readonly onAnswered: ((answered: RequestOutcome) => void) | null
  readonly traceRequest: TraceRequest | null
  readonly bodyBytesMax: number
  readonly jsonNestingMax: number
  readonly requestMsMax: number
  /** A connection without any byte in or out for this long is cut: the client is regarded as disconnected. */
  readonly silenceMsMax: number
  /** Limit on incomplete request bodies and unread responses of all connections. */
  readonly connectionBytesMax: number
}

/** A serial number of 200 characters, each percent-encoded as four bytes. */
const PARAMETER_CHARACTERS_MAX = 200 * 4 * 3
const CHECK_CONNECTIONS_MS = 2_000

export async function createServer(options: HttpOptions): Promise<FastifyInstance> {
  const connections = createConnections(options)
  const budget = createMemoryBudget(options.connectionBytesMax)
  const app: FastifyInstance = Fastify({
    ...(options.logger && { loggerInstance: options.logger }),
    logController: new RequestLog(options.unavailabilityOf),
    bodyLimit: options.bodyBytesMax,
    requestTimeout: options.requestMsMax,
    connectionTimeout: options.silenceMsMax,
    genReqId: requestIdOf,
    clientErrorHandler: (error, socket) => {
      if (!isUploadError(error, socket)) connections.refuse(error, socket)
    },
    // A path that cannot be decoded reaches no route and no hook.
    frameworkErrors: (_, request, reply) => {
      const failure = invalidRequest([{ path: '', ...PROTOCOL_MESSAGES.path_unreadable() }])
      void sendError(withHeaders(request, reply), failure, options.retryAfterSeconds)
    },
    routerOptions: { maxParamLength: PARAMETER_CHARACTERS_MAX },
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    http: {
      // How often Node checks for requests that take too long; its default of 30 s would double the time that they may
      // take.
      connectionsCheckingInterval: CHECK_CONNECTIONS_MS,
      // Both are needed here: Node applies the longer of the two to the complete request, and its default for headers
      // is 60 s.
      headersTimeout: options.requestMsMax,
      requestTimeout: options.requestMsMax,
      // A missing header is reported by this service, in JSON.
      requireHostHeader: false,
    },
  })
  if (options.traceRequest) registerTracing(app, options.traceRequest)
  receive(app)
  const crossOriginHeaders = createCrossOriginHeaders(options.corsOrigins)
  answerPreflights(app, crossOriginHeaders)
  registerGracefulShutdown(app, options)
  if (options.onAnswered) observeRequests(app, options.onAnswered)
  // Not left to the log level alone: otherwise a line would be built for each request and discarded.
  if (options.logger && options.logger.level === 'info') logRequests(app)
  registerLoadShedding(app, { ...options, crossOriginHeaders })
  connections.attach(app)
  // Before responses are counted: an unread response takes the memory of its compressed form.
  compressResponses(app)
  trackUnreadResponses(app, budget)
  registerBodyParser(app, options.jsonNestingMax, reserveBodyIn(budget))
  registerUploads(app)
  const operations = operationsOf(options, await exampleStatement(options.referenceData, options.version))
  answerFailures(app, options, createNearPath(operations.map(({ path }) => path)))
  await negotiateContent(app)
  registerDatabaseDeadline(app, options)
  authenticate(app, options)
  registerRoutes(app, operations)
  registerApiReference(app, () => openApiDocument(operations, options.version))
  await servePact(app, options)
  serveMcp(app, {
    operations,
    schemas: NAMED_SCHEMAS,
    version: options.version,
    failureOf: (error, request) => {
      logError(request.log, error as Error, 'internal')
      return toApiError(error as Error, request, options.unavailabilityOf)
    },
  })
  serveConsoleSessions(app, options)
  if (options.console) serveConsole(app, options.console)
  return app
}

/** Sets the headers of every response: the request id, and how browsers and caches are to treat it. */
function receive(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    withHeaders(request, reply)
    done()
  })
}

const withHeaders = ({ id }: FastifyRequest, reply: FastifyReply): FastifyReply =>
  reply.headers({ 'x-request-id': id, ...SECURITY_HEADERS })

function operationsOf(options: HttpOptions, statementExamples: StatementExamples): readonly RouteDefinition[] {
  const examples = exampleAnswers(options.referenceData)
  return [
    ...orderOperations({ ...options, validateOrder: validatorOf(OrderParams), examples }),
    ...batchOperations({ ...options, validateOrder: validatorOf(OrderParams), validatorOf }),
    ...orderListOperations({ ...options, examples }),
    ...orderLookupOperations({ ...options, examples }),
    ...receiptOperations({ ...options, example: exampleReceipt(options.referenceData, options.version) }),
    ...verificationOperations(options),
    ...feedOperations(options),
    ...webhookOperations({ ...options, validatorOf }),
    ...deliveryOperations(options),
    ...eventOperations({ ...options, examples, validatorOf }),
    correctionOperation({ ...options, validateOrder: validatorOf(OrderParams), examples }),
    ...deviceOperations({ ...options, examples }),
    ...passportOperations(options, statementExamples),
    ...estimateOperations({ ...options, validatorOf }),
    ...productOperations({ ...options, validatorOf }),
    matchOperation(options),
    ...importOperations(options),
    ...importProfileOperations({ ...options, validatorOf }),
    ...statementOperations({ ...options, examples: statementExamples }),
    impactOperation(options),
    dataSourcesOperation(options),
    ...statementKeyOperations({ ...options, examples: statementExamples }),
    ...exportOperations(options),
    ...keyOperations({ ...options, validatorOf }),
    ...accountOperations({ ...options, validatorOf }),
    ...periodOperations({ ...options, validatorOf }),
    correctedYearsOperation(options),
    ...restatementOperations({ ...options, validatorOf }),
    ...erasureOperations({ ...options, validatorOf }),
    ...pactClientOperations({ ...options, validatorOf }),
    ...demoFleetOperations(options),
    ...reportOperations(options),
    qualityOperation(options),
    inventoriesOperation(options),
    electricityOperation(options),
    scenarioOperation({ ...options, validatorOf }),
    ...modelRoutes(options),
    ...factorListRoutes(options),
    ...ownFigureOperations({ ...options, validatorOf }),
    ...datasetReleaseOperations(options),
    ...healthOperations(options),
  ]
}

function answerFailures(
  app: FastifyInstance,
  { unavailabilityOf, retryAfterSeconds }: HttpOptions,
  nearPathOf: (url: string) => string | null,
): void {
  app.setErrorHandler((error: Error, request, reply) => {
    const failure = toApiError(error, request, unavailabilityOf)
    const isOurs = API_ERRORS[failure.code][0] >= 500
    // A client that disconnects during its body or before the rejection is no fault of the service.
    const hasLeft = !request.raw.complete || (error instanceof ApiError && reply.raw.destroyed)
    if (isOurs && !hasLeft) logError(request.log, error, failure.code)
    return sendError(reply, failure, retryAfterSeconds)
  })
  // Before the body is read, for every client.
  app.addHook('onRequest', (request, _, done) => done(failureOfPath(request, nearPathOf) ?? undefined))
}

/** A path that ends with a slash may be found, as that of an object without a name. */
const ENDS_WITH_SLASH = /^[^?]*\/(\?|$)/

function failureOfPath(request: FastifyRequest, nearPathOf: (url: string) => string | null): ApiError | null {
  const { method, url, is404 } = request
  if (!is404 && !ENDS_WITH_SLASH.test(url)) return null
  const sent = { method, path: url.slice(0, 100) }
  const near = nearPathOf(url)
  if (near !== null)
    return new ApiError('not_found', PROTOCOL_MESSAGES.route_similar({ ...sent, near: near.slice(0, 200) }))
  return is404 ? new ApiError('not_found', PROTOCOL_MESSAGES.route_unknown(sent)) : null
}
