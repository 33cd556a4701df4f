// The console's files as they are served: those that were built and no other, compressed, and bound to this place.
import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import Fastify, { type FastifyInstance } from 'fastify'
import { openConsole, serveConsole, type Console } from '../../src/http/plugins/console-assets.ts'
import { negotiateContent } from '../../src/http/plugins/content-negotiation.ts'

let app: FastifyInstance
let console: Console
before(async () => {
  const opened = await openConsole(() => undefined)
  assert.ok('files' in opened)
  console = opened
  app = await serving(opened)
})
after(() => app.close())

async function serving(what: Parameters<typeof serveConsole>[1]): Promise<FastifyInstance> {
  const served = Fastify()
  await negotiateContent(served)
  serveConsole(served, what)
  return served
}

const get = (url: string, headers: Readonly<Record<string, string>> = {}) => app.inject({ url, headers })

test('every file is served as what it is, smallest first, and kept for ever where its name has its hash', async () => {
  assert.ok(console.files.length > 5)
  for (const { path, type, isHashed, bodies } of console.files.filter(({ path }) => path !== '/index.html')) {
    const plain = await get(path)
    assert.deepEqual([plain.headers['content-type'], plain.headers['content-encoding']], [type, undefined])
    assert.equal(plain.headers['x-content-type-options'], 'nosniff')
    assert.equal(plain.headers['cache-control'], isHashed ? 'public, max-age=31536000, immutable' : 'no-cache')
    const br = await get(path, { 'accept-encoding': 'gzip, deflate, br' })
    assert.equal(br.headers['content-encoding'], 'br')
    assert.deepEqual(brotliDecompressSync(br.rawPayload), bodies.identity)
    const gzip = await get(path, { 'accept-encoding': 'gzip' })
    assert.deepEqual(gunzipSync(gzip.rawPayload), plain.rawPayload)
    assert.equal((await get(path, { 'if-none-match': String(plain.headers['etag']) })).statusCode, 304)
  }
})

test('the page may load from here alone, runs no script that has no file, and stands in no frame', async () => {
  for (const path of ['/', ...console.pages.flatMap((page) => [`/${page}`, `/${page}/a/b?c=d`])]) {
    const { statusCode, headers, body } = await get(path)
    assert.deepEqual([statusCode, headers['content-type']], [200, 'text/html; charset=utf-8'], path)
    const policy = String(headers['content-security-policy'])
    assert.match(policy, /^default-src 'self';.*frame-ancestors 'none'$/)
    assert.doesNotMatch(policy, /unsafe|http|\*/)
    assert.doesNotMatch(body, /<script(?![^>]*\bsrc=)|<style|\bstyle=|\bon\w+=|https?:/)
  }
})

test('nothing else is reached, however the path is spelled', async () => {
  const paths = ['/assets/', '/assets/none.js', '/assets/../manifest.json', '/manifest.json', '/index.html.br']
  const climbing = [
    '/assets/..%2f..%2fmanifest.json',
    '/%2e%2e/package.json',
    '/assets/%2e%2e%2f%2e%2e%2fmanifest.json',
  ]
  for (const path of [...paths, ...climbing]) assert.equal((await get(path)).statusCode, 404, path)
})

test('where it could not be built, its place says what to do', async () => {
  const served = await serving({ problem: 'Build it\n' })
  const { statusCode, body } = await served.inject('/')
  assert.deepEqual([statusCode, body], [503, 'Build it\n'])
  await served.close()
})
