// `cradle accounts delete`: nothing of an account is left in any table, and nothing of another account is touched.
import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import pg from 'pg'
import { verifyAll } from '../src/cli/verify.ts'
import { deleteAccount } from '../src/postgres/accounts/delete-account.ts'
import { ensureAccount } from '../src/postgres/accounts.ts'
import type { ConnectionSettings } from '../src/postgres/embedded/connection-file.ts'
import { BOOKS_LOCK } from '../src/postgres/period-closings.ts'
import { cradle, until } from './command.ts'
import { urlOf } from './database-url.ts'
import { durableMigratedDatabase } from './fresh-database.ts'
import { accountColumns, fillAccount } from './filled-account.ts'
import { order } from './order-client.ts'
import { startService, type Service } from './service.ts'
import { useAccount } from './use-all-statements.ts'

let service: Service
let connection: ConnectionSettings
before(async () => {
  const database = await durableMigratedDatabase()
  ;({ connection } = database)
  service = await startService({ pool: database.pool, account: 'stays' })
  await useAccount(service, 'stays')
})
after(() => service.stop())

const remove = (...words: readonly string[]) =>
  cradle(['accounts', 'delete', ...words], { DATABASE_URL: urlOf(connection) })

async function rowsOf(accountId: number): Promise<ReadonlyMap<string, number>> {
  const found = new Map<string, number>()
  for (const { table, column } of await accountColumns(service.pool)) {
    const { rows } = await service.pool.query<{ readonly count: number }>(
      `select count(*)::integer as count from ${table} where ${column} = $1`,
      [accountId],
    )
    found.set(`${table}.${column}`, rows[0]!.count)
  }
  return found
}

/** The rows of an account that only requests and commands write; background jobs write others at any moment. */
async function recordedRowsOf(accountId: number): Promise<ReadonlyMap<string, number>> {
  const isRolledUp = (column: string) => /^(fact_chunks|report_watermarks|feed|feed_outbox|feed_heads)\./.test(column)
  return new Map([...(await rowsOf(accountId))].filter(([column]) => !isRolledUp(column)))
}

const idOf = async (name: string) => (await ensureAccount(service.pool, name)).accountId

test('an account goes with every row and its demo account; a record without its name stays', async () => {
  const staying = await idOf('stays')
  const [accountId, demoId] = (await fillAccount(service, 'acme')) as [number, number]
  const before = await rowsOf(accountId)
  // A table that this test does not fill proves nothing.
  assert.deepEqual(
    // The outbox is emptied within a second.
    [...before].filter(([column, count]) => count === 0 && !column.startsWith('feed_outbox')).map(([column]) => column),
    [],
  )
  const recorded = await recordedRowsOf(accountId)
  const keptBefore = await recordedRowsOf(staying)

  const mistyped = await remove('acme', '--confirm', 'acne')
  assert.deepEqual(
    [mistyped.code, mistyped.stderr],
    [1, 'cradle: --confirm repeats the name of the account, which is "acme"\n'],
  )
  assert.match((await remove('acme')).stderr, /--confirm/)
  assert.deepEqual(await recordedRowsOf(accountId), recorded)
  const unknown = await remove('nobody', '--confirm', 'nobody')
  assert.match(unknown.stderr, /There is no account "nobody"/)

  const { code, stderr } = await remove('acme', '--confirm', 'acme')
  assert.equal(code, 0, stderr)
  assert.match(stderr, new RegExp(`^Account ${accountId} is deleted, \\d+ rows`))
  for (const one of [accountId, demoId]) {
    const left = [...(await rowsOf(one))].filter(([, count]) => count > 0)
    assert.deepEqual(left, one === accountId ? [['erasures.account_id', 1]] : [])
  }
  const { rows: records } = await service.pool.query<Record<string, string | null>>(
    'select kind, key_hint, counts from erasures where account_id = $1',
    [accountId],
  )
  assert.deepEqual([records[0]!['kind'], records[0]!['key_hint']], ['account', null])
  assert.match(records[0]!['counts']!, /^\{"rows":\d+\}$/)
  assert.deepEqual(await recordedRowsOf(staying), keptBefore)
  // What is rolled up of the other account is compared here.
  assert.deepEqual((await verifyAll(service.pool)).lines, [])
  // The name is free again, for an account that has another number.
  assert.notEqual(await idOf('acme'), accountId)
})

test('an account into which a file is imported is not deleted, and its keys go on working', async () => {
  const key = await service.createKey(undefined, null, 'importing')
  const accountId = await idOf('importing')
  await service.pool.query(
    `insert into imports (account_id, import_id, is_dry_run, state, lease_until)
    values ($1, 1, true, 'running', now() + interval '1 hour')`,
    [accountId],
  )
  assert.equal(await deleteAccount(service.pool, 'importing', 0), 'busy')
  assert.equal((await service.ask('/api/account', { headers: { 'x-api-key': key } })).status, 200)
})

test('an order that waits while its account is deleted is refused, and leaves no row', async () => {
  const key = await service.createKey(undefined, null, 'waiting')
  const accountId = await idOf('waiting')
  const headers = { 'x-api-key': key, 'content-type': 'application/json' }
  // From now on, the key is known to the process for a moment.
  assert.equal((await service.ask('/api/account', { headers })).status, 200)
  const holder = new pg.Client({ ...connection })
  await holder.connect()
  await holder.query('begin')
  await holder.query('select pg_advisory_xact_lock($1, $2)', [BOOKS_LOCK, accountId])
  const waiting = async () => {
    const { rows } = await service.pool.query<{ readonly count: number }>(
      `select count(*)::integer as count from pg_locks where locktype = 'advisory' and not granted`,
    )
    return rows[0]!.count
  }
  const deleting = deleteAccount(service.pool, 'waiting', 0)
  await until(
    async () => (await waiting()) === 1,
    () => 'the deletion does not wait',
  )
  const body = JSON.stringify(order('c', 'late', ['late-device']))
  const posting = fetch(`${service.server.url}/api/customer-orders`, { method: 'POST', headers, body })
  await until(
    async () => (await waiting()) === 2,
    () => 'the order does not wait',
  )
  await holder.query('commit')
  await holder.end()
  assert.ok(typeof (await deleting) === 'object')
  assert.notEqual((await posting).status, 200)
  const left = [...(await rowsOf(accountId))].filter(([, count]) => count > 0)
  assert.deepEqual(left, [['erasures.account_id', 1]])
})
