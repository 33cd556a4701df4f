// Tests that a database is migrated to this release's schema once, completely, and only with a known history.
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from 'pg'
import { freshDatabase } from '../../test/fresh-database.ts'
import { checkMigrated, migrate, readMigrations, type Migration } from './migrations.ts'
import { dumpSchema } from '../../test/dump-schema.ts'
import { createPool } from './pool.ts'
import type { ConnectionSettings } from './embedded/connection-file.ts'

const THREE = join(import.meta.dirname, '..', '..', 'test', 'fixtures', 'migrations-three')
const three = readMigrations(THREE)
const numbers = (migrations: readonly Migration[]) => migrations.map(({ number }) => number)

async function withDatabase(run: (pool: Pool, connection: ConnectionSettings) => Promise<void>): Promise<void> {
  const database = await freshDatabase()
  try {
    await run(database.pool, database.connection)
  } finally {
    await database.drop()
  }
}

test('an empty database gets every migration, a second run none, and a later release only the new ones', () =>
  withDatabase(async (pool) => {
    await assert.rejects(checkMigrated(pool, three), /has 0 of the 3 migrations/)
    assert.deepEqual(numbers(await migrate(pool, three.slice(0, 2))), [1, 2])
    assert.deepEqual(numbers(await migrate(pool, three)), [3])
    assert.deepEqual(numbers(await migrate(pool, three)), [])
    await checkMigrated(pool, three)
  }))

test('four processes that migrate at once apply each migration exactly once', () =>
  withDatabase(async (pool, connection) => {
    const pools = Array.from({ length: 4 }, () => createPool(connection))
    const applied = await Promise.all(pools.map((each) => migrate(each, three)))
    assert.deepEqual(applied.flatMap(numbers).sort(), [1, 2, 3])
    await checkMigrated(pool, three)
    await Promise.all(pools.map((each) => each.end()))
  }))

test('a migrator killed inside a migration leaves none of it, and the next run completes', () =>
  withDatabase(async (pool, connection) => {
    const program = `
      const [, folder, directory, connection] = process.argv
      const { migrate } = await import(folder + '/migrations.ts')
      const { readMigrations } = await import(folder + '/migrations.ts')
      const { createPool } = await import(folder + '/pool.ts')
      await migrate(createPool(JSON.parse(connection)), readMigrations(directory))`
    const child = spawn(
      process.execPath,
      ['--input-type=module', '-e', program, import.meta.dirname, THREE, JSON.stringify(connection)],
      { stdio: 'inherit' },
    )
    const exited = once(child, 'exit')
    await until(
      async () =>
        (
          await pool.query(`select from pg_stat_activity
      where state = 'active' and query like '%pg_sleep(0.3)%' and datname = current_database()
        and pid <> pg_backend_pid()`)
        ).rowCount === 1,
    )
    child.kill('SIGKILL')
    await exited
    assert.deepEqual((await pool.query('select number from schema_migrations')).rows, [{ number: 1 }])
    assert.deepEqual(numbers(await migrate(pool, three)), [2, 3])
  }))

test('a migration that fails names its file and leaves nothing behind', () =>
  withDatabase(async (pool) => {
    const broken: Migration = { ...three[0]!, sql: 'create table half (n int); select 1 / 0' }
    await assert.rejects(migrate(pool, [broken]), /0001-devices\.sql failed and left nothing behind: division by zero/)
    assert.equal((await pool.query(`select from pg_class where relname = 'half'`)).rowCount, 0)
    assert.equal((await pool.query('select from schema_migrations')).rowCount, 0)
  }))

test('a migrator that waits too long for another says so', () =>
  withDatabase(async (pool) => {
    await migrate(pool, three.slice(0, 2))
    const user = await pool.connect()
    try {
      // The first migrator waits for a table in use until the other transaction ends, however late that is.
      await user.query('begin; lock table entries in row exclusive mode')
      const slow = migrate(pool, three, { lockMilliseconds: 60_000 })
      const held = `select from pg_locks join pg_database on database = pg_database.oid
        where locktype = 'advisory' and datname = current_database()`
      await until(async () => (await pool.query(held)).rowCount === 1)
      await assert.rejects(migrate(pool, three, { waitMilliseconds: 50 }), /Another process has been migrating/)
      await user.query('commit')
      assert.deepEqual(numbers(await slow), [3])
    } finally {
      user.release()
    }
  }))

test('a migration waits briefly for a table in use, lets its users pass, and tries again', () =>
  withDatabase(async (pool) => {
    await migrate(pool, three.slice(0, 2))
    const user = await pool.connect()
    try {
      await user.query('begin; lock table entries in row exclusive mode')
      const hasty = migrate(pool, three, { lockMilliseconds: 50, attemptsMax: 2 })
      await assert.rejects(hasty, /0003-append-only\.sql failed.*lock timeout/)
      const patient = migrate(pool, three, { lockMilliseconds: 50, attemptsMax: 100 })
      await user.query('commit')
      assert.deepEqual(numbers(await patient), [3])
    } finally {
      user.release()
    }
  }))

test('whoever may write rows, but make no tables, finds a schema that is right, and may not bring it to another', () =>
  withDatabase(async (pool, connection) => {
    await migrate(pool, three.slice(0, 2))
    const role = `writer_${process.pid}`
    await pool.query(`create role ${role} login password 'of-rows-alone'`)
    await pool.query(`grant select, insert, update, delete on all tables in schema public to ${role}`)
    const writer = createPool({ ...connection, user: role, password: 'of-rows-alone' })
    try {
      assert.deepEqual(await migrate(writer, three.slice(0, 2)), [])
      await assert.rejects(migrate(writer, three), /^Error: Migration 0003-.* left nothing behind: permission denied/)
      await checkMigrated(pool, three.slice(0, 2))
    } finally {
      await writer.end()
      await pool.query(`drop owned by ${role}`)
      await pool.query(`drop role ${role}`)
    }
  }))

test('a newer database, a changed file and a replaced file are refused, each naming the file', () =>
  withDatabase(async (pool) => {
    await migrate(pool, three)
    const [first, second, third] = three as readonly [Migration, Migration, Migration]
    await assert.rejects(
      migrate(pool, [first, second]),
      /newer than this Cradle: it has 0003-append-only\.sql, and this release knows 0001 to 0002\. Start the newer/,
    )
    await assert.rejects(
      migrate(pool, [first, { ...second, checksum: 'other' }, third]),
      /0002-entries\.sql was changed/,
    )
    await assert.rejects(
      migrate(pool, [{ ...first, name: 'renamed', file: '0001-renamed.sql' }, second, third]),
      /0001-devices\.sql was applied to the database and is missing in this release/,
    )
    await pool.query('delete from schema_migrations where number = 2')
    await assert.rejects(migrate(pool, three), /lacks migration 0002 and has 0003-append-only\.sql/)
  }))

test('files with a gap, a number twice or another kind of name are refused', () => {
  const directory = mkdtempSync(join(tmpdir(), 'cradle-test-'))
  try {
    cpSync(THREE, directory, { recursive: true })
    writeFileSync(join(directory, '0003-again.sql'), 'select 1')
    assert.throws(() => readMigrations(directory), /the number 3: 0003-again\.sql and 0003-append-only\.sql/)
    rmSync(join(directory, '0003-again.sql'))
    rmSync(join(directory, '0002-entries.sql'))
    assert.throws(() => readMigrations(directory), /Migration 0002 is missing .* 0003-append-only\.sql comes next/)
    writeFileSync(join(directory, '2-Entries.sql'), 'select 1')
    assert.throws(() => readMigrations(directory), /2-Entries\.sql is not named like a migration/)
  } finally {
    rmSync(directory, { recursive: true })
  }
})

test('the line ends that Git may give a file do not change its checksum', () => {
  const directory = mkdtempSync(join(tmpdir(), 'cradle-test-'))
  writeFileSync(join(directory, '0001-devices.sql'), three[0]!.sql.replaceAll('\n', '\r\n'))
  assert.equal(readMigrations(directory)[0]!.checksum, three[0]!.checksum)
  rmSync(directory, { recursive: true })
})

test('the schema is dumped as readable text, the same for the same schema', () =>
  withDatabase(async (pool) => {
    await migrate(pool, three)
    const dump = await dumpSchema(pool)
    assert.equal(dump.replace(/ FOR EACH ROW/, '\n$&'), EXPECTED_DUMP)
    assert.equal(await dumpSchema(pool), dump)
  }))

const EXPECTED_DUMP = `create table devices (
  serial text not null,
  mass_g bigint not null,
  constraint devices_pkey PRIMARY KEY (serial),
  constraint devices_mass_g_check CHECK ((mass_g > 0))
);

create table entries (
  id bigint not null generated always as identity,
  serial text not null,
  posted_on date not null default CURRENT_DATE,
  constraint entries_pkey PRIMARY KEY (id),
  constraint entries_serial_fkey FOREIGN KEY (serial) REFERENCES devices(serial)
);
CREATE INDEX entries_by_serial ON public.entries USING btree (serial, posted_on);
CREATE TRIGGER entries_append_only BEFORE DELETE OR UPDATE ON public.entries
 FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE OR REPLACE FUNCTION public.refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'entries are append-only';
end $function$;
`

async function until(holds: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 60_000
  while (!(await holds())) {
    assert.ok(Date.now() < deadline, 'it did not come about within a minute')
    await sleep(5)
  }
}
