// Events of the PACT interface in both directions, with a customer's software that issues tokens and takes events.
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import type { Json } from './document-check.ts'
import { pseudonymise } from './erasure-client.ts'
import { createOrderClient, order, type OrderClient } from './order-client.ts'
import { createPactClient, tokenOf, type PactClient } from './pact-client.ts'
import { exchange } from './raw-http.ts'
import { startService, type Service } from './service.ts'

interface Received {
  readonly authorization: string | undefined
  readonly type: string | undefined
  readonly event: Json & { readonly id: string; readonly type: string; readonly data: Json }
}

const TYPE = 'org.wbcsd.pact.ProductFootprint.'
const RECEIVER_TOKEN = 'token-of-the-receiver'

let service: Service
let orders: OrderClient
let receiver: Server
let receiverUrl: string
let client: PactClient
let token: string
/** Answers to these requests are refused once. */
const refused = new Set<string>()
const received: Received[] = []
const waiting: (() => void)[] = []

before(async () => {
  receiver = createServer((request, response) => {
    void answer(request).then(([status, body]) => response.writeHead(status).end(body))
  }).listen(0, '127.0.0.1')
  await new Promise((listening) => receiver.once('listening', listening))
  receiverUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`
  const webhooks = { publicUrl: 'https://emissions.example.com', rules: { ports: [], allowsLoopback: true } }
  service = await startService({ settings: { webhooks } })
  orders = createOrderClient(service)
  await orders.post(order('lessee', 'order-1', ['S-1', 'S-2']))
  client = await createPactClient(service, { customer_id: 'lessee', label: 'with events', events: EVENTS() })
  token = await tokenOf(service, client)
})
after(async () => {
  await service.stop()
  receiver.close()
})

const EVENTS = () => ({ url: receiverUrl, client_id: 'cradle', client_secret: 'its secret' })

async function answer(request: IncomingMessage): Promise<[number, string]> {
  const body = await text(request)
  const { authorization, 'content-type': type } = request.headers
  if (request.url === '/.well-known/openid-configuration')
    return [200, JSON.stringify({ token_endpoint: `${receiverUrl}/own/token` })]
  if (request.url === '/own/token') {
    const isRight = authorization === `Basic ${Buffer.from('cradle:its secret').toString('base64')}`
    // Without token_type, which some services leave out.
    return isRight && body === 'grant_type=client_credentials'
      ? [200, JSON.stringify({ access_token: RECEIVER_TOKEN })]
      : [401, '{}']
  }
  if (request.method !== 'POST' || request.url !== '/3/events') return [404, '']
  const event = JSON.parse(body) as Received['event']
  if (refused.delete(String(event.data['requestEventId']))) return [500, '']
  received.push({ authorization, type, event })
  for (const go of waiting.splice(0)) go()
  return [200, '']
}

/** The first event that fits, once it has come. */
async function eventThat(fits: (event: Received['event']) => boolean): Promise<Received> {
  for (;;) {
    const found = received.find(({ event }) => fits(event))
    if (found) return found
    await new Promise<void>((go) => waiting.push(go))
  }
}

const send = (event: Json, bearer = token) => sendText(JSON.stringify(event), bearer)

const sendText = (body: string, bearer = token) =>
  exchange(service.server.url, '/3/events', {
    method: 'POST',
    headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/cloudevents+json; charset=UTF-8' },
    body,
  })

const event = (type: string, data: unknown, id = 'event-1'): Json => ({
  type: `${TYPE}${type}.3`,
  specversion: '1.0',
  id,
  source: 'https://anybody.example',
  time: '2026-11-27T10:00:00Z',
  data,
})

const listedBy = (query: Readonly<Record<string, string>>) =>
  exchange(service.server.url, `/3/footprints?${new URLSearchParams(query).toString()}`, {
    headers: { authorization: `Bearer ${token}` },
  })

const listed = async (bearer = token) => {
  const { text: body } = await exchange(service.server.url, '/3/footprints', {
    headers: { authorization: `Bearer ${bearer}` },
  })
  return (JSON.parse(body) as { readonly data: readonly (Json & { readonly productIds: readonly string[] })[] }).data
}

test('a request is acknowledged at once, and answered with whole footprints at the address of the client', async () => {
  const [one] = await listed()
  const { status, text: body } = await send(event('RequestCreatedEvent', { productId: one!.productIds }, 'run/12'))
  assert.deepEqual([status, body], [200, ''])
  const { event: answered, authorization, type } = await eventThat(({ data }) => data['requestEventId'] === 'run/12')
  assert.equal(answered.type, `${TYPE}RequestFulfilledEvent.3`)
  assert.deepEqual([authorization, type], [`Bearer ${RECEIVER_TOKEN}`, 'application/cloudevents+json'])
  assert.equal(answered['specversion'], '1.0')
  assert.equal(answered['source'], 'https://emissions.example.com')
  assert.deepEqual(answered.data['pfs'], [one])
})

test('a request that no footprint fits is rejected by an event that names it', async () => {
  assert.equal((await send(event('RequestCreatedEvent', { productId: ['urn:pact:null'] }, 'none'))).status, 200)
  const { event: answered } = await eventThat(({ data }) => data['requestEventId'] === 'none')
  assert.equal(answered.type, `${TYPE}RequestRejectedEvent.3`)
  assert.equal((answered.data['error'] as Json)['code'], 'NotFound')
})

test('what is published for the customer without being asked for is told by its ids', async () => {
  await orders.post(order('other lessee', 'order-2', ['S-3']))
  const others = await createPactClient(service, { customer_id: 'other lessee', label: 'told', events: EVENTS() })
  const theirs = ({ type, data }: Received['event']) =>
    type === `${TYPE}PublishedEvent.3` && (data['pfIds'] as string[]).length === 2
  const { event: told } = await eventThat(theirs)
  const ids = (await listed(await tokenOf(service, others))).map(({ id }) => id)
  assert.deepEqual(told.data['pfIds'], ids)
})

test('an event that is not taken is kept for later, and the others are sent meanwhile', async () => {
  refused.add('refused')
  assert.equal((await send(event('RequestCreatedEvent', { productId: ['urn:pact:null'] }, 'refused'))).status, 200)
  assert.equal((await send(event('RequestCreatedEvent', { productId: ['urn:pact:null'] }, 'taken'))).status, 200)
  await eventThat(({ data }) => data['requestEventId'] === 'taken')
  const { rows } = await service.pool.query(
    "select attempts, next_attempt_at > now() as later from pact_messages where request_id = 'refused'",
  )
  assert.deepEqual(rows, [{ attempts: 1, later: true }])
  assert.equal(refused.size, 0)
})

test('news of the client is acknowledged; what is no event, or has a wrong token, is refused', async () => {
  const uuid = '8a0c4d5e-0000-4000-8000-000000000000'
  for (const [type, data] of [
    ['PublishedEvent', { pfIds: [uuid] }],
    ['RequestFulfilledEvent', { requestEventId: 'x', pfs: [] }],
    ['RequestRejectedEvent', { requestEventId: 'x', error: { code: 'NotFound', message: 'x' } }],
  ] as const)
    assert.equal((await send(event(type, data))).status, 200, type)
  for (const wrong of [
    event('PublishedEvent', { pfIds: ['urn:no:uuid'] }),
    event('UnknownEvent', {}),
    event('RequestCreatedEvent', 'text'),
    event('RequestCreatedEvent', { validOn: 'yesterday' }),
    { ...event('PublishedEvent', { pfIds: [uuid] }), specversion: '0.3' },
    { ...event('PublishedEvent', { pfIds: [uuid] }), id: '' },
    event('RequestCreatedEvent', { productId: ['\0'] }),
    event('RequestCreatedEvent', { productId: ['\ud800'] }),
  ]) {
    const { status, text: body } = await send(wrong)
    assert.equal(status, 400, JSON.stringify(wrong))
    assert.equal((JSON.parse(body) as Json)['code'], 'BadRequest')
  }
  const twice = JSON.stringify(event('RequestCreatedEvent', {})).replace('"data":', '"id":"other","data":')
  const { status, text: body } = await sendText(twice)
  assert.deepEqual([status, (JSON.parse(body) as Json)['code']], [400, 'BadRequest'])
  assert.match(body, /id/)
  assert.equal((await send(event('PublishedEvent', { pfIds: [uuid] }), 'wrong')).status, 401)
  const silent = await createPactClient(service, { customer_id: 'lessee', label: 'without events' })
  assert.equal((await send(event('RequestCreatedEvent', {}), await tokenOf(service, silent))).status, 400)
})

test('what no database can compare or store is refused or left out, and holds up no other request', async () => {
  for (const validOn of ['-100000-01-01T00:00:00Z', '+200000-01-01T00:00:00Z']) {
    assert.equal((await send(event('RequestCreatedEvent', { validOn }))).status, 400)
    assert.equal((await listedBy({ validOn })).status, 400)
  }
  const hostile = { productId: [1, null, 'urn:none'], vendor: { status: 'x' }, __proto__: { status: 'x' } }
  assert.equal((await send(event('RequestCreatedEvent', hostile, 'hostile'))).status, 200)
  assert.equal((await listedBy({ productId: '\0' })).status, 200)
  const { event: answered } = await eventThat(({ data }) => data['requestEventId'] === 'hostile')
  assert.equal(answered.type, `${TYPE}RequestRejectedEvent.3`)
})

test('an event that cannot be made counts as an attempt, and the others are sent', async () => {
  await service.pool.query(
    `insert into pact_messages
      (account_id, client_no, event_id, created_at, request_id, filter, next_attempt_at)
    select account_id, client_no, gen_random_uuid(), now(), 'poison', '{"validOn":["no time"]}', '2020-01-01'
    from pact_messages right join pact_clients using (account_id, client_no) where client_id = $1 limit 1`,
    [client.client_id],
  )
  assert.equal((await send(event('RequestCreatedEvent', { productId: ['urn:pact:null'] }, 'behind'))).status, 200)
  await eventThat(({ data }) => data['requestEventId'] === 'behind')
  const { rows } = await service.pool.query(
    "select attempts, next_attempt_at > now() as later from pact_messages where request_id = 'poison'",
  )
  assert.deepEqual(rows, [{ attempts: 1, later: true }])
})

test('a receiver that does not answer holds up only its own client, of which a hundred requests wait', async () => {
  const silent = createServer().listen(0, '127.0.0.1')
  await new Promise((listening) => silent.once('listening', listening))
  const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`
  const slow = await createPactClient(service, { customer_id: 'lessee', label: 'slow', events: { ...EVENTS(), url } })
  const slowToken = await tokenOf(service, slow)
  const statuses: number[] = []
  for (let index = 0; index <= 100; index += 1)
    statuses.push((await send(event('RequestCreatedEvent', {}, `slow-${index}`), slowToken)).status)
  assert.deepEqual([...new Set(statuses.slice(0, 100)), statuses[100]], [200, 429])
  assert.equal((await send(event('RequestCreatedEvent', { productId: ['urn:pact:null'] }, 'quick'))).status, 200)
  await eventThat(({ data }) => data['requestEventId'] === 'quick')
  const { rows } = await service.pool.query(
    "select count(*)::int as sent from pact_messages where request_id like 'slow-%' and attempts > 0",
  )
  assert.deepEqual(rows, [{ sent: 1 }])
  await service.ask(`/api/pact-clients/${slow.client_id}`, { method: 'DELETE', headers: {} })
  silent.closeAllConnections()
  silent.close()
  assert.equal((await service.pool.query("select from pact_messages where request_id like 'slow-%'")).rowCount, 0)
})

test('a message that is added while its client is revoked or erased does not stay', async () => {
  const add = (clientId: string) => `insert into pact_messages
      (account_id, client_no, event_id, created_at, request_id, filter, next_attempt_at)
    select account_id, client_no, gen_random_uuid(), now(), 'late', '{}', 'infinity' from pact_clients
    where client_id = '${clientId}' for update`
  await orders.post(order('erased lessee', 'order-9', ['S-9']))
  for (const end of [
    (id: string) => service.ask(`/api/pact-clients/${id}`, { method: 'DELETE', headers: {} }),
    () => pseudonymise(service, 'erased lessee'),
  ]) {
    const one = await createPactClient(service, { customer_id: 'erased lessee', label: 'x', events: EVENTS() })
    const adding = await service.pool.connect()
    await adding.query('begin')
    await adding.query(add(one.client_id))
    const ended = end(one.client_id)
    await Promise.race([waitForLock(), ended])
    await adding.query('commit')
    adding.release()
    assert.equal((await ended).status, 200)
    assert.equal((await service.pool.query("select from pact_messages where request_id = 'late'")).rowCount, 0)
  }
})

async function waitForLock(): Promise<void> {
  const text = "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()"
  while ((await service.pool.query(text)).rowCount === 0);
}

test('events go to public addresses alone', async () => {
  const events = { url: 'https://10.0.0.1', client_id: 'x', client_secret: 'x' }
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ customer_id: 'lessee', label: 'inside', events })
  const { status, text: problem } = await service.ask('/api/pact-clients', { method: 'POST', headers, body })
  assert.equal(status, 400)
  assert.match(problem, /"\/events\/url"/)
})
