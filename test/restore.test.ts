// Restores across releases and through lost connections: the schema of the backup, then ours, or nothing at all.
import { test } from 'node:test'
import assert from 'node:assert/strict'
import type { Pool } from 'pg'
import { decodeFrames, type Frame } from '../src/postgres/backup/format.ts'
import { backup } from '../src/postgres/backup/backup.ts'
import { explainSchema, migrate, readMigrations, type Migration } from '../src/postgres/migrations.ts'
import { migrateRestored, restore } from '../src/postgres/backup/restore.ts'
import { freshDatabase } from './fresh-database.ts'

const MIGRATIONS = readMigrations()
const NEXT: Migration = {
  number: MIGRATIONS.length + 1,
  name: 'next',
  file: 'next.sql',
  sql: 'alter table accounts add column colour text',
  checksum: 'next',
}
const ACCOUNTS = 5_000

/** A backup of a database with accounts, some of them gone again, so that the sequence is ahead of the rows. */
async function takeBackup(): Promise<readonly Buffer[]> {
  const { pool } = await freshDatabase()
  await migrate(pool, MIGRATIONS)
  await pool.query(`insert into accounts (name) select 'account ' || n from generate_series(1, $1::int) n`, [ACCOUNTS])
  await pool.query('delete from accounts where account_id > $1', [ACCOUNTS - 10])
  const chunks: Buffer[] = []
  for await (const chunk of backup(pool, '0.0.0')) chunks.push(chunk)
  return chunks
}

async function* chunksOf(chunks: readonly Buffer[]): AsyncGenerator<Buffer> {
  for (const chunk of chunks) yield await Promise.resolve(chunk)
}

const framesOf = (chunks: readonly Buffer[]): AsyncIterable<Frame> => decodeFrames(chunksOf(chunks))

/** Ends every session of the database but the one that asks. */
const endOthers = (pool: Pool) =>
  pool.query(`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`)

async function tablesOf(pool: Pool): Promise<readonly unknown[]> {
  const text = `select relname from pg_class where relnamespace = 'public'::regnamespace`
  return (await pool.query<Record<string, unknown>>(text)).rows
}

test('frames are read alike however the bytes are cut', async () => {
  const chunks = await takeBackup()
  const whole = Buffer.concat(chunks)
  for (const size of [13, 1000, whole.length]) {
    const cut = Array.from({ length: Math.ceil(whole.length / size) }, (_, at) =>
      whole.subarray(at * size, (at + 1) * size),
    )
    const frames: Buffer[] = []
    for await (const { payload } of framesOf(cut)) frames.push(payload)
    assert.equal(frames.length, chunks.length, `pieces of ${size}`)
    assert.deepEqual(
      Buffer.concat(frames),
      Buffer.concat(chunks.map((chunk) => chunk.subarray(5))),
      `pieces of ${size}`,
    )
  }
})

test('a backup of an older schema is restored, then migrated; one of a newer schema is refused', async () => {
  const chunks = await takeBackup()
  const { pool } = await freshDatabase()
  await restore(pool, framesOf(chunks), [...MIGRATIONS, NEXT])
  assert.match((await explainSchema(pool, [...MIGRATIONS, NEXT]))!, /missing: next\.sql/)
  await migrateRestored(pool, [...MIGRATIONS, NEXT])
  assert.equal(await explainSchema(pool, [...MIGRATIONS, NEXT]), undefined)
  const { rows } = await pool.query<{ account_id: number }>(
    `insert into accounts (name) values ('next') returning account_id`,
  )
  assert.equal(rows[0]!.account_id, ACCOUNTS + 1)

  const other = await freshDatabase()
  await assert.rejects(restore(other.pool, framesOf(chunks), []), /schema of the backup is not known here/)
  assert.deepEqual(await tablesOf(other.pool), [])
})

test('of two that restore into one database, one does and the other finds it full', async () => {
  const chunks = await takeBackup()
  const { pool } = await freshDatabase()
  const outcomes = await Promise.allSettled([1, 2].map(() => restore(pool, framesOf(chunks), MIGRATIONS)))
  assert.deepEqual(outcomes.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
  const { rows } = await pool.query<{ count: bigint }>('select count(*) from accounts')
  assert.equal(Number(rows[0]!.count), ACCOUNTS - 10)
})

test('a restore whose connection is lost in the middle of a table fails, and leaves the database empty', async () => {
  const chunks = await takeBackup()
  const { pool } = await freshDatabase()
  async function* interrupted(): AsyncGenerator<Frame> {
    let data = 0
    for await (const one of framesOf(chunks)) {
      yield one
      if (one.kind === 'data' && (data += 1) === 2) {
        await endOthers(pool)
      }
    }
  }
  await assert.rejects(restore(pool, interrupted(), MIGRATIONS))
  assert.deepEqual(await tablesOf(pool), [])
  await restore(pool, framesOf(chunks), MIGRATIONS)
})

test('a backup whose connection is lost, or that nobody reads to its end, fails and keeps nothing open', async () => {
  const { pool } = await freshDatabase()
  await migrate(pool, MIGRATIONS)
  await pool.query(`insert into accounts (name) select repeat('x', 900) || n from generate_series(1, 20000) n`)
  const sessions = async () => {
    const { rows } = await pool.query<{ count: bigint }>(
      `select count(*) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
    )
    return Number(rows[0]!.count)
  }
  const read = async () => {
    for await (const chunk of backup(pool, '0.0.0')) {
      if (chunk[0] === 0x44) {
        await endOthers(pool)
      }
    }
  }
  await assert.rejects(read())
  for await (const chunk of backup(pool, '0.0.0')) if (chunk[0] === 0x44) break
  for (let attempts = 0; (await sessions()) > 0; attempts += 1) {
    assert.ok(attempts < 100, 'a session stays open')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
})
