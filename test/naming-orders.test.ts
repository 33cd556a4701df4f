// Which order says what a device is, once orders are corrected: the first one that counts.
import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import { verifyAll } from '../src/cli/verify.ts'
import type { Json } from './document-check.ts'
import { pathOf } from './order-client.ts'
import { createReceiptClient, laptop, orderOf, type ReceiptClient } from './receipt-client.ts'
import { startService, type Service } from './service.ts'

let service: Service
let client: ReceiptClient
before(async () => {
  service = await startService()
  client = createReceiptClient(service)
})
after(() => service.stop())

const MODELS = {
  a: 'apple-ipad-10th-generation-64gb',
  b: 'dell-latitude-3120',
  c: 'apple-macbook-air-13-m3-256gb',
} as const

const content = (id: string, serial: string, model: string, start: string, months = 6): Json =>
  orderOf(`customer-${id}`, id, start, [laptop(serial, months, { product_id: model })])

async function put(order: Json): Promise<void> {
  const path = pathOf(String(order['customer_id']), String(order['order_id']))
  const headers = { 'content-type': 'application/json', 'if-match': '*' }
  const { status, text } = await service.ask(path, { method: 'PUT', headers, body: JSON.stringify(order) })
  assert.equal(status, 200, text)
}

/** What the device is charged by. */
async function modelOf(serial: string): Promise<string> {
  const { rows } = await service.pool.query<{ readonly id: string }>(
    `select footprint_id as id from entries where serial_number = $1 and footprint_id is not null
      order by entry_no desc limit 1`,
    [serial],
  )
  return rows[0]!.id
}

test('an order keeps its place as the first one that counts when it is corrected itself', async () => {
  await client.post(content('n1', 'N1', MODELS.a, '2024-01-01'))
  await client.post(content('n2', 'N1', MODELS.b, '2025-01-01'))
  await client.post(content('n3', 'N1', MODELS.c, '2025-08-01'))
  await put(content('n2', 'N1', MODELS.b, '2025-01-01', 5))
  await put(content('n1', 'N1-right', MODELS.a, '2024-01-01'))
  assert.equal(await modelOf('N1'), MODELS.b)
})

test('an order that takes over a device names it, also if it had named the same model', async () => {
  await client.post(content('n4', 'N2', MODELS.a, '2024-01-01'))
  await client.post(content('n5', 'N2', MODELS.a, '2025-01-01'))
  await client.post(content('n6', 'N2', MODELS.c, '2025-08-01'))
  await put(content('n4', 'N2-right', MODELS.a, '2024-01-01'))
  assert.equal(await modelOf('N2'), MODELS.a)
  await put(content('n5', 'N2', MODELS.b, '2025-01-01'))
  assert.equal(await modelOf('N2'), MODELS.b)
})

for (const [words, said] of Object.entries({ same: MODELS.a, other: MODELS.b })) {
  test(`an order that takes a dropped device up again does not name it: the other says the ${words}`, async () => {
    const [first, serial] = [`again-${words}`, `AG-${words}`]
    await client.post(content(first, serial, MODELS.a, '2024-01-01'))
    await client.post(content(`holds-${words}`, serial, said, '2023-01-01', 3))
    await put(content(first, `${serial}-right`, MODELS.a, '2024-01-01'))
    for (const months of [12, 6]) await put(content(first, serial, MODELS.c, '2024-01-01', months))
    assert.equal(await modelOf(serial), said)
  })

  test(`nor does it by a swap: the other says the ${words}`, async () => {
    const [first, serial] = [`swaps-${words}`, `SW-${words}`]
    await client.post(content(first, serial, MODELS.a, '2024-01-01'))
    await put(content(first, `${serial}-right`, MODELS.a, '2024-01-01'))
    await client.post(content(`swap-holds-${words}`, serial, said, '2023-01-01', 3))
    const swap = { type: 'swapped', date: '2024-03-01', new_serial_number: serial, product_id: MODELS.c, weight_kg: 1 }
    await client.tell(`customer-${first}`, first, { event_id: `swap-${words}`, ...swap })
    assert.equal(await modelOf(serial), said)
  })
}

test('an order that dropped a device and takes it up again comes after those that had it', async () => {
  for (const id of ['q1', 'q2', 'q3']) await client.post(content(id, 'N5', MODELS.a, `202${id.slice(1)}-01-01`))
  await put(content('q2', 'N5-other', MODELS.a, '2022-01-01'))
  await put(content('q2', 'N5', MODELS.b, '2022-01-01'))
  await put(content('q1', 'N5-right', MODELS.a, '2021-01-01'))
  assert.equal(await modelOf('N5'), MODELS.a)
  // The next one names it.
  await put(content('q3', 'N5', MODELS.c, '2023-01-01'))
  assert.equal(await modelOf('N5'), MODELS.c)
})

test('an order that takes a device up by another swap comes after one that had it meanwhile', async () => {
  for (const id of ['w1', 'w2']) {
    await client.post(content(id, `out-${id}`, MODELS.c, '2024-01-01', 24))
    const swap = { type: 'swapped', date: '2024-03-01', new_serial_number: `in-${id}`, weight_kg: 1 }
    const ofOrder = [`customer-${id}`, id] as const
    await client.tell(...ofOrder, { event_id: `wrong-${id}`, ...swap, product_id: MODELS.a })
    await client.tell(...ofOrder, { event_id: `gone-${id}`, type: 'withdrawn', withdraws: `wrong-${id}` })
    await client.post(content(`holds-${id}`, `in-${id}`, MODELS.a, '2023-01-01', 3))
    // A correction that has nothing to do with it changes nothing.
    if (id === 'w2') await put(content(id, `out-${id}`, MODELS.c, '2024-01-01', 23))
    await client.tell(...ofOrder, { event_id: `right-${id}`, ...swap, product_id: MODELS.b })
    assert.equal(await modelOf(`in-${id}`), MODELS.a)
  }
})

test('an order that takes a dropped device up again does not name it while another has it by a swap', async () => {
  await client.post(content('s1', 'S1', MODELS.c, '2024-05-20', 12))
  await client.post(content('s2', 'S2', MODELS.c, '2024-07-05', 12))
  for (const serial of ['S-in', 'S1']) await put(content('s1', serial, MODELS.c, '2024-05-20', 12))
  const swap = { type: 'swapped', date: '2024-08-25', new_serial_number: 'S-in', product_id: MODELS.c, weight_kg: 1 }
  await client.tell('customer-s2', 's2', { event_id: 'to-s-in', ...swap })
  await put(content('s1', 'S-in', MODELS.a, '2024-05-20', 12))
  assert.equal(await modelOf('S-in'), MODELS.c)
})

test('everything stored verifies', async () => {
  const { lines, differences } = await verifyAll(service.pool)
  assert.deepEqual([lines, differences], [[], 0])
})
