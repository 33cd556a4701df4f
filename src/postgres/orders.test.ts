// Orders and their entries in the database: whole or not at all, once, and with every text as it was sent.
import { before, test } from 'node:test'
import assert from 'node:assert/strict'
import { join } from 'node:path'
import fc from 'fast-check'
import { freshDatabase, type FreshDatabase } from '../../test/fresh-database.ts'
import { migrate } from './migrate.ts'
import { readMigrations } from './migrate-files.ts'
import type { PostedOrder } from './order-record.ts'
import { createOrders, type Orders } from './orders.ts'
import { createPool } from './pool.ts'

const LIMITS = { weightPerTripMax: 1_500_000, weightWaitingMax: 64_000_000 }
const SPECIAL_TEXTS = [
  `'`,
  `"`,
  `\\`,
  `\\\\`,
  `{`,
  `}`,
  `{}`,
  `{"a","b"}`,
  `,`,
  `NULL`,
  `null`,
  `\\N`,
  `😀`,
  `👩‍👩‍👧‍👦`,
  ` `,
  `a b `,
  `(1,2)`,
  `$1`,
  `%s`,
  `E'\\n'`,
  `--`,
  `; drop table orders; --`,
  `\u202e`,
  `\uffff`,
  `\u2028`,
  `e\u0301`,
  `\t`,
  `\n`,
  `__proto__`,
  `0`,
  '語'.repeat(200),
]

let database: FreshDatabase
let orders: Orders
before(async () => {
  database = await freshDatabase()
  await migrate(database.pool, readMigrations(join(import.meta.dirname, '..', '..', 'sql')))
  orders = createOrders(database.pool, LIMITS)
})

/** An order of one product line for each device. */
const posted = (
  customerId: string,
  orderId: string,
  serials: readonly string[] = ['S-1'],
  milligrams = 7n,
): PostedOrder => ({
  accountId: 1,
  order: {
    customerId,
    orderId,
    orderDate: '2024-12-12',
    tenureStartDate: '2025-01-01',
    createdAt: new Date('2025-01-01T00:00:00.000Z'),
    country: null,
    metadata: null,
    items: JSON.stringify(serials),
    releaseId: 1,
    bases: serials.map((serial) => `base of ${serial}`),
    lines: serials.map(() => milligrams),
  },
  shares: serials.map((serialNumber) => ({
    serialNumber,
    product_embodied_emission: milligrams,
    product_use: 0n,
    packaging: 0n,
    transportation: 0n,
  })),
})

/** Every breach of: an entry has its order, and the entries of an order add up to its lines. */
async function breaches(): Promise<readonly object[]> {
  const { rows } = await database.pool.query<object>(`
    select orders.order_id as stored, entries.order_id as entered, lines_mg
    from orders full join entries using (account_id, customer_id, order_id)
    group by orders.order_id, entries.order_id, account_id, customer_id, lines_mg
    having orders.order_id is null
      or (select coalesce(sum(mg), 0) from unnest(lines_mg) as mg)
        <> coalesce(sum(embodied_mg + use_mg + packaging_mg + transportation_mg), 0)`)
  return rows
}

test('an order is created once, and afterwards found as it was stored', async () => {
  const order = posted('once', '1')
  assert.deepEqual(await orders.post(order), { outcome: 'created' })
  const again = await orders.post(posted('once', '1', ['S-2'], 8n))
  assert.deepEqual(again, { outcome: 'there-before', stored: order.order })
  const [entry, ...others] = await orders.listOfDevice(1, 'S-1')
  assert.deepEqual([entry, others], [{ order: order.order, share: order.shares[0] }, []])
})

test('an order without devices, lines or both is stored, alone and among others', async () => {
  const bare = posted('bare', 'alone', [])
  assert.deepEqual(await orders.post(bare), { outcome: 'created' })
  assert.deepEqual(await orders.post(bare), { outcome: 'there-before', stored: bare.order })
  const among = [posted('bare', 'a', []), posted('bare', 'b'), posted('bare', 'c', [])]
  for (const answer of await Promise.all(among.map(orders.post))) assert.deepEqual(answer, { outcome: 'created' })
  const lineOnly = { ...posted('bare', 'line', [''], 5n) }
  assert.deepEqual(await orders.post(lineOnly), { outcome: 'created' })
  assert.deepEqual(await breaches(), [])
})

test('special texts survive exactly, wherever they stand', async () => {
  const sent = SPECIAL_TEXTS.map((text, at): PostedOrder => {
    const order = posted(`${text}${at}`, `${at}${text}`, [`${text}${at}`, text])
    return {
      ...order,
      order: { ...order.order, metadata: JSON.stringify({ [text]: text }), items: JSON.stringify([text]) },
    }
  })
  for (const answer of await Promise.all(sent.map(orders.post))) assert.deepEqual(answer, { outcome: 'created' })
  for (const order of sent) {
    assert.deepEqual(await orders.post(order), { outcome: 'there-before', stored: order.order })
    const [entry] = await orders.listOfDevice(1, order.shares[0]!.serialNumber)
    assert.deepEqual(entry, { order: order.order, share: order.shares[0] })
  }
})

test('a text that holds a separator is refused, and its neighbours are stored', async () => {
  const answers = await Promise.allSettled(
    [posted('separator', 'a'), posted('separator', 'b\u001e'), posted('separator', 'c')].map(orders.post),
  )
  assert.deepEqual(
    answers.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  )
  const { rows } = await database.pool.query(`select order_id from orders where customer_id = 'separator' order by 1`)
  const stored = answers.flatMap(({ status }, at) =>
    status === 'fulfilled' ? [{ order_id: ['a', 'b', 'c'][at] }] : [],
  )
  assert.deepEqual(rows, stored)
  assert.deepEqual(await breaches(), [])
})

test('a row that the database refuses fails alone', async () => {
  const bad = posted('refused', 'b')
  const answers = await Promise.allSettled(
    [posted('refused', 'a'), { ...bad, order: { ...bad.order, orderDate: '2024-02-30' } }, posted('refused', 'c')].map(
      orders.post,
    ),
  )
  assert.deepEqual(
    answers.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  )
  assert.deepEqual(await breaches(), [])
})

test('no account finds the entries of another', async () => {
  await orders.post({ ...posted('account', '2', ['shared serial']), accountId: 2 })
  assert.deepEqual(await orders.listOfDevice(1, 'shared serial'), [])
  assert.equal((await orders.listOfDevice(2, 'shared serial')).length, 1)
})

test('under random load from two processes on the same identities, orders and entries stay consistent', async () => {
  const otherPool = createPool(database.connection, {}, () => undefined)
  const both = [orders, createOrders(otherPool, LIMITS)]
  const identity = fc.record({
    customer: fc.constantFrom('load-a', 'load-b'),
    order: fc.nat(40).map(String),
    serials: fc.uniqueArray(fc.constantFrom('x', 'y', 'z', '😀', '"', '{}'), { maxLength: 4 }),
    milligrams: fc.bigInt({ min: 0n, max: 10n ** 13n }),
    process: fc.nat(1),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(identity, { minLength: 50, maxLength: 200 }), async (load) => {
      const answers = await Promise.all(
        load.map(({ customer, order, serials, milligrams, process }) =>
          both[process]!.post(posted(customer, order, serials, milligrams)),
        ),
      )
      for (const [at, answer] of answers.entries()) {
        if (answer.outcome === 'created') continue
        assert.equal(answer.stored.orderId, load[at]!.order)
      }
      const created = answers.flatMap(({ outcome }, at) =>
        outcome === 'created' ? [`${load[at]!.customer} ${load[at]!.order}`] : [],
      )
      assert.equal(new Set(created).size, created.length)
      assert.deepEqual(await breaches(), [])
      await database.pool.query(`delete from orders where customer_id like 'load-%'`)
      await database.pool.query(`delete from entries where customer_id like 'load-%'`)
    }),
    { numRuns: 15 },
  )
  await otherPool.end()
})
