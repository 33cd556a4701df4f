// The port of the service: exactly one program has it, and its end closes every connection.
import { after, test } from 'node:test'
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import Fastify, { type FastifyInstance } from 'fastify'
import { registerGracefulShutdown } from './plugins/graceful-shutdown.ts'
import { listen } from './listen.ts'

const HOST = '127.0.0.1'
const BACKLOG = 511
const CONNECTIONS = 100

const open = (app: FastifyInstance, port: number, host = HOST) =>
  listen(app, { host, port, portVariable: 'CRADLE_PORT' }, BACKLOG)

const app = Fastify({ forceCloseConnections: 'idle', return503OnClosing: false })
registerGracefulShutdown(app)
const asked = Promise.withResolvers<void>()
const answer = Promise.withResolvers<string>()
let requests = 0
app.get('/', () => {
  requests += 1
  if (requests === CONNECTIONS) asked.resolve()
  return answer.promise
})
const port = Number(new URL(await open(app, 0)).port)
let sockets: readonly Socket[] = []
after(() => sockets.forEach((socket) => socket.destroy()))

test('a port that is listened on is refused in a sentence, on its own address and on all addresses', async () => {
  for (const host of [HOST, '0.0.0.0']) {
    await assert.rejects(open(Fastify(), port, host), {
      message: new RegExp(`^Port ${port} of ${host} is in use; set`),
    })
  }
})

test('of eight servers that open one port at the same moment, exactly one gets it', async () => {
  for (let round = 0; round < 10; round += 1) {
    const probe = Fastify()
    const free = Number(new URL(await open(probe, 0)).port)
    await probe.close()
    const apps = Array.from({ length: 8 }, () => Fastify())
    const opened = await Promise.allSettled(apps.map((one) => open(one, free)))
    assert.equal(opened.filter(({ status }) => status === 'fulfilled').length, 1)
    await Promise.all(apps.map((one) => one.close()))
  }
})

test('localhost is one address, so that every connection is one of the same server', async () => {
  const local = Fastify()
  const url = new URL(await open(local, 0, 'localhost'))
  assert.equal(url.hostname, HOST)
  assert.equal(local.addresses().length, 1)
  await local.close()
})

test('an address that is not of this machine is refused in a sentence', async () => {
  await assert.rejects(
    open(Fastify(), 0, '192.0.2.1'),
    /^Error: 192\.0\.2\.1 is no address of this machine; set CRADLE_HOST/,
  )
})

test('at the end, requests under way are answered, and no connection is accepted any more', async () => {
  sockets = Array.from({ length: CONNECTIONS }, () => connect(port, HOST))
  for (const socket of sockets) socket.setEncoding('utf8').write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  await asked.promise
  const answers = sockets.map(async (socket) => ((await once(socket, 'data')) as [string])[0])
  const closed = app.close()
  answer.resolve('answered')
  for (const text of await Promise.all(answers)) {
    assert.match(text, /^HTTP\/1\.1 200 /)
    assert.match(text, /answered$/)
  }
  await closed
  const [error] = (await once(connect(port, HOST), 'error')) as [NodeJS.ErrnoException]
  assert.equal(error.code, 'ECONNREFUSED')
})

test('at the end, whoever is connected is answered, accepted by the program or not yet', async () => {
  const stopping = Fastify({ forceCloseConnections: 'idle', return503OnClosing: false })
  registerGracefulShutdown(stopping)
  stopping.get('/', () => 'answered')
  const its = Number(new URL(await open(stopping, 0)).port)
  const waiting = Array.from({ length: CONNECTIONS }, () => connect(its, HOST))
  const answers = waiting.map(async (socket) => {
    socket.setEncoding('utf8').write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    return ((await once(socket, 'data')) as [string])[0]
  })
  // Before the event loop turns: the system has the connections, the program has none.
  const closed = stopping.close()
  for (const text of await Promise.all(answers)) assert.match(text, /^HTTP\/1\.1 (200|503) /)
  await closed
})
