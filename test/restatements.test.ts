// Restatements over HTTP: stored orders by other figures, previewed by cause, and posted as previewed.
import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import { verifyAll } from '../src/cli/verify.ts'
import { SCOPES } from '../src/postgres/accounts.ts'
import { registerRelease } from '../src/postgres/dataset-releases.ts'
import { verifyReceipt } from '../src/receipts/verify-receipt.ts'
import { loadReferenceData } from '../src/reference-data/load.ts'
import type { ChangedRow } from './changed-release.ts'
import type { Json } from './document-check.ts'
import { emberRelease } from './ember-releases.ts'
import { pathOf } from './order-client.ts'
import { BOX, VAN, laptop, orderOf } from './receipt-client.ts'
import {
  applied,
  createAccountClient,
  milligrams,
  previewed,
  recordOrders,
  registerChanged,
  totals,
  type Ask,
} from './restatement-client.ts'
import { startService, type Service } from './service.ts'
import { shippedReferenceData } from './shipped-book.ts'

const { matching } = shippedReferenceData().referenceData
const METERED = 'dell-aw2518h'
const MODEL = 'apple-macbook-air-13-m3-256gb'

let service: Service
before(async () => {
  service = await startService()
})
after(() => service.stop())

const accountClient = (name: string) => createAccountClient(service, name)
const addRelease = (name: string, changes: readonly ChangedRow[]) => registerChanged(service, name, changes)

/** A monitor whose sheet states its electricity. */
const monitor = (serial: string): Json => laptop(serial, 12, { product_id: METERED, weight_kg: 5 })

const sumOf = (bridge: unknown): bigint =>
  Object.values(bridge as Record<string, number>).reduce((sum, one) => sum + milligrams(one), 0n)

/** Everything that is stored recomputes. */
async function sound(): Promise<void> {
  const { lines, differences } = await verifyAll(service.pool)
  assert.equal(differences, 0, lines.join('\n'))
}

test('a release changes orders as its preview says, and the causes add up for every order and year', async () => {
  const ask = await accountClient('restated')
  await recordOrders(ask)
  const earlier = await totals(ask)
  const release = await addRelease('2030.01', [
    { file: 'devices/device-models.csv', row: MODEL, cells: { total_kg_co2e: '162', use_kg_co2e: '30' } },
    {
      file: 'transports.csv',
      row: 'road-van-diesel',
      cells: { ttw_kg_co2e_per_tonne_km: '1.14905', factor_kg_co2e_per_tonne_km: '1.3' },
    },
  ])
  const preview = await previewed(ask, { scope: {}, figures: { release } })
  const changes = (await ask('GET', `/api/restatements/${String(preview['restatement_id'])}/changes`))[
    'orders'
  ] as Json[]
  assert.deepEqual(await totals(ask), earlier, 'a preview stores nothing')
  assert.deepEqual(changes.map((one) => one['order_id']).toSorted(), ['a', 'b', 'parcel'])
  const done = await applied(ask, preview)
  assert.equal(done['state'], 'applied')
  const later = await totals(ask)
  for (const { customer_id: customer, order_id: id, before: was, difference, bridge } of changes) {
    const name = `${String(customer)}/${String(id)}`
    assert.equal(milligrams(was), earlier.get(name), name)
    assert.equal(milligrams(difference), later.get(name)! - earlier.get(name)!, name)
    assert.equal(sumOf(bridge), milligrams(difference), name)
  }
  assert.equal(later.get('acme/phone'), earlier.get('acme/phone'))
  const { difference, bridge, years } = preview['preview'] as Json
  const all = [...later].reduce((sum, [name, total]) => sum + total - earlier.get(name)!, 0n)
  assert.equal(milligrams(difference), all)
  assert.equal(sumOf(bridge), all)
  assert.equal(
    (years as Json[]).reduce((sum, year) => sum + sumOf(year['bridge']), 0n),
    all,
  )
  assert.deepEqual(Object.keys(bridge as Json), ['device_figures', 'transport_and_packaging'])
  await receiptVerifies('restated', 'acme', 'a')
  await sound()
  // What was restated is what the release says: nothing is left to restate.
  const again = await previewed(ask, { scope: {}, figures: { release } })
  assert.equal((again['preview'] as Json)['number_of_orders'], 0)
})

test('a restated order is what an order is that was sent by the release at first', async () => {
  const release = await addRelease('2030.02', [
    { file: 'devices/device-models.csv', row: MODEL, cells: { total_kg_co2e: '99', use_kg_co2e: '20' } },
  ])
  const ask = await accountClient('back')
  await recordOrders(ask)
  const earlier = await totals(ask)
  const there = await applied(ask, await previewed(ask, { scope: {}, figures: { release } }))
  assert.equal(there['state'], 'applied')
  assert.notDeepEqual(await totals(ask), earlier)
  const { release: shipped } = shippedReferenceData().referenceData
  await applied(ask, await previewed(ask, { scope: {}, figures: { release: shipped } }))
  assert.deepEqual(await totals(ask), earlier, 'restated back, every order is what it was')
  await sound()
})

test('a mapping that was added later identifies the products of stored orders', async () => {
  const ask = await accountClient('mapped')
  await ask(
    'POST',
    '/api/customer-orders',
    orderOf('acme', 'm', '2025-01-01', [laptop('M1', 12, { product_id: 'own-7' })]),
  )
  await ask(
    'POST',
    '/api/customer-orders',
    orderOf('beta', 'n', '2026-01-01', [laptop('M1', 12, { product_id: 'own-7' })]),
  )
  await ask('PUT', '/api/products/own-7', { model_id: MODEL })
  const preview = await previewed(ask, { scope: { product_ids: ['own-7'] }, figures: { mappings: 'current' } })
  assert.deepEqual(Object.keys((preview['preview'] as Json)['bridge'] as Json), ['identification'])
  await applied(ask, preview)
  const reference = await accountClient('mapped-at-first')
  await reference('PUT', '/api/products/own-7', { model_id: MODEL })
  for (const [customer, id, start] of [
    ['acme', 'm', '2025-01-01'],
    ['beta', 'n', '2026-01-01'],
  ] as const)
    await reference(
      'POST',
      '/api/customer-orders',
      orderOf(customer, id, start, [laptop('M1', 12, { product_id: 'own-7' })]),
    )
  assert.deepEqual(await totals(ask), await totals(reference))
  await sound()
})

/** A model of the account's own, as a sheet of its maker states it. */
const OWN_MODEL = {
  name: 'Ruggedbook R15',
  brand: 'Ruggedbook',
  type: 'laptop',
  total_kg_co2e: 312.4,
  use_share: 0.18,
  lifetime_months: 60,
  weight_kg: 2.6,
  source_title: 'Product carbon footprint of the R15',
  source_publisher: 'Ruggedbook GmbH',
}
const OWN_LIFETIME = { lifetime_months: 30, source_title: 'Our records', source_publisher: 'Us' }

async function putOwnFigures(ask: Ask): Promise<void> {
  await ask('PUT', '/api/device-models/ruggedbook-r15', OWN_MODEL)
  await ask('PUT', '/api/lifetimes/laptop', OWN_LIFETIME)
}

async function recordRugged(ask: Ask): Promise<void> {
  const rugged = (serial: string) =>
    laptop(serial, 12, { product_id: 'our-7', product_name: 'Ruggedbook R15', weight_kg: 2.6 })
  const unknown = laptop('R8', 12, { product_id: 'zz-2', device_type: 'laptop', weight_kg: 2 })
  await ask('POST', '/api/customer-orders', orderOf('acme', 'own', '2025-01-01', [rugged('R7'), unknown]))
  await ask('POST', '/api/customer-orders', orderOf('beta', 'next', '2026-01-01', [rugged('R7'), BOX]))
}

async function receiptVerifies(name: string, customer: string, id: string): Promise<void> {
  const headers = { 'x-api-key': await service.createKey(SCOPES, null, name) }
  const { text } = await service.ask(`${pathOf(customer, id)}/receipt`, { headers })
  assert.equal(verifyReceipt(text, matching).outcome, 'equal', text.slice(0, 200))
}

test('own figures that were put later give stored orders what they would have had at first', async () => {
  const ask = await accountClient('own-later')
  await recordRugged(ask)
  const earlier = await totals(ask)
  await putOwnFigures(ask)
  const preview = await previewed(ask, { scope: {}, figures: { own: 'current' } })
  const { bridge, difference } = preview['preview'] as Json
  assert.deepEqual(Object.keys(bridge as Json), ['identification', 'device_figures'])
  assert.equal(sumOf(bridge), milligrams(difference))
  assert.deepEqual(await totals(ask), earlier, 'a preview stores nothing')
  assert.equal((await applied(ask, preview))['state'], 'applied')
  const reference = await accountClient('own-at-first')
  await putOwnFigures(reference)
  await recordRugged(reference)
  const expected = await totals(reference)
  assert.notDeepEqual(expected, earlier)
  assert.deepEqual(await totals(ask), expected)
  for (const [customer, id] of [
    ['acme', 'own'],
    ['beta', 'next'],
  ] as const)
    await receiptVerifies('own-later', customer, id)
  const again = await previewed(ask, { scope: {}, figures: { own: 'current' } })
  assert.equal((again['preview'] as Json)['number_of_orders'], 0)
  await sound()
})

test('a factor of a year into which events alone brought a rental restates the order', async () => {
  const ask = await accountClient('extended into another year')
  const devices = { extended: 'X1', late: 'X2', whole: 'X3' }
  const send = (id: keyof typeof devices, months: number) =>
    ask(
      'POST',
      '/api/customer-orders',
      orderOf('acme', id, '2024-01-01', [laptop(devices[id], months, { product_id: METERED, weight_kg: 5 })], {
        country: 'DE',
      }),
    )
  const tell = (id: string, event: Json) => ask('POST', `${pathOf('acme', id)}/events`, event)
  await send('extended', 12)
  await tell('extended', { event_id: 'longer', type: 'extended', tenure_months: 24 })
  await send('late', 12)
  await tell('late', { event_id: 'back', type: 'returned', date: '2026-01-01' })
  await send('whole', 24)
  const same = (sums: ReadonlyMap<string, bigint>) => new Set(Object.keys(devices).map((id) => sums.get(`acme/${id}`)))
  assert.equal(same(await totals(ask)).size, 1)
  const source = { source_title: 'A contract', source_publisher: 'A supplier' }
  await ask('PUT', '/api/grid-factors/DE-2025', { factor_kg_co2e_per_kwh: 0.9, ...source })
  const earlier = await totals(ask)
  assert.equal(
    (await applied(ask, await previewed(ask, { scope: {}, figures: { own: 'current' } })))['state'],
    'applied',
  )
  const later = await totals(ask)
  assert.equal(same(later).size, 1, 'all three are what the one of 24 months is')
  assert.notEqual(later.get('acme/whole'), earlier.get('acme/whole'))
  await sound()
})

test('a restatement leaves a device what it is charged by, and an undo brings all back', async () => {
  const ask = await accountClient('kept')
  const tell = (id: string, event: Json) => ask('POST', `${pathOf('acme', id)}/events`, event)
  await ask('POST', '/api/customer-orders', orderOf('acme', 'a', '2025-01-01', [laptop('K1', 12)]))
  await tell('a', { event_id: 's', type: 'swapped', date: '2025-03-01', new_serial_number: 'K2', weight_kg: 1.24 })
  const phone = laptop('K2', 12, { product_id: 'apple-iphone-11-64gb', weight_kg: 0.2 })
  await ask('POST', '/api/customer-orders', orderOf('acme', 'b', '2025-06-01', [phone, BOX]))
  // What the swap brought in stays what it is: METHODOLOGY.md#corrections-of-an-order
  await tell('a', { event_id: 'w', type: 'withdrawn', withdraws: 's' })
  const earlier = await totals(ask)
  const source = { source_title: 'Own boxes', source_publisher: 'acme' }
  const box = { name: 'Box', material: 'cardboard', factor_kg_co2e_per_kg: 2, ...source }
  await ask('PUT', '/api/packagings/corrugated-board-recycled', box)
  const preview = await previewed(ask, { scope: {}, figures: { own: 'current' } })
  const bridge = (preview['preview'] as Json)['bridge'] as Json
  assert.deepEqual(Object.keys(bridge), ['transport_and_packaging'])
  // 0.26 kg × (2 − 1.098114)
  assert.equal(bridge['transport_and_packaging'], 0.23449)
  const done = await applied(ask, preview)
  assert.equal((await totals(ask)).get('acme/b')! - earlier.get('acme/b')!, 234_490n)
  const undo = { scope: {}, figures: { before_restatement: done['restatement_id'] } }
  assert.equal((await applied(ask, await previewed(ask, undo)))['state'], 'applied')
  assert.deepEqual(await totals(ask), earlier)
  await sound()
})

test('own figures stay over a release that orders are restated to, alone or as they are now', async () => {
  const ask = await accountClient('own-stay')
  await putOwnFigures(ask)
  await recordRugged(ask)
  const earlier = await totals(ask)
  const release = await addRelease('2030.07', [
    { file: 'packagings.csv', row: 'corrugated-board-recycled', cells: { factor_kg_co2e_per_kg: '2' } },
  ])
  const alone = await previewed(ask, { scope: {}, figures: { release } })
  assert.deepEqual(Object.keys((alone['preview'] as Json)['bridge'] as Json), ['transport_and_packaging'])
  assert.equal((await applied(ask, alone))['state'], 'applied')
  const later = await totals(ask)
  assert.equal(later.get('acme/own'), earlier.get('acme/own'), 'the own model and lifetime count as before')
  assert.notEqual(later.get('beta/next'), earlier.get('beta/next'))
  const both = await previewed(ask, { scope: {}, figures: { own: 'current', release } })
  assert.equal((both['preview'] as Json)['number_of_orders'], 0)
  await receiptVerifies('own-stay', 'beta', 'next')
  await sound()
})

test('nothing is posted once the preview is not what would be posted, or by another digest', async () => {
  const ask = await accountClient('outdated')
  await recordOrders(ask)
  const release = await addRelease('2030.03', [
    { file: 'devices/device-models.csv', row: MODEL, cells: { total_kg_co2e: '101' } },
  ])
  const preview = await previewed(ask, { scope: {}, figures: { release } })
  const path = `/api/restatements/${String(preview['restatement_id'])}/apply`
  await ask('POST', path, { digest: 'another' }, 409)
  await ask('POST', '/api/customer-orders', orderOf('acme', 'late', '2025-06-01', [laptop('R1', 3)]))
  const before = await totals(ask)
  assert.equal((await applied(ask, preview))['state'], 'outdated')
  assert.deepEqual(await totals(ask), before)
  await ask('POST', path, { digest: (preview['preview'] as Json)['digest'] as string }, 409)
})

test('only orders in the scope are restated, and a device stays what an order outside of it says', async () => {
  const ask = await accountClient('scope')
  await recordOrders(ask)
  const release = await addRelease('2030.04', [
    { file: 'devices/device-models.csv', row: MODEL, cells: { total_kg_co2e: '120' } },
    {
      file: 'transports.csv',
      row: 'road-van-diesel',
      cells: { ttw_kg_co2e_per_tonne_km: '1.24905', factor_kg_co2e_per_tonne_km: '1.4' },
    },
  ])
  const preview = await previewed(ask, { scope: { tenure_start_from: '2025-01-01' }, figures: { release } })
  const { orders } = (await ask('GET', `/api/restatements/${String(preview['restatement_id'])}/changes`)) as {
    orders: Json[]
  }
  assert.deepEqual(orders.map((one) => one['order_id']).toSorted(), ['parcel'])
  await ask('DELETE', `/api/restatements/${String(preview['restatement_id'])}`)
  await ask('GET', `/api/restatements/${String(preview['restatement_id'])}`, undefined, 404)
})

test('a preview names the customers and years whose final statements it supersedes', async () => {
  const ask = await accountClient('superseded')
  await recordOrders(ask)
  await ask('POST', '/api/periods', { closed_until: '2025-01-01' })
  await ask('POST', '/api/periods', { closed_until: null, reason: 'Newer figures' })
  const release = await addRelease('2030.05', [
    { file: 'devices/device-models.csv', row: MODEL, cells: { total_kg_co2e: '120' } },
  ])
  const preview = await previewed(ask, { scope: {}, figures: { release } })
  const path = `/api/restatements/${String(preview['restatement_id'])}/changes?of=years`
  const { years } = (await ask('GET', path)) as { years: Json[] }
  assert.deepEqual(
    years.map((one) => [one['customer_id'], one['year'], one['supersedes_final_statement']]),
    [
      ['acme', 2024, true],
      ['beta', 2025, false],
    ],
  )
  assert.equal((preview['preview'] as Json)['number_of_superseded_statements'], 1)
  assert.equal('final_before' in (preview['preview'] as Json), false)
})

test('a restatement of no figures, an unknown release or a misspelt scope, or by a weak key, is refused', async () => {
  const ask = await accountClient('refused')
  for (const figures of [{}, { maps: 'current' }])
    await ask('POST', '/api/restatements', { scope: {}, figures, reason: 'x' }, 400)
  await ask('POST', '/api/restatements', { scope: {}, figures: { release: 'none' }, reason: 'x' }, 400)
  const misspelt = { scope: { serial_number: ['R1'] }, figures: { mappings: 'current' }, reason: 'x' }
  const { details } = await ask('POST', '/api/restatements', misspelt, 400)
  assert.equal((details as Json[])[0]!['path'], '/scope/serial_number', 'it is not taken for all orders of the account')
  await ask('GET', '/api/restatements/99', undefined, 404)
})

test('of two publications of grid intensities, only use lines move, by their ratio', async () => {
  // gCO2/kWh of 2022 as Ember published them on 2024-01-03 and on 2024-02-03: cases/releases/ember-2022.
  const published = {
    DE: [38_539n, 42_006n],
    IN: [63_340n, 70_513n],
    US: [36_810n, 41_037n],
    AT: [15_822n, 14_179n],
  } as const
  const countries = Object.keys(published) as (keyof typeof published)[]
  const names: string[] = []
  for (const version of ['2024.01', '2024.02'] as const) {
    const files = emberRelease(version)
    const { release, hash } = loadReferenceData(files)
    await registerRelease(service.pool, release, hash, files)
    names.push(release)
  }
  const ask = await accountClient('vintages')
  const start = '2022-01-01'
  for (const country of [...countries, 'FR'])
    await ask('POST', '/api/customer-orders', {
      ...orderOf('acme', country, start, [monitor(country), VAN, BOX], { country }),
      order_date: start,
    })
  const linesOf = async (country: string) => {
    const { items } = (await ask('GET', pathOf('acme', country))) as {
      items: { emission_breakdown: Record<string, { emission: number }> }[]
    }
    const parts = items.flatMap(({ emission_breakdown: breakdown }) => Object.entries(breakdown))
    return new Map(parts.map(([part, { emission }]) => [part, milligrams(emission)]))
  }
  await applied(ask, await previewed(ask, { scope: {}, figures: { release: names[0]! } }))
  const before = new Map<string, ReadonlyMap<string, bigint>>()
  for (const country of [...countries, 'FR']) before.set(country, await linesOf(country))
  const preview = await previewed(ask, { scope: {}, figures: { release: names[1]! } })
  assert.deepEqual(Object.keys((preview['preview'] as Json)['bridge'] as Json), ['electricity'])
  assert.equal((preview['preview'] as Json)['number_of_orders'], countries.length)
  await applied(ask, preview)
  assert.deepEqual(await linesOf('FR'), before.get('FR'))
  for (const country of countries) {
    const [was, is] = [new Map(before.get(country)), new Map(await linesOf(country))]
    const [from, to] = published[country]
    // Both are rounded to a milligram.
    const off = is.get('product_use')! * from - was.get('product_use')! * to
    assert.ok(off <= from + to && off >= -from - to, `${country}: ${was.get('product_use')} → ${is.get('product_use')}`)
    for (const lines of [was, is]) lines.delete('product_use')
    assert.deepEqual(is, was)
  }
  await sound()
})
