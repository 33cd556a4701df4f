// What is posted for a customer while its names are erased: it is erased too, or stored under the old names afterwards.
import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import pg from 'pg'
import { verifyAll } from '../src/cli/verify.ts'
import { LONG_LEDGER } from '../src/engine/ledger-history.ts'
import { until } from './command.ts'
import { textsInDatabase } from './database-texts.ts'
import type { Json } from './document-check.ts'
import { pseudonymise, type ErasureAnswer } from './erasure-client.ts'
import { createOrderClient, order, pathOf, type OrderClient } from './order-client.ts'
import { startService, type Service } from './service.ts'

let service: Service
let other: Service
let client: OrderClient
before(async () => {
  service = await startService()
  other = await startService({ beside: service })
  client = createOrderClient(service)
})
after(async () => {
  await other.stop()
  await service.stop()
})

const send = (path: string, body: Json, asked: Service = service) =>
  asked.ask(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })

const ASKED_MAX = 20

/** On a busy machine, a request may be told to come again. */
async function answered<Answer extends { readonly status: number }>(ask: () => Promise<Answer>): Promise<Answer> {
  for (let asked = 1; ; asked += 1) {
    const answer = await ask()
    if (answer.status !== 503 || asked === ASKED_MAX) return answer
  }
}

async function assertSound(): Promise<void> {
  assert.deepEqual((await verifyAll(service.pool)).lines, [])
}

const idsOf = async (customer: string): Promise<readonly string[]> => {
  const text = 'select order_id from orders where customer_id = $1 order by order_id'
  return (await service.pool.query<{ readonly order_id: string }>(text, [customer])).rows.map((row) => row.order_id)
}

/** How many backends wait for a lock. */
async function waiting(): Promise<number> {
  const { rows } = await service.pool.query<{ readonly count: number }>(
    `select count(*)::integer as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`,
  )
  return rows[0]!.count
}

/** An erasure that stands still when everything that was stored is replaced, and is not committed. */
async function standing(customer: string, body: Json = {}) {
  const { options } = service.pool
  const holder = new pg.Client({ ...options, password: (options as { password?: string }).password ?? '' })
  await holder.connect()
  await holder.query(
    "insert into report_watermarks select account_id, '-infinity' from accounts on conflict do nothing",
  )
  await holder.query('begin')
  await holder.query('select from report_watermarks for update')
  const erasing = pseudonymise(service, customer, body)
  await until(
    async () => (await waiting()) === 1,
    () => 'the erasure does not wait',
  )
  return {
    holder,
    erasing,
    goOn: async (): Promise<ErasureAnswer> => {
      await holder.query('commit')
      await holder.end()
      return erasing
    },
  }
}

test('an order stored on a new device during an erasure is erased; one on a locked device follows it', async () => {
  await client.post(order('acme', 'first', ['A1', 'A2']))
  await client.post(order('beta', 'shared', ['A2'], { tenure_start_date: '2025-05-01' }))
  await client.post(order('acme', 'alone', []))
  const { erasing, goOn } = await standing('acme', { serial_numbers: true })
  await client.post(order('acme', 'late', ['A3']))
  await client.post(order('acme', 'late-alone', []))
  // It needs a device whose ledger is being rewritten.
  const behind = send(
    '/api/customer-orders',
    order('acme', 'behind', ['A2'], { tenure_start_date: '2025-09-01' }),
    other,
  )
  await until(
    async () => (await waiting()) === 2,
    () => 'the order does not wait',
  )
  const { status, answer } = await goOn()
  assert.equal(status, 200, JSON.stringify(answer))
  assert.deepEqual(await idsOf(String(answer['customer_id'])), ['alone', 'first', 'late', 'late-alone'])
  assert.equal((await behind).status, 200)
  assert.deepEqual(await idsOf('acme'), ['behind'])
  assert.equal((await erasing).status, 200)
  // Of the serial numbers, one is shared. Nothing but the later order names the customer.
  const { rows } = await service.pool.query('select from entries where serial_number in ($1, $2)', ['A1', 'A3'])
  assert.equal(rows.length, 0)
  await assertSound()
  assert.equal((await pseudonymise(service, 'acme')).status, 200)
  assert.deepEqual(await textsInDatabase(service.pool, ['acme']), [])
  await assertSound()
})

test('an order stored meanwhile whose device is being posted to is waited for, and erased as well', async () => {
  await client.post(order('gamma', 'first', ['G1']))
  const { holder, goOn } = await standing('gamma')
  await client.post(order('gamma', 'late', ['G2']))
  const { options } = service.pool
  const poster = new pg.Client({ ...options, password: (options as { password?: string }).password ?? '' })
  await poster.connect()
  await poster.query('begin')
  await poster.query(`select from entries where serial_number = 'G2' for update`)
  void holder
  const gone = goOn()
  await until(
    async () => (await waiting()) === 1,
    () => 'the erasure does not wait for the device',
  )
  // Nobody else waits meanwhile: the lock of all postings is free.
  await client.post(order('delta', 'unconcerned', ['D1']))
  await poster.query('commit')
  await poster.end()
  const { status, answer } = await gone
  assert.equal(status, 200, JSON.stringify(answer))
  assert.deepEqual(await idsOf(String(answer['customer_id'])), ['first', 'late'])
  assert.deepEqual(await idsOf('gamma'), [])
  await assertSound()
})

test('an event sent under the old id during an erasure is answered 404, and nothing of it is stored', async () => {
  for (const [id, serials] of [
    ['with', ['E1']],
    ['alone', []],
  ] as const)
    await client.post(order('epsilon', id, serials))
  for (const body of [{}, { serial_numbers: true, order_ids: true }]) {
    const name = body.serial_numbers ? 'epsilon-2' : 'epsilon'
    if (body.serial_numbers)
      for (const [id, serials] of [
        ['with', ['E2']],
        ['alone', []],
      ] as const)
        await client.post(order(name, id, serials))
    const { goOn } = await standing(name, body)
    const device = body.serial_numbers ? 'E2' : 'E1'
    const sent = [
      send(`${pathOf(name, 'with')}/events`, { event_id: `${name}-1`, type: 'returned', date: '2025-06-01' }),
      send(`${pathOf(name, 'alone')}/events`, { event_id: `${name}-2`, type: 'cancelled', date: '2025-01-20' }),
      send(`/api/devices/${device}/events`, { event_id: `${name}-3`, type: 'retired', date: '2027-01-01' }),
    ]
    await until(
      async () => (await waiting()) >= 3,
      () => 'the events do not wait',
    )
    const { status, answer } = await goOn()
    assert.equal(status, 200, JSON.stringify(answer))
    const statuses = (await Promise.all(sent)).map((one) => one.status)
    // The device itself has not gone, unless its serial number was replaced.
    assert.deepEqual(statuses, [404, 404, body.serial_numbers ? 404 : 200])
    assert.deepEqual(await textsInDatabase(service.pool, [`"${name}"`]), [])
    await assertSound()
  }
})

test('an erasure whose connection dies leaves everything as it was', async () => {
  await client.post(order('zeta', 'one', ['zeta-device'], { metadata: { person: 'Zoe Example' } }))
  const { holder, erasing } = await standing('zeta', { serial_numbers: true, order_ids: true })
  const everything = async () =>
    (await textsInDatabase(service.pool, ['zeta', 'Zoe Example'])).filter((row) => !/^feed/.test(row))
  const before = await everything()
  await holder.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`,
  )
  assert.equal((await erasing).status, 503)
  // As long as the lock is held, the order is not counted for reports. Its event moves to the feed by itself.
  assert.deepEqual(await everything(), before)
  await holder.query('rollback')
  await holder.end()
  assert.equal((await client.ask(pathOf('zeta', 'one'))).status, 200)
  assert.equal((await pseudonymise(service, 'zeta', { serial_numbers: true, order_ids: true })).status, 200)
  assert.deepEqual(await textsInDatabase(service.pool, ['zeta', 'Zoe Example']), [])
})

test('orders that pour in from two processes during erasures are each stored once, and the books close', async () => {
  const names = new Set(['poured'])
  let isOver = false
  let posted = 0
  const pour = async (asked: Service, own: string) => {
    for (let at = 0; !isOver; at += 1) {
      posted += 1
      const start = `2025-${String((at % 12) + 1).padStart(2, '0')}-01`
      const serials = at % 5 === 4 ? [] : [at % 3 === 0 ? 'poured-shared' : `poured-${own}-${at % 7}`]
      const body = order('poured', `${own}-${at}`, serials, { tenure_start_date: start })
      const { status, text } = await answered(() => send('/api/customer-orders', body, asked))
      if (status !== 200) assert.fail(text)
    }
  }
  const pouring = [pour(service, 'a'), pour(other, 'b'), pour(other, 'c'), pour(service, 'd')]
  for (let round = 0; round < 4; round += 1) {
    await until(
      async () => (await idsOf('poured')).length > 5,
      () => 'no orders come in',
    )
    const asked = round % 2 === 0 ? service : other
    const { status, answer } = await answered(() => pseudonymise(asked, 'poured', { order_ids: round === 2 }))
    assert.equal(status, 200, JSON.stringify(answer))
    names.add(String(answer['customer_id']))
  }
  isOver = true
  await Promise.all(pouring)
  const stored = await Promise.all([...names].map(idsOf))
  assert.equal(stored.flat().length, posted)
  await assertSound()
  const { rows } = await service.pool.query(
    `select from entries where customer_id <> '' and not exists (select from orders
      where orders.customer_id = entries.customer_id and orders.order_id = entries.order_id)`,
  )
  assert.equal(rows.length, 0)
})

test('a long ledger that processes have in memory is read again after an erasure', async () => {
  for (let no = 0; no <= LONG_LEDGER + 2; no += 1) {
    const start = `20${String(25 + Math.floor(no / 12)).padStart(2, '0')}-${String((no % 12) + 1).padStart(2, '0')}-01`
    const customer = no % 2 === 0 ? 'longa' : 'longb'
    await client.post(order(customer, `l${no}`, ['long'], { order_date: '2025-01-01', tenure_start_date: start }))
  }
  const late = (id: string) =>
    order('longb', id, ['long'], { order_date: '2025-01-01', tenure_start_date: '2025-03-15' })
  for (const [at, asked] of [service, other].entries()) {
    assert.equal((await send('/api/customer-orders', late(`before-${at}`), asked)).status, 200)
  }
  const { status, answer } = await pseudonymise(service, 'longa')
  assert.equal(status, 200, JSON.stringify(answer))
  // These cut rentals of the erased customer, in ledgers that were in memory.
  for (const [at, asked] of [service, other].entries()) {
    const sent = { ...late(`after-${at}`), tenure_start_date: `2025-05-1${at}` }
    assert.equal((await send('/api/customer-orders', sent, asked)).status, 200)
  }
  assert.deepEqual(await textsInDatabase(service.pool, ['longa']), [])
  await assertSound()
})
