// Which import is worked on next, and how often: decided by the database, whoever asks at once.
import { before, test } from 'node:test'
import assert from 'node:assert/strict'
import type { Pool } from 'pg'
import { UPLOAD_LIMITS } from '../src/config.ts'
import type { ImportKey } from '../src/postgres/import-record.ts'
import { ensureAccount } from '../src/postgres/accounts.ts'
import { IMPORT_MESSAGES } from '../src/imports/messages.ts'
import { readStoredMessage } from '../src/spreadsheets/stored-messages.ts'
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

const claimed = async (process = one!): Promise<ImportKey | null> => {
  const job = await process.claim(null)
  return job && { accountId: job.accountId, importId: job.importId }
}

const clear = () => pool.query('delete from imports')

test('the next import is of the account that has waited longest since it was served, not the oldest file', async () => {
  await clear()
  const [busy, idle] = [await newAccount(), await newAccount()]
  const files = [await accepted(busy), await accepted(busy), await accepted(busy)]
  const late = await accepted(idle)
  assert.deepEqual(await claimed(), files[0])
  assert.equal(await one!.othersWait(busy), true)
  assert.deepEqual(await claimed(other), late)
  assert.equal(await one!.othersWait(busy), false)
  // Of either account, one is worked on.
  assert.equal(await claimed(other), null)
  await one!.release(files[0]!, 'in order')
  await other!.release(late, 'in order')
  assert.deepEqual(await claimed(), files[0], 'it waited longer')
  assert.deepEqual(await claimed(), late)
})

test('of all processes that ask at once, an account has one import worked on', async () => {
  await clear()
  const account = await newAccount()
  for (let files = 0; files < 6; files += 1) await accepted(account)
  const processes = Array.from({ length: 8 }, (_, at) => processOf(`process ${at}`))
  const claims = await Promise.all(processes.map((process) => process.claim(null)))
  assert.equal(claims.filter((job) => job !== null).length, 1)
})

test('an import that the database interrupted is tried again later, and others of its account go before', async () => {
  await clear()
  const account = await newAccount()
  const [first, second] = [await accepted(account), await accepted(account)]
  assert.deepEqual(await claimed(), first)
  await one!.release(first, 'interrupted')
  assert.deepEqual(await claimed(other), second)
  await letTimePass(first)
  await other!.release(second, 'in order')
  assert.deepEqual(await claimed(), second)
  await one!.finish(second, 'succeeded', null)
  assert.deepEqual(await claimed(other), first)
})

const PROBLEM = IMPORT_MESSAGES.import_stopped()

/** So often it is claimed by a process that ends by it, or with it; whether it is claimed once more. */
async function isClaimedAfter(key: ImportKey, ends: number, between: (process: typeof one) => Promise<unknown>) {
  for (let end = 0; end < ends; end += 1) {
    const process = processOf(`of end ${end}`)
    assert.ok(await process.claim(key), `claim ${end + 1}`)
    await between(process)
    await letTimePass(key)
  }
  await one!.failRepeated(PROBLEM)
  return (await one!.claim(key)) !== null
}

const dies = () => Promise.resolve()
test('an import whose worker ended three times, or its service ten, without a checkpoint has failed', async () => {
  const key = await accepted()
  assert.equal(await isClaimedAfter(key, 10, dies), false)
  const { state, problem, finishedAt } = (await imports.find(key))!
  assert.deepEqual([state, readStoredMessage(problem!)], ['failed', PROBLEM])
  // Earlier versions stored the sentence alone.
  const sentence = 'The file is a ZIP file, but no XLSX workbook'
  await pool.query('update imports set problem = $1 where import_id = $2', [sentence, key.importId])
  assert.deepEqual(readStoredMessage((await imports.find(key))!.problem!), { message: sentence })
  assert.ok(finishedAt !== null)
  assert.equal(await piecesOf(key), 0)
  assert.equal(await isClaimedAfter(await accepted(), 9, dies), true)
  const twice = await accepted()
  assert.equal(await isClaimedAfter(twice, 2, (process) => process!.release(twice, 'broken off')), true)
  const told = await accepted()
  assert.equal(await isClaimedAfter(told, 3, (process) => process!.release(told, 'broken off')), false)
  assert.ok(await imports.undo(key))
  assert.equal((await one!.claim(key))?.state, 'reversing')
})

test('a process that was told to end, lost the database, or came further is no attempt that failed', async () => {
  const stops = await accepted()
  assert.equal(await isClaimedAfter(stops, 5, (process) => process!.release(stops, 'in order')), true)
  const advances = await accepted()
  let rowDone = 0
  const advance = async (process: typeof one) => {
    const { counts } = (await imports.find(advances))!
    await process!.dealtWith(advances, { ...counts, rowDone: (rowDone += 1) }, [])
  }
  assert.equal(await isClaimedAfter(advances, 5, advance), true)
  const away = await accepted()
  for (let times = 0; times < 5; times += 1) {
    assert.ok(await one!.claim(away))
    await letTimePass(away)
  }
  assert.deepEqual(await one!.failRepeated(PROBLEM), [])
})

test('what has to begin again comes no further by what it did before: a dry run, an undoing', async () => {
  const tried = await accepted(undefined, true)
  const readAgain = async (process: typeof one) => {
    const { counts } = await process!.restart(tried)
    await process!.dealtWith(tried, { ...counts, rowDone: 9 }, [])
  }
  assert.equal(await isClaimedAfter(tried, 10, readAgain), false)
  const undoing = await accepted()
  assert.ok(await imports.undo(undoing))
  const undoAgain = async (process: typeof one) => {
    await process!.undone(undoing, { ordersReversed: 1, ordersKept: 0 })
    await process!.undone(undoing, { ordersReversed: 2, ordersKept: 1 })
  }
  // The first time it came further.
  assert.equal(await isClaimedAfter(undoing, 10, undoAgain), false)
  assert.deepEqual((await imports.find(undoing))!.undone, { ordersReversed: 2, ordersKept: 1 })
})
