// Transactions, and their retries when another process was faster.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool, PoolClient } from 'pg'
import { isRetryable, isTimeout } from './errors.ts'

/** With waits that double, up to about two seconds in total: far longer than any other transaction holds a lock. */
const ATTEMPTS_MAX = 9
const FIRST_WAIT_MS = 4

/** A pool, or the one connection that holds the locks. */
export type Connection = Pick<Pool | PoolClient, 'query'>

/** Retries what concurrent writes of another process may prevent. The attempt must write nothing if it throws. */
export async function retryOnContention<Result>(attempt: () => Promise<Result>): Promise<Result> {
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await attempt()
    } catch (error) {
      if (!isRetryable(error) || attempts === ATTEMPTS_MAX) throw error
      // Random, so that two processes do not collide again.
      await sleep(Math.random() * FIRST_WAIT_MS * 2 ** attempts)
    }
  }
}

/** Makes related reads see one snapshot. */
export const READ_ONLY_SNAPSHOT = 'begin isolation level repeatable read read only'

/** One connection and one transaction, which is committed when `work` is done and rolled back when it throws. */
export const inTransaction = <Result>(
  pool: Pool,
  work: (connection: PoolClient) => Promise<Result>,
  begin = 'begin',
): Promise<Result> => withConnection(pool, (connection) => runTransaction(connection, work, begin))

/** Leaves the transaction open if `work` throws: `withConnection` rolls it back. */
export async function runTransaction<Result>(
  connection: PoolClient,
  work: (connection: PoolClient) => Promise<Result>,
  begin: string,
): Promise<Result> {
  await connection.query(begin)
  const result = await work(connection)
  await connection.query('commit')
  return result
}

/** Runs `work` on one connection, which is released without an open transaction, or ended. */
export async function withConnection<Result>(
  pool: Pool,
  work: (connection: PoolClient) => Promise<Result>,
): Promise<Result> {
  const connection = await pool.connect()
  try {
    const result = await work(connection)
    connection.release()
    return result
  } catch (error) {
    if (isTimeout(error)) {
      // A silent server would not answer a rollback either, and the caller would wait as long again. Ending the
      // connection also rolls back.
      connection.release(error)
      throw error
    }
    await connection.query('rollback').then(
      () => connection.release(),
      (broken: Error) => connection.release(broken),
    )
    throw error
  }
}
