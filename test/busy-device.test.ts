// One serial number that very many orders name, as placeholders are: its cost grows with its entries, and no faster.
import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import type { Pool } from 'pg'
import { describeBusy, checkRollupJob } from '../src/cli/doctor.ts'
import { verifyAll } from '../src/cli/verify.ts'
import { resolveOrder } from '../src/engine/resolve-order.ts'
import { recordDeviceEvent } from '../src/ledger/record-event.ts'
import { createOrderRecorder, toRecord, type OrderToRecord } from '../src/ledger/record-order.ts'
import { postingOfKnownDevices } from '../src/ledger/order-posting.ts'
import { normaliseOrder, toEngineOrder } from '../src/contract/parse-order.ts'
import type { WireOrder } from '../src/contract/order-schema.ts'
import { ensureAccount } from '../src/postgres/accounts.ts'
import { readBusyDevices, readRollupLag } from '../src/postgres/health.ts'
import { createQueueLoad } from '../src/concurrency/queue-load.ts'
import { createLedgerTransactions } from '../src/postgres/ledger-transactions.ts'
import { createOpenLedger } from '../src/ledger/codec.ts'
import type { DeviceLedger } from '../src/ledger/records.ts'
import { createEventStore } from '../src/postgres/events.ts'
import { createOrderStore } from '../src/postgres/orders.ts'
import { registerRelease } from '../src/postgres/dataset-releases.ts'
import { dayOf, fill, orderOn } from './busy-orders.ts'
import type { Json } from './document-check.ts'
import { until } from './command.ts'
import { startService, type Service } from './service.ts'
import { order } from './order-client.ts'
import { shippedReferenceData } from './shipped-book.ts'

const LIMIT = 250

let service: Service
let other: Service
let pool: Pool
let releaseId: number
before(async () => {
  service = await startService()
  other = await startService({ beside: service })
  ;({ pool } = service)
  const { referenceData, files } = shippedReferenceData()
  releaseId = await registerRelease(pool, referenceData.release, referenceData.hash, files)
})
after(async () => {
  await other.stop()
  await service.stop()
})

const accountOf = async (name: string): Promise<number> => (await ensureAccount(pool, name)).accountId

/** What the orders of this device were answered first. */
const firstAnswers: string[] = []

test('two processes post in turns to one device with a long ledger, and everything is equal', async () => {
  const all = orderOn('SN/1')
  for (let n = 0; n < LIMIT + 60; n += 1) {
    const { status, text } = await (n % 3 === 0 ? other : service).post(all(n))
    assert.equal(status, 200, text)
    firstAnswers.push(text)
    if (n % 50 !== 49) continue
    const event = { event_id: `back-${n}`, type: 'returned', date: dayOf(n) }
    const told = await service.ask(`/api/customer-orders/acme/SN%2F1-${n}/events`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(event),
    })
    assert.equal(told.status, 200, told.text)
  }
  const { rows } = await pool.query<{ readonly last: number }>(
    `select max(entry_no) as last from entries where serial_number = 'SN/1'`,
  )
  assert.ok(rows[0]!.last > LIMIT + 60)
  assert.deepEqual((await verifyAll(pool)).lines, [])
})

test('a new order reads the last entry of a long ledger alone, once its ledger is in memory', async () => {
  const accountId = await accountOf('long')
  await fill(pool, releaseId, accountId, 'grown', 4 * LIMIT)
  const { referenceData } = service.server
  const limits = { batchBytesMax: 1_500_000, queueBytesMax: 64_000_000, queueLoad: createQueueLoad() }
  const loaded: number[] = []
  const open = async (ledger: DeviceLedger) => {
    loaded.push(ledger.entries.length)
    await createOpenLedger(() => Promise.resolve(referenceData))(ledger)
  }
  const read: number[] = []
  const run = createLedgerTransactions(pool, 10_000, open)
  const store = createOrderStore(pool, run)
  const recordOrder = createOrderRecorder<OrderToRecord>(store, limits, ({ order, posting }, ledgers) => {
    read.push(ledgers.get('grown')!.entries.length)
    return postingOfKnownDevices(order, posting, ledgers, () => Promise.resolve(referenceData))
  })
  const post = async (n: number) => {
    const wire = normaliseOrder(orderOn('grown')(100_000 + n) as unknown as WireOrder)
    const resolved = resolveOrder(toEngineOrder(wire), referenceData)
    assert.ok(resolved.ok)
    const sent = toRecord(accountId, { wire, items: resolved.items, releaseId, isCapped: true })
    assert.equal((await recordOrder(sent)).outcome, 'created')
  }
  for (let n = 0; n < 3; n += 1) await post(n)
  // A rejected event leaves the ledger in the cache, and its batch has not failed.
  const batches: boolean[] = []
  const events = createEventStore({ ...limits, onBatch: ({ succeeded }) => batches.push(succeeded) }, run)
  const early = { event_id: 'early', type: 'retired', date: '2000-01-01' } as const
  const referenceDataOf = () => Promise.resolve(referenceData)
  const release = { releaseId: 1, referenceData }
  const account = { accountId, recordedBy: null, isStrict: false }
  await assert.rejects(recordDeviceEvent(events, account, 'grown', early, release, referenceDataOf), {
    code: 'conflict',
  })
  assert.deepEqual(batches, [true])
  await post(3)
  assert.equal(loaded.length, 1)
  assert.ok(loaded[0]! >= 4 * LIMIT)
  assert.deepEqual(read, [1, 1, 1, 1])
  assert.deepEqual((await verifyAll(pool)).lines, [])
})

test('a device with a long ledger is answered whole, in pieces, and the next one after it', async () => {
  const path = '/api/device-emissions/SN%2F1?include=entries,history'
  const answers = await Promise.all([service.ask(path), service.ask(path)])
  for (const { status, text } of answers) {
    assert.equal(status, 200, text.slice(0, 300))
    assert.equal(text, answers[0].text)
  }
  const told = JSON.parse(answers[0].text) as {
    readonly number_of_orders: number
    readonly orders: readonly { readonly order_id: string }[]
    readonly entries: readonly { readonly entry_no: number; readonly corrects?: number }[]
    readonly history: { readonly events: readonly unknown[] }
  }
  const { number_of_orders: orders, entries } = told
  assert.deepEqual([orders, told.orders.length, told.history.events.length], [LIMIT + 60, LIMIT + 60, LIMIT + 60])
  assert.ok(entries.every(({ entry_no: no, corrects }, at) => no === at + 1 && (corrects ?? 0) < no))
  assert.ok(entries.length > orders && answers[0].text.length > 2 * 64 * 1024)
})

test('an order of a device with a long ledger is answered as any other, also when it is sent again', async () => {
  const n = LIMIT + 50
  const body = orderOn('SN/1')(n)
  const path = `/api/customer-orders/acme/SN%2F1-${n}`
  const answer = async (url: string) => {
    const { status, text } = await service.ask(url)
    assert.equal(status, 200, text.slice(0, 300))
    return JSON.parse(text) as Json
  }
  const again = await service.post(body)
  assert.deepEqual([again.status, again.headers['idempotent-replayed']], [200, 'true'], again.text)
  assert.equal(again.text, firstAnswers[n])
  assert.equal((await other.post(body)).text, again.text)
  const standing = await answer(`${path}?include=entries,events,calculation`)
  const own = standing['entries'] as readonly Json[]
  assert.ok(own.length >= 1)
  const { outcome, entries } = await answer(`${path}/verification`)
  assert.deepEqual([outcome, entries], ['equal', own.length])
  const receipt = await answer(`${path}/receipt`)
  assert.equal(
    ((receipt['devices'] as readonly Json[])[0]!['ledger'] as { rentals: unknown[] }).rentals.length,
    LIMIT + 60,
  )
  assert.equal((await service.ask('/api/customer-orders/acme/none')).status, 404)
})

test('an order and an event of two devices with long ledgers, none of them cached, are accepted', async () => {
  const accountId = await accountOf('two long')
  for (const serial of ['T-1', 'T-2']) await fill(pool, releaseId, accountId, serial, LIMIT + 10)
  const key = await service.createKey(undefined, null, 'two long')
  const steps: readonly (readonly [path: string, body: object])[] = [
    ['/api/customer-orders', order('acme', 'both', ['T-1', 'T-2'])],
    ['/api/customer-orders/acme/both/events', { event_id: 'both', type: 'cancelled', date: '2025-01-20' }],
  ]
  for (const [path, body] of steps) {
    const cold = await startService({ beside: service })
    const headers = { 'content-type': 'application/json', 'x-api-key': key }
    const { status, text } = await cold.ask(path, { method: 'POST', headers, body: JSON.stringify(body) })
    await cold.stop()
    assert.equal(status, 200, text)
  }
})

test('the doctor names a device with very many entries, and says that it looks like a placeholder', async () => {
  const busy = await readBusyDevices(pool, 1_000)
  const sentence = describeBusy(busy)
  assert.match(sentence, /"grown" of "long" \(1\d{3}\).*looks like a placeholder/)
  assert.equal(describeBusy([]), 'none has more than 1000 entries')
})

test('folding that does not get on is wrong to the doctor, and right again once it does', async () => {
  const holder = await pool.connect()
  try {
    await holder.query('begin')
    // Neither service can create or move a watermark meanwhile.
    await holder.query('lock table report_watermarks in share row exclusive mode')
    const accountId = await accountOf('stuck')
    await fill(pool, releaseId, accountId, 'stuck', 10)
    const text = `update entries set posted_at = posted_at - interval '11 minutes' where account_id = $1`
    await pool.query(text, [accountId])
    await assert.rejects(
      checkRollupJob(pool, 1),
      /^Error: Entries of "stuck" that were posted 1\d min ago are not folded/,
    )
  } finally {
    await holder.query('rollback')
    holder.release()
  }
  await until(
    async () => (await readRollupLag(pool, 300)).length === 0,
    () => 'the entries are still not folded',
  )
  assert.match(await checkRollupJob(pool, 1), /^folded until/)
})
