// When the TypeScript client sends a request again, how long it waits, and that nothing is stored twice by it.
import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { once } from 'node:events'
import { after, before, test } from 'node:test'
import {
  ConnectionError,
  CradleError,
  RateLimitError,
  TimeoutError,
  UnavailableError,
  createClient,
  type Client,
  type OrderItem,
  type RequestOptions,
} from '../../clients/typescript/src/client.ts'
import { OPERATIONS } from '../../clients/typescript/src/generated/operations.ts'
import { EXAMPLE_ORDER } from '../../src/http/schemas/examples.ts'
import type { AskedService } from '../asked-service.ts'
import { sharedService } from '../shared-service.ts'
import { startCuttingProxy } from './cutting-proxy.ts'

type Respond = (request: IncomingMessage, response: ServerResponse) => void

/** A server that answers as each test says, and keeps what it was sent. */
let respond: Respond
const sent: IncomingMessage[] = []
const server = createServer((request, response) => {
  sent.push(request)
  respond(request, response)
})
let client: Client
let service: AskedService
before(async () => {
  service = await sharedService()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  client = createClient({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, key: 'a-key' })
})
after(async () => {
  server.closeAllConnections()
  server.close()
  await service.stop()
})

const answerWith =
  (status: number, headers: Readonly<Record<string, string>> = {}, body: unknown = {}): Respond =>
  (request, response) => {
    request.resume()
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
  }

async function failure(promise: PromiseLike<unknown>): Promise<CradleError> {
  try {
    await promise
  } catch (error) {
    assert.ok(error instanceof CradleError, String(error))
    return error
  }
  return assert.fail('It was answered')
}

type Method = (input: unknown, options?: RequestOptions) => PromiseLike<unknown>
const methods = () => client as unknown as Readonly<Record<string, Method>>
const INPUT = new Proxy({}, { get: () => '1', ownKeys: () => [] })
const order = EXAMPLE_ORDER

/** What does something more each time: another import, key, closing, preview, secret or delivery, or an erasure. */
const ONCE = [
  'closePeriods',
  'createImport',
  'createKey',
  'createPactClient',
  'createRestatement',
  'createWebhook',
  'loadDemoFleet',
  'pseudonymiseCustomer',
  'replayWebhookDelivery',
  'rotateWebhookSecret',
  'testWebhook',
]

test('what is stored once is sent three times while nobody can answer, anything else only once', async () => {
  respond = answerWith(503, { 'retry-after': '0' }, { code: 'unavailable', error: 'Not now' })
  for (const name of Object.keys(OPERATIONS)) {
    sent.length = 0
    const error = await failure(methods()[name]!(INPUT))
    const attempts = ONCE.includes(name) ? 1 : 3
    assert.ok(error instanceof UnavailableError, `${name}: ${error.stack} ${String(error.cause)}`)
    assert.deepEqual([name, sent.length, error.attempts, error.retryable], [name, attempts, attempts, attempts > 1])
  }
})

test('408, 502, 504 and a broken connection are met by further attempts', async () => {
  const breaks: readonly Respond[] = [
    ...[408, 502, 504].map((status) => answerWith(status, { 'retry-after': '0' })),
    (request) => request.socket.destroy(),
  ]
  for (const fail of breaks) {
    sent.length = 0
    respond = (request, response) =>
      (sent.length < 2 ? fail : answerWith(200, {}, { status: 'created' }))(request, response)
    const { data, attempts } = await client.createOrder({ body: order }).withResponse()
    assert.deepEqual([data.status, attempts, sent.length], ['created', 2, 2])
  }
})

test('other errors are told at once', async () => {
  for (const status of [400, 401, 403, 404, 409, 412, 413, 500]) {
    sent.length = 0
    respond = answerWith(status, { 'retry-after': '0' }, { code: 'some_code', error: 'Wrong', request_id: 'r-1' })
    const { code, requestId, retryable, message } = await failure(client.createOrder({ body: order }))
    assert.deepEqual([sent.length, code, requestId, retryable, message], [1, 'some_code', 'r-1', false, 'Wrong'])
  }
})

test('429 is met by further attempts of any request, since nothing was stored; a wrong key stays wrong', async () => {
  respond = answerWith(429, { 'retry-after': '0' }, { code: 'too_many_requests' })
  sent.length = 0
  await failure(client.createKey({ body: { label: 'x', scopes: ['admin'] } }))
  assert.equal(sent.length, 3)
  respond = answerWith(429, { 'retry-after': '0' }, { code: 'too_many_wrong_keys' })
  sent.length = 0
  assert.ok((await failure(client.getAccount())) instanceof RateLimitError)
  assert.equal(sent.length, 1)
})

test('a stream that was read is not sent again', async () => {
  for (const status of [429, 503]) {
    respond = answerWith(status, { 'retry-after': '0' })
    sent.length = 0
    const body = new Blob(['a']).stream()
    const error = await failure(client.importOwnLifetimes({ body }))
    assert.deepEqual([sent.length, error.retryable], [1, false])
  }
})

test('Retry-After is waited for, and one of more than a minute is left to the caller', async () => {
  sent.length = 0
  respond = (...both) => answerWith(sent.length < 2 ? 503 : 200, { 'retry-after': '1' })(...both)
  const start = performance.now()
  await client.getAccount()
  assert.ok(performance.now() - start >= 990)
  sent.length = 0
  respond = answerWith(503, { 'retry-after': '61' })
  const error = await failure(client.getAccount())
  assert.deepEqual([sent.length, error.retryAfterSeconds, error.retryable], [1, 61, true])
  respond = answerWith(503, { 'retry-after': new Date(Date.now() + 7_200_000).toUTCString() })
  assert.ok((await failure(client.getAccount())).retryAfterSeconds! > 7_000)
})

test('each attempt has its own time limit', async () => {
  respond = () => undefined
  sent.length = 0
  const error = await failure(client.getAccount({}, { timeoutMs: 20, retries: 1 }))
  assert.ok(error instanceof TimeoutError && error instanceof ConnectionError)
  assert.deepEqual([sent.length, error.code, error.status], [2, 'timeout', undefined])
})

test('an aborted signal ends a request and a pause with its own reason, and prevents the next', async () => {
  const reason = new Error('no longer wanted')
  for (const one of [() => undefined, answerWith(503, { 'retry-after': '30' })]) {
    const controller = new AbortController()
    respond = (...both) => {
      one(...both)
      setTimeout(() => controller.abort(reason), 20)
    }
    sent.length = 0
    await assert.rejects(Promise.resolve(client.getAccount({}, { signal: controller.signal })), reason)
    await assert.rejects(Promise.resolve(client.getAccount({}, { signal: controller.signal })), reason)
    assert.equal(sent.length, 1)
  }
})

test('an answer that is cut, or no answer of the service, is an error with what is known', async () => {
  respond = (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' }).write('{"a":')
    setImmediate(() => response.destroy())
  }
  assert.equal((await failure(client.getAccount({}, { retries: 0 }))).code, 'connection_failed')
  respond = (_, response) => response.writeHead(418, { 'x-request-id': 'p-1' }).end('<h1>A proxy</h1>')
  const { code, status, requestId, name } = await failure(client.getAccount())
  assert.deepEqual([code, status, requestId, name], ['http_418', 418, 'p-1', 'InvalidRequestError'])
})

test('the key, the entity tag and the version are sent; a redirect is not followed with them', async () => {
  respond = answerWith(200)
  sent.length = 0
  await client.deleteOwnLifetime({ id: 'laptop', if_match: '"1"' }, { headers: { traceparent: '00-1-2-01' } })
  const { headers } = sent[0]!
  assert.deepEqual([headers['x-api-key'], headers['if-match'], headers['traceparent']], ['a-key', '"1"', '00-1-2-01'])
  assert.match(headers['user-agent']!, /^cradle-client-typescript\/\d+\.\d+\.\d+$/)
  respond = (_, response) => response.writeHead(302, { location: '/elsewhere' }).end()
  sent.length = 0
  await failure(client.getAccount({}, { retries: 0 }))
  assert.equal(sent.length, 1)
})

test('an id that no path can have is refused before anything is sent', async () => {
  sent.length = 0
  for (const id of ['', '.', '..', undefined as unknown as string])
    await assert.rejects(Promise.resolve(client.getOwnLifetime({ id })), TypeError)
  await assert.rejects(Promise.resolve(client.createOrder({} as never)), TypeError)
  assert.equal(sent.length, 0)
})

test('behind a proxy that cuts every third connection, every order and event is stored, and none twice', async () => {
  const ORDERS = 30
  const proxy = await startCuttingProxy(new URL(service.server.url))
  const key = await service.createKey(undefined, null, 'cut connections')
  // A connection for each request. At the same time, so one may be cut several times in a row.
  const cutOff = createClient({ url: proxy.url, key, headers: { connection: 'close' }, retries: 10 })
  const storeOne = async (no: number): Promise<number> => {
    const [product, ...rest] = order.items!
    const serial_number = `CUT-${no}`
    const items = [{ ...product, config: { ...product!.config, serial_number } }, ...rest] as OrderItem[]
    const order_id = `cut-${no}`
    const stored = await cutOff.createOrder({ body: { ...order, order_id, items } }).withResponse()
    const body = { event_id: `back-${no}`, type: 'returned', date: '2025-02-16' } as const
    const event = await cutOff.createOrderEvent({ customer_id: order.customer_id, order_id, body }).withResponse()
    return stored.attempts + event.attempts
  }
  const attempts = (await Promise.all(Array.from({ length: ORDERS }, (_, no) => storeOne(no)))).reduce((a, b) => a + b)
  const direct = createClient({ url: service.server.url, key })
  const orders = await direct.listOrders({ limit: 7 }).toArray({ limit: 1_000 })
  assert.deepEqual(
    orders.map(({ status }) => status),
    Array(ORDERS).fill('returned'),
  )
  const devices = await direct.listDevices().toArray({ limit: 1_000 })
  assert.deepEqual(
    devices.map(({ number_of_orders }) => number_of_orders),
    Array(ORDERS).fill(1),
  )
  const { events } = await direct.getOrder({ customer_id: order.customer_id, order_id: 'cut-0', include: 'events' })
  assert.equal(events!.length, 1)
  assert.ok(proxy.cut() >= 20 && attempts === 2 * ORDERS + proxy.cut(), `${proxy.cut()} of ${attempts} were cut`)
  proxy.stop()
})
