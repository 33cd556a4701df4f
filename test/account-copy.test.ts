// `cradle accounts copy`: the copy has all data, settings and figures of the original, and shares nothing with it.
import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import { verifyAll } from '../src/cli/verify.ts'
import { copyAccount, COPIED_TABLES, NOT_COPIED_TABLES } from '../src/postgres/accounts/copy-account.ts'
import { deleteAccount } from '../src/postgres/accounts/delete-account.ts'
import { ensureAccount } from '../src/postgres/accounts.ts'
import type { ConnectionSettings } from '../src/postgres/embedded/connection-file.ts'
import { resetRollups } from '../src/postgres/reporting/watermarks.ts'
import { cradle } from './command.ts'
import { urlOf } from './database-url.ts'
import type { Json } from './document-check.ts'
import { accountColumns, fillAccount } from './filled-account.ts'
import { durableMigratedDatabase } from './fresh-database.ts'
import { order } from './order-client.ts'
import { startService, type Service } from './service.ts'

let service: Service
let connection: ConnectionSettings
before(async () => {
  const database = await durableMigratedDatabase()
  ;({ connection } = database)
  service = await startService({ pool: database.pool })
})
after(() => service.stop())

const idOf = async (name: string) => (await ensureAccount(service.pool, name)).accountId

const columnsOf = async (table: string): Promise<readonly string[]> => {
  const { rows } = await service.pool.query<{ readonly name: string }>(
    `select column_name::text as name from information_schema.columns
    where table_schema = current_schema() and table_name = $1 and is_identity = 'NO' order by 1`,
    [table],
  )
  return rows.map(({ name }) => name)
}

/** What a row of a table is called in a copy by another number, or has no value there. */
const RENUMBERED = ['account_id', 'release_id', 'device_release_id', 'created_by_key', 'lease_owner', 'lease_until']

async function rowsOf(table: string, accountId: number): Promise<readonly string[]> {
  const columns = (await columnsOf(table)).filter((name) => !RENUMBERED.includes(name))
  const { rows } = await service.pool.query<{ readonly row: string }>(
    `select row(${columns.join(', ')})::text as row from ${table} where account_id = $1 order by 1`,
    [accountId],
  )
  return rows.map(({ row }) => row)
}

/** Without when it was made, and for which account. */
const untimed = (text: string): string => text.replace(/"generated_at":"[^"]*"|export: Orders · .*/, '')

const askAs = async (account: string) => {
  const key = await service.createKey(undefined, null, account)
  return (path: string, sent: object = {}) =>
    service.ask(path, { ...sent, headers: { 'x-api-key': key, 'content-type': 'application/json' } })
}

/** An order that was estimated with a figure of the account's own. */
async function orderOwnModel(ask: Awaited<ReturnType<typeof askAs>>): Promise<void> {
  const source = { year: 2025, source_title: 'Sheet', source_publisher: 'Maker' }
  const model = { name: 'Own 1', brand: 'Own', type: 'laptop', total_kg_co2e: 300, use_share: 0.2, lifetime_months: 60 }
  const put = await ask('/api/device-models/own-1', { method: 'PUT', body: JSON.stringify({ ...model, ...source }) })
  assert.equal(put.status, 200, put.text)
  const config = { product_id: 'own-1', model_id: 'own-1', serial_number: 'OWN', tenure_months: 6, weight_kg: 2 }
  const body = JSON.stringify({ ...order('own', 'own-order', []), items: [{ type: 'product', config }] })
  const posted = await ask('/api/customer-orders', { method: 'POST', body })
  assert.equal(posted.status, 200, posted.text)
}

test('each table with rows of an account is copied, or left out for a reason', async () => {
  const tables = new Set((await accountColumns(service.pool)).map(({ table }) => table))
  const named = [...Object.keys(COPIED_TABLES), ...Object.keys(NOT_COPIED_TABLES)]
  assert.deepEqual(named.toSorted(), [...tables].toSorted())
  assert.ok(Object.values(NOT_COPIED_TABLES).every((reason) => reason.length > 10))
})

test('a copy has every row, the same reports and statements, keys of its own, and is verified', async () => {
  const [accountId] = (await fillAccount(service, 'acme')) as [number, number]
  await orderOwnModel(await askAs('acme'))
  await service.pool.query(
    `update accounts set strictness = 'refuse', restatement_threshold_percent = 7 where account_id = $1`,
    [accountId],
  )
  // One of its chunks has no content.
  await resetRollups(service.pool, accountId)
  const command = ['accounts', 'copy', 'acme', '--as', 'acme-sandbox']
  const { code, stderr } = await cradle(command, { DATABASE_URL: urlOf(connection) })
  assert.equal(code, 0, stderr)
  assert.match(stderr, /^Account \d+ is a copy, \d+ rows\. It has no key yet/)
  const copyId = await idOf('acme-sandbox')
  for (const table of Object.keys(COPIED_TABLES)) {
    const original = await rowsOf(table, accountId)
    assert.ok(original.length > 0, `${table} is empty: its copy proves nothing`)
    assert.deepEqual(await rowsOf(table, copyId), original, table)
  }
  for (const table of ['api_keys', 'console_sessions', 'statement_keys'])
    assert.deepEqual(await rowsOf(table, copyId), [], table)
  const { rowCount: ofOwn } = await service.pool.query('select from entries where account_id = $1 and release_id < 0', [
    accountId,
  ])
  assert.ok(ofOwn! > 0)
  // No row names a release with own figures of the original.
  const shared = await service.pool.query(
    `select from entries join account_releases own on own.release_id in (entries.release_id, device_release_id)
      where entries.account_id = $2 and own.account_id = $1
    union all
    select from orders join account_releases own using (release_id)
      where orders.account_id = $2 and own.account_id = $1`,
    [accountId, copyId],
  )
  assert.equal(shared.rowCount, 0)

  const [original, copy] = [await askAs('acme'), await askAs('acme-sandbox')]
  const settings = JSON.parse((await copy('/api/account')).text) as Json
  assert.deepEqual([settings['strictness'], settings['restatement_threshold_percent']], ['refuse', 7])
  const texts = [
    '/api/reports/emissions?group_by=month,model&date_basis=tenure',
    '/api/reports/emissions?group_by=customer,category&reporting_entity=lessor',
    '/api/reports/quality',
    '/api/exports/orders?format=csv',
    '/api/customer-orders?include=metadata&limit=100',
    '/api/product-states',
    '/api/periods',
    '/api/products',
  ]
  for (const path of texts) {
    const [one, two] = [await original(path), await copy(path)]
    assert.equal(one.status, 200, one.text)
    assert.equal(untimed(two.text), untimed(one.text), path)
  }
  const [listed] = JSON.parse((await original('/api/customer-orders?order_id=o1')).text) as readonly Json[]
  const statement = `/api/statements/${String(listed!['customer_id'])}/2025`
  const [one, two] = [await original(statement), await copy(statement)].map(({ text }) => JSON.parse(text) as Json)
  for (const part of ['is_preliminary', 'summary', 'by_month', 'orders']) assert.deepEqual(two![part], one![part], part)
  assert.deepEqual(two!['issuer'], { account: 'acme-sandbox' })
  assert.notDeepEqual(two!['signed_by'], one!['signed_by'])
  assert.deepEqual((await verifyAll(service.pool)).lines, [])
})

test('what happens in one of the two changes nothing in the other, and the copy can be deleted', async () => {
  const [one, two] = [await idOf('acme'), await idOf('acme-sandbox')]
  const before = await rowsOf('entries', one)
  const copy = await askAs('acme-sandbox')
  const posted = await copy('/api/customer-orders', {
    method: 'POST',
    body: JSON.stringify(order('new customer', 'sandboxed', ['s-1'])),
  })
  assert.equal(posted.status, 200, posted.text)
  assert.deepEqual(await rowsOf('entries', one), before)
  assert.ok((await rowsOf('entries', two)).length > before.length)
  assert.equal(await copyAccount(service.pool, 'acme', 'acme-sandbox'), 'name-taken')
  const removed = await cradle(['accounts', 'remove', 'acme-sandbox', '--confirm', 'acme-sandbox'], {
    DATABASE_URL: urlOf(connection),
  })
  assert.equal(removed.code, 0, removed.stderr)
  assert.deepEqual(await rowsOf('entries', one), before)
  for (const table of Object.keys(COPIED_TABLES).filter((name) => name !== 'erasures'))
    assert.deepEqual(await rowsOf(table, two), [], table)
  assert.deepEqual((await verifyAll(service.pool)).lines, [])
})

test('an account that is not there, or into which a file is imported, is not copied', async () => {
  assert.equal(await copyAccount(service.pool, 'nobody', 'copy'), 'unknown')
  const accountId = await idOf('importing')
  await service.pool.query(
    `insert into imports (account_id, import_id, is_dry_run, state) values ($1, 1, false, 'queued')`,
    [accountId],
  )
  assert.equal(await copyAccount(service.pool, 'importing', 'copy'), 'busy')
  const { rowCount } = await service.pool.query(`select from accounts where name = 'copy'`)
  assert.equal(rowCount, 0)
  const unnamed = await cradle(['accounts', 'copy', 'acme', '--as', ' '], { DATABASE_URL: urlOf(connection) })
  assert.match(unnamed.stderr, /--as takes a name of 1 to 200 characters/)
  await deleteAccount(service.pool, 'importing', 0)
})
