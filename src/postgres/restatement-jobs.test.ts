// The lease of a restatement: one process works on it at a time, and another one goes on with it once that has ended.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Pool } from 'pg'
import { freshDatabase } from '../../test/fresh-database.ts'
import { SCOPES, createKey, ensureAccount } from './accounts.ts'
import { LeaseLost } from './errors.ts'
import { migrate, readMigrations } from './migrations.ts'
import { createRestatementJobs } from './restatement-jobs.ts'
import { createRestatements } from './restatements.ts'

/** So long that it does not end while a test runs. */
const HOUR = 3_600_000

let pool: Pool
let accountId: number
let keyId: number
before(async () => {
  pool = (await freshDatabase()).pool
  await migrate(pool, readMigrations())
  ;({ accountId } = await ensureAccount(pool, 'leased'))
  await createKey(pool, accountId, SCOPES, null)
  keyId = (await pool.query<{ readonly key_id: number }>('select key_id from api_keys')).rows[0]!.key_id
})

const request = () =>
  createRestatements(pool).create(accountId, { scope: '{}', figures: '{}', reason: 'test', keyId }, 100)
const endLease = () => pool.query(`update restatements set leased_until = clock_timestamp() - interval '1 ms'`)

test('a second process takes a restatement only when the lease of the first has ended', async () => {
  const [first, second] = [createRestatementJobs(pool), createRestatementJobs(pool)]
  const requested = (await request())!
  const claimed = (await first.claim('first', HOUR))!
  assert.equal(claimed.restatementId, requested.restatementId)
  assert.equal(await second.claim('second', HOUR), null)
  await endLease()
  // It renews a lease that has ended, unless another process was quicker.
  await first.update(claimed, 'first', HOUR, { ordersDone: 1, ordersTotal: 2 })
  assert.equal(await second.claim('second', HOUR), null)
  await endLease()
  assert.equal((await second.claim('second', HOUR))?.ordersDone, 1)
  await assert.rejects(first.update(claimed, 'first', HOUR, {}), LeaseLost)
  assert.equal(await first.claim('first', HOUR), null)
  await second.update(claimed, 'second', HOUR, { state: 'previewed' })
  assert.equal(await first.claim('first', HOUR), null, 'nobody works on it any more')
  await assert.rejects(second.update(claimed, 'second', HOUR, {}), LeaseLost)
})

test('processes that look at one moment take different restatements', async () => {
  const requested = [await request(), await request()].map((one) => one!.restatementId)
  const claimed = await Promise.all(['a', 'b', 'c'].map((holder) => createRestatementJobs(pool).claim(holder, HOUR)))
  const taken = claimed.flatMap((one) => one?.restatementId ?? [])
  assert.deepEqual(taken.toSorted(), requested)
  for (const [at, one] of claimed.entries())
    if (one) await createRestatementJobs(pool).update(one, ['a', 'b', 'c'][at]!, HOUR, { state: 'failed' })
})

test('a failure gives up the lease at once, and is counted with its code', async () => {
  const jobs = createRestatementJobs(pool)
  const requested = (await request())!
  const claimed = (await jobs.claim('first', HOUR))!
  await jobs.update(claimed, 'first', HOUR, { error: 'unavailable' })
  const again = (await jobs.claim('second', HOUR))!
  assert.deepEqual(
    [again.restatementId, again.state, again.interruptions, again.lastError],
    [requested.restatementId, 'previewing', 1, 'unavailable'],
  )
  assert.ok(again.lastErrorAt)
})
