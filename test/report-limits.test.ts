// Reports of more groups than memory has room for, and answers that nobody takes.
import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { startService, type Service } from './service.ts'
import { order } from './order-client.ts'

let service: Service
const MONTHS = 1_200
const ORDERS = 440
const EACH_MONTH = '/api/reports/emissions?group_by=metadata.po,month&date_basis=tenure'
const PER_MONTH = `${EACH_MONTH}&limit=500000`

before(async () => {
  service = await startService()
  const orders = Array.from({ length: ORDERS }, (_, at) => at)
  await Promise.all(orders.map(post))
})
after(() => service.stop())

async function post(at: number): Promise<void> {
  const one = order('c', `o${at}`, [`s${at}`], { metadata: { po: `${at}` } }) as Record<string, unknown>
  for (const { config } of one['items'] as { config: Record<string, unknown> }[])
    if ('tenure_months' in config) config['tenure_months'] = MONTHS
  const { status, text } = await service.post(one)
  assert.equal(status, 200, text)
}

/** Asks, reads the beginning of the answer, and nothing more. */
async function askAndStop(
  path: string,
  key = service.key,
): Promise<{ readonly socket: Socket; readonly status: string }> {
  const { hostname, port } = new URL(service.server.url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => undefined)
  socket.write(`GET ${path} HTTP/1.1\r\nHost: ${hostname}\r\nX-API-Key: ${key}\r\n\r\n`)
  const [first] = (await once(socket, 'data')) as [Buffer]
  socket.pause()
  return { socket, status: first.toString('latin1').slice(9, 12) }
}

/** On a busy machine, a report of so many groups may take longer than a request may: it is asked for again. */
async function askUntilServed(path: string, key = service.key): Promise<Socket> {
  for (let tries = 0; tries < 100; tries += 1) {
    const { socket, status } = await askAndStop(path, key)
    if (status === '200') return socket
    socket.destroy()
    assert.equal(status, '503')
    await setTimeout(100)
  }
  throw new Error(`${path} is not served`)
}

test('a report of too many groups is refused before they fill the memory, and says what to do', async () => {
  const { status, text } = await service.ask(`${EACH_MONTH}&format=csv`)
  assert.equal(status, 413, text.slice(0, 300))
  assert.match(text, /at most 500000 groups.*group by less/)
})

test('JSON tells ten thousand groups unless more are asked for, and says so; the total is that of all', async () => {
  const read = async (path: string) =>
    JSON.parse((await service.ask(path)).text) as {
      readonly limit: number
      readonly total_emission: number
      readonly groups: readonly { readonly total_emission: number }[]
      readonly remainder: { readonly number_of_groups: number; readonly total_emission: number }
    }
  const milligrams = (kilograms: number) => Math.round(kilograms * 1e6)
  const [usual, more] = [await read(EACH_MONTH), await read(`${EACH_MONTH}&limit=20000`)]
  assert.deepEqual([usual.limit, usual.groups.length, more.groups.length], [10_000, 10_000, 20_000])
  assert.equal(usual.remainder.number_of_groups, ORDERS * MONTHS - 10_000)
  for (const { groups, remainder: others, total_emission: total } of [usual, more])
    assert.equal(
      groups.reduce((sum, group) => sum + milligrams(group.total_emission), milligrams(others.total_emission)),
      milligrams(total),
    )
  assert.equal(usual.total_emission, more.total_emission)
})

test('of so many groups the heaviest are told, and all others as one', async () => {
  const { status, text } = await service.ask(`${EACH_MONTH}&limit=100`)
  assert.equal(status, 200, text.slice(0, 300))
  const { groups, remainder: others } = JSON.parse(text) as {
    groups: readonly object[]
    remainder: Readonly<Record<string, number>>
  }
  assert.equal(groups.length, 100)
  // A device is charged for as long as it lives; later months have its use alone.
  assert.equal(others['number_of_groups'], ORDERS * MONTHS - 100)
})

test('an account that does not take a large report gets no other until it is given up; other accounts do', async () => {
  const some = `${PER_MONTH}&to=2114-12`
  const untaken = await askUntilServed(some)
  const second = await service.ask(some)
  assert.equal(second.status, 503, second.text.slice(0, 300))
  assert.ok(Number(second.headers['retry-after']) > 0)
  const other = await service.createKey(undefined, null, 'other')
  const ofOther = await askUntilServed(some, other)
  ofOther.destroy()
  untaken.destroy()
  // The service learns of it a moment later.
  const again = await askUntilServed(some)
  again.destroy()
})

test('whoever does not take an answer for long is cut off', async () => {
  const { server } = service.server.app
  assert.ok(server.timeout > 0 && server.timeout <= 300_000)
  const connected = once(server, 'connection') as Promise<[Socket]>
  const { socket } = await askAndStop(`${PER_MONTH}&to=2114-12`)
  const [answering] = await connected
  answering.setTimeout(200)
  if (!answering.destroyed) await once(answering, 'close')
  socket.destroy()
})
