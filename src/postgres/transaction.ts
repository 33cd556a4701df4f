// Transactions: all of it or nothing, and again where another process was quicker.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool, PoolClient } from 'pg'
import { isRetryable, isTimeout } from './errors.ts'

/** With a wait that doubles, some two seconds in all: far longer than any neighbour holds a lock. */
const ATTEMPTS_MAX = 9
const FIRST_WAIT_MS = 4

/** A pool, or the one connection that holds the locks. */
export type Connection = Pick<Pool | PoolClient, 'query'>

/** Runs what another process may get in the way of, until it does not. It must write nothing when it throws. */
export async function retryOnContention<Result>(attempt: () => Promise<Result>): Promise<Result> {
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await attempt()
    } catch (error) {
      if (!isRetryable(error) || attempts === ATTEMPTS_MAX) throw error
      // Of different lengths, so that two processes do not meet again.
      await sleep(Math.random() * FIRST_WAIT_MS * 2 ** attempts)
    }
  }
}

/** Reads that belong together see one state of the database. */
export const READ_ONLY_SNAPSHOT = 'begin isolation level repeatable read read only'

/** One connection, one transaction: committed when `work` is done, rolled back when it throws. */
export const inTransaction = <Result>(
  pool: Pool,
  work: (connection: PoolClient) => Promise<Result>,
  begin = 'begin',
): Promise<Result> => withConnection(pool, (connection) => runTransaction(connection, work, begin))

/** A transaction that is left open when `work` throws: `withConnection` rolls it back. */
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

/** One connection, given back without a transaction on it, or ended. */
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
      // Nor would it answer a rollback, and the caller would wait as long again; to end the connection is one.
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
