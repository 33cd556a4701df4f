// Three processes on one PostgreSQL behind a balancer of connections: each answers as if it were the only one.
import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import { verifyAll } from '../src/cli/verify.ts'
import { revokeKey } from '../src/postgres/api-keys.ts'
import { createKey, ensureAccount } from '../src/postgres/accounts.ts'
import { startBalancer, type Balancer } from './balancer.ts'
import { serve, trueAfter, type Serving } from './command.ts'
import { urlOf } from './database-url.ts'
import type { Json } from './document-check.ts'
import { closeConnections, exchange, type Answer, type Sent } from './raw-http.ts'
import { durableDatabase, type FreshDatabase } from './fresh-database.ts'
import { ORDERS, order } from './order-client.ts'
import type { Statement } from '../src/statements/statement.ts'
import { verifyStatement } from '../src/statements/verify-statement.ts'

const PROCESSES = 3
/** What a revoked key or an old mapping may go on working. */
const KNOWN_MS_MAX = 1_000
const REQUESTS_PER_SECOND = 200

let database: FreshDatabase
let processes: readonly Serving[]
let key = ''
let balancer: Balancer

before(async () => {
  database = await durableDatabase()
  const environment = {
    DATABASE_URL: urlOf(database.connection),
    CRADLE_KEY_REQUESTS_PER_SECOND: String(REQUESTS_PER_SECOND),
  }
  processes = await Promise.all(Array.from({ length: PROCESSES }, () => serve(environment)))
  balancer = await startBalancer(processes.map(({ address }) => address))
  const { accountId } = await ensureAccount(database.pool, 'acme')
  key = await createKey(database.pool, accountId, ['orders:write', 'orders:read', 'catalogue:read'], null)
})

after(async () => {
  closeConnections()
  await balancer.stop()
  await Promise.all(processes.map(({ end }) => end('SIGTERM')))
})

const askAt = (address: string, path: string, sent: Sent = {}, own = key): Promise<Answer> =>
  exchange(address, path, { ...sent, headers: { 'x-api-key': own, ...sent.headers } })

const askOf = (at: number, path: string, sent?: Sent, own?: string): Promise<Answer> =>
  askAt(processes[at]!.address, path, sent, own)

/** Whichever process the balancer has it go to. */
const ask = (path: string, sent: Sent): Promise<Answer> => askAt(balancer.address, path, sent)

const sentAs = (method: string, body: unknown): Sent => ({
  method,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})
const post = (one: Json): Promise<Answer> => ask(ORDERS, sentAs('POST', one))
const everywhere = <Each>(work: (at: number) => Promise<Each>): Promise<readonly Each[]> =>
  Promise.all(processes.map((_, at) => work(at)))

const statusesOf = (answers: readonly Answer[]): readonly number[] => answers.map(({ status }) => status)

test('three processes that start on an empty database at once make its schema and its first key once', async () => {
  const keys = processes.flatMap(({ printed }) => new Set(printed.match(/cradle_[0-9A-Za-z]{38}/g) ?? []).size)
  assert.deepEqual(keys.toSorted(), [0, 0, 1])
  assert.deepEqual(statusesOf(await everywhere((at) => askOf(at, '/readyz'))), [200, 200, 200])
})

test('a key works in every process at once, and once revoked in none of them within a second', async () => {
  const { accountId } = await ensureAccount(database.pool, 'acme')
  const own = await createKey(database.pool, accountId, ['catalogue:read'], null)
  const statuses = async () => statusesOf(await everywhere((at) => askOf(at, '/api/packagings', {}, own)))
  assert.deepEqual(await statuses(), [200, 200, 200])
  const { rows } = await database.pool.query<{ key_id: number }>('select max(key_id) as key_id from api_keys')
  assert.equal(await revokeKey(database.pool, rows[0]!.key_id, false), 'revoked')
  const isRefused = async () => (await statuses()).every((status) => status === 401)
  await trueAfter(KNOWN_MS_MAX, isRefused, 'a revoked key works for more than a second')
})

test('an order sent to all processes at once is stored once, and each of them answers the same bytes', async () => {
  const one = order('replay', 'once', ['replay-1', 'replay-2'])
  const answers = await everywhere((at) => askOf(at, ORDERS, sentAs('POST', one)))
  assert.deepEqual(statusesOf(answers), [200, 200, 200])
  assert.equal(new Set(answers.map(({ text }) => text)).size, 1)
  assert.equal(answers.filter(({ headers }) => headers['idempotent-replayed'] === 'true').length, PROCESSES - 1)
  const other = { ...one, tenure_start_date: '2025-03-01' }
  assert.deepEqual(statusesOf(await everywhere((at) => askOf(at, ORDERS, sentAs('POST', other)))), [409, 409, 409])
})

test('of three orders of one identity that differ, sent to all processes at once, one is stored', async () => {
  for (let round = 0; round < 5; round += 1) {
    const answers = await everywhere((at) =>
      askOf(at, ORDERS, sentAs('POST', order('conflict', `order-${round}`, [`conflict-${round}-${at}`]))),
    )
    assert.deepEqual(statusesOf(answers).toSorted(), [200, 409, 409])
  }
})

test('an event told to all processes at once is known once, and another one of its id is refused by each', async () => {
  assert.equal((await post(order('told', 'one', ['told-1']))).status, 200)
  const tell = (at: number, date: string) => {
    const event = { event_id: 'back', type: 'returned', date, serial_number: 'told-1' }
    return askOf(at, `${ORDERS}/told/one/events`, sentAs('POST', event))
  }
  const answers = await everywhere((at) => tell(at, '2025-06-01'))
  assert.deepEqual(statusesOf(answers), [200, 200, 200])
  assert.equal(new Set(answers.map(({ text }) => text)).size, 1)
  assert.deepEqual(statusesOf(await everywhere((at) => tell(at, '2025-06-02'))), [409, 409, 409])
})

test('orders and events of one device, spread over the processes, make one ledger that closes', async () => {
  const serial = 'ledger-1'
  const orders = Array.from({ length: 24 }, (_, at) =>
    order('ledger', `order-${at}`, [serial], { tenure_start_date: `20${25 + (at % 8)}-02-01` }),
  )
  assert.deepEqual(new Set(statusesOf(await Promise.all(orders.map(post)))), new Set([200]))
  const events = orders.slice(0, 12).map(({ order_id }) => {
    const event = { event_id: `back-${String(order_id)}`, type: 'cancelled', date: '2025-01-20' }
    return ask(`${ORDERS}/ledger/${String(order_id)}/events`, sentAs('POST', event))
  })
  assert.deepEqual(new Set(statusesOf(await Promise.all(events))), new Set([200]))
  assert.ok(
    balancer.taken.every((connections) => connections > 0),
    String(balancer.taken),
  )
  const path = `/api/device-emissions/${serial}?include=history&include=entries`
  const ledgers = await everywhere((at) => askOf(at, path))
  assert.equal(new Set(ledgers.map(({ text }) => text)).size, 1)
  const { rows } = await database.pool.query<{ posted: bigint; entries: bigint }>(
    `select allocated_mg as posted, (select sum(embodied_mg)::bigint from entries where serial_number = $1) as entries
      from devices where serial_number = $1`,
    [serial],
  )
  assert.equal(rows[0]!.posted, rows[0]!.entries)
})

test('statements of processes whose clocks differ by an hour are sound, and of the time of the database', async () => {
  assert.equal((await post(order('stated', 'first', ['stated-1']))).status, 200)
  for (const [at, hours] of [-1, 1].entries()) {
    const { address, end } = await serve({ DATABASE_URL: urlOf(database.connection), ...clockOff(hours) })
    const read = async (query = '') => {
      const { status, text } = await askAt(address, `/api/statements/stated/2025${query}`)
      assert.equal(status, 200, text)
      const { issued, orders, signed_by } = JSON.parse(text) as Statement
      assert.equal((await verifyStatement(text, signed_by.fingerprint)).outcome, 'equal', `${hours} h`)
      return { orders, knownAt: issued.known_at }
    }
    try {
      const first = await read()
      const asked = await read(`?known_at=${new Date().toISOString()}`)
      assert.equal((await post(order('stated', `later-${at}`, [`stated-later-${at}`]))).status, 200)
      const again = await read(`?known_at=${first.knownAt}`)
      assert.deepEqual([again, asked.orders], [first, first.orders])
    } finally {
      await end('SIGTERM')
    }
  }
})

/** What has a process take it to be so much later. */
function clockOff(hours: number) {
  const code = `const now = Date.now, off = ${hours * 3_600_000}
    globalThis.Date = class extends Date {
      constructor(...parts) { parts.length ? super(...parts) : super(now() + off) }
      static now() { return now() + off }
    }`
  return { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(code)}` }
}

test('a mapping told to one process charges the orders that the others get within a second', async () => {
  const modelOf = async (at: number, id: string): Promise<string> => {
    const config = { product_id: 'own-4711', serial_number: id, tenure_months: 12, weight_kg: 1.4 }
    const one = order('mapped', id, [], { items: [{ type: 'product', config }] })
    const { status, text } = await askOf(at, ORDERS, sentAs('POST', one))
    assert.equal(status, 200, text)
    return text
  }
  assert.ok((await everywhere((at) => modelOf(at, `before-${at}`))).every((text) => !text.includes('MacBook Air')))
  const put = await askOf(0, '/api/products/own-4711', sentAs('PUT', { model_id: 'apple-macbook-air-13-m3-256gb' }))
  assert.equal(put.status, 200, put.text)
  assert.match(await modelOf(0, 'at-once'), /MacBook Air/)
  let round = 0
  const isSeen = async () => {
    round += 1
    return (await everywhere((at) => modelOf(at, `${at}-${round}`))).every((text) => text.includes('MacBook Air'))
  }
  await trueAfter(KNOWN_MS_MAX, isSeen, 'a mapping is not seen for more than a second')
})

test('the limit on requests of a key is each process’s own: who is over it in one is served by another', async () => {
  const { accountId } = await ensureAccount(database.pool, 'busy')
  const busy = await createKey(database.pool, accountId, ['catalogue:read'], null)
  const sent = Array.from({ length: 5 * REQUESTS_PER_SECOND }, () => askOf(0, '/api/packagings', {}, busy))
  assert.ok(statusesOf(await Promise.all(sent)).includes(429))
  assert.equal((await askOf(1, '/api/packagings', {}, busy)).status, 200)
})

test('a process that is told to stop answers what it has, and the others go on', async () => {
  const load = Array.from({ length: 60 }, (_, at) => {
    const one = order('rolling', `order-${at}`, [`rolling-${at % 10}`])
    return at === 20 ? processes[0]!.end('SIGTERM').then(() => null) : sendRetrying(one)
  })
  const answers = (await Promise.all(load)).filter((answer) => answer !== null)
  assert.deepEqual(new Set(statusesOf(answers)), new Set([200]))
  const { lines, differences } = await verifyAll(database.pool)
  assert.deepEqual([lines, differences], [[], 0])
})

/** As clients are told to: what has no answer, or 503, is sent again. */
async function sendRetrying(one: Json): Promise<Answer> {
  for (let tries = 0; ; tries += 1) {
    const answer = await post(one).catch((error: NodeJS.ErrnoException) => error)
    if (!(answer instanceof Error) && answer.status !== 503) return answer
    assert.ok(tries < 10, answer instanceof Error ? answer.message : answer.text)
  }
}
