// The other side: jobs that come from the service, each done piece by piece for as long as somebody takes them.
import { readdirSync, writeFileSync } from 'node:fs'
import { flushCompileCache } from 'node:module'
import { setPriority } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { WorkerResponse, WorkerRequest } from './job-worker.ts'

/** Whoever answers clients goes before: of two that want the same core, that one gets three quarters of it. */
const NICE = 5
/** Of 1,000: where memory runs out, the kernel ends this process before the service and its database. */
const OOM_SCORE = 500
/** How long a process whose service is gone may take to say so to the database. */
const ORPHANED_MS_MAX = 2_000

interface Job<Piece> {
  readonly pieces: AsyncGenerator<Piece>
  readonly ending: AbortController
}

export interface WorkerHooks<Notice> {
  /** Called with what the service says meanwhile. */
  readonly onNotice?: (notice: Notice) => void
  /** Called when the service is gone, before the process ends. */
  readonly onOrphaned?: () => Promise<void>
}

/** Ends with the service, however that ends: there is nothing here that a transaction does not undo. */
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
      // It ends by a signal, at which nothing is kept of what was compiled.
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
  // A terminal tells all processes of a program; the service says when this one ends.
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
 * A thread that ends the process a few seconds after the service is gone, even while code of the main thread runs on
 * and on and hears of nothing: for processes that read what anybody may have sent.
 */
export function endWithParent(): void {
  // Told from here: the thread may begin after the service is gone.
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
