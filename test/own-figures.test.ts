// Figures of an account's own: in an order, its receipt, a report and a statement, and of no other account.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verifyAll } from '../src/cli/verify.ts'
import { verifyReceipt } from '../src/receipts/verify-receipt.ts'
import type { Json } from './document-check.ts'
import { startService } from './service.ts'
import { readStatement } from './statement-client.ts'

const service = await startService()
const { matching } = service.server.referenceData

/** The values of a carbon footprint sheet that a maker sends to its customers: 312.4 kg, 18 % of it use, 5 years. */
const SHEET = {
  name: 'Ruggedbook R15',
  brand: 'Ruggedbook',
  type: 'laptop',
  aliases: ['RB-R15'],
  total_kg_co2e: 312.4,
  use_share: 0.18,
  lifetime_months: 60,
  weight_kg: 2.6,
  year: 2025,
  source_title: 'Product carbon footprint of the R15',
  source_publisher: 'Ruggedbook GmbH',
  document_sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
}
const PATH = '/api/device-models/ruggedbook-r15'

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

const clientOf = (key: string) => {
  const ask = (method: Method, path: string, body?: unknown, headers: Readonly<Record<string, string>> = {}) =>
    service.ask(path, {
      method,
      headers: { 'x-api-key': key, ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
  const get = async (path: string) => {
    const { status, text } = await ask('GET', path)
    assert.equal(status, 200, `${path} ${text.slice(0, 400)}`)
    return JSON.parse(text) as Json
  }
  const put = async (path: string, body: unknown, tag?: string) => {
    const { status, text } = await ask('PUT', path, body, tag === undefined ? {} : { 'if-match': tag })
    assert.equal(status, 200, text)
    return JSON.parse(text) as Json
  }
  const post = async (path: string, body: unknown) => {
    const { status, text } = await ask('POST', path, body)
    assert.equal(status, 200, text)
    return JSON.parse(text) as Json
  }
  return { ask, get, put, post }
}

const own = clientOf(service.key)
const others = clientOf(await service.createKey(undefined, null, 'others'))

const orderOf = (id: string, product: Json, more: Json = {}, items: readonly Json[] = []) => ({
  customer_id: 'c',
  order_id: id,
  order_date: '2025-01-10',
  tenure_start_date: '2025-02-01',
  ...more,
  items: [
    {
      type: 'product',
      config: { product_id: 'P-1', serial_number: `S-${id}`, tenure_months: 12, weight_kg: 2.6, ...product },
    },
    ...items,
  ],
})

type Lines = Readonly<Record<string, { readonly emission: number }>>

/** kg CO2e of a line of the first item that has it. */
const lineOf = (answer: Json, part: string): number => {
  const items = answer['items'] as readonly { readonly emission_breakdown: Lines }[]
  return items.find(({ emission_breakdown: lines }) => lines[part])!.emission_breakdown[part]!.emission
}
const embodiedOf = (answer: Json): number => lineOf(answer, 'product_embodied_emission')

/** E = 312.4 × (1 − 0.18); 12 of 60 months of it. */
const EXPECTED = 312.4 * 0.82 * (12 / 60)

test('a model from a PCF sheet is in an order, its receipt, a report and a statement', async () => {
  const stored = await own.put(PATH, SHEET)
  assert.deepEqual([stored['version'], stored['origin']], [1, 'account'])
  for (const [id, product] of Object.entries({
    id: { product_id: 'ruggedbook-r15' },
    alias: { product_id: 'rb-r15' },
    model: { model_id: 'ruggedbook-r15' },
    name: { product_name: 'Ruggedbook R15' },
    words: { product_name: 'Notebook Ruggedbook R15 16 GB black' },
  })) {
    const estimate = await own.post('/api/estimates', orderOf(id, product))
    assert.ok(Math.abs(embodiedOf(estimate) - EXPECTED) < 1e-6, `${id} ${JSON.stringify(estimate)}`)
    const answer = await own.post('/api/customer-orders', orderOf(id, product))
    assert.ok(Math.abs(embodiedOf(answer) - EXPECTED) < 1e-6, `${id} ${JSON.stringify(answer)}`)
  }
  const explained = await own.get('/api/customer-orders/c/id?include=calculation')
  assert.match(JSON.stringify(explained), /"origin":"account"/)

  const { text } = await own.ask('GET', '/api/customer-orders/c/words/receipt')
  assert.equal(verifyReceipt(text, matching).outcome, 'equal')
  const source = { title: SHEET.source_title, publisher: SHEET.source_publisher, year: 2025, url: '', licence: '' }
  const marks = { origin: 'account', version: 1, document_sha256: SHEET.document_sha256 }
  const { releases } = JSON.parse(text) as {
    releases: readonly { sources: readonly Json[]; models: readonly Json[] }[]
  }
  assert.deepEqual(releases[0]!.sources[0], { no: 1, ...source, ...marks })
  assert.equal(releases[0]!.models[0]!['id'], 'own:ruggedbook-r15@1')
  const forged = text.replace('"total":"312.4"', '"total":"212.4"')
  assert.notEqual(forged, text)
  assert.equal(verifyReceipt(forged, matching).outcome, 'different')

  const report = await own.get('/api/reports/emissions?group_by=model')
  assert.match(JSON.stringify(report), /own:ruggedbook-r15@1/)
  const quality = await own.get('/api/reports/quality')
  assert.match(JSON.stringify(quality), /"model"/)
  const { statement } = await readStatement(service.server.app, service.key, 'c', 2025)
  assert.ok(statement.sources.some(({ origin, document_sha256 }) => origin === 'account' && document_sha256))
  assert.deepEqual((await verifyAll(service.pool)).lines, [])
})

test('a new version is for later orders only: what is stored is answered and proved by its own version', async () => {
  const before = await own.ask('GET', '/api/customer-orders/c/id/receipt')
  const first = await own.post('/api/customer-orders', orderOf('id', { product_id: 'ruggedbook-r15' }))
  const again = { ...SHEET, total_kg_co2e: 400 }
  assert.equal((await own.put(PATH, again, '"1"'))['version'], 2)
  assert.equal((await own.put(PATH, again))['version'], 2, 'the same content again is no new version')
  assert.deepEqual(await own.post('/api/customer-orders', orderOf('id', { product_id: 'ruggedbook-r15' })), first)
  const later = await own.post('/api/customer-orders', orderOf('later', { product_id: 'ruggedbook-r15' }))
  assert.ok(Math.abs(embodiedOf(later) - 400 * 0.82 * (12 / 60)) < 1e-6)
  const known = await own.post('/api/customer-orders', {
    ...orderOf('same-device', { product_id: 'ruggedbook-r15', serial_number: 'S-id' }),
    tenure_start_date: '2026-03-01',
  })
  assert.ok(Math.abs(embodiedOf(known) - EXPECTED) < 1e-6, 'a device keeps the version of its first order')
  for (const id of ['id', 'same-device', 'later']) {
    const { text } = await own.ask('GET', `/api/customer-orders/c/${id}/receipt`)
    assert.equal(verifyReceipt(text, matching).outcome, 'equal', id)
  }
  const receipt = JSON.parse((await own.ask('GET', '/api/customer-orders/c/id/receipt')).text) as Json
  assert.deepEqual(receipt['releases'], (JSON.parse(before.text) as Json)['releases'])
  assert.deepEqual((await verifyAll(service.pool)).lines, [])
})

test('another account has none of it', async () => {
  assert.equal((await others.ask('GET', PATH)).status, 404)
  assert.deepEqual(await others.get('/api/device-models'), [])
  assert.doesNotMatch(JSON.stringify(await others.get('/api/device-model-emissions?q=Ruggedbook')), /ruggedbook/i)
  const matched = await others.get('/api/match?product_name=Ruggedbook%20R15')
  assert.doesNotMatch(JSON.stringify(matched), /own:/)
  const { status, text } = await others.ask(
    'POST',
    '/api/customer-orders',
    orderOf('x', { model_id: 'ruggedbook-r15' }),
  )
  assert.equal(status, 400, text)
  assert.doesNotMatch(text, /suggestions":\["ruggedbook/)
  const guessed = await others.post('/api/customer-orders', orderOf('y', { product_name: 'Ruggedbook R15' }))
  assert.notEqual(embodiedOf(guessed), EXPECTED)
})

test('an own model does not take the place of a model that the words name', async () => {
  const body = { ...SHEET, name: 'ThinkPad X1', brand: 'Lenovo', aliases: [] }
  await own.put('/api/device-models/our-x1', body)
  for (const name of ['Lenovo ThinkPad X1 Nano Gen 2', 'Lenovo ThinkPad T14 Gen 3', 'MacBook Air 13 M3 256GB']) {
    const mine = await own.get(`/api/match?product_name=${encodeURIComponent(name)}`)
    const theirs = await others.get(`/api/match?product_name=${encodeURIComponent(name)}`)
    assert.equal(mine['resolved_to'], theirs['resolved_to'], name)
  }
  const { resolved_to } = await own.get('/api/match?product_name=Lenovo%20ThinkPad%20X1')
  assert.equal(resolved_to, 'own:our-x1@1')
})

test('a figure of the catalogue is replaced under its id, and back again when the own one is withdrawn', async () => {
  const id = 'apple-macbook-air-13-m3-256gb'
  const [listed] = (await own.get(`/api/device-model-emissions?q=${id}`)) as unknown as readonly Json[]
  assert.equal(listed!['origin'], 'catalogue')
  await own.put('/api/products/mapped', { model_id: id })
  await own.put(`/api/device-models/${id}`, { ...SHEET, name: 'MacBook Air 13 M3 256GB', brand: 'Apple' })
  const mine = await own.get(`/api/device-model-emissions/${id}`)
  assert.deepEqual([mine['origin'], mine['product_footprint'], mine['version']], ['account', 312.4, 1])
  assert.equal((await others.get(`/api/device-model-emissions/${id}`))['origin'], 'catalogue')
  for (const [order, product] of Object.entries({ named: { product_id: id }, mapped: { product_id: 'mapped' } })) {
    const answer = await own.post('/api/customer-orders', orderOf(order, product))
    assert.ok(Math.abs(embodiedOf(answer) - EXPECTED) < 1e-6, order)
    const { text } = await own.ask('GET', `/api/customer-orders/c/${order}/receipt`)
    assert.equal(verifyReceipt(text, matching).outcome, 'equal', order)
  }
  assert.equal((await own.ask('DELETE', `/api/device-models/${id}`)).status, 200)
  assert.equal((await own.ask('DELETE', `/api/device-models/${id}`)).status, 404)
  const back = await own.post('/api/customer-orders', orderOf('back', { product_id: id }))
  assert.ok(Math.abs(embodiedOf(back) - EXPECTED) > 1)
  assert.deepEqual((await verifyAll(service.pool)).lines, [])
})

test('nobody replaces what another has changed meanwhile, and only admins change figures', async () => {
  const body = { ...SHEET, total_kg_co2e: 500 }
  const refused = await own.ask('PUT', PATH, body)
  assert.equal(refused.status, 409)
  assert.match(refused.text, /figure_exists/)
  assert.equal((await own.ask('PUT', PATH, body, { 'if-match': '"1"' })).status, 412)
  assert.equal((await own.ask('PUT', '/api/device-models/new', body, { 'if-match': '"1"' })).status, 412)
  assert.equal((await own.ask('DELETE', PATH, undefined, { 'if-match': '"1"' })).status, 412)
  assert.equal((await own.ask('GET', PATH)).headers['etag'], '"2"')
  const reader = clientOf(await service.createKey(['orders:write', 'orders:read', 'catalogue:read']))
  assert.equal((await reader.ask('PUT', PATH, body)).status, 403)
  assert.equal((await reader.ask('GET', PATH)).status, 200)
})

test('all faults of a sheet are reported at once', async () => {
  const faulty = { ...SHEET, production_kg_co2e: 400, use_kg_co2e: 20, weight_kgs: 2, total_kg_co2e: 312.4 }
  const { status, text } = await own.ask('PUT', '/api/device-models/faulty', faulty)
  assert.equal(status, 400)
  assert.match(text, /weight_kgs/)
  const named = Object.fromEntries(Object.entries(faulty).filter(([name]) => name !== 'weight_kgs'))
  const { details } = JSON.parse((await own.ask('PUT', '/api/device-models/faulty', named)).text) as {
    details: readonly { path: string }[]
  }
  assert.deepEqual(
    details.map(({ path }) => path),
    ['/use_share', '/production_kg_co2e'],
  )
})

const VAN = {
  name: 'Our electric vans',
  mode: 'road',
  factor_kg_co2e_per_tonne_km: 0.19,
  distance_basis: 'actual',
  source_title: 'Fuel records of 2025',
  source_publisher: 'Our fleet',
}
const CASE = {
  name: 'Reusable case',
  material: 'polypropylene',
  factor_kg_co2e_per_kg: 0.4,
  source_title: 'LCA',
  source_publisher: 'Us',
}
const POWER = { factor_kg_co2e_per_kwh: 0.042, source_title: 'Supply contract of 2025', source_publisher: 'Stadtwerke' }
const LIFETIME = { lifetime_months: 72, source_title: 'Retirements of 2020 to 2025', source_publisher: 'Us' }

test('freight, packaging, electricity and lifetimes of the own account are charged, proved and verified', async () => {
  const factors = clientOf(await service.createKey(undefined, null, 'factors'))
  const type = { product_name: 'no known words', device_type: 'laptop', country: 'DE' }
  const legs = (vanId: string, caseId: string) => [
    {
      type: 'transportation',
      config: { transportation_id: vanId, transportation_mode: 'road', distance_km: 100, weight_kg: 3 },
    },
    { type: 'packaging', config: { packaging_id: caseId, weight_kg: 0.5 } },
  ]
  const before = await factors.post(
    '/api/customer-orders',
    orderOf('f0', type, {}, legs('road-van-diesel', 'corrugated-board-recycled')),
  )
  await factors.put('/api/transportations/own-vans', VAN)
  await factors.put('/api/packagings/reusable-case', CASE)
  await factors.put('/api/grid-factors/DE-2025', POWER)
  await factors.put('/api/lifetimes/laptop', LIFETIME)
  const after = await factors.post('/api/customer-orders', orderOf('f1', type, {}, legs('own-vans', 'reusable-case')))
  assert.equal(lineOf(after, 'transportation'), 0.057)
  assert.equal(lineOf(after, 'packaging'), 0.2)
  const ratio = (part: string) => lineOf(after, part) / lineOf(before, part)
  assert.ok(Math.abs(ratio('product_embodied_emission') - 48 / 72) < 1e-6, 'amortised over 72 instead of 48 months')
  assert.ok(ratio('product_use') < 0.5, 'eleven of its twelve months are in 2025')
  const { text } = await factors.ask('GET', '/api/customer-orders/c/f1/receipt')
  assert.equal(verifyReceipt(text, matching).outcome, 'equal')
  for (const { source_title: title } of [VAN, CASE, POWER, LIFETIME]) assert.ok(text.includes(title), title)
  for (const [list, id] of Object.entries({ transportations: 'own-vans', packagings: 'reusable-case' })) {
    const of = async (client: typeof own) => JSON.stringify(await client.get(`/api/${list}`))
    assert.match(await of(factors), new RegExp(`"${id}".*"origin":"account"`))
    assert.doesNotMatch(await of(others), new RegExp(id))
    assert.match(await of(others), /"origin":"catalogue"/)
  }
  await factors.put('/api/grid-factors/DE-2025', { ...POWER, factor_kg_co2e_per_kwh: 0.5 }, '*')
  await factors.ask('DELETE', '/api/transportations/own-vans')
  const again = await factors.ask('GET', '/api/customer-orders/c/f1/receipt')
  const releasesOf = (receipt: string) => (JSON.parse(receipt) as Json)['releases']
  assert.deepEqual(releasesOf(again.text), releasesOf(text))
  const { statement } = await readStatement(
    service.server.app,
    await service.createKey(undefined, null, 'factors'),
    'c',
    2025,
  )
  assert.ok(statement.sources.some(({ title }) => title === LIFETIME.source_title))
  assert.deepEqual((await verifyAll(service.pool)).lines, [])
})

const CSV = { 'content-type': 'text/csv' }
const NAMED = ['source_title', 'source_publisher']

test('figures come in by CSV in the columns of the catalogue: all rows or none, with all faults at once', async () => {
  const filed = clientOf(await service.createKey(undefined, null, 'filed'))
  const header = [
    ...'id,name,brand,type,total_kg_co2e,use_kg_co2e,lifetime_months,in_type_default,year'.split(','),
    ...NAMED,
  ]
  const table = (...rows: readonly string[]) => [[...header, 'aliases'].join(), ...rows, ''].join('\n')
  const good = table(
    'rb-1,R1,Ruggedbook,laptop,300,60,48,yes,2025,PCF R1,Ruggedbook,RB 1|RB-ONE',
    'rb-2,R2,Ruggedbook,laptop,310.5,,,no,,PCF R2,Ruggedbook,',
  )
  const bad = table(
    'rb-3,R3,Ruggedbook,laptop,"1,5",,,,,PCF,Us,',
    'RB,R4,Ruggedbook,phone,10,20,,,,PCF,Us,',
    'rb-3,R5,Ruggedbook,laptop,10,20,,,,PCF,Us,',
  )
  const send = (path: string, body: string) => filed.ask('POST', path, body, CSV)
  const refused = await send('/api/device-models', bad)
  assert.equal(refused.status, 400)
  const { details } = JSON.parse(refused.text) as { details: readonly { path: string }[] }
  assert.deepEqual(
    details.map(({ path }) => path),
    ['/2/total_kg_co2e', '/3/id', '/3/type', '/4/id', '/4/use_kg_co2e'],
  )
  assert.deepEqual(await filed.get('/api/device-models'), [])
  assert.equal((await send('/api/device-models', 'id,nome\na,b\n')).status, 400)
  assert.equal((await send('/api/device-models', '')).status, 400)
  const stored = await send('/api/device-models', good)
  assert.deepEqual(JSON.parse(stored.text), { number_of_figures: 2, number_of_changes: 2 })
  assert.deepEqual(JSON.parse((await send('/api/device-models', good)).text), {
    number_of_figures: 2,
    number_of_changes: 0,
  })
  const changed = good.replace(',300,', ',290,')
  const existing = await send('/api/device-models', changed)
  assert.equal(existing.status, 409)
  assert.match(existing.text, /new_versions=true/)
  assert.deepEqual(
    (JSON.parse(existing.text) as { details: readonly Json[] }).details.map(({ path, code }) => [path, code]),
    [['/2', 'figure_row_exists']],
  )
  for (const table of [changed, good])
    assert.deepEqual(JSON.parse((await send('/api/device-models?new_versions=true', table)).text), {
      number_of_figures: 2,
      number_of_changes: 1,
    })
  const answer = await filed.post('/api/customer-orders', orderOf('csv', { product_id: 'rb-one' }))
  assert.equal(embodiedOf(answer), 60)
  const files = {
    '/api/transportations': [
      'id,name,mode,vehicle,factor_kg_co2e_per_tonne_km,wtt_kg_co2e_per_tonne_km,distance_basis',
      'van,Van,road,Van,0.2,0.1,actual',
    ],
    '/api/packagings': ['id,name,material,factor_kg_co2e_per_kg', 'case,Case,PP,0.4'],
    '/api/lifetimes': ['type,lifetime_months', 'laptop,72'],
    '/api/grid-factors': ['country,year,factor_kg_co2e_per_kwh', 'DE,2024,0.04', 'DE,2025,0.05'],
  }
  for (const [path, [columns, ...rows]] of Object.entries(files)) {
    const lines = [`${columns},${NAMED.join()}`, ...rows.map((row) => `${row},Records,Us`)]
    const { status, text: told } = await send(
      path,
      lines.join('\n').replaceAll(',', path === '/api/packagings' ? ';' : ','),
    )
    assert.equal(status, 200, `${path} ${told}`)
  }
  const years = (await filed.get('/api/grid-factors')) as unknown as readonly Json[]
  assert.deepEqual(
    years.map(({ id }) => id),
    ['DE-2024', 'DE-2025'],
  )
  for (const [path, id] of [
    ['/api/own-transportations', 'van'],
    ['/api/own-packagings', 'case'],
  ] as const)
    assert.deepEqual(
      ((await filed.get(path)) as unknown as readonly Json[]).map((one) => [one['id'], one['source_title']]),
      [[id, 'Records']],
    )
})
