// What the log tells of answers that fail: which request, why, and whether somebody has to do something about it.
import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import { until } from './command.ts'
import { keepLog, type KeptLog, type LogLine } from './captured-log.ts'
import { startService, type Service } from './service.ts'
import { order } from './order-client.ts'

const [WARNING, FAULT] = [40, 50]

let service: Service
let log: KeptLog
let url: string
before(async () => {
  service = await startService()
  assert.equal((await service.post(order('c', 'o', ['s']))).status, 200)
  log = keepLog('info')
  const logged = await startService({ beside: service, logger: log.logger })
  url = logged.server.url
})
after(() => service.stop())

const linesOf = (id: string | null): readonly LogLine[] => log.lines.filter(({ request_id }) => request_id === id)
const ask = (path: string) => fetch(`${url}${path}`, { headers: { 'x-api-key': service.key } })

/** Locks a table until the work is done, which is told how to find who waits for it. */
async function whileLocked(table: string, work: (findWaiting: () => Promise<number>) => Promise<void>): Promise<void> {
  const lock = await service.pool.connect()
  const findWaiting = async () => {
    const found: number[] = []
    const look = async () => {
      const { rows } = await service.pool.query<{ readonly pid: number }>(
        'select pid from pg_locks where relation = $1::regclass and not granted',
        [table],
      )
      return found.push(...rows.map(({ pid }) => pid)) > 0
    }
    await until(look, () => `nobody waits for ${table}`)
    return found[0]!
  }
  try {
    await lock.query('begin')
    await lock.query(`lock table ${table} in access exclusive mode`)
    await work(findWaiting)
  } finally {
    await lock.query('rollback')
    lock.release()
  }
}

/** Of an export whose answer has begun, and which waits for its next page. */
const EXPORT = '/api/exports/orders?format=csv'

test('an export that loses its database on the way is told as such, under the id of its request', async () => {
  await whileLocked('events', async (findWaiting) => {
    const answer = await ask(EXPORT)
    assert.equal(answer.status, 200)
    await service.pool.query('select pg_terminate_backend($1)', [await findWaiting()])
    await assert.rejects(answer.text())
    const id = answer.headers.get('x-request-id')
    await until(
      () => linesOf(id).length === 2,
      () => JSON.stringify(linesOf(id)),
    )
    const [broken, answered] = linesOf(id)
    assert.deepEqual([broken!['level'], broken!['msg']], [WARNING, 'The answer broke off'])
    assert.match(JSON.stringify(broken!['error']), /terminat/)
    const { operation, status, code } = answered!
    assert.deepEqual([operation, status, code], ['exportOrders', 503, 'unavailable'])
  })
})

test('an export whose client goes away is told as one, and warns nobody', async () => {
  await whileLocked('events', async (findWaiting) => {
    const answer = await ask(EXPORT)
    await findWaiting()
    await answer.body!.cancel()
    const id = answer.headers.get('x-request-id')
    await until(
      () => linesOf(id).length > 0,
      () => 'nothing is told',
    )
    assert.deepEqual(
      linesOf(id).map(({ level, status }) => [level, status]),
      [[30, 499]],
    )
  })
})

test('a request that the database was too late for is a warning, one that meets a fault of ours an error', async () => {
  const levelOf = (answer: Response) =>
    linesOf(answer.headers.get('x-request-id')).find(({ error }) => error !== undefined)?.['level']
  await whileLocked('orders', async (findWaiting) => {
    const asked = ask('/api/customer-orders')
    await service.pool.query('select pg_cancel_backend($1)', [await findWaiting()])
    const late = await asked
    assert.deepEqual([late.status, levelOf(late)], [503, WARNING])
  })
  await service.pool.query('alter table orders rename to gone')
  const broken = await ask('/api/customer-orders')
  await service.pool.query('alter table gone rename to orders')
  assert.deepEqual([broken.status, levelOf(broken)], [500, FAULT])
})
