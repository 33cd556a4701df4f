// What clients and browsers may expect of HTTP: cross-origin pages, compression, entity tags, request ids, wrong paths.
import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import { request } from 'node:http'
import { readConfig } from '../src/config.ts'
import { EXAMPLE_ORDER } from '../src/http/schemas/examples.ts'
import { keepLog } from './captured-log.ts'
import type { Json } from './document-check.ts'
import { exchange, type Sent } from './raw-http.ts'
import { startService, type Service } from './service.ts'

const SHOP = 'https://shop.example'
const MODELS = '/api/device-model-emissions'

let service: Service
before(async () => void (service = await startService({ settings: { corsOrigins: [SHOP] } })))
after(() => service.stop())

const ask = (path: string, sent: Sent = {}) =>
  exchange(service.server.url, path, { ...sent, headers: { 'x-api-key': service.key, ...sent.headers } })

const postJson = (
  body: Buffer | string,
  headers: Readonly<Record<string, string>> = {},
  path = '/api/customer-orders',
) => ask(path, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body })

/** The bytes of an answer, which are compressed or not. */
function bytesOf(path: string, encodings: string | null, method = 'GET', body = '') {
  const { hostname, port } = new URL(service.server.url)
  const headers = {
    'x-api-key': service.key,
    ...(encodings !== null && { 'accept-encoding': encodings }),
    ...(body !== '' && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
  }
  return new Promise<{ encoding: string; vary: string; length: number; bytes: Buffer }>((resolve, reject) => {
    const asked = request({ hostname, port, path, method, headers }, (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('end', () => {
        const { 'content-encoding': encoding = 'identity', vary = '' } = response.headers
        const length = Number(response.headers['content-length'])
        resolve({ encoding, vary, length, bytes: Buffer.concat(parts) })
      })
    })
    asked.on('error', reject).end(body === '' ? undefined : body)
  })
}

const unpack = ({ encoding, bytes }: { readonly encoding: string; readonly bytes: Buffer }): string => {
  if (encoding === 'br') return brotliDecompressSync(bytes).toString()
  return (encoding === 'gzip' ? gunzipSync(bytes) : bytes).toString()
}

test('a page of a listed origin may call the API with a key of its own, and never with a cookie', async () => {
  const catalogueKey = await service.createKey(['catalogue:read'])
  const asked = { method: 'GET', 'access-control-request-headers': 'x-api-key', origin: SHOP }
  const preflight = await exchange(service.server.url, `${MODELS}?type=laptop`, {
    method: 'OPTIONS',
    headers: { ...asked, 'access-control-request-method': 'GET' },
  })
  assert.equal(preflight.status, 204)
  assert.equal(preflight.headers['access-control-allow-origin'], SHOP)
  assert.match(String(preflight.headers['access-control-allow-headers']), /X-API-Key.*If-None-Match/)
  assert.match(String(preflight.headers['access-control-allow-methods']), /GET.*POST.*PUT.*PATCH.*DELETE/)
  assert.ok(Number(preflight.headers['access-control-max-age']) >= 600)
  assert.equal(preflight.headers['access-control-allow-credentials'], undefined)
  const path = `${MODELS}?limit=3`
  const answer = await ask(path, { headers: { 'x-api-key': catalogueKey, origin: SHOP } })
  assert.equal(answer.status, 200)
  assert.equal(answer.headers['access-control-allow-origin'], SHOP)
  assert.equal(answer.headers['access-control-allow-credentials'], undefined)
  for (const name of ['X-Request-Id', 'ETag', 'Retry-After', 'Link'])
    assert.ok(String(answer.headers['access-control-expose-headers']).split(', ').includes(name), name)
  assert.match(String(answer.headers.vary), /^Origin/)
  // The page can read why its request was refused.
  for (const [sent, status] of [
    [{ headers: { 'x-api-key': 'wrong' } }, 401],
    [{ headers: { 'x-api-key': catalogueKey }, method: 'PATCH' }, 405],
  ] as const) {
    const refused = await ask(path, { ...sent, headers: { ...sent.headers, origin: SHOP } })
    assert.deepEqual([refused.status, refused.headers['access-control-allow-origin']], [status, SHOP])
  }
  const orders = await ask('/api/customer-orders', { headers: { 'x-api-key': catalogueKey, origin: SHOP } })
  assert.deepEqual([orders.status, orders.headers['access-control-allow-origin']], [403, SHOP])
})

test('pages of other origins are told nothing, and by default there are no others', async () => {
  for (const origin of ['https://other.example', 'null', 'http://shop.example', `${SHOP}.evil.example`]) {
    const headers = { origin, 'access-control-request-method': 'GET' }
    const preflight = await exchange(service.server.url, MODELS, { method: 'OPTIONS', headers })
    assert.deepEqual([preflight.status, preflight.headers['access-control-allow-origin']], [405, undefined])
    const answer = await ask(`${MODELS}?limit=1`, { headers: { origin } })
    // A cache must not give this answer to a page of the shop.
    assert.match(String(answer.headers.vary), /^Origin/)
    assert.equal(answer.headers['access-control-allow-origin'], undefined)
  }
  for (const path of ['/console/session', '/docs', '/livez']) {
    const { headers } = await exchange(service.server.url, path, { headers: { origin: SHOP } })
    assert.equal(headers['access-control-allow-origin'], undefined, path)
  }
  assert.deepEqual(readConfig({}).corsOrigins, [])
  const set = (CRADLE_CORS_ORIGINS: string) => readConfig({ CRADLE_CORS_ORIGINS }).corsOrigins
  assert.deepEqual(set(`${SHOP}, http://localhost:3000`), [SHOP, 'http://localhost:3000'])
  for (const wrong of ['*', 'shop.example', `${SHOP}/`, 'https://Shop.example', 'null', `${SHOP}:443`])
    assert.throws(() => set(wrong), /CRADLE_CORS_ORIGINS must be origins separated by commas/, wrong)
})

test('answers from 1 kB on are compressed for whoever accepts it, and have the same text', async () => {
  const small = `${MODELS}?limit=1`
  for (const path of [`${MODELS}?limit=10`, MODELS, '/api/transportations', '/api/packagings']) {
    const plain = await bytesOf(path, null)
    assert.deepEqual([plain.encoding, plain.vary], ['identity', 'Origin, Accept-Encoding'], path)
    for (const [accepted, encoding] of [
      ['gzip, deflate, br', 'br'],
      ['gzip', 'gzip'],
      ['br;q=0, gzip', 'gzip'],
      ['identity', 'identity'],
      ['zstd', 'identity'],
    ] as const) {
      const answer = await bytesOf(path, accepted)
      assert.deepEqual([answer.encoding, unpack(answer)], [encoding, unpack(plain)], `${path} ${accepted}`)
      assert.equal(answer.length, answer.bytes.length)
      if (encoding !== 'identity') assert.ok(answer.bytes.length < plain.bytes.length / 2)
    }
  }
  assert.equal((await bytesOf(small, 'gzip, br')).encoding, 'identity')
})

test('an order, an error, a secret and a file that is compressed already are not compressed', async () => {
  const created = await bytesOf('/api/customer-orders', 'gzip, br', 'POST', JSON.stringify(EXAMPLE_ORDER))
  assert.deepEqual([created.encoding, created.vary], ['identity', 'Origin'])
  const faults = Array.from({ length: 60 }, () => ({ type: 'product', config: {} }))
  const refused = await bytesOf('/api/estimates', 'gzip', 'POST', JSON.stringify({ ...EXAMPLE_ORDER, items: faults }))
  assert.ok(refused.bytes.length > 1_024 && refused.encoding === 'identity')
  const label = 'a'.repeat(200)
  const key = await bytesOf('/api/keys', 'gzip', 'POST', JSON.stringify({ label, scopes: ['orders:read'] }))
  assert.match(unpack(key), /cradle_/)
  assert.equal(key.encoding, 'identity')
  const workbook = await bytesOf('/api/exports/orders?format=xlsx', 'gzip, br')
  assert.deepEqual([workbook.encoding, workbook.bytes.subarray(0, 2).toString()], ['identity', 'PK'])
})

test('a body in gzip is the same order, and one that grows beyond 1 MiB or is broken is refused', async () => {
  const order = JSON.stringify({ ...EXAMPLE_ORDER, order_id: 'compressed' })
  const gzip = { 'content-encoding': 'gzip' }
  const first = await postJson(gzipSync(order), gzip)
  assert.equal(first.status, 200, first.text)
  const again = await postJson(order)
  assert.deepEqual([again.headers['idempotent-replayed'], again.text], ['true', first.text])
  const bomb = await postJson(gzipSync(Buffer.alloc(900 * 2 ** 20, ' ')), gzip)
  assert.deepEqual([bomb.status, (JSON.parse(bomb.text) as Json)['code']], [413, 'too_large'])
  const codes = await Promise.all(
    [Buffer.from(order), gzipSync(order).subarray(0, 90), gzipSync('{"')].map(async (body) => {
      const { status, text } = await postJson(body, gzip)
      return [status, ((JSON.parse(text) as Json)['details'] as Json[])[0]!['code']]
    }),
  )
  assert.deepEqual(codes.slice(0, 2), [
    [400, 'body_not_gzip'],
    [400, 'body_not_gzip'],
  ])
  assert.equal(codes[2]![0], 400)
  for (const encoding of ['br', 'deflate', 'gzip, gzip', 'zstd']) {
    const { status, text } = await postJson(gzipSync(order), { 'content-encoding': encoding })
    assert.equal(status, 415)
    assert.match(text, new RegExp(`gzip, or without one, not with \\\\"${encoding}\\\\"`))
  }
  const file = await ask('/api/imports', {
    method: 'POST',
    headers: { 'content-type': 'text/csv', ...gzip },
    body: gzipSync('a,b\n'),
  })
  assert.deepEqual([file.status, /without content encoding/.test(file.text)], [415, true])
})

test('who has the current state of an order is told 304, until another order changes its figures', async () => {
  const [one, two] = ['tagged-1', 'tagged-2'].map((order_id, at) => ({
    customer_id: 'tags',
    order_id,
    order_date: '2024-12-12',
    tenure_start_date: at === 0 ? '2025-01-01' : '2024-06-01',
    items: [
      {
        type: 'product',
        config: {
          product_id: 'apple-macbook-air-13-m3-256gb',
          serial_number: 'TAGGED',
          tenure_months: at === 0 ? 36 : 24,
          weight_kg: 1.24,
        },
      },
    ],
  }))
  const path = '/api/customer-orders/tags/tagged-1'
  await service.post(one)
  const first = await service.ask(path)
  const etag = String(first.headers.etag)
  for (const query of ['', '?include=events']) {
    for (const named of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const same = await ask(`${path}${query}`, { headers: { 'if-none-match': named } })
      assert.deepEqual([same.status, same.text, same.headers.etag], [304, '', etag], named)
      assert.equal(same.headers['cache-control'], 'no-store')
    }
  }
  assert.equal((await service.ask(path, { headers: { 'if-none-match': '"1-0"' } })).status, 200)
  // The order itself was not changed, but it holds the device now while another customer does.
  await service.post(two)
  const changed = await service.ask(path, { headers: { 'if-none-match': etag } })
  assert.equal(changed.status, 200)
  assert.notEqual(changed.headers.etag, etag)
  // For a correction, it is still the content that the client has read.
  const corrected = await service.ask(path, {
    method: 'PUT',
    headers: { 'if-match': etag, 'content-type': 'application/json' },
    body: JSON.stringify({ ...one, tenure_start_date: '2025-01-02' }),
  })
  assert.equal(corrected.status, 200, corrected.text)
  const before = await service.ask(`${path}?known_at=2100-01-01T00:00:00Z`, { headers: { 'if-none-match': '*' } })
  assert.deepEqual([before.status, before.headers.etag], [200, undefined])
  assert.equal((await ask('/api/customer-orders/tags/none', { headers: { 'if-none-match': '*' } })).status, 404)
})

test('a well-formed request id of the client is in answer, error and log; any other is replaced', async () => {
  const log = keepLog('info')
  const logged = await startService({ beside: service, logger: log.logger })
  const send = (id: string) =>
    exchange(logged.server.url, '/api/nothing', { headers: { 'x-request-id': id, 'x-api-key': service.key } })
  for (const id of ['a', 'Root=1-67891233-abcdef012345678912345678', 'A_b.c:d', 'x'.repeat(128)]) {
    const { headers, text } = await send(id)
    assert.deepEqual([headers['x-request-id'], (JSON.parse(text) as Json)['request_id']], [id, id])
  }
  for (const id of ['', 'x'.repeat(129), 'two words', 'ä', '<b>', 'a,b', 'a;b', "'--", '${x}']) {
    const { headers, text } = await send(Buffer.from(id).toString('latin1'))
    assert.match(String(headers['x-request-id']), /^[0-9a-f-]{36}$/, id)
    assert.equal((JSON.parse(text) as Json)['request_id'], headers['x-request-id'])
  }
  const unreadable = await exchange(logged.server.url, '/%', { headers: { 'x-request-id': 'mine' } })
  assert.deepEqual([unreadable.status, unreadable.headers['x-request-id']], [400, 'mine'])
  // Rejected before the framework sees it.
  const tea = await exchange(logged.server.url, '/livez', { headers: { 'x-request-id': 'mine', expect: 'tea' } })
  assert.deepEqual([tea.status, tea.headers['x-request-id']], [417, 'mine'])
  assert.ok(log.lines.some((line) => line['request_id'] === 'A_b.c:d'))
  await logged.stop()
})

test('a slash too many or the wrong case is told the right path, a wrong method those that there are', async () => {
  for (const [path, right] of [
    ['/api/device-model-emissions/', MODELS],
    ['/api//customer-orders/?limit=3', '/api/customer-orders'],
    ['/API/Customer-Orders/', '/api/customer-orders'],
    ['/api/customer-orders/C%201/O-1/receipt/', '/api/customer-orders/C%201/O-1/receipt'],
    ['/livez/', '/livez'],
  ] as const) {
    const { status, text } = await exchange(service.server.url, path)
    assert.equal(status, 404, path)
    const { error } = JSON.parse(text) as { readonly error: string }
    assert.ok(error.endsWith(`; the path is ${right}`), error)
  }
  // A slash within the query is none of the path.
  assert.equal((await ask('/api/customer-orders?search=a/')).status, 200)
  const unlike = await exchange(service.server.url, '/api/nothing')
  assert.match(unlike.text, /GET \/openapi.json lists what there is/)
  const { status, headers, text } = await ask('/api/device-emissions/D-1', { method: 'POST' })
  assert.deepEqual([status, headers.allow], [405, 'GET, HEAD'])
  assert.match(text, /This path is for the methods GET, HEAD/)
})

test('words of filters are found whatever their case, and pages go on in the same list', async () => {
  await service.post(EXAMPLE_ORDER)
  const equal = async (path: string, other: string) => {
    const [one, two] = await Promise.all([service.ask(path), service.ask(other)])
    assert.deepEqual([two.status, two.text], [200, one.text], other)
    return two
  }
  await equal(`${MODELS}?type=laptop&brand=apple`, `${MODELS}?type=Laptop&brand=APPLE`)
  await equal('/api/customer-orders?status=created', '/api/customer-orders?status=Created')
  const filters = (path: string) => service.ask(path).then(({ text }) => (JSON.parse(text) as Json)['groups'])
  assert.deepEqual(
    await filters('/api/reports/emissions?group_by=part&type=LAPTOP&part=Use&country=de&quarter=2024-q4'),
    await filters('/api/reports/emissions?group_by=part&type=laptop&part=use&country=DE&quarter=2024-Q4'),
  )
  const { headers } = await equal(
    `${MODELS}?sort=-product_footprint&limit=2`,
    `${MODELS}?sort=-Product_Footprint&limit=2`,
  )
  const next = /<([^>]+)>/.exec(String(headers.link))![1]!
  assert.equal((await service.ask(next)).status, 200)
  const unknown = await service.ask(`${MODELS}?type=Fridge`)
  assert.equal(unknown.status, 400)
})

test('a mistake with a form is told as what it is', async () => {
  const boundary = 'multipart/form-data; boundary=x'
  const part = (head: string, text: string) =>
    `--x\r\nContent-Disposition: form-data; ${head}\r\n\r\n${text}\r\n--x--\r\n`
  const send = (type: string, body: string, path = '/api/imports') =>
    ask(path, { method: 'POST', headers: { 'content-type': type }, body })
  const cases = [
    [
      'multipart/form-data',
      part('name="file"; filename="a.csv"', 'a'),
      400,
      /no boundary in its Content-Type; let the client/,
    ],
    [boundary, part('name="file"', 'orders.csv'), 400, /no file; send one part with a file name, like curl -F file=@/],
    [
      boundary,
      part('name="file"; filename="a.csv"', 'a').replace('--x--', '--x'),
      400,
      /ends before its closing boundary/,
    ],
    [
      boundary,
      part('name="dryrun"', 'true').replace('--x--\r\n', part('name="file"; filename="a.csv"', 'order_id\n1\n')),
      400,
      /"dryrun" is not a parameter here/,
    ],
    [
      'multipart/mixed; boundary=x',
      part('name="file"; filename="a.csv"', 'a'),
      415,
      /A file has one of the types text\/csv,/,
    ],
  ] as const
  for (const [type, body, status, message] of cases) {
    const answer = await send(type, body)
    assert.equal(answer.status, status, answer.text)
    assert.match(answer.text.replaceAll('\\"', '"'), message)
  }
  const order = await send(boundary, part('name="order"', '{}'), '/api/customer-orders')
  assert.deepEqual(
    [order.status, /Nothing is sent here as a form; send the body as JSON/.test(order.text)],
    [415, true],
  )
})
