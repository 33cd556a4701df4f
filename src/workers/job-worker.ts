// Runs jobs in a worker process with its own memory, and receives the results in pieces over a typed protocol.
import { fork, type ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** The id identifies a running job. A piece is produced only after the previous one was taken. */
export type WorkerRequest<Settings, Job, Notice = never> =
  | { readonly kind: 'open'; readonly settings: Settings }
  | { readonly kind: 'begin'; readonly id: number; readonly job: Job }
  | { readonly kind: 'next'; readonly id: number }
  | { readonly kind: 'end'; readonly id: number }
  | { readonly kind: 'notice'; readonly notice: Notice }

export type WorkerResponse<Piece> =
  /** The process has loaded its code and settings: if it ends from now on, its job is the cause. */
  | { readonly kind: 'ready' }
  | { readonly kind: 'piece'; readonly id: number; readonly piece: Piece }
  | { readonly kind: 'done'; readonly id: number }
  | { readonly kind: 'fault'; readonly id: number; readonly error: Error }

/** The process ended, or cannot be started at the moment: there is no result. */
export class WorkerExited extends Error {
  override name = 'WorkerExited'
  /** The signal or exit code; null if the process could not be started, or ended before it began to work. */
  readonly how: string | null
  constructor(how: string | null = null) {
    super('The process that does this work has ended')
    this.how = how
  }
}

export interface JobWorker<Job, Piece, Notice = never> {
  /**
   * The result of a job, in pieces. The process is started by the first job, and ends a minute after the last.
   * @param signal ends the job
   * @throws WorkerExited
   */
  readonly ask: (job: Job, signal: AbortSignal) => AsyncGenerator<Piece>
  /** Fulfilled once a process is running or may be started. */
  readonly startable: (signal: AbortSignal) => Promise<void>
  /** Sends a notice to the process, if there is one. */
  readonly notify: (notice: Notice) => void
  /** Kills the process, whatever it does; the next job starts another. */
  readonly end: () => Promise<void>
  /** Kills the process, whatever it does, permanently. */
  readonly stop: () => Promise<void>
}

export interface JobWorkerOptions<Settings> {
  readonly program: string
  /** What the process is for, as logged when it ends. */
  readonly what: string
  /** Sent over a private pipe. */
  readonly settings: Settings
  readonly heapMbMax: number
  readonly report: (error: Error) => void
}

/** A process that always ends at its start must not use up the machine. */
const RESTART_MS_MIN = 1_000
/** Without jobs for this long, the process ends to free its memory. */
const IDLE_MS = 60_000
/** Without the compile cache, each start takes half a second and 30 MB more. */
const COMPILED = join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'cradle')

/**
 * Heap used before V8's first full collection. Otherwise V8 would collect after every further 64 MB of buffers: half a
 * dozen times in a report of a million orders, which then took twice as long.
 */
const HEAP_MB_FIRST = 128

export function createJobWorker<Settings, Job, Piece, Notice = never>(
  options: JobWorkerOptions<Settings>,
): JobWorker<Job, Piece, Notice> {
  let running: Running<Settings, Job, Piece, Notice> | null = null
  let startedAt = -Infinity
  let isStopping = false
  let last = 0
  let open = 0
  let idle: NodeJS.Timeout | undefined
  const waitMs = () => startedAt + RESTART_MS_MIN - performance.now()
  const start = () => {
    if (isStopping || waitMs() > 0) throw new WorkerExited()
    startedAt = performance.now()
    const begun = startProcess<Settings, Job, Piece, Notice>(options, (how) => {
      if (running !== begun) return
      running = null
      options.report(new Error(`The process for ${options.what} ended by ${how}; whoever asks next starts another`))
    })
    return begun
  }
  const end = async () => {
    const ending = running
    running = null
    await ending?.end()
  }
  return {
    async *ask(job, signal) {
      const { exchange, send } = (running ??= start())
      const id = (last += 1)
      open += 1
      clearTimeout(idle)
      try {
        let answer = await exchange({ kind: 'begin', id, job }, signal)
        while (answer.kind === 'piece') {
          yield answer.piece
          answer = await exchange({ kind: 'next', id }, signal)
        }
        if (answer.kind === 'fault') throw answer.error
      } finally {
        send({ kind: 'end', id })
        open -= 1
        if (open === 0) idle = setTimeout(() => void end(), IDLE_MS).unref()
      }
    },
    startable: async (signal) => {
      signal.throwIfAborted()
      // A timer may fire a millisecond early, when the process may not be started yet.
      while (!running && waitMs() > 0)
        await sleep(Math.ceil(waitMs()), undefined, { signal }).catch(() => signal.throwIfAborted())
    },
    notify: (notice) => running?.send({ kind: 'notice', notice }),
    end,
    stop: () => {
      isStopping = true
      clearTimeout(idle)
      return end()
    },
  }
}

type Answer<Piece> = Exclude<WorkerResponse<Piece>, { readonly kind: 'ready' }>
type Running<Settings, Job, Piece, Notice> = ReturnType<typeof startProcess<Settings, Job, Piece, Notice>>

function startProcess<Settings, Job, Piece, Notice>(
  { program, settings, heapMbMax }: JobWorkerOptions<Settings>,
  onEnd: (how: string) => void,
) {
  const child: ChildProcess = fork(program, {
    execArgv: [
      `--max-old-space-size=${heapMbMax}`,
      `--initial-old-space-size=${HEAP_MB_FIRST}`,
      '--max-semi-space-size=16',
    ],
    env: { NODE_COMPILE_CACHE: COMPILED, ...process.env },
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const waiting = new Map<number, PromiseWithResolvers<Answer<Piece>>>()
  const ended = Promise.withResolvers<void>()
  let isReady = false
  let isOver = false
  const finish = (how: string) => {
    if (isOver) return
    isOver = true
    for (const { reject } of waiting.values()) reject(new WorkerExited(isReady ? how : null))
    onEnd(how)
    ended.resolve()
  }
  child.once('error', (error) => finish(error.message))
  child.once('exit', (code, signal) => finish(signal ?? `exit code ${code}`))
  child.on('message', (answer: WorkerResponse<Piece>) => {
    if (answer.kind === 'ready') isReady = true
    else waiting.get(answer.id)?.resolve(answer)
  })
  // A message that can no longer be sent is covered by the exit of the process.
  const send = (message: WorkerRequest<Settings, Job, Notice>): void => void child.send(message, () => undefined)
  send({ kind: 'open', settings })
  return {
    send,
    exchange: async (message: WorkerRequest<Settings, Job, Notice> & { readonly id: number }, signal: AbortSignal) => {
      signal.throwIfAborted()
      if (isOver) throw new WorkerExited()
      const answer = Promise.withResolvers<Answer<Piece>>()
      const leave = () => answer.reject(signal.reason)
      waiting.set(message.id, answer)
      signal.addEventListener('abort', leave)
      send(message)
      try {
        return await answer.promise
      } finally {
        waiting.delete(message.id)
        signal.removeEventListener('abort', leave)
      }
    },
    end: () => {
      child.kill('SIGKILL')
      return ended.promise
    },
  }
}
