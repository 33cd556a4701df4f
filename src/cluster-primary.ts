// The primary process of several workers: owns the database, the metrics and shared processes, and serves no clients.
import { join } from 'node:path'
import { createSequence } from './cluster/counters.ts'
import { answerJobs } from './cluster/jobs.ts'
import { collectMetrics, type ClusterMetrics } from './cluster/collect-metrics.ts'
import type { JobKind, ToPrimary, ToWorker, WorkerStart } from './cluster/messages.ts'
import { Workers } from './cluster/workers.ts'
import type { Config } from './config.ts'
import { readDatasetFiles } from './reference-data/files.ts'
import { loadReferenceData } from './reference-data/load.ts'
import type { ApiErrorCode } from './contract/errors.ts'
import { logError } from './observability/logging.ts'
import type { StoredFile } from './imports/detect-file.ts'
import { DATA, createDemoAccount, createLogger, type Operator, type Serving } from './main.ts'
import { createMetrics } from './observability/metrics.ts'
import { openWorkerPools, type WorkerPools } from './worker-pools.ts'
import { IMPORT_LIMITS } from './import-workers.ts'
import { unavailabilityOf } from './postgres/errors.ts'
import { poolSettings } from './postgres/pool.ts'
import { poolSizeOf } from './postgres/connection-limits.ts'
import type { Database } from './postgres/database.ts'
import { freeSpaceReader } from './postgres/free-space.ts'
import { registerRelease } from './postgres/dataset-releases.ts'
import { createReleaseCache } from './reference-data/release-cache.ts'
import { VERSION } from './version.ts'

const PROGRAM = join(import.meta.dirname, 'cluster-worker.ts')

export function serveByWorkers(config: Config): Serving {
  const metrics = config.metricsPort === null ? null : collectMetrics(createMetrics(false))
  const serve: Serving['serve'] = async (database, { room, metricsServer, console }, operator) => {
    const files = readDatasetFiles(DATA)
    const referenceData = loadReferenceData(files)
    const connectionsMax = await poolSizeOf(database.pool, config.workers)
    const releaseId = await registerRelease(database.pool, referenceData.release, referenceData.hash, files)
    const served = {
      referenceData,
      releaseId,
      referenceDataOf: createReleaseCache(database.pool, [releaseId, referenceData]),
    }
    const use = { at: -Infinity }
    const beside = openWorkerPools({
      ...database,
      served,
      importLimits: IMPORT_LIMITS,
      readFreeSpace: freeSpaceReader(database.pool, config.databaseUrl),
      servedMsAgo: () => performance.now() - use.at,
      report: createReport(config, metrics),
      folding: metrics?.folding ?? null,
    })
    const startOf = describeStart(config, database, { connectionsMax, console, datasetHash: referenceData.hash })
    const workers = createWorkers(
      { config, startOf, beside, metrics, onUse: () => (use.at = performance.now()) },
      operator,
    )
    try {
      await workers.prepare()
      const address = await workers.listen((await room.close()) ?? config.port)
      const demoKey = await createDemoAccount(database)
      operator.report(`${config.workers} workers serve, with up to ${connectionsMax} connections to the database each.`)
      const stop = async () => {
        await workers.stop()
        await metricsServer?.stop()
        await beside.stop()
        await database.close()
      }
      return { address, metricsAddress: metricsServer?.address ?? null, referenceData, demoKey, stop }
    } catch (error) {
      workers.kill()
      await beside.stop()
      throw error
    }
  }
  return { metrics, serve }
}

/** Logs and counts an error in work that the primary does for all workers. */
function createReport(config: Config, metrics: ClusterMetrics | null) {
  const logger = createLogger(config, { worker: 'primary' })
  return (error: Error, known?: ApiErrorCode): void => {
    const code = known ?? unavailabilityOf(error) ?? 'internal'
    metrics?.onFailure(code)
    logError(logger, error, code)
  }
}

function describeStart(
  config: Config,
  { pool, replica }: Database,
  rest: Pick<WorkerStart, 'connectionsMax' | 'console' | 'datasetHash'>,
): (worker: number) => WorkerStart {
  const database = { first: poolSettings(pool), replica: replica && poolSettings(replica) }
  return (worker) => ({ ...rest, worker, workers: config.workers, config, database, version: VERSION })
}

interface ForWorkers {
  readonly config: Config
  readonly startOf: (worker: number) => WorkerStart
  readonly beside: WorkerPools
  readonly metrics: ClusterMetrics | null
  /** Called while a worker is in use. */
  readonly onUse: () => void
}

function createWorkers({ config, startOf, beside, metrics, onUse }: ForWorkers, operator: Operator): Workers {
  const numbers = { requests: createSequence<number>(), 'wrong-keys': createSequence<string>() }
  const jobs = createJobs(beside, (worker, message) => workers.send(worker, message))
  function receive(worker: number, message: ToPrimary): void {
    if (message.kind === 'job') jobs.receive(worker, message)
    if (message.kind === 'measured') metrics?.receive(worker, message)
    if (message.kind === 'wake-importer') beside.importing.wakeImporter()
    if (message.kind === 'in-use') onUse()
    if (message.kind === 'take') {
      const { id, counted, window, wanted } = message
      const take = numbers[counted.of] as ReturnType<typeof createSequence<string | number>>
      workers.send(worker, { kind: 'numbers', id, first: take(window, counted.subject, wanted) })
    }
  }
  const onEnd = (worker: number): void => {
    jobs.end(worker)
    metrics?.end(worker)
  }
  const workers = new Workers({
    ...operator,
    count: config.workers,
    program: PROGRAM,
    startOf,
    onMessage: receive,
    onEnd,
  })
  metrics?.watch(workers)
  return workers
}

/** Answers the jobs that workers send to the shared processes; jobs of a worker that has ended are aborted. */
function createJobs(beside: WorkerPools, send: (worker: number, message: ToWorker) => void) {
  const ofWorkers = new Map<number, Readonly<Record<JobKind, ReturnType<typeof answerJobs>>>>()
  async function* detect(file: StoredFile, signal: AbortSignal) {
    yield await beside.importing.detect(file, signal)
  }
  function open(worker: number) {
    const answering = (of: JobKind, ask: (job: never, signal: AbortSignal) => AsyncGenerator<unknown>) =>
      answerJobs<never, unknown>(ask, (answer) => {
        // A replacement worker has the same number, but its job numbers are its own.
        if (ofWorkers.get(worker) === opened) send(worker, { kind: 'job', of, answer })
      })
    const opened = {
      detections: answering('detections', detect),
      reports: answering('reports', beside.reporting.ask),
      drawings: answering('drawings', beside.drawing.ask),
    } as Readonly<Record<JobKind, ReturnType<typeof answerJobs>>>
    ofWorkers.set(worker, opened)
    return opened
  }
  return {
    receive: (worker: number, { of, asked }: Extract<ToPrimary, { readonly kind: 'job' }>): void =>
      (ofWorkers.get(worker) ?? open(worker))[of].receive(asked),
    end: (worker: number): void => {
      const opened = ofWorkers.get(worker)
      ofWorkers.delete(worker)
      for (const jobs of Object.values(opened ?? {})) jobs.end()
    },
  }
}
