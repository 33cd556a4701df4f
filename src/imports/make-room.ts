// How work on files makes room for those who are being served: the more of them ask, the less is done at a time.
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises'
import type { ImportContext } from './import-context.ts'

/** How long orders are worked on before whoever asks over HTTP gets a turn. */
const WORK_MS_MAX = 2
/** Others are being served for so long after the last of them asked. */
const SERVING_MS = 100
/** Where somebody asked so short a time ago, many do. */
const BUSY_MS = 2
/** How long orders are worked on then, and how long the process does nothing but serve: until nobody new comes. */
const SERVING_WORK_MS_MAX = 0.5
const REST_MS = 2
const REST_MS_MAX = 16

export type IsServing = Pick<ImportContext, 'servedWithin'>

export const isServing = ({ servedWithin }: IsServing): boolean => servedWithin(SERVING_MS)

export const isBusy = ({ servedWithin }: IsServing): boolean => servedWithin(BUSY_MS)

/**
 * A pause that is taken only where one is due: as long as others have something to do, and while they are being served
 * a rest, in which they find the process and its database idle.
 */
export function createBreath(context: IsServing): () => Promise<void> | undefined {
  let since = performance.now()
  return () => {
    const worked = performance.now() - since
    if (worked < SERVING_WORK_MS_MAX || (worked < WORK_MS_MAX && !isServing(context))) return undefined
    return (isServing(context) ? rest(context) : turn()).then(() => {
      since = performance.now()
    })
  }
}

async function rest(context: IsServing): Promise<void> {
  const until = performance.now() + REST_MS_MAX
  do await sleep(REST_MS)
  while (isBusy(context) && performance.now() < until)
}
