// More orders than the database takes: some are refused before anything of them is done, and none is lost.
import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import type { Json } from './document-check.ts'
import { exchange, type Answer } from './raw-http.ts'
import { countRows, startService, type Service } from './service.ts'
import { ORDERS, order } from './order-client.ts'

/** More than leaves with two trips, and with the next two: some 150 kB each, where a trip takes 1.5 MB. */
const ORDERS_SENT = 50
const DEVICES = 100

let service: Service
before(async () => {
  service = await startService()
})
after(() => service.stop())

const post = (number: number): Promise<Answer> => {
  const serials = Array.from({ length: DEVICES }, (_, at) => `flood-${number}-${at}`)
  return service.post(order('flood', `order-${number}`, serials))
}

/** Waits until a request is answered with a status; each is answered, or fails, by itself. */
async function until(status: number, ask: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    const answer = await ask()
    if (answer.status === status) return answer
  }
}

test('what the database cannot take is told to come again; what is admitted is stored, once', async () => {
  const ask = () => service.ask('/api/packagings')
  await post(0)
  const locker = await service.pool.connect()
  await locker.query('begin; lock table orders')
  const sent = Array.from({ length: ORDERS_SENT }, (_, at) => post(at + 1))
  // Also of those who would only read: their key is looked up, and their answer is work.
  const refused = await until(503, ask)
  assert.equal(refused.headers['retry-after'], '1')
  assert.equal((JSON.parse(refused.text) as Json)['code'], 'unavailable')
  const late = await post(ORDERS_SENT + 1)
  assert.equal(late.status, 503)
  for (const path of ['/livez', '/readyz', '/openapi.json']) {
    assert.equal((await exchange(service.server.url, path)).status, 200, path)
  }
  await locker.query('commit')
  locker.release()

  const answers = await Promise.all(sent)
  const admitted = answers.filter(({ status }) => status === 200).length
  assert.equal(admitted + answers.filter(({ status }) => status === 503).length, ORDERS_SENT)
  assert.equal((await countRows(service.pool)).orders, BigInt(admitted + 1))

  await until(200, ask)
  const again = await service.ask(`${ORDERS}/flood/order-${ORDERS_SENT + 1}`)
  assert.equal(again.status, 404)
  assert.equal((await post(ORDERS_SENT + 1)).status, 200)
})
