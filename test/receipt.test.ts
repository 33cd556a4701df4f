// Receipts: whatever happened to an order, its receipt says what the order says, and computes again to the same.
import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import { SCOPES, setAmortisation } from '../src/postgres/accounts.ts'
import { verifyReceipt } from '../src/receipts/verify-receipt.ts'
import type { Json } from './document-check.ts'
import { startService, type Service } from './service.ts'
import { pathOf } from './order-client.ts'
import { BOX, VAN, assertEqual, createReceiptClient, laptop, orderOf, type ReceiptClient } from './receipt-client.ts'
import { shippedReferenceData } from './shipped-book.ts'

const { matching } = shippedReferenceData().referenceData

let service: Service
let client: ReceiptClient
before(async () => {
  service = await startService()
  client = createReceiptClient(service)
})
after(() => service.stop())

const OTHER = 'someone-else'
const event = (id: string, type: string, more: Json): Json => ({ event_id: id, type, ...more })
const codesOf = (receipt: { readonly order: { readonly defaults_applied: readonly Json[] } }) =>
  receipt.order.defaults_applied.map(({ code }) => code)

test('a receipt shows the lines of its order, and computes again to them', async () => {
  await client.post(orderOf('acme', 'plain', '2025-01-01', [laptop('P1', 3), VAN, BOX], { metadata: { cost: '4711' } }))
  const receipt = await client.provenReceipt('acme', 'plain')
  assert.equal(receipt.devices[0]!['footprint_id'], 'apple-macbook-air-13-m3-256gb')
  assert.deepEqual(codesOf(receipt), ['no_country', 'lifetime_months', 'distance'])
  const { comparedReleases } = (
    verifyReceipt(receipt.text, matching, [service.server.referenceData]) as {
      readonly receipt: { readonly comparedReleases: readonly string[] }
    }
  ).receipt
  assert.deepEqual(comparedReleases, [service.server.referenceData.release])
})

test('rentals of the device under other orders are in it, and their names are not', async () => {
  await client.post(orderOf(OTHER, 'secret-0', '2024-01-01', [laptop('O1', 12)]))
  await client.post(orderOf('acme', 'overlapped', '2025-01-01', [laptop('O1', 12), BOX]))
  await client.post(orderOf(OTHER, 'secret-1', '2025-07-15', [laptop('O1', 24)]))
  await client.post(orderOf(OTHER, 'secret-2', '2029-01-01', [laptop('O1', 24)]))
  const text = await client.receiptText('acme', 'overlapped')
  assert.doesNotMatch(text, /secret|someone-else|\u{10ffff}/u)
  assertEqual(verifyReceipt(text, matching))
  const { devices } = JSON.parse(text) as { readonly devices: readonly { readonly posted: readonly Json[] }[] }
  assert.deepEqual(
    devices[0]!.posted.map(({ reason, caused_by_rental: place }) => [reason, place]),
    [
      ['order', undefined],
      ['overlap', 3],
    ],
  )
  assert.match(text, /went out under another order \(rental 3\) on 2025-07-15/)
  await client.provenReceipt(OTHER, 'secret-2')
})

test('of rentals that start on one day, each keeps its place by the real ids', async () => {
  for (const id of ['b', 'a', 'c']) await client.post(orderOf('acme', id, '2025-03-01', [laptop('T1', 6)]))
  await client.post(orderOf(OTHER, 'b', '2025-03-01', [laptop('T1', 5)]))
  const places: unknown[] = []
  for (const [customer, id] of [
    ['acme', 'a'],
    ['acme', 'b'],
    [OTHER, 'b'],
    ['acme', 'c'],
  ] as const) {
    const text = await client.receiptText(customer, id)
    assertEqual(verifyReceipt(text, matching))
    const { devices } = JSON.parse(text) as {
      readonly devices: readonly { readonly ledger: { readonly rentals: readonly Json[] } }[]
    }
    places.push(devices[0]!.ledger.rentals.findIndex((rental) => rental['is_this_order']))
  }
  assert.deepEqual(places, [0, 1, 2, 3])
})

test('refurbished, returned early and late, extended, retired: the receipt follows', async () => {
  await client.post(orderOf('acme', 'life-1', '2020-01-01', [laptop('L1', 40), VAN]))
  await client.tell('acme', 'life-1', event('e1', 'returned', { date: '2022-11-17' }))
  const refurbished = { date: '2023-01-15', emission_kg: 8.7, lifetime_months_added: 7 }
  await client.tellDevice('L1', event('e2', 'refurbished', refurbished))
  await client.post(orderOf('acme', 'life-2', '2023-02-01', [laptop('L1', 12)]))
  await client.tell('acme', 'life-2', event('e3', 'extended', { tenure_months: 20 }))
  await client.tell('acme', 'life-2', event('e4', 'returned', { date: '2025-03-09' }))
  await client.post(orderOf('acme', 'life-3', '2025-04-01', [laptop('L1', 24)]))
  await client.tellDevice('L1', event('e5', 'retired', { date: '2026-05-05' }))
  for (const [id, status] of [
    ['life-1', 'returned'],
    ['life-2', 'returned'],
    ['life-3', 'amended'],
  ] as const) {
    assert.equal((await client.provenReceipt('acme', id)).status, status)
  }
})

test('a swapped device stands in the receipt beside the one that took its place', async () => {
  const known = { product_id: 'never heard of', weight_kg: 2.5 }
  await client.post(orderOf('acme', 'swap', '2025-01-01', [laptop('S1', 12), laptop('S2', 12, known), VAN, BOX]))
  for (const [out, comer] of [
    ['S1', 'S3'],
    ['S2', 'S4'],
    ['S3', 'S5'],
  ] as const) {
    const what = { serial_number: out, date: '2025-05-11', new_serial_number: comer, weight_kg: 3.25 }
    const later = out === 'S3' ? { ...what, date: '2025-06-01' } : what
    await client.tell('acme', 'swap', event(`swap-${out}`, 'swapped', later))
  }
  const { devices } = await client.provenReceipt('acme', 'swap')
  assert.deepEqual(
    devices.map((device) => device['serial_number']),
    ['S1', 'S2', 'S3', 'S4', 'S5'],
  )
})

test('cancelled orders, in part or whole, dispatched or not, with devices or without', async () => {
  const items = [laptop('C1', 12), laptop('C2', 6, { weight_kg: 3.1 }), VAN, BOX]
  await client.post(orderOf('acme', 'cancel-1', '2025-06-01', items))
  const one = event('c1', 'cancelled', { serial_number: 'C2', date: '2025-05-01' })
  await client.tell('acme', 'cancel-1', one)
  assert.equal((await client.provenReceipt('acme', 'cancel-1')).status, 'amended')
  await client.tell('acme', 'cancel-1', event('c2', 'cancelled', { date: '2025-05-02', dispatched: true }))
  assert.equal((await client.provenReceipt('acme', 'cancel-1')).status, 'cancelled')
  await client.post(orderOf('acme', 'cancel-2', '2025-06-01', [VAN, BOX]))
  assert.equal((await client.provenReceipt('acme', 'cancel-2')).status, 'created')
  await client.tell('acme', 'cancel-2', event('c3', 'cancelled', { date: '2025-05-02' }))
  assert.equal((await client.provenReceipt('acme', 'cancel-2')).total_emission, 0)
  await client.post(orderOf('acme', 'empty', '2025-06-01', []))
  assert.equal((await client.provenReceipt('acme', 'empty')).total_emission, 0)
})

test('what a product was found by is told: name, type, family, brand, weight, or what the device had', async () => {
  const items = [
    laptop('F1', 12, { product_id: 'iPad13,18', device_type: 'tablet' }),
    laptop('F8', 12, { product_id: 'new', device_type: 'tablet' }),
    laptop('F2', 12, { product_id: 'nothing like it' }),
    laptop('F4', 12, { product_id: 'MacBook sleeve', weight_kg: 0.2 }),
    laptop('F5', 12, { product_id: 'new', product_name: 'Apple MacBook Air 13 M9' }),
    laptop('F6', 12, { product_id: 'new', product_name: 'Dell Thing 24"', device_type: 'monitor', weight_kg: 5 }),
    laptop('F7', 12, { product_id: 'new', brand: 'DELL', device_type: 'laptop' }),
    laptop('F3', 12, { product_id: 'mine', model_id: 'Apple-MacBook-Air-13-M3-256GB' }),
    { type: 'packaging', config: { packaging_id: 'corrugated-board-recycled', weight_kg: 0 } },
  ]
  await client.post(orderOf('acme', 'match', '2025-01-01', items))
  const { match } = await client.provenReceipt('acme', 'match')
  assert.deepEqual(
    match.map(({ match_method }) => match_method),
    ['variant', 'type', 'weight-fit', 'weight', 'family', 'brand-fit', 'brand', 'model_id'],
  )
  assert.ok((match[0]!['candidates'] as readonly unknown[]).length > 1)
  await client.post(orderOf('acme', 'match-2', '2026-01-01', [laptop('F2', 12)]))
  const later = await client.provenReceipt('acme', 'match-2')
  assert.ok(codesOf(later).includes('fixed_by_first_order'))
  assert.equal(later.devices[0]!['footprint_id'], 'weight-fit@1.24kg')
  await client.post(orderOf('acme', 'match-3', '2026-01-01', [laptop('F4', 12)]))
  assert.equal((await client.provenReceipt('acme', 'match-3')).devices[0]!['weight_kg'], '0.2')
})

test('use by the grids of several years has every factor of the country in it', async () => {
  const energetic = { product_id: 'dell-latitude-5310', country: 'DE' }
  await client.post(
    orderOf('acme', 'grid', '2023-11-16', [laptop('G1', 30, energetic), laptop('G2', 5)], { country: 'FR' }),
  )
  const { releases } = await client.provenReceipt('acme', 'grid')
  assert.match(JSON.stringify(releases[0]!['grids']), /"country":"DE"/)
})

test('an account that is charged without a cap has receipts too', async () => {
  const key = await service.createKey(SCOPES, null, 'uncapped')
  assert.ok(await setAmortisation(service.pool, 'uncapped', 'uncapped'))
  const uncapped = createReceiptClient(service, key)
  await uncapped.post(orderOf('acme', 'u1', '2018-01-01', [laptop('U1', 40)]))
  await uncapped.post(orderOf('acme', 'u2', '2023-01-01', [laptop('U1', 40)]))
  const { devices } = await uncapped.provenReceipt('acme', 'u2')
  assert.equal(devices[0]!['amortisation'], 'uncapped')
  assert.match(String((devices[0]!['balance_after'] as Json)['remaining']), /^-/)
})

test('a device keeps its release under an order of a later one, and both are in the receipt', async () => {
  await client.post(orderOf('acme', 'old', '2024-01-01', [laptop('R1', 12), BOX]))
  const old = await client.receiptText('acme', 'old')
  const { files } = shippedReferenceData()
  const packagings = files.get('packagings.csv')!.replace(/1\.098114/g, '1.2')
  const later = await startService({
    beside: service,
    files: new Map([...files, ['RELEASE', '2027.01\n'], ['packagings.csv', packagings]]),
  })
  try {
    const laterClient = createReceiptClient(later)
    await laterClient.post(orderOf('acme', 'new', '2025-01-01', [laptop('R1', 12), laptop('R2', 12), BOX]))
    const { releases } = await laterClient.provenReceipt('acme', 'new')
    assert.deepEqual(
      releases.map(({ name }) => name),
      [later.server.referenceData.release, service.server.referenceData.release],
    )
    const again = await laterClient.receiptText('acme', 'old')
    for (const text of [old, again]) assertEqual(verifyReceipt(text, matching, [service.server.referenceData]))
    assertEqual(verifyReceipt(again, matching, [later.server.referenceData]))
  } finally {
    await later.stop()
  }
})

test('the smallest weights and distances that are taken have receipts', async () => {
  const tiny = { product_id: 'never heard of', weight_kg: 5e-324 }
  const leg = {
    transportation_id: 'road-van-diesel',
    transportation_mode: 'road',
    distance_km: 1e-300,
    weight_kg: 1e-7,
  }
  await client.post(
    orderOf('acme', 'tiny', '2025-01-01', [laptop('W1', 12, tiny), { type: 'transportation', config: leg }]),
  )
  assert.equal((await client.provenReceipt('acme', 'tiny')).total_emission, 0)
})

test('what was posted and does not follow from the facts is seen', async () => {
  await client.post(orderOf('acme', 'changed', '2025-01-01', [laptop('X1', 12)]))
  await service.pool.query(`update entries set embodied_mg = embodied_mg + 1 where order_id = 'changed'`)
  const found = verifyReceipt(await client.receiptText('acme', 'changed'), matching)
  assert.ok(found.outcome === 'different')
  assert.equal(found.difference.place, '/devices/0/posted_total/product_embodied_emission')
  assert.deepEqual([found.difference.expected, found.difference.found, found.hashFits], ['27.3375', '27.337501', true])
})

test('known_at gives the receipt of what was known then', async () => {
  await client.post(orderOf('acme', 'then', '2025-01-01', [laptop('K1', 12), VAN]))
  const { rows } = await service.pool.query<{ readonly at: Date }>('select clock_timestamp() as at')
  const at = rows[0]!.at.toISOString()
  await client.tell('acme', 'then', event('k1', 'returned', { date: '2025-03-01' }))
  assert.equal((await client.provenReceipt('acme', 'then', `?known_at=${at}`)).status, 'created')
  assert.equal((await client.provenReceipt('acme', 'then')).status, 'returned')
})

test('a receipt asks for orders:read, and there is none of what the account does not have', async () => {
  const path = `${pathOf('acme', 'plain')}/receipt`
  assert.equal((await client.ask(`${pathOf('acme', 'never')}/receipt`)).status, 404)
  assert.equal((await client.ask(`${pathOf('acme\0', 'x')}/receipt`)).status, 404)
  assert.equal((await client.ask(`${path}?known_at=1999-01-01T00:00:00Z`)).status, 404)
  assert.equal((await client.ask(`${path}?as_of=now`)).status, 400)
  const writer = createReceiptClient(service, await service.createKey(['orders:write']))
  assert.equal((await writer.ask(path)).status, 403)
  const stranger = createReceiptClient(service, await service.createKey(SCOPES, null, 'stranger'))
  assert.equal((await stranger.ask(path)).status, 404)
})
