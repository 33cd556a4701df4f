// One account and the objects of another: on every operation of the document they are as if they were not there.
import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import { EXAMPLE_ORDER } from '../src/http/schemas/examples.ts'
import { operationsOf, type Operation } from './fuzz/documented-operations.ts'
import { viewAsStranger } from './fuzz/foreign-view.ts'
import type { AskedService } from './asked-service.ts'
import { sharedService } from './shared-service.ts'

/** What all ids of the owner's begin with; an id that nobody has differs from one of these in this alone. */
const NAME = 'owned-'
const OWNED = {
  customer_id: `${NAME}customer`,
  order_id: `${NAME}order`,
  serial: `${NAME}serial`,
  id: `${NAME}serial`,
  product_id: `${NAME}product`,
  /** The first key of the database is the owner's. */
  key_id: '1',
} as const
const SERIAL = 'C02XL0AAJGH5'
const ORDER_PATH = `/api/customer-orders/${OWNED.customer_id}/${OWNED.order_id}`
const ORDER = JSON.parse(
  JSON.stringify({ ...EXAMPLE_ORDER, customer_id: OWNED.customer_id, order_id: OWNED.order_id }).replaceAll(
    SERIAL,
    OWNED.serial,
  ),
) as typeof EXAMPLE_ORDER
const LOST = { event_id: `${NAME}lost`, type: 'lost', date: '2030-01-01' }
const RETURNED = { event_id: `${NAME}returned`, type: 'returned', date: '2025-02-16' }
const BODIES: Readonly<Record<string, unknown>> = {
  applyRestatement: { digest: 'none' },
  changeWebhook: { description: 'other' },
  createOrderEvent: { ...RETURNED, event_id: `${NAME}other` },
  createDeviceEvent: { ...LOST, event_id: `${NAME}other` },
  pseudonymiseCustomer: { serial_numbers: true, order_ids: true },
}
const FILTERS = [
  `/api/customer-orders?customer_id=${OWNED.customer_id}`,
  `/api/customer-orders?order_id=${OWNED.order_id}`,
  `/api/customer-orders?serial_number=${OWNED.serial}`,
  '/api/customer-orders',
  '/api/products?state=mapped',
  '/api/product-states',
  '/api/devices',
  `/api/devices?serial_prefix=${NAME}`,
  `/api/devices?sort=-total_emission&customer_id=${OWNED.customer_id}`,
  '/api/devices?footprint_id=apple-macbook-air-13-m3-256gb&sort=total_emission',
]

let service: AskedService
let stranger: string
before(async () => {
  service = await sharedService()
  stranger = await service.createKey(undefined, null, 'stranger')
  assert.equal((await service.post(ORDER)).status, 200)
  // A second one, so that lists have a second page.
  assert.equal((await service.post({ ...ORDER, order_id: `${NAME}second`, items: [] })).status, 200)
  for (const [path, method, body] of [
    [`${ORDER_PATH}/events`, 'POST', RETURNED],
    [`/api/devices/${OWNED.serial}/events`, 'POST', LOST],
    [`/api/products/${OWNED.product_id}`, 'PUT', { device_type: 'laptop' }],
    [`/api/products/${OWNED.product_id}-2`, 'PUT', { device_type: 'laptop' }],
  ] as const)
    assert.equal((await send(path, method, body)).status, 200, path)
})
after(() => service.stop())

const send = (path: string, method = 'GET', body?: unknown, key = service.key) =>
  service.ask(path, {
    method,
    headers: { 'x-api-key': key, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })

/** What the owner has to see unchanged, whatever strangers did. */
async function ownersView(): Promise<readonly string[]> {
  const paths = [
    `${ORDER_PATH}?include=entries`,
    `/api/device-emissions/${OWNED.serial}?include=entries,history`,
    `/api/products/${OWNED.product_id}`,
    ...FILTERS,
  ]
  return Promise.all(paths.map(async (path) => (await send(path)).text))
}

const fill = ({ path }: Operation): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: keyof typeof OWNED) => OWNED[name])

test('on every operation with an id, an object of another account is answered as one that nobody has', async () => {
  const before = await ownersView()
  // A mapping is told under whatever id: it becomes the stranger's own.
  const operations = operationsOf(service.document).filter(({ path, method }) => path.includes('{') && method !== 'PUT')
  assert.ok(operations.length >= 7)
  for (const operation of operations) {
    const body = BODIES[operation.id]
    const sent = {
      method: operation.method,
      headers: body === undefined ? {} : { 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }
    const told = { operationId: operation.id, path: fill(operation), pathValues: {}, query: '', body: '', file: null }
    const { answer, fault } = await viewAsStranger(service.ask, told, sent, stranger, NAME)
    assert.equal(fault, null, operation.id)
    // Of a device that was never rented there is a ledger, and it is empty.
    if (answer.status === 200) assert.match(answer.text, /"total_emission":0[,}]/, operation.id)
    else assert.equal(answer.status, 404, operation.id)
  }
  assert.deepEqual(await ownersView(), before)
})

test('lists and filters show nothing of another account, and its cursors are none', async () => {
  for (const path of FILTERS) {
    assert.notEqual((await send(path)).text, '[]', path)
    assert.equal((await send(path, 'GET', undefined, stranger)).text, '[]', path)
  }
  for (const path of ['/api/customer-orders?limit=1', '/api/products?state=mapped&limit=1']) {
    const next = /^<([^>]+)>/.exec(String((await send(path)).headers['link']))![1]!
    assert.equal((await send(next)).status, 200)
    const refused = await send(next, 'GET', undefined, stranger)
    const garbage = await send(`${path}&cursor=garbage`, 'GET', undefined, stranger)
    assert.equal(refused.status, 400)
    const withoutId = (text: string) => text.replace(/"request_id":"[^"]+"/, '')
    assert.equal(withoutId(refused.text), withoutId(garbage.text))
  }
})

test('ids in bodies are the sender’s own: those of one account are new to another', async () => {
  const before = await ownersView()
  const other = await service.createKey(undefined, null, 'another')
  const { customer_id, order_id, serial } = OWNED
  const events = [
    { customer_id, order_id, ...RETURNED },
    { serial_number: serial, ...LOST },
  ]
  const batch = await send('/api/events/batch', 'POST', { events }, other)
  const { results } = JSON.parse(batch.text) as { readonly results: readonly { readonly status: number }[] }
  assert.deepEqual(
    results.map(({ status }) => status),
    [404, 404],
  )
  assert.equal((await send('/api/estimates', 'POST', ORDER, other)).status, 200)
  const posted = await send('/api/customer-orders', 'POST', ORDER, other)
  assert.equal(posted.status, 200)
  assert.equal(posted.headers['idempotent-replayed'], undefined)
  for (const path of [`${ORDER_PATH}/events`, `/api/devices/${OWNED.serial}/events`]) {
    const event = path.startsWith('/api/devices') ? LOST : RETURNED
    const told = await send(path, 'POST', event, other)
    assert.deepEqual([told.status, told.headers['idempotent-replayed']], [200, undefined], path)
  }
  const mapped = await send('/api/products', 'PUT', [{ product_id: OWNED.product_id, device_type: 'tablet' }], other)
  assert.equal(mapped.status, 200)
  assert.equal((await send(`/api/products/${OWNED.product_id}`, 'DELETE', undefined, other)).status, 200)
  assert.deepEqual(await ownersView(), before)
})
