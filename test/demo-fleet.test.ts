// The demo fleet: loaded as clients' orders are, whole and sound, beside a real account, and removed without a trace.
import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { verifyAll } from '../src/cli/verify.ts'
import { planFleet } from '../src/demo/plan-fleet.ts'
import { EXAMPLE_ORDER } from '../src/http/schemas/examples.ts'
import type { Json } from './document-check.ts'
import { startService, type Service } from './service.ts'
import type { ConnectionSettings } from '../src/postgres/embedded/connection-file.ts'
import { cradle } from './command.ts'
import { urlOf } from './database-url.ts'
import { durableMigratedDatabase } from './fresh-database.ts'
import { shippedReferenceData } from './shipped-book.ts'

const PATH = '/api/demo-fleet'

let service: Service
before(async () => {
  service = await startService({ pool: (await durableMigratedDatabase()).pool })
  assert.equal((await service.post(EXAMPLE_ORDER)).status, 200)
  // Shown by nothing but its tables: the use of the key is told behind the back of its request.
  while (!(await rowsOf('api_keys')).some((row) => /"last_used_at":"/.test(row)));
})
after(() => service.stop())

const call = async (method: string, path: string, key = service.key, body?: unknown) => {
  const headers = { 'x-api-key': key, ...(body !== undefined && { 'content-type': 'application/json' }) }
  const answer = await service.ask(path, {
    method,
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return { ...answer, json: JSON.parse(answer.text) as Json }
}

const tableNames = async (): Promise<readonly string[]> => {
  const text = `select relname::text as name from pg_class
    where relkind in ('r', 'p') and not relispartition and relnamespace = current_schema()::regnamespace order by 1`
  return (await service.pool.query<{ readonly name: string }>(text)).rows.map(({ name }) => name)
}
const rowsOf = async (table: string): Promise<readonly string[]> => {
  // What is folded of the account's own orders meanwhile is none of the fleet's.
  const where = ['fact_chunks', 'report_watermarks'].includes(table) ? 'where account_id <> 1' : ''
  const text = `select to_json(t)::text as row from ${table} t ${where} order by 1`
  return (await service.pool.query<{ row: string }>(text)).rows.map(({ row }) => row)
}
/** Every row of every table. */
async function everything(): Promise<Readonly<Record<string, readonly string[]>>> {
  const names = await tableNames()
  // Of a test that takes longer than a minute, the use of its key is recorded again.
  const timeless = (row: string) => row.replace(/"last_used_at":"[^"]*"/, '"last_used_at":"some time"')
  const tables = names.map(async (name) => [name, (await rowsOf(name)).map(timeless)] as const)
  return Object.fromEntries(await Promise.all(tables))
}

test('the plan of a day is the same each time, and shows whatever can happen to a device', () => {
  const { referenceData } = shippedReferenceData()
  const { facts } = planFleet(referenceData, '2026-03-31')
  assert.deepEqual(planFleet(referenceData, '2026-03-31').facts, facts)
  const kinds = new Set(facts.map(({ fact }) => (fact.kind === 'order' ? 'order' : fact.event.type)))
  assert.deepEqual([...kinds].toSorted(), [
    'cancelled',
    'extended',
    'lost',
    'order',
    'refurbished',
    'retired',
    'returned',
    'swapped',
  ])
  const days = facts.flatMap(({ fact }) =>
    fact.kind === 'order' ? [fact.order.order_date] : 'date' in fact.event ? [fact.event.date] : [],
  )
  assert.deepEqual([days.toSorted()[0], days.toSorted().at(-1)], ['2024-01-29', '2026-03-31'])
})

test('a demo fleet is loaded whole though a process stops, sound in every row, and gone without a trace', async () => {
  // Gives what happened before its place in the feed.
  await call('GET', '/api/events')
  const before = await everything()
  assert.equal((await call('GET', PATH)).status, 404)
  assert.equal((await call('DELETE', PATH)).status, 404)
  const own = await loadInTwoParts()
  const { json: fleet } = await call('GET', PATH)
  assert.deepEqual([fleet['account'], fleet['orders']], ['test (demo fleet)', 1000])
  assert.ok(Number(fleet['devices']) >= 450 && Number(fleet['devices']) <= 550, `${String(fleet['devices'])} devices`)
  const { lines, differences } = await verifyAll(service.pool)
  assert.deepEqual([lines, differences], [[], 0])
  await assertShown(own)

  // What is tried there goes with it.
  assert.equal((await call('POST', '/api/customer-orders', own, EXAMPLE_ORDER)).status, 200)
  assert.equal((await call('PUT', '/api/products/tried', own, { device_type: 'laptop' })).status, 200)
  const { key, key_expires_at: until, ...again } = (await call('POST', PATH)).json
  assert.notEqual(key, own)
  assert.ok(Date.parse(String(until)) < Date.now() + 13 * 3_600_000)
  assert.deepEqual(again, { ...fleet, orders: 1001, devices: Number(fleet['devices']) + 1 })

  const removed = await call('DELETE', PATH)
  assert.equal(removed.status, 200, removed.text)
  assert.equal((await call('GET', '/api/packagings', own)).status, 401)
  assert.deepEqual(await everything(), before)
  assert.equal((await call('DELETE', PATH)).status, 404)
})

const run = (...words: readonly string[]) => {
  const settings = (service.pool as unknown as { readonly options: ConnectionSettings }).options
  return cradle(['demo', ...words], { DATABASE_URL: urlOf(settings) })
}

/** Begun by a service that stops, gone on with by the command line beside another; gives the key of that. */
async function loadInTwoParts(): Promise<string> {
  const beside = await startService({ beside: service })
  const begun = await beside.ask(PATH, { method: 'POST' })
  assert.equal(begun.status, 202, begun.text)
  await until(async () => (await shareLoaded()) > 0.1)
  await beside.stop()
  const share = await shareLoaded()
  assert.ok(share < 1)
  const loading = run('load', '--account', 'test', '--json')
  await until(async () => (await shareLoaded()) > share)
  const refused = await call('DELETE', PATH)
  assert.deepEqual([refused.status, refused.json['code']], [409, 'conflict'])
  const { code, stdout, stderr } = await loading
  assert.equal(code, 0, stderr)
  assert.equal(await shareLoaded(), 1)
  const { key, account, orders } = JSON.parse(stdout) as Json
  assert.deepEqual([account, orders], ['test (demo fleet)', 1000])
  assert.equal((await call('GET', '/api/account')).json['has_demo_fleet'], true)
  return String(key)
}

const shareLoaded = async (): Promise<number> => Number((await call('GET', PATH)).json['progress'])

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await sleep(20)
}

/** What the pages of a console need, seen with its own key alone. */
async function assertShown(own: string): Promise<void> {
  assert.equal(((await call('GET', '/api/customer-orders')).json as unknown as readonly Json[]).length, 1)
  for (const status of ['returned', 'cancelled', 'created']) {
    const { text } = await call('GET', `/api/customer-orders?status=${status}&limit=1`, own)
    assert.equal((JSON.parse(text) as readonly unknown[]).length, 1, status)
  }
  for (const state of ['unmatched', 'name', 'mapped']) {
    const { text } = await call('GET', `/api/products?state=${state}`, own)
    assert.ok((JSON.parse(text) as readonly unknown[]).length > 0, state)
  }
  const { text: unmatched } = await call('GET', '/api/products?state=unmatched', own)
  const ids = (JSON.parse(unmatched) as readonly Json[]).map((product) => product['product_id'])
  assert.deepEqual(ids.toSorted(), ['KN-15', 'STUDIO-DISPLAY-WALL', 'TRAIL-3'])
  for (const path of ['/api/keys', '/api/account', PATH]) assert.equal((await call('GET', path, own)).status, 403)
}

test('a demo fleet has none of its own, and none takes the name of a real account', async () => {
  const rival = await service.createKey(undefined, null, 'rival (demo fleet)')
  const named = await call('POST', PATH, await service.createKey(undefined, null, 'rival'))
  assert.deepEqual([named.status, named.json['code']], [409, 'conflict'])
  assert.equal((await call('GET', '/api/account', rival)).json['is_demo'], false)
  assert.equal((await call('GET', '/api/account', rival)).json['has_demo_fleet'], false)
  assert.equal((await call('DELETE', PATH, rival)).status, 404)
  const inner = await service.createKey(undefined, null, 'owner (demo fleet)')
  await service.createKey(undefined, null, 'owner')
  const text = `update accounts set demo_facts = 1, demo_of = (select account_id from accounts where name = 'owner')
    where name = 'owner (demo fleet)'`
  await service.pool.query(text)
  assert.equal((await call('POST', PATH, inner)).status, 409)

  const removed = await run('remove', '--account', 'owner')
  assert.equal(removed.code, 0)
  assert.match(removed.stderr, /^"owner \(demo fleet\)" is removed, \d+ rows\.\n$/)
})
