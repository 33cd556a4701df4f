// The schema in one file: what the numbered migrations come to, kept beside them so that a review sees their effect.
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { migrate, readMigrations } from '../src/postgres/migrations.ts'
import { dumpSchema } from './dump-schema.ts'
import { freshDatabase } from './fresh-database.ts'

const SQL = join(import.meta.dirname, '..', 'sql')
const SCHEMA = join(SQL, 'schema.sql')

test('sql/schema.sql is what a migrated database has (UPDATE_SCHEMA=1 writes it)', async () => {
  const database = await freshDatabase()
  try {
    await migrate(database.pool, readMigrations())
    const dumped = await dumpSchema(database.pool)
    if (process.env['UPDATE_SCHEMA']) writeFileSync(SCHEMA, dumped)
    assert.equal(readFileSync(SCHEMA, 'utf8'), dumped)
  } finally {
    await database.drop()
  }
})
