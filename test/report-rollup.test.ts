// Folding beside those who post: nothing is lost, doubled or seen half; and a byte that is changed is found.
import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { verifyAll } from '../src/cli/verify.ts'
import type { Connection } from '../src/postgres/transaction.ts'
import { rollUpOnce, resetRollups, type RollupStep } from '../src/postgres/reporting/watermarks.ts'
import { ensureAccount } from '../src/postgres/accounts.ts'
import { migrate, readMigrations } from '../src/postgres/migrations.ts'
import { createRollups, type RollupRun } from '../src/postgres/reporting/store.ts'
import { rollUp } from '../src/reporting/rollup.ts'
import { foldAll } from './roll-up-all.ts'
import { createFactBuilder } from '../src/reporting/facts-of-entry.ts'
import { until } from './command.ts'
import type { Json } from './document-check.ts'
import { freshDatabase } from './fresh-database.ts'
import { startService, type Service } from './service.ts'
import { createOrderClient, order, type OrderClient } from './order-client.ts'

const FOLD_AND_WAIT = join(import.meta.dirname, 'roll-up-and-wait.ts')
const KILLS = 2

let service: Service
let client: OrderClient
before(async () => {
  service = await startService()
  client = createOrderClient(service)
})
after(() => service.stop())

const referenceDataOf = () => Promise.resolve(service.server.referenceData)
const fail = (error: Error) => {
  throw error
}
/** Everything that is there by now. */
const foldNow = () => foldAll({ folds: createRollups(service.pool, 0, 0), referenceDataOf }, () => false, fail)

const post = (from: number, to: number, posted = client) =>
  Promise.all(
    Array.from({ length: to - from }, async (_, at) => {
      const id = `o${from + at}`
      await posted.post(order(`c${at % 3}`, id, [`${id}-1`, `${id}-2`]))
      if (at % 4 === 0)
        await posted.tell(`c${at % 3}`, id, { event_id: `e-${id}`, type: 'returned', date: '2025-05-20' })
    }),
  )

async function report(query = ''): Promise<Json> {
  const { status, text } = await client.ask(`/api/reports/emissions${query}`)
  assert.equal(status, 200, text)
  return { ...(JSON.parse(text) as Json), generated_at: null }
}

const differences = async () => (await verifyAll(service.pool)).lines

const folded = async () => {
  const { rows } = await service.pool.query<{ readonly facts: number }>(
    'select coalesce(sum(facts), 0)::integer as facts from fact_chunks',
  )
  return rows[0]!.facts
}

test('what fails between the chunks and the mark leaves neither, and is folded later', async () => {
  await post(0, 12)
  const unfolded = await report('?group_by=customer,part')
  const folds = createRollups(service.pool, 0, 0)
  const safe = (await folds.safeTime())!
  const [unfoldedAccount] = await folds.unfolded(safe)
  const breaking = async (folding: RollupRun) => {
    await rollUp(folding, createFactBuilder(referenceDataOf))
    throw new Error('ended here')
  }
  await assert.rejects(folds.foldOnce(unfoldedAccount!.accountId, safe, breaking), /ended here/)
  assert.equal(await folded(), 0)
  assert.deepEqual(await report('?group_by=customer,part'), unfolded)
  await foldNow()
  // Each early return takes back what there was, and puts in what is left.
  assert.equal(await folded(), 24 + 3 * 2 * 2)
  assert.deepEqual(await report('?group_by=customer,part'), unfolded)
  assert.deepEqual(await differences(), [])
})

test('a process that is killed between chunks and mark leaves neither, and another folds all of it', async () => {
  await foldNow()
  await post(20, 26)
  const [facts, told] = [await folded(), await report('?group_by=customer,part')]
  const { host, port, user, password, database } = service.pool.options
  for (let kill = 0; kill < KILLS; kill += 1) {
    const words = [FOLD_AND_WAIT, JSON.stringify({ host, port, user, password, database })]
    const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] })
    const ended = once(child, 'close')
    await once(child.stdout, 'data')
    child.kill('SIGKILL')
    assert.deepEqual(await ended, [null, 'SIGKILL'])
    assert.equal(await folded(), facts)
    assert.deepEqual(await report('?group_by=customer,part'), told)
  }
  // PostgreSQL notices only after a while that the one is gone that held the mark.
  await until(
    async () => {
      await foldNow()
      return (await folded()) > facts
    },
    () => 'what was being folded is not folded again',
  )
  assert.deepEqual(await report('?group_by=customer,part'), told)
  assert.deepEqual(await differences(), [])
})

test('while orders are posted, two processes fold, and every report has all that was answered before it', async () => {
  let isPosting = true
  const folding = Array.from({ length: 2 }, async () => {
    const folds = createRollups(service.pool, 100, 0)
    while (isPosting) await foldAll({ folds, referenceDataOf }, () => false, fail)
  })
  const before = Number((await report())['number_of_orders'])
  for (let round = 0; round < 5; round += 1) {
    await post(100 + 20 * round, 120 + 20 * round)
    assert.equal((await report())['number_of_orders'], before + 20 * (round + 1))
  }
  isPosting = false
  await Promise.all(folding)
  assert.deepEqual(await differences(), [])
  const tailed = await report('?group_by=month,customer&date_basis=tenure')
  await foldNow()
  assert.deepEqual(await report('?group_by=month,customer&date_basis=tenure'), tailed)
  assert.deepEqual(await differences(), [])
})

test('a writer that has not committed holds the mark back, however long ago it began', async () => {
  const writer = await service.pool.connect()
  try {
    await writer.query('begin')
    await writer.query(`insert into entries (account_id, entry_no, posted_at, embodied_mg, use_mg, packaging_mg,
      transportation_mg, embodied_added_mg, release_id, serial_number, customer_id, order_id, reason)
      values (0, 1, now(), 0, 0, 0, 0, 0, 1, 'none', 'none', 'none', 'order')`)
    const { rows } = await writer.query<{ readonly began: string }>('select now()::text as began')
    await post(300, 301)
    const safe = (await createRollups(service.pool, 0, 0).safeTime())!
    assert.ok(Date.parse(safe) < Date.parse(rows[0]!.began))
  } finally {
    await writer.query('rollback')
    writer.release()
  }
})

test('what is posted by a clock that was set back behind what is folded is in every report, and folded', async () => {
  await foldNow()
  const [facts, before] = [await folded(), Number((await report())['number_of_orders'])]
  // As if all that is folded were posted by a clock two seconds ahead.
  await service.pool.query(`update report_watermarks
    set rolled_up_until = date_trunc('milliseconds', clock_timestamp() + interval '2 seconds')`)
  // New orders, one of a device that is known, and an event.
  await post(400, 401)
  await client.post(order('c2', 'o401', ['o400-1']))
  const told = await report('?group_by=month,customer&date_basis=tenure')
  assert.equal((await report())['number_of_orders'], before + 2)
  assert.deepEqual(await differences(), [])
  await until(
    async () => {
      await foldNow()
      return (await folded()) > facts
    },
    () => 'what was posted by a clock that was set back is not folded',
  )
  assert.deepEqual(await report('?group_by=month,customer&date_basis=tenure'), told)
  assert.deepEqual(await differences(), [])
})

test('a byte that is changed in a chunk is found, as is a chunk too many; forgotten, all is folded again', async () => {
  await foldNow()
  const right = await report('?group_by=model,part')
  const { rowCount } = await service.pool.query(
    `update fact_chunks
      set content = set_byte(content, length(content) - 20, 255 - get_byte(content, length(content) - 20))`,
  )
  assert.equal(rowCount, 1)
  assert.match(
    (await differences()).join('\n'),
    /^account "test", chunk 0 of its reports: content: found \w{64}, expected/,
  )
  await service.pool
    .query(`insert into fact_chunks select account_id, 1, facts, min_order_day, max_order_day, min_dispatch_day,
    max_dispatch_day, min_tenure_day, max_tenure_day, content from fact_chunks`)
  assert.match((await differences()).join('\n'), /its reports: chunks: found 2, expected 1/)
  await resetRollups(service.pool, null)
  assert.equal(await folded(), 0)
  assert.deepEqual(await report('?group_by=model,part'), right)
  await foldNow()
  assert.deepEqual(await differences(), [])
  assert.deepEqual(await report('?group_by=model,part'), right)
})

test('an account that is forgotten while another is folded is folded again, and nothing of it is missing', async () => {
  const key = await service.createKey(undefined, null, 'other')
  const { rows } = await service.pool.query<{ readonly accountId: number }>(
    `select account_id as "accountId" from accounts where name = 'test'`,
  )
  const told = await report('?group_by=month')
  await foldNow()
  await createOrderClient(service, key).post(order('c1', 'of-other', ['of-other-1']))
  const forgetting = async () => {
    await resetRollups(service.pool, rows[0]!.accountId)
    return service.server.referenceData
  }
  await foldAll({ folds: createRollups(service.pool, 0, 0), referenceDataOf: forgetting }, () => false, fail)
  assert.deepEqual(await report('?group_by=month'), told)
  assert.deepEqual(await differences(), [])
})

test('an account that was removed, or is being removed, gets no watermark', async () => {
  const { accountId } = await ensureAccount(service.pool, 'removed')
  const rollUpRemoved = () => rollUpOnce(service.pool, accountId, new Date().toISOString(), () => Promise.resolve())
  const remover = await service.pool.connect()
  try {
    await remover.query('begin')
    await remover.query('select from accounts where account_id = $1 for update', [accountId])
    assert.equal(await rollUpRemoved(), false)
    await remover.query('delete from accounts where account_id = $1', [accountId])
    await remover.query('commit')
  } finally {
    remover.release()
  }
  assert.equal(await rollUpRemoved(), false)
  const { rows } = await service.pool.query('select from report_watermarks where account_id = $1', [accountId])
  assert.equal(rows.length, 0)
})

test('of more entries than one statement looks through, a piece is folded at a time, and each entry once', async () => {
  // Not the database of the service, which folds as well.
  const { pool } = await freshDatabase()
  await migrate(pool, readMigrations())
  const { accountId: id } = await ensureAccount(pool, 'long')
  const entries = 300_000
  await pool.query(
    `insert into entries (account_id, entry_no, posted_at, embodied_mg, use_mg, packaging_mg, transportation_mg,
        embodied_added_mg, release_id, serial_number, customer_id, order_id, reason)
      select $1, 1, now() - interval '1 day' + n / 5000 * interval '1 second', 1, 1, 1, 1,
        0, 1, 's' || n, 'c', 'o', 'order'
      from generate_series(1, $2::integer) as n`,
    [id, entries],
  )
  const folds = createRollups(pool, 0, 0)
  const safe = (await folds.safeTime())!
  const unfolded = await folds.unfolded(safe)
  assert.ok(unfolded.find(({ accountId }) => accountId === id)!.oldestSeconds > 60_000, 'found though much is there')
  const pieces: number[] = []
  const count = async (connection: Connection, { after, until }: RollupStep) => {
    const { rowCount } = await connection.query(
      'select from entries where account_id = $1 and posted_at > $2 and posted_at <= $3',
      [id, after, until],
    )
    pieces.push(rowCount!)
  }
  while (await rollUpOnce(pool, id, safe, count));
  assert.equal(
    pieces.reduce((sum, one) => sum + one, 0),
    entries,
  )
  assert.ok(pieces.length > 3 && Math.max(...pieces) < 75_000, pieces.join(' '))
})
