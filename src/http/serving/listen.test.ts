// The port of the service: who comes at once is taken at once, nobody else gets the port, and its end ends all of it.
import { after, test } from 'node:test'
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import Fastify from 'fastify'
import { drainOnClose } from './drain.ts'
import { listenOnSeveral } from './listen.ts'

const HOST = '127.0.0.1'
const BACKLOG = 511
const CONNECTIONS = 100

const app = Fastify({ forceCloseConnections: 'idle', return503OnClosing: false })
drainOnClose(app)
const asked = Promise.withResolvers<void>()
const answer = Promise.withResolvers<string>()
let requests = 0
app.get('/', () => {
  requests += 1
  if (requests === CONNECTIONS) asked.resolve()
  return answer.promise
})
const address = await listenOnSeveral(app, HOST, 0, BACKLOG)
const port = Number(new URL(address).port)
let sockets: readonly Socket[] = []
after(() => sockets.forEach((socket) => socket.destroy()))

test('connections that come at once are not taken one by one', { skip: process.platform !== 'linux' }, async () => {
  let taken = 0
  let mostInATurn = 0
  const all = Promise.withResolvers<void>()
  app.server.on('connection', () => (taken += 1))
  const turn = (before: number) => {
    mostInATurn = Math.max(mostInATurn, taken - before)
    if (taken === CONNECTIONS) all.resolve()
    else setImmediate(turn, taken)
  }
  sockets = Array.from({ length: CONNECTIONS }, () => connect(port, HOST))
  setImmediate(turn, 0)
  await all.promise
  assert.ok(mostInATurn > 1, `${mostInATurn} in a turn`)
})

test('a port that is listened on is in use for whoever else would share it', async () => {
  const other = Fastify()
  await assert.rejects(listenOnSeveral(other, HOST, port, BACKLOG), { code: 'EADDRINUSE' })
  await other.close()
})

test('at the end what was asked on any connection is answered, and no new one is taken', async () => {
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
