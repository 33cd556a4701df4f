// What a request may wait for its database in all: look-up and work count together, a slow sender's body does not.
import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import Fastify, { type FastifyInstance } from 'fastify'
import { apiErrorOf } from '../src/contract/errors.ts'
import { withinRequestDeadline, registerDatabaseDeadline } from '../src/http/plugins/request-deadline.ts'
import { unavailabilityOf } from '../src/postgres/errors.ts'
import { DeadlineExceeded, withDeadline } from '../src/concurrency/deadline.ts'
import { QueueFull } from '../src/concurrency/batcher.ts'
import { closeConnections, exchange } from './raw-http.ts'
import { freshDatabase } from './fresh-database.ts'

const DATABASE_MS_MAX = 1_000
const BODY_MS = 1_200
const ATTEMPTS_MAX = 20

let app: FastifyInstance
let url = ''
before(async () => {
  const { pool } = await freshDatabase()
  app = Fastify()
  registerDatabaseDeadline(app, { databaseMsMax: DATABASE_MS_MAX, withDeadline })
  const wait = (milliseconds: unknown) => pool.query('select pg_sleep($1::float / 1000)', [Number(milliseconds)])
  app.addHook('onRequest', async (request) => {
    await withinRequestDeadline(request, wait(request.headers['x-look-up-ms']))
  })
  app.post('/', async (request) => {
    await wait(request.headers['x-work-ms'])
    return { body: request.body }
  })
  app.setErrorHandler((error, _, reply) => reply.code(503).send({ code: unavailabilityOf(error) }))
  url = await app.listen({ host: '127.0.0.1', port: 0 })
})
after(async () => {
  closeConnections()
  await app.close()
})

const post = (lookUpMs: number, workMs: number) =>
  exchange(url, '/', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-look-up-ms': String(lookUpMs), 'x-work-ms': String(workMs) },
    body: '{"sent":1}',
  })

test('who asked for what the database took too long over is told so, not that it cannot be reached', () => {
  const failure = apiErrorOf(new DeadlineExceeded(), unavailabilityOf)
  assert.equal(failure?.code, 'unavailable')
  assert.match(failure.message, /^The database took too long/)
  assert.match(apiErrorOf(new QueueFull(), unavailabilityOf)!.message, /^The database cannot be reached/)
})

/**
 * Asks again where a busy machine took longer over it than the database may take: such an answer shows nothing.
 * @param elsewhereMs what of it is not spent on the database
 */
async function servedInTime(ask: () => Promise<number>, elsewhereMs = 0): Promise<number> {
  for (let attempt = 1; ; attempt += 1) {
    const startedAt = performance.now()
    const status = await ask()
    const tookMs = performance.now() - startedAt - elsewhereMs
    if (status === 200 || tookMs < DATABASE_MS_MAX || attempt === ATTEMPTS_MAX) return status
  }
}

test('a look-up and a piece of work that would each be in time are over it together', async () => {
  assert.equal(await servedInTime(async () => (await post(200, 200)).status), 200)
  const together = await post(700, 700)
  assert.deepEqual([together.status, JSON.parse(together.text)], [503, { code: 'unavailable' }])
  assert.equal(await servedInTime(async () => (await post(0, 0)).status), 200)
})

/** The status of an order whose body arrives in two pieces. */
async function postInPieces(workMs: number, pauseMs: number): Promise<number> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1').setEncoding('utf8')
  const head = [
    'POST / HTTP/1.1',
    'Host: x',
    'Content-Type: application/json',
    'Content-Length: 10',
    'Connection: close',
    'X-Look-Up-Ms: 10',
    `X-Work-Ms: ${workMs}`,
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n{"sent"`)
  await sleep(pauseMs)
  socket.write(':1}')
  const [answer] = (await once(socket, 'data')) as [string]
  socket.destroy()
  return Number(/^HTTP\/1\.1 (\d+) /.exec(answer)![1])
}

test('a body that takes longer to arrive than the database may take is answered all the same', async () => {
  assert.equal(await servedInTime(() => postInPieces(10, BODY_MS), BODY_MS), 200)
})

test('the deadline holds in what runs after the body has arrived in pieces, too', async () => {
  assert.equal(await postInPieces(60_000, 100), 503)
})
