// Every limit and timeout, with its unit in its name, and what the environment may set.
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'

export const BODY_BYTES_MAX = 1024 * 1024
export const JSON_NESTING_MAX = 20
/** How long a connection may take to send one request: a slow sender must not hold a place for ever. */
export const REQUEST_MS_MAX = 30_000
/** Nothing that is done for a request takes so long: an answer that is not taken must not fill the memory for ever. */
export const SOCKET_IDLE_MS_MAX = 120_000
/** Some 13 kB each. Beyond that, those that have been idle for longest make room. */
export const CONNECTIONS_MAX = 10_000
/** Requests of all connections that wait for an earlier one on theirs to be answered, some 3 kB each. */
export const PIPELINED_MAX = 10_000
/** Bodies that are not there yet, and answers that are not read yet, of all connections: some 60 of the largest. */
export const CONNECTION_BYTES_MAX = 64 * 1024 * 1024
/**
 * What a request may wait for the database in all: for its turn, for a connection, and for every statement, of its
 * key's look-up too. Longer than the 10 s after which the database itself ends a statement.
 */
export const REQUEST_DATABASE_MS_MAX = 12_000
/** A revoked key works for at most this long, in every process; the promise is one second. */
export const KEY_CACHE_MS = 900
/** Keys remembered at once; a bound on memory, far above the number of keys in use. */
export const KEY_CACHE_KEYS_MAX = 10_000
/** Product ids that an account may map: a few times what the largest rental companies have. */
export const MAPPINGS_MAX = 100_000
/** Mappings of all accounts in memory, some 200 bytes each; those of others are read again when they send orders. */
export const MAPPINGS_CACHED_MAX = 300_000
/** Entries of long journals whose ledgers stay in memory, up to a kilobyte each; others are run again. */
export const LEDGER_ENTRIES_CACHED_MAX = 150_000
/** A working day: who signs in to the console in the morning is asked again the next. */
export const CONSOLE_SESSION_MS = 12 * 60 * 60 * 1000
/** How long the console may take to be built at the start: some seconds, unless the machine is very busy. */
export const CONSOLE_BUILD_MS_MAX = 180_000
/** What shares one trip to the database, in bytes of memory: some 150 small orders, or a single large one. */
export const DB_BATCH_BYTES_MAX = 1_500_000
/** What may wait for a trip: some 7,000 small orders. What comes on top is to try again. */
export const DB_QUEUE_BYTES_MAX = 64_000_000
/** Workers share what may wait, and what connections hold; each has so much of it at least, a few large orders. */
export const WORKER_MEMORY_MIN = 8_000_000
/** And so many connections. */
export const WORKER_CONNECTIONS_MIN = 1_000
/** Who would wait for longer than this is told to come again: with the trip itself, answers stay below 500 ms. */
export const DB_QUEUE_WAIT_MS_MAX = 100
/**
 * Connections that may wait to be taken. Node asks for 511: of a flood the kernel then drops the rest, and whoever is
 * dropped tries again after one second, three, seven. The kernel's own limit holds where it is lower.
 */
export const LISTEN_BACKLOG = 4_096
/**
 * A statement that posts has begun to write within this time, or waits for a table and is waited for: reports read what
 * was posted since one by one, so that seconds of it cost them.
 */
export const COMMIT_LAG_MS_MAX = 10_000
/** Between two looks at what can be folded for reports. */
export const ROLLUP_INTERVAL_MS = 5_000
/** Where nothing is posted, this much may be looked through again. */
export const ROLLUP_IDLE_INTERVAL_MS = 60_000
/** Of the process that makes reports: two at once, and those that are not taken yet. */
export const REPORT_WORKER_HEAP_MB_MAX = 768
/** Its connections: three reports, what is folded for itself and for reports, and looks at what is there. */
export const REPORT_CONNECTIONS_MAX = 6
/** Of the process that draws statements: what the largest takes is in docs/statement-pdf.md. */
export const PDF_WORKER_HEAP_MB_MAX = 512
/** How long a statement waits to be drawn: somewhat longer than the largest that may be before it takes. */
export const PDF_QUEUE_WAIT_MS_MAX = 20_000
/** Of a process that finds out how a file is to be read: the first rows of it, and what all of a workbook shares. */
export const DETECTION_HEAP_MB_MAX = 512
/** How long that may take, and how long a file waits for its turn: somewhat longer than one before it may take. */
export const DETECTION_MS_MAX = 60_000
export const DETECTION_WAIT_MS_MAX = 70_000
/** Of a process that works on imports: what all of a workbook shares, and the orders that are under way. */
export const IMPORT_HEAP_MB_MAX = 512
/** How long it may read without a row: what all of a workbook of 1 GB shares takes a minute. */
export const IMPORT_SILENT_MS_MAX = 180_000
/** So long a file is worked on where those of other accounts wait. */
export const IMPORT_SLICE_MS = 5_000
/** Its connections: two trips under way, orders that wait for others of their device, and how far it has come. */
export const IMPORT_CONNECTIONS_MAX = 4
/** How long the database may take to say that it is there, until the service counts as not ready. */
export const READINESS_MS_MAX = 1_000
/** What a client that was told to try again is asked to wait. */
export const RETRY_AFTER_SECONDS = 1
/** Requests that a key may send in a second, where the environment says nothing: more than two cores answer. */
export const KEY_REQUESTS_PER_SECOND_MAX = 20_000
/** Wrong keys of one address in a minute that are answered 401; a wrong setting shows itself by fewer. */
export const FAILED_AUTH_PER_MINUTE_MAX = 20
/** Addresses whose wrong keys are counted, within one minute: some 100 bytes each. */
export const FAILED_AUTH_ADDRESSES_MAX = 10_000
/** How long a key to look at a demo fleet with works. */
export const DEMO_KEY_MS = 12 * 60 * 60 * 1000
/**
 * Of files to import. Each upload that is received holds up to 1 MiB of its file in memory, in each process. What is
 * not processed yet lies in the database, whichever process received it: an account may have a quarter of it.
 */
export const UPLOAD_LIMITS = {
  accountUploads: 4,
  totalUploads: 24,
  quota: { accountFiles: 200, accountBytes: 2 * 1024 ** 3, totalFiles: 1_000, totalBytes: 8 * 1024 ** 3 },
  /** The largest file takes 9 hours then. */
  bytesPerSecondMin: 32 * 1024,
  behindMsMax: 30_000,
  /** The largest file takes a minute at least. */
  bytesPerSecondMax: 16 * 1024 * 1024,
}
/** How long requests under way may take to end when the service stops, and how long the whole stop may take. */
export const SHUTDOWN_DRAIN_MS_MAX = 5_000
export const SHUTDOWN_MS_MAX = 10_000
/** How long a stop waits for the receiver of traces to take the last ones. */
export const TRACES_FLUSH_MS_MAX = 2_000

const TRACE_PROTOCOLS = ['http/protobuf', 'http/json'] as const
export type TraceProtocol = (typeof TRACE_PROTOCOLS)[number]

export interface Config {
  /** Where the program keeps its own PostgreSQL; not used with a database URL. */
  readonly dataDirectory: string
  readonly databaseUrl: string | null
  /** A replica of that database, which lists are read from; null for none. */
  readonly databaseReplicaUrl: string | null
  readonly host: string
  readonly port: number
  /** Where Prometheus is answered, on the same host; null for nowhere. */
  readonly metricsPort: number | null
  readonly metricsByAccount: boolean
  /** Whether the log has a line for each request, and not only for what failed. */
  readonly logsRequests: boolean
  /** How traces are sent, where the variables of OpenTelemetry say that they are; else null. */
  readonly traceProtocol: TraceProtocol | null
  /** What one key may send in a second, to all workers together; 0 for no limit. */
  readonly keyRequestsPerSecondMax: number
  /** Processes that answer clients at one address; of 1, there is no other process but that. */
  readonly workers: number
}

/** More than any machine has cores for; what is meant as something else is found out. */
const WORKERS_MAX = 256

/** @throws Error with a sentence when a variable makes no sense */
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
    workers: readWorkers(environment['CRADLE_WORKERS'] || '1'),
  }
}

/** The value stays out of the message: it may hold a password. */
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
  // Of an encoded text, the URL leaves every character as it is.
  url.password = encodeURIComponent(password)
  return url.href
}

/** A file, since variables of a container are shown by whoever inspects it. */
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

/** The endpoint stays out of the message: it may hold a password. */
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
  const found = TRACE_PROTOCOLS.find((one) => one === protocol)
  if (found) return found
  throw new Error(`OTEL_EXPORTER_OTLP_PROTOCOL must be ${TRACE_PROTOCOLS.join(' or ')}, not "${protocol}"`)
}

function readWorkers(text: string): number {
  if (text === 'auto') return availableParallelism()
  const workers = /^\d{1,3}$/.test(text) ? Number(text) : Number.NaN
  if (workers >= 1 && workers <= WORKERS_MAX) return workers
  throw new Error(`CRADLE_WORKERS or --workers must be auto, or a whole number from 1 to ${WORKERS_MAX}, not "${text}"`)
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
