// Orders share commits: what arrives while a commit is under way goes into the next one, together.

/** More callers are waiting than the service promises to serve in time; nothing of the refused one was stored. */
export class TooManyWaiting extends Error {
  override name = 'TooManyWaiting'
}

export interface SharedCommitOptions<Job, Result> {
  /** Commits all jobs in one transaction and answers each, in sequence. Throws if none was committed. */
  readonly commit: (jobs: readonly Job[]) => Promise<readonly Result[]>
  /** Two jobs of one key never share a commit: the second has to see what the first one did. */
  readonly keyOf: (job: Job) => string
  /** True for an error that a single bad job may have caused: its neighbours are then committed without it. */
  readonly isOfOneJob: (error: unknown) => boolean
  readonly jobsPerCommitMax: number
  readonly waitingMax: number
}

interface Waiting<Job, Result> {
  readonly job: Job
  readonly resolve: (result: Result) => void
  readonly reject: (error: unknown) => void
}

/**
 * A function that commits a job together with whatever else is waiting, and answers it when its own commit is durable.
 * One commit is under way at a time: a second one would only halve the number of orders that share each flush.
 */
export function createSharedCommit<Job, Result>(options: SharedCommitOptions<Job, Result>): (job: Job) => Promise<Result> {
  let waiting: Waiting<Job, Result>[] = []
  let isCommitting = false

  async function commitAllWaiting(): Promise<void> {
    isCommitting = true
    // Jobs that arrived in the same turn of the event loop share the first commit too.
    await Promise.resolve()
    while (waiting.length > 0) {
      const { batch, rest } = takeBatch(waiting, options)
      waiting = rest
      await commitBatch(batch, options)
    }
    isCommitting = false
  }

  return (job) => new Promise((resolve, reject) => {
    if (waiting.length >= options.waitingMax) {
      reject(new TooManyWaiting(`${waiting.length} orders are waiting to be stored`))
      return
    }
    waiting.push({ job, resolve, reject })
    if (!isCommitting) void commitAllWaiting()
  })
}

function takeBatch<Job, Result>(waiting: readonly Waiting<Job, Result>[], options: SharedCommitOptions<Job, Result>) {
  const batch = new Map<string, Waiting<Job, Result>>()
  const rest: Waiting<Job, Result>[] = []
  for (const one of waiting) {
    const key = options.keyOf(one.job)
    if (batch.size < options.jobsPerCommitMax && !batch.has(key)) batch.set(key, one)
    else rest.push(one)
  }
  return { batch: [...batch.values()], rest }
}

/** Answers every job of the batch, and never throws: one bad order must not stop the orders behind it. */
async function commitBatch<Job, Result>(
  batch: readonly Waiting<Job, Result>[], options: SharedCommitOptions<Job, Result>,
): Promise<void> {
  try {
    const results = await options.commit(batch.map(({ job }) => job))
    for (const [position, { resolve }] of batch.entries()) resolve(results[position]!)
  } catch (error) {
    if (batch.length === 1 || !options.isOfOneJob(error)) {
      for (const { reject } of batch) reject(error)
    } else {
      for (const one of batch) await commitBatch([one], options)
    }
  }
}
