// HTTP as it should be: methods, media types, sizes, and the headers that every answer bears.
import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import { EXAMPLE_ORDER } from '../src/http/schemas/examples.ts'
import type { Json } from './document-check.ts'
import { exchange } from './raw-http.ts'
import { keepLog } from './captured-log.ts'
import { countRows, startService, type Service } from './service.ts'

const ORDERS = '/api/customer-orders'
/** Lists that also take files of an account's own figures. */
const TAKES_FILES: ReadonlySet<string> = new Set(['/api/transportations', '/api/packagings'])
const READS = [
  '/api/device-emissions/x',
  '/api/device-model-emissions/apple-macbook-air-13-m3-256gb',
  '/api/device-model-emissions',
  '/api/transportations',
  '/api/packagings',
]

let service: Service
before(async () => void (service = await startService()))
after(() => service.stop())

test('every GET answers HEAD with the same headers and no body', async () => {
  for (const path of READS) {
    const got = await service.ask(path)
    const head = await service.ask(path, { method: 'HEAD' })
    assert.equal(head.status, 200, path)
    for (const name of ['content-type', 'content-length', 'dataset-release']) {
      assert.equal(head.headers[name], got.headers[name], `${name} of ${path}`)
    }
  }
})

test('a method that a path does not have is 405, and Allow names those it has', async () => {
  const paths: readonly (readonly [string, readonly string[]])[] = [
    ...READS.map((path) => [path, TAKES_FILES.has(path) ? ['GET', 'HEAD', 'POST'] : ['GET', 'HEAD']] as const),
    [`${ORDERS}/x/y`, ['GET', 'HEAD', 'PUT']],
    [`${ORDERS}/x/y/events`, ['POST']],
    ['/api/devices/x/events', ['POST']],
    [ORDERS, ['GET', 'HEAD', 'POST']],
  ]
  for (const [path, allowed] of paths) {
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD']) {
      if (allowed.includes(method)) continue
      const { status, headers } = await service.ask(path, { method })
      assert.equal(status, 405, `${method} ${path}`)
      assert.deepEqual(String(headers.allow).split(', ').sort(), allowed)
    }
  }
})

test('a client that rules JSON out is told so, and one that takes it among others is served', async () => {
  for (const accept of ['text/html', 'image/*', 'application/json;q=0', 'application/xml, text/plain']) {
    assert.equal((await service.ask('/api/packagings', { headers: { accept } })).status, 406, accept)
  }
  for (const accept of ['application/json', '*/*', 'application/*', 'text/html, */*;q=0.1', 'APPLICATION/JSON', '']) {
    assert.equal((await service.ask('/api/packagings', { headers: { accept } })).status, 200, accept)
  }
})

test('a body that is not JSON by its header is 415; one over 1 MiB is 413; nothing of either is stored', async () => {
  const body = JSON.stringify(EXAMPLE_ORDER)
  const before = await countRows(service.pool)
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/json; charset=latin1']) {
    const sent = { method: 'POST', headers: { 'content-type': type }, body }
    assert.equal((await service.ask(ORDERS, sent)).status, 415, type)
  }
  const headers = { 'content-type': 'application/json', 'content-encoding': 'br' }
  assert.equal((await service.ask(ORDERS, { method: 'POST', headers, body })).status, 415)
  assert.equal((await service.post(body.padEnd(1024 * 1024 + 1))).status, 413)
  assert.deepEqual(await countRows(service.pool), before)
  assert.equal((await service.post(body.padEnd(1024 * 1024))).status, 200)
})

test('every answer bears a request id of its own', async () => {
  const answers = await Promise.all([
    ...READS.map((path) => service.ask(path)),
    service.ask('/nothing'),
    service.ask(ORDERS),
    service.post({}),
    exchange(service.server.url, '/openapi.json'),
    exchange(service.server.url, '/docs'),
  ])
  const ids = answers.map(({ headers }) => headers['x-request-id'])
  assert.ok(ids.every((id) => typeof id === 'string'))
  assert.equal(new Set(ids).size, answers.length)
})

test('where requests are logged, each is by operation and status, without what its client sent', async () => {
  for (const level of ['info', 'warn'] as const) {
    const { logger, lines } = keepLog(level)
    const logging = await startService({ beside: service, logger })
    const { app } = logging.server
    const atStart = lines.length
    const headers = { 'x-api-key': service.key }
    const found = await app.inject({ url: '/api/packagings', headers })
    const refused = await app.inject({ url: '/api/device-emissions/marked-serial?marked-query=1', headers })
    const unknown = await app.inject({ url: '/marked-path', headers: { 'x-api-key': 'marked-key' } })
    await logging.stop()
    const logged = lines.slice(atStart).map(({ request_id, operation, status }) => [request_id, operation, status])
    const answered = [
      [found.headers['x-request-id'], 'listPackagings', 200],
      [refused.headers['x-request-id'], 'getDeviceEmissions', 400],
      [unknown.headers['x-request-id'], 'other', 404],
    ]
    assert.deepEqual(logged, level === 'info' ? answered : [])
    assert.doesNotMatch(JSON.stringify(lines), /marked/)
    assert.equal(JSON.stringify(lines).includes(service.key), false)
  }
})

test('every answer with an estimate names the release of its figures', async () => {
  const { release } = service.server.referenceData
  for (const path of READS) assert.equal((await service.ask(path)).headers['dataset-release'], release, path)
  const created = await service.post({ ...EXAMPLE_ORDER, order_id: 'release' })
  assert.equal(created.headers['dataset-release'], release)
})

test('members that nobody knows are ignored and named, so that a misspelling is seen', async () => {
  const [product] = EXAMPLE_ORDER.items ?? []
  const config = { ...product?.config, wieght_kg: 3, 'a/b~é': 1 }
  const order = {
    ...EXAMPLE_ORDER,
    order_id: 'ignored',
    Country: 'DE',
    items: [{ type: 'product', config, note: 'x' }],
  }
  const { status, headers, text } = await service.post(order)
  assert.equal(status, 200)
  assert.equal(
    headers['x-ignored-members'],
    '/Country, /items/0/note, /items/0/config/wieght_kg, /items/0/config/a~1b~0%C3%A9',
  )
  assert.doesNotMatch(text, /Country|note|wieght/)
  const known = await service.post({ ...EXAMPLE_ORDER, order_id: 'known' })
  assert.equal('x-ignored-members' in known.headers, false)
})

test('items under another name are refused, since they would be stored as an order of nothing', async () => {
  const { items, ...empty } = { ...EXAMPLE_ORDER, order_id: 'misnamed' }
  for (const name of ['item', 'Positionen']) {
    const { status, text } = await service.post({ ...empty, order_date: '1889-01-01', [name]: items })
    assert.equal(status, 400)
    const { details } = JSON.parse(text) as { readonly details: readonly Json[] }
    assert.deepEqual(details[0], {
      path: '/items',
      message: `Is missing (a member "${name}" was sent instead)`,
      code: 'required_misnamed',
      params: { name },
    })
    assert.equal(details[1]?.['path'], '/order_date')
  }
  const { status, text } = await service.post({ ...empty, payments: [{ type: 'card' }, { type: { toString: 1 } }] })
  assert.deepEqual([status, (JSON.parse(text) as Json)['total_emission']], [200, 0])
})

test('what HTTP itself refuses is told in the same form, with a request id', async () => {
  for (const path of ['/%', '/%zz', '/api/device-emissions/%ff', '/api/device-emissions/%c0%af', '/nothing/at/all']) {
    const { status, headers, text } = await exchange(service.server.url, path, {
      headers: { 'x-api-key': service.key },
    })
    assert.ok(status === 400 || status === 404, `${path}: ${status}`)
    const { error, code, request_id } = JSON.parse(text) as Json
    assert.equal(typeof request_id, 'string', `${path} ${text}`)
    assert.deepEqual(
      [typeof error, typeof code, request_id],
      ['string', 'string', headers['x-request-id']],
      `${path} ${text}`,
    )
  }
  const large = await exchange(service.server.url, '/api/packagings', { headers: { 'x-api-key': 'a'.repeat(40_000) } })
  assert.equal(large.status, 431)
  assert.equal((JSON.parse(large.text) as Json)['code'], 'headers_too_large')
})
