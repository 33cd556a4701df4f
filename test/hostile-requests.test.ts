// HTTP as no client library would send it: answered or closed in time, and the service serves on.
import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { EXAMPLE_ORDER } from '../src/http/wire/example-order.ts'
import type { Json } from './document-check.ts'
import { exchange } from './exchange.ts'
import { rawRequests, sendRaw } from './hostile/raw-requests.ts'
import { startLiveService, type LiveService } from './live-service.ts'
import { assertNoLeak } from './no-leak.ts'

let service: LiveService
before(async () => void (service = await startLiveService()))
after(() => service.stop())

const portOf = ({ server }: LiveService): number => Number(new URL(server.url).port)

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

test('what never becomes a request is refused in JSON with a request id, and shows nothing inside', async () => {
  let refused = 0
  for (const { name, bytes } of rawRequests) {
    const [head = '', body = ''] = (await receive(bytes)).split('\r\n\r\n')
    assertNoLeak(body, name)
    // Node itself refuses a request without Host, and an expectation that it does not know, with a status alone.
    if (!/^HTTP\/1\.1 4/.test(head) || /^0?$/.test(body.trim())) continue
    assert.match(head, /^content-type: application\/json; charset=utf-8/im, name)
    const length = Number(/^content-length: (\d+)/im.exec(head)?.[1])
    const { code, request_id } = JSON.parse(body.slice(0, length)) as Json
    assert.equal(typeof code, 'string', name)
    assert.equal(request_id, /^x-request-id: (\S+)/im.exec(head)?.[1], name)
    refused += 1
  }
  assert.ok(refused >= 50, `${refused} were refused with a body`)
})
