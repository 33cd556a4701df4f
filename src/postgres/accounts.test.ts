// Tests of API keys: random, protected by a checksum, readable only once, and unusable after revocation or expiry.
import { before, test } from 'node:test'
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import type { Pool } from 'pg'
import { freshDatabase } from '../../test/fresh-database.ts'
import { revokeKey } from './api-keys.ts'
import {
  FIND_CALLER,
  SCOPES,
  createKey,
  ensureAccount,
  findCaller,
  isValidKeyFormat,
  listAccounts,
  listKeys,
  setAmortisation,
} from './accounts.ts'
import { migrate, readMigrations } from './migrations.ts'

let pool: Pool
before(async () => {
  pool = (await freshDatabase()).pool
  await migrate(pool, readMigrations())
})

const keyOf = async (account: string, expiresAt: Date | null = null) =>
  createKey(pool, (await ensureAccount(pool, account)).accountId, SCOPES, expiresAt)

test('an account is made once, also when many ask for it at the same time', async () => {
  const made = await Promise.all(Array.from({ length: 20 }, () => ensureAccount(pool, 'many')))
  assert.equal(new Set(made.map(({ accountId }) => accountId)).size, 1)
  assert.equal(made.filter(({ isNew }) => isNew).length, 1)
})

test('keys have a prefix, 32 random characters and a checksum, and no two are alike', async () => {
  const keys = await Promise.all(Array.from({ length: 200 }, () => keyOf('form')))
  assert.equal(new Set(keys.map((key) => key.slice(0, 20))).size, 200)
  for (const key of keys) {
    assert.match(key, /^cradle_[0-9A-Za-z]{38}$/)
    assert.equal(isValidKeyFormat(key), true)
  }
  assert.equal(new Set(keys.flatMap((key) => [...key.slice(7, 39)])).size, 62)
})

test('a key with any one character changed is not well-formed', async () => {
  const key = await keyOf('mistyped')
  for (let at = 0; at < key.length; at += 1) {
    const other = key[at] === 'x' ? 'y' : 'x'
    assert.equal(isValidKeyFormat(key.slice(0, at) + other + key.slice(at + 1)), false, `character ${at}`)
  }
})

test('the index alone passes over keys that expired or were revoked: no row of theirs is read', async () => {
  const revoked = await keyOf('passed-over')
  const { keyId } = (await findCaller(pool, revoked, new Date()))!
  await revokeKey(pool, keyId, true)
  const expired = await keyOf('passed-over', new Date('2026-01-01'))
  const connection = await pool.connect()
  try {
    await connection.query('set enable_seqscan = off')
    await connection.query('vacuum api_keys')
    for (const key of [revoked, expired]) {
      const { rows } = await connection.query<{ 'QUERY PLAN': string }>(
        `explain (analyze, costs off, timing off, buffers off) ${FIND_CALLER}`,
        [createHash('sha256').update(key).digest(), new Date('2026-06-01')],
      )
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
      assert.match(plan, /Index Scan using api_keys_by_hash on api_keys \(actual rows=0/)
      assert.match(plan, /Index Cond: .*COALESCE/)
      assert.doesNotMatch(plan, /Rows Removed/)
    }
  } finally {
    connection.release(true)
  }
})

test('the database holds the hash of a key, and neither it nor the list holds the key', async () => {
  const key = await keyOf('secret')
  const { rows } = await pool.query<{ row: string; hash: Buffer }>(
    'select api_keys::text as row, key_hash as hash from api_keys where key_hash = $1',
    [createHash('sha256').update(key).digest()],
  )
  assert.equal(rows.length, 1)
  assert.equal(rows[0]!.row.includes(key.slice(12, -5)), false)
  assert.equal(JSON.stringify(await listKeys(pool)).includes(key.slice(12, -5)), false)
})

const NOW = new Date('2026-01-01T00:00:00.000Z')

test('a key finds its account, scopes and expiry; once expired or revoked it finds nothing', async () => {
  const expiresAt = new Date('2100-01-01T00:00:00.000Z')
  const key = await keyOf('found', expiresAt)
  const { accountId } = await ensureAccount(pool, 'found')
  const { keyId, hint } = (await listKeys(pool)).find(({ account }) => account === 'found')!
  assert.deepEqual(await findCaller(pool, key, NOW), {
    keyId,
    recordedBy: { keyHint: hint, keyLabel: '' },
    accountId,
    accountName: 'found',
    isCapped: true,
    isStrict: false,
    daysAheadMax: null,
    mappingsVersion: 0,
    figuresVersion: 0,
    pinnedReleaseId: null,
    installedReleaseId: null,
    scopes: SCOPES,
    expiresAt,
  })
  assert.equal(await findCaller(pool, key, expiresAt), null)
  assert.equal(await revokeKey(pool, keyId, true), 'revoked')
  assert.equal(await findCaller(pool, key, NOW), null)
  assert.equal(await revokeKey(pool, keyId, true), 'unknown')
})

test('a key that nobody has finds nobody', async () => {
  assert.equal(await findCaller(pool, 'cradle_2TvGSzDq7qYmwX0Y1dT8I7EvxSoa7eQb4gT6Mp', NOW), null)
})

test('an account is charged up to the cap, unless it asks for every month in full; the list says which', async () => {
  const key = await keyOf('amortised')
  const amortisationOf = async () => (await listAccounts(pool)).find(({ name }) => name === 'amortised')?.amortisation
  assert.deepEqual([(await findCaller(pool, key, NOW))?.isCapped, await amortisationOf()], [true, 'capped'])
  assert.equal(await setAmortisation(pool, 'amortised', 'uncapped'), true)
  assert.deepEqual([(await findCaller(pool, key, NOW))?.isCapped, await amortisationOf()], [false, 'uncapped'])
  assert.equal(await setAmortisation(pool, 'nobody', 'uncapped'), false)
})
