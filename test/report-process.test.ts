// The process that makes reports, ended in the middle of one: what clients and the operator are told.
import { before, test } from 'node:test'
import assert from 'node:assert/strict'
import type { FastifyInstance } from 'fastify'
import type { Pool } from 'pg'
import { reportProcessOf } from '../bench/process-clock.ts'
import { DEFAULT_BOUNDARY } from '../src/engine/inventory-boundary.ts'
import { runReport } from '../src/reporting/run-report.ts'
import { ensureAccount } from '../src/postgres/accounts.ts'
import { createReplicaReads } from '../src/postgres/read-replica.ts'
import { createReadFacts } from '../src/postgres/reporting/store.ts'
import { FIRST_DAY, LAST_DAY } from '../src/reporting/query.ts'
import { until } from './command.ts'
import { keepLog } from './captured-log.ts'
import { order } from './order-client.ts'
import { startService } from './service.ts'
import { shippedReferenceData } from './shipped-book.ts'

const { logger, lines } = keepLog('warn')
/** Of entries, which are read page by page. */
const MORE_THAN_A_PAGE = 300
let app: FastifyInstance
let pool: Pool
let accountId: number
let key: string

before(async () => {
  const service = await startService({ logger })
  ;({ pool, key } = service)
  ;({ app } = service.server)
  accountId = (await ensureAccount(pool, 'test')).accountId
})

const ask = () => app.inject({ url: '/api/reports/emissions', headers: { 'x-api-key': key } })
const post = (id: string) =>
  app.inject({
    method: 'POST',
    url: '/api/customer-orders',
    headers: { 'x-api-key': key },
    payload: order('c', id, [`${id}-1`]) as object,
  })
const inAll = (payload: string) => (JSON.parse(payload) as { readonly number_of_orders: number }).number_of_orders

test('where nobody asks for a report, there is no process for them', async () => {
  assert.equal((await post('o1')).statusCode, 200)
  assert.equal(reportProcessOf(process.pid), undefined)
})

test('who waits for a report whose process is killed is told to come again; orders and reports go on', async () => {
  assert.equal(inAll((await ask()).payload), 1)
  const pid = reportProcessOf(process.pid)!
  process.kill(pid, 'SIGSTOP')
  const waiting = ask()
  assert.equal((await post('o2')).statusCode, 200)
  process.kill(pid, 'SIGKILL')
  const { statusCode, headers } = await waiting
  assert.deepEqual([statusCode, headers['retry-after']], [503, '1'])
  assert.match(JSON.stringify(lines), /The process for reports ended by SIGKILL/)
  assert.equal((await post('o3')).statusCode, 200)
  let payload = ''
  const isThere = async () => {
    const answer = await ask()
    payload = answer.payload
    return answer.statusCode === 200
  }
  await until(isThere, () => payload)
  assert.equal(inAll(payload), 3)
})

test('a report that nobody waits for any more is given up while it is read', async () => {
  await Promise.all(Array.from({ length: MORE_THAN_A_PAGE }, (_, at) => post(`more-${at}`)))
  const leaving = new AbortController()
  const referenceDataOf = () => {
    leaving.abort(new Error('gone'))
    return Promise.resolve(shippedReferenceData().referenceData)
  }
  const facts = { readFacts: createReadFacts(createReplicaReads(pool, null)), referenceDataOf }
  const query = { accountId, customerId: null, from: FIRST_DAY, to: LAST_DAY }
  const now = new Date()
  const about = {
    title: 'Quality',
    account: 'test',
    view: DEFAULT_BOUNDARY,
    exportedAt: now,
    methodVersion: '1',
    filters: {},
  }
  const asked = runReport(facts, { of: 'quality', query, rowsToMend: 1, about, format: 'json' }, leaving.signal)
  await assert.rejects(asked, /gone/)
})
