// Who works on an import, and what becomes of a file that is given up: decided by the database, whoever asks at once.
import { before, test } from 'node:test'
import assert from 'node:assert/strict'
import type { Pool } from 'pg'
import { UPLOAD_LIMITS } from '../src/config.ts'
import type { ImportCounts, ImportKey } from '../src/postgres/import-record.ts'
import { ensureAccount } from '../src/postgres/accounts.ts'
import { LeaseLost } from '../src/postgres/errors.ts'
import { createImportJobs, createImportLeases } from '../src/postgres/import-jobs.ts'
import { createImports, type Imports } from '../src/postgres/imports.ts'
import { migrate, readMigrations } from '../src/postgres/migrations.ts'
import { freshDatabase } from './fresh-database.ts'

const FILE = { fileName: 'orders.csv', isDryRun: false }
const ACCEPTED = { bytes: 5, sha256: Buffer.alloc(32), settings: '{}', detected: '{}' }

let pool: Pool
let imports: Imports
/** A process that works on imports. */
const processOf = (holder: string) => ({ ...createImportJobs(pool, holder), ...createImportLeases(pool, holder) })
let [one, other]: ReturnType<typeof processOf>[] = []
before(async () => {
  pool = (await freshDatabase()).pool
  await migrate(pool, readMigrations())
  imports = createImports(pool)
  one = processOf('one')
  other = processOf('other')
})

const QUOTA = UPLOAD_LIMITS.quota

async function begun(accountId: number, isDryRun = false): Promise<ImportKey> {
  const began = await imports.begin(accountId, { ...FILE, isDryRun }, 5, QUOTA)
  assert.ok(began.ok)
  return began.key
}

let accounts = 0
const newAccount = async (): Promise<number> => (await ensureAccount(pool, `account ${(accounts += 1)}`)).accountId

/** Of an account of its own, unless one is named: of each one import is worked on at a time. */
async function received(accountId?: number, isDryRun = false): Promise<ImportKey> {
  const key = await begun(accountId ?? (await newAccount()), isDryRun)
  assert.ok(await imports.addPiece(key, 0, Buffer.from('piece')))
  return key
}

async function accepted(accountId?: number, isDryRun?: boolean): Promise<ImportKey> {
  const key = await received(accountId, isDryRun)
  assert.ok(await imports.accept(key, ACCEPTED))
  return key
}

/** As if time had passed, for one import. */
const letTimePass = ({ accountId, importId }: ImportKey) =>
  pool.query(`update imports set lease_until = now() - interval '1 second' where account_id = $1 and import_id = $2`, [
    accountId,
    importId,
  ])

async function piecesOf({ accountId, importId }: ImportKey): Promise<number> {
  const { rows } = await pool.query<{ readonly count: bigint }>(
    'select count(*) as count from import_chunks where account_id = $1 and import_id = $2',
    [accountId, importId],
  )
  return Number(rows[0]!.count)
}

test('imports that are begun at once have numbers of their own, one after the other in each account', async () => {
  const own = [await newAccount(), await newAccount()]
  const keys = await Promise.all(Array.from({ length: 12 }, (_, at) => begun(own[at % 2]!)))
  for (const account of own) {
    const numbers = keys.filter(({ accountId }) => accountId === account).map(({ importId }) => importId)
    assert.deepEqual(numbers.toSorted(), [1, 2, 3, 4, 5, 6])
  }
})

test('of all that ask at once, one works on an import, and another only once that one has fallen silent', async () => {
  const key = await accepted()
  const claims = await Promise.all([one!.claim(key), other!.claim(key), one!.claim(key), other!.claim(key)])
  assert.equal(claims.filter((job) => job !== null).length, 1)
  await letTimePass(key)
  const job = (await other!.claim(key))!
  assert.equal(await one!.claim(key), null)
  await other!.hold(job)
  await other!.dealtWith(key, { ...job.counts, rowDone: 7 }, [])
  await other!.release(key, 'in order')
  assert.equal((await one!.claim(key))?.counts.rowDone, 7)
})

test('who has lost an import, or is to stop, tells nothing more of it, and stores no fault', async () => {
  const key = await accepted()
  const job = (await one!.claim(key))!
  const counts: ImportCounts = { ...job.counts, rowDone: 9 }
  const faulty = [{ row: 2, cells: '[]', errors: '[]', isTruncated: false }]
  await letTimePass(key)
  await other!.claim(key)
  for (const told of [
    () => one!.hold(job),
    () => one!.dealtWith(key, counts, faulty),
    () => one!.restart(key),
    () => one!.undone(key, { ordersReversed: 1, ordersKept: 0 }),
    () => one!.finish(key, 'succeeded', null),
  ]) {
    await assert.rejects(told(), LeaseLost)
  }
  assert.ok(await imports.undo(key))
  await assert.rejects(other!.dealtWith(key, counts, faulty), LeaseLost)
  await assert.rejects(other!.finish(key, 'succeeded', null), LeaseLost)
  assert.deepEqual(await imports.errors(key, 0, 10), [])
  assert.equal((await imports.find(key))!.counts.rowDone, 0)
  assert.equal(await one!.claim(key), null)
  await other!.release(key, 'in order')
  assert.equal((await one!.claim(key))?.state, 'reversing')
})

test('all rows that were refused are stored with how far the import came, be they small or of a megabyte', async () => {
  const key = await accepted()
  const job = (await one!.claim(key))!
  const lengths = [10, 300_000, 0, 1_000_000, ...Array<number>(900).fill(1_000)]
  const faulty = lengths.map((length, row) => ({
    row,
    cells: JSON.stringify('x'.repeat(length)),
    errors: '[]',
    isTruncated: row % 2 === 0,
  }))
  await one!.dealtWith(key, { ...job.counts, rowDone: faulty.length }, faulty)
  const stored = await pool.query(
    `select row_no as row, cells, errors, is_truncated as "isTruncated" from import_errors
    where account_id = $1 and import_id = $2 order by row_no`,
    [key.accountId, key.importId],
  )
  assert.deepEqual(stored.rows, faulty)
  await one!.finish(key, 'succeeded', null)
})

test('a file that broke off is swept away; one that is still coming in, or came in whole, is not', async () => {
  const [broken, coming, whole] = [await received(), await received(), await accepted()]
  await Promise.all([letTimePass(broken), letTimePass(whole)])
  await imports.sweep()
  assert.deepEqual(await Promise.all([broken, coming, whole].map(piecesOf)), [0, 1, 1])
  assert.equal(await imports.addPiece(broken, 1, Buffer.from('late')), false)
  assert.equal(await imports.accept(broken, ACCEPTED), false)
  assert.equal(await piecesOf(broken), 0)
  assert.ok(await imports.accept(coming, ACCEPTED))
})

test('a file that was accepted is not dropped by whoever never heard of that', async () => {
  const [coming, whole] = [await received(), await accepted()]
  await Promise.all([imports.drop(coming), imports.drop(whole)])
  assert.deepEqual(await Promise.all([coming, whole].map(piecesOf)), [0, 1])
  assert.equal((await imports.find(whole))?.state, 'queued')
})
