// Limits the work of an import: how much of a file is in flight, and pauses while requests are served.
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises'
import { rowBytes, type FileOrder } from '../spreadsheets/file-order.ts'
import type { ImportContext } from './context.ts'

/** How long orders are worked on before whoever asks over HTTP gets a turn. */
const WORK_MS_MAX = 2
/** Others are being served for so long after the last of them asked. */
const SERVING_MS = 100
/** Where somebody asked so short a time ago, many do. */
const BUSY_MS = 2
/** While others are being served, orders are worked on for so long, and then the process rests. */
const SERVING_WORK_MS_MAX = 0.5
const REST_MS = 2
/** As long as many ask it rests on, up to so long in all. */
const REST_MS_MAX = 16

type LoadProbe = Pick<ImportContext, 'servedWithin'>

const isUnderLoad = ({ servedWithin }: LoadProbe): boolean => servedWithin(SERVING_MS)

const isUnderHeavyLoad = ({ servedWithin }: LoadProbe): boolean => servedWithin(BUSY_MS)

/**
 * A pause that is taken only where one is due: as long as others have something to do, and while they are being served
 * a rest, in which they find the process and its database idle.
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

/** An order weighs something by itself, whatever stands in its rows. */
const ORDER_WEIGHT = 500

export const orderBytes = ({ rows }: FileOrder): number =>
  rows.reduce((weight, row) => weight + rowBytes(row), ORDER_WEIGHT)

/** On its way to the database at once: some 600 small orders, which fill the trips under way, and one that waits. */
const WEIGHT_MAX = 900_000
/** While others are being served: a short trip, and nothing until it is back. */
const SERVING_WEIGHT_MAX = 32_000
/** While one after the other is: a few orders. */
const BUSY_WEIGHT_MAX = 8_000

/** Lets in so much at once, and whatever is alone; one after the other asks to be let in. */
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

/** Work under way, as much at once as the gate lets in. Where some of it fails, nothing more begins. */
export function createConcurrencyLimiter<Result>(context: LoadProbe) {
  const gate = createThrottle(context)
  const all: Promise<Result>[] = []
  let hasFailed = false
  return {
    /** Fulfilled when there is room for the next. */
    add: async (weight: number, work: () => Promise<Result>): Promise<void> => {
      await gate.enter(weight)
      if (hasFailed) return gate.leave(weight)
      const one = work()
      all.push(one)
      void one.catch(() => (hasFailed = true)).finally(() => gate.leave(weight))
    },
    /**
     * What came of each, in their sequence.
     * @throws what any of it failed with, once all of it has ended
     */
    end: async (): Promise<readonly Result[]> => {
      await Promise.allSettled(all)
      return Promise.all(all)
    },
  }
}
