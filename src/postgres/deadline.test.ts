// One deadline covers all database use, from the wait for a connection to every statement, and leaves nothing behind.
import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import type { Pool } from 'pg'
import { freshDatabase } from '../../test/fresh-database.ts'
import { isUnavailable } from './errors.ts'
import { DeadlineExceeded, createDeadlineTimer, raceDeadline, withDeadline } from '../concurrency/deadline.ts'
import { createPool } from './pool.ts'
import { inTransaction } from './transaction.ts'

let pool: Pool
before(async () => {
  const { connection } = await freshDatabase()
  pool = createPool(connection, { connectionsMax: 1, connectMilliseconds: 10_000 }, () => undefined)
  await pool.query('create table kept (n int)')
})
after(() => pool.end())

const within = <Result>(milliseconds: number, work: () => Result): Result =>
  withDeadline(performance.now() + milliseconds, work)

const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length

test('statements that each are quick enough are ended together at the deadline, and nothing is kept', async () => {
  let done = 0
  const slow = within(1_000, () =>
    inTransaction(pool, async (connection) => {
      await connection.query('insert into kept values (1)')
      for (; done < 100; done += 1) await connection.query('select pg_sleep(0.02)')
    }),
  )
  await assert.rejects(slow, (error) => isUnavailable(error))
  assert.ok(done > 0 && done < 100, `${done} statements`)
  assert.equal(pool.totalCount, 0)
  assert.deepEqual((await pool.query('select * from kept')).rows, [])
})

test('between two statements of a transaction the deadline ends it, too', async () => {
  const busy = within(100, () =>
    inTransaction(pool, async (connection) => {
      await connection.query('insert into kept values (2)')
      await new Promise((resolve) => connection.once('end', resolve))
    }),
  )
  await assert.rejects(busy, (error) => isUnavailable(error))
  assert.equal(pool.totalCount, 0)
  assert.deepEqual((await pool.query('select * from kept')).rows, [])
})

test('a single statement is ended at the deadline, and one that asks after it is not sent', async () => {
  await assert.rejects(
    within(100, () => pool.query('select pg_sleep(5)')),
    (error) => isUnavailable(error),
  )
  await assert.rejects(
    within(0, () => pool.query('insert into kept values (3)')),
    DeadlineExceeded,
  )
  assert.deepEqual((await pool.query('select * from kept')).rows, [])
})

test('the wait for a connection ends at the deadline, and the connection goes to the next', async () => {
  const held = await pool.connect()
  await assert.rejects(
    within(100, () => inTransaction(pool, () => Promise.resolve())),
    DeadlineExceeded,
  )
  const next = pool.query<{ one: number }>('select 1 as one')
  held.release()
  assert.deepEqual((await next).rows, [{ one: 1 }])
  assert.equal(pool.idleCount, 1)
})

test('what is done before its deadline leaves no timer, and its connection as it was', async () => {
  const pidOf = async () => (await pool.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]!.pid
  const pid = await pidOf()
  const count = timers()
  for (let time = 0; time < 20; time += 1) {
    await within(60_000, () => pool.query('select 1'))
    await within(60_000, () => inTransaction(pool, (connection) => connection.query('select 1')))
    await assert.rejects(within(60_000, () => inTransaction(pool, (connection) => connection.query('selekt'))))
  }
  assert.equal(timers(), count)
  assert.equal(await pidOf(), pid)
})

test('what another began is waited for no longer than the own deadline, and goes on', async () => {
  const begun = within(60_000, () => pool.query<{ one: number }>('select 1 as one from pg_sleep(0.2)'))
  const count = timers()
  const late = assert.rejects(
    within(50, () => raceDeadline(begun)),
    DeadlineExceeded,
  )
  const patient = within(60_000, () => raceDeadline(begun))
  await late
  assert.deepEqual((await patient).rows, [{ one: 1 }])
  await assert.rejects(
    within(60_000, () => raceDeadline(Promise.reject(new Error('as it failed')))),
    /as it failed/,
  )
  assert.ok(timers() < count, 'no timer is left')
})

test('an alarm is one timer, rings at the earliest deadline, and again for those that are told again', async () => {
  const rung: number[] = []
  const count = timers()
  await new Promise<void>((resolve) => {
    const later = performance.now() + 60
    const answerBy = createDeadlineTimer(() => {
      rung.push(performance.now())
      if (rung.length === 1) answerBy(later)
      else resolve()
    })
    for (const deadline of [Infinity, later, later - 40, later - 20]) answerBy(deadline)
    assert.ok(timers() <= count + 1)
    // The deadline timer itself does not keep the process alive.
    const stay = setInterval(() => rung.length === 2 && clearInterval(stay), 5)
  })
  assert.equal(rung.length, 2)
})
