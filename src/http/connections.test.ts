// Connections of misbehaving clients: what each and all of them may hold, while other clients are served.
import { after, test } from 'node:test'
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises'
import Fastify, { type FastifyInstance } from 'fastify'
import { createConnections, type ConnectionLimits } from './connections.ts'

const HOST = '127.0.0.1'
const MANY = { connectionsMax: 1_000, pipelinedMax: 10_000 }
/** How much Node reads from a connection at a time. */
const PIECE_BYTES = 65_536
const LOOK_MS = 5

const opened: (Socket | FastifyInstance)[] = []
after(async () => {
  for (const one of opened) await ('close' in one ? one.close() : one.destroy())
})

/**
 * A service whose `/slow` waits until the test lets it answer, and whose `/large` sends more than the system buffers.
 */
async function serve(limits: ConnectionLimits = MANY, requestTimeout = 0) {
  const connections = createConnections(limits)
  const app = Fastify({
    clientErrorHandler: (error, socket) => connections.refuse(error, socket),
    forceCloseConnections: true,
    requestTimeout,
    http: { requestTimeout, headersTimeout: requestTimeout, connectionsCheckingInterval: 20, requireHostHeader: false },
  })
  const waiting: (() => void)[] = []
  const counted = { begun: 0, atOnce: 0, atOnceMax: 0, large: 0 }
  const releaseAll = () => waiting.splice(0).forEach((release) => release())
  app.get('/quick/:id', async ({ params }) => {
    counted.begun += 1
    counted.atOnceMax = Math.max(counted.atOnceMax, (counted.atOnce += 1))
    await turn()
    counted.atOnce -= 1
    return (params as { readonly id: string }).id
  })
  app.get('/slow', () => new Promise((resolve) => waiting.push(() => resolve('slow'))))
  app.post('/body', () => 'read')
  app.get('/large', () => {
    counted.large += 1
    return 'x'.repeat(LARGE_BYTES)
  })
  connections.attach(app)
  opened.push(app)
  const { port } = new URL(await app.listen({ host: HOST, port: 0 }))
  const open = async () => {
    const socket = connect(Number(port), HOST).setEncoding('latin1')
    opened.push(socket)
    socket.on('error', () => undefined)
    await once(socket, 'connect')
    return socket
  }
  const receive = (socket: Socket) => {
    const received = { text: '', isOver: false }
    socket.on('data', (text: string) => (received.text += text)).on('close', () => (received.isOver = true))
    return received
  }
  return { app, connections, counted, waiting, releaseAll, open, receive }
}

const LARGE_BYTES = 8 * 1024 * 1024

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`

/** Many times as often as necessary. */
const LOOKS_MAX = 4_000

async function until(isSo: () => boolean): Promise<void> {
  for (let looks = 0; !isSo(); looks += 1) {
    assert.ok(looks < LOOKS_MAX, `waited in vain until ${isSo.toString()}`)
    await sleep(LOOK_MS)
  }
}

test('requests that are sent at once are served one after the other, and answered in their order', async () => {
  const { counted, open, receive } = await serve()
  const socket = await open()
  const received = receive(socket)
  const ids = Array.from({ length: 2_000 }, (_, at) => String(at))
  socket.write(ids.map((id) => get(`/quick/${id}`)).join(''))
  await until(() => counted.begun === ids.length && received.text.endsWith(`\r\n\r\n${ids.at(-1)!}`))
  const answered = received.text.split('HTTP/1.1 200 OK').slice(1)
  assert.deepEqual(
    answered.map((text) => text.split('\r\n\r\n')[1]),
    ids,
  )
  assert.equal(counted.atOnceMax, 1)
})

test('while requests wait for an earlier one, no more of their connection is read; later all are served', async () => {
  const { app, connections, counted, waiting, releaseAll, open, receive } = await serve()
  const [taken] = [once(app.server, 'connection') as Promise<[Socket]>]
  const socket = await open()
  const [ours] = await taken
  const received = receive(socket)
  const count = 5_000
  socket.write(get('/slow'))
  await until(() => waiting.length === 1)
  socket.write(get('/quick/a').repeat(count))
  const other = await open()
  const others = receive(other)
  for (let asked = 1; asked <= 20; asked += 1) {
    other.write(get('/quick/b'))
    await until(() => others.text.split('200 OK').length === asked + 1)
  }
  assert.ok(connections.pipelined() > 0)
  assert.ok(ours.bytesRead <= 2 * PIECE_BYTES, `${ours.bytesRead} bytes read`)
  releaseAll()
  await until(() => counted.begun === count + 20 && received.text.split('200 OK').length === count + 2)
  assert.equal(connections.pipelined(), 0)
})

test('where too many requests wait in all, the connection with the most of them is cut, and no other', async () => {
  const { connections, waiting, releaseAll, open, receive } = await serve({ ...MANY, pipelinedMax: 500 })
  const modest = await open()
  const served = receive(modest)
  modest.write(get('/slow') + get('/quick/modest'))
  await until(() => waiting.length === 1)
  const greedy = await Promise.all(Array.from({ length: 20 }, open))
  const cut = greedy.map(receive)
  for (const socket of greedy) socket.write(get('/slow') + get('/quick/greedy').repeat(400))
  await until(() => cut.filter(({ isOver }) => isOver).length === 19)
  assert.ok(connections.pipelined() <= 500, String(connections.pipelined()))
  releaseAll()
  await until(() => served.text.endsWith('modest'))
  assert.equal(served.isOver, false)
})

test('of answers that are not read, one a connection is made beyond what the system takes', async () => {
  const { counted, open, receive } = await serve()
  const deaf = await Promise.all(Array.from({ length: 5 }, open))
  for (const socket of deaf) socket.pause().write(get('/large').repeat(100))
  const other = await open()
  const others = receive(other)
  for (let asked = 1; asked <= 50; asked += 1) {
    other.write(get('/quick/b'))
    await until(() => others.text.split('200 OK').length === asked + 1)
  }
  // Of 100 per connection: at most one in the system's own buffers of some MiB, and one behind it.
  assert.ok(counted.large >= deaf.length && counted.large <= 3 * deaf.length, `${counted.large} made`)
})

test('newcomers take the place of idle connections, of those first that never sent a whole request', async () => {
  const { open, receive } = await serve({ ...MANY, connectionsMax: 10 })
  const kept = await open()
  const served = receive(kept)
  kept.write(get('/quick/first'))
  await until(() => served.text.endsWith('first'))
  const idle = await Promise.all(Array.from({ length: 9 }, open))
  const ended = idle.map(receive)
  for (const socket of idle) socket.write('GET /quick/never HTTP/1.1\r\nHos')
  for (let newcomers = 1; newcomers <= 9; newcomers += 1) {
    const newcomer = await open()
    const received = receive(newcomer)
    newcomer.write(get('/quick/new'))
    await until(() => received.text.endsWith('new'))
    await until(() => ended.filter(({ isOver }) => isOver).length === newcomers)
  }
  kept.write(get('/quick/second'))
  await until(() => served.text.endsWith('second'))
})

test('where every connection is served, a newcomer is closed, and those are answered', async () => {
  const { waiting, releaseAll, open, receive } = await serve({ ...MANY, connectionsMax: 3 })
  const busy = await Promise.all(Array.from({ length: 3 }, open))
  const received = busy.map(receive)
  for (const socket of busy) socket.write(get('/slow'))
  await until(() => waiting.length === 3)
  const closed = receive(await open())
  await until(() => closed.isOver)
  releaseAll()
  await until(() => received.every(({ text }) => text.endsWith('slow')))
})

test('what cannot be read is answered behind what was asked before it', async () => {
  const { waiting, releaseAll, open, receive } = await serve()
  for (const unreadable of ['rubbish\r\n\r\n', `${get('/quick/a')}POST /body HTTP/1.1\r\nContent-Length: x\r\n\r\n`]) {
    const socket = await open()
    const received = receive(socket)
    socket.write(get('/slow') + unreadable)
    await until(() => waiting.length === 1)
    releaseAll()
    await until(() => received.isOver)
    const statuses = [...received.text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)
    assert.deepEqual(statuses, unreadable.startsWith('rubbish') ? ['200', '400'] : ['200', '200', '400'])
  }
})

test('a request that does not arrive in time is answered 408 once, in JSON, and its connection ends', async () => {
  const { open, receive } = await serve(MANY, 50)
  const head = 'POST /body HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n'
  for (const part of ['GET /quick/a HT', head, `${head}\r\n{`, `${get('/quick/a')}${head}\r\n{`]) {
    const socket = await open()
    const received = receive(socket)
    socket.write(part)
    await until(() => received.isOver)
    const answers = received.text.split('HTTP/1.1 ').slice(1)
    assert.match(answers.at(-1)!, /^408 Request Timeout\r\n/, part)
    assert.match(answers.at(-1)!, /"code":"request_timeout",.*"request_id":"[0-9a-f-]{36}"\}$/)
    assert.equal(answers.length, part.startsWith('GET /quick/a HTTP/1.1') ? 2 : 1)
  }
})

test('of a body that goes on after its answer some is read, the answer arrives, and then it is cut', async () => {
  const { app, open, receive } = await serve()
  const taken = once(app.server, 'connection') as Promise<[Socket]>
  const socket = await open()
  const [ours] = await taken
  const received = receive(socket)
  const sentMax = 512 * 1024 * 1024
  const chunk = `${PIECE_BYTES.toString(16)}\r\n${'x'.repeat(PIECE_BYTES)}\r\n`
  socket.write('POST /nowhere HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n')
  let sent = 0
  const send = () => {
    while (!received.isOver && sent < sentMax) {
      sent += PIECE_BYTES
      if (!socket.write(chunk)) return
    }
  }
  socket.on('drain', send)
  send()
  await until(() => received.isOver)
  assert.match(received.text, /^HTTP\/1\.1 404 /)
  assert.ok(sent < sentMax && ours.bytesRead < sentMax / 2, `${ours.bytesRead} of ${sent} bytes were read`)
})

test('of a body that ends soon after its answer all is read, and the connection serves on', async () => {
  const { open, receive } = await serve()
  const socket = await open()
  const received = receive(socket)
  socket.write(`POST /nowhere HTTP/1.1\r\nHost: x\r\nContent-Length: ${4 * PIECE_BYTES}\r\n\r\n`)
  await until(() => received.text.includes(' 404 '))
  socket.write('x'.repeat(4 * PIECE_BYTES))
  socket.write(get('/quick/after'))
  await until(() => received.text.endsWith('after'))
})
