// A database user that may not make temporary tables: imports work, and a dry run says which privilege it lacks.
import { before, test } from 'node:test'
import assert from 'node:assert/strict'
import type { Pool } from 'pg'
import { createPool } from '../src/postgres/pool.ts'
import { migrate, readMigrations } from '../src/postgres/migrations.ts'
import { templateOf } from '../src/spreadsheets/templates.ts'
import { freshDatabase, type FreshDatabase } from './fresh-database.ts'
import { createOwnImporter } from './own-importer.ts'

const ROLE = `restricted_${process.pid}`

let database: FreshDatabase
let restricted: Pool
before(async () => {
  database = await freshDatabase()
  const { pool, connection } = database
  await migrate(pool, readMigrations())
  await pool.query(`create role ${ROLE} login password 'plain';
    revoke temporary on database ${connection.database} from public;
    grant usage on schema public to ${ROLE};
    grant select, insert, update, delete on all tables in schema public to ${ROLE};
    grant select, usage on all sequences in schema public to ${ROLE}`)
  restricted = createPool({ ...connection, user: ROLE, password: 'plain' })
})
async function importedAs(pool: Pool, isDryRun: boolean) {
  const { run } = await createOwnImporter(pool)
  return run(templateOf('items'), isDryRun)
}

test('a dry run without the privilege fails with a sentence that names it, and an import does not', async (t) => {
  // Before the end of the file drops the database.
  t.after(async () => {
    await restricted.end()
    await database.pool.query(`drop owned by ${ROLE}; drop role ${ROLE}`)
  })
  const refused = await importedAs(restricted, true)
  assert.equal(refused.state, 'failed')
  assert.match(refused.problem!, /needs the privilege TEMPORARY on the database/)
  const done = await importedAs(restricted, false)
  assert.deepEqual([done.state, done.counts.ordersRejected], ['succeeded', 0])
  assert.equal((await importedAs(database.pool, true)).state, 'succeeded')
})
