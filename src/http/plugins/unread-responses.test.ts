// Unread responses: the total is bounded, at the cost of the account that has most of them.
import { after, test } from 'node:test'
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import Fastify from 'fastify'
import { createMemoryBudget } from '../../concurrency/memory-budget.ts'
import { trackUnreadResponses } from './unread-responses.ts'

const HOST = '127.0.0.1'
const ANSWER_BYTES = 16 * 1024 * 1024
const BUDGET_BYTES = 4 * ANSWER_BYTES
const LOOKS_MAX = 4_000

const budget = createMemoryBudget(BUDGET_BYTES)
const app = Fastify({ forceCloseConnections: true })
app.decorateRequest('caller', null)
app.addHook('onRequest', (request, _, done) => {
  request.setDecorator('caller', { accountId: Number(request.headers['x-account']) })
  done()
})
trackUnreadResponses(app, budget)
app.get('/', () => 'x'.repeat(ANSWER_BYTES))
const { port } = new URL(await app.listen({ host: HOST, port: 0 }))
const sockets: Socket[] = []
const serving: Socket[] = []
after(async () => {
  for (const socket of sockets) socket.destroy()
  await app.close()
})

async function ask(account: number): Promise<{ readonly socket: Socket; readonly ours: Socket }> {
  const taken = once(app.server, 'connection') as Promise<[Socket]>
  const socket = connect(Number(port), HOST).pause()
  sockets.push(socket)
  socket.on('error', () => undefined)
  const [ours] = await taken
  serving.push(ours)
  const before = budget.held()
  socket.write(`GET / HTTP/1.1\r\nHost: x\r\nX-Account: ${account}\r\n\r\n`)
  await until(() => budget.held() !== before || serving.some(({ destroyed }) => destroyed))
  return { socket, ours }
}

async function until(isSo: () => boolean): Promise<void> {
  for (let looks = 0; !isSo(); looks += 1) {
    assert.ok(looks < LOOKS_MAX, `waited in vain until ${isSo.toString()}`)
    await sleep(5)
  }
}

test('the account that leaves most answers unread loses its connections, the oldest first, and no other', async () => {
  const modest = await ask(2)
  const greedy: (typeof modest)[] = []
  for (let count = 0; count < 3; count += 1) greedy.push(await ask(1))
  assert.equal(budget.held(), BUDGET_BYTES)
  const another = await ask(3)
  await until(() => greedy[0]!.ours.destroyed)
  assert.deepEqual(
    [modest, ...greedy, another].map(({ ours }) => ours.destroyed),
    [false, true, false, false, false],
  )
  assert.equal(budget.held(), BUDGET_BYTES)
  let received = 0
  modest.socket.on('data', (data: Buffer) => (received += data.length)).resume()
  await until(() => received > ANSWER_BYTES)
  await until(() => budget.held() === BUDGET_BYTES - ANSWER_BYTES)
})
