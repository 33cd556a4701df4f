// HTTP as no client library would send it: answered or closed in time, and the service serves on.
import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { EXAMPLE_ORDER } from '../src/http/schemas/examples.ts'
import type { Json } from './document-check.ts'
import { exchange } from './raw-http.ts'
import { rawRequests, sendRaw } from './hostile/raw-requests.ts'
import { startService, type Service } from './service.ts'
import { assertNoLeak } from './assert-no-leak.ts'

let service: Service
before(async () => void (service = await startService()))
after(() => service.stop())

const portOf = ({ server }: Service): number => Number(new URL(server.url).port)

test('every raw request is answered as it may be, or its connection is closed', async () => {
  assert.ok(rawRequests.length >= 100)
  // The corpus asks for /livez; as long as the service has none, 404 is as good an answer as 200.
  const { status: livez } = await exchange(service.server.url, '/livez')
  const faults: string[] = []
  for (const { name, bytes, expect } of rawRequests) {
    const outcome = await sendRaw(portOf(service), bytes, 5_000)
    const isAllowed = expect.includes(outcome) || (livez === 404 && outcome === 404 && expect.includes(200))
    if (!isAllowed) faults.push(`${name}: ${outcome} instead of ${expect.join(' or ')}`)
  }
  assert.deepEqual(faults, [])
  assert.equal((await service.post({ ...EXAMPLE_ORDER, order_id: 'after the storm' })).status, 200)
})

/** Everything that comes back until the connection ends. */
const receive = (bytes: Buffer) =>
  new Promise<string>((resolve) => {
    const socket = connect({ port: portOf(service), host: '127.0.0.1', allowHalfOpen: true })
    let received = ''
    socket.on('data', (data) => (received += data.toString('latin1')))
    socket.on('error', () => resolve(received))
    socket.on('close', () => resolve(received))
    socket.on('end', () => socket.destroy())
    socket.setTimeout(5_000, () => socket.destroy())
    socket.end(bytes)
  })

const BORNE_BY_ALL = [
  /^x-content-type-options: nosniff\r?$/im,
  /^referrer-policy: no-referrer\r?$/im,
  /^cache-control: no-store\r?$/im,
]

test('what never becomes a request is refused in JSON with a request id, and shows nothing inside', async () => {
  let refused = 0
  for (const { name, bytes } of rawRequests) {
    const [head = '', body = ''] = (await receive(bytes)).split('\r\n\r\n')
    assertNoLeak(body, name)
    // What is answered to HEAD has no body.
    if (!/^HTTP\/1\.1 4/.test(head) || name === 'a HEAD request') continue
    for (const header of BORNE_BY_ALL) assert.match(head, header, name)
    assert.match(head, /^content-type: application\/json; charset=utf-8/im, name)
    const length = Number(/^content-length: (\d+)/im.exec(head)?.[1])
    const { code, request_id } = JSON.parse(body.slice(0, length)) as Json
    assert.equal(typeof code, 'string', name)
    assert.equal(request_id, /^x-request-id: (\S+)/im.exec(head)?.[1], name)
    refused += 1
  }
  assert.ok(refused >= 50, `${refused} were refused with a body`)
})

/** Sends it without ending, and reads on until the connection ends or what is looked for has come. */
const exchangeRaw = (bytes: string, then: (received: string, socket: Socket) => void) =>
  new Promise<string>((resolve) => {
    const socket = connect({ port: portOf(service), host: '127.0.0.1' }).setEncoding('latin1')
    let received = ''
    socket.on('data', (data: string) => {
      received += data
      then(received, socket)
    })
    socket.on('error', () => resolve(received)).on('close', () => resolve(received))
    socket.setTimeout(5_000, () => socket.destroy())
    socket.write(bytes)
  })

test('a sender that asks first is told to go on once its key is known, and nobody without one', async () => {
  const body = JSON.stringify({ ...EXAMPLE_ORDER, order_id: 'asked first' })
  const head = (key: string) =>
    `POST /api/customer-orders HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${key}` +
    `Content-Length: ${body.length}\r\nExpect: 100-continue\r\n\r\n`
  const refused = await exchangeRaw(head(''), () => undefined)
  assert.match(refused, /^HTTP\/1\.1 401 /)
  assert.match(refused, /^connection: close\r$/im)
  const asks = `X-API-Key: ${service.key}\r\nConnection: close\r\n`
  const answered = await exchangeRaw(head(asks), (received, socket) => {
    if (received === 'HTTP/1.1 100 Continue\r\n\r\n') socket.write(body)
  })
  assert.match(answered, /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK\r\n/)
})

test('without a key no body is parsed, whatever the path', async () => {
  const json = { 'content-type': 'application/json' }
  const broken = { method: 'POST', headers: json, body: '{"' }
  for (const path of ['/nothing', '/api/nothing', '/livez', '/api/customer-orders/a/b']) {
    const { status } = await exchange(service.server.url, path, broken)
    assert.ok([404, 405].includes(status), `${path}: ${status}`)
  }
  assert.equal((await exchange(service.server.url, '/api/customer-orders', broken)).status, 401)
  const large = { method: 'POST', headers: json, body: JSON.stringify({ api_key: 'a'.repeat(2_000) }) }
  for (const path of ['/console/session', '/console/session/back']) {
    assert.equal((await exchange(service.server.url, path, large)).status, 413, path)
  }
})

test('a request may take as long to arrive as is promised, its headers and its body', () => {
  const { headersTimeout, requestTimeout } = service.server.app.server
  assert.deepEqual([headersTimeout, requestTimeout], [30_000, 30_000])
})

test('a body that comes byte by byte takes no more memory than its bytes', async () => {
  setFlagsFromString('--expose_gc')
  const collect = runInNewContext('gc') as () => void
  const bytes = 200_000
  const memory = () => {
    collect()
    const { heapUsed, external } = process.memoryUsage()
    return heapUsed + external
  }
  const head =
    `POST /api/customer-orders HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n` +
    `X-API-Key: ${service.key}\r\nTransfer-Encoding: chunked\r\n\r\n`
  const socket = connect({ port: portOf(service), host: '127.0.0.1' })
  const [ours] = (await once(service.server.app.server, 'connection')) as [Socket]
  const pieces = Buffer.from(head + '1\r\n \r\n'.repeat(bytes))
  const before = memory()
  socket.write(pieces)
  for (let looks = 0; looks < 2_000 && ours.bytesRead < pieces.length; looks += 1) await sleep(5)
  assert.equal(ours.bytesRead, pieces.length)
  await sleep(5)
  const held = memory() - before
  socket.destroy()
  assert.ok(held < 20 * bytes, `${held} bytes held of ${bytes}`)
})
