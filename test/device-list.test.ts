// The list of devices: each once, with a balance that closes and its last rental; by serial number or weight, by pages.
import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import type { Json } from './document-check.ts'
import type { AskedService } from './asked-service.ts'
import { sharedService } from './shared-service.ts'
import { createOrderClient, order, milligrams, type OrderClient } from './order-client.ts'

const DEVICES = '/api/devices'
const MODEL = 'apple-macbook-air-13-m3-256gb'

let service: AskedService
let client: OrderClient
before(async () => {
  service = await sharedService()
  client = createOrderClient(service)
  await client.post(order('acme', 'o1', ['A-1', 'A-2', 'b-1']))
  await client.post(order('beta', 'o2', ['A-1'], { tenure_start_date: '2026-03-01' }))
  await client.post(order('beta', 'o3', ['A-3']))
  await client.post({ ...order('beta', 'o4', []), items: [weighed('A-4')] })
  await client.tell('beta', 'o3', { event_id: 'e1', type: 'cancelled', date: '2025-01-20' })
  await client.tell('acme', 'o1', { event_id: 'e2', type: 'returned', date: '2025-05-01', serial_number: 'A-2' })
  await client.tellDevice('A-2', { event_id: 'e3', type: 'lost', date: '2025-06-01' })
})
after(() => service.stop())

/** Of no known type: charged by its weight. */
const weighed = (serial: string): Json => ({
  type: 'product',
  config: { product_id: 'Q-9', serial_number: serial, tenure_months: 12, weight_kg: 1.24 },
})

async function list(query = ''): Promise<readonly Json[]> {
  const { status, text } = await client.ask(DEVICES + query)
  assert.equal(status, 200, text)
  return JSON.parse(text) as readonly Json[]
}

const serialsOf = (devices: readonly Json[]) => devices.map((one) => one['serial_number'])

test('every device is listed once, by serial number, with the balance and total of its own history', async () => {
  const devices = await list()
  assert.deepEqual(serialsOf(devices), ['A-1', 'A-2', 'A-3', 'A-4', 'b-1'])
  for (const device of devices) {
    const { text } = await client.ask(`/api/device-emissions/${String(device['serial_number'])}?include=history`)
    const ledger = JSON.parse(text) as Json & { readonly history: { readonly balance: Json; readonly initial: Json } }
    for (const name of ['embodied_total', 'allocated', 'unallocated', 'remaining']) {
      assert.equal(device[name], ledger.history.balance[name], `${String(device['serial_number'])}: ${name}`)
    }
    assert.equal(device['total_emission'], ledger['total_emission'])
    assert.deepEqual(
      [device['footprint_id'], device['name']],
      [ledger.history.initial['footprint_id'], ledger.history.initial['name']],
    )
    const parts = ['allocated', 'unallocated', 'remaining'].map((name) => milligrams(device[name]))
    assert.equal(
      parts.reduce((sum, part) => sum + part, 0n),
      milligrams(device['embodied_total']),
    )
  }
})

test('the rental that began last is told as it stands, and why a device is gone', async () => {
  const [first, second, third] = await list()
  assert.deepEqual(first!['last_rental'], { customer_id: 'beta', order_id: 'o2', from: '2026-03-01', to: '2027-03-01' })
  assert.equal(first!['number_of_orders'], 2)
  assert.deepEqual(second!['last_rental'], {
    customer_id: 'acme',
    order_id: 'o1',
    from: '2025-02-01',
    to: '2025-05-01',
  })
  assert.deepEqual([first!['decommissioned'], second!['decommissioned']], [undefined, 'lost'])
  assert.equal(third!['last_rental'], undefined)
})

test('of rentals that begin on one day, the last by order id holds the device', async () => {
  const own = createOrderClient(service, await service.createKey(undefined, null, 'same day'))
  await own.post(order('zeta', 'b', ['D-1']))
  await own.post(order('acme', 'a', ['D-1']))
  const [device] = JSON.parse((await own.ask('/api/devices')).text) as readonly Json[]
  assert.equal((device!['last_rental'] as Json)['customer_id'], 'zeta')
})

test('a prefix is compared as it is written, and pages of any size visit every device once', async () => {
  assert.deepEqual(serialsOf(await list('?serial_prefix=A-')), ['A-1', 'A-2', 'A-3', 'A-4'])
  assert.deepEqual(serialsOf(await list('?serial_prefix=%20B')), [])
  assert.deepEqual(serialsOf(await list('?serial_prefix=%25')), [])
  for (const limit of [1, 2])
    assert.deepEqual(serialsOf(await visit('serial_prefix=A', limit)), ['A-1', 'A-2', 'A-3', 'A-4'])
})

async function visit(query: string, limit: number): Promise<readonly Json[]> {
  const visited: Json[] = []
  for (let next: string | undefined = `${DEVICES}?${query}&limit=${limit}`; next !== undefined;) {
    const { status, text, headers } = await client.ask(next)
    assert.equal(status, 200, text)
    visited.push(...(JSON.parse(text) as readonly Json[]))
    next = /^<([^>]+)>; rel="next"$/.exec(String(headers['link']))?.[1]
  }
  return visited
}

/** @param sign 1 for the least first, -1 for the heaviest; of equal ones the first serial number comes first */
const byWeight =
  (sign: 1 | -1) =>
  (a: Json, b: Json): number =>
    sign * (Number(a['total_emission']) - Number(b['total_emission'])) ||
    (String(a['serial_number']) < String(b['serial_number']) ? -1 : 1)

test('the heaviest devices come first, or the least; filtered or not, pages of any size visit each once', async () => {
  for (const filter of [
    '',
    '&serial_prefix=A',
    '&customer_id=beta',
    `&footprint_id=${MODEL}`,
    `&customer_id=acme&footprint_id=${MODEL}`,
  ]) {
    const all = await list(`?limit=100${filter}`)
    assert.ok(all.length > 1, filter)
    for (const limit of [1, 2, 100]) {
      assert.deepEqual(await visit(`sort=-total_emission${filter}`, limit), all.toSorted(byWeight(-1)), filter)
      assert.deepEqual(await visit(`sort=total_emission${filter}`, limit), all.toSorted(byWeight(1)), filter)
      assert.deepEqual(await visit(`sort=serial_number${filter}`, limit), all, filter)
    }
  }
})

test('devices of a customer bear what that customer’s orders were charged, as the report has it', async () => {
  for (const customer of ['acme', 'beta']) {
    const devices = await list(`?customer_id=${customer}`)
    const { text } = await client.ask(`/api/reports/emissions?customer=${customer}`)
    assert.equal(
      devices.reduce((sum, device) => sum + milligrams(device['total_emission']), 0n),
      milligrams((JSON.parse(text) as Json)['total_emission']),
    )
  }
  const [all, ofAcme] = [await list(), await list('?customer_id=acme')]
  assert.deepEqual(serialsOf(ofAcme), ['A-1', 'A-2', 'b-1'])
  const [whole, own] = [all[0]!, ofAcme[0]!]
  assert.deepEqual([whole['number_of_orders'], own['number_of_orders']], [2, 1])
  assert.equal((own['last_rental'] as Json)['order_id'], 'o1')
  for (const name of ['embodied_total', 'remaining', 'allocated']) assert.equal(own[name], whole[name])
  assert.equal(ofAcme[1]!['decommissioned'], 'lost')
  assert.deepEqual(serialsOf(await list('?customer_id=beta')), ['A-1', 'A-3', 'A-4'])
  assert.deepEqual(await list('?customer_id=nobody'), [])
})

test('devices of a model, or of a stand-in, add up to what the report has of it', async () => {
  const all = await list()
  const { text } = await client.ask('/api/reports/emissions?group_by=model')
  const { groups } = JSON.parse(text) as { readonly groups: readonly Json[] }
  assert.equal(groups.length, 2)
  for (const { model, total_emission: total } of groups) {
    const devices = await list(`?footprint_id=${encodeURIComponent(String(model))}`)
    assert.equal(
      devices.reduce((sum, device) => sum + milligrams(device['total_emission']), 0n),
      milligrams(total),
    )
    const basis = String(devices[0]!['footprint_id'])
    assert.deepEqual(await list(`?footprint_id=${encodeURIComponent(basis)}`), devices)
    assert.deepEqual(
      devices,
      all.filter((device) => device['footprint_id'] === basis),
    )
  }
})

test('a cursor is of its own question: one of another sequence or customer is refused', async () => {
  const { headers } = await client.ask(`${DEVICES}?sort=-total_emission&customer_id=acme&limit=1`)
  const cursor = /[?&]cursor=([^&>]+)/.exec(String(headers['link']))![1]!
  for (const [query, status] of [
    ['sort=-total_emission&customer_id=acme', 200],
    ['sort=total_emission&customer_id=acme', 400],
    ['sort=-total_emission&customer_id=beta', 400],
    ['sort=-total_emission', 400],
    ['', 400],
  ] as const)
    assert.equal((await client.ask(`${DEVICES}?${query}&cursor=${cursor}`)).status, status, query)
})

test('an unknown parameter, an empty prefix and what is no cursor are refused', async () => {
  for (const query of [
    'q=1',
    'serial_prefix=',
    'serial_prefix=%20',
    'serial_prefix=a%00',
    'cursor=AAAA',
    'limit=101',
    'sort=-serial_number',
    'sort=total_emission&sort=total_emission',
    'customer_id=',
    'customer_id=%00',
    'footprint_id=a%07',
  ]) {
    assert.equal((await client.ask(`${DEVICES}?${query}`)).status, 400, query)
  }
})
