// The connections to PostgreSQL, whether it is our own or one named by DATABASE_URL.
import pg from 'pg'
import { DeadlineExceeded, currentDeadline } from '../concurrency/deadline.ts'
import type { ConnectionSettings } from './embedded/connection-file.ts'

export interface PoolLimits {
  readonly connectionsMax: number
  /** For a new connection, and for a free one when all are busy. */
  readonly connectMilliseconds: number
  /** The server ends a statement after this. */
  readonly statementMilliseconds: number
  /** We give up on an answer after this: longer than the server's limit, for a network that swallows packets. */
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

// TCP asks a silent peer this early whether it is still there.
const KEEP_ALIVE_MILLISECONDS = 5_000

/**
 * `synchronous_commit` is not set here. Forcing `on` would weaken a server set to `remote_apply`, and a connection
 * pooler in between may refuse the parameter; what a session of this pool really has is read by `checkDurability`.
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
    // eslint-disable-next-line @typescript-eslint/no-misused-promises -- the pool waits for it; its types do not say so
    onConnect: lookUpByKey,
  })
  // Without a listener, a connection that dies while idle (the server restarts) would end our process.
  pool.on('error', (error) => report(`Lost an idle connection to the database: ${error.message}.`))
  // The same of one that is in use, which may die between two statements of a transaction, or in two ways at once: the
  // next statement tells.
  pool.on('connect', (connection) => connection.on('error', () => {}))
  return pool
}

/** Where a pool's connections lead, and under which limits, in a form that another process can be told. */
export function poolSettings({ options }: pg.Pool) {
  // The pool hides its password from those who copy its options.
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

/** Lends a connection no longer than until the deadline of who asks: then it is ended, whatever it is doing. */
class LendingPool extends pg.Pool {
  override connect(): Promise<pg.PoolClient>
  override connect(callback: Lent): void
  override connect(callback?: Lent): Promise<pg.PoolClient> | undefined {
    const lent = this.#lend(currentDeadline())
    // As `query` of the pool itself asks.
    if (!callback) return lent
    lent.then(
      (connection) => callback(undefined, connection, () => connection.release()),
      (error: Error) => callback(error, undefined, () => {}),
    )
    return undefined
  }

  #lend(deadline: number): Promise<pg.PoolClient> {
    if (deadline === Infinity) return super.connect()
    // Node keeps a list of timers for each length of time: whole milliseconds share theirs.
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
 * Every statement of ours looks up by key. A plan that was made while a table was small would read all of it for each
 * row, and be kept while it grows.
 */
async function lookUpByKey(connection: pg.ClientBase): Promise<void> {
  await connection.query('set enable_seqscan = off')
}

/** A connection beside the pool, whose limits on statements are for orders: changing or reading all takes longer. */
export function connectDirectly(pool: pg.Pool): pg.Client {
  // The pool hides its password from those who copy its options.
  const { password } = pool.options
  const client = new pg.Client({
    ...pool.options,
    ...(password === undefined ? {} : { password }),
    statement_timeout: 0,
    query_timeout: 0,
  })
  // The failing query tells; without a listener the lost connection would also end the process.
  client.on('error', () => {})
  return client
}

const INT8 = 20
const DATE = 1082

// Of this pool only: other users of `pg` in the process keep their own. A double would round milligrams beyond 2^53;
// a Date made of a day is midnight in the machine's time zone, and another day elsewhere.
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
