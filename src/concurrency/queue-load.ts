// The load of all database queues together, and whether a new request would wait too long.

/** Shared by all queues, because their jobs share the same memory. */
export interface QueueLoad {
  /** Bytes of memory. */
  weight: number
  readonly lines: QueueStats[]
  /** When a job last joined any of the queues, by performance.now(). */
  joinedAt: number
}

/** Statistics of one queue that a new request is checked against. */
export interface QueueStats {
  weight: number
  /**
   * When the first job that waits only for jobs before it joined, by performance.now(); null if there is none. A job
   * that waits for another order of its own device says nothing about how long others would wait.
   */
  since: number | null
  /** How long the last batch took. */
  lastBatchMs: number
  /** Maximum weight that is executed concurrently. */
  readonly inFlightBytesMax: number
}

export const createQueueLoad = (): QueueLoad => ({ weight: 0, lines: [], joinedAt: -Infinity })

/** True if a job joined so recently that the next one is likely to follow soon. */
export const wasUsedWithin = ({ joinedAt }: QueueLoad, milliseconds: number): boolean =>
  performance.now() - joinedAt < milliseconds

/** @param batchBytesMax 0 if each job is executed alone: its duration does not affect others */
export function registerQueue({ lines }: QueueLoad, concurrencyMax: number, batchBytesMax: number): QueueStats {
  const line: QueueStats = {
    weight: 0,
    since: null,
    lastBatchMs: 0,
    inFlightBytesMax: concurrencyMax * (batchBytesMax || Infinity),
  }
  lines.push(line)
  return line
}

/**
 * True while a job has waited for longer, or would if all batches took as long as the last. Jobs that fit into the next
 * batches are no backlog, however long the database has been silent.
 */
export const isOverloaded = ({ lines }: QueueLoad, milliseconds: number): boolean =>
  lines.some((line) => line.weight > line.inFlightBytesMax && waitOf(line) > milliseconds)

const waitOf = ({ weight, since, lastBatchMs, inFlightBytesMax }: QueueStats): number =>
  Math.max(since === null ? 0 : performance.now() - since, (weight / inFlightBytesMax) * lastBatchMs)
