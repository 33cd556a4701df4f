// Tests of stored orders and their entries: complete or not at all, once, and with every text as it was sent.
import { before, test } from 'node:test'
import assert from 'node:assert/strict'
import fc from 'fast-check'
import type { Pool } from 'pg'
import { freshDatabase, type FreshDatabase } from '../../test/fresh-database.ts'
import { SPECIAL_TEXTS, breachesIn, entryWith, posted, type TestOrder } from '../../test/posted-orders.ts'
import { ensureAccount } from './accounts.ts'
import { migrate, readMigrations } from './migrations.ts'
import { createOrderReader } from './order-reader.ts'
import type { DeviceRecords, StoredFootprint } from '../ledger/records.ts'
import { createOrderRecorder, type RecordedOrder } from '../ledger/record-order.ts'
import { createLedgerTransactions } from './ledger-transactions.ts'
import { createOrderStore } from './orders.ts'
import { createPool } from './pool.ts'
import { createQueueLoad } from '../concurrency/queue-load.ts'

const LIMITS = { batchBytesMax: 1_500_000, queueBytesMax: 64_000_000, queueLoad: createQueueLoad() }
const nothingLong = () => assert.fail('No ledger is long here')
const recorderOn = (pool: Pool) =>
  createOrderRecorder<TestOrder>(
    createOrderStore(pool, createLedgerTransactions(pool, 1_000, nothingLong)),
    LIMITS,
    ({ decide }, ledgers) => decide(ledgers),
  )
let database: FreshDatabase
let post: (order: TestOrder) => Promise<RecordedOrder>
let deviceRecords: (accountId: number, serialNumber: string, knownAt: Date | null) => Promise<DeviceRecords | null>
before(async () => {
  database = await freshDatabase()
  await migrate(database.pool, readMigrations())
  for (const name of ['one', 'two']) await ensureAccount(database.pool, name)
  post = recorderOn(database.pool)
  const orderReader = createOrderReader(database.pool, LIMITS)
  deviceRecords = async (...wanted) => {
    const records = await orderReader.deviceRecords(...wanted)
    assert.ok(records !== 'long')
    return records
  }
})

const breaches = () => breachesIn(database.pool)

async function create(order: TestOrder): Promise<Extract<RecordedOrder, { outcome: 'created' }>> {
  const answer = await post(order)
  assert.ok(answer.outcome === 'created')
  return answer
}

/** Asserts that the order is stored as posted, with the time of its posting. */
async function assertStored(order: TestOrder, createdAt: Date): Promise<void> {
  const found = await post(order)
  assert.ok(found.outcome === 'already-exists')
  assert.deepEqual(found.stored, { ...order.posting.order, createdAt, status: 'created' })
  const entries = found.ledgers && [...found.ledgers.values()].flatMap((ledger) => ledger.entries)
  // If the order is the first of all its devices, the inputs of its first answer are returned too.
  if (entries)
    assert.deepEqual(
      entries,
      order.posting.entries
        .filter(({ serialNumber }) => serialNumber !== '')
        .map((entry) => ({
          ...entry,
          postedAt: createdAt,
          countsFrom: null,
          isSpreadUntilEnd: true,
          eventContent: null,
          recordedBy: undefined,
          inForce: null,
          footprint: footprintIn(order.posting.devices, entry.serialNumber),
        })),
    )
}

/** What the first entry of a device says that it is charged by. */
function footprintIn(devices: TestOrder['posting']['devices'], serialNumber: string): StoredFootprint {
  const device = devices.find((one) => one.serialNumber === serialNumber)!
  const { footprintId, releaseId, weightKg, isCapped, possibleMatch } = device
  return { footprintId, releaseId, weightKg, isCapped, possibleMatch }
}

/** Asserts the entries in a device's ledger, and the orders that come with them. */
async function assertLedger(serialNumber: string, those: readonly (readonly [TestOrder, Date])[]): Promise<void> {
  const records = await deviceRecords(1, serialNumber, null)
  const postings = those.map(([{ posting }, createdAt]) => ({ posting, createdAt }))
  assert.deepEqual(
    records?.ledger.entries,
    postings.flatMap(({ posting, createdAt }, at) =>
      posting.entries
        .filter((entry) => entry.serialNumber === serialNumber)
        .map((entry) => ({
          ...entry,
          no: at + 1,
          postedAt: createdAt,
          countsFrom: null,
          isSpreadUntilEnd: true,
          eventContent: null,
          recordedBy: null,
          inForce: null,
          footprint: at === 0 ? footprintIn(posting.devices, serialNumber) : null,
        })),
    ),
  )
  assert.deepEqual(
    records?.orders,
    postings.map(({ posting, createdAt }) => ({ ...posting.order, createdAt, status: 'created' })),
  )
}

test('an order is created once, and afterwards found as it was stored', async () => {
  const order = posted('once', '1', ['S-1'])
  const { createdAt, posting } = await create(order)
  assert.equal(posting, order.posting)
  await assertStored(order, createdAt)
  const stored = { ...order.posting.order, createdAt, status: 'created' }
  assert.deepEqual(await post(posted('once', '1', ['S-2'], 8n)), { outcome: 'already-exists', stored, ledgers: null })
  assert.equal(await deviceRecords(1, 'S-2', null), null)
  const records = await deviceRecords(1, 'S-1', null)
  assert.deepEqual(records?.ledger.device, order.posting.devices[0])
  await assertLedger('S-1', [[order, createdAt]])
})

test('the time of an order is the database’s, in whole milliseconds', async () => {
  const { createdAt } = await create(posted('time', '1'))
  const { rows } = await database.pool.query<{ same: boolean }>(
    `select created_at = $1 and created_at <= clock_timestamp() as same from orders where customer_id = 'time'`,
    [createdAt],
  )
  assert.deepEqual(rows, [{ same: true }])
})

test('an order of a device that is known posts what its ledger gives, and the balance follows', async () => {
  const [first, second] = [posted('known', '1', ['K-1', 'K-2'], 5n), posted('known', '2', ['K-2', 'K-3'], 3n)]
  const { createdAt } = await create(first)
  const { createdAt: later, posting } = await create(second)
  assert.deepEqual(
    posting.entries.map(({ serialNumber, no }) => [serialNumber, no]),
    [
      ['K-2', 2],
      ['K-3', 1],
    ],
  )
  await assertLedger('K-2', [
    [first, createdAt],
    [second, later],
  ])
  const posts = await Promise.all(['K-1', 'K-2', 'K-3'].map((serial) => deviceRecords(1, serial, null)))
  assert.deepEqual(
    posts.map((records) => records?.ledger.device.balance.allocated),
    [5n, 8n, 3n],
  )
  await assertStored(second, later)
  assert.deepEqual(await breaches(), [])
})

test('an order that cannot be settled leaves nothing behind, and those beside it can be stored', async () => {
  await create(posted('unsettled', '0', ['U-1', 'U-2', 'U-3']))
  const bad = { ...posted('unsettled', '2', ['U-2', 'U-new']), decide: () => Promise.reject(new RangeError('no')) }
  const answers = await Promise.allSettled(
    [posted('unsettled', '1', ['U-1']), bad, posted('unsettled', '3', ['U-3'])].map((order) => post(order)),
  )
  assert.equal(answers[1]!.status, 'rejected')
  assert.equal(await deviceRecords(1, 'U-new', null), null)
  assert.deepEqual(await breaches(), [])
  for (const id of ['1', '3']) assert.ok(await post(posted('unsettled', id, [`U-${id}`])))
  assert.deepEqual(await breaches(), [])
})

test('an order without devices, lines or both is stored, alone and among others', async () => {
  const bare = posted('bare', 'alone', [])
  const { createdAt } = await create(bare)
  await assertStored(bare, createdAt)
  const among = [posted('bare', 'a', []), posted('bare', 'b'), posted('bare', 'c', [])]
  await Promise.all(among.map(create))
  const alone = posted('bare', 'line', [], 5n)
  const key = { customerId: 'bare', orderId: 'line' }
  const posting = { ...alone.posting, entries: [{ ...entryWith(key, '', 1, 0n), transportation: 5n, terms: null }] }
  await create({ ...alone, posting: { ...posting, order: { ...posting.order, lineEmissions: [5n] } } })
  const { rows } = await database.pool.query(`
    select order_id from entries where serial_number = '' and transportation_mg = 5 and months is null`)
  assert.deepEqual(rows, [{ order_id: 'line' }])
  await database.pool.query(`delete from entries where serial_number = ''`)
  await database.pool.query(`delete from orders where order_id = 'line'`)
  assert.deepEqual(await breaches(), [])
})

test('special texts survive exactly, wherever they stand', async () => {
  const sent = SPECIAL_TEXTS.map((text, at): TestOrder => {
    const order = posted(`${text}${at}`, `${at}${text}`, [`${text}${at}`, text])
    const { posting } = order
    const texts = { metadata: JSON.stringify({ [text]: text }), items: JSON.stringify([text]) }
    return { ...order, posting: { ...posting, order: { ...posting.order, ...texts } } }
  })
  const created = await Promise.all(sent.map(create))
  for (const [at, order] of sent.entries()) {
    await assertStored(order, created[at]!.createdAt)
    for (const { serialNumber } of order.posting.devices) {
      await assertLedger(serialNumber, [[order, created[at]!.createdAt]])
    }
  }
})

test('a text that holds a separator is refused, and its neighbours are stored', async () => {
  const answers = await Promise.allSettled(
    [posted('separator', 'a'), posted('separator', 'b\u001e'), posted('separator', 'c')].map((order) => post(order)),
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
  const posting = { ...bad.posting, order: { ...bad.posting.order, orderDate: '2024-02-30' } }
  const answers = await Promise.allSettled(
    [posted('refused', 'a'), { ...bad, posting }, posted('refused', 'c')].map((order) => post(order)),
  )
  assert.deepEqual(
    answers.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  )
  assert.deepEqual(await breaches(), [])
})

test('no account finds the entries of another, and each has a ledger of its own for one serial number', async () => {
  const order = posted('account', '2', ['shared serial'])
  await create({ ...order, accountId: 2 })
  assert.equal(await deviceRecords(1, 'shared serial', null), null)
  assert.equal((await deviceRecords(2, 'shared serial', null))?.ledger.entries.length, 1)
  await create(order)
  for (const accountId of [1, 2]) {
    const records = await deviceRecords(accountId, 'shared serial', null)
    assert.deepEqual([records?.ledger.entries.length, records?.ledger.device.balance.allocated], [1, 7n])
  }
})

test('under random load from two processes on the same orders and devices, all of them stay consistent', async () => {
  const otherPool = createPool(database.connection, {}, () => undefined)
  const both = [post, recorderOn(otherPool)]
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
          both[process]!(
            posted(
              customer,
              order,
              serials.map((serial) => `load ${serial}`),
              milligrams,
            ),
          ),
        ),
      )
      for (const [at, answer] of answers.entries()) {
        if (answer.outcome === 'created') continue
        assert.ok(answer.outcome === 'already-exists')
        assert.equal(answer.stored.orderId, load[at]!.order)
      }
      const created = answers.flatMap(({ outcome }, at) =>
        outcome === 'created' ? [`${load[at]!.customer} ${load[at]!.order}`] : [],
      )
      assert.equal(new Set(created).size, created.length)
      assert.equal(new Set(load.map(({ customer, order }) => `${customer} ${order}`)).size, created.length)
      assert.deepEqual(await breaches(), [])
      await database.pool.query(`delete from orders where customer_id like 'load-%'`)
      await database.pool.query(`delete from entries where customer_id like 'load-%'`)
    }),
    { numRuns: 5 },
  )
  await otherPool.end()
})
