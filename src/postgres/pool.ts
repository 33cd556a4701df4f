// Connection pools for PostgreSQL, for the embedded server or the one in DATABASE_URL.
import pg from 'pg'
import { DeadlineExceeded, currentDeadline } from '../concurrency/deadline.ts'
import type { ConnectionSettings } from './embedded/connection-file.ts'

export interface PoolLimits {
  readonly connectionsMax: number
  /** For a new connection, and for a free one if all are busy. */
  readonly connectMilliseconds: number
  /** The server cancels a statement after this time. */
  readonly statementMilliseconds: number
  /** The client gives up after this time. It is longer than the server's limit, for a network that drops packets. */
  readonly answerMilliseconds: number
  readonly idleMilliseconds: number
}

export const POOL_LIMITS: PoolLimits = {
  connectionsMax: 20,
  connectMilliseconds: 2_000,
  statementMilliseconds: 10_000,
  answerMilliseconds: 12_000,
  idleMilliseconds: 30_000,
}

// TCP probes a silent peer after this time.
const KEEP_ALIVE_MILLISECONDS = 5_000

/**
 * `synchronous_commit` is not set here. Forcing `on` would weaken a server set to `remote_apply`, and a connection
 * pooler in between may reject the parameter. `checkDurability` reads the value that a session of this pool has.
 */
export function createPool(
  target: ConnectionSettings | string,
  limits: Partial<PoolLimits> = {},
  report: (sentence: string) => void = toStderr,
): pg.Pool {
  const { connectionsMax, connectMilliseconds, statementMilliseconds, answerMilliseconds, idleMilliseconds } = {
    ...POOL_LIMITS,
    ...limits,
  }
  const pool = new LendingPool({
    ...(typeof target === 'string' ? { connectionString: target } : target),
    max: connectionsMax,
    connectionTimeoutMillis: connectMilliseconds,
    statement_timeout: statementMilliseconds,
    query_timeout: answerMilliseconds,
    idleTimeoutMillis: idleMilliseconds,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MILLISECONDS,
    application_name: 'cradle',
    types: EXACT_TYPES,
    // oxlint-disable-next-line typescript/no-misused-promises -- the pool waits for it; its types do not say so
    onConnect: lookUpByKey,
  })
  // Without a listener, a connection that dies while idle (the server restarts) would end our process.
  pool.on('error', (error) => report(`Lost an idle connection to the database: ${error.message}.`))
  // The same applies to a connection in use, which may die between two statements of a transaction, or report two
  // errors. The next statement fails with the error.
  pool.on('connect', (connection) => connection.on('error', () => {}))
  return pool
}

/** The target and the limits of a pool, in a form that can be sent to another process. */
export function poolSettings({ options }: pg.Pool) {
  // The pool hides its password from code that copies its options.
  const { connectionString, host, port, user, password, database } = options
  const limits = {
    connectMilliseconds: options.connectionTimeoutMillis,
    statementMilliseconds: options.statement_timeout,
    answerMilliseconds: options.query_timeout,
  }
  const target = connectionString ?? { host, port, user, password, database }
  return { target, limits } as { readonly target: ConnectionSettings | string; readonly limits: Partial<PoolLimits> }
}

type Lent = (error: Error | undefined, connection: pg.PoolClient | undefined, release: () => void) => void

/** Lends a connection only until the caller's deadline. Then the connection is ended, whatever it is doing. */
class LendingPool extends pg.Pool {
  override connect(): Promise<pg.PoolClient>
  override connect(callback: Lent): void
  override connect(callback?: Lent): Promise<pg.PoolClient> | undefined {
    const lent = this.#lend(currentDeadline())
    // The pool's own `query` passes a callback.
    if (!callback) return lent
    lent.then(
      (connection) => callback(undefined, connection, () => connection.release()),
      (error: Error) => callback(error, undefined, () => {}),
    )
    return undefined
  }

  #lend(deadline: number): Promise<pg.PoolClient> {
    if (deadline === Infinity) return super.connect()
    // Node keeps a list of timers for each duration; whole milliseconds let timers share a list.
    const milliseconds = Math.ceil(deadline - performance.now())
    if (milliseconds <= 0) return Promise.reject(new DeadlineExceeded())
    return new Promise((resolve, reject) => {
      let end = () => reject(new DeadlineExceeded())
      let isOver = false
      const timer = setTimeout(() => {
        isOver = true
        end()
      }, milliseconds)
      super.connect().then(
        (connection) => {
          if (isOver) return connection.release()
          end = () => void (connection as unknown as pg.Client).end()
          const release = connection.release.bind(connection)
          connection.release = (error) => {
            clearTimeout(timer)
            release(error)
          }
          resolve(connection)
        },
        (error: Error) => {
          clearTimeout(timer)
          reject(error)
        },
      )
    })
  }
}

/**
 * All our statements look rows up by key. A plan that was made while a table was small would scan it completely for
 * each row, and would be reused while the table grows.
 */
async function lookUpByKey(connection: pg.ClientBase): Promise<void> {
  await connection.query('set enable_seqscan = off')
}

/**
 * A connection outside the pool and without its statement limits, which are for orders: migrating or reading everything
 * takes longer.
 */
export function connectDirectly(pool: pg.Pool): pg.Client {
  // The pool hides its password from code that copies its options.
  const { password } = pool.options
  const client = new pg.Client({
    ...pool.options,
    ...(password === undefined ? {} : { password }),
    statement_timeout: 0,
    query_timeout: 0,
  })
  // The failing query reports the error; without a listener, the lost connection would also end the process.
  client.on('error', () => {})
  return client
}

const INT8 = 20
const DATE = 1082

// For this pool only: other users of `pg` in the process keep their own parsers. A double would round milligrams beyond
// 2^53. A Date made from a calendar day is midnight in the machine's time zone, and another day elsewhere.
const EXACT_TYPES: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) => {
    if (format !== 'binary' && Number(oid) === INT8) return BigInt
    if (format !== 'binary' && Number(oid) === DATE) return String
    return pg.types.getTypeParser(oid, format) as unknown
  },
}

function toStderr(sentence: string): void {
  process.stderr.write(`${sentence}\n`)
}
