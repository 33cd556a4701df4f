// Where a webhook is never sent, however the address is written, and whatever a name resolves to a moment later.
import { after, test } from 'node:test'
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { isIP, type AddressInfo } from 'node:net'
import { createExchange, type ExchangeOptions } from './exchange.ts'
import { TargetRefused, urlProblem, resolveTarget, type Address, type Resolve } from './target.ts'

const RULES = { ports: [443, 8443], allowsLoopback: false }

/** Literal addresses in every notation that a URL accepts. */
const LITERALS = [
  '127.0.0.1', '127.1', '127.255.255.254', '2130706433', '0x7f000001', '0x7f.1', '017700000001', '0177.0.0.1',
  '0', '0.0.0.0', '0.1.2.3', '10.0.0.1', '10.255.255.255', '167772161', '0xa000001', '012.0.0.1',
  '100.64.0.1', '100.100.100.200', '100.127.255.255', '169.254.0.1', '169.254.169.254', '0xa9fea9fe', '2852039166',
  '0251.0376.0251.0376', '168.63.129.16', '172.16.0.1', '172.31.255.255', '192.0.0.192', '192.0.2.1', '192.88.99.1',
  '192.168.0.1', '0xc0.0xa8.0.1', '3232235521', '198.18.0.1', '198.51.100.7', '203.0.113.9', '224.0.0.1',
  '239.255.255.255', '240.0.0.1', '255.255.255.255', '127。0。0。1', '①②⑦.0.0.1',
  '[::]', '[::1]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::ffff:10.0.0.1]', '[::ffff:169.254.169.254]',
  '[::127.0.0.1]', '[::ffff:0:127.0.0.1]', '[64:ff9b::7f00:1]', '[64:ff9b::169.254.169.254]', '[64:ff9b:1::a00:1]',
  '[100::1]', '[2001::1]', '[2001:0:4136:e378:8000:63bf:3fff:fdd2]', '[2001:20::1]', '[2001:db8::1]',
  '[2002:7f00:1::]', '[2002:a9fe:a9fe::1]', '[3fff::1]', '[5f00::1]', '[fc00::1]', '[fd00:ec2::254]',
  '[fd12:3456:789a::1]', '[fe80::1]', '[fec0::1]', '[ff02::1]', '[febf::1]',
] // prettier-ignore

/** Names that resolve to what must not be reached; one public address among them changes nothing. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  localhost: ['127.0.0.1', '::1'],
  'localhost.': ['127.0.0.1'],
  'metadata.google.internal': ['169.254.169.254'],
  'private.example': ['10.1.2.3'],
  'mapped.example': ['::ffff:192.168.1.1'],
  'mixed.example': ['93.184.215.14', '192.168.1.1'],
  'mixed6.example': ['2606:2800:21f:cb07:6820:80da:af6b:8b2c', 'fd00::1'],
  'nat64.example': ['64:ff9b::a00:1'],
  'nothing.example': [],
  'odd.example': ['not an address'],
}

const toAddress = (address: string): Address => ({ address, family: isIP(address) === 6 ? 6 : 4 })
const resolveNames: Resolve = (name) => Promise.resolve((NAMES[name] ?? []).map(toAddress))

test('no special-purpose address is reached, in whatever notation, over more than 60 targets', async () => {
  assert.ok(LITERALS.length >= 60)
  for (const host of LITERALS) assert.equal(urlProblem(`https://${host}/`, RULES), 'address', host)
  for (const name of Object.keys(NAMES))
    await assert.rejects(resolveTarget(`https://${name}/`, RULES, resolveNames), TargetRefused, name)
})

test('public addresses and names are allowed', async () => {
  for (const host of ['93.184.215.14', '1.1.1.1', '172.32.0.1', '100.128.0.1', '[2606:4700::1111]', '[2a00:1450::1]'])
    assert.equal(urlProblem(`https://${host}/`, RULES), null, host)
  const resolve: Resolve = () => Promise.resolve([toAddress('93.184.215.14')])
  assert.deepEqual(await resolveTarget('https://example.com:8443/a?b', RULES, resolve), toAddress('93.184.215.14'))
})

test('only https, without credentials and fragment, to a port of the list', () => {
  const faults = ['http://example.com/', 'ftp://example.com/', 'javascript:1', 'https://a:b@example.com/',
    'https://a@example.com/',
    'https://example.com:22/', 'https://example.com/#a', 'example.com', '', 'https://'] // prettier-ignore
  assert.deepEqual(
    faults.map((url) => urlProblem(url, RULES)),
    [
      'scheme',
      'scheme',
      'scheme',
      'credentials',
      'credentials',
      'port',
      'url_invalid',
      'url_invalid',
      'url_invalid',
      'url_invalid',
    ],
  )
})

test('an operator may allow this machine, and only this machine', async () => {
  const rules = { ports: [], allowsLoopback: true }
  for (const url of ['http://127.0.0.1:9/', 'http://localhost:9/', 'http://[::1]:9/', 'https://127.0.0.2/'])
    assert.equal(urlProblem(url, rules), null, url)
  for (const url of ['http://10.0.0.1/', 'https://10.0.0.1/', 'https://[::ffff:10.0.0.1]/', 'https://169.254.169.254/'])
    assert.notEqual(urlProblem(url, rules), null, url)
  assert.equal(urlProblem('http://example.com/', rules), 'scheme')
  await assert.rejects(resolveTarget('https://private.example/', rules, resolveNames), TargetRefused)
})

const createPost = (options: ExchangeOptions) => {
  const exchange = createExchange(options)
  return (url: string) => exchange({ method: 'POST', url, headers: {}, body: '{}' })
}

test('a name that resolves to another address later is connected to the address that was checked', async () => {
  const reached: string[] = []
  const server = createServer((request, response) => {
    reached.push(`${request.socket.localAddress} ${request.headers.host}`)
    response.writeHead(204).end()
  })
  server.listen(0, '0.0.0.0')
  await once(server, 'listening')
  after(() => server.close())
  const { port } = server.address() as AddressInfo
  let asked = 0
  const rebinding: Resolve = () => Promise.resolve([toAddress(++asked % 2 === 1 ? '127.0.0.1' : '10.0.0.1')])
  const post = createPost({ rules: { ports: [], allowsLoopback: true }, userAgent: 'test', resolve: rebinding })
  const url = `http://localhost:${port}/`
  assert.equal((await post(url)).status, 204)
  // At the next attempt, the name is resolved and checked again.
  assert.deepEqual(await post(url), { status: null, problem: 'target_refused', retryAfterMs: null, body: '' })
  assert.deepEqual([asked, reached], [2, [`127.0.0.1 localhost:${port}`]])
})

test('a redirect is not followed, an endless answer is cut off, a silent receiver is not waited for', async () => {
  let requests = 0
  const server = createServer((request, response) => {
    requests += 1
    if (request.url === '/redirect') response.writeHead(307, { location: '/elsewhere' }).end()
    if (request.url === '/busy') response.writeHead(503, { 'retry-after': '7' }).end()
    if (request.url === '/endless') {
      response.writeHead(200)
      const more = () => void (response.destroyed || response.write('x'.repeat(8_192), () => setImmediate(more)))
      more()
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const options = { rules: { ports: [], allowsLoopback: true }, userAgent: 'test' }
  const post = createPost(options)
  assert.deepEqual(await post(`${url}/redirect`), { status: 307, problem: 'redirect', retryAfterMs: null, body: '' })
  assert.equal(requests, 1)
  assert.deepEqual(await post(`${url}/busy`), { status: 503, problem: 'status', retryAfterMs: 7_000, body: '' })
  const { body: cut, ...endless } = await post(`${url}/endless`)
  assert.deepEqual(endless, { status: 200, problem: null, retryAfterMs: null })
  assert.ok(cut.length > 16_384 && cut.length < 100_000)
  const hasty = createPost({ ...options, timeoutMs: 50 })
  assert.deepEqual(await hasty(`${url}/silent`), { status: null, problem: 'timeout', retryAfterMs: null, body: '' })
  const closed = await post('http://127.0.0.1:1/')
  assert.deepEqual(closed, { status: null, problem: 'connection_failed', retryAfterMs: null, body: '' })
  const unknown = createPost({
    ...options,
    resolve: () => Promise.reject(Object.assign(new Error(), { syscall: 'getaddrinfo' })),
  })
  assert.equal((await unknown('https://unknown.example/')).problem, 'name_not_resolved')
})
