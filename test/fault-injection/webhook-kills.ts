// W1: the program with two workers, killed while it sends webhooks to a receiver that fails at random.
import { setTimeout as sleep } from 'node:timers/promises'
import { randomFrom, type Random } from '../../scripts/random-orders.ts'
import { until } from '../command.ts'
import type { Json } from '../document-check.ts'
import { exchange } from '../raw-http.ts'
import { laptop, orderOf } from '../receipt-client.ts'
import { acceptedIds, outOfOrder, startReceiver, type Receiver } from '../webhook-receiver.ts'
import { startOwnProgram } from './own-program.ts'
import type { OwnProgram } from './programs.ts'
import { longest, type Plan, type Trial } from './trial.ts'

const WORKERS = 2
const ORDERS_PER_CYCLE = 6
const FAILING_SHARE = 0.3
const SENT_MS_MAX = 120_000

export async function killWhileSending({ seed, cycles, loadMsMax, timeFactor, report, shared }: Plan): Promise<Trial> {
  const random = randomFrom(seed)
  const program = await (shared ? shared.own(WORKERS) : startOwnProgram({ workers: WORKERS }))
  const receiver = await startReceiver(() => ({ status: random() < FAILING_SHARE ? 500 : 204 }))
  const failures = new Set<string>()
  let acknowledged = 0
  const starts: number[] = []
  try {
    const made = await send(program, 'POST', '/api/webhooks', { url: receiver.url })
    receiver.secrets.push(String(made['secret']))
    // What other trials recorded before is not sent.
    const [begin] = (await readFeed(program, '')).slice(-1)
    for (let cycle = 0; cycle < cycles; cycle += 1) {
      const posting = postOrders(program, `${seed}-${cycle}`)
      await sleep(random() * loadMsMax)
      await program.end('SIGKILL')
      starts.push(await program.start())
      await endLeases(program)
      acknowledged += await posting
      await untilSent(program, receiver, begin!.next, random, SENT_MS_MAX * timeFactor)
      for (const failure of await check(program, receiver, begin!.next)) failures.add(failure)
      report(cycle + 1)
    }
    await send(program, 'DELETE', `/api/webhooks/${String(made['webhook_id'])}`)
  } finally {
    await receiver.stop()
    if (!shared) await program.close()
  }
  return {
    cycles,
    counts: { acknowledged, refused: 0, retried: 0, files: 0 },
    failures: [...failures],
    measures: {
      events: acceptedIds(receiver).size,
      requests: receiver.received.length,
      'slowest start, ms': longest(starts),
    },
  }
}

/** Sends again until it is answered: what was stored before the program was killed is answered as at first. */
async function send(program: OwnProgram, method: string, path: string, body?: Json): Promise<Json> {
  for (;;) {
    const { address, key } = program.target()
    const headers = { 'x-api-key': key, 'content-type': 'application/json' }
    const answer = await exchange(address, path, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    }).catch(() => null)
    if (answer?.status === 200) return JSON.parse(answer.text) as Json
    if (answer && answer.status !== 503) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`)
    await sleep(20)
  }
}

async function postOrders(program: OwnProgram, name: string): Promise<number> {
  await Promise.all(
    Array.from({ length: ORDERS_PER_CYCLE }, async (_, at) => {
      const id = `${name}-${at}`
      await send(program, 'POST', '/api/customer-orders', orderOf('w', id, '2025-01-01', [laptop(`W1-${id}`, 24)]))
      const events = `/api/customer-orders/w/${id}/events`
      await send(program, 'POST', events, { event_id: `${id}-1`, type: 'returned', date: '2025-05-01' })
      await send(program, 'POST', events, { event_id: `${id}-2`, type: 'withdrawn', withdraws: `${id}-1` })
    }),
  )
  return 3 * ORDERS_PER_CYCLE
}

/** Nobody waits for the leases of a program that is gone. */
async function endLeases(program: OwnProgram): Promise<void> {
  await program.withPool(async (pool) => {
    await pool.query(
      `update webhook_deliveries set lease_until = '-infinity'
      where state = 'waiting' and split_part(lease_owner, ' ', 2)::integer <> all ($1)`,
      [program.workerPids()],
    )
  })
}

/** Nobody waits for the next attempt, or for the end of a pause. */
async function untilSent(
  program: OwnProgram,
  receiver: Receiver,
  begin: string,
  random: Random,
  ms: number,
): Promise<void> {
  await until(
    async () => {
      await program.withPool(async (pool) => {
        await pool.query(`update webhooks set paused_until = '-infinity', failures_in_a_row = 0`)
        await pool.query(
          `update webhook_deliveries set next_attempt_at = now(), attempts = least(attempts, 5)
          where state = 'waiting' and lease_until < now()`,
        )
      })
      await sleep(50 + random() * 100)
      return missingIn(idsOf(await readFeed(program, begin)), receiver).length === 0
    },
    () => `${receiver.received.length} requests arrived, and some events did not`,
    ms,
  )
}

interface Page {
  readonly ids: readonly string[]
  readonly next: string
}

/** The pages of the feed after a cursor. */
async function readFeed(program: OwnProgram, begin: string): Promise<readonly Page[]> {
  const pages: Page[] = []
  for (let after = begin; ;) {
    const page = await send(program, 'GET', `/api/events?limit=500${after && `&after=${after}`}`)
    after = page['next'] as string
    pages.push({ ids: (page['events'] as readonly Json[]).map(({ id }) => String(id)), next: after })
    if (page['has_more'] !== true) return pages
  }
}

const idsOf = (pages: readonly Page[]): readonly string[] => pages.flatMap(({ ids }) => ids)

function missingIn(ids: readonly string[], receiver: Receiver): readonly string[] {
  const accepted = acceptedIds(receiver)
  return ids.filter((id) => !accepted.has(id))
}

async function check(program: OwnProgram, receiver: Receiver, begin: string): Promise<readonly string[]> {
  const ids = idsOf(await readFeed(program, begin))
  const known = new Set(ids)
  const failures = [...outOfOrder(receiver)]
  if (known.size !== ids.length) failures.push('The feed has an event twice')
  for (const [id, own] of Map.groupBy(receiver.received, (one) => one.id)) {
    if (!known.has(id)) failures.push(`${id} was sent, and is not in the feed`)
    if (own.some(({ body }) => body !== own[0]!.body)) failures.push(`${id} was sent with different bodies`)
    if (own.some(({ status }) => status === 401)) failures.push(`${id} was sent with a wrong signature`)
  }
  return failures
}
