// What waits for the database, in all queues together, and whether so much that a newcomer would wait too long.

/** Shared by all queues: their jobs fill one memory. */
export interface QueueLoad {
  /** Bytes of memory. */
  weight: number
  readonly lines: QueueStats[]
  /** When a job joined any of them last, by performance.now(). */
  joinedAt: number
}

/** One queue, as a newcomer sees it. */
export interface QueueStats {
  weight: number
  /**
   * Since when the first of those has waited that nothing but those before it holds up, by performance.now(); null
   * where there is none. One that waits for another order of its own device says nothing of how long others would wait.
   */
  since: number | null
  /** How long the last trip took. */
  tripMs: number
  /** What travels at once. */
  readonly weightUnderWayMax: number
}

export const createQueueLoad = (): QueueLoad => ({ weight: 0, lines: [], joinedAt: -Infinity })

/** True where somebody asked for something so short a time ago that the next is likely to be on its way. */
export const wasUsedWithin = ({ joinedAt }: QueueLoad, milliseconds: number): boolean =>
  performance.now() - joinedAt < milliseconds

/** @param weightPerTripMax 0 where each travels alone: how long these take is nothing to others */
export function registerQueue({ lines }: QueueLoad, tripsMax: number, weightPerTripMax: number): QueueStats {
  const line: QueueStats = {
    weight: 0,
    since: null,
    tripMs: 0,
    weightUnderWayMax: tripsMax * (weightPerTripMax || Infinity),
  }
  lines.push(line)
  return line
}

/**
 * True while somebody has waited for longer, or would if all trips took as long as the last. What leaves with the next
 * trips is no backlog, however long the database has been silent.
 */
export const isOverloaded = ({ lines }: QueueLoad, milliseconds: number): boolean =>
  lines.some((line) => line.weight > line.weightUnderWayMax && waitOf(line) > milliseconds)

const waitOf = ({ weight, since, tripMs, weightUnderWayMax }: QueueStats): number =>
  Math.max(since === null ? 0 : performance.now() - since, (weight / weightUnderWayMax) * tripMs)
