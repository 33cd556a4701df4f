// Prometheus metrics, and the server for them on a port of its own. No label is text that a client sent.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Pool } from 'pg'
import {
  Counter,
  Gauge,
  Histogram,
  Registry,
  collectDefaultMetrics,
  type MetricObjectWithValues,
  type MetricValue,
} from 'prom-client'
import type { CompletedBatch } from '../concurrency/batcher.ts'
import type { QueueLoad } from '../concurrency/queue-load.ts'
import type { ApiErrorCode } from '../contract/errors.ts'
import type { ReadSource } from '../postgres/read-replica.ts'
import type { RequestOutcome } from './request-metrics.ts'

export interface ObservedResources {
  readonly version: string
  readonly datasetRelease: string
  readonly pool: Pool
  readonly queueLoad: QueueLoad
  readonly queueBytesMax: number
  /** Initialised to 0, because an alert detects no increase of a series that did not exist before. */
  readonly failureCodes: readonly string[]
  readonly readsFrom: readonly ReadSource[]
}

/** All metrics of one process, in a form that can be sent to another. */
export type MeasuredMetrics = readonly MetricObjectWithValues<MetricValue<string>>[]

export interface MeasuredWorkers {
  readonly serving: () => number
  readonly restarts: () => number
}

export interface Metrics {
  readonly onAnswered: (answered: RequestOutcome) => void
  /** Counts failures of background work, such as imports. Those of requests are counted with their responses. */
  readonly onFailure: (code: ApiErrorCode) => void
  readonly onBatch: (batch: CompletedBatch) => void
  readonly onRead: (from: ReadSource) => void
  readonly onWebhookAttempt: (result: string) => void
  /** Roll-up metrics: the number of failures, and the age of the oldest entry to roll up. */
  readonly folding: { readonly onFailure: () => void; readonly watch: (ageOfOldest: () => number) => void }
  /** Adds metrics that are read on collection: pool, queues, releases. Called once. */
  readonly watch: (watched: ObservedResources) => void
  /** For the primary: how many workers serve, and how many were replaced. */
  readonly watchWorkers: (workers: MeasuredWorkers) => void
  /** Rejects until `watch` is called: a starting service is not up yet. */
  readonly text: () => Promise<string>
  readonly measured: () => Promise<MeasuredMetrics>
  readonly contentType: string
}

/** Accounts with a label of their own, the first to send requests after the start; each costs a permanent series. */
const ACCOUNTS_MAX = 50
const OTHER_ACCOUNTS = 'other'

const REQUEST_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]
const TRIP_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]
const JOBS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000]

/** @param countsAccounts whether requests are also counted by account id */
export function createMetrics(countsAccounts: boolean): Metrics {
  const registry = new Registry()
  // Memory, CPU, garbage collection and event loop lag, under the usual Node metric names.
  collectDefaultMetrics({ register: registry })
  const observeRequest = createRequestMetrics(registry)
  const failures = createFailureCounter(registry)
  const countFailure = (code: ApiErrorCode) => failures.inc({ code })
  const reads = createReadCounter(registry)
  let isWatching = false
  const countAccount = countsAccounts ? createAccountCounter(registry) : () => undefined
  return {
    onAnswered: (answered) => {
      observeRequest(answered)
      if (answered.code !== null) countFailure(answered.code)
      countAccount(answered)
    },
    onFailure: countFailure,
    onBatch: createBatchMetrics(registry),
    onRead: (from) => reads.inc({ source: from }),
    onWebhookAttempt: createWebhookCounter(registry),
    folding: createFoldingMetrics(registry),
    watch: (watched) => {
      for (const code of watched.failureCodes) failures.inc({ code }, 0)
      for (const from of watched.readsFrom) reads.inc({ source: from }, 0)
      addWatched(registry, watched)
      isWatching = true
    },
    watchWorkers: (workers) => addWorkers(registry, workers),
    text: () => (isWatching ? registry.metrics() : Promise.reject(new Error('The service starts'))),
    measured: () => registry.getMetricsAsJSON(),
    contentType: registry.contentType,
  }
}

function createRequestMetrics(registry: Registry): (answered: RequestOutcome) => void {
  const seconds = new Histogram({
    name: 'cradle_request_duration_seconds',
    help: 'Time from a request to its answer, by operation id and status; 499 where the client went away.',
    labelNames: ['operation', 'status'],
    buckets: REQUEST_SECONDS,
    registers: [registry],
  })
  return ({ operation, status, milliseconds }) => seconds.observe({ operation, status }, milliseconds / 1000)
}

const createFailureCounter = (registry: Registry) =>
  new Counter({
    name: 'cradle_errors_total',
    help: 'Requests that were refused or failed, by the code told; with failures of imports, folding and the like.',
    labelNames: ['code'],
    registers: [registry],
  })

function createWebhookCounter(registry: Registry): (result: string) => void {
  const attempts = new Counter({
    name: 'cradle_webhook_attempts_total',
    help: 'Attempts to send an event to a webhook, by result: succeeded, or why it failed.',
    labelNames: ['result'],
    registers: [registry],
  })
  attempts.inc({ result: 'succeeded' }, 0)
  return (result) => attempts.inc({ result })
}

/** By id: viewers of a dashboard should not see account names, which `cradle accounts list` shows. */
function createAccountCounter(registry: Registry): (answered: RequestOutcome) => void {
  const requests = new Counter({
    name: 'cradle_account_requests_total',
    help: `Requests by the number of their account; of more than ${ACCOUNTS_MAX} accounts, the rest as other.`,
    labelNames: ['account'],
    registers: [registry],
  })
  const labels = new Map<number, string>()
  return ({ accountId }) => {
    if (accountId === null) return
    if (labels.size < ACCOUNTS_MAX && !labels.has(accountId)) labels.set(accountId, String(accountId))
    requests.inc({ account: labels.get(accountId) ?? OTHER_ACCOUNTS })
  }
}

function createBatchMetrics(registry: Registry): (batch: CompletedBatch) => void {
  const shared = { labelNames: ['queue'] as const, registers: [registry] }
  const jobs = new Histogram({
    ...shared,
    name: 'cradle_db_batch_size',
    help: 'How many share a trip to the database, by queue.',
    buckets: JOBS,
  })
  const seconds = new Histogram({
    ...shared,
    name: 'cradle_db_batch_duration_seconds',
    help: 'Time of a trip to the database, by queue; of one that writes, until its commit is durable.',
    buckets: TRIP_SECONDS,
  })
  const failed = new Counter({
    ...shared,
    name: 'cradle_db_batches_failed_total',
    help: 'Trips that failed, by queue.',
  })
  return (batch) => {
    const { queue } = batch
    if (!batch.succeeded) return failed.inc({ queue })
    jobs.observe({ queue }, batch.jobs)
    seconds.observe({ queue }, batch.milliseconds / 1000)
  }
}

const createReadCounter = (registry: Registry) =>
  new Counter({
    name: 'cradle_db_reads_total',
    help: 'Pages of lists by the database they were read from; fallback: the primary, in place of the replica.',
    labelNames: ['source'],
    registers: [registry],
  })

function addWorkers(registry: Registry, { serving, restarts }: MeasuredWorkers): void {
  new Gauge({
    name: 'cradle_workers_serving',
    help: 'Workers that answer clients.',
    registers: [registry],
    collect() {
      this.set(serving())
    },
  })
  new Counter({
    name: 'cradle_worker_restarts_total',
    help: 'Workers that ended, and were started again.',
    registers: [registry],
    collect() {
      this.reset()
      this.inc(restarts())
    },
  })
}
function createFoldingMetrics(registry: Registry): Metrics['folding'] {
  const failures = new Counter({
    name: 'cradle_fold_failures_total',
    help: 'How often folding what was posted, for reports, failed; it is tried again.',
    registers: [registry],
  })
  return {
    onFailure: () => failures.inc(),
    watch: (ageOfOldest) => {
      new Gauge({
        name: 'cradle_unfolded_age_seconds',
        help: 'Age of the oldest entry that is to be folded for reports by now; 0 where there is none.',
        registers: [registry],
        collect() {
          this.set(ageOfOldest())
        },
      })
    },
  }
}

function addWatched(
  registry: Registry,
  { version, datasetRelease, pool, queueLoad, queueBytesMax }: ObservedResources,
): void {
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(read())
      },
    })
  gauge('cradle_db_pool_connections', 'Connections to the database.', () => pool.totalCount)
  gauge('cradle_db_pool_idle_connections', 'Connections to the database that nobody uses.', () => pool.idleCount)
  gauge('cradle_db_pool_pending_acquires', 'Who waits for a free connection to the database.', () => pool.waitingCount)
  gauge('cradle_db_queue_bytes', 'Memory of what waits for a trip to the database.', () => queueLoad.weight)
  gauge('cradle_db_queue_bytes_max', 'What may wait; further requests get 503.', () => queueBytesMax)
  new Gauge({
    name: 'cradle_build_info',
    help: 'Version of the program, and release of its datasets.',
    labelNames: ['version', 'dataset_release'],
    registers: [registry],
  }).set({ version, dataset_release: datasetRelease }, 1)
}

export type ServedMetrics = Pick<Metrics, 'text' | 'contentType'>

export interface MetricsServer {
  readonly address: string
  readonly stop: () => Promise<void>
}

/** Answers 503 until the service is watched. @throws Error of the system if the port cannot be opened */
export async function serveMetrics(metrics: ServedMetrics, host: string, port: number): Promise<MetricsServer> {
  const server = createServer((request, response) => void answer(metrics, request, response))
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  const name = host.includes(':') ? `[${host}]` : host
  return {
    address: `http://${name}:${(server.address() as AddressInfo).port}/metrics`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function answer(
  metrics: ServedMetrics,
  { method, url }: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (url !== '/metrics') return void response.writeHead(404).end()
  if (method !== 'GET' && method !== 'HEAD') return void response.writeHead(405, { allow: 'GET, HEAD' }).end()
  try {
    const text = await metrics.text()
    response.writeHead(200, { 'content-type': metrics.contentType, 'content-length': Buffer.byteLength(text) })
    response.end(method === 'HEAD' ? undefined : text)
  } catch {
    response.writeHead(503).end()
  }
}
