// The program: database, service and ports, started and stopped in order.
import { join } from 'node:path'
import pino from 'pino'
import {
  DRAIN_MS_MAX,
  LISTEN_BACKLOG,
  RETRY_AFTER_SECONDS,
  TRACES_FLUSH_MS_MAX,
  WRONG_KEYS_PER_MINUTE_MAX,
  type Config,
} from './config.ts'
import { readDatasetFiles } from './datasets/dataset-files.ts'
import { readDatasets } from './datasets/read-datasets.ts'
import type { FactorBook } from './engine/figures/factor-book.ts'
import { explainListenError, listen, type ListenAddress } from './http/serving/listen.ts'
import { createWaitingRoom, type WaitingRoom } from './http/serving/waiting-room.ts'
import { createMetrics, type Metrics } from './metrics/metrics.ts'
import { serveMetrics, type MetricsServer } from './metrics/metrics-server.ts'
import { SCOPES, createKey, ensureAccount } from './postgres/accounts/accounts.ts'
import { openDatabase, type Database } from './postgres/database.ts'
import { freeSpaceReader } from './postgres/free-space.ts'
import type { Tracing } from './tracing/start-tracing.ts'
import { createService } from './create-service.ts'
import { VERSION } from './version.ts'
import { openConsole } from './open-console.ts'
import type { Console, NoConsole } from './http/console/console-files.ts'

const DATA = join(import.meta.dirname, '..', 'data')
const DEMO_ACCOUNT = 'demo'

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
  const room = createWaitingRoom((app) => listen(app, servicePort(config), LISTEN_BACKLOG), report, RETRY_AFTER_SECONDS)
  const metrics = config.metricsPort === null ? null : createMetrics(config.metricsByAccount)
  let metricsServer: MetricsServer | null = null
  try {
    // The ports first: a program that cannot have them must not make a database.
    await room.open()
    metricsServer = await listenForMetrics(metrics, config)
    // Meanwhile: neither waits for the other.
    const console = openConsole(report)
    const database = await openDatabase(config, { report, onFailure, onAbsent: room.tell })
    return await serve(config, database, room, { metrics, metricsServer, console: await console }).catch(
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

interface Beside {
  readonly metrics: Metrics | null
  readonly metricsServer: MetricsServer | null
  readonly console: Console | NoConsole
}

async function serve(
  config: Config,
  database: Database,
  room: WaitingRoom,
  { metrics, metricsServer, console }: Beside,
): Promise<Running> {
  const files = readDatasetFiles(DATA)
  const book = readDatasets(files)
  const logger = pino({ level: config.logsRequests ? 'info' : 'warn' }, pino.destination(2))
  const tracing = await beginTracing(config, (sentence) => logger.warn(sentence))
  const app = await createService(database.pool, book, files, logger, {
    metrics,
    tracing,
    keyRequestsPerSecondMax: config.keyRequestsPerSecondMax,
    replica: database.replica,
    wrongKeysPerMinuteMax: WRONG_KEYS_PER_MINUTE_MAX,
    console,
    readFreeSpace: freeSpaceReader(database.pool, config.databaseUrl),
  })
  const port = (await room.close()) ?? config.port
  const address = await listen(app, servicePort({ ...config, port }), LISTEN_BACKLOG)
  const stopServing = async () => {
    // Who sends half a request, or reads an answer slowly, must not hold up the stop.
    const cut = setTimeout(() => app.server.closeAllConnections(), DRAIN_MS_MAX)
    await app.close()
    clearTimeout(cut)
    await metricsServer?.stop()
    await tracing?.stop()
  }
  // After the port is ours: the key is shown once, and a start that fails must not use that up.
  const demoKey = await createDemoAccount(database).catch(async (error: unknown) => {
    // Else it would go on listening, without its database, and never end.
    await stopServing()
    throw error
  })
  const stop = async () => {
    await stopServing()
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

const servicePort = ({ host, port }: Config): ListenAddress => ({ host, port, portVariable: 'CRADLE_PORT' })

async function listenForMetrics(metrics: Metrics | null, { host, metricsPort: port }: Config) {
  if (metrics === null || port === null) return null
  return serveMetrics(metrics, host, port).catch((error: NodeJS.ErrnoException) => {
    throw explainListenError(error, { host, port, portVariable: 'CRADLE_METRICS_PORT' })
  })
}

/** The demo account is made once; its key is shown on that start alone, as every key is. */
async function createDemoAccount({ pool }: Database): Promise<string | null> {
  const { accountId, isNew } = await ensureAccount(pool, DEMO_ACCOUNT)
  return isNew ? createKey(pool, accountId, SCOPES, null) : null
}
