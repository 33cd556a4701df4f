// What browsers and caches are told with every answer, whatever was asked, by whom, and however it ended.
import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import { EXAMPLE_ORDER } from '../src/http/schemas/examples.ts'
import { exchange, type Answer, type Sent } from './raw-http.ts'
import type { AskedService } from './asked-service.ts'
import { sharedService } from './shared-service.ts'

let service: AskedService
before(async () => void (service = await sharedService()))
after(() => service.stop())

const ask = (path: string, sent: Sent = {}): Promise<Answer> => exchange(service.server.url, path, sent)

const CATALOGUE = [
  '/api/device-model-emissions',
  '/api/device-model-emissions/apple-macbook-air-13-m3-256gb',
  '/api/device-model-emissions?q=macbook&limit=3&include=evidence',
  '/api/transportations',
  '/api/packagings',
]
const pathOf = (url: string): string => url.replace(/\?.*/, '')
const isOfCatalogue = (path: string): boolean =>
  CATALOGUE.some((one) => pathOf(one) === path) || path === '/api/device-model-emissions/x'

test('every operation, asked in every way, answers with nosniff, no-referrer, and what caches may do', async () => {
  await service.post(EXAMPLE_ORDER)
  const statuses = new Set<number>()
  for (const [template, operations] of Object.entries(service.document.paths)) {
    const path = template.replaceAll(/\{\w+\}/g, 'x')
    const json = { 'content-type': 'application/json' }
    const key = { 'x-api-key': service.key }
    const asked: readonly Sent[] = [
      ...Object.keys(operations).flatMap((name): readonly Sent[] => {
        const method = name.toUpperCase()
        const body = method === 'POST' || method === 'PUT' ? { body: '{}' } : {}
        return [
          { method },
          { method, headers: { ...key, ...json }, ...body },
          { method, headers: { ...key, accept: 'text/x' } },
        ]
      }),
      { method: 'PATCH', headers: key },
      { method: 'HEAD', headers: key },
      { method: 'POST', headers: { ...key, ...json }, body: '{"' },
      { headers: { ...key, 'x-long': 'a'.repeat(20_000) } },
      { headers: { ...key, expect: 'tea' } },
    ]
    const answers = await Promise.all(asked.map(async (sent) => ({ sent, ...(await ask(path, sent)) })))
    for (const { sent, status, headers } of answers) {
      const shown = `${sent.method ?? 'GET'} ${path}: ${status}`
      statuses.add(status)
      assert.equal(headers['x-content-type-options'], 'nosniff', shown)
      assert.equal(headers['referrer-policy'], 'no-referrer', shown)
      const kept = status === 200 && isOfCatalogue(path) ? 'private, no-cache' : 'no-store'
      assert.equal(headers['cache-control'], kept, shown)
    }
  }
  for (const status of [200, 400, 401, 404, 405, 406, 415, 417, 431]) assert.ok(statuses.has(status), String(status))
})

test('paths that are no operation answer so, too', async () => {
  for (const path of ['/nothing', '/api/nothing', '/%', '/console/session', '/console/session/back']) {
    for (const method of ['GET', 'POST', 'DELETE']) {
      const { headers } = await ask(path, { method })
      assert.equal(headers['x-content-type-options'], 'nosniff', path)
      assert.equal(headers['referrer-policy'], 'no-referrer', path)
      assert.equal(headers['cache-control'], 'no-store', path)
    }
  }
})

test('who has what a release alone decides is told 304, as long as the key is valid', async () => {
  for (const path of CATALOGUE) {
    const headers = { 'x-api-key': service.key }
    const first = await ask(path, { headers })
    const etag = String(first.headers.etag)
    for (const named of [etag, `"other", ${etag}`, etag.slice(2), '*']) {
      for (const method of ['GET', 'HEAD']) {
        const again = await ask(path, { method, headers: { ...headers, 'if-none-match': named } })
        assert.deepEqual([again.status, again.text, again.headers.etag], [304, '', etag], `${path} ${named}`)
      }
    }
    const other = await ask(path, { headers: { ...headers, 'if-none-match': '"other"' } })
    assert.deepEqual([other.status, other.text], [200, first.text])
    const wrong = { 'x-api-key': 'cradle_wrong', 'if-none-match': etag }
    assert.equal((await ask(path, { headers: wrong })).status, 401)
  }
})

test('the document and its page are sent compressed to whoever takes that, once to whoever keeps them', async () => {
  const page = await ask('/docs')
  const loaded = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, url]) => url!)
  for (const path of ['/openapi.json', '/docs', '/docs/', '/docs/json', ...loaded]) {
    const plain = await ask(path)
    assert.equal(plain.headers['content-encoding'], undefined, path)
    const { headers } = await ask(path, { headers: { 'accept-encoding': 'gzip' } })
    assert.deepEqual([headers['content-encoding'], headers.vary], ['gzip', 'Accept-Encoding'], path)
    const compressed = await fetch(`${service.server.url}${path}`, { headers: { 'accept-encoding': 'gzip' } })
    assert.equal(Buffer.from(await compressed.arrayBuffer()).toString('utf8'), plain.text)
    assert.deepEqual([headers['x-content-type-options'], headers['referrer-policy']], ['nosniff', 'no-referrer'], path)
    assert.equal(headers['cache-control'], 'no-cache')
    const again = await ask(path, { headers: { 'if-none-match': String(headers.etag) } })
    assert.deepEqual([again.status, again.text], [304, ''], path)
  }
  const policy = String(page.headers['content-security-policy'])
  for (const rule of ["object-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"])
    assert.ok(policy.includes(rule))
})
