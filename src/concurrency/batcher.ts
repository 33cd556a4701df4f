// Batches database jobs: jobs that arrive while batches are being executed are executed together in the next one.
import { DeadlineExceeded, createDeadlineTimer, currentDeadline, withDeadline } from './deadline.ts'
import { registerQueue, type QueueLoad } from './queue-load.ts'

/** More jobs are waiting than the service promises to serve in time; nothing of the rejected job was stored. */
export class QueueFull extends Error {
  override name = 'QueueFull'
}

export interface BatcherOptions<Job, Result> {
  /** Executes all jobs in one transaction and returns their results in order. Throws if none was executed. */
  readonly executeBatch: (jobs: readonly Job[]) => Promise<readonly Result[]>
  /** Two jobs that share a key are never executed concurrently: the second must see the effects of the first. */
  readonly keysOf?: (job: Job) => readonly string[]
  /** True if jobs with the same first key are copies that `travel` takes together: one result serves all of them. */
  readonly takesCopies?: boolean
  /** True for an error that a single bad job may have caused: the jobs are then executed one by one. */
  readonly isJobError: (error: unknown) => boolean
  /** Batches executed concurrently. With a second one, the program works while the database does. */
  readonly concurrencyMax: number
  /** Weight of a job in bytes of memory: an order of a thousand items takes more time and memory than one of two. */
  readonly bytesOf: (job: Job) => number
  /** A heavier job is executed alone. */
  readonly batchBytesMax: number
  readonly queueBytesMax: number
  /** Load of this queue and all queues that share it. */
  readonly queueLoad: QueueLoad
  /** Name of this queue in metrics and traces. */
  readonly queue?: string
  readonly onBatch?: (batch: CompletedBatch) => void
  /** The sender of a job, read when the job is sent, for `onBatch`. */
  readonly spanOf?: () => unknown
}

/** Limits and observers that the queues of a process share. */
export type BatchLimits = Pick<
  BatcherOptions<never, never>,
  'batchBytesMax' | 'queueBytesMax' | 'queueLoad' | 'onBatch' | 'spanOf'
>

/** With two batches, one is prepared while the other commits. More would only leave fewer jobs for each commit. */
export const BATCHES_IN_FLIGHT_MAX = 2

/** Memory of any waiting job in bytes, measured. */
export const JOB_BYTES = 5_000

/** A completed batch. */
export interface CompletedBatch {
  readonly queue: string
  readonly jobs: number
  /** Duration until the result; for a batch that writes, until its commit was durable. */
  readonly milliseconds: number
  /** False if the batch failed; jobs that are then executed one by one form batches of their own. */
  readonly succeeded: boolean
  /** The `spanOf` value of each job; empty if `spanOf` is not set. */
  readonly spans: readonly unknown[]
}

interface QueuedJob<Job, Result> {
  readonly job: Job
  readonly keys: readonly string[]
  readonly weight: number
  /** When the job joined the queue, by `performance.now()`. */
  readonly since: number
  /** Deadline of the job's request. The job is answered by then, whether or not its batch is complete. */
  readonly deadline: number
  readonly sender: unknown
  readonly resolve: (result: Result) => void
  readonly reject: (error: unknown) => void
}

/**
 * Returns a function that executes a job in a batch with other waiting jobs and resolves when that batch is complete:
 * for a batch that writes, when its commit is durable. If the deadline of the job passes first, it rejects with
 * DeadlineExceeded.
 */
export function createBatcher<Job, Result>(options: BatcherOptions<Job, Result>): (job: Job) => Promise<Result> {
  let waiting: QueuedJob<Job, Result>[] = []
  // Not a set: whenever a set outgrew its table, the old table retained completed batches until the next full
  // collection.
  let inFlight: (readonly QueuedJob<Job, Result>[])[] = []
  let running = 0
  const queues = options.queueLoad
  const line = registerQueue(queues, options.concurrencyMax, options.batchBytesMax)
  const reserve = (weight: number): void => {
    queues.weight += weight
    line.weight += weight
  }
  const rejectAt = createDeadlineTimer(rejectExpired)

  async function executeBatches(): Promise<void> {
    running += 1
    // All jobs read from connections in this turn of the event loop are executed together.
    await new Promise(setImmediate)
    for (let batch = nextBatch(); batch.length > 0; batch = nextBatch()) {
      inFlight.push(batch)
      const leftAt = performance.now()
      // The latest deadline of the batch: a job with an early deadline must not end the batch for the others.
      await withDeadline(Math.max(...batch.map(({ deadline }) => deadline)), () => execute(batch, options))
      line.lastBatchMs = performance.now() - leftAt
      inFlight = inFlight.filter((one) => one !== batch)
    }
    running -= 1
  }

  function nextBatch(): readonly QueuedJob<Job, Result>[] {
    const { batch, rest, leftOut } = takeBatch(waiting, inFlight.flat(), options)
    waiting = rest
    line.since = leftOut?.since ?? null
    for (const { weight } of batch) reserve(-weight)
    return batch
  }

  /** Removes waiting jobs from the queue; a batch that is being executed continues for its other jobs. */
  function rejectExpired(): void {
    const now = performance.now()
    const isLate = ({ deadline }: QueuedJob<Job, Result>) => deadline <= now
    const unanswered = [...waiting, ...inFlight.flat()]
    for (const { weight } of waiting.filter(isLate)) reserve(-weight)
    waiting = waiting.filter((one) => !isLate(one))
    line.since = waiting[0]?.since ?? null
    for (const one of unanswered) {
      if (isLate(one)) one.reject(new DeadlineExceeded())
      else rejectAt(one.deadline)
    }
  }

  return (job) =>
    new Promise((resolve, reject) => {
      const weight = options.bytesOf(job)
      if (waiting.length > 0 && queues.weight + weight > options.queueBytesMax) {
        reject(new QueueFull(`${waiting.length} others are waiting for the database`))
        return
      }
      reserve(weight)
      const since = (queues.joinedAt = performance.now())
      line.since ??= since
      const deadline = currentDeadline()
      const sender = options.spanOf?.()
      waiting.push({ job, weight, since, deadline, sender, keys: options.keysOf?.(job) ?? [], resolve, reject })
      rejectAt(deadline)
      if (running < options.concurrencyMax) void executeBatches()
    })
}

/**
 * Selects the oldest jobs whose keys differ from one another and from those being executed, with the copies of each,
 * and the first job that was left out only for lack of room.
 */
function takeBatch<Job, Result>(
  waiting: readonly QueuedJob<Job, Result>[],
  inFlight: readonly QueuedJob<Job, Result>[],
  { batchBytesMax, takesCopies }: BatcherOptions<Job, Result>,
) {
  const batch: QueuedJob<Job, Result>[] = []
  const rest: QueuedJob<Job, Result>[] = []
  const keys = new Set(inFlight.flatMap((one) => one.keys))
  const identities = new Set<string | undefined>()
  let leftOut: QueuedJob<Job, Result> | null = null
  let weight = 0
  for (const one of waiting) {
    const isFree = !one.keys.some((key) => keys.has(key)) || identities.has(one.keys[0])
    const isFitting = batch.length === 0 || weight + one.weight <= batchBytesMax
    for (const key of one.keys) keys.add(key)
    if (!isFitting || !isFree) {
      rest.push(one)
      if (isFree) leftOut ??= one
    } else {
      batch.push(one)
      weight += one.weight
      if (takesCopies) identities.add(one.keys[0])
    }
  }
  return { batch, rest, leftOut }
}

/** Answers every job of the batch and never throws: one bad job must not stop the jobs behind it. */
async function execute<Job, Result>(
  batch: readonly QueuedJob<Job, Result>[],
  options: BatcherOptions<Job, Result>,
): Promise<void> {
  const leftAt = performance.now()
  const reportBatch = (isDone: boolean) =>
    options.onBatch?.({
      queue: options.queue ?? 'other',
      jobs: batch.length,
      milliseconds: performance.now() - leftAt,
      succeeded: isDone,
      spans: options.spanOf ? batch.map(({ sender }) => sender) : [],
    })
  try {
    const results = await options.executeBatch(batch.map(({ job }) => job))
    reportBatch(true)
    for (const [position, { resolve }] of batch.entries()) resolve(results[position]!)
  } catch (error) {
    reportBatch(false)
    if (batch.length === 1 || !options.isJobError(error)) {
      for (const { reject } of batch) reject(error)
    } else {
      for (const one of batch) await execute([one], options)
    }
  }
}
