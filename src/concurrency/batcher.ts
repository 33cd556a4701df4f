// Callers share trips to the database: what arrives while trips are under way goes into the next one, together.
import { DeadlineExceeded, createDeadlineTimer, currentDeadline, withDeadline } from './deadline.ts'
import { registerQueue, type QueueLoad } from './queue-load.ts'

/** More callers are waiting than the service promises to serve in time; nothing of the refused one was stored. */
export class QueueFull extends Error {
  override name = 'QueueFull'
}

export interface BatcherOptions<Job, Result> {
  /** Does all jobs in one transaction and answers each, in sequence. Throws if none was done. */
  readonly travel: (jobs: readonly Job[]) => Promise<readonly Result[]>
  /** Two jobs that share a key never travel at the same time: the second has to see what the first one did. */
  readonly keysOf?: (job: Job) => readonly string[]
  /** True where jobs with the same first key are copies, which `travel` takes together: one answer does for all. */
  readonly takesCopies?: boolean
  /** True for an error that a single bad job may have caused: its neighbours are then committed without it. */
  readonly isOfOneJob: (error: unknown) => boolean
  /** Trips under way at once: with a second one, the program works on while the database does. */
  readonly tripsMax: number
  /** What a job weighs, in bytes of memory: an order of a thousand items holds up and fills more than one of two. */
  readonly weightOf: (job: Job) => number
  /** A job that weighs more travels alone. */
  readonly weightPerTripMax: number
  readonly weightWaitingMax: number
  /** What waits here and in all other queues that share it. */
  readonly waiting: QueueLoad
  /** What this queue is called where its trips are told of. */
  readonly queue?: string
  readonly onTrip?: (trip: CompletedBatch) => void
  /** On whose behalf a job is sent, asked when it is: for whoever is told of the trip. */
  readonly senderOf?: () => unknown
}

/** A trip that is over. */
export interface CompletedBatch {
  readonly queue: string
  readonly jobs: number
  /** Until it was answered: for a trip that writes, until its commit was durable. */
  readonly milliseconds: number
  /** False where it failed; jobs that are then sent one by one make trips of their own. */
  readonly isDone: boolean
  /** What `senderOf` gave for each job; empty where nobody asks. */
  readonly senders: readonly unknown[]
}

interface Passenger<Job, Result> {
  readonly job: Job
  readonly keys: readonly string[]
  readonly weight: number
  /** When it joined the line, as `performance.now()` tells the time. */
  readonly since: number
  /** Of the request that it came with; answered by then, whether its trip is over or not. */
  readonly deadline: number
  readonly sender: unknown
  readonly resolve: (result: Result) => void
  readonly reject: (error: unknown) => void
}

/**
 * A function that takes a job along with whatever else is waiting, and answers it when its own trip is over: for a
 * trip that writes, when its commit is durable. One whose deadline passes before that is answered by DeadlineExceeded.
 */
export function createBatcher<Job, Result>(options: BatcherOptions<Job, Result>): (job: Job) => Promise<Result> {
  let waiting: Passenger<Job, Result>[] = []
  // Not a set: whenever it outgrew its table, the old one kept trips that were over until the next full collection.
  let underWay: (readonly Passenger<Job, Result>[])[] = []
  let trips = 0
  const queues = options.waiting
  const line = registerQueue(queues, options.tripsMax, options.weightPerTripMax)
  const weigh = (weight: number): void => {
    queues.weight += weight
    line.weight += weight
  }
  const answerBy = createDeadlineTimer(answerLate)

  async function travelWhileAnyWait(): Promise<void> {
    trips += 1
    // All that this turn of the event loop reads from its connections leaves together, not one by one.
    await new Promise(setImmediate)
    for (let batch = nextBatch(); batch.length > 0; batch = nextBatch()) {
      underWay.push(batch)
      const leftAt = performance.now()
      // As long as there is one to answer: a neighbour that has waited for long must not end the trip of the others.
      await withDeadline(Math.max(...batch.map(({ deadline }) => deadline)), () => travel(batch, options))
      line.tripMs = performance.now() - leftAt
      underWay = underWay.filter((one) => one !== batch)
    }
    trips -= 1
  }

  function nextBatch(): readonly Passenger<Job, Result>[] {
    const { batch, rest, leftOut } = takeBatch(waiting, underWay.flat(), options)
    waiting = rest
    line.since = leftOut?.since ?? null
    for (const { weight } of batch) weigh(-weight)
    return batch
  }

  /** Those that still wait leave the queue; what is under way goes on, for its neighbours. */
  function answerLate(): void {
    const now = performance.now()
    const isLate = ({ deadline }: Passenger<Job, Result>) => deadline <= now
    const unanswered = [...waiting, ...underWay.flat()]
    for (const { weight } of waiting.filter(isLate)) weigh(-weight)
    waiting = waiting.filter((one) => !isLate(one))
    line.since = waiting[0]?.since ?? null
    for (const one of unanswered) {
      if (isLate(one)) one.reject(new DeadlineExceeded())
      else answerBy(one.deadline)
    }
  }

  return (job) =>
    new Promise((resolve, reject) => {
      const weight = options.weightOf(job)
      if (waiting.length > 0 && queues.weight + weight > options.weightWaitingMax) {
        reject(new QueueFull(`${waiting.length} others are waiting for the database`))
        return
      }
      weigh(weight)
      const since = (queues.joinedAt = performance.now())
      line.since ??= since
      const deadline = currentDeadline()
      const sender = options.senderOf?.()
      waiting.push({ job, weight, since, deadline, sender, keys: options.keysOf?.(job) ?? [], resolve, reject })
      answerBy(deadline)
      if (trips < options.tripsMax) void travelWhileAnyWait()
    })
}

/**
 * The oldest jobs whose keys differ from one another and from those under way, with the copies of each, and the first
 * that could have come along had there been room.
 */
function takeBatch<Job, Result>(
  waiting: readonly Passenger<Job, Result>[],
  underWay: readonly Passenger<Job, Result>[],
  { weightPerTripMax, takesCopies }: BatcherOptions<Job, Result>,
) {
  const batch: Passenger<Job, Result>[] = []
  const rest: Passenger<Job, Result>[] = []
  const keys = new Set(underWay.flatMap((one) => one.keys))
  const identities = new Set<string | undefined>()
  let leftOut: Passenger<Job, Result> | null = null
  let weight = 0
  for (const one of waiting) {
    const isFree = !one.keys.some((key) => keys.has(key)) || identities.has(one.keys[0])
    const isFitting = batch.length === 0 || weight + one.weight <= weightPerTripMax
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

/** Answers every job of the batch, and never throws: one bad job must not stop those behind it. */
async function travel<Job, Result>(
  batch: readonly Passenger<Job, Result>[],
  options: BatcherOptions<Job, Result>,
): Promise<void> {
  const leftAt = performance.now()
  const tell = (isDone: boolean) =>
    options.onTrip?.({
      queue: options.queue ?? 'other',
      jobs: batch.length,
      milliseconds: performance.now() - leftAt,
      isDone,
      senders: options.senderOf ? batch.map(({ sender }) => sender) : [],
    })
  try {
    const results = await options.travel(batch.map(({ job }) => job))
    tell(true)
    for (const [position, { resolve }] of batch.entries()) resolve(results[position]!)
  } catch (error) {
    tell(false)
    if (batch.length === 1 || !options.isOfOneJob(error)) {
      for (const { reject } of batch) reject(error)
    } else {
      for (const one of batch) await travel([one], options)
    }
  }
}
