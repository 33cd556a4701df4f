// R1: two databases, of which the second follows the first one and takes over when all of its processes are killed.
import { setTimeout as sleep } from 'node:timers/promises'
import { randomFrom } from '../../scripts/random-orders.ts'
import { createPool } from '../../src/postgres/pool.ts'
import { serve } from '../command.ts'
import { closeConnections } from '../raw-http.ts'
import {
  askServer,
  commitOnBoth,
  promote,
  removePlaced,
  socketOf,
  startPlaced,
  startReplica,
  type PlacedServer,
} from '../replica-server.ts'
import { shippedReferenceData } from '../shipped-book.ts'
import { startFaultProxy, type FaultProxy } from './fault-proxy.ts'
import { createOrderClient, type OrderClient } from './order-client.ts'
import { momentOf } from './own-cycles.ts'
import { familyOf, killIfThere } from './own-program.ts'
import { urlOf } from './remote-program.ts'
import { longest, type Plan, type Trial } from './trial.ts'

/** With the promotion, for which a program that watches over the servers needs a few seconds more. */
const BACK_MS_MAX = 10_000
/** As long as nothing answers at the address: what waits for a connection gives up earlier. */
const UNAVAILABLE_MS_MAX = 4_000

/** The program keeps its address of the database: what stands before both leads to the one that writes. */
export async function failOver(plan: Plan): Promise<Trial> {
  let first = await startPlaced()
  const proxy = await startFaultProxy(socketOf(first.server.connection), randomFrom(plan.seed))
  const serving = await serve({ DATABASE_URL: urlOf(first.server.connection, proxy.port) })
  const key = /cradle_[0-9A-Za-z]{38}/.exec(serving.printed)![0]
  const client = createOrderClient(
    () => ({ address: serving.address, key }),
    shippedReferenceData().referenceData,
    plan.seed,
  )
  const random = randomFrom(plan.seed)
  const times: number[] = []
  const slowest: number[] = []
  try {
    for (let at = 1; at <= plan.cycles; at += 1) {
      const second = await startReplica(first)
      await commitOnBoth(first)
      const load = client.load(plan.writers)
      await sleep(momentOf(random, plan.loadMsMax))
      client.window()
      const resume = at % 2 === 1 ? await silence(second) : () => undefined
      await sleep(random() * 500)
      times.push(await takeOver({ first, second, proxy, client, resume }, plan.timeFactor))
      await load.stop()
      slowest.push(judge(client, plan.timeFactor))
      first = second
      if (serving.child.exitCode !== null) client.fail('The program ended')
      await checkOn(first, (pool) => client.checkRound(pool))
      plan.report(at)
    }
    await checkOn(first, (pool) => client.checkAll(pool))
  } finally {
    await serving.end('SIGTERM')
    closeConnections()
    await proxy.refuse()
    await removePlaced(first)
  }
  const measures = {
    'longest until it serves again, ms': longest(times),
    'slowest answer, ms': longest(slowest),
  }
  return { cycles: plan.cycles, counts: client.counts(), failures: client.failures, measures }
}

interface Stage {
  readonly first: PlacedServer
  readonly second: PlacedServer
  readonly proxy: FaultProxy
  readonly client: OrderClient
  readonly resume: () => void
}

/** The second one hears nothing more: what is committed on the first one alone must not be acknowledged. */
async function silence({ server }: PlacedServer): Promise<() => void> {
  const [receiver] = await askServer<{ readonly pid: number }>(
    server.connection,
    'select pid from pg_stat_wal_receiver',
  )
  process.kill(receiver!.pid, 'SIGSTOP')
  return () => void process.kill(receiver!.pid, 'SIGCONT')
}

/** @returns milliseconds from the kill until orders are accepted again */
async function takeOver({ first, second, proxy, client, resume }: Stage, timeFactor: number): Promise<number> {
  const killedAt = performance.now()
  for (const pid of familyOf(first.server.pid!)) killIfThere(pid)
  // Before anything else: nobody may start it again and write to it while the other one writes.
  const gone = removePlaced(first)
  resume()
  await promote(second)
  proxy.aim(socketOf(second.server.connection))
  await client.untilServed(BACK_MS_MAX * timeFactor)
  const took = performance.now() - killedAt
  await gone
  return took
}

/** Who asks meanwhile is answered by HTTP, and in time. @returns milliseconds of the slowest answer */
function judge(client: OrderClient, timeFactor: number): number {
  const { times, errors } = client.window()
  const slowest = longest(times)
  if (slowest > UNAVAILABLE_MS_MAX * timeFactor) client.fail(`An answer took ${slowest} ms`)
  for (const [code, count] of Object.entries(errors)) client.fail(`${count} requests had no answer: ${code}`)
  return slowest
}

async function checkOn(
  { server }: PlacedServer,
  check: (pool: ReturnType<typeof createPool>) => Promise<void>,
): Promise<void> {
  const pool = createPool(server.connection, { connectionsMax: 4 }, () => undefined)
  try {
    await check(pool)
  } finally {
    await pool.end()
  }
}
