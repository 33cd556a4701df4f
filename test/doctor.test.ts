// `cradle doctor` and `cradle migrate --check`: they tell what is right and what is wrong, and change nothing.
import { after, test } from 'node:test'
import assert from 'node:assert/strict'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { checkRollups, checkClockSkew, type CheckResult } from '../src/cli/doctor.ts'
import { readClockSkew, readRollupState } from '../src/postgres/health.ts'
import { cradle, freshDirectory, serve } from './command.ts'
import { urlOf } from './database-url.ts'
import { durableDatabase, durableMigratedDatabase, freshDatabase, freshMigratedDatabase } from './fresh-database.ts'

const root = freshDirectory()
after(() => rmSync(root, { recursive: true, force: true }))

async function doctor(environment: Readonly<Record<string, string>>) {
  const { code, stdout, stderr } = await cradle(['doctor', '--json'], environment)
  const findings = JSON.parse(stdout) as readonly CheckResult[]
  const verdictOf = (subject: string) => findings.find((finding) => finding.subject === subject)
  return { code, stdout, stderr, findings, verdictOf }
}

const check = (environment: Readonly<Record<string, string>>) => cradle(['migrate', '--check'], environment)

test('a new installation is right, asking makes nothing, and beside a service all is right', async (context) => {
  const environment = { CRADLE_DATA_DIR: join(root, 'data') }
  const before = await doctor(environment)
  assert.equal(before.code, 0, before.stdout)
  assert.equal(before.verdictOf('database')?.verdict, 'unknown')
  assert.equal((await check(environment)).code, 1)
  assert.equal(existsSync(environment.CRADLE_DATA_DIR), false)

  const serving = await serve(environment)
  context.after(() => serving.end('SIGKILL'))
  const beside = await doctor(environment)
  assert.equal(beside.code, 0, beside.stdout)
  const subjects = ['node', 'datasets', 'data directory', 'postgresql', 'durability', 'schema', 'dataset release']
  assert.deepEqual(
    beside.findings.map(({ subject, verdict }) => `${subject} ${verdict}`),
    [...subjects, 'reports', 'devices', 'webhooks', 'clock', 'disk'].map((subject) => `${subject} right`),
  )
  const said = await cradle(['doctor'], environment)
  assert.match(said.stdout, /^right {4}durability {7}fsync on, full_page_writes on, synchronous_commit on$/m)
  const upToDate = await check(environment)
  assert.deepEqual([upToDate.code, upToDate.stderr], [0, ''])
  assert.equal(await serving.end('SIGTERM'), 'stopped')
})

test('an empty database lacks its schema, says which migrations, and migrate brings it up to date', async () => {
  const { connection, pool } = await durableDatabase()
  const environment = { DATABASE_URL: urlOf(connection) }
  const missing = await check(environment)
  assert.equal(missing.code, 1)
  assert.match(missing.stderr, /has 0 of the \d+ migrations of this Cradle; missing: 0001-ledger\.sql/)
  const { code, verdictOf } = await doctor(environment)
  assert.deepEqual([code, verdictOf('schema')?.verdict, verdictOf('disk')?.verdict], [1, 'wrong', 'unknown'])
  const { rows } = await pool.query(`select relname from pg_class where relnamespace = 'public'::regnamespace`)
  assert.deepEqual(rows, [])
  assert.equal((await cradle(['migrate'], environment)).code, 0)
  assert.equal((await check(environment)).code, 0)
  assert.equal((await doctor(environment)).code, 0)
})

test('settings that lose orders, other figures of one name and a database out of reach are found wrong', async () => {
  const { connection, pool } = await durableMigratedDatabase()
  const environment = { DATABASE_URL: urlOf(connection) }
  const { findings } = await doctor(environment)
  const release = /^release (\S+) is sound$/.exec(findings.find(({ subject }) => subject === 'datasets')!.sentence)![1]
  await pool.query(`alter database ${connection.database} set synchronous_commit = off`)
  await pool.query(`insert into dataset_releases (name, content_hash, files) values ($1, $2, '')`, [
    release,
    Buffer.alloc(32),
  ])
  const { code, verdictOf } = await doctor(environment)
  assert.equal(code, 1)
  assert.match(verdictOf('durability')!.sentence, /synchronous_commit=off: a crash could lose the last orders/)
  assert.match(verdictOf('dataset release')!.sentence, /other data under the name/)
  assert.deepEqual([verdictOf('durability')?.verdict, verdictOf('schema')?.verdict], ['wrong', 'right'])

  const away = await doctor({ DATABASE_URL: 'postgres://cradle:s3cret@127.0.0.1:1/cradle' })
  assert.equal(away.code, 1)
  assert.equal(away.verdictOf('database')?.verdict, 'wrong')
  assert.equal(`${away.stdout}${away.stderr}`.includes('s3cret'), false)
})

test('a clock that differs by more than a second is wrong, whichever way', async () => {
  const { pool } = await freshDatabase()
  assert.match(checkClockSkew(await readClockSkew(pool, Date.now)), /same time/)
  assert.throws(() => checkClockSkew(-3_000), /3\.0 s behind ours/)
  assert.throws(() => checkClockSkew(3_000), /3\.0 s ahead of ours/)
  for (const ours of [3_000, -3_000]) {
    const askedAt = performance.now()
    const skew = await readClockSkew(pool, () => Date.now() + ours)
    // What the way there and back explains is no skew; a millisecond is what a clock of whole ones may be off by.
    const missing = 3_000 - Math.abs(skew)
    assert.ok(missing >= -1 && missing <= performance.now() - askedAt + 1, `${skew} ms`)
    if (skew !== 0) assert.equal(Math.sign(skew), -Math.sign(ours))
  }
})

test('an account whose entries are not folded for a day while others are is wrong, by name', async () => {
  const { pool } = await freshMigratedDatabase()
  assert.equal(checkRollups(await readRollupState(pool)), 'nothing is folded yet')
  await pool.query(
    `insert into accounts (name, created_at)
      select name, now() - interval '9 days' from unnest(array['near', 'far']) as name`,
  )
  await pool.query(`insert into report_watermarks select account_id, now() - interval '3 days' from accounts`)
  assert.match(checkRollups(await readRollupState(pool)), /^folded until 72 h ago, and on while the service runs$/)
  const fold = (name: string) =>
    pool.query(
      `update report_watermarks set rolled_up_until = now() - interval '1 minute' from accounts
        where report_watermarks.account_id = accounts.account_id and name = $1`,
      [name],
    )
  await fold('near')
  const folded = await readRollupState(pool)
  assert.throws(() => checkRollups(folded), /not those of the last day of far: /)
  await fold('far')
  assert.equal(checkRollups(await readRollupState(pool)), 'folded until 1 min ago')
})

test('a clock of the database set back behind what is folded is wrong, and what mends it is said', async () => {
  const { pool } = await freshMigratedDatabase()
  await pool.query(`insert into accounts (name) values ('ahead')`)
  await pool.query(`insert into report_watermarks select account_id, now() + interval '5 hours' from accounts`)
  const folded = await readRollupState(pool)
  assert.throws(() => checkRollups(folded), /^Error: Entries are folded until 5 h from now: .* reports rebuild/)
})
