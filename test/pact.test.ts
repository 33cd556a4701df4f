// The PACT interface as a customer's software uses it: tokens, footprints, filters and pages, by a client of its own.
import { after, before, mock, test } from 'node:test'
import assert from 'node:assert/strict'
import { createOrderClient, order, type OrderClient } from './order-client.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { installRelease } from '../src/postgres/dataset-releases.ts'
import { changedRelease } from './changed-release.ts'
import type { Json } from './document-check.ts'
import { exchange } from './raw-http.ts'
import { askForToken, basic, createPactClient, tokenOf, type PactClient } from './pact-client.ts'
import { startService, type Service } from './service.ts'
import { readStatement } from './statement-client.ts'

const WEBHOOKS = {
  publicUrl: 'https://emissions.example.com:8443',
  rules: { ports: [443], allowsLoopback: true },
}

type Sent = NonNullable<Parameters<typeof exchange>[2]>

let service: Service
let orders: OrderClient
let client: PactClient
let token: string

before(async () => {
  service = await startService({ settings: { webhooks: WEBHOOKS } })
  orders = createOrderClient(service)
  await orders.post(order('lessee', 'order-1', ['S-1', 'S-2']))
  await orders.post(order('lessee', 'order-2', ['S-3'], { country: 'DE', items: [DELL] }))
  await orders.post(order('other lessee', 'order-3', ['S-4']))
  client = await createClient('lessee')
  token = await tokenOf(service, client)
})
after(() => service.stop())

const ask = async (path: string, sent: Sent = {}) => {
  // What PACT describes is not in the OpenAPI document, with which the service's own answers are compared.
  const send = path.startsWith('/api/') ? service.ask : (to: string, one: Sent) => exchange(service.server.url, to, one)
  const { status, text, headers } = await send(path, { method: 'GET', headers: {}, ...sent })
  return { status, text, headers, json: (text === '' ? {} : JSON.parse(text)) as Json }
}

const createClient = (customer: string) =>
  createPactClient(service, { customer_id: customer, label: 'Its own software' })

async function askToken(authorization: string, body?: string) {
  const { status, text } = await askForToken(service, authorization, body)
  return { status, json: JSON.parse(text) as Json }
}

const get = (path: string, bearer = token) => ask(path, { headers: { authorization: `Bearer ${bearer}` } })

type Footprint = Json & { readonly id: string; readonly pcf: Json; readonly productIds: readonly string[] }

async function list(query = '', bearer = token): Promise<readonly Footprint[]> {
  const { status, text, json } = await get(`/3/footprints${query}`, bearer)
  assert.equal(status, 200, text)
  return json['data'] as readonly Footprint[]
}

/** Its sheet states the electricity that it needs, so that the grid of a country applies. */
const DELL = {
  type: 'product',
  config: { product_id: 'dell-latitude-5450', serial_number: 'S-3', tenure_months: 12, weight_kg: 1.4 },
}
const DECIMAL = /^-?\d+(\.\d+)?$/
const rentalOf = (footprints: readonly Footprint[], serial: string): Footprint =>
  footprints.find(({ productIds, status }) => productIds[0]!.endsWith(`:${serial}`) && status === 'Active')!

test('a client gets a token for its secret; a wrong secret, grant or body gets an OAuth error', async () => {
  for (const wrong of [
    basic({ ...client, client_secret: 'wrong' }),
    basic({ client_id: 'pact_unknown', client_secret: client.client_secret }),
    'Basic !',
    'Bearer x',
  ]) {
    const { status, json } = await askToken(wrong)
    assert.equal(status, 401)
    assert.equal(json['error'], 'invalid_client')
  }
  assert.equal((await askToken(basic(client), 'grant_type=password')).json['error'], 'unsupported_grant_type')
  assert.equal((await askToken(basic(client), '')).status, 400)
})

test('no body is read of one who has no secret, and no token makes the database fail', async () => {
  const body = 'x'.repeat(100_000)
  assert.equal((await askToken('Basic !', body)).status, 401)
  assert.equal((await askToken(basic({ ...client, client_id: `${client.client_id}\0` }))).status, 401)
  assert.equal((await askToken(basic(client), body)).status, 413)
  const headers = { 'content-type': 'application/cloudevents+json', authorization: 'Bearer x' }
  assert.equal((await ask('/3/events', { method: 'POST', headers, body })).status, 401)
  const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  for (const alg of ['none', 'HS256'])
    for (const sub of [`${client.client_id}\0`, '\0', '\ud800', { toString: 1 }, [client.client_id], client.client_id])
      for (const typ of ['at+jwt', 'JWT'])
        assert.equal((await get('/3/footprints', `${part({ alg, typ })}.${part({ sub, exp: 9e9 })}.AAAA`)).status, 401)
  const other = await createClient('other lessee')
  const [head, , signature] = token.split('.')
  assert.equal(
    (await get('/3/footprints', `${head}.${part({ sub: other.client_id, exp: 9e9 })}.${signature}`)).status,
    401,
  )
})

test('discovery names the token endpoint by the host of the request', async () => {
  const { json } = await ask('/.well-known/openid-configuration', { headers: { host: 'emissions.example.com' } })
  assert.equal(json['token_endpoint'], 'https://emissions.example.com/auth/token')
})

test('a missing, wrong or revoked token gets 401, and an API key opens nothing here', async () => {
  for (const path of ['/3/footprints', '/3/footprints/8a0c4d5e-0000-4000-8000-000000000000']) {
    for (const bearer of ['x', `${token}x`, service.key]) assert.equal((await get(path, bearer)).status, 401)
    assert.deepEqual(Object.keys((await ask(path)).json), ['code', 'message'])
  }
  const revoked = await createClient('lessee')
  const itsToken = await tokenOf(service, revoked)
  assert.equal((await get('/3/footprints', itsToken)).status, 200)
  const headers = { 'x-api-key': service.key }
  await ask(`/api/pact-clients/${revoked.client_id}`, { method: 'DELETE', headers })
  assert.equal((await get('/3/footprints', itsToken)).status, 401)
  assert.equal((await askToken(basic(revoked))).status, 401)
})

test('every footprint has the mandatory members, decimals as texts, and only rentals of its own customer', async () => {
  const footprints = await list()
  for (const { id, pcf, ...footprint } of footprints) {
    assert.match(id, /^[\da-f]{8}-[\da-f]{4}-4/)
    assert.equal(footprint['specVersion'], '3.0.3')
    assert.equal(footprint['companyName'], 'test')
    assert.match((footprint['companyIds'] as string[])[0]!, /^urn:pact:emissions\.example\.com:supplier-id:test$/)
    const [extension] = footprint['extensions'] as readonly Json[]
    assert.equal(extension!['dataSchema'], 'https://emissions.example.com:8443/3/rental-data.schema.json')
    for (const name of [
      'declaredUnitAmount',
      'productMassPerDeclaredUnit',
      'pcfExcludingBiogenicUptake',
      'pcfIncludingBiogenicUptake',
      'fossilGhgEmissions',
      'fossilCarbonContent',
      'packagingGhgEmissions',
      'outboundLogisticsGhgEmissions',
      'primaryDataShare',
      'exemptedEmissionsPercent',
    ])
      assert.match(pcf[name] as string, DECIMAL, name)
    assert.ok((pcf['referencePeriodStart'] as string) < (pcf['referencePeriodEnd'] as string))
  }
  const products = footprints.map(({ productIds }) => productIds[0]!)
  assert.deepEqual(
    ['S-1', 'S-2', 'S-3', 'S-4'].map((serial) => products.filter((one) => one.endsWith(`:${serial}`)).length),
    [1, 1, 1, 0],
  )
  assert.equal(rentalOf(footprints, 'S-3').pcf['geographyCountry'], 'DE')
})

test('the footprint of a rental is what its order posted, and that of a year what the statement has', async () => {
  const footprints = await list()
  const { text } = await orders.ask('/api/customer-orders/lessee/order-2')
  const posted = JSON.parse(text) as {
    items: { product_embodied_emission?: number; emission?: number; product_use?: number }[]
  }
  const year = await readStatement(service.server.app, service.key, 'lessee', 2025)
  const amount = (part: string) => year.statement.by_part.find((one) => one.part === part)!.emission
  const ofYear = footprints.find(({ productIds }) => productIds[0]!.endsWith('customer-year:lessee:2025'))!
  assert.equal(Number(ofYear.pcf['packagingGhgEmissions']), amount('packaging'))
  const close = (a: number, b: number) => assert.ok(Math.abs(a - b) < 1e-9, `${a} is not ${b}`)
  close(Number(ofYear.pcf['pcfExcludingBiogenicUptake']), amount('packaging') + amount('product_embodied_emission'))
  const statementLink = (ofYear['extensions'] as { data: { statement: Json } }[])[0]!.data.statement
  assert.equal(statementLink['ordersRoot'], (JSON.parse(year.text) as { completeness: Json }).completeness['root'])
  assert.equal(posted.items.length, 1)
})

test('a footprint that changes is deprecated, and another one names it; one that does not stays', async () => {
  const before = await list()
  await orders.tell('lessee', 'order-1', {
    event_id: 'back',
    type: 'returned',
    serial_number: 'S-1',
    date: '2025-05-01',
  })
  const now = await list()
  const [old, new_] = [rentalOf(before, 'S-1'), rentalOf(now, 'S-1')]
  assert.notEqual(old.id, new_.id)
  assert.deepEqual(new_['precedingPfIds'], [old.id])
  assert.equal(now.find(({ id }) => id === old.id)!['status'], 'Deprecated')
  assert.deepEqual({ ...now.find(({ id }) => id === old.id)!, status: 'Active' }, old)
  assert.equal(rentalOf(now, 'S-2').id, rentalOf(before, 'S-2').id)
  const { json } = await get(`/3/footprints/${old.id}`)
  assert.equal((json['data'] as Json)['status'], 'Deprecated')
  assert.deepEqual(
    (await list('?status=active')).map(({ id }) => id),
    now.filter(({ status }) => status === 'Active').map(({ id }) => id),
  )
})

test('neither a newer release that another order uses nor another calendar year replaces a footprint', async () => {
  await orders.post(order('stable', 'order-20', ['S-20']))
  const stable = await createClient('stable')
  const footprintOf = async (serial: string) => rentalOf(await list('', await tokenOf(service, stable)), serial)
  const first = await footprintOf('S-20')
  const { files, referenceData } = changedRelease('2099.01', [])
  const { release: name, hash } = referenceData
  await installRelease(service.pool, { version: '2099.01', name, hash, isNewest: true }, files)
  const release = async () => (await orders.ask('/api/transportations')).headers['dataset-release']
  while ((await release()) !== name) await sleep(100)
  await orders.post(order('stable', 'order-21', ['S-21']))
  assert.equal((await footprintOf('S-20')).id, first.id)
  mock.timers.enable({ apis: ['Date'], now: Date.parse('2033-06-01T00:00:00Z') })
  try {
    assert.equal((await footprintOf('S-20')).id, first.id)
  } finally {
    mock.timers.reset()
  }
})

test('a list comes in pages that can be read again, each footprint once', async () => {
  const all = await list()
  const seen: string[] = []
  let path: string | null = '/3/footprints?limit=2'
  while (path !== null) {
    const { json, headers }: Awaited<ReturnType<typeof get>> = await get(path)
    const page = json['data'] as readonly Footprint[]
    assert.ok(page.length <= 2)
    assert.deepEqual((await get(path)).json, json)
    seen.push(...page.map(({ id }) => id))
    const link = /^<https:\/\/[^/]+(.*)>; rel="next"$/.exec(String(headers['link'] ?? ''))
    path = link?.[1] ?? null
  }
  assert.deepEqual(
    seen,
    all.map(({ id }) => id),
  )
})

test('each filter finds what it names, in any case, and a value that nothing matches an empty list', async () => {
  const all = await list()
  const one = rentalOf(all, 'S-3')
  const company = (one['companyIds'] as string[])[0]!
  const encoded = encodeURIComponent(one.productIds[0]!)
  const ids = async (query: string) => (await list(query)).map(({ id }) => id)
  assert.deepEqual(await ids(`?productId=${encoded.toUpperCase()}`), [one.id])
  assert.deepEqual(await ids(`?productId=${encoded}&productId=urn:none`), [one.id])
  assert.deepEqual(await ids(`?productId=${encoded}&status=Active`), [one.id])
  assert.deepEqual(await ids('?geography=de'), [one.id])
  assert.equal((await ids(`?companyId=${encodeURIComponent(company)}&companyId=urn:x`)).length, all.length)
  const end = one.pcf['referencePeriodEnd'] as string
  assert.ok((await ids(`?validOn=${end}`)).includes(one.id))
  assert.ok((await ids('?validAfter=2020-01-01T00:00:00Z')).includes(one.id))
  assert.ok((await ids('?validBefore=2199-01-01T00:00:00Z')).includes(one.id))
  for (const nothing of [
    'productId=urn:pact:null',
    'companyId=urn:none',
    'geography=XX',
    'classification=urn:none',
    'status=Bogus',
    'validOn=1900-01-01T00:00:00Z',
    'validAfter=2199-01-01T00:00:00Z',
    'validBefore=1900-01-01T00:00:00Z',
    'status=Bogus&productId=urn:none',
  ])
    assert.deepEqual(await ids(`?${nothing}`), [], nothing)
  assert.equal((await ids('?x-vendor-filter=1')).length, all.length)
  for (const wrong of ['limit=0', 'limit=x', 'validOn=yesterday', 'cursor=x'])
    assert.equal((await get(`/3/footprints?${wrong}`)).status, 400, wrong)
})

test('an unknown id, and the footprint of another customer, is not found', async () => {
  const foreign = await tokenOf(service, await createClient('other lessee'))
  const [theirs] = await list('', foreign)
  for (const id of [theirs!.id, '8a0c4d5e-0000-4000-8000-000000000000', 'x']) {
    const { status, json } = await get(`/3/footprints/${id}`)
    assert.equal(status, 404)
    assert.equal(json['code'], 'NotFound')
  }
})

test('an erasure of the customer leaves neither its footprints nor its clients', async () => {
  await orders.post(order('forgotten', 'order-10', ['S-10']))
  const its = await createClient('forgotten')
  const itsToken = await tokenOf(service, its)
  assert.ok((await list('', itsToken)).length > 0)
  const headers = { 'x-api-key': service.key, 'content-type': 'application/json' }
  const erased = await ask('/api/customers/forgotten/pseudonymise', { method: 'POST', headers, body: '{}' })
  assert.equal(erased.status, 200)
  assert.equal((await get('/3/footprints', itsToken)).status, 401)
  for (const table of ['pact_clients', 'pact_footprints'])
    assert.equal((await service.pool.query(`select from ${table} where customer_id = 'forgotten'`)).rowCount, 0)
})

test('a customer without orders has no footprints, and one whose order was cancelled none that is active', async () => {
  assert.deepEqual(await list('', await tokenOf(service, await createClient('nobody'))), [])
  await orders.post(order('leaving', 'order-9', ['S-9']))
  const leaving = await tokenOf(service, await createClient('leaving'))
  assert.ok((await list('', leaving)).length > 0)
  await orders.tell('leaving', 'order-9', {
    event_id: 'no',
    type: 'cancelled',
    date: '2025-01-20',
    dispatched: false,
  })
  assert.deepEqual(await list('?status=Active', leaving), [])
})
