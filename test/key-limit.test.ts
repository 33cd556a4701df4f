// How many requests a key may send: over HTTP, with the headers that say so.
import { after, before, mock, test } from 'node:test'
import assert from 'node:assert/strict'
import { KEY_REQUESTS_PER_SECOND_MAX } from '../src/config.ts'
import { createDocumentCheck, type Json, type OpenApi } from './document-check.ts'
import { exchange } from './raw-http.ts'
import { startService, type Service } from './service.ts'

const LIMIT = 5
const SENT = 40
const PATH = '/api/packagings'

let service: Service
let url = ''
before(async () => {
  service = await startService()
  const limited = await startService({ beside: service, settings: { keyRequestsPerSecondMax: LIMIT } })
  url = limited.server.url
})
after(() => service.stop())

const sendWith = (key: string) => exchange(url, PATH, { headers: { 'x-api-key': key } })

/** The service counts by the seconds of the clock, which stands still here: however slow the machine is, all is one. */
const NOON = Date.parse('2026-01-01T12:00:00.500Z')

test('a key over its limit gets 429 and when to come again; another key of the same account is served', async () => {
  const other = await service.createKey()
  await sendWith(other)
  mock.timers.enable({ apis: ['Date'], now: NOON })
  const answers = await Promise.all(Array.from({ length: SENT }, () => sendWith(service.key)))
  assert.equal((await sendWith(other)).status, 200)
  const served = answers.filter(({ status }) => status === 200)
  const refused = answers.filter(({ status }) => status === 429)
  assert.equal(served.length + refused.length, SENT)
  assert.equal(served.length, LIMIT)
  const check = createDocumentCheck(JSON.parse((await exchange(url, '/openapi.json')).text) as OpenApi)
  for (const answer of refused) {
    check.answer('GET', PATH, answer)
    assert.equal((JSON.parse(answer.text) as Json)['code'], 'too_many_requests')
    assert.equal(answer.headers['retry-after'], '1')
    assert.equal(answer.headers['ratelimit'], '"key";r=0;t=1')
    assert.equal(answer.headers['ratelimit-policy'], `"key";q=${LIMIT};w=1`)
  }
  mock.timers.setTime(NOON + 1_000)
  assert.equal((await sendWith(service.key)).status, 200)
  mock.timers.reset()
})

test('what bears no valid key is not counted, and an order over the limit is not stored', async () => {
  const invalid = await Promise.all(Array.from({ length: SENT }, () => exchange(url, PATH)))
  for (const { status, headers } of invalid) {
    assert.equal(status, 401)
    assert.equal(headers['ratelimit'], undefined)
  }
  const post = (order_id: string) =>
    exchange(url, '/api/customer-orders', {
      method: 'POST',
      headers: { 'x-api-key': service.key, 'content-type': 'application/json' },
      body: JSON.stringify({
        customer_id: 'limited',
        order_id,
        order_date: '2026-01-01',
        tenure_start_date: '2026-01-01',
        items: [],
      }),
    })
  mock.timers.enable({ apis: ['Date'], now: NOON })
  const answers = await Promise.all(Array.from({ length: SENT }, (_, at) => post(`order-${at}`)))
  mock.timers.reset()
  const created = answers.filter(({ status }) => status === 200).length
  const { rows } = await service.pool.query<{ count: bigint }>(
    `select count(*) from orders where customer_id = 'limited'`,
  )
  assert.equal(Number(rows[0]!.count), created)
  assert.equal(created, LIMIT)
})

test('0 is no limit, and nothing is said of one', async () => {
  const unlimited = await startService({ beside: service, settings: { keyRequestsPerSecondMax: 0 } })
  const { app } = unlimited.server
  const { statusCode, headers } = await app.inject({ url: PATH, headers: { 'x-api-key': service.key } })
  assert.deepEqual([statusCode, headers['ratelimit'], headers['ratelimit-policy']], [200, undefined, undefined])
  await unlimited.stop()
})

test('by default the limit is far above what is usual, and told in every answer to a key', async () => {
  const { headers } = await service.ask(PATH)
  assert.equal(headers['ratelimit-policy'], `"key";q=${KEY_REQUESTS_PER_SECOND_MAX};w=1`)
  assert.match(String(headers['ratelimit']), /^"key";r=\d+;t=1$/)
})
