// `cradle verify --all`: everything stored is recomputed, and whatever is changed behind the program's back is named.
import { before, test } from 'node:test'
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Pool } from 'pg'
import { postRandom } from '../scripts/post-random.ts'
import { verifyAll, type VerificationSummary } from '../src/cli/verify.ts'
import type { ReferenceData } from '../src/engine/reference/reference-data.ts'
import { hashContent } from '../src/reference-data/files.ts'
import { loadArchivedRelease, loadReferenceData } from '../src/reference-data/load.ts'
import { ensureAccount, setAmortisation } from '../src/postgres/accounts.ts'
import { listTables, type BackupTable } from '../src/postgres/backup/backup.ts'
import { registerRelease } from '../src/postgres/dataset-releases.ts'
import { createRollups } from '../src/postgres/reporting/store.ts'
import { createReleaseCache } from '../src/reference-data/release-cache.ts'
import { cradle, freshDirectory } from './command.ts'
import { foldAll } from './roll-up-all.ts'
import { durableMigratedDatabase, type FreshDatabase } from './fresh-database.ts'
import { shippedReferenceData } from './shipped-book.ts'
import { TAMPERINGS } from './database-tampering.ts'

const ORDERS = 25
let database: FreshDatabase
let pool: Pool

before(async () => {
  database = await durableMigratedDatabase()
  pool = database.pool
  // An earlier release and the present one, a capped account and one that is not, on the same serial numbers.
  const { files } = shippedReferenceData()
  const grid = files.get('grid-factors.csv')!.replaceAll(',0.3', ',0.4')
  const earlier = new Map(files).set('RELEASE', '2020.01\n').set('grid-factors.csv', grid)
  for (const [at, some] of [earlier, files].entries()) {
    const referenceData = loadReferenceData(some)
    const releaseId = await registerRelease(pool, referenceData.release, referenceData.hash, some)
    for (const isCapped of [true, false]) {
      const name = isCapped ? 'capped' : 'uncapped'
      const { accountId } = await ensureAccount(pool, name)
      await setAmortisation(pool, name, isCapped ? 'capped' : 'uncapped')
      await postRandom(pool, { orders: ORDERS, eventShare: 1, seed: at, accountId, isCapped, referenceData, releaseId })
    }
  }
  await keep()
})
const TABLES = ['orders', 'entries', 'events', 'dataset_releases']

/** The rows as they were posted. */
async function keep(): Promise<void> {
  await pool.query('create schema kept')
  for (const table of TABLES) await pool.query(`create table kept.${table} as table ${table}`)
}

async function restore(): Promise<void> {
  // Truncating them would make new files of all tables and indexes, which takes longer than the rest.
  const tables = (await listTables(pool)).filter(({ name }) => TABLES.includes(name))
  const putBack = ({ name, columns }: BackupTable) =>
    `delete from ${name};
    insert into ${name} (${columns.join()}) overriding system value select ${columns.join()} from kept.${name};`
  await pool.query(tables.map(putBack).join('\n'))
}

function url(): string {
  const { host, port, user, password, database: name } = database.connection
  return `postgres://${user}:${password}@localhost:${port}/${name}?host=${encodeURIComponent(host)}`
}

/** Of the same content a release is built once: it costs more than to verify these few orders. */
const built = new Map<string, ReferenceData>()
const buildOnce: typeof loadArchivedRelease = (files, shipped) => {
  const hash = hashContent(files)
  const referenceData = built.get(hash) ?? loadArchivedRelease(files, shipped)
  built.set(hash, referenceData)
  return referenceData
}

const verify = (): Promise<VerificationSummary> => verifyAll(pool, undefined, buildOnce)

test('a database of random orders and events of two releases and two accounts is equal in every row', async () => {
  const { lines, differences, counts } = await verify()
  assert.deepEqual([lines, differences], [[], 0])
  assert.deepEqual([counts.accounts, counts.orders], [2, 4 * ORDERS])
  const { rows } = await pool.query<{ readonly reason: string }>('select distinct reason from entries order by 1')
  // All that can happen has happened, so that no kind of entry is equal because there is none.
  assert.deepEqual(
    rows.map(({ reason }) => reason),
    [
      'cancelled',
      'early_return',
      'extension',
      'late_return',
      'loss',
      'order',
      'overlap',
      'refurbishment',
      'resequenced',
      'retirement',
      'swapped_in',
      'swapped_out',
      'withdrawal',
    ],
  )
})

for (const { name, statement, told } of TAMPERINGS) {
  test(`named: ${name}`, async () => {
    await restore()
    const { rowCount } = await pool.query(statement)
    assert.equal(rowCount, 1, 'the statement changes one row')
    const { lines, differences } = await verify()
    assert.ok(differences > 0)
    assert.ok(
      lines.some((line) => told.test(line)),
      lines.join('\n'),
    )
  })
}

test('the command ends with 0 for a database that is equal, and says what it counted', async () => {
  await restore()
  const { code, stdout, stderr } = await cradle(['verify', '--all'], { DATABASE_URL: url() })
  assert.equal(code, 0, stdout + stderr)
  assert.match(
    stdout,
    new RegExp(
      `^accounts 2\ndevices \\d+\nentries \\d+\norders ${4 * ORDERS}\ndifferences 0\n\\d+ orders a second, .*\nequal: `,
    ),
  )
})

test('the command ends with 1 for a database that differs, and tells twenty differences and the number', async () => {
  await restore()
  await pool.query('update entries set embodied_added_mg = embodied_added_mg + 1 where footprint_id is not null')
  const { code, stdout } = await cradle(['verify', '--all'], { DATABASE_URL: url() })
  assert.equal(code, 1)
  const told = stdout.match(/^account "(un)?capped", device ".+": embodied_total_mg: found \d+, expected \d+$/gm)!
  assert.equal(told.length, 20)
  const { rows } = await pool.query<{ readonly count: bigint }>('select count(*) from devices')
  assert.match(stdout, new RegExp(`^… and ${rows[0]!.count - 20n} more$`, 'm'))
  assert.match(stdout, new RegExp(`^differences ${rows[0]!.count}\n.*\nnot equal$`, 'm'))
})

/** What PostgreSQL says where its disk is full; a function of the database's own, called where a table is read. */
const FAILING = `create function disk_full(anything anyelement) returns anyelement language plpgsql stable as $$ begin
    raise exception 'could not write to file "base/pgsql_tmp/pgsql_tmp1.0": No space left on device'
      using errcode = '53100';
  end $$`

/** Tables of which a column cannot be read, each read at another step. */
const UNREADABLE = [
  ['dataset_releases', 'files'],
  ['orders', 'line_emissions_mg'],
  ['entries', 'packaging_mg'],
  ['events', 'content'],
  ['fact_chunks', 'content'],
] as const

test('where the database fails on the way, that is told, and neither equal nor different', async () => {
  await restore()
  const folded = {
    folds: createRollups(pool, 0, 0),
    referenceDataOf: createReleaseCache(pool, [0, shippedReferenceData().referenceData]),
  }
  await foldAll(
    folded,
    () => false,
    (error) => assert.fail(error),
  )
  const { rowCount: chunks } = await pool.query('select from fact_chunks')
  assert.ok(chunks! > 0, 'nothing is folded')
  await pool.query(FAILING)
  for (const [table, column] of UNREADABLE) {
    const { rows } = await pool.query<{ readonly columns: string }>(
      `select string_agg(case attname when $2 then format('disk_full(%1$I) as %1$I', attname) else quote_ident(attname)
        end, ', ' order by attnum) as columns
      from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped`,
      [table, column],
    )
    await pool.query(
      `alter table ${table} rename to readable; create view ${table} as select ${rows[0]!.columns} from readable`,
    )
    try {
      await assert.rejects(verify(), /No space left on device/, table)
      if (table !== UNREADABLE[0][0]) continue
      const { code, stdout, stderr } = await cradle(['verify', '--all'], { DATABASE_URL: url() })
      assert.deepEqual([code, stdout], [2, ''], stderr)
      assert.match(stderr, /No space left on device/)
      assert.doesNotMatch(stderr, /equal/)
    } finally {
      await pool.query(`drop view ${table}; alter table readable rename to ${table}`)
    }
  }
})

test('a database of another version is refused, and left as it is', async () => {
  await pool.query('delete from schema_migrations')
  const { code, stdout, stderr } = await cradle(['verify', '--all'], { DATABASE_URL: url() })
  assert.deepEqual([code, stdout], [2, ''])
  assert.match(stderr, /The database has 0 of the \d+ migrations of this Cradle/)
  const { rows } = await pool.query('select * from schema_migrations')
  assert.deepEqual(rows, [])
})

test('where there is no database, none is made', async () => {
  const directory = join(freshDirectory(), 'none')
  const { code, stderr } = await cradle(['verify', '--all'], { CRADLE_DATA_DIR: directory })
  assert.equal(code, 2)
  assert.match(stderr, /There is no database in/)
  assert.equal(existsSync(directory), false)
})
