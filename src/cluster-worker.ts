// A worker: one of the processes that answer clients at one address. The primary starts it, and replaces it if it ends.
import { flushCompileCache } from 'node:module'
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
/** At once: whoever waits for it has been answered, or is to try again. `process.exit` may never return. */
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
  if (VERSION !== start.version || service.book.hash !== start.datasetHash)
    throw new Error('The program or its data were changed on the disk while it runs; stop it, and start it again')
  prepared = { config, metrics, service, database }
  send({ kind: 'prepared' })
}

/** The processes beside the primary, as if they stood beside this one; they end with the primary. */
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

/** What the primary threw, as this process would have. */
function errorOf(error: Error, name: string): Error {
  if (name === 'WorkerExited') return new WorkerExited()
  // Of what the primary does for workers, no other failure is told by an error.
  if (name === 'ApiError') return new ApiError('unavailable', error.message)
  return name === 'QueueFull' ? new QueueFull(error.message) : error
}

async function listen({ config, service: { app } }: Prepared, port: number): Promise<void> {
  const address = await listenAt(app, servicePort({ ...config, port }), LISTEN_BACKLOG)
  send({ kind: 'serving', address })
  // It ends by a signal, at which nothing is kept of what was compiled.
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
// With the primary, before Node's own end of a worker, which waits for what is being compiled.
process.prependListener('disconnect', end)
// A terminal tells all processes of a program; the primary says when this one ends.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)
send({ kind: 'loaded' })
