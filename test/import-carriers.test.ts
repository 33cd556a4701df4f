// What carriers call things, in orders and in files: an error with a suggestion, and with the meaning stated, a leg.
import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import type { Json } from './document-check.ts'
import { createImportClient, type ImportClient } from './import-client.ts'
import { startService, type Service } from './service.ts'

const TRUCK = 'road-parcel-truck-articulated-40t-fr'
const VAN = 'road-parcel-van-fr'
const HEADER =
  'customer_id,order_id,order_date,tenure_start_date,type,product_id,serial_number,tenure_months,weight_kg,' +
  'transportation_id,transportation_mode,distance_km'
const PRODUCT = 'apple-macbook-air-13-m3-256gb'

/** An order of a device and one row for each leg. */
const fileOf = (id: string, ...carriers: readonly string[]): string =>
  [
    HEADER,
    `acme,${id},2025-03-15,2025-04-01,product,${PRODUCT},${id},12,1.24,,,`,
    ...carriers.map((carrier) => `acme,${id},,,transportation,,,,1.5,${carrier},road,400`),
    '',
  ].join('\n')

const orderOf = (id: string, legs: readonly (readonly [transport: string, distanceKm: number])[]) => ({
  customer_id: 'acme',
  order_id: id,
  order_date: '2025-03-15',
  tenure_start_date: '2025-04-01',
  items: [
    {
      type: 'product',
      config: { product_id: PRODUCT, serial_number: id, tenure_months: 12, weight_kg: 1.24 },
    },
    ...legs.map(([transport, distance]) => ({
      type: 'transportation',
      config: { transportation_id: transport, transportation_mode: 'road', distance_km: distance, weight_kg: 1.5 },
    })),
  ],
})

let service: Service
let client: ImportClient
before(async () => {
  service = await startService()
  client = createImportClient(service)
})
after(() => service.stop())

const headers = () => ({ 'x-api-key': service.key, 'content-type': 'application/json' })
const ask = async (method: string, path: string, body?: object) => {
  const sent = { method, headers: headers(), ...(body && { body: JSON.stringify(body) }) }
  const { status, text } = await service.ask(path, sent)
  return { status, json: JSON.parse(text) as Json }
}
const query = (settings: Readonly<Record<string, unknown>>) =>
  `?${Object.entries(settings)
    .map(([name, value]) => `${name}=${encodeURIComponent(JSON.stringify(value))}`)
    .join('&')}`
const countsOf = (one: Json) => ['orders_stored', 'orders_rejected'].map((name) => one[name])
const transportsOf = async (id: string) => {
  const { json } = await ask('GET', `/api/customer-orders/acme/${id}`)
  return (json['items'] as readonly Json[]).filter(({ type }) => type === 'transportation')
}

test('an order with what a carrier calls a parcel is refused, with the legs that it probably means', async () => {
  const { status, json } = await ask('POST', '/api/customer-orders', orderOf('p1', [['DHL Paket', 400]]))
  assert.equal(status, 400)
  const [detail, ...others] = json['details'] as readonly Json[]
  assert.deepEqual(others, [])
  assert.deepEqual(
    [detail!['path'], detail!['code'], detail!['suggestions']],
    ['/items/1/config/transportation_id', 'unknown_transportation', [TRUCK, VAN]],
  )
  assert.equal((await ask('GET', '/api/customer-orders/acme/p1')).status, 404)
})

test('a parcel is stated as two items: 400 km by truck between depots, 30 km by van', async () => {
  const legs = [
    [TRUCK, 400],
    [VAN, 30],
  ] as const
  const { status, json } = await ask('POST', '/api/customer-orders', orderOf('p2', legs))
  assert.equal(status, 200)
  const emissions = (json['items'] as readonly Json[]).slice(1).map((item) => item['total_emission'])
  assert.deepEqual(emissions, [0.108414, 0.049617])
})

test('an order with a device that the customer fetches is told to state no transport', async () => {
  const { json } = await ask('POST', '/api/customer-orders', orderOf('p3', [['Selbstabholung', 0]]))
  const [detail] = json['details'] as readonly Json[]
  assert.deepEqual([detail!['code'], detail!['suggestions']], ['no_transportation', undefined])
  assert.equal((await ask('POST', '/api/customer-orders', orderOf('p3', []))).status, 200)
})

test('a dry run suggests what the words of carriers mean, and takes none by itself', async () => {
  const done = await client.run(fileOf('f1', 'DHL Paket', 'avion', 'pickup'), '?dry_run=true')
  assert.deepEqual(countsOf(done), [0, 1])
  const errors = await client.errors(done['import_id'])
  assert.deepEqual(
    errors.map(({ row, column, value, code, suggestion }) => [row, column, value, code, suggestion]),
    [
      [3, 'transportation_id', 'DHL Paket', 'unknown_transportation', `${TRUCK} or ${VAN}`],
      [4, 'transportation_id', 'avion', 'unknown_transportation', 'air-short-haul or air-long-haul'],
      [5, 'transportation_id', 'pickup', 'no_transportation', null],
    ],
  )
  const groups = (await client.faultGroups(done['import_id']))['groups'] as readonly Json[]
  const values = groups.flatMap((group) => group['values'] as readonly Json[])
  assert.deepEqual(
    values.map(({ value, suggestions }) => [value, suggestions]),
    [
      ['DHL Paket', [TRUCK, VAN]],
      ['avion', ['air-short-haul', 'air-long-haul']],
      ['pickup', undefined],
    ],
  )
})

test('with the meaning of its words stated, a file is stored, and a profile keeps them for the next', async () => {
  const values = { transportation_id: { 'DHL Paket': TRUCK, pickup: '-' } }
  const done = await client.run(fileOf('f2', 'dhl paket', 'Pickup'), query({ values }))
  assert.deepEqual(countsOf(done), [1, 0])
  assert.deepEqual(
    (await transportsOf('f2')).map((item) => item['total_emission']),
    [0.108414],
  )
  const profile = await ask('PUT', '/api/import-profiles/carriers', { import_id: done['import_id'] })
  assert.equal(profile.status, 200)
  assert.deepEqual(countsOf(await client.run(fileOf('f3', 'DHL Paket'), '?profile=carriers')), [1, 0])
  assert.deepEqual(countsOf(await client.run(fileOf('f4', 'Hermes'), '?profile=carriers')), [0, 1])
})

test('an own transport of the account with the name of the service is suggested first', async () => {
  const own = await ask('PUT', '/api/transportations/dhl-germany-2026', {
    name: 'DHL Paket',
    mode: 'road',
    factor_kg_co2e_per_tonne_km: 0.21,
    distance_basis: 'actual',
    source_title: 'Emission report 2026',
    source_publisher: 'DHL',
  })
  assert.ok([200, 201].includes(own.status), JSON.stringify(own.json))
  const { json } = await ask('POST', '/api/customer-orders', orderOf('p5', [['DHL Paket', 400]]))
  const [detail] = json['details'] as readonly Json[]
  assert.deepEqual(detail!['suggestions'], ['dhl-germany-2026'])
  const named = await ask('POST', '/api/customer-orders', orderOf('p5', [['dhl-germany-2026', 400]]))
  assert.equal(named.status, 200)
})
