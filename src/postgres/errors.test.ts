// Tests the classification of real database errors: an error of the row, the state of the database, or a programming
// error.
import { before, test } from 'node:test'
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { freshDatabase, type FreshDatabase } from '../../test/fresh-database.ts'
import { isUnreachable, isRowError, isUnavailable, unavailabilityOf } from './errors.ts'
import { createPool, connectDirectly } from './pool.ts'

let database: FreshDatabase
before(async () => void (database = await freshDatabase()))

const errorOf = async (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => assert.fail('nothing failed'),
    (error: unknown) => error,
  )

test('a value that cannot be stored is the fault of its row, and no repetition helps', async () => {
  for (const sql of [`select 'x'::integer`, 'select 9999999999::integer', `select '2024-02-30'::date`, 'select 1/0']) {
    const error = await errorOf(database.pool.query(sql))
    assert.deepEqual([isRowError(error), isUnavailable(error)], [true, false], sql)
  }
})

test('a mistake in a statement is neither', async () => {
  for (const sql of ['selekt 1', 'select 1 from nothing', 'select nothing()']) {
    const error = await errorOf(database.pool.query(sql))
    assert.deepEqual([isRowError(error), isUnavailable(error)], [false, false], sql)
  }
})

test('a database that is gone, busy or read-only is unavailable', async () => {
  const { connection } = database
  const slow = createPool(connection, { statementMilliseconds: 50 }, () => undefined)
  const full = createPool(connection, { connectionsMax: 1 }, () => undefined)
  const absent = createPool({ ...connection, host: '/nowhere' }, {}, () => undefined)
  const locked = createPool({ ...connection, password: 'wrong' }, {}, () => undefined)
  const held = await full.connect()
  // The only connection may take long to establish on a busy machine, but the wait for it to become free is short.
  full.options.connectionTimeoutMillis = 50
  const errors = [
    await errorOf(slow.query('select pg_sleep(5)')),
    await errorOf(full.query('select 1')),
    await errorOf(absent.query('select 1')),
    await errorOf(locked.query('select 1')),
    await errorOf(database.pool.query('select pg_terminate_backend(pg_backend_pid())')),
    await errorOf(database.pool.query('begin read only; create table t ()')),
  ]
  held.release()
  await Promise.all([slow, full, absent, locked].map((pool) => pool.end()))
  const ended = createPool(connection, {}, () => undefined)
  await ended.end()
  for (const error of [...errors, await errorOf(ended.query('select 1'))]) {
    assert.deepEqual([isRowError(error), isUnavailable(error)], [false, true], String(error))
  }
})

test('a full disk and a database that only reads are told apart from one that is away', async () => {
  const { pool } = database
  const raise = (sqlstate: string) =>
    errorOf(pool.query(`do $$ begin raise exception 'made to fail' using errcode = '${sqlstate}'; end $$`))
  const readOnly = await errorOf(pool.query('begin read only; create table t ()'))
  assert.equal(unavailabilityOf(readOnly), 'read_only')
  assert.equal(unavailabilityOf(await raise('53100')), 'storage_full')
  assert.equal(unavailabilityOf(await raise('57P01')), 'unavailable')
  assert.equal(unavailabilityOf(await raise('22003')), null)
  assert.equal(unavailabilityOf(new TypeError('x is not a function')), null)
})

test('a server that takes no connections yet is absent; who refuses the user or the database is not', async () => {
  const { connection, pool } = database
  const at = { ...connection, host: '127.0.0.1', port: 1 }
  const elsewhere = [at, { ...connection, host: '/nowhere' }, { ...at, host: 'no-such-host.invalid' }]
  const wrong = [
    { ...connection, password: 'wrong' },
    { ...connection, database: 'none' },
  ]
  const errorAt = async (place: typeof connection) => {
    const one = createPool(place, {}, () => undefined)
    try {
      return await errorOf(one.query('select 1'))
    } finally {
      await one.end()
    }
  }
  for (const place of elsewhere) assert.equal(isUnreachable(await errorAt(place)), true, place.host)
  for (const place of wrong) assert.equal(isUnreachable(await errorAt(place)), false, place.database)
  // Starting up, shutting down, and no connection left.
  for (const sqlstate of ['57P03', '57P01', '53300']) {
    const raised = pool.query(`do $$ begin raise exception 'not now' using errcode = '${sqlstate}'; end $$`)
    assert.equal(isUnreachable(await errorOf(raised)), true, sqlstate)
  }
})

test('a mistake of the program is not taken for a database that is gone', () => {
  for (const error of [new TypeError('x is not a function'), new RangeError('too large'), 'text', undefined]) {
    assert.deepEqual([isRowError(error), isUnavailable(error)], [false, false])
  }
})

test('a connection that is not made in time may be tried again, of the pool or one of its own', async () => {
  const silent = createServer(() => undefined).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo
  const connection = { host: '127.0.0.1', port, user: 'nobody', password: 'none', database: 'none' }
  const pool = createPool(connection, { connectMilliseconds: 100 }, () => undefined)
  try {
    assert.equal(unavailabilityOf(await errorOf(pool.connect())), 'unavailable')
    assert.equal(unavailabilityOf(await errorOf(connectDirectly(pool).connect())), 'unavailable')
  } finally {
    await pool.end()
    silent.close()
  }
})
