// The contract, field for field: orders and devices, their members, their types, and their numbers.
import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import { EXAMPLE_ORDER } from '../src/http/schemas/examples.ts'
import type { Json } from './document-check.ts'
import { milligrams } from './order-client.ts'
import type { AskedService } from './asked-service.ts'
import { sharedService } from './shared-service.ts'

let service: AskedService
before(async () => void (service = await sharedService()))
after(() => service.stop())

const [PRODUCT, TRANSPORTATION, PACKAGING] = EXAMPLE_ORDER.items ?? []
const order = (orderId: string, changes: Json = {}): Json => ({ ...EXAMPLE_ORDER, order_id: orderId, ...changes })
const read = async (path: string) => JSON.parse((await service.ask(path)).text) as Json

const LINE_MEMBERS = ['description', 'emission', 'emission_unit', 'ghg_category', 'ghg_scope', 'type']

/** Every member of a line, by its kind. */
function assertLine(line: unknown, scope: string, category: string, type: string): void {
  const { description, emission, ...rest } = line as Json
  assert.deepEqual(Object.keys(line as Json), LINE_MEMBERS)
  assert.equal(typeof description, 'string')
  assert.equal(typeof emission, 'number')
  assert.deepEqual(rest, { emission_unit: 'kgCO2e', ghg_category: category, ghg_scope: scope, type })
}

test('an order is answered 200 with every field of OrderResponse and no other', async () => {
  const answer = await service.post(order('fields'))
  assert.equal(answer.status, 200)
  const { created_at, total_emission, items, ...rest } = JSON.parse(answer.text) as Json
  assert.deepEqual(rest, {
    order_id: 'fields',
    customer_id: 'customer-17',
    order_date: '2024-12-12',
    tenure_start_date: '2025-01-01',
    status: 'created',
    emission_unit: 'kgCO2e',
  })
  assert.ok(Math.abs(Date.parse(String(created_at)) - Date.now()) < 60_000)
  assert.equal(typeof total_emission, 'number')
  const [product, transportation, packaging, ...others] = items as readonly Json[]
  assert.deepEqual(others, [])
  assert.deepEqual(Object.keys(product!), [
    'type',
    'device_id',
    'serial_number',
    'total_emission',
    'emission_breakdown',
  ])
  assert.equal(product!['serial_number'], 'C02XL0AAJGH5')
  assert.deepEqual(Object.keys(transportation!), ['type', 'total_emission', 'emission_breakdown'])
  assert.deepEqual(Object.keys(packaging!), ['type', 'total_emission', 'emission_breakdown'])
  assert.deepEqual(
    [product!['type'], transportation!['type'], packaging!['type']],
    ['product', 'transportation', 'packaging'],
  )
})

test('each item carries its own lines, labelled as the contract labels them', async () => {
  const { items } = JSON.parse((await service.post(order('lines'))).text) as { readonly items: readonly Json[] }
  const [product, transportation, packaging] = items.map((item) => item['emission_breakdown'] as Json)
  assert.deepEqual(Object.keys(product!), ['product_embodied_emission', 'product_use'])
  assertLine(product!['product_embodied_emission'], '3', 'Category 1: Purchased goods and services', 'estimated')
  assertLine(product!['product_use'], '2', 'Electricity', 'indicative')
  assert.deepEqual(Object.keys(transportation!), ['transportation'])
  assertLine(
    transportation!['transportation'],
    '3',
    'Category 4: Upstream transportation and distribution',
    'estimated',
  )
  assert.deepEqual(Object.keys(packaging!), ['packaging'])
  assertLine(packaging!['packaging'], '3', 'Category 1: Purchased goods and services', 'estimated')
})

test('the published example gets 6.834375 and 1.603125; every number is a shortest exact decimal', async () => {
  const { config } = PRODUCT!
  const items = [{ ...PRODUCT, config: { ...config, serial_number: 'EXACT-1' } }, TRANSPORTATION, PACKAGING]
  const answer = await service.post(order('exact', { items }))
  assert.match(answer.text, /"product_embodied_emission":\{[^}]*"emission":6\.834375,/)
  assert.match(answer.text, /"product_use":\{[^}]*"emission":1\.603125,/)
  assert.match(answer.text, /"total_emission":8\.4375,"emission_breakdown"/)
  const ledger = await service.ask('/api/device-emissions/EXACT-1')
  const models = await service.ask('/api/device-model-emissions')
  const lists = [await service.ask('/api/transportations'), await service.ask('/api/packagings')]
  for (const { text } of [answer, ledger, models, ...lists]) {
    for (const [, number] of text.matchAll(/"[a-z_]+":(-?[0-9][^,}\]]*)/g)) {
      assert.match(number!, /^(0|[1-9]\d*)(\.\d*[1-9])?$/)
      assert.ok(number!.replace('.', '').length <= 15, `${number} has digits that no decimal needs`)
    }
  }
})

test('an order without items, or with an empty list of them, has no emissions', async () => {
  for (const [orderId, items] of [
    ['none', undefined],
    ['empty', []],
  ] as const) {
    const answer = await service.post(order(orderId, { items }))
    assert.equal(answer.status, 200)
    const body = JSON.parse(answer.text) as Json
    assert.equal(body['total_emission'], 0)
    assert.deepEqual(body['items'], [])
  }
})

test('totals are the sums of their lines, and include=calculation says how each came about', async () => {
  const plain = JSON.parse((await service.post(order('sums', { metadata: { a: 'b' } }))).text) as Json
  const full = JSON.parse(
    (await service.post(order('sums', { metadata: { a: 'b' } }), '?include=calculation,metadata')).text,
  ) as Json
  const lines = (full['items'] as readonly Json[]).flatMap((item) => Object.values(item['emission_breakdown'] as Json))
  const sum = (those: readonly unknown[]) =>
    those.reduce((total: bigint, line) => total + milligrams((line as Json)['emission']), 0n)
  assert.equal(milligrams(full['total_emission']), sum(lines))
  const certain = lines.filter((line) => (line as Json)['type'] !== 'indicative')
  assert.equal(milligrams(full['total_emission_excluding_indicative']), sum(certain))
  assert.deepEqual(full['metadata'], { a: 'b' })
  for (const line of lines) {
    const { formula, factors } = (line as { readonly calculation: Json }).calculation
    assert.equal(typeof formula, 'string')
    for (const factor of factors as readonly Json[])
      assert.equal(factor['dataset_release'], service.server.referenceData.release)
  }
  for (const part of [full, ...(full['items'] as readonly Json[]), ...lines] as readonly Json[]) {
    const { low, high, level, kind, gsd } = part['uncertainty'] as Json
    const emission = (part['emission'] ?? part['total_emission']) as number
    assert.ok((low as number) < emission && emission < (high as number) && (gsd as number) > 1)
    assert.deepEqual([level, kind], [0.95, 'lognormal'])
  }
  const asked = ['calculation', 'description_message', 'uncertainty', 'metadata', 'total_emission_excluding_indicative']
  assert.ok(asked.every((name) => !(name in plain)))
  const without = JSON.stringify(full, (name, value: unknown) => (asked.includes(name) ? undefined : value))
  assert.equal(without, JSON.stringify(plain))
})

test('a device has an entry for each of its orders, whose totals add up, by tenure start, then order id', async () => {
  const device = { ...PRODUCT, config: { ...PRODUCT?.config, serial_number: 'ledger-1' } }
  for (const [orderId, start] of [
    ['b', '2025-03-01'],
    ['c', '2025-01-01'],
    ['a', '2025-03-01'],
  ] as const) {
    await service.post(
      order(`ledger-${orderId}`, { tenure_start_date: start, items: [device, TRANSPORTATION, PACKAGING] }),
    )
  }
  const { orders, ...rest } = await read('/api/device-emissions/ledger-1')
  const entries = orders as readonly Json[]
  assert.deepEqual(
    entries.map((entry) => entry['order_id']),
    ['ledger-c', 'ledger-a', 'ledger-b'],
  )
  assert.deepEqual(Object.keys(rest), ['serial_number', 'emission_unit', 'number_of_orders', 'total_emission'])
  assert.equal(rest['serial_number'], 'ledger-1')
  assert.equal(rest['number_of_orders'], 3)
  assert.equal(
    milligrams(rest['total_emission']),
    entries.reduce((total, entry) => total + milligrams(entry['total_emission']), 0n),
  )
  for (const entry of entries) {
    assert.deepEqual(Object.keys(entry), [
      'customer_id',
      'order_id',
      'order_date',
      'tenure_start_date',
      'emission_unit',
      'total_emission',
      'emission',
    ])
    assert.deepEqual(Object.keys(entry['emission'] as Json).sort(), [
      'packaging',
      'product_embodied_emission',
      'product_use',
      'transportation',
    ])
    for (const line of Object.values(entry['emission'] as Json))
      assert.deepEqual(Object.keys(line as Json), LINE_MEMBERS)
  }
})

test('a device that was never rented has no orders and a total of 0', async () => {
  assert.deepEqual(await read('/api/device-emissions/never-seen'), {
    serial_number: 'never-seen',
    emission_unit: 'kgCO2e',
    number_of_orders: 0,
    total_emission: 0,
    orders: [],
  })
})

test('a serial number is the same device however it is composed, spaced or encoded', async () => {
  const device = (serial: string) => ({ ...PRODUCT, config: { ...PRODUCT?.config, serial_number: serial } })
  await service.post(order('nfd', { items: [device(' cafe\u0301/1?#% ')] }))
  const { serial_number, number_of_orders } = await read(
    `/api/device-emissions/${encodeURIComponent('caf\u00e9/1?#%')}`,
  )
  assert.deepEqual([serial_number, number_of_orders], ['caf\u00e9/1?#%', 1])
})

test('no key sees the orders of another account', async () => {
  const other = await service.createKey(undefined, null, 'another account')
  const sent = { headers: { 'x-api-key': other } }
  await service.post(
    order('private', { items: [{ ...PRODUCT, config: { ...PRODUCT?.config, serial_number: 'private-1' } }] }),
  )
  assert.match((await service.ask('/api/device-emissions/private-1', sent)).text, /"number_of_orders":0/)
  const body = JSON.stringify(order('private', { order_date: '2020-01-01' }))
  const headers = { ...sent.headers, 'content-type': 'application/json' }
  assert.equal((await service.ask('/api/customer-orders', { method: 'POST', headers, body })).status, 200)
})
