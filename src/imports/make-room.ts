// How work on files makes room for those who are being served: the more of them ask, the longer it rests.
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises'
import type { ImportContext } from './import-context.ts'

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

export type LoadProbe = Pick<ImportContext, 'servedWithin'>

export const isUnderLoad = ({ servedWithin }: LoadProbe): boolean => servedWithin(SERVING_MS)

export const isUnderHeavyLoad = ({ servedWithin }: LoadProbe): boolean => servedWithin(BUSY_MS)

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
