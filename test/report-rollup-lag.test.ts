// Reports while much of an account is not folded: it is folded first, and who comes too early is told to come again.
import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { createRollups } from '../src/postgres/reporting/store.ts'
import { resetRollups } from '../src/postgres/reporting/watermarks.ts'
import { rollUpBacklog } from '../src/reporting/rollup-job.ts'
import { until } from './command.ts'
import type { Json } from './document-check.ts'
import { startService, type Service } from './service.ts'
import { createOrderClient, order, type OrderClient } from './order-client.ts'

/** More entries than are folded at once, of which there are 16,384. */
const ORDERS = 18
const ITEMS = 999
const HELD_MS = 500
const REPORT = '/api/reports/emissions?group_by=model,customer'

let service: Service
let client: OrderClient
let accountId: number
before(async () => {
  service = await startService()
  client = createOrderClient(service)
  for (let at = 0; at < ORDERS; at += 1) {
    const serials = Array.from({ length: ITEMS }, (_, item) => `s${at}-${item}`)
    await client.post(order(`c${at % 3}`, `o${at}`, serials))
  }
  // Longer ago than what may still be coming.
  await service.pool.query(`update entries set posted_at = posted_at - interval '1 minute'`)
  const { rows } = await service.pool.query<{ readonly id: number }>('select distinct account_id as id from entries')
  accountId = rows[0]!.id
})
after(() => service.stop())

async function report(): Promise<Json> {
  const { status, text } = await client.ask(REPORT)
  assert.equal(status, 200, text)
  return { ...(JSON.parse(text) as Json), generated_at: null }
}

async function countFolded(): Promise<number> {
  const { rows } = await service.pool.query<{ readonly facts: number }>(
    'select coalesce(sum(facts), 0)::integer as facts from fact_chunks',
  )
  return rows[0]!.facts
}

/** Nothing of the account is folded, and nothing is meanwhile, by anybody. */
async function withHeldMark<Result>(use: () => Promise<Result>): Promise<Result> {
  const connection = await service.pool.connect()
  try {
    for (;;) {
      await resetRollups(service.pool, accountId)
      await connection.query(
        `insert into report_watermarks (account_id, rolled_up_until) values ($1, 'epoch')
        on conflict do nothing`,
        [accountId],
      )
      await connection.query('begin')
      await connection.query('select from report_watermarks where account_id = $1 for update', [accountId])
      // The service may have folded just before it was held.
      if ((await countFolded()) === 0) break
      await connection.query('rollback')
    }
    return await use()
  } finally {
    await connection.query('rollback')
    connection.release()
  }
}

const folded = () => ({
  folds: createRollups(service.pool, 0, 0),
  referenceDataOf: () => Promise.resolve(service.server.referenceData),
})

test('what a report would have to read entry by entry is folded before it, and is the same', async () => {
  await resetRollups(service.pool, accountId)
  const told = await report()
  assert.ok((await countFolded()) >= 16_384)
  assert.equal(told['number_of_orders'], ORDERS)
  await rollUpBacklog(folded(), accountId, () => true)
  assert.deepEqual(await report(), told)
})

test('a report that has no time to fold is refused in plain words, and is there once that is done', async () => {
  const told = await withHeldMark(() => client.ask(REPORT))
  assert.deepEqual([told.status, told.headers['retry-after']], [503, '1'])
  assert.match(told.text, /are being prepared for reports; try again in some seconds/)
  assert.equal((await report())['number_of_orders'], ORDERS)
})

test('a backlog that another process is at is waited for, and left where there is no time to', async () => {
  let asked = 0
  const waited = withHeldMark(async () => {
    assert.equal(await rollUpBacklog(folded(), accountId, () => false), false)
    const folding = rollUpBacklog(folded(), accountId, () => (asked += 1) > 0)
    await until(
      () => asked > 2,
      () => 'not asked again while it is held',
    )
    assert.equal(await countFolded(), 0)
    return { folding }
  })
  const { folding } = await waited
  assert.equal(await folding, true)
  assert.ok((await countFolded()) >= 16_384)
})

test('reports that wait for a backlog of their account do not keep another account from its own', async () => {
  const key = await service.createKey(undefined, null, 'another')
  const another = async () => (await service.ask(REPORT, { headers: { 'x-api-key': key } })).status
  assert.equal(await another(), 200)
  await resetRollups(service.pool, accountId)
  const connection = await service.pool.connect()
  let waiting: readonly Promise<unknown>[] = []
  try {
    // As while another process folds the first piece: its mark is not to be seen yet.
    await connection.query('begin')
    await connection.query(`insert into report_watermarks (account_id, rolled_up_until) values ($1, 'epoch')`, [
      accountId,
    ])
    waiting = Array.from({ length: 12 }, () => client.ask(REPORT))
    await sleep(HELD_MS)
    assert.equal(await another(), 200)
  } finally {
    await connection.query('rollback')
    connection.release()
    await Promise.all(waiting)
  }
})
