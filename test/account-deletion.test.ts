// `cradle accounts delete`: nothing of an account is left in any table, and nothing of another account is touched.
import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import pg from 'pg'
import { verifyAll } from '../src/cli/verify.ts'
import { deleteAccount } from '../src/postgres/accounts/delete-account.ts'
import { openDemo } from '../src/postgres/accounts/demo-accounts.ts'
import { ensureAccount } from '../src/postgres/accounts.ts'
import type { ConnectionSettings } from '../src/postgres/embedded/connection-file.ts'
import { BOOKS_LOCK } from '../src/postgres/period-closings.ts'
import { cradle, until } from './command.ts'
import { urlOf } from './database-url.ts'
import { pseudonymise } from './erasure-client.ts'
import { freshDatabase } from './fresh-database.ts'
import { createOrderClient, order } from './order-client.ts'
import { startService, type Service } from './service.ts'
import { useAccount } from './use-all-statements.ts'

let service: Service
let connection: ConnectionSettings
before(async () => {
  const database = await freshDatabase()
  ;({ connection } = database)
  service = await startService({ pool: database.pool, account: 'stays' })
  await useAccount(service, 'stays')
})
after(() => service.stop())

const remove = (...words: readonly string[]) =>
  cradle(['accounts', 'delete', ...words], { DATABASE_URL: urlOf(connection) })

interface Reference {
  readonly table: string
  readonly column: string
}

/** Every column of every table that holds the number of an account. */
async function accountColumns(): Promise<readonly Reference[]> {
  const { rows } = await service.pool.query<Reference>(
    `select table_name::text as table, column_name::text as column from information_schema.columns
    where table_schema = current_schema() and (column_name like '%account_id' or column_name = 'demo_of')
      and table_name in (select table_name from information_schema.tables where table_type = 'BASE TABLE')
    order by 1, 2`,
  )
  return rows
}

async function rowsOf(accountId: number): Promise<ReadonlyMap<string, number>> {
  const found = new Map<string, number>()
  for (const { table, column } of await accountColumns()) {
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

/** An account with rows in every table, and a demo account with some. */
async function fillAccount(name: string): Promise<readonly number[]> {
  await useAccount(service, name)
  const key = await service.createKey(undefined, null, name)
  const accountId = await idOf(name)
  const headers = { 'x-api-key': key, 'content-type': 'application/json' }
  const ask = (path: string, sent: object = {}) => service.ask(path, { ...sent, headers })
  assert.equal((await ask('/api/periods', { method: 'POST', body: '{"closed_until":"2024-01-01"}' })).status, 200)
  assert.equal((await pseudonymise({ ask }, 'c', { serial_numbers: true })).status, 200)
  const demo = await openDemo(service.pool, accountId, new Date(), 1)
  assert.ok(typeof demo === 'object')
  await createOrderClient(service, await service.createKey(undefined, null, demo.name)).post(order('c', 'o', ['d']))
  // What comes and goes: sessions, chunks of files and of facts.
  const keyOf = (account: string) => `(select key_id from api_keys where account_id = ${account}::integer limit 1)`
  await service.pool.query(
    `insert into console_sessions (account_id, session_hash, key_id, expires_at, own_account_id, own_key_id)
    select $2::integer, decode(repeat('00', 32), 'hex'), ${keyOf('$2')}, now(), $1::integer, ${keyOf('$1')}
    union all
    select $1::integer, decode(repeat('01', 32), 'hex'), ${keyOf('$1')}, now(), null, null`,
    [accountId, demo.accountId],
  )
  await service.pool.query(
    `insert into import_chunks select account_id, import_id, 99, '' from imports where account_id = $1`,
    [accountId],
  )
  await service.pool.query(
    `insert into import_errors (account_id, import_id, row_no, cells, errors) values ($1, 1, 99, '[]', '[]')`,
    [accountId],
  )
  await service.pool.query(
    `insert into import_profiles (account_id, name, header, header_sha256, settings)
     values ($1, 'list', '[]', '', '{}')`,
    [accountId],
  )
  await service.pool.query(`insert into fact_chunks select $1::integer, 99, 0, 0, 0, 0, 0, 0, 0, ''`, [accountId])
  await service.pool.query(
    `with made as (
      insert into webhooks (account_id, url, types, description, is_enabled, secret, created_at, delivered_until)
      values ($1, 'https://example.com/', '{}', '', false, decode(repeat('00', 32), 'hex'), now(), 0) returning *
    )
    insert into webhook_deliveries (account_id, webhook_id, type, created_at, next_attempt_at)
    select account_id, webhook_id, 'webhook.test', now(), now() from made`,
    [accountId],
  )
  return [accountId, demo.accountId]
}

test('an account goes with every row and its demo account; a record without its name stays', async () => {
  const staying = await idOf('stays')
  const [accountId, demoId] = (await fillAccount('acme')) as [number, number]
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
