// Tests of stored dataset releases: complete, stored once, and never two with the same name.
import { before, test } from 'node:test'
import assert from 'node:assert/strict'
import type { Pool } from 'pg'
import { freshDatabase } from '../../test/fresh-database.ts'
import { migrate, readMigrations } from './migrations.ts'
import { filesOfRelease, registerRelease } from './dataset-releases.ts'

const HASH = 'ab'.repeat(32)
const FILES = new Map([
  ['a.csv', 'id,name\n1,"é😀\\"\r\n'],
  ['RELEASE', ''],
  ['b/c.csv', 'x'.repeat(500_000)],
])

let pool: Pool
before(async () => {
  pool = (await freshDatabase()).pool
  await migrate(pool, readMigrations())
})

test('the files of a release come back as they were', async () => {
  assert.deepEqual(await filesOfRelease(pool, await registerRelease(pool, 'whole', HASH, FILES)), FILES)
})

test('a release is taken up once, also when many processes start at the same time', async () => {
  const ids = await Promise.all(Array.from({ length: 10 }, () => registerRelease(pool, 'once', HASH, FILES)))
  assert.equal(new Set(ids).size, 1)
  assert.equal(await registerRelease(pool, 'once', HASH, new Map()), ids[0])
})

test('a name that is taken by other figures is refused', async () => {
  await registerRelease(pool, 'name', HASH, FILES)
  await assert.rejects(registerRelease(pool, 'name', 'cd'.repeat(32), FILES), /another dataset release named "name"/)
})

test('a release that the database does not know is refused', async () => {
  await assert.rejects(filesOfRelease(pool, 999), /no dataset release 999/)
})
