// Events that two processes hear of at one moment: stored once, answered to both, and nobody's work lost.
import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import { EXAMPLE_ORDER } from '../src/http/schemas/examples.ts'
import type { Json } from './document-check.ts'
import { countRows, startService, type Service } from './service.ts'

let service: Service
let other: Service
before(async () => {
  service = await startService()
  other = await startService({ beside: service })
})
after(async () => {
  await other.stop()
  await service.stop()
})

const PRODUCT = EXAMPLE_ORDER.items![0]!
const order = (orderId: string, serial: string, start = '2025-01-01'): Json => ({
  ...EXAMPLE_ORDER,
  order_id: orderId,
  tenure_start_date: start,
  items: [{ ...PRODUCT, config: { ...PRODUCT.config, serial_number: serial } }],
})
const tell = (to: Service, path: string, event: Json) =>
  to.ask(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(event),
  })
const eventsOf = (orderId: string) => `/api/customer-orders/customer-17/${orderId}/events`
const either = (at: number): Service => (at % 2 === 0 ? service : other)
const times = <Result>(count: number, make: (at: number) => Promise<Result>): Promise<Result[]> =>
  Promise.all(Array.from({ length: count }, (_, at) => make(at)))

test('one event told to two services at once is stored once, and both get the order as it stands', async () => {
  for (let round = 0; round < 5; round += 1) {
    const id = `told-${round}`
    assert.equal((await service.post(order(id, `S-${id}`))).status, 200)
    const stored = await countRows(service.pool)
    const event = { event_id: id, type: 'returned', date: '2025-02-16' }
    const answers = await times(12, (at) => tell(either(at), eventsOf(id), event))
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
    assert.equal(new Set(answers.map(({ text }) => text)).size, 1)
    assert.equal(answers.filter(({ headers }) => headers['idempotent-replayed'] !== 'true').length, 1)
    const now = await countRows(service.pool)
    assert.deepEqual(now, { ...stored, events: stored.events + 1n, entries: stored.entries + 1n })
  }
})

test('one event id told of two orders at once is stored for one of them, and a conflict for the other', async () => {
  for (let round = 0; round < 5; round += 1) {
    const ids = [`left-${round}`, `right-${round}`]
    for (const id of ids) assert.equal((await service.post(order(id, `S-${id}`))).status, 200)
    const event = { event_id: `both-${round}`, type: 'returned', date: '2025-02-16' }
    const answers = await times(2, (at) => tell(either(at), eventsOf(ids[at]!), event))
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 409])
  }
})

test('devices that two orders hold cannot be swapped for each other, whichever swap is heard first', async () => {
  for (let round = 0; round < 5; round += 1) {
    const [left, right] = [`swap-left-${round}`, `swap-right-${round}`] as const
    for (const id of [left, right]) assert.equal((await service.post(order(id, `S-${id}`))).status, 200)
    const swap = (id: string, into: string) => ({
      event_id: `swap-${id}`,
      type: 'swapped',
      date: '2025-02-01',
      new_serial_number: `S-${into}`,
      weight_kg: 1.24,
    })
    const answers = await Promise.all([
      tell(service, eventsOf(left), swap(left, right)),
      tell(other, eventsOf(right), swap(right, left)),
    ])
    // Each device is in use by the other order, whichever is heard first.
    assert.deepEqual(
      answers.map(({ status }) => status),
      [409, 409],
    )
  }
})

test('orders of one new device that race through two services all stand in its ledger, each number once', async () => {
  for (let round = 0; round < 5; round += 1) {
    const serial = `S-race-${round}`
    const answers = await times(8, (at) => either(at).post(order(`race-${round}-${at}`, serial, `2025-0${at + 1}-01`)))
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
    const { rows } = await service.pool.query<{ entries: bigint; last: number; posted: bigint; kept: bigint }>(
      `select count(*) as entries, max(entry_no) as last, sum(embodied_mg)::bigint as posted,
        (select allocated_mg from devices where serial_number = $1) as kept from entries where serial_number = $1`,
      [serial],
    )
    const { entries, last, posted, kept } = rows[0]!
    assert.equal(entries, BigInt(last))
    assert.equal(posted, kept)
  }
})
