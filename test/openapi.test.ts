// The OpenAPI document: valid, whole, true to the routes, its examples and its page in need of nothing from outside.
import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { EXAMPLE_ORDER } from '../src/http/schemas/examples.ts'
import { API_ERRORS } from '../src/contract/errors.ts'
import { createDocumentCheck, toStep } from './document-check.ts'
import { exchange } from './raw-http.ts'
import { startService, type Service } from './service.ts'

const ROOT = join(import.meta.dirname, '..')

let service: Service
const directory = mkdtempSync(join(tmpdir(), 'cradle-test-'))
before(async () => void (service = await startService()))
after(async () => {
  rmSync(directory, { recursive: true })
  await service.stop()
})

test('the document is OpenAPI 3.1 without an error or a warning of the recommended rules', async () => {
  const file = join(directory, 'openapi.json')
  writeFileSync(file, JSON.stringify(service.document))
  const redocly = join(ROOT, 'node_modules', '.bin', 'redocly')
  const config = join(import.meta.dirname, 'fixtures', 'redocly.yaml')
  const environment = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', CI: 'true' }
  const { stdout } = await promisify(execFile)(redocly, ['lint', file, '--config', config, '--format', 'json'], {
    env: environment,
    timeout: 45_000,
  }).catch((error: { readonly stdout: string; readonly stderr: string }) => assert.fail(error.stdout + error.stderr))
  const { problems } = JSON.parse(stdout) as { readonly problems: readonly unknown[] }
  assert.deepEqual(problems, [])
  assert.match((service.document as unknown as { readonly openapi: string }).openapi, /^3\.1\.\d$/)
})

test('every route under /api is in the document, and every path of the document is a route', async () => {
  const { app } = service.server
  const documented = Object.entries(service.document.paths)
    .filter(([path]) => path.startsWith('/api/'))
    .flatMap(([path, operations]) => Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`))
  const probes = await Promise.all(
    Object.keys(service.document.paths).map(async (path) => {
      const url = path.replaceAll(/\{\w+\}/g, 'x')
      const { headers } = await app.inject({ method: 'OPTIONS', url, headers: { 'x-api-key': service.key } })
      const methods = String(headers['allow'])
        .split(', ')
        .filter((method) => method !== 'HEAD')
      return path.startsWith('/api/') ? methods.map((method) => `${method} ${path}`) : []
    }),
  )
  assert.deepEqual(probes.flat().sort(), documented.sort())
  assert.deepEqual(
    routedPaths(app.printRoutes({ commonPrefix: false })),
    [...new Set(documented.map((line) => line.split(' ')[1]!.replaceAll(/\{(\w+)\}/g, ':$1')))].sort(),
  )
})

/** The paths under /api in Fastify's drawing of its routes. */
function routedPaths(drawing: string): readonly string[] {
  const steps: string[] = []
  const paths = drawing.split('\n').flatMap((line) => {
    const found = /^([│ ]*)[├└]── (\S*)( \(.*\))?$/.exec(line)
    if (!found) return []
    const depth = found[1]!.length / 4
    steps.splice(depth, Infinity, found[2]!)
    return found[3] === undefined ? [] : [steps.join('')]
  })
  return [...new Set(paths.filter((path) => path.startsWith('/api/')))].sort()
}

test('every example of the document fits the schema that it stands beside', () => {
  const { faultsOf } = createDocumentCheck(service.document)
  let examples = 0
  for (const [path, operations] of Object.entries(service.document.paths)) {
    for (const [method, { requestBody, responses }] of Object.entries(operations)) {
      const at = `/paths/${toStep(path)}/${method}`
      const places = Object.entries(responses).map(
        ([status, response]) => [`${at}/responses/${status}`, response] as const,
      )
      for (const [pointer, { content }] of requestBody
        ? [...places, [`${at}/requestBody`, requestBody] as const]
        : places) {
        const json = content['application/json']
        // Of several types the first has an example.
        if (!json || Object.keys(content)[0] !== 'application/json') continue
        const { example, examples: named } = json
        assert.notEqual(example === undefined, named === undefined, pointer)
        for (const value of named ? Object.values(named).map((one) => one.value) : [example]) {
          assert.equal(faultsOf(`${pointer}/content/application~1json/schema`, value), null, pointer)
          examples += 1
        }
      }
    }
  }
  assert.ok(examples > 40)
})

test('every code of a failure that a client can cause is in the document, under its status', () => {
  const described = Object.values(service.document.paths).flatMap((operations) =>
    Object.values(operations).flatMap(({ responses }) =>
      Object.entries(responses).map(([status, { description }]) => `${status} ${description}`),
    ),
  )
  for (const [code, [status]] of Object.entries(API_ERRORS)) {
    // /mcp, the only one that answers `foreign_origin`, describes itself by its protocol.
    if (code === 'internal' || code === 'foreign_origin') continue
    assert.ok(
      described.some((text) => text.startsWith(`${status} `) && text.includes(`\`${code}\``)),
      code,
    )
  }
})

test('the example order of the document is answered with the example answer', async () => {
  const { requestBody, responses } = service.document.paths['/api/customer-orders']!['post']!
  const { text } = await service.post(requestBody!.content['application/json']!.example)
  const changing = (name: string, value: unknown) => (['created_at', 'device_id'].includes(name) ? name : value)
  const expected = JSON.stringify(responses['200']!.content['application/json']!.example)
  assert.deepEqual(JSON.parse(text, changing), JSON.parse(expected, changing))
})

test('headers and answers that were once undocumented are in the document', async () => {
  // Whatever is asked here is held against the document, header by header.
  const json = { 'content-type': 'application/json' }
  const event = JSON.stringify({ event_id: 'e', type: 'lost', date: '2030-01-01', stranger: 1 })
  const refused = await service.ask('/api/devices/unknown/events', { method: 'POST', headers: json, body: event })
  assert.deepEqual([refused.status, refused.headers['x-ignored-members']], [404, '/stranger'])
  assert.ok('ratelimit' in refused.headers)
  assert.equal((await service.ask('/api/device-emissions/%EF%BB%BF')).status, 404)
  assert.equal((await service.ask('/livez')).headers['cache-control'], 'no-store')
  const order = { ...EXAMPLE_ORDER, order_id: 'to estimate' }
  const alternatives = [{ name: 'longer', changes: { tenure_months: 12 } }]
  const estimate = await service.ask('/api/estimates?include=calculation', {
    method: 'POST',
    headers: json,
    body: JSON.stringify({ ...order, alternatives }),
  })
  assert.match(estimate.text, /"alternatives":\[\{"name":"longer",[^{]*"uncertainty":/)
})

test('the reference page and all that it loads come from the service itself', async () => {
  const page = await exchange(service.server.url, '/docs')
  assert.equal(page.status, 200)
  assert.match(String(page.headers['content-security-policy']), /^default-src 'self';/)
  const loaded = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, url]) => url!)
  assert.ok(loaded.length >= 5)
  for (const url of loaded) {
    assert.match(url, /^\/docs\//)
    const { status, text } = await exchange(service.server.url, url)
    assert.equal(status, 200, url)
    if (url.endsWith('.css')) assert.doesNotMatch(text, /@import|url\(["']?https?:/)
    if (url.endsWith('initializer.js'))
      assert.doesNotMatch(text.replace(/^ *(\/\/|img\.src).*$|\/\/ If .*/gm, ''), /https?:\/\//)
  }
})
