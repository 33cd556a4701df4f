// A pool whose n-th call fails, in a chosen way: before the database does what it is asked, or after it has done so.
import type { Pool, PoolClient } from 'pg'

export type CallFault =
  /** The connection breaks before the statement is sent, or after it was carried out. */
  | { readonly kind: 'reset'; readonly isAfter: boolean }
  /** It is carried out, and the answer does not come. */
  | { readonly kind: 'timeout' }
  /** The database refuses it with this code, and the transaction with it. */
  | { readonly kind: 'code'; readonly sqlstate: string }

export interface FailingPool {
  readonly pool: Pool
  /** The n-th call from now on fails, counted from 1. */
  readonly arm: (call: number, fault: CallFault) => void
  /** Ends it. True where the call was reached. */
  readonly disarm: () => boolean
}

type Query = (...values: readonly unknown[]) => Promise<unknown>

/** What `pg` gives, with the calls counted; everything else of it is passed through. */
export function createFailingPool(real: Pool): FailingPool {
  let armed: { calls: number; readonly at: number; readonly fault: CallFault } | null = null

  async function run(client: PoolClient, values: readonly unknown[]): Promise<unknown> {
    const query = client.query.bind(client) as unknown as Query
    if (armed === null || (armed.calls += 1) !== armed.at) return query(...values)
    const { fault } = armed
    if (fault.kind === 'code') return query(raise(fault.sqlstate))
    if (fault.kind === 'reset' && !fault.isAfter) breakOff(client)
    const result = await query(...values)
    if (fault.kind === 'timeout') throw new Error('Query read timeout')
    breakOff(client)
    // Whatever was carried out, the program hears of the broken connection alone.
    return query('select 1').then(() => result)
  }

  const connect = async () => {
    const client = await real.connect()
    return new Proxy(client, {
      get: (target, name) => {
        if (name === 'query') return (...values: readonly unknown[]) => run(target, values)
        const value = Reflect.get(target, name, target) as unknown
        return typeof value === 'function' ? (value as Query).bind(target) : value
      },
    })
  }
  const query = async (...values: readonly unknown[]) => {
    const client = await real.connect()
    try {
      const result = await run(client, values)
      client.release()
      return result
    } catch (error) {
      client.release(error as Error)
      throw error
    }
  }
  const pool = new Proxy(real, {
    get: (target, name) => {
      if (name === 'query') return query
      if (name === 'connect') return connect
      const value = Reflect.get(target, name, target) as unknown
      return typeof value === 'function' ? (value as Query).bind(target) : value
    },
  })
  return {
    pool,
    arm: (at, fault) => (armed = { calls: 0, at, fault }),
    disarm: () => {
      const isReached = armed !== null && armed.calls >= armed.at
      armed = null
      return isReached
    },
  }
}

const raise = (sqlstate: string): string =>
  `do $$ begin raise exception 'made to fail' using errcode = '${sqlstate}'; end $$`

/** Its socket, which `pg` keeps to itself. */
function breakOff(client: PoolClient): void {
  const { connection } = client as unknown as {
    readonly connection: { readonly stream: { destroy(error: Error): void } }
  }
  connection.stream.destroy(Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }))
}
