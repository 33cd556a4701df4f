// The program: starts and stops the database, the service and the ports in order.
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import pino, { type Logger } from 'pino'
import {
  SHUTDOWN_DRAIN_MS_MAX,
  LISTEN_BACKLOG,
  RETRY_AFTER_SECONDS,
  TRACES_FLUSH_MS_MAX,
  FAILED_AUTH_PER_MINUTE_MAX,
  type Config,
} from './config.ts'
import { readDatasetFiles } from './reference-data/files.ts'
import { loadReferenceData } from './reference-data/load.ts'
import type { ReferenceData } from './engine/reference/reference-data.ts'
import { explainListenError, listen, type ListenAddress } from './http/listen.ts'
import { createStartupServer, type StartupServer } from './http/startup-server.ts'
import {
  createMetrics,
  serveMetrics,
  type Metrics,
  type MetricsServer,
  type ServedMetrics,
} from './observability/metrics.ts'
import { SCOPES, createKey, ensureAccount } from './postgres/accounts.ts'
import { serverConnectionsFor } from './postgres/connection-limits.ts'
import { openDatabase, type Database } from './postgres/database.ts'
import { freeSpaceReader } from './postgres/free-space.ts'
import type { Tracing } from './observability/tracing.ts'
import { buildApp } from './app.ts'
import { VERSION } from './version.ts'
import { openConsole, type Console, type ConsoleNotBuilt } from './http/plugins/console-assets.ts'
import type { Shared } from './worker-limits.ts'

export const DATA = join(import.meta.dirname, '..', 'data')
const DEMO_ACCOUNT = 'demo'

export interface RunningService {
  readonly address: string
  /** The URL of the metrics; null for none. */
  readonly metricsAddress: string | null
  readonly referenceData: ReferenceData
  /** The key of the demo account, on the start that created it. */
  readonly demoKey: string | null
  readonly stop: () => Promise<void>
}

/** How clients are served: by this process alone, or by several workers. */
export interface Serving {
  /** The metrics for Prometheus; null for none. */
  readonly metrics: ServedMetrics | null
  /** On failure, stops everything that it started; the database and the metrics port are closed by the caller. */
  readonly serve: (database: Database, beside: Beside, operator: Operator) => Promise<RunningService>
}

export interface Beside {
  /** Releases its port to the service. */
  readonly room: StartupServer
  readonly metricsServer: MetricsServer | null
  readonly console: Console | ConsoleNotBuilt
}

export interface Operator {
  readonly report: (sentence: string) => void
  readonly onFailure: (error: Error) => void
}

/**
 * Starts everything and serves. An external database that is not available yet is waited for, while the port answers.
 * @throws Error with a sentence for the operator if a part cannot start; started parts are stopped again
 */
export async function start(
  config: Config,
  report: (sentence: string) => void,
  onFailure: (error: Error) => void,
  serving: (config: Config) => Serving = alone,
): Promise<RunningService> {
  const room = createStartupServer(
    (app) => listen(app, servicePort(config), LISTEN_BACKLOG),
    report,
    RETRY_AFTER_SECONDS,
  )
  const { metrics, serve } = serving(config)
  let metricsServer: MetricsServer | null = null
  try {
    // The ports first: a program that cannot open them must not create a database.
    await room.open()
    metricsServer = await listenForMetrics(metrics, config)
    // Runs concurrently with opening the database.
    const console = openConsole(report)
    const settings = config.workers === 1 ? {} : { max_connections: String(serverConnectionsFor(config.workers)) }
    const database = await openDatabase(config, { report, onFailure, onAbsent: room.report }, settings)
    return await serve(database, { room, metricsServer, console: await console }, { report, onFailure }).catch(
      async (error: unknown) => {
        await database.close()
        throw error
      },
    )
  } catch (error) {
    await metricsServer?.stop()
    throw error
  } finally {
    await room.close()
  }
}

function alone(config: Config): Serving {
  const metrics = config.metricsPort === null ? null : createMetrics(config.metricsByAccount)
  const serve: Serving['serve'] = async (database, { room, metricsServer, console }) => {
    const { app, referenceData, stop: stopService } = await openService(config, database, { metrics, console })
    const port = (await room.close()) ?? config.port
    const address = await listen(app, servicePort({ ...config, port }), LISTEN_BACKLOG)
    const stopServing = async () => {
      await stopService()
      await metricsServer?.stop()
    }
    // Created after the port is open: the key is shown only once, and a failed start must not use that up.
    const demoKey = await createDemoAccount(database).catch(async (error: unknown) => {
      // Otherwise the process would keep listening without its database, and never end.
      await stopServing()
      throw error
    })
    const stop = async () => {
      await stopServing()
      await database.close()
    }
    return { address, metricsAddress: metricsServer?.address ?? null, referenceData, demoKey, stop }
  }
  return { metrics, serve }
}

export interface OpenService {
  readonly app: FastifyInstance
  readonly referenceData: ReferenceData
  /** Answers the requests that were sent, and accepts no more. */
  readonly stop: () => Promise<void>
}

export interface ServiceExtras {
  readonly metrics: Metrics | null
  readonly console: Console | ConsoleNotBuilt
  /** What a worker shares with the others; its number is in every line of its log. */
  readonly worker?: { readonly number: number; readonly shared: Shared }
}

/** The service with its log and traces; it does not listen yet. */
export async function openService(
  config: Config,
  { pool, replica }: Pick<Database, 'pool' | 'replica'>,
  { metrics, console, worker }: ServiceExtras,
): Promise<OpenService> {
  const files = readDatasetFiles(DATA)
  const referenceData = loadReferenceData(files)
  const logger = createLogger(config, worker && { worker: worker.number })
  const tracing = await beginTracing(config, (sentence) => logger.warn(sentence))
  const app = await buildApp(pool, referenceData, files, logger, {
    metrics,
    tracing,
    keyRequestsPerSecondMax: config.keyRequestsPerSecondMax,
    replica,
    wrongKeysPerMinuteMax: FAILED_AUTH_PER_MINUTE_MAX,
    webhooks: {
      publicUrl: config.publicUrl,
      rules: { ports: config.webhookPorts, allowsLoopback: config.webhooksToLoopback },
    },
    console,
    corsOrigins: config.corsOrigins,
    readFreeSpace: freeSpaceReader(pool, config.databaseUrl),
    shared: worker?.shared ?? null,
  })
  const stop = async () => {
    // A client that sends half a request or reads slowly must not delay the stop.
    const cut = setTimeout(() => app.server.closeAllConnections(), SHUTDOWN_DRAIN_MS_MAX)
    await app.close()
    clearTimeout(cut)
    await tracing?.stop()
  }
  return { app, referenceData, stop }
}

/** Logs to standard error, one JSON object per line. */
export const createLogger = ({ logsRequests }: Config, fields: object = {}): Logger =>
  pino({ level: logsRequests ? 'info' : 'warn' }, pino.destination(2)).child(fields)

/** OpenTelemetry is loaded only if its variables enable traces. */
async function beginTracing({ traceProtocol }: Config, onFailure: (sentence: string) => void): Promise<Tracing | null> {
  if (traceProtocol === null) return null
  const { startTracing } = await import('./observability/tracing.ts')
  return startTracing({ version: VERSION, protocol: traceProtocol, flushMsMax: TRACES_FLUSH_MS_MAX, onFailure })
}

export const servicePort = ({ host, port }: Config): ListenAddress => ({ host, port, portVariable: 'CRADLE_PORT' })

async function listenForMetrics(metrics: ServedMetrics | null, { host, metricsPort: port }: Config) {
  if (metrics === null || port === null) return null
  return serveMetrics(metrics, host, port).catch((error: NodeJS.ErrnoException) => {
    throw explainListenError(error, { host, port, portVariable: 'CRADLE_METRICS_PORT' })
  })
}

/** Creates the demo account once; like every key, its key is shown only when it is created. */
export async function createDemoAccount({ pool }: Database): Promise<string | null> {
  const { accountId, isNew } = await ensureAccount(pool, DEMO_ACCOUNT)
  return isNew ? createKey(pool, accountId, SCOPES, null) : null
}
