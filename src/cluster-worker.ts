// A worker: one of the processes that serve clients at one address. The primary starts it and replaces it if it ends.
import { flushCompileCache } from 'node:module'
import type { ErrorFacts } from './cluster/jobs.ts'
import { PrimaryLink } from './cluster/primary-link.ts'
import type { ToPrimary, ToWorker, WorkerStart } from './cluster/messages.ts'
import { WorkerExited } from './workers/job-worker.ts'
import { LISTEN_BACKLOG, type Config } from './config.ts'
import { ApiError } from './contract/errors.ts'
import { listen as listenAt } from './http/listen.ts'
import type { Detect, StoredFile } from './imports/detect-file.ts'
import { openService, servicePort, type OpenService } from './main.ts'
import { createMetrics, type Metrics } from './observability/metrics.ts'
import type { WorkerPools } from './worker-pools.ts'
import { QueueFull } from './concurrency/batcher.ts'
import { openPrepared, type Database } from './postgres/database.ts'
import type { Detected } from './spreadsheets/detect-settings.ts'
import { VERSION } from './version.ts'

interface Prepared {
  readonly config: Config
  readonly metrics: Metrics | null
  readonly service: OpenService
  readonly database: Database
}

let primary: PrimaryLink | null = null
let prepared: Prepared | null = null

const send = (message: ToPrimary, sent = (): void => undefined): void => void process.send!(message, sent)
/** Immediately: every waiting client has been answered or has to retry. `process.exit` may never return. */
const end = (): void => void process.kill(process.pid, 'SIGKILL')
const fail = (error: Error): void => send({ kind: 'failed', sentence: error.message }, end)

async function prepare(start: WorkerStart): Promise<void> {
  const { worker, workers, config, console } = start
  const report = (sentence: string) => void process.stderr.write(`Worker ${worker}: ${sentence}\n`)
  primary = new PrimaryLink({ workers, send, errorOf, now: () => new Date() })
  const database = await openPrepared(start.database, start.connectionsMax, report)
  const shared = { workers, primary, beside: besideOf(primary) }
  const metrics = config.metricsPort === null ? null : createMetrics(config.metricsByAccount)
  const service = await openService(config, database, { metrics, console, worker: { number: worker, shared } })
  if (VERSION !== start.version || service.referenceData.hash !== start.datasetHash)
    throw new Error('The program or its data were changed on the disk while it runs; stop it, and start it again')
  prepared = { config, metrics, service, database }
  send({ kind: 'prepared' })
}

/** The primary's worker processes, with the same interface as a process's own. They end with the primary. */
function besideOf(link: PrimaryLink): WorkerPools {
  const detection = link.jobsOf<StoredFile, Detected>('detections')
  const detect: Detect = async (file, signal) => {
    for await (const detected of detection.ask(file, signal)) return detected
    throw new Error('A file was looked at, and nothing said')
  }
  return {
    importing: { detect, wakeImporter: () => link.wakeImporter() },
    reporting: link.jobsOf('reports'),
    drawing: link.jobsOf('drawings'),
    stop: () => Promise.resolve(),
  }
}

/** Recreates an error that the primary threw as this process would have thrown it. */
function errorOf(error: Error, { name, reason }: ErrorFacts): Error {
  if (name === 'WorkerExited') return new WorkerExited()
  // Of the primary's work for workers, only unavailability is reported as an ApiError.
  if (name === 'ApiError' && reason !== null) return new ApiError('unavailable', reason)
  return name === 'QueueFull' ? new QueueFull(error.message) : error
}

async function listen({ config, service: { app } }: Prepared, port: number): Promise<void> {
  const address = await listenAt(app, servicePort({ ...config, port }), LISTEN_BACKLOG)
  send({ kind: 'serving', address })
  // The process ends by a signal, on which Node does not write its compile cache.
  flushCompileCache()
}

async function stop({ service, database }: Prepared): Promise<void> {
  await service.stop()
  await database.close()
}

async function measure({ metrics }: Prepared, id: number): Promise<void> {
  send({ kind: 'measured', id, metrics: await metrics!.measured() })
}

process.on('message', (message: ToWorker) => {
  if (message.kind === 'start') prepare(message.start).catch(fail)
  else if (message.kind === 'stop') (prepared ? stop(prepared) : Promise.resolve()).then(end, end)
  else if (message.kind === 'listen') listen(prepared!, message.port).catch(fail)
  else if (message.kind !== 'measure') primary?.receive(message)
  else if (prepared) void measure(prepared, message.id)
})
// Ends with the primary, before Node's own handler ends the worker: that handler waits for code that is being compiled.
process.prependListener('disconnect', end)
// A terminal sends signals to all processes of a program; the primary decides when this one ends.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)
send({ kind: 'loaded' })
