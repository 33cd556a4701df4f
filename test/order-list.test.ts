// The list of orders: pages that visit every order once, and sums that are those of the orders themselves.
import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import type { Json } from './document-check.ts'
import { startService, type Service } from './service.ts'
import { byCodePoint, createOrderClient, inSequence, keyOf, order, pathOf, type OrderClient } from './order-client.ts'

let service: Service
let client: OrderClient
before(async () => {
  service = await startService()
  client = createOrderClient(service)
})
after(() => service.stop())

test('an account without orders has an empty list, with the release of the datasets', async () => {
  const key = await service.createKey(undefined, null, 'empty')
  const page = await createOrderClient(service, key).list('')
  assert.deepEqual(page, { orders: [], link: undefined, release: service.server.referenceData.release })
})

test('pages of any size visit every order once, by order id and customer in code-point order', async () => {
  const customers = ['seq', 'seq-Z', 'seq-a', 'seq-é', 'seq-\u{ff5e}', 'seq-\u{1f69a}', 'seq-10', 'seq-9', 'seq,%&= +/']
  const posted = customers.flatMap((customer) => ['b', 'B', '10', '9', 'ü'].map((id) => order(customer, id, [])))
  await Promise.all(posted.map((one) => client.post(one)))
  const whole = (await client.keys('?limit=1000')).filter((key) => key.startsWith('seq'))
  assert.equal(whole.length, posted.length)
  assert.deepEqual(whole, inSequence(posted).map(keyOf))
  for (const customer of customers) {
    const ids = await client.keys(`?customer_id=${encodeURIComponent(customer)}`)
    assert.deepEqual(
      ids,
      byCodePoint(['b', 'B', '10', '9', 'ü']).map((id) => `${customer}/${id}`),
    )
  }
  const all = await client.keys('?limit=1000')
  for (const limit of [1, 7, all.length - 1, all.length]) {
    assert.deepEqual((await client.visitPages(`?limit=${limit}`)).map(keyOf), all)
  }
})

test('without limit a page has 100 orders', async () => {
  await Promise.all(Array.from({ length: 101 }, (_, at) => client.post(order('hundred', `o${at}`, []))))
  const { orders, link } = await client.list('?customer_id=hundred')
  assert.equal(orders.length, 100)
  assert.match(String(link), /^<\/api\/customer-orders\?customer_id=hundred&cursor=[\w-]+>; rel="next"$/)
  assert.equal((await client.visitPages('?customer_id=hundred')).length, 101)
})

test('pages visit each order that was there exactly once while others are being posted', async () => {
  const there = Array.from({ length: 40 }, (_, at) => order('busy', `m${at}`, [`BUSY-${at}`]))
  await Promise.all(there.map((one) => client.post(one)))
  let more = 0
  const postMore = async () => {
    const ids = ['a', 'm2', 'm39', 'z'].map((start) => `${start}-${(more += 1)}`)
    await Promise.all(ids.map((id) => client.post(order('busy', id, [`BUSY-${id}`]))))
  }
  const visited = (await client.visitPages('?customer_id=busy&limit=3', postMore)).map(keyOf)
  assert.ok(more > 40)
  assert.deepEqual(visited, byCodePoint(visited))
  assert.equal(new Set(visited).size, visited.length)
  assert.ok(there.every((one) => visited.includes(keyOf(one))))
})

test('a page of orders with very many items ends early, and the pages still visit every order once', async () => {
  const items = Array.from({ length: 1000 }, () => ({
    type: 'packaging',
    config: { packaging_id: 'corrugated-board-recycled', weight_kg: 0.123456789 },
  }))
  const ids = Array.from({ length: 90 }, (_, at) => `heavy-${String(at).padStart(2, '0')}`)
  for (const id of ids) await client.post(order('heavy', id, [], { items }))
  const { orders, link } = await client.list('?customer_id=heavy')
  assert.ok(orders.length > 1 && orders.length < ids.length, `${orders.length}`)
  assert.ok(link)
  const visited = await client.visitPages('?customer_id=heavy')
  assert.deepEqual(
    visited.map((one) => one['order_id']),
    ids,
  )
})

test('every order of a list is summed, counted and named as the order itself is, whatever happened to it', async () => {
  const serials = (name: string) => [`${name}-1`, `${name}-2`]
  for (const name of ['returned', 'extended', 'cancelled', 'late', 'swapped', 'half', 'dispatched', 'refurbished'])
    await client.post(order('events', name, serials(name), { metadata: { name } }))
  await client.post(order('events', 'bare', []))
  await client.post(order('events', 'bare-cancelled', []))
  await client.post(order('events', 'nothing', [], { items: [] }))
  // Takes a device of another order earlier than it was given back.
  await client.post(order('events', 'overlapping', ['extended-1'], { tenure_start_date: '2025-06-01' }))
  await client.tell('events', 'returned', { event_id: 'e1', type: 'returned', date: '2025-07-01' })
  await client.tell('events', 'extended', {
    event_id: 'e2',
    type: 'extended',
    serial_number: 'extended-2',
    tenure_months: 30,
  })
  await client.tell('events', 'cancelled', { event_id: 'e3', type: 'cancelled', date: '2025-01-20' })
  await client.tell('events', 'late', { event_id: 'e4', type: 'returned', serial_number: 'late-1', date: '2026-05-05' })
  const swap = { type: 'swapped', date: '2025-05-05', weight_kg: 1.5 }
  await client.tell('events', 'swapped', {
    ...swap,
    event_id: 'e5',
    serial_number: 'swapped-1',
    new_serial_number: 'swap-3',
  })
  await client.tell('events', 'swapped', {
    ...swap,
    event_id: 'e6',
    serial_number: 'swap-3',
    new_serial_number: 'swap-4',
  })
  const cancel = { type: 'cancelled', date: '2025-01-20' }
  await client.tell('events', 'half', { ...cancel, event_id: 'e7', serial_number: 'half-2' })
  await client.tell('events', 'dispatched', {
    ...cancel,
    event_id: 'e8',
    serial_number: 'dispatched-1',
    dispatched: true,
  })
  await client.tell('events', 'bare-cancelled', { ...cancel, event_id: 'e9' })
  const refurbished = { type: 'refurbished', date: '2025-03-01', emission_kg: 8, lifetime_months_added: 12 }
  await client.tellDevice('refurbished-1', { ...refurbished, event_id: 'e10' })

  const { orders } = await client.list('?customer_id=events&include=metadata')
  assert.equal(orders.length, 12)
  assert.equal(new Set(orders.map((one) => one['status'])).size, 4)
  for (const listed of orders) {
    const { number_of_devices, ...fields } = listed
    const { text } = await client.ask(`${pathOf('events', listed['order_id'])}?include=metadata`)
    const { items, ...expected } = JSON.parse(text) as Json
    assert.deepEqual(fields, expected)
    const products = (items as readonly Json[]).filter(({ type }) => type === 'product')
    assert.equal(number_of_devices, products.length, String(listed['order_id']))
  }
  const swapped = orders.find((one) => one['order_id'] === 'swapped')
  assert.equal(swapped!['number_of_devices'], 4)
})

test('metadata is listed where it is asked for alone', async () => {
  await client.post(order('labels', 'with', [], { metadata: { cost_centre: '4711' } }))
  await client.post(order('labels', 'without', []))
  const metadataIn = async (query: string) => (await client.list(query)).orders.map((one) => one['metadata'])
  assert.deepEqual(await metadataIn('?customer_id=labels'), [undefined, undefined])
  assert.deepEqual(await metadataIn('?customer_id=labels&include=metadata'), [{ cost_centre: '4711' }, {}])
})
