// X1 to X5: what the network between the program and its database may do.
import { setTimeout as sleep } from 'node:timers/promises'
import { REQUEST_DATABASE_MS_MAX } from '../../src/config.ts'
import { waitingAddress } from '../command.ts'
import { exchange } from '../raw-http.ts'
import { ORDERS } from '../order-client.ts'
import { runRemoteCycles, type Remote } from './remote-program.ts'
import { longest, type Plan, type Trial } from './trial.ts'
import type { Window } from './window.ts'

const UNAVAILABLE_MS_MAX = 2_000
const SERVES_AGAIN_MS_MAX = 5_000
/** After the longest that a request may wait for the database, and a tenth. */
const ANSWER_MS_MAX = (REQUEST_DATABASE_MS_MAX * 11) / 10
/** A page that needs no database. */
const OPEN_PAGE = '/openapi.json'
const OPEN_PAGE_MS_MAX = 1_000
const WHILE_WAITING = [
  ['/livez', 'GET', 200],
  ['/readyz', 'GET', 503],
  [ORDERS, 'POST', 503],
] as const

/** Who asks while the program runs must be answered by HTTP, and in time. */
function judge({ client, add, timeFactor }: Remote, { times, errors }: Window, millisecondsMax: number): void {
  const slowest = longest(times)
  add('slowest answer, ms', slowest)
  if (slowest > millisecondsMax * timeFactor)
    client.fail(`An answer took ${slowest} ms, not ${millisecondsMax} at most`)
  for (const [code, count] of Object.entries(errors)) client.fail(`${count} requests had no answer: ${code}`)
}

async function servesAgain({ client, add, timeFactor }: Remote): Promise<void> {
  add('longest until it serves again, ms', await client.untilServed(SERVES_AGAIN_MS_MAX * timeFactor))
}

/** @param milliseconds how long the database is not there yet */
export const refusedAtStart = (plan: Plan, milliseconds: number): Promise<Trial> =>
  runRemoteCycles(plan, async (remote) => {
    const { proxy, client, restart, add } = remote
    await proxy.refuse()
    let acceptedAt = 0
    await restart(async (starting) => {
      const address = await waitingAddress(starting)
      const deadline = performance.now() + milliseconds
      while (performance.now() < deadline) {
        await judgeWaiting(remote, address)
        await sleep(50)
      }
      await proxy.accept()
      acceptedAt = performance.now()
    })
    add('longest start after the database is there, ms', performance.now() - acceptedAt)
    await client.untilServed(SERVES_AGAIN_MS_MAX * remote.timeFactor)
  })

/** It lives, is not ready, and takes no order. */
async function judgeWaiting({ client, add }: Remote, address: string): Promise<void> {
  for (const [path, method, expected] of WHILE_WAITING) {
    const askedAt = performance.now()
    const { status, headers } = await exchange(address, path, { method })
    add('slowest answer while it waits, ms', performance.now() - askedAt)
    if (status !== expected) client.fail(`Without a database, ${path} was answered ${status}`)
    if (status === 503 && headers['retry-after'] === undefined) client.fail('A 503 came without Retry-After')
  }
}

/** @param milliseconds how long the database is away */
export const refused = (plan: Plan, milliseconds: number): Promise<Trial> =>
  runRemoteCycles(plan, async (remote) => {
    const { proxy, client, writers } = remote
    const load = client.load(writers)
    const before = await acceptedIn(remote, BEFORE_MS)
    await proxy.refuse()
    await sleep(milliseconds)
    await proxy.accept()
    const returnedAt = performance.now()
    judge(remote, client.window(), UNAVAILABLE_MS_MAX)
    await servesAgain(remote)
    await acceptsAsBefore(remote, (before * SLICE_MS) / BEFORE_MS, returnedAt, AS_BEFORE_MS_MAX * plan.timeFactor)
    await load.stop()
  })

const BEFORE_MS = 2_000
const SLICE_MS = 500
/** Of two seconds without any fault one has that much less than the other, too. */
const AS_BEFORE = 0.9
const AS_BEFORE_MS_MAX = 5_000

async function acceptedIn({ client }: Remote, milliseconds: number): Promise<number> {
  client.window()
  await sleep(milliseconds)
  return client.window().statuses[200] ?? 0
}

/** @param inSlice how many were accepted before in as long as a slice is */
async function acceptsAsBefore(remote: Remote, inSlice: number, since: number, msMax: number): Promise<void> {
  const { add, client } = remote
  let most = 0
  while (most < AS_BEFORE * inSlice) {
    if (performance.now() - since > msMax)
      return client.fail(`Of ${inSlice} orders accepted before, ${most} were at most, ${msMax} ms after its return`)
    most = Math.max(most, await acceptedIn(remote, SLICE_MS))
  }
  add('longest until nine tenths as many are accepted as before, ms', performance.now() - since)
}

/** A fault for a while under load, with a page that needs no database asked for all the time. */
async function under(remote: Remote, milliseconds: number, begin: () => void, slowestMax: number): Promise<void> {
  const { proxy, client, writers, timeFactor, get, add } = remote
  const load = client.load(writers)
  await sleep(300)
  client.window()
  begin()
  const deadline = performance.now() + milliseconds
  while (performance.now() < deadline) {
    const askedAt = performance.now()
    const { status } = await get(OPEN_PAGE)
    const took = performance.now() - askedAt
    add('slowest page that needs no database, ms', took)
    if (status !== 200 || took > OPEN_PAGE_MS_MAX * timeFactor)
      client.fail(`${OPEN_PAGE} was answered ${status} after ${took} ms`)
    await sleep(50)
  }
  proxy.set({ kind: 'none' })
  await load.stop()
  judge(remote, client.window(), slowestMax)
  await servesAgain(remote)
}

/** Half a second for each piece, then 5 s, then 2 kB a second. */
export const slow = (plan: Plan, milliseconds: number): Promise<Trial> =>
  runRemoteCycles(plan, async (remote, at) => {
    const { proxy } = remote
    const faults = [
      { kind: 'delay', milliseconds: 500 },
      { kind: 'trickle', bytesPerSecond: 2_000 },
      { kind: 'delay', milliseconds: 5_000 },
    ] as const
    await under(remote, milliseconds, () => proxy.set(faults[(at - 1) % faults.length]!), ANSWER_MS_MAX)
  })

export const broken = (plan: Plan): Promise<Trial> =>
  runRemoteCycles(plan, async (remote, at) => {
    const { proxy, add } = remote
    const shares = [0.01, 0.05, 0.2]
    const before = proxy.struck()
    const share = shares[Math.floor((at - 1) / 2) % shares.length]!
    const kind = at % 2 === 0 ? ('reset' as const) : ('reset-after-commit' as const)
    await under(remote, 1_500, () => proxy.set({ kind, share }), UNAVAILABLE_MS_MAX)
    add('connections broken in a cycle', proxy.struck() - before)
  })

export const swallowed = (plan: Plan): Promise<Trial> =>
  runRemoteCycles(plan, async (remote) => {
    const begin = () => {
      remote.proxy.set({ kind: 'black-hole' })
    }
    await under(remote, 3_000, begin, ANSWER_MS_MAX)
  })
