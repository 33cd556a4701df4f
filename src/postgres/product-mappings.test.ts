// Tests the limit of mappings per account: exact with concurrent writes, and mappings can still be changed once it is
// reached.
import { before, test } from 'node:test'
import assert from 'node:assert/strict'
import type { Pool } from 'pg'
import { freshDatabase } from '../../test/fresh-database.ts'
import { ensureAccount } from './accounts.ts'
import { createMappings, type NewMapping } from './product-mappings.ts'
import { migrate, readMigrations } from './migrations.ts'

const MAX = 5
const LIMITS = { mappingsPerAccountMax: MAX, mappingsCachedMax: 100 }

let pool: Pool
before(async () => {
  pool = (await freshDatabase()).pool
  await migrate(pool, readMigrations())
})

const mapping = (productId: string, modelId = 'a'): NewMapping => ({ productId, target: { modelId, deviceType: null } })
const accountOf = async (name: string) => (await ensureAccount(pool, name)).accountId
const versionOf = async (accountId: number) => {
  const { rows } = await pool.query<{ readonly version: number }>(
    'select mappings_version as version from accounts where account_id = $1',
    [accountId],
  )
  return rows[0]!.version
}

test('lists that are put at one moment do not exceed the limit together', async () => {
  const accountId = await accountOf('race')
  // Each has its own cache, as in a separate process.
  const put = await Promise.all(
    Array.from({ length: 6 }, (_, at) =>
      createMappings(pool, LIMITS).put(accountId, [mapping(`${at}-1`), mapping(`${at}-2`)]),
    ),
  )
  assert.equal(put.filter(({ ok }) => ok).length, 2)
  const { rows } = await pool.query('select from product_mappings where account_id = $1', [accountId])
  assert.equal(rows.length, 4)
})

test('at the limit what is mapped can be mended and taken back, and what is new comes in its place', async () => {
  const accountId = await accountOf('full')
  const mappings = createMappings(pool, LIMITS)
  assert.ok(
    (
      await mappings.put(
        accountId,
        ['1', '2', '3', '4', '5'].map((id) => mapping(id)),
      )
    ).ok,
  )
  const refused = await mappings.put(accountId, [mapping('1', 'b'), mapping('6'), mapping('7')])
  assert.deepEqual(refused, { ok: false, holding: 5, added: 2 })
  assert.equal((await mappings.find(accountId, '1'))!.target.modelId, 'a')
  assert.ok((await mappings.put(accountId, [mapping('1', 'b'), mapping('2')])).ok)
  assert.equal((await mappings.find(accountId, '1'))!.target.modelId, 'b')
  for (const id of ['3', '4']) assert.ok(await mappings.remove(accountId, id))
  assert.ok((await mappings.put(accountId, [mapping('3'), mapping('8')])).ok)
  assert.equal((await mappings.put(accountId, [mapping('4')])).ok, false)
})

test('a version is counted where something is stored, and nowhere else', async () => {
  const accountId = await accountOf('versions')
  const mappings = createMappings(pool, LIMITS)
  await mappings.put(accountId, [mapping('1')])
  const version = await versionOf(accountId)
  const first = await mappings.find(accountId, '1')
  const again = await mappings.put(accountId, [mapping('1')])
  assert.deepEqual(again, { ok: true, stored: [first] })
  await mappings.put(
    accountId,
    ['2', '3', '4', '5', '6'].map((id) => mapping(id)),
  )
  assert.equal(await mappings.remove(accountId, 'never'), null)
  assert.equal(await versionOf(accountId), version)
  await mappings.remove(accountId, '1')
  assert.equal(await versionOf(accountId), version + 1)
})

test('of deletions at one moment one takes the mapping back, and the others find none', async () => {
  const accountId = await accountOf('deletions')
  const mappings = createMappings(pool, LIMITS)
  for (let round = 0; round < 5; round += 1) {
    await mappings.put(accountId, [mapping('1')])
    const removed = await Promise.all(Array.from({ length: 6 }, () => mappings.remove(accountId, '1')))
    assert.equal(removed.filter((one) => one !== null).length, 1)
  }
})
