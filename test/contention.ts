// Many writers on a few devices, from two processes at once: what they are answered, how fast, and what closes.
import type { Pool } from 'pg'
import { serve } from './command.ts'
import { checkCloses, checkOrders } from './contention-check.ts'
import { closeConnections, exchange, type Answer } from './raw-http.ts'

const SERIALS = ['contended-0', 'contended-1', 'contended-2', 'contended-3', 'contended-4']

export interface Contest {
  readonly databaseUrl: string
  readonly writers: number
  /** Writers of orders on devices of their own: half of them on a known one, half on a new one each time. */
  readonly bystanders: number
  /** How long the bystanders write alone at first, in seconds, to compare with. */
  readonly quietSeconds: number
  readonly seconds: number
}

export interface Latency {
  readonly count: number
  /** Milliseconds. */
  readonly p50: number
  readonly p99: number
  readonly longest: number
}

/** Orders on other devices. */
export interface Beside {
  readonly ofKnown: Latency
  readonly ofNew: Latency
}

export interface Outcome {
  /** How often each status was answered, by what was asked. */
  readonly statuses: Readonly<Record<string, number>>
  readonly failures: readonly string[]
  readonly contended: Latency
  readonly quiet: Beside
  readonly beside: Beside
  /** Answers to the writers in each second. */
  readonly perSecond: readonly number[]
  /** Entries in the ledgers of the contended devices, at the end. */
  readonly entries: readonly number[]
}

interface Accepted {
  readonly id: string
  readonly serials: readonly string[]
  readonly start: string
}

interface Course {
  deadline: number
  startedAt: number
  readonly key: string
  readonly statuses: Map<string, number>
  readonly failures: string[]
  readonly perSecond: number[]
  /** Orders on the contended devices that were accepted. */
  readonly orders: Accepted[]
}

/** Uniform whole numbers below a limit, the same for the same seed. */
function drawsOf(seed: number): (limit: number) => number {
  let state = seed >>> 0
  return (limit) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
}

const daysAfter = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10)

/** A day of four years. */
const dayOf = (draw: (limit: number) => number): string => daysAfter('2024-01-01', draw(4 * 365))

/** Runs the contest on a database of its own. @throws AssertionError where a device does not close afterwards */
export async function contend(pool: Pool, contest: Contest): Promise<Outcome> {
  const environment = { DATABASE_URL: contest.databaseUrl }
  const first = await serve(environment)
  const second = await serve(environment)
  try {
    const key = /cradle_[0-9A-Za-z]{38}/.exec(first.printed)![0]
    return await contendOn(pool, contest, [first.address, second.address], key)
  } finally {
    closeConnections()
    await Promise.all([first.end('SIGTERM'), second.end('SIGTERM')])
  }
}

async function contendOn(pool: Pool, contest: Contest, addresses: readonly string[], key: string): Promise<Outcome> {
  const { writers, bystanders, seconds, quietSeconds } = contest
  const course: Course = {
    startedAt: 0,
    deadline: 0,
    key,
    statuses: new Map(),
    failures: [],
    perSecond: [],
    orders: [],
  }
  const run = async (count: number, write: (address: string, writer: number) => Promise<readonly number[]>) => {
    const each = Array.from({ length: count }, (_, at) => write(addresses[at % addresses.length]!, at))
    return latencyOf((await Promise.all(each)).flat())
  }
  const runBeside = async (name: string): Promise<Beside> => {
    const [ofKnown, ofNew] = await Promise.all([
      run(bystanders / 2, (address, writer) => writeBeside(course, address, `${name}-known-${writer}`, true)),
      run(bystanders / 2, (address, writer) => writeBeside(course, address, `${name}-new-${writer}`, false)),
    ])
    return { ofKnown, ofNew }
  }
  course.deadline = performance.now() + quietSeconds * 1000
  const quiet = await runBeside('quiet')
  course.startedAt = performance.now()
  course.deadline = course.startedAt + seconds * 1000
  const [contended, beside] = await Promise.all([
    run(writers, (address, writer) => writeContended(course, address, writer)),
    runBeside('beside'),
  ])
  const entries = await Promise.all(SERIALS.map((serial) => checkCloses(pool, { address: addresses[0]!, key }, serial)))
  await checkOrders(
    pool,
    { address: addresses[1]!, key },
    course.orders.map(({ id }) => id),
  )
  const statuses = Object.fromEntries([...course.statuses].sort())
  const { failures, perSecond } = course
  return { statuses, failures, contended, quiet, beside, perSecond: Array.from(perSecond, (n) => n ?? 0), entries }
}

async function writeContended(course: Course, address: string, writer: number): Promise<readonly number[]> {
  const draw = drawsOf(writer + 1)
  const times: number[] = []
  for (let turn = 0; performance.now() < course.deadline; turn += 1) {
    const sentAt = performance.now()
    const name = `w${writer}-${turn}`
    const isEvent = course.orders.length > 0 && draw(10) < 3
    if (isEvent) await sendEvent(course, address, name, draw)
    else {
      const count = 1 + draw(2)
      const from = draw(SERIALS.length)
      const serials = Array.from({ length: count }, (_, at) => SERIALS[(from + at * (1 + draw(4))) % SERIALS.length]!)
      await sendOrder(course, address, name, [...new Set(serials)], draw)
    }
    const now = performance.now()
    times.push(now - sentAt)
    const second = Math.floor((now - course.startedAt) / 1000)
    course.perSecond[second] = (course.perSecond[second] ?? 0) + 1
  }
  return times
}

async function writeBeside(
  course: Course,
  address: string,
  name: string,
  isKnown: boolean,
): Promise<readonly number[]> {
  const draw = drawsOf(name.length)
  const times: number[] = []
  for (let turn = 0; performance.now() < course.deadline; turn += 1) {
    // A known device changes now and then, or its own ledger would grow like the contended ones.
    const serial = `${name}-${isKnown ? turn - (turn % 10) : turn}`
    const sentAt = performance.now()
    await sendOrder(course, address, `${name}-${turn}`, [serial], draw, 'order beside')
    times.push(performance.now() - sentAt)
  }
  return times
}

function latencyOf(times: readonly number[]): Latency {
  const inTurn = times.toSorted((a, b) => a - b)
  const part = (share: number) => inTurn[Math.min(inTurn.length - 1, Math.floor(inTurn.length * share))] ?? 0
  return { count: times.length, p50: part(0.5), p99: part(0.99), longest: part(1) }
}

async function sendOrder(
  course: Course,
  address: string,
  orderId: string,
  serials: readonly string[],
  draw: (limit: number) => number,
  what = 'order',
): Promise<void> {
  const items = serials.map((serial) => ({
    type: 'product',
    config: {
      product_id: 'apple-macbook-air-13-m3-256gb',
      serial_number: serial,
      tenure_months: draw(4),
      weight_kg: 1.24,
    },
  }))
  const tenure_start_date = dayOf(draw)
  const body = { customer_id: 'customer', order_id: orderId, order_date: '2023-12-12', tenure_start_date, items }
  const answer = await send(course, address, '/api/customer-orders', body)
  note(course, what, answer, [200])
  if (!(answer instanceof Error) && answer.status === 200 && what === 'order')
    course.orders.push({ id: orderId, serials, start: tenure_start_date })
}

async function sendEvent(course: Course, address: string, id: string, draw: (limit: number) => number): Promise<void> {
  if (draw(10) === 0) {
    const serial = SERIALS[draw(SERIALS.length)]!
    const date = dayOf(draw)
    const body = { event_id: id, type: 'refurbished', date, emission_kg: 5, lifetime_months_added: 6 }
    return note(course, 'device event', await send(course, address, `/api/devices/${serial}/events`, body), [200])
  }
  const { id: orderId, serials, start } = course.orders[draw(course.orders.length)]!
  const serial_number = serials[0]!
  const date = daysAfter(start, draw(60))
  const kinds: readonly ({ readonly type: string } & Readonly<Record<string, unknown>>)[] = [
    { type: 'returned', serial_number, date },
    { type: 'cancelled', date: '2023-12-20' },
    { type: 'extended', tenure_months: 1 + draw(6) },
    { type: 'swapped', serial_number, date, new_serial_number: SERIALS[draw(SERIALS.length)]!, weight_kg: 1.24 },
  ]
  const body = { event_id: id, ...kinds[draw(kinds.length)]! }
  const answer = await send(course, address, `/api/customer-orders/customer/${orderId}/events`, body)
  // Whether another order or an event was quicker to take the device is for the service to say.
  note(course, 'order event', answer, [200, 409])
}

async function send(course: Course, address: string, path: string, body: unknown): Promise<Answer | Error> {
  const headers = { 'x-api-key': course.key, 'content-type': 'application/json' }
  const sent = { method: 'POST', headers, body: JSON.stringify(body) }
  return exchange(address, path, sent).catch((error: unknown) => error as Error)
}

function note(course: Course, what: string, answer: Answer | Error, expected: readonly number[]): void {
  const status = answer instanceof Error ? 'no answer' : String(answer.status)
  const name = `${what}: ${status}`
  course.statuses.set(name, (course.statuses.get(name) ?? 0) + 1)
  if (!(answer instanceof Error) && expected.includes(answer.status)) return
  course.failures.push(`${name}: ${answer instanceof Error ? answer.message : answer.text.slice(0, 300)}`)
}
