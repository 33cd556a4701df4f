// Another account beside hostile files: it posts orders and asks whether the service lives, a few times a second, and
// notes how long that takes.
import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { detectionProcessesOf, importProcessesOf, memoryMbOf } from '../bench/process-clock.ts'
import { orderBody, ORDERS_PATH, type OrderNames } from '../bench/bench-order.ts'
import { NUMBER_MARK } from '../bench/load-plan.ts'

export interface Noticed {
  /** Longest times of an answer, in milliseconds. */
  readonly liveMs: number
  readonly orderMs: number
  readonly asked: number
  readonly failures: number
  /** At its highest: of the serving process, and of the largest of those that read files. */
  readonly memoryMb: number
  readonly readerMb: number
}

export interface Neighbour {
  /** Forgets what it noted. */
  readonly begin: () => void
  readonly noticed: () => Noticed
  readonly stop: () => Promise<void>
}

const EVERY_MS = 50
const ANSWER_MS_MAX = 30_000

export interface Neighbourhood {
  readonly port: number
  readonly pid: number
  readonly key: string
  readonly names: OrderNames
}

export function startNeighbour({ port, pid, key, names }: Neighbourhood): Neighbour {
  const nothing = (): Noticed => ({ liveMs: 0, orderMs: 0, asked: 0, failures: 0, memoryMb: 0, readerMb: 0 })
  let noted = nothing()
  let isStopping = false
  let orders = 0
  const body = orderBody(names)
  const note = (name: 'liveMs' | 'orderMs', ms: number | null): void => {
    noted = {
      ...noted,
      asked: noted.asked + 1,
      failures: noted.failures + (ms === null ? 1 : 0),
      ...(ms !== null && { [name]: Math.max(noted[name], ms) }),
    }
  }
  const repeat = async (work: () => Promise<void>): Promise<void> => {
    while (!isStopping) {
      await work()
      await sleep(EVERY_MS)
    }
  }
  const post = () => timeOf(port, ORDERS_PATH, 'POST', key, body.replaceAll(NUMBER_MARK, `neighbour-${(orders += 1)}`))
  const loops = [
    repeat(async () => note('liveMs', await timeOf(port, '/livez', 'GET', key, null))),
    repeat(async () => note('orderMs', await post())),
    repeat(() => {
      const readers = [...detectionProcessesOf(pid), ...importProcessesOf(pid)]
      noted = {
        ...noted,
        memoryMb: Math.max(noted.memoryMb, memoryNow(pid)),
        readerMb: Math.max(noted.readerMb, ...readers.map(memoryNow)),
      }
      return Promise.resolve()
    }),
  ]
  return {
    begin: () => void (noted = nothing()),
    noticed: () => noted,
    stop: async () => {
      isStopping = true
      await Promise.all(loops)
    },
  }
}

/** Zero once a process is gone. */
function memoryNow(pid: number): number {
  try {
    return memoryMbOf(pid).now
  } catch {
    return 0
  }
}

/** Milliseconds until the whole answer is there; null where it is not what it is to be. */
function timeOf(port: number, path: string, method: string, key: string, body: string | null): Promise<number | null> {
  const askedAt = performance.now()
  return new Promise((resolve) => {
    const headers = { 'x-api-key': key, ...(body !== null && { 'content-type': 'application/json' }) }
    const asked = request({ host: '127.0.0.1', port, path, method, headers, timeout: ANSWER_MS_MAX })
    asked.on('timeout', () => asked.destroy())
    asked.on('error', () => resolve(null))
    asked.on('response', (response) => {
      response.resume()
      response.on('error', () => resolve(null))
      response.on('end', () => resolve(response.statusCode === 200 ? performance.now() - askedAt : null))
    })
    asked.end(body ?? undefined)
  })
}
