// Limits the work of an import: how much of a file is in flight, and pauses while requests are served.
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises'
import { rowBytes, type FileOrder } from '../spreadsheets/file-order.ts'
import type { ImportContext } from './context.ts'

/** How long orders are processed before requests over HTTP get a turn. */
const WORK_MS_MAX = 2
/** The service counts as under load for this long after the last request. */
const SERVING_MS = 100
/** A request this recent means that there are many. */
const BUSY_MS = 2
/** Under load, orders are processed for this long, and then the process pauses. */
const SERVING_WORK_MS_MAX = 0.5
const REST_MS = 2
/** Under heavy load the pause is extended, up to this long in total. */
const REST_MS_MAX = 16

type LoadProbe = Pick<ImportContext, 'servedWithin'>

const isUnderLoad = ({ servedWithin }: LoadProbe): boolean => servedWithin(SERVING_MS)

const isUnderHeavyLoad = ({ servedWithin }: LoadProbe): boolean => servedWithin(BUSY_MS)

/**
 * Returns a function that pauses only if a pause is due: until other work had its turn, or, under load, for a rest in
 * which requests find the process and its database idle.
 */
export function createYielder(context: LoadProbe): () => Promise<void> | undefined {
  let since = performance.now()
  return () => {
    const worked = performance.now() - since
    if (worked < SERVING_WORK_MS_MAX || (worked < WORK_MS_MAX && !isUnderLoad(context))) return undefined
    return (isUnderLoad(context) ? rest(context) : turn()).then(() => {
      since = performance.now()
    })
  }
}

async function rest(context: LoadProbe): Promise<void> {
  const until = performance.now() + REST_MS_MAX
  do await sleep(REST_MS)
  while (isUnderHeavyLoad(context) && performance.now() < until)
}

/** Base weight of an order, whatever its rows contain. */
const ORDER_WEIGHT = 500

export const orderBytes = ({ rows }: FileOrder): number =>
  rows.reduce((weight, row) => weight + rowBytes(row), ORDER_WEIGHT)

/** Maximum concurrent weight: some 600 small orders, which fill the batches being executed and one that waits. */
const WEIGHT_MAX = 900_000
/** Under load: one short batch, and nothing more until it is complete. */
const SERVING_WEIGHT_MAX = 32_000
/** Under heavy load: a few orders. */
const BUSY_WEIGHT_MAX = 8_000

/** Admits this much weight concurrently, and any single order; calls to `enter` have to be sequential. */
export function createThrottle(context: LoadProbe) {
  let inside = 0
  let isFull = false
  let goOn: (() => void) | null = null
  const servingMax = (): number => (isUnderHeavyLoad(context) ? BUSY_WEIGHT_MAX : SERVING_WEIGHT_MAX)
  const mustWait = (weight: number): boolean => {
    if (inside === 0) isFull = false
    else if (isUnderLoad(context)) isFull ||= inside + weight > servingMax()
    else isFull = inside + weight > WEIGHT_MAX
    return isFull
  }
  return {
    enter: async (weight: number): Promise<void> => {
      while (mustWait(weight)) await new Promise<void>((resolve) => (goOn = resolve))
      inside += weight
    },
    leave: (weight: number): void => {
      inside -= weight
      goOn?.()
    },
  }
}

/** Runs work with the concurrency that the throttle admits. After a failure, no more work is started. */
export function createConcurrencyLimiter<Result>(context: LoadProbe) {
  const gate = createThrottle(context)
  const all: Promise<Result>[] = []
  let hasFailed = false
  return {
    /** Fulfilled when there is room for the next piece of work. */
    add: async (weight: number, work: () => Promise<Result>): Promise<void> => {
      await gate.enter(weight)
      if (hasFailed) return gate.leave(weight)
      const one = work()
      all.push(one)
      void one.catch(() => (hasFailed = true)).finally(() => gate.leave(weight))
    },
    /**
     * The results in order.
     * @throws the error of any failed work, once all work has ended
     */
    end: async (): Promise<readonly Result[]> => {
      await Promise.allSettled(all)
      return Promise.all(all)
    },
  }
}
