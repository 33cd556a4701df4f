// A pool of processes that each run one job at a time: a job that ends its process harms no other job.
import { createJobWorker, type JobWorkerOptions } from './job-worker.ts'

/** A job produced nothing for longer than allowed; its process was killed. */
export class WorkerTimedOut extends Error {
  override name = 'WorkerTimedOut'
}

export interface WorkerPool<Job, Piece, Notice> {
  /**
   * The result of a job, in pieces, from a process that runs nothing else meanwhile. Throws if all processes are busy:
   * the caller has to limit its concurrent jobs.
   * @param signal ends the job immediately, with its process, whatever it does
   * @throws WorkerExited, WorkerTimedOut
   */
  readonly run: (job: Job, signal: AbortSignal) => AsyncGenerator<Piece>
  /** Sends a notice to the busy processes. */
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
  /** The first free process is used, so that the others are started only if needed. */
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
