// The entry point of worker processes: runs jobs of the service, in pieces, for as long as they are requested.
import { readdirSync, writeFileSync } from 'node:fs'
import { flushCompileCache } from 'node:module'
import { setPriority } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { WorkerResponse, WorkerRequest } from './job-worker.ts'

/** Processes that serve clients have priority: if both need the same core, they get three quarters of it. */
const NICE = 5
/** Out of 1,000: if memory runs out, the kernel kills this process before the service and its database. */
const OOM_SCORE = 500
/** How long a process whose service has ended may take to record that in the database. */
const ORPHANED_MS_MAX = 2_000

interface Job<Piece> {
  readonly pieces: AsyncGenerator<Piece>
  readonly ending: AbortController
}

export interface WorkerHooks<Notice> {
  /** Called with the notices of the service. */
  readonly onNotice?: (notice: Notice) => void
  /** Called when the service has ended, before the process ends. */
  readonly onOrphaned?: () => Promise<void>
}

/** Ends with the service, however that ends: unfinished work is only in transactions, which are rolled back. */
export function runWorker<Settings, Asked, Piece, Notice = never>(
  open: (settings: Settings) => (job: Asked, signal: AbortSignal) => AsyncGenerator<Piece>,
  { onNotice, onOrphaned }: WorkerHooks<Notice> = {},
): void {
  const jobs = new Map<number, Job<Piece>>()
  let answer: ReturnType<typeof open> | undefined
  const send = (message: WorkerResponse<Piece>): void => void process.send!(message, () => undefined)
  const tellNext = async (id: number): Promise<void> => {
    try {
      const next = await jobs.get(id)!.pieces.next()
      if (!next.done) return send({ kind: 'piece', id, piece: next.value })
      send({ kind: 'done', id })
    } catch (error) {
      send({ kind: 'fault', id, error: error as Error })
    }
    jobs.delete(id)
  }
  process.on('message', (message: WorkerRequest<Settings, Asked, Notice>) => {
    if (message.kind === 'notice') onNotice?.(message.notice)
    if (message.kind === 'open') {
      answer = open(message.settings)
      send({ kind: 'ready' })
      // The process ends by a signal, on which Node does not write its compile cache.
      flushCompileCache()
    }
    if (message.kind === 'begin') {
      const ending = new AbortController()
      jobs.set(message.id, { pieces: answer!(message.job, ending.signal), ending })
    }
    if (message.kind === 'begin' || message.kind === 'next') void tellNext(message.id)
    if (message.kind === 'end') {
      const job = jobs.get(message.id)
      jobs.delete(message.id)
      job?.ending.abort()
      void job?.pieces.return(undefined).catch(() => undefined)
    }
  })
  process.on('disconnect', () => {
    setTimeout(endNow, ORPHANED_MS_MAX)
    void (onOrphaned?.() ?? Promise.resolve()).finally(endNow)
  })
  // A terminal sends signals to all processes of a program; the service decides when this one ends.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)
  giveWay()
}

const endNow = (): void => void process.kill(process.pid, 'SIGKILL')

/** On Linux each thread has a priority of its own. */
function giveWay(): void {
  const isLinux = process.platform === 'linux'
  const threads = isLinux ? readdirSync('/proc/self/task').map(Number) : [process.pid]
  for (const thread of threads) setPriority(thread, NICE)
  if (isLinux) writeFileSync('/proc/self/oom_score_adj', String(OOM_SCORE))
}

/**
 * Starts a thread that ends the process a few seconds after the service has ended, even while code on the main thread
 * runs without yielding: for processes that read untrusted input.
 */
export function endWithParent(): void {
  // The parent's id is read here, because the thread may start after the service has ended.
  const watch = `
    const parent = ${process.ppid}
    setInterval(() => process.ppid === parent || setTimeout(() => process.kill(process.pid, 'SIGKILL'), 3_000), 1_000)`
  new Worker(watch, {
    eval: true,
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 1 },
  })
    .on('error', endNow)
    .unref()
}
