// A few processes of which each does one job at a time: a job that ends its process harms no other.
import { createJobWorker, type JobWorkerOptions } from './job-worker.ts'

/** A job said nothing for longer than it may; its process was ended. */
export class WorkerTimedOut extends Error {
  override name = 'WorkerTimedOut'
}

export interface WorkerPool<Job, Piece, Notice> {
  /**
   * What a job comes to, piece by piece, in a process that does nothing else meanwhile. Whoever asks for more jobs at a
   * time than there are processes waits for none of them: that is a mistake of theirs.
   * @param signal ends the job at once, with its process, whatever that does
   * @throws WorkerExited, WorkerTimedOut
   */
  readonly run: (job: Job, signal: AbortSignal) => AsyncGenerator<Piece>
  /** Tells those that are at work something. */
  readonly notify: (notice: Notice) => void
  readonly stop: () => Promise<void>
}

export interface WorkerPoolOptions<Settings> extends JobWorkerOptions<Settings> {
  readonly size: number
  /** How long a job may take to its first piece, and from each piece to the next. */
  readonly pieceMsMax: number
}

export function createWorkerPool<Settings, Job, Piece, Notice = never>(
  options: WorkerPoolOptions<Settings>,
): WorkerPool<Job, Piece, Notice> {
  const workers = Array.from({ length: options.size }, () => createJobWorker<Settings, Job, Piece, Notice>(options))
  /** The first is taken first, so that the others are started only where they are needed. */
  const busy = new Set<(typeof workers)[number]>()
  return {
    async *run(job, signal) {
      const worker = workers.find((one) => !busy.has(one))
      if (!worker) throw new Error(`More than ${options.size} jobs at a time for ${options.what}`)
      busy.add(worker)
      const limit = new AbortController()
      const ending = AbortSignal.any([signal, limit.signal])
      try {
        await worker.startable(ending)
        const pieces = worker.ask(job, ending)
        try {
          for (;;) {
            const timer = setTimeout(() => limit.abort(new WorkerTimedOut()), options.pieceMsMax)
            const next = await pieces.next().finally(() => clearTimeout(timer))
            if (next.done) return
            yield next.value
          }
        } finally {
          await pieces.return(undefined)
        }
      } finally {
        if (ending.aborted) await worker.end()
        busy.delete(worker)
      }
    },
    notify: (notice) => {
      for (const worker of busy) worker.notify(notice)
    },
    stop: async () => {
      await Promise.all(workers.map((worker) => worker.stop()))
    },
  }
}
