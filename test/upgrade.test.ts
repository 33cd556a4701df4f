// Databases that releases left behind, brought to this schema: cut off at every statement, nothing of them changes.
import { test } from 'node:test'
import assert from 'node:assert/strict'
import type { Pool } from 'pg'
import { verifyAll } from '../src/cli/verify.ts'
import { SCOPES } from '../src/postgres/accounts.ts'
import { backup } from '../src/postgres/backup/backup.ts'
import { checkMigrated, listApplied, migrate, readMigrations, type Migration } from '../src/postgres/migrations.ts'
import { dumpSchema } from './dump-schema.ts'
import { restore } from '../src/postgres/backup/restore.ts'
import { VERSION } from '../src/version.ts'
import { until } from './command.ts'
import { freshDatabase, freshDatabaseAlone } from './fresh-database.ts'
import { answersOf, framesOf, keptReleases } from './archived-releases.ts'
import { rounds } from './rounds.ts'
import { startService } from './service.ts'

const migrations = readMigrations()

/** One that some later release may have: it changes the rows and the form of tables that are full. */
const LATER: Migration = {
  number: migrations.length + 1,
  name: 'later',
  file: `${String(migrations.length + 1).padStart(4, '0')}-later.sql`,
  checksum: 'of later',
  sql: `
    alter table orders add column later text;
    create function later_of(text) returns text language sql immutable as $$ select upper($1); $$;
    update orders set later = later_of(customer_id), status = 'cancelled';
    alter table orders alter column later set not null;
    create index orders_later on orders (account_id, later); -- a comment; with a semicolon
    alter table events alter column event_id type varchar(500);
    delete from entries;
    truncate events;
    drop table product_mappings`,
}

/** How a migration is cut off after a statement: its connection goes, or its server is killed and recovers. */
const CUTS = {
  connection: ';select pg_terminate_backend(pg_backend_pid())',
  server: `;copy (select) to program 'kill -9 $PPID'`,
}

/** Statements with what stands before them; together they are the whole text. */
function statementsOf(sql: string): readonly string[] {
  const statements = sql.match(/(?:--.*|\$(\w*)\$[^]*?\$\1\$|'[^']*'|[^;])+;?/g)!
  assert.equal(statements.join(''), sql)
  return statements.filter((statement) => statement.trim() !== '')
}

/** All that is stored, by counts and hashes, and its form. */
async function stateOf(pool: Pool): Promise<unknown> {
  const chunks = backup(pool, VERSION)
  let next = await chunks.next()
  while (!next.done) next = await chunks.next()
  return { schema: await dumpSchema(pool), applied: await listApplied(pool), stored: next.value }
}

/** A server that was killed ends its other connections, too, and takes no new ones while it recovers. */
async function stateOnceBack(pool: Pool): Promise<unknown> {
  let state: unknown
  const isBack = async () => (state = await stateOf(pool).catch(() => undefined)) !== undefined
  await until(isBack, () => 'the server is not back')
  return state
}

/**
 * Cuts the last of the migrations off after so many of its statements.
 * @param before the state of the database, which it has afterwards too
 */
async function cutOff(pool: Pool, known: readonly Migration[], done: number, cut: string, before: unknown) {
  const last = known.at(-1)!
  const broken = { ...last, sql: statementsOf(last.sql).slice(0, done).join('') + cut }
  await assert.rejects(migrate(pool, [...known.slice(0, -1), broken]), /failed and left nothing behind: .*terminat/)
  assert.deepEqual(await stateOnceBack(pool), before, `after ${done} statements`)
}

async function cutOffAfter(pool: Pool, known: readonly Migration[], places: readonly number[]): Promise<void> {
  const before = await stateOf(pool)
  for (const done of places) await cutOff(pool, known, done, CUTS.connection, before)
}

/** After how many of the statements it is cut off: each number of them with TEST_LONG=1, else some or all of them. */
function placesIn({ sql }: Migration): readonly number[] {
  const { length } = statementsOf(sql)
  const step = rounds(Math.max(1, Math.ceil(length / 2)), 1)
  return [...Array(length + 1).keys()].filter((done) => done === length || (done > 0 && done % step === 0))
}

/** Applies what is missing, each after it was cut off. */
async function migrateThroughCuts(pool: Pool): Promise<void> {
  for (let at = (await listApplied(pool)).length; at < migrations.length; at += 1) {
    const known = migrations.slice(0, at + 1)
    await cutOffAfter(pool, known, placesIn(migrations[at]!))
    assert.deepEqual(await migrate(pool, known), known.slice(-1))
  }
  await checkMigrated(pool, migrations)
}

/** Every order that was answered then is answered now as it was then, and one that was not is stored. */
async function checkAnswers(pool: Pool, version: string): Promise<void> {
  const { server, createKey, stop } = await startService({ pool })
  const post = async (account: string, order: object) => {
    const headers = { 'x-api-key': await createKey(SCOPES, null, account) }
    return server.app.inject({ method: 'POST', url: '/api/customer-orders', headers, payload: order })
  }
  for (const { account, order, answer } of answersOf(version)) {
    const { headers, payload } = await post(account, order)
    // That version had no warnings.
    const first = payload.replace(/,"warnings":\[.*\]\}$/, '}')
    assert.deepEqual([headers['idempotent-replayed'], first], ['true', answer])
  }
  const [{ account, order }] = answersOf(version) as [ReturnType<typeof answersOf>[number]]
  const { statusCode, headers } = await post(account, { ...order, order_id: 'after the upgrade' })
  assert.deepEqual([statusCode, headers['idempotent-replayed']], [200, undefined])
  await stop()
}

/** By which key that version recorded an event is not known. */
async function checkRecorders(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ readonly account: string; readonly order: string; readonly count: number }>(
    `select name as account, '/api/customer-orders/' || customer_id || '/' || order_id as order, count(*)::int as count
    from events join accounts using (account_id) where order_id is not null and order_id !~ chr(31)
    group by 1, 2 order by 2 limit 3`,
  )
  assert.ok(rows.length > 0)
  const { server, createKey, stop } = await startService({ pool })
  for (const { account, order, count } of rows) {
    const headers = { 'x-api-key': await createKey(SCOPES, null, account) }
    const { events } = (await server.app.inject({ url: `${encodeURI(order)}?include=events`, headers })).json<{
      readonly events: readonly { readonly recorded_by: unknown }[]
    }>()
    assert.deepEqual(
      events.map((one) => one.recorded_by),
      Array.from({ length: count }, () => null),
    )
  }
  await stop()
}

async function checkLedgers(pool: Pool): Promise<void> {
  const { lines, counts } = await verifyAll(pool)
  assert.deepEqual(lines, [])
  assert.ok(counts.orders >= 100 && counts.entries > counts.orders)
}

/** What had been reported stays: the books of accounts with orders are closed for the days before the upgrade. */
async function checkBooks(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ readonly isClosed: boolean; readonly hasOrders: boolean }>(
    `select distinct closed_until = current_date and kind = 'upgraded' is true as "isClosed",
      exists (select from orders where orders.account_id = accounts.account_id) as "hasOrders"
    from accounts left join period_closings using (account_id)`,
  )
  assert.ok(rows.length > 0)
  for (const { isClosed, hasOrders } of rows) assert.equal(isClosed ?? false, hasOrders)
}

test('this version keeps a database of its own, for those that come after it', () => {
  assert.ok(keptReleases().includes(VERSION), 'node scripts/keep-release.ts makes it')
})

test('an empty database gets its schema, however often that is cut off', async () => {
  const { pool } = await freshDatabase()
  // Makes the table of migrations.
  await migrate(pool, [])
  await migrateThroughCuts(pool)
})

for (const version of keptReleases()) {
  test(`a database that ${version} left is migrated, cut off or not, and answers as it did`, async () => {
    const { pool } = await freshDatabase()
    await restore(pool, framesOf(version), migrations)
    await migrateThroughCuts(pool)
    await checkBooks(pool)
    await checkRecorders(pool)
    await checkLedgers(pool)
    await checkAnswers(pool, version)
    await checkLedgers(pool)
  })
}

test('a later migration changes nothing until it is through, even where the server is killed', async () => {
  const { pool } = await freshDatabaseAlone()
  await restore(pool, framesOf(VERSION), migrations)
  await migrate(pool, migrations)
  const known = [...migrations, LATER]
  const { length } = statementsOf(LATER.sql)
  assert.equal(length, 9)
  await cutOffAfter(pool, known, [...Array(length + 1).keys()])
  // Each time the server recovers from its log: in the middle, and with everything done but the commit.
  const before = await stateOf(pool)
  for (const done of [4, length]) await cutOff(pool, known, done, CUTS.server, before)
  await checkLedgers(pool)
  assert.deepEqual(await migrate(pool, known), [LATER])
  await assert.rejects(checkMigrated(pool, migrations), /newer than this Cradle: it has \d{4}-later\.sql/)
})
