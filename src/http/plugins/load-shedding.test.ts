// Load shedding: of more requests than can be answered in time, the first are served and the others rejected.
import { after, test } from 'node:test'
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import Fastify from 'fastify'
import { registerLoadShedding } from './load-shedding.ts'

const HOST = '127.0.0.1'
const FEW = 300
const MANY = 500
/** Many times as long as a rejection takes; all of the few together take longer than a turn may last. */
const WORK_MS = 0.5

const app = Fastify()
let answered = 0
registerLoadShedding(app, {
  isBacklogged: () => false,
  retryAfterSeconds: 7,
  crossOriginHeaders: () => ({}),
  onAnswered: () => (answered += 1),
})
const work = () => {
  for (const until = performance.now() + WORK_MS; performance.now() < until;);
  return 'done'
}
app.get('/api/work', work)
app.get('/api/quick', () => 'done')
app.get('/livez', work)
const { port } = new URL(await app.listen({ host: HOST, port: 0 }))
const sockets = await Promise.all(Array.from({ length: MANY }, opened))
after(async () => {
  for (const socket of sockets) socket.destroy()
  await app.close()
})

async function opened(): Promise<Socket> {
  const socket = connect(Number(port), HOST).setEncoding('utf8')
  await once(socket, 'connect')
  return socket
}

/** Sends all requests concurrently, so that one turn of the event loop reads them. */
const ask = (path: string, count: number): Promise<readonly string[]> => askOn(sockets.slice(0, count), path)

async function askOn(connections: readonly Socket[], path: string): Promise<readonly string[]> {
  const answers = connections.map(async (socket) => ((await once(socket, 'data')) as [string])[0])
  for (const socket of connections) socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`)
  return Promise.all(answers)
}

const withStatus = (answers: readonly string[], status: number): readonly string[] =>
  answers.filter((text) => text.startsWith(`HTTP/1.1 ${status} `))

test('of a flood the first are served, and the others told to come again; after it all are served', async () => {
  // Sent once, so that all connections are accepted.
  await ask('/livez', MANY)
  const answers = await ask('/api/work', MANY)
  const refused = withStatus(answers, 503)
  assert.ok(refused.length > 0)
  assert.equal(withStatus(answers, 200).length, MANY - refused.length)
  assert.ok(MANY - refused.length >= FEW, `${refused.length} refused`)
  assert.equal(answered, refused.length)
  for (const text of refused) {
    assert.match(text, /\r\nretry-after: 7\r\n/)
    const { code, request_id: id } = JSON.parse(text.slice(text.indexOf('\r\n\r\n'))) as Record<string, string>
    assert.equal(code, 'unavailable')
    assert.match(text, new RegExp(`\r\nx-request-id: ${id}\r\n`))
  }
  assert.equal(withStatus(await ask('/api/work', 1), 200).length, 1)
})

test('whoever asks after the health is served in a flood, too', async () => {
  assert.equal(withStatus(await ask('/livez', MANY), 200).length, MANY)
})

test('few at once are served, however long each takes', async () => {
  assert.equal(withStatus(await ask('/api/work', FEW), 200).length, FEW)
})
