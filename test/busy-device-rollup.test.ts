// What folding for reports reads of a device with many entries.
import { before, test } from 'node:test'
import assert from 'node:assert/strict'
import type { Pool } from 'pg'
import { postRandom } from '../scripts/post-random.ts'
import { verifyAll } from '../src/cli/verify.ts'
import { ensureAccount } from '../src/postgres/accounts.ts'
import { createPool } from '../src/postgres/pool.ts'
import { migrate, readMigrations } from '../src/postgres/migrations.ts'
import { registerRelease } from '../src/postgres/dataset-releases.ts'
import { resetRollups } from '../src/postgres/reporting/watermarks.ts'
import { createRollups } from '../src/postgres/reporting/store.ts'
import { fill } from './busy-orders.ts'
import { until } from './command.ts'
import { foldAll } from './roll-up-all.ts'
import { freshDatabase, type FreshDatabase } from './fresh-database.ts'
import { shippedReferenceData } from './shipped-book.ts'

const ENTRIES = 1_200
const TIMES = 4
const DEVICES = 4
const FOLDS = 3
/** So many that nobody reads all entries to find those of one account. */
const OTHER_ENTRIES = 60_000

let database: FreshDatabase
before(async () => (database = await freshDatabase()))

/** With connections of its own, which have ended afterwards: PostgreSQL counts what they read then at the latest. */
async function withOwnPool<Result>(use: (pool: Pool) => Promise<Result>): Promise<Result> {
  const pool = createPool(database.connection, {}, () => undefined)
  try {
    return await use(pool)
  } finally {
    await pool.end()
    await until(
      async () => (await countOthers()) === 0,
      () => 'a session stays open',
    )
  }
}

async function countOthers(): Promise<number> {
  const { rows } = await database.pool.query<{ readonly sessions: number }>(
    `select count(*)::integer as sessions from pg_stat_activity
      where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`,
  )
  return rows[0]!.sessions
}

/** Rows of entries that were read, by everybody, since the statistics began. */
async function rowsRead(): Promise<number> {
  const { rows } = await database.pool.query<{ readonly rows: number }>(
    `select sum(idx_tup_fetch + seq_tup_read)::float8 as rows from pg_stat_user_tables where relname = 'entries'`,
  )
  return rows[0]!.rows
}

/** Folds an account from the beginning. @returns the rows read for each of its entries */
async function rowsPerEntry(accountId: number): Promise<number> {
  const entries = await withOwnPool(async (pool) => {
    await resetRollups(pool, accountId)
    const { rows } = await pool.query<{ readonly entries: number }>(
      'select count(*)::integer as entries from entries where account_id = $1',
      [accountId],
    )
    return rows[0]!.entries
  })
  const before = await rowsRead()
  await withOwnPool(async (pool) => {
    const folds = createRollups(pool, 0, 0)
    const only = { ...folds, unfolded: () => Promise.resolve([{ accountId, oldestSeconds: 0 }]) }
    await foldAll(
      { folds: only, referenceDataOf: () => Promise.resolve(shippedReferenceData().referenceData) },
      () => false,
      assert.ifError,
    )
  })
  return ((await rowsRead()) - before) / entries
}

/** Of several folds: an unlucky sample of statistics, taken while others fold, may change the plan of one. */
async function leastRowsPerEntry(accountId: number): Promise<number> {
  const rows: number[] = []
  for (let fold = 0; fold < FOLDS; fold += 1) {
    await withOwnPool((pool) => pool.query('analyze entries'))
    rows.push(await rowsPerEntry(accountId))
  }
  return Math.min(...rows)
}

async function fillAccounts(pool: Pool) {
  await migrate(pool, readMigrations())
  const { referenceData, files } = shippedReferenceData()
  const releaseId = await registerRelease(pool, referenceData.release, referenceData.hash, files)
  const { accountId: few } = await ensureAccount(pool, 'few')
  const { accountId: many } = await ensureAccount(pool, 'many')
  for (let device = 0; device < DEVICES; device += 1) {
    await fill(pool, releaseId, few, `few-${device}`, ENTRIES / TIMES)
    await fill(pool, releaseId, many, `many-${device}`, ENTRIES)
  }
  const { accountId } = await ensureAccount(pool, 'around')
  await postRandom(pool, {
    ...{ orders: 50, eventShare: 1, seed: 1, accountId, isCapped: true, referenceData, releaseId },
  })
  await pool.query(
    `insert into entries (account_id, entry_no, posted_at, embodied_mg, use_mg, packaging_mg, transportation_mg,
        embodied_added_mg, release_id, serial_number, customer_id, order_id, reason)
      select 0, 1, now(), 1, 1, 1, 1, 0, $1, 's' || n, 'c', 'o' || n, 'order'
      from generate_series(1, $2::integer) as n`,
    [releaseId, OTHER_ENTRIES],
  )
  // With real statistics the planner once chose to read all entries of a device for each pair of them.
  await pool.query('analyze')
  return { few, many }
}

test('folding an entry of a device costs no more where that has four times the entries', async () => {
  const { few, many } = await withOwnPool(fillAccounts)
  const [some, all] = [await leastRowsPerEntry(few), await leastRowsPerEntry(many)]
  assert.ok(
    all < 1.2 * some + 1,
    `${all.toFixed(1)} rows for each entry, and ${some.toFixed(1)} with a quarter of them`,
  )
  await database.pool.query('delete from entries where account_id = 0')
  assert.deepEqual((await verifyAll(database.pool)).lines, [])
})
