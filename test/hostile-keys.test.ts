// Whoever has no key learns nothing: one and the same 401 for every wrong key, on every operation, within a second.
import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import pg from 'pg'
import { setTimeout as sleep } from 'node:timers/promises'
import { EXAMPLE_ORDER } from '../src/http/schemas/examples.ts'
import { revokeKey } from '../src/postgres/api-keys.ts'
import { listKeys } from '../src/postgres/accounts.ts'
import { templateOf } from '../src/spreadsheets/templates.ts'
import { trueAfter } from './command.ts'
import { hostileKeys } from './hostile/keys.ts'
import { rounds } from './rounds.ts'
import { shippedReferenceData } from './shipped-book.ts'
import { countRows, startService, type Service } from './service.ts'

const ORDER = `/api/customer-orders/${EXAMPLE_ORDER.customer_id}/${EXAMPLE_ORDER.order_id}`
const RETURNED = { event_id: 'returned', type: 'returned', date: '2025-02-16' }
const MAPPING = { device_type: 'laptop' }
const LOST = { event_id: 'lost', type: 'lost', date: '2026-02-16' }

const STATED = { source_title: 'Sheet', source_publisher: 'Maker' }
const OWN_MODEL = { name: 'Own', brand: 'Own', type: 'laptop', total_kg_co2e: 10, ...STATED }
const OWN_FACTORS = [
  ['transportations', 'own', { name: 'V', mode: 'road', factor_kg_co2e_per_tonne_km: 1, distance_basis: 'actual' }],
  ['packagings', 'own', { name: 'C', material: 'PP', factor_kg_co2e_per_kg: 1 }],
  ['lifetimes', 'headphone', { lifetime_months: 40 }],
  ['grid-factors', 'DE-2024', { factor_kg_co2e_per_kwh: 1 }],
  ['grid-months', 'DE-2024-01', { factor_kg_co2e_per_kwh: 1 }],
  ['residual-mixes', 'DE-2024', { factor_kg_co2e_per_kwh: 1 }],
  ['grid-losses', 'DE-2024', { share: 0.1 }],
] as const
const INSTRUMENT = {
  customer_id: 'c',
  country: 'DE',
  kind: 'contract',
  from: '2025-01',
  to: '2025-12',
  kwh: 1,
  factor_kg_co2e_per_kwh: 0,
}

/** What can be done with an own figure: stored, read, stored by file, withdrawn. */
const ownFactor = (
  path: string,
  id: string,
  factor: object,
  readScope: 'catalogue:read' | 'orders:read' = 'catalogue:read',
) =>
  [
    ['PUT', `${path}/${id}`, 'admin', { ...factor, ...STATED }],
    ['GET', `${path}/${id}`, readScope],
    ['POST', path, 'admin', tableOf(id, { ...factor, ...STATED })],
    ['DELETE', `${path}/${id}`, 'admin'],
  ] as const

/** By ids that are not in a column `id`. */
const ID_COLUMNS: Readonly<Record<string, object>> = {
  headphone: { type: 'headphone' },
  'DE-2024': { country: 'DE', year: 2024 },
  'DE-2024-01': { country: 'DE', month: '2024-01' },
}

function tableOf(id: string, figure: object): string {
  const ids = ID_COLUMNS[id] ?? { id }
  const columns = { ...ids, ...figure }
  return `${Object.keys(columns).join()}\n${Object.values(columns).join()}\n`
}

/** Method, path, the scope that it takes, and a body that can be sent again. */
const OPERATIONS = [
  ['POST', '/api/customer-orders', 'orders:write', EXAMPLE_ORDER],
  ['GET', '/api/device-emissions/C02XL0AAJGH5', 'orders:read'],
  ['GET', '/api/device-model-emissions/apple-macbook-air-13-m3-256gb', 'catalogue:read'],
  ['GET', '/api/device-model-emissions', 'catalogue:read'],
  ['GET', '/api/transportations', 'catalogue:read'],
  ['GET', '/api/packagings', 'catalogue:read'],
  ['GET', '/api/dataset-releases', 'catalogue:read'],
  ['GET', `/api/dataset-releases/${shippedReferenceData().referenceData.release}/changes`, 'catalogue:read'],
  ['GET', '/api/customer-orders', 'orders:read'],
  ['GET', ORDER, 'orders:read'],
  ['GET', `${ORDER}/receipt`, 'orders:read'],
  ['GET', `${ORDER}/verification`, 'orders:read'],
  ['PUT', ORDER, 'orders:write', EXAMPLE_ORDER],
  ['POST', `${ORDER}/events`, 'orders:write', RETURNED],
  ['POST', '/api/devices/C02XL0AAJGH5/events', 'orders:write', LOST],
  ['POST', '/api/customer-orders/batch', 'orders:write', { orders: [EXAMPLE_ORDER] }],
  ['POST', '/api/events/batch', 'orders:write', { events: [{ ...LOST, serial_number: 'C02XL0AAJGH5' }] }],
  ['POST', '/api/estimates', 'orders:read', { ...EXAMPLE_ORDER, order_id: 'not posted' }],
  ['PUT', '/api/products', 'orders:write', [{ product_id: 'P-1', ...MAPPING }]],
  ['PUT', '/api/products/P-1', 'orders:write', MAPPING],
  ['GET', '/api/products/P-1', 'orders:read'],
  ['GET', '/api/products', 'orders:read'],
  ['GET', '/api/product-states', 'orders:read'],
  ['GET', '/api/devices', 'orders:read'],
  ['GET', '/api/devices/C02XL0AAJGH5/passport', 'orders:read'],
  ['GET', '/api/devices/C02XL0AAJGH5/epcis', 'orders:read'],
  ['GET', '/api/match?product_id=P-1', 'catalogue:read'],
  ['POST', `/api/customers/${EXAMPLE_ORDER.customer_id}/pseudonymise?preview=true`, 'admin', {}],
  ['DELETE', '/api/products/P-1', 'orders:write'],
  // A dry run, so that nothing is stored behind the back of what is counted here; there is nothing to undo, then.
  ['POST', '/api/imports?dry_run=true', 'orders:write', templateOf('items')],
  ['GET', '/api/imports', 'orders:read'],
  ['GET', '/api/imports/1', 'orders:read'],
  ['GET', '/api/imports/1/errors', 'orders:read'],
  ['GET', '/api/imports/1/error-groups', 'orders:read'],
  ['GET', '/api/imports/1/rejected-rows', 'orders:read'],
  ['GET', '/api/import-templates/items', 'catalogue:read'],
  ['PUT', '/api/import-profiles/list', 'orders:write', { header: ['Serial'], settings: {} }],
  ['GET', '/api/import-profiles', 'orders:read'],
  ['GET', '/api/import-profiles/list', 'orders:read'],
  ['DELETE', '/api/import-profiles/list', 'orders:write'],
  ['POST', '/api/restatements', 'admin', { scope: {}, figures: { mappings: 'current' }, reason: 'Mapped since' }],
  ['GET', '/api/restatements', 'orders:read'],
  ['GET', '/api/restatements/1', 'orders:read'],
  ['GET', '/api/restatements/1/changes', 'orders:read'],
  ['POST', '/api/restatements/1/apply', 'admin', { digest: 'none' }],
  ['DELETE', '/api/restatements/1', 'admin'],
  ['GET', `/api/statements/${EXAMPLE_ORDER.customer_id}/2025`, 'orders:read'],
  ['GET', `/api/statements/${EXAMPLE_ORDER.customer_id}/2025/orders/${EXAMPLE_ORDER.order_id}`, 'orders:read'],
  ['GET', `/api/impact/${EXAMPLE_ORDER.customer_id}/2025`, 'orders:read'],
  ['GET', `/api/data-sources/${EXAMPLE_ORDER.customer_id}/2025`, 'orders:read'],
  ['GET', '/api/statement-key', 'orders:read'],
  ['GET', '/api/statement-key/jwks', 'orders:read'],
  ['DELETE', '/api/imports/1', 'orders:write'],
  ['GET', '/api/reports/emissions', 'orders:read'],
  ['GET', '/api/reports/electricity', 'orders:read'],
  ['GET', '/api/reports/inventories', 'orders:read'],
  ['GET', '/api/reports/quality', 'orders:read'],
  ['POST', '/api/scenarios', 'orders:read', { changes: [{ type: 'tenure', months: 1 }] }],
  ['GET', '/api/exports/orders', 'orders:read'],
  ['GET', '/api/exports/events', 'orders:read'],
  ['GET', '/api/exports/devices', 'orders:read'],
  ['GET', '/api/exports/entries', 'orders:read'],
  ['PUT', '/api/device-models/own', 'admin', OWN_MODEL],
  ['GET', '/api/device-models/own', 'catalogue:read'],
  ['GET', '/api/device-models', 'catalogue:read'],
  ['POST', '/api/device-models', 'admin', tableOf('own', OWN_MODEL)],
  ['DELETE', '/api/device-models/own', 'admin'],
  ...OWN_FACTORS.flatMap(([path, id, factor]) => ownFactor(`/api/${path}`, id, factor)),
  ['GET', '/api/own-transportations', 'catalogue:read'],
  ['GET', '/api/own-packagings', 'catalogue:read'],
  ...ownFactor('/api/electricity-instruments', 'own', INSTRUMENT, 'orders:read'),
  ['GET', '/api/electricity-instruments', 'orders:read'],
  ['GET', '/api/lifetimes', 'catalogue:read'],
  ['GET', '/api/grid-factors', 'catalogue:read'],
  ['GET', '/api/grid-months', 'catalogue:read'],
  ['GET', '/api/residual-mixes', 'catalogue:read'],
  ['GET', '/api/grid-losses', 'catalogue:read'],
  ['GET', '/api/events', 'orders:read'],
  ['GET', '/api/webhooks', 'admin'],
  ['POST', '/api/webhooks', 'admin', { url: 'https://example.com/', enabled: false }],
  ['GET', '/api/webhooks/1', 'admin'],
  ['PATCH', '/api/webhooks/1', 'admin', { description: 'changed' }],
  ['POST', '/api/webhooks/1/rotation', 'admin'],
  ['POST', '/api/webhooks/1/test', 'admin'],
  ['GET', '/api/webhooks/1/deliveries', 'admin'],
  ['POST', '/api/webhooks/1/deliveries/1/replay', 'admin'],
  ['DELETE', '/api/webhooks/2147483647', 'admin'],
  ['GET', '/api/keys', 'admin'],
  ['POST', '/api/keys', 'admin', { label: 'made', scopes: ['orders:read'] }],
  ['DELETE', '/api/keys/2147483647', 'admin'],
  ['GET', '/api/pact-clients', 'admin'],
  ['POST', '/api/pact-clients', 'admin', { customer_id: EXAMPLE_ORDER.customer_id, label: 'made' }],
  ['DELETE', '/api/pact-clients/pact_0', 'admin'],
  ['GET', '/api/account', 'admin'],
  ['PUT', '/api/account', 'admin', { amortisation: 'capped' }],
  ['GET', '/api/periods', 'orders:read'],
  ['GET', '/api/periods/corrections', 'orders:read'],
  ['POST', '/api/periods', 'admin', { closed_until: null }],
  ['GET', '/api/demo-fleet', 'admin'],
  ['DELETE', '/api/demo-fleet', 'admin'],
  // The last one, and by the last key: it goes on behind the back of what is counted here.
  ['POST', '/api/demo-fleet', 'admin'],
] as const
type Operation = (typeof OPERATIONS)[number]

let service: Service
before(async () => void (service = await startService()))
after(() => service.stop())

async function call(
  [method, path, , sentBody]: Operation,
  headers: Readonly<Record<string, string | readonly string[]>>,
  query = '',
) {
  const isFile = typeof sentBody === 'string'
  const type = sentBody ? { 'content-type': isFile ? 'text/csv' : 'application/json' } : {}
  const sent = { ...type, ...(method === 'PUT' && path === ORDER && { 'if-match': '*' }), ...headers }
  const body = sentBody ? { body: isFile ? sentBody : JSON.stringify(sentBody) } : {}
  return service.ask(path + query, { method, headers: sent, ...body })
}

/** An answer without what differs from request to request; `x-api-key` absent stands for an empty one. */
async function shape(operation: Operation, headers: Parameters<typeof call>[1], query?: string) {
  const answer = await call(operation, { 'x-api-key': [], ...headers }, query)
  const { date, 'x-request-id': id, ...rest } = answer.headers
  assert.ok(date)
  return { status: answer.status, text: answer.text.replace(String(id), 'ID'), rest }
}

const expectedOf = async (operation: Operation) => {
  const expected = await shape(operation, {})
  assert.equal(expected.status, 401)
  return expected
}

test('every operation of the document is tried here', () => {
  const documented = Object.entries(service.document.paths).flatMap(([path, operations]) =>
    path.startsWith('/api/') ? Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`) : [],
  )
  const isOf = (line: string, [method, path]: readonly [string, string]) =>
    new RegExp(`^${line.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(`${method} ${path.split('?')[0]}`)
  const untried = documented.filter((line) => !OPERATIONS.some(([method, path]) => isOf(line, [method, path])))
  assert.deepEqual(untried, [])
})

test('every wrong key gets the same 401, to the byte, on each operation', async () => {
  const keys = hostileKeys(service.key)
  assert.ok(keys.length >= 100)
  // Every fifth key on each operation, and each key on every fifth: 4,000 requests are for the long form.
  const step = rounds(9, 1)
  for (const [place, operation] of OPERATIONS.entries()) {
    const expected = await expectedOf(operation)
    for (const { name, headers, query } of keys.filter((_, at) => (at + place) % step === 0)) {
      assert.deepEqual(await shape(operation, headers, query), expected, `${name} on ${operation[1]}`)
    }
  }
  assert.deepEqual(await countRows(service.pool), { orders: 0n, devices: 0n, entries: 0n, events: 0n })
})

test('a well-formed key that nobody has, an expired and a revoked one are answered like no key at all', async () => {
  const expired = await service.createKey(undefined, new Date(Date.now() - 1))
  const revoked = await service.createKey()
  const [last] = (await listKeys(service.pool)).map(({ keyId }) => keyId).sort((a, b) => b - a)
  await revokeKey(service.pool, last!, true)
  const foreign = 'cradle_2TvGSzDq7qYmwX0Y1dT8I7EvxSoa7eQb4gT6Mp'
  for (const operation of OPERATIONS) {
    const expected = await expectedOf(operation)
    for (const key of [foreign, expired, revoked]) {
      assert.deepEqual(await shape(operation, { 'x-api-key': key }), expected)
    }
  }
})

test('malformed keys never reach the database, however many come', async () => {
  const prototype = pg.Client.prototype as unknown as { query: (...parts: unknown[]) => unknown }
  const { query } = prototype
  let lookUps = 0
  prototype.query = function (this: unknown, ...parts: unknown[]) {
    const [asked] = parts as [string | { readonly name?: string }]
    if (typeof asked === 'object' && asked.name === 'find-caller') lookUps += 1
    return query.apply(this, parts)
  }
  for (let round = 0; round < 20; round += 1) {
    await Promise.all(
      Array.from({ length: 100 }, async (_, at) => {
        const key = `cradle_${String(round * 100 + at).padStart(38, '0')}`
        assert.equal((await call(OPERATIONS[4], { 'x-api-key': key })).status, 401)
      }),
    )
  }
  assert.equal(lookUps, 0)
  await call(OPERATIONS[4], { 'x-api-key': await service.createKey() })
  prototype.query = query
  assert.equal(lookUps, 1)
})

test('a revoked key stops within one second, though it was in use', async () => {
  const key = await service.createKey()
  const [last] = (await listKeys(service.pool)).map(({ keyId }) => keyId).sort((a, b) => b - a)
  const status = async () => (await call(OPERATIONS[5], { 'x-api-key': key })).status
  assert.equal(await status(), 200)
  assert.equal(await revokeKey(service.pool, last!, true), 'revoked')
  await trueAfter(1_000, async () => (await status()) === 401, 'still works after a second')
  assert.equal(await revokeKey(service.pool, last!, true), 'unknown')
})

test('a key stops at the moment at which it expires', async () => {
  const expiresAt = Date.now() + 400
  const key = await service.createKey(undefined, new Date(expiresAt))
  for (let asked = Date.now(); asked < expiresAt + 100; asked = Date.now()) {
    const { status } = await call(OPERATIONS[5], { 'x-api-key': key })
    if (Date.now() < expiresAt) assert.equal(status, 200)
    if (asked > expiresAt) assert.equal(status, 401)
    await sleep(10)
  }
})

const OWN_PATHS = [...OWN_FACTORS.map(([path]) => path), 'device-models', 'electricity-instruments']
const OWN_FIGURE = new RegExp(`^/api/(?:${OWN_PATHS.join('|')})/`)

const statusesOf = ([method, path]: Operation, scope: string): readonly number[] => {
  // A dry run is stopped, or over.
  if (path.startsWith('/api/imports'))
    return { POST: [202], GET: [200], DELETE: [202, 409], PUT: [], PATCH: [] }[method]
  if (path === '/api/restatements') return [method === 'POST' ? 202 : 200]
  // Of which the digest is another one, or that another key has taken back.
  if (path.startsWith('/api/restatements/1'))
    return { POST: [404, 409], GET: [200], DELETE: [200], PUT: [], PATCH: [] }[method]
  // It is disabled, and nothing was sent to it.
  if (/^\/api\/webhooks\/1\/(test|deliveries\/1)/.test(path)) return [409]
  // The service of this test does not serve PACT.
  if (path.startsWith('/api/pact-clients'))
    return { GET: [200], POST: [409], DELETE: [404], PUT: [], PATCH: [] }[method]
  if (path === '/api/demo-fleet') return [method === 'POST' ? 202 : 404]
  if (OWN_FIGURE.test(path)) return [200]
  // What one key took back is not there for the next one.
  return [method === 'DELETE' && scope === 'admin' ? 404 : 200]
}

test('a key without the scope is 403 and does nothing; admin may do all', async () => {
  const keys = {
    'orders:write': await service.createKey(['orders:write']),
    'orders:read': await service.createKey(['orders:read']),
    'catalogue:read': await service.createKey(['catalogue:read']),
    admin: await service.createKey(['admin']),
  }
  for (const operation of OPERATIONS) {
    const [, , wanted] = operation
    for (const [scope, key] of Object.entries(keys)) {
      const before = await countRows(service.pool)
      const { status, text } = await call(operation, { 'x-api-key': key })
      const isAllowed = scope === wanted || scope === 'admin'
      const expected = isAllowed ? statusesOf(operation, scope) : [403]
      assert.ok(expected.includes(status), `${scope} on ${operation[1]}: ${status}`)
      if (isAllowed) continue
      assert.match(text, new RegExp(`"The API key lacks the scope \\\\"${wanted}\\\\""`))
      assert.deepEqual(await countRows(service.pool), before)
    }
  }
})
