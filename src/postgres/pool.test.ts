// Tests how the pool and its transactions handle lost connections and timeouts.
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises'
import { freshDatabase } from '../../test/fresh-database.ts'
import { isTimeout, isUnavailable } from './errors.ts'
import { createPool } from './pool.ts'
import { inTransaction } from './transaction.ts'

test('a connection that dies between two statements of a transaction fails that one, and not the program', async () => {
  const { pool } = await freshDatabase()
  const lost = inTransaction(pool, async (connection) => {
    const { rows } = await connection.query<{ readonly pid: number }>('select pg_backend_pid() as pid')
    await pool.query('select pg_terminate_backend($1)', [rows[0]!.pid])
    await sleep(100)
    await connection.query('select 1')
  })
  await assert.rejects(lost, (error) => isUnavailable(error))
  assert.deepEqual((await pool.query('select 1 as one')).rows, [{ one: 1 }])
  assert.equal(pool.idleCount, pool.totalCount)
})

test('a transaction whose statement is not answered in time fails then, and does not wait for a rollback', async () => {
  const { connection } = await freshDatabase()
  const impatient = createPool(connection, { answerMilliseconds: 1_000 }, () => {})
  const { promise: hasFailed, resolve: fail } = Promise.withResolvers<void>()
  const silent = inTransaction(impatient, (client) => client.query('select pg_sleep(5)').finally(fail))
  const soonAfter = hasFailed.then(() => turn())
  await assert.rejects(Promise.race([silent, soonAfter]), (error) => isTimeout(error) && isUnavailable(error))
  assert.equal(impatient.totalCount, 0)
  await impatient.end()
})
