// A database user that may not make temporary tables: imports work, and a dry run says which privilege it lacks.
import { before, test } from 'node:test'
import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import type { Pool } from 'pg'
import { UPLOAD_LIMITS } from '../src/config.ts'
import { detectFile, type Detect } from '../src/imports/detect-file.ts'
import { createDiskRoom } from '../src/imports/disk-room.ts'
import { workOnNext } from '../src/imports/importer.ts'
import { receiveFile } from '../src/imports/receive-file.ts'
import { createUploadAdmission } from '../src/imports/upload-admission.ts'
import { openOwnImporter } from '../src/open-importing.ts'
import { ensureAccount } from '../src/postgres/accounts/accounts.ts'
import { createPool } from '../src/postgres/connection/pool.ts'
import { migrate } from '../src/postgres/migrations/migrate.ts'
import { readMigrations } from '../src/postgres/migrations/migrate-files.ts'
import { useRelease } from '../src/postgres/releases.ts'
import { templateOf } from '../src/tables/templates.ts'
import { freshDatabase, type FreshDatabase } from './fresh-database.ts'
import { shippedBook } from './shipped-book.ts'

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
  const { book, files } = shippedBook()
  const releaseId = await useRelease(pool, book.release, book.hash, files)
  const room = createDiskRoom(null)
  const importer = openOwnImporter(pool, { book, releaseId, bookOf: () => Promise.resolve(book) }, room)
  const admission = createUploadAdmission(UPLOAD_LIMITS, room)
  const { signal } = new AbortController()
  const content = Readable.from([Buffer.from(templateOf('items'))])
  const { accountId } = await ensureAccount(pool, 'test')
  const sent = { fileName: null, isDryRun, asked: {}, announcedBytes: null, content, signal }
  const detect: Detect = (file) => detectFile(importer.imports, file)
  const received = await receiveFile({ ...importer, admission, detect }, accountId, sent)
  assert.ok(received.ok)
  await workOnNext(importer, received.key, signal)
  return (await importer.imports.find(received.key))!
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
  assert.deepEqual([done.state, done.counts.ordersFailed], ['done', 0])
  assert.equal((await importedAs(database.pool, true)).state, 'done')
})
