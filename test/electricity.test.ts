// The inventory of electricity over HTTP: kilowatt-hours by month beside the ledger, by place and by market.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verifyAll } from '../src/cli/verify.ts'
import type { Json } from './document-check.ts'
import { pseudonymise } from './erasure-client.ts'
import { assertSums, clientOf, milligrams, rental, sumOf } from './electricity-client.ts'
import { orderOf } from './receipt-client.ts'
import { startService } from './service.ts'

const service = await startService()

const CERTIFICATES = {
  customer_id: 'c',
  country: 'DE',
  kind: 'certificate',
  from: '2025-01',
  to: '2025-12',
  kwh: 2,
  factor_kg_co2e_per_kwh: 0,
  source_title: 'Certificates 2025',
  source_publisher: 'Example Power',
}

test('a year has what its months have: by place as the ledger, by market as instruments and mix say', async () => {
  const own = await clientOf(service, 'months')
  const posted = await own.done('POST', '/api/customer-orders', rental('c', 'o', 'S', '2025-01-16', 3))
  const order = await own.get('/api/customer-orders/c/o?include=calculation')
  const plain = await own.report('year=2025&customer_id=c')
  assertSums(plain)
  // 16 of 31 days of January; April has what is left of three months.
  assert.deepEqual(
    plain.months.map(({ month, kwh }) => [month, kwh]),
    [
      ['2025-01', 0.634839],
      ['2025-02', 1.23],
      ['2025-03', 1.23],
      ['2025-04', 0.595161],
    ],
  )
  assert.equal(plain.total['kwh'], 3.69)
  const use = (posted['items'] as readonly { emission_breakdown: { product_use: { emission: number } } }[])[0]!
  const difference =
    milligrams(plain.total['location_based_emission']!) - milligrams(use.emission_breakdown.product_use.emission)
  assert.ok(difference >= -4n && difference <= 4n, 'but for the rounding of four months')
  assert.deepEqual(
    plain.months.map(({ state, location_based: location, market_based: market }) => [
      state,
      location!.quality,
      location!.series,
      market.no_residual,
    ]),
    Array(4).fill(['forecast', 'year_near', 'ember-generation', true]),
  )
  assert.equal(plain.total['market_based_emission'], plain.total['location_based_emission'])
  assert.equal(plain.notes[0]!.code, 'inventory_beside_ledger')

  await own.put('/api/electricity-instruments/certificates', CERTIFICATES)
  const told = { source_title: 'Mix', source_publisher: 'Example' }
  await own.put('/api/residual-mixes/DE-2024', { ...told, factor_kg_co2e_per_kwh: 0.689 })
  await own.put('/api/grid-losses/DE-2024', { ...told, share: 0.05 })
  await own.put('/api/grid-months/DE-2025-02', { ...told, factor_kg_co2e_per_kwh: 0.4 })
  const full = await own.report('year=2025&customer_id=c')
  assertSums(full)
  const [, february, march] = full.months
  assert.deepEqual(
    [february!.state, february!.location_based!.emission, february!.location_based!.series],
    ['settled', 0.492, null],
  )
  // 2 kWh: 0.634839 in January, 1.23 in February, and 0.135161 of March. The other 1.094839 kWh × 0.689.
  assert.deepEqual(
    march!.market_based.parts.map(({ by, kwh, emission }) => [by, kwh, emission]),
    [
      ['certificate', 0.135161, 0],
      ['residual_mix', 1.094839, 0.754344],
    ],
  )
  assert.equal(march!.market_based.no_residual, false)
  // 1.23 × 0.4 × 0.05 ÷ 0.95
  assert.deepEqual([february!.losses!.emission, february!.losses!.ghg_category.slice(0, 10)], [0.025895, 'Category 3'])

  assert.deepEqual(await own.get('/api/customer-orders/c/o?include=calculation'), order, 'the ledger stays as it was')
  const later = await own.done('POST', '/api/customer-orders', rental('c', 'o2', 'S2', '2025-01-16', 3))
  assert.equal(later['total_emission'], posted['total_emission'])
  assert.equal(full.dataset_release, plain.dataset_release, 'figures of the inventory are in no release')
})

test('the account has the electricity of all customers, each covered by its own instruments alone', async () => {
  const own = await clientOf(service, 'fleet')
  await own.done('POST', '/api/customer-orders', rental('c', '1', 'A', '2025-01-01', 12))
  await own.done('POST', '/api/customer-orders', rental('d', '2', 'B', '2025-01-01', 12))
  await own.done('POST', '/api/customer-orders', rental('d', '3', 'C', '2025-01-01', 6, 'FR'))
  await own.put('/api/electricity-instruments/share', {
    ...CERTIFICATES,
    kwh: undefined,
    share: 1,
    kind: 'supplier',
    factor_kg_co2e_per_kwh: 0.1,
  })
  const [all, c, d] = await Promise.all(
    ['', '&customer_id=c', '&customer_id=d'].map((one) => own.report(`year=2025${one}`)),
  )
  for (const report of [all!, c!, d!]) assertSums(report)
  assert.deepEqual([all!.total['kwh'], c!.total['kwh'], d!.total['kwh']], [36.9, 14.76, 22.14])
  assert.equal(c!.total['market_based_emission'], 1.476)
  const covered = all!.months.flatMap(({ market_based: { parts } }) => parts.filter(({ by }) => by === 'supplier'))
  assert.equal(sumOf(covered.map(({ kwh }) => kwh)), milligrams(14.76))
  assert.ok(d!.months.every(({ market_based: { parts } }) => parts.every(({ by }) => by === 'location_average')))
  assert.equal((await own.report('year=2024')).total['kwh'], 0)
})

test('what becomes known of a rental is in its months: a return, a cancellation, a correction, a swap', async () => {
  const own = await clientOf(service, 'events')
  const order = (id: string, serial: string) => rental('c', id, serial, '2025-01-01', 12)
  for (const id of ['returned', 'cancelled', 'corrected', 'swapped'])
    await own.done('POST', '/api/customer-orders', order(id, `S-${id}`))
  const tell = (id: string, event: Json) =>
    own.done('POST', `/api/customer-orders/c/${id}/events`, { event_id: `e-${id}`, ...event })
  await tell('returned', { type: 'returned', date: '2025-04-01', serial_number: 'S-returned' })
  await tell('cancelled', { type: 'cancelled', date: '2024-12-20' })
  const swap = { new_serial_number: 'S-new', weight_kg: 1.4 }
  await tell('swapped', { type: 'swapped', date: '2025-07-01', serial_number: 'S-swapped', ...swap })
  const { status, text } = await service.ask('/api/customer-orders/c/corrected', {
    method: 'PUT',
    headers: { 'x-api-key': own.key, 'content-type': 'application/json', 'if-match': '*' },
    body: JSON.stringify({ ...rental('c', 'corrected', 'S-corrected', '2025-01-01', 2), reason: 'two months' }),
  })
  assert.ok(status < 300, text)
  const report = await own.report('year=2025&customer_id=c')
  assertSums(report)
  // 3 + 0 + 2 + 12 months of 1.23 kWh; the swapped order has its six months on each of two devices.
  assert.equal(report.total['kwh'], 20.91)
  assert.equal(report.number_of_rentals, 4)
  assert.deepEqual(await own.report('year=2025'), { ...report, customer_id: null })
  assert.deepEqual((await verifyAll(service.pool)).lines, [])
})

test('a rental without a country has electricity and no factor, one without known electricity is counted', async () => {
  const own = await clientOf(service, 'unknown')
  const { country: _, ...nowhere } = rental('c', '1', 'A', '2025-01-01', 12)
  await own.done('POST', '/api/customer-orders', nowhere)
  const headphone = { product_id: 'p', serial_number: 'H', tenure_months: 12, weight_kg: 0.2, device_type: 'headphone' }
  await own.done('POST', '/api/customer-orders', {
    ...orderOf('c', '2', '2025-01-01', [{ type: 'product', config: headphone }]),
    country: 'DE',
  })
  const report = await own.report('year=2025')
  assertSums(report)
  assert.deepEqual([report.number_of_rentals, report.number_of_rentals_without_kwh], [2, 1])
  assert.ok(report.months.every(({ country, location_based: location }) => country === null && location === null))
  assert.equal(report.total['location_based_kwh_without_factor'], 14.76)
  assert.equal(report.total['market_based_kwh_without_factor'], 14.76)
  const missing = await service.ask('/api/reports/electricity?customer_id=nobody', {
    headers: { 'x-api-key': own.key },
  })
  assert.equal(missing.status, 404)
})

const problemsOf = (text: string): readonly string[] =>
  (JSON.parse(text) as { details: readonly { path: string; code: string }[] }).details.map(
    ({ path, code }) => `${path} ${code}`,
  )

test('a file is stored completely or not at all, with the faults of all its rows', async () => {
  const own = await clientOf(service, 'files')
  const instruments = await own.table(
    '/api/electricity-instruments',
    `id,customer_id,country,kind,from,to,kwh,share,factor_kg_co2e_per_kwh,source_title,source_publisher
a,c,DE,certificate,2025-01,2025-12,5,,0,Deed,P
b,c,XX,contract,2025-1,2025-12,5,,0,Deed,P
c,c,DE,contract,2025-06,2025-05,5,0.5,0,Deed,P
d,c,DE,contract,2025-06,2026-05,5,,2.1,Deed,P
e,c,DE,contract,2025-06,2026-05,5,,2,Deed,P
`,
  )
  assert.equal(instruments.status, 400)
  assert.deepEqual(problemsOf(instruments.text), [
    '/3/country figure_country',
    '/3/from figure_month',
    '/4/to figure_months_reversed',
    '/4/kwh figure_covers_one',
    '/5/factor_kg_co2e_per_kwh wrong_value',
    '/5/to figure_covers_one_year',
    '/6/to figure_covers_one_year',
  ])
  assert.deepEqual(await own.get('/api/electricity-instruments'), [])
  const mixes = 'country,year,factor_kg_co2e_per_kwh,source_title,source_publisher,licence,note\n'
  const bad = await own.table('/api/residual-mixes', `${mixes}AT,2024,0,M,P,,\nDE,24,0.7,M,P,,\n`)
  assert.deepEqual(problemsOf(bad.text), ['/2/factor_kg_co2e_per_kwh wrong_value', '/3/country figure_id_grid'])
  assert.equal((await own.table('/api/residual-mixes', `${mixes}DE,2024,0.7,M,P,by permission,\n`)).status, 200)
  const losses = await own.table(
    '/api/grid-losses',
    'country,year,share,source_title,source_publisher\nDE,2024,0.6,M,P\n',
  )
  assert.deepEqual(problemsOf(losses.text), ['/2/share wrong_value'])
})

test('a monthly file of Ember is read as it is published, and one in another unit is refused', async () => {
  const own = await clientOf(service, 'ember')
  const header = 'Area,ISO 3 code,Date,Area type,Continent,Category,Subcategory,Variable,Unit,Value\n'
  const row = (area: string, code: string, type: string, variable: string, unit: string, value: string) =>
    `${area},${code},2025-03-01,${type},Europe,Power sector emissions,CO2 intensity,${variable},${unit},${value}\n`
  const rows = [
    row('Germany', 'DEU', 'Country', 'CO2 intensity', 'gCO2/kWh', '381.23'),
    row('Europe', '', 'Region', 'CO2 intensity', 'gCO2/kWh', '250'),
    row('France', 'FRA', 'Country or economy', 'CO2 intensity', 'gCO2e per kWh', '41.5'),
    row('France', 'FRA', 'Country', 'Total emissions', 'mtCO2', '1.5'),
    row('Spain', 'ESP', 'Country', 'CO2 intensity', 'gCO2/kWh', ''),
  ]
  const stored = await own.table('/api/grid-months', header + rows.join(''))
  assert.deepEqual([stored.status, JSON.parse(stored.text)], [200, { number_of_figures: 2, number_of_changes: 2 }])
  const listed = (await own.get('/api/grid-months')) as unknown as readonly Json[]
  assert.deepEqual(
    listed.map((one) => [one['id'], one['factor_kg_co2e_per_kwh'], one['source_publisher'], one['licence']]),
    [
      ['DE-2025-03', 0.38123, 'Ember', 'CC-BY-4.0'],
      ['FR-2025-03', 0.0415, 'Ember', 'CC-BY-4.0'],
    ],
  )
  const pounds = await own.table(
    '/api/grid-months',
    header + row('Italy', 'ITA', 'Country', 'CO2 intensity', 'lb/MWh', '700'),
  )
  assert.deepEqual(problemsOf(pounds.text), ['/2/Unit figure_unit'])
  const large = await own.table(
    '/api/grid-months',
    header + row('Italy', 'ITA', 'Country', 'CO2 intensity', 'gCO2/kWh', '381230'),
  )
  assert.deepEqual(problemsOf(large.text), ['/2/factor_kg_co2e_per_kwh wrong_value'])
  const none = await own.table('/api/grid-months', header + rows[3]!)
  assert.deepEqual(problemsOf(none.text), [' figure_table_without_months'])
})

test('an erased customer keeps its inventory, and no figure names it', async () => {
  const own = await clientOf(service, 'erased')
  await own.done('POST', '/api/customer-orders', rental('Acme Lyon', 'o', 'A', '2025-01-01', 12))
  await own.put('/api/electricity-instruments/acme-lyon', {
    ...CERTIFICATES,
    customer_id: 'Acme Lyon',
    note: 'Contract of Acme Lyon',
  })
  const before = await own.report('year=2025')
  const headers = { 'x-api-key': own.key, 'content-type': 'application/json' }
  const ask = (path: string, sent: object = {}) => service.ask(path, { ...sent, headers })
  const { answer } = await pseudonymise({ ask }, 'Acme Lyon', {})
  const after = await own.report(`year=2025&customer_id=${String(answer['customer_id'])}`)
  assert.deepEqual(after.total, before.total)
  const { rows } = await service.pool.query<{ readonly text: string }>(
    'select account_figures::text as text from account_figures where body::text || figure_id ilike $1',
    ['%acme%'],
  )
  assert.deepEqual(rows, [])
})

test('an erased customer that is called like a kind, a country or a month keeps its instruments', async () => {
  const own = await clientOf(service, 'erased-kinds')
  for (const customer of ['certificate', 'DE', '2025-01']) {
    await own.done('POST', '/api/customer-orders', rental(customer, `o-${customer}`, `S-${customer}`, '2025-01-01', 12))
    await own.put(`/api/electricity-instruments/of-${customer.toLowerCase()}`, {
      ...CERTIFICATES,
      customer_id: customer,
    })
    const before = await own.report('year=2025')
    const headers = { 'x-api-key': own.key, 'content-type': 'application/json' }
    await pseudonymise({ ask: (path, sent = {}) => service.ask(path, { ...sent, headers }) }, customer, {})
    await own.get('/api/electricity-instruments')
    assert.deepEqual((await own.report('year=2025')).total, before.total)
  }
})

test('an instrument with several faults is told of all of them, in form and in meaning', async () => {
  const client = await clientOf(service, 'faulty')
  const body = {
    customer_id: 'c',
    kind: 'contract',
    country: 'XX',
    from: '2024-13',
    to: '2024-00',
    source_title: 'a\nb',
  }
  const refused = await client.ask('PUT', '/api/electricity-instruments/a', JSON.stringify(body))
  assert.equal(refused.status, 400, refused.text)
  assert.deepEqual(problemsOf(refused.text).toSorted(), [
    '/country figure_country',
    '/factor_kg_co2e_per_kwh required_value',
    '/from figure_month',
    '/kwh figure_covers_one',
    '/source_publisher required_value',
    '/source_title wrong_value',
    '/to figure_month',
  ])
  const empty = await client.ask('PUT', '/api/electricity-instruments/a', '[]')
  assert.equal(empty.status, 400, empty.text)
})
