// The metrics: true to what was asked, with labels that nobody outside can make more of.
import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { EXAMPLE_ORDER } from '../src/http/schemas/examples.ts'
import { POOL_LIMITS } from '../src/postgres/pool.ts'
import { cradle, freshDirectory, serve } from './command.ts'
import { closeConnections, exchange } from './raw-http.ts'
import { startMeasured, startService, type MeasuredService, type Service } from './service.ts'

let service: Service
let measured: MeasuredService
before(async () => {
  service = await startService()
  measured = await startMeasured(service, false)
})
after(async () => {
  await measured.stop()
  await service.stop()
})

const ask = (path: string, key = service.key) => exchange(measured.url, path, { headers: { 'x-api-key': key } })
const post = (order: object) =>
  exchange(measured.url, '/api/customer-orders', {
    method: 'POST',
    headers: { 'x-api-key': service.key, 'content-type': 'application/json' },
    body: JSON.stringify(order),
  })
const requests = (operation: string, status: number) =>
  measured.valueOf(`cradle_request_duration_seconds_count{operation="${operation}",status="${status}"}`)

test('requests are counted by operation and status, failures by code, orders by the trips they shared', async () => {
  assert.deepEqual([(await post(EXAMPLE_ORDER)).status, (await post({})).status], [200, 400])
  for (let at = 0; at < 3; at += 1) await ask('/api/packagings')
  await ask('/api/packagings', 'no key')
  assert.deepEqual([await requests('createOrder', 200), await requests('createOrder', 400)], [1, 1])
  assert.deepEqual([await requests('listPackagings', 200), await requests('listPackagings', 401)], [3, 1])
  for (const [code, count] of Object.entries({ invalid_request: 1, unauthorized: 1, internal: 0 }))
    assert.equal(await measured.valueOf(`cradle_errors_total{code="${code}"}`), count)
  assert.equal(await measured.valueOf('cradle_db_batch_size_sum{queue="insert-orders"}'), 1)
  const seconds = await measured.valueOf('cradle_db_batch_duration_seconds_sum{queue="insert-orders"}')
  assert.ok(seconds! > 0 && seconds! < 10)
})

test('the pool, the queues, the event loop and the release are told as they are', async () => {
  const { referenceData } = service.server
  const text = await measured.text()
  assert.match(
    text,
    new RegExp(`^cradle_build_info\\{version="[^"]+",dataset_release="${referenceData.release}"\\} 1$`, 'm'),
  )
  assert.equal(await measured.valueOf('cradle_db_pool_connections'), service.pool.totalCount)
  assert.equal(await measured.valueOf('cradle_db_queue_bytes'), 0)
  assert.ok((await measured.valueOf('nodejs_eventloop_lag_p99_seconds'))! >= 0)
  const busy = await Promise.all(Array.from({ length: POOL_LIMITS.connectionsMax }, () => service.pool.connect()))
  const waiting = service.pool.connect()
  try {
    // Work in the background may wait, too.
    assert.ok((await measured.valueOf('cradle_db_pool_pending_acquires'))! >= 1)
    assert.equal(await measured.valueOf('cradle_db_pool_idle_connections'), 0)
  } finally {
    for (const connection of busy) connection.release()
    ;(await waiting).release()
  }
  assert.equal(await measured.valueOf('cradle_db_pool_pending_acquires'), 0)
})

test('no path, id, key or name becomes a label, and what is no operation is counted as one', async () => {
  const marks = ['marked-serial', 'marked-model', 'marked-query', 'marked-path', 'marked-order']
  await ask('/api/device-emissions/marked-serial')
  await ask('/api/device-model-emissions/marked-model')
  await ask('/api/packagings?marked-query=1')
  for (let at = 0; at < 20; at += 1) await ask(`/marked-path/${at}`)
  await exchange(measured.url, '/marked-path', { method: 'PROPFIND' })
  await post({ ...EXAMPLE_ORDER, customer_id: 'marked-order', order_id: 'marked-order' })
  const text = await measured.text()
  for (const mark of [...marks, service.key.slice(12, 30), 'account']) assert.equal(text.includes(mark), false, mark)
  assert.equal(await requests('other', 404), 21)
})

test('accounts are counted where that is asked for: fifty by number, the rest together', async () => {
  const counting = await startMeasured(service, true)
  for (let at = 0; at < 55; at += 1) {
    const key = await service.createKey(['catalogue:read'], null, `account-${at}`)
    for (let sent = 0; sent < 2; sent += 1) {
      const answer = await exchange(counting.url, '/api/packagings', { headers: { 'x-api-key': key } })
      assert.equal(answer.status, 200)
    }
  }
  const lines = (await counting.text()).split('\n').filter((line) => line.startsWith('cradle_account_requests_total{'))
  assert.equal(lines.length, 51)
  assert.ok(lines.includes('cradle_account_requests_total{account="other"} 10'))
  assert.equal(lines.filter((line) => /\{account="\d+"\} 2$/.test(line)).length, 50)
  await counting.stop()
})

test('the metrics have a port of their own: nothing else is there, and they are nowhere else', async () => {
  assert.equal((await exchange(measured.url, '/metrics')).status, 404)
  assert.equal((await exchange(measured.address, '/api/packagings')).status, 404)
  assert.equal((await exchange(measured.address, '/metrics', { method: 'POST' })).status, 405)
  const { status, headers } = await exchange(measured.address, '/metrics')
  assert.equal(status, 200)
  assert.equal(headers['content-type'], 'text/plain; version=0.0.4; charset=utf-8')
})

test('the program serves them where CRADLE_METRICS_PORT says, and refuses what makes no sense', async (context) => {
  const root = freshDirectory()
  const environment = { CRADLE_DATA_DIR: join(root, 'data'), CRADLE_METRICS_PORT: '0' }
  const serving = await serve(environment)
  context.after(() => serving.end('SIGKILL'))
  const address = /^Metrics: (http:\/\/127\.0\.0\.1:\d+)\/metrics$/m.exec(serving.printed)![1]!
  assert.match((await exchange(address, '/metrics')).text, /^cradle_db_pool_connections \d+$/m)
  assert.notEqual(new URL(address).port, new URL(serving.address).port)
  closeConnections()
  assert.equal(await serving.end('SIGTERM'), 'stopped')
  for (const [variable, value, sentence] of [
    ['CRADLE_METRICS_PORT', 'x', /CRADLE_METRICS_PORT must be a port/],
    ['CRADLE_METRICS_BY_ACCOUNT', 'yes', /CRADLE_METRICS_BY_ACCOUNT must be on or off/],
    ['CRADLE_KEY_REQUESTS_PER_SECOND', '-1', /CRADLE_KEY_REQUESTS_PER_SECOND must be a whole number/],
  ] as const) {
    const { code, stderr } = await cradle(['serve'], { ...environment, [variable]: value })
    assert.equal(code, 1)
    assert.match(stderr, sentence)
  }
  rmSync(root, { recursive: true, force: true })
})
