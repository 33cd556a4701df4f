// All limits and timeouts, with units in their names, and the settings that the environment can change.
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'

/** Of a new account: how many days after today an event may have happened, since clients are in other time zones. */
export const DAYS_AHEAD_DEFAULT = 1
export const BODY_BYTES_MAX = 1024 * 1024
export const JSON_NESTING_MAX = 20
/** How long a connection may take to send one request: a slow sender must not hold a place indefinitely. */
export const REQUEST_MS_MAX = 30_000
/** No request takes this long to process: a response that is not read must not occupy memory indefinitely. */
export const SOCKET_IDLE_MS_MAX = 120_000
/** Some 13 kB each. Above this, the connections that have been idle the longest are closed. */
export const CONNECTIONS_MAX = 10_000
/** Requests of all connections that wait for an earlier request on the same connection, some 3 kB each. */
export const PIPELINED_MAX = 10_000
/** Incomplete request bodies and unread responses of all connections: some 60 of the largest. */
export const CONNECTION_BYTES_MAX = 64 * 1024 * 1024
/**
 * Total time that a request may spend on the database: waiting for its batch, for a connection, and for every
 * statement, including the key look-up. Longer than the 10 s after which the database itself ends a statement.
 */
export const REQUEST_DATABASE_MS_MAX = 12_000
/** The same for a batch of orders or events; each of its items has the time of a request. */
export const BATCH_DATABASE_MS_MAX = 30_000
/** A revoked key works for at most this long in every process; the documented limit is one second. */
export const KEY_CACHE_MS = 900
/** Longer than any process accepts a revoked key. */
export const KEYS_KNOWN_MS = KEY_CACHE_MS + 100
/** Maximum number of cached keys; bounds memory, far above the number of keys in use. */
export const KEY_CACHE_KEYS_MAX = 10_000
/** Product ids that an account may map: a few times what the largest rental companies have. */
export const MAPPINGS_MAX = 100_000

/** Figures of one kind that an account may have of its own; a matcher of so many models takes 0.1 s to create. */
export const OWN_FIGURES_MAX = 2_000
/** OAuth clients of an account, including revoked ones: several for each of its largest customers. */
export const PACT_CLIENTS_MAX = 10_000
/**
 * Mappings of all accounts in memory, some 200 bytes each; those of further accounts are read again when they send
 * orders.
 */
export const MAPPINGS_CACHED_MAX = 300_000
/** Entries of large ledgers that are cached in memory, up to a kilobyte each; other ledgers are recomputed. */
export const LEDGER_ENTRIES_CACHED_MAX = 150_000
/** Dataset releases in memory for new orders, beside the shipped one; the pinned ones of most accounts at a time. */
export const RELEASES_KEPT_MAX = 8
/** A working day: users who sign in to the console in the morning sign in again the next morning. */
export const CONSOLE_SESSION_MS = 12 * 60 * 60 * 1000
/** How long building the console may take at the start: usually some seconds, unless the machine is very busy. */
export const CONSOLE_BUILD_MS_MAX = 180_000
/** Memory of the jobs in one database batch: some 150 small orders, or a single large one. */
export const DB_BATCH_BYTES_MAX = 1_500_000
/** Memory of the jobs that may wait for a batch: some 7,000 small orders. Further requests are asked to retry. */
export const DB_QUEUE_BYTES_MAX = 64_000_000
/** Workers share the memory for queues and connections; each has at least this much, enough for a few large orders. */
export const WORKER_MEMORY_MIN = 8_000_000
/** Minimum of connections, and of waiting pipelined requests, of each worker. */
export const WORKER_CONNECTIONS_MIN = 1_000
/** Requests that would wait longer are asked to retry: with the batch itself, responses stay below 500 ms. */
export const DB_QUEUE_WAIT_MS_MAX = 100
/**
 * Connections that may wait to be accepted. Node's default is 511: in a flood, the kernel then drops the rest, and
 * those clients retry after one, three and seven seconds. The kernel's own limit applies if it is lower.
 */
export const LISTEN_BACKLOG = 4_096
/**
 * A statement that posts starts to write within this time, or waits for a table lock, in which case it is waited for.
 * Reports read entries posted since then one by one, so each second adds to their cost.
 */
export const COMMIT_LAG_MS_MAX = 10_000
/** Interval between checks for entries to roll up for reports. */
export const ROLLUP_INTERVAL_MS = 5_000
/** While nothing is posted, a watermark may lag by this much. */
export const ROLLUP_IDLE_INTERVAL_MS = 60_000
/** Heap of the report worker: two reports concurrently, and those that have not been read yet. */
export const REPORT_WORKER_HEAP_MB_MAX = 768
/** Connections of the report worker: three reports, roll-ups (its own and those for reports), and checks. */
export const REPORT_CONNECTIONS_MAX = 6
/** Heap of the worker that renders statements; docs/performance.md shows what the largest needs. */
export const PDF_WORKER_HEAP_MB_MAX = 512
/** How long a statement waits to be rendered: somewhat longer than the largest one before it may take. */
export const PDF_QUEUE_WAIT_MS_MAX = 20_000
/** Heap of a worker that detects how a file is to be read: its first rows, and the shared parts of a workbook. */
export const DETECTION_HEAP_MB_MAX = 512
/** How long detection may take, and how long a file waits for it: somewhat longer than one file before it may take. */
export const DETECTION_MS_MAX = 60_000
export const DETECTION_WAIT_MS_MAX = 70_000
/** Heap of an import worker: the shared parts of a workbook and the orders in progress. */
export const IMPORT_HEAP_MB_MAX = 512
/** How long an import may read without producing a row: the shared parts of a 1 GB workbook take a minute. */
export const IMPORT_SILENT_MS_MAX = 180_000
/** How long a file is processed while files of other accounts wait. */
export const IMPORT_SLICE_MS = 5_000
/**
 * Connections of an import worker: two concurrent batches, orders that wait for others of their device, and progress.
 */
export const IMPORT_CONNECTIONS_MAX = 4
/** How long the database may take to respond before the service counts as not ready. */
export const READINESS_MS_MAX = 1_000
/** `Retry-After` of responses that ask the client to retry. */
export const RETRY_AFTER_SECONDS = 1
/** Default limit of requests per key and second: more than two cores can serve. */
export const KEY_REQUESTS_PER_SECOND_MAX = 20_000
/** Invalid keys per address and minute that get 401; a wrong client setting causes fewer. */
export const FAILED_AUTH_PER_MINUTE_MAX = 20
/** Addresses whose invalid keys are counted within one minute: some 100 bytes each. */
export const FAILED_AUTH_ADDRESSES_MAX = 10_000
/** How long the feed keeps events: a client that has not read for this long begins with all orders again. */
export const FEED_DAYS = 90
/** Limits on webhooks. Events of a webhook wait in the feed while this many deliveries wait. */
export const WEBHOOK_LIMITS = { webhooksMax: 10, waitingMax: 1_000, deliveryDays: 30, overlapMs: 24 * 3_600_000 }
/** How long the key to a demo fleet is valid. */
export const DEMO_KEY_MS = 12 * 60 * 60 * 1000
/**
 * Limits on files to import. Each upload in progress holds up to 1 MiB of its file in memory, in each process. Files
 * that are not processed yet are stored in the database, whichever process received them; one account may use a quarter
 * of that space.
 */
export const UPLOAD_LIMITS = {
  accountUploads: 4,
  totalUploads: 24,
  quota: { accountFiles: 200, accountBytes: 2 * 1024 ** 3, totalFiles: 1_000, totalBytes: 8 * 1024 ** 3 },
  /** At this rate, the largest file takes 9 hours. */
  bytesPerSecondMin: 32 * 1024,
  behindMsMax: 30_000,
  /** At this rate, the largest file takes at least a minute. */
  bytesPerSecondMax: 16 * 1024 * 1024,
}
/** How long open requests may take to end when the service stops, and how long the complete stop may take. */
export const SHUTDOWN_DRAIN_MS_MAX = 5_000
export const SHUTDOWN_MS_MAX = 10_000
/** How long a stop waits for the trace receiver to accept the last traces. */
export const TRACES_FLUSH_MS_MAX = 2_000

const TRACE_PROTOCOLS = ['http/protobuf', 'http/json'] as const
export type TraceProtocol = (typeof TRACE_PROTOCOLS)[number]

export interface Config {
  /** Directory of the program's own PostgreSQL; not used with a database URL. */
  readonly dataDirectory: string
  readonly databaseUrl: string | null
  /** A replica of that database from which lists are read; null for none. */
  readonly databaseReplicaUrl: string | null
  readonly host: string
  readonly port: number
  /** Port for Prometheus on the same host; null for none. */
  readonly metricsPort: number | null
  readonly metricsByAccount: boolean
  /** Whether every request is logged, instead of failures only. */
  readonly logsRequests: boolean
  /** Protocol for traces if OpenTelemetry variables enable them; else null. */
  readonly traceProtocol: TraceProtocol | null
  /** Requests per second of one key, over all workers; 0 for no limit. */
  readonly keyRequestsPerSecondMax: number
  /** Where clients reach the service, without a slash at the end, for links in events; null if it is not known. */
  readonly publicUrl: string | null
  /** Ports beside 443 to which webhooks may be sent. */
  readonly webhookPorts: readonly number[]
  /** Whether webhooks may be sent to this machine, also by http. */
  readonly webhooksToLoopback: boolean
  /** Origins whose pages in a browser may call the API, like https://shop.example; none by default. */
  readonly corsOrigins: readonly string[]
  /** Processes that serve clients at one address; with 1, there is only the main process. */
  readonly workers: number
}

/** More than any machine has cores; catches values that were meant as something else. */
const WORKERS_MAX = 256

/** @throws Error with a sentence if a variable is invalid */
export function readConfig(environment: NodeJS.ProcessEnv): Config {
  const metricsPort = environment['CRADLE_METRICS_PORT']
  const password = readPassword(environment['DATABASE_PASSWORD_FILE'])
  const databaseUrl = readDatabaseUrl('DATABASE_URL', environment['DATABASE_URL'], password)
  const databaseReplicaUrl = readDatabaseUrl('DATABASE_REPLICA_URL', environment['DATABASE_REPLICA_URL'], password)
  if (databaseReplicaUrl !== null && databaseUrl === null)
    throw new Error('DATABASE_REPLICA_URL names a replica of the database of DATABASE_URL: set that too')
  return {
    dataDirectory: environment['CRADLE_DATA_DIR'] || join(import.meta.dirname, '..', '.cradle'),
    databaseUrl,
    databaseReplicaUrl,
    host: environment['CRADLE_HOST'] || '127.0.0.1',
    port: readPort('CRADLE_PORT', environment['CRADLE_PORT'] || '8080'),
    metricsPort: metricsPort ? readPort('CRADLE_METRICS_PORT', metricsPort) : null,
    metricsByAccount: readSwitch('CRADLE_METRICS_BY_ACCOUNT', environment['CRADLE_METRICS_BY_ACCOUNT'] || 'off'),
    logsRequests: readSwitch('CRADLE_LOG_REQUESTS', environment['CRADLE_LOG_REQUESTS'] || 'off'),
    traceProtocol: readTraceProtocol(environment),
    keyRequestsPerSecondMax: readCount(
      'CRADLE_KEY_REQUESTS_PER_SECOND',
      environment['CRADLE_KEY_REQUESTS_PER_SECOND'] || String(KEY_REQUESTS_PER_SECOND_MAX),
    ),
    publicUrl: readPublicUrl(environment['CRADLE_PUBLIC_URL']),
    webhookPorts: (environment['CRADLE_WEBHOOK_PORTS'] || '443')
      .split(',')
      .map((port) => readPort('CRADLE_WEBHOOK_PORTS', port.trim())),
    webhooksToLoopback: readSwitch('CRADLE_WEBHOOKS_TO_LOOPBACK', environment['CRADLE_WEBHOOKS_TO_LOOPBACK'] || 'off'),
    corsOrigins: readOrigins(environment['CRADLE_CORS_ORIGINS'] || ''),
    workers: readWorkers(environment['CRADLE_WORKERS'] || '1'),
  }
}

/** The value is not included in the message, since it may contain a password. */
function readDatabaseUrl(variable: string, text: string | undefined, password: string | null): string | null {
  if (!text) return null
  if (!/^postgres(ql)?:\/\//.test(text))
    throw new Error(`${variable} must begin with postgres://, as in postgres://user:password@host:5432/cradle`)
  if (password === null) return text
  if (!URL.canParse(text))
    throw new Error(`${variable} must be a URL with one host where DATABASE_PASSWORD_FILE is set`)
  const url = new URL(text)
  if (url.username === '' || url.password !== '')
    throw new Error(`${variable} must have a user and no password where DATABASE_PASSWORD_FILE is set`)
  // The URL setter leaves every character of an encoded text unchanged.
  url.password = encodeURIComponent(password)
  return url.href
}

/** A file, since the environment variables of a container are visible to anyone who can inspect it. */
function readPassword(file: string | undefined): string | null {
  if (!file) return null
  try {
    const password = readFileSync(file, 'utf8').replace(/\r?\n$/, '')
    if (password !== '') return password
  } catch (error) {
    throw new Error(`DATABASE_PASSWORD_FILE names ${file}, which cannot be read: ${(error as Error).message}`)
  }
  throw new Error(`DATABASE_PASSWORD_FILE names ${file}, which is empty`)
}

function readPublicUrl(text: string | undefined): string | null {
  if (!text) return null
  const url = URL.canParse(text) ? new URL(text) : null
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.search || url.hash)
    throw new Error('CRADLE_PUBLIC_URL must be the URL at which clients reach Cradle, as in https://cradle.example.com')
  return url.href.replace(/\/+$/, '')
}

/** The endpoint is not included in the message, since it may contain a password. */
function readTraceProtocol(environment: NodeJS.ProcessEnv): TraceProtocol | null {
  const endpoint = environment['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'] || environment['OTEL_EXPORTER_OTLP_ENDPOINT']
  const isOff = environment['OTEL_SDK_DISABLED']?.toLowerCase() === 'true'
  if (!endpoint || isOff || environment['OTEL_TRACES_EXPORTER'] === 'none') return null
  if (!/^https?:\/\//.test(endpoint) || !URL.canParse(endpoint)) {
    throw new Error('OTEL_EXPORTER_OTLP_ENDPOINT must be a URL, as in http://localhost:4318')
  }
  const protocol =
    environment['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL'] ||
    environment['OTEL_EXPORTER_OTLP_PROTOCOL'] ||
    TRACE_PROTOCOLS[0]
  const known = TRACE_PROTOCOLS.find((one) => one === protocol)
  if (known) return known
  throw new Error(`OTEL_EXPORTER_OTLP_PROTOCOL must be ${TRACE_PROTOCOLS.join(' or ')}, not "${protocol}"`)
}

function readWorkers(text: string): number {
  if (text === 'auto') return availableParallelism()
  const workers = /^\d{1,3}$/.test(text) ? Number(text) : Number.NaN
  if (workers >= 1 && workers <= WORKERS_MAX) return workers
  throw new Error(`CRADLE_WORKERS or --workers must be auto, or a whole number from 1 to ${WORKERS_MAX}, not "${text}"`)
}

/** Exactly as browsers send them: no path, no default port, lower case. */
function readOrigins(text: string): readonly string[] {
  const origins = text
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '')
  const wrong = origins.find((one) => !/^https?:/.test(one) || !URL.canParse(one) || new URL(one).origin !== one)
  if (wrong === undefined) return origins
  throw new Error(
    `CRADLE_CORS_ORIGINS must be origins separated by commas, as in https://shop.example,https://www.shop.example; ` +
      `"${wrong}" is none`,
  )
}

function readPort(variable: string, text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (!(port <= 65535)) throw new Error(`${variable} must be a port from 0 to 65535, not "${text}"`)
  return port
}

function readSwitch(variable: string, text: string): boolean {
  if (text !== 'on' && text !== 'off') throw new Error(`${variable} must be on or off, not "${text}"`)
  return text === 'on'
}

function readCount(variable: string, text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new Error(`${variable} must be a whole number, 0 or more, not "${text}"`)
  return Number(text)
}
