// Files are let in as far as there is room for them: at once, for each account and in all, and in time.
import { after, before, beforeEach, test } from 'node:test'
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { EXAMPLE_ORDER } from '../src/http/schemas/examples.ts'
import { createDiskSpace } from '../src/imports/disk-space.ts'
import { withinRate, createUploadAdmission } from '../src/imports/upload-admission.ts'
import { ensureAccount } from '../src/postgres/accounts.ts'
import { createImports } from '../src/postgres/imports.ts'
import { templateOf } from '../src/spreadsheets/templates.ts'
import { beginUpload, type Upload } from './begin-upload.ts'
import type { Json } from './document-check.ts'
import { createImportClient } from './import-client.ts'
import { startService, type Service } from './service.ts'
import { watchReceived } from './received-files.ts'

const MIB = 2 ** 20
const LIMITS = {
  accountUploads: 2,
  totalUploads: 3,
  quota: { accountFiles: 3, accountBytes: 40 * MIB, totalFiles: 5, totalBytes: 64 * MIB },
  bytesPerSecondMin: 64 * 1024,
  // Nobody is given up for being behind but where a test says so.
  behindMsMax: 600_000,
  bytesPerSecondMax: 16 * MIB,
}

let service: Service
let received: ReturnType<typeof watchReceived>
let otherKey: string
before(async () => {
  service = await startService({ settings: { uploadLimits: LIMITS } })
  received = watchReceived(service.pool)
  otherKey = await service.createKey(undefined, null, 'other')
})
after(() => service.stop())
beforeEach(() => service.pool.query(`delete from imports where lease_owner = 'nobody'`))

const FILE = templateOf('items')
const clientOf = (key: string) => createImportClient(service, key)
const begin = (key = service.key, headers: Readonly<Record<string, string>> = {}) =>
  beginUpload(service.server.url, key, { headers })

/** Files of an account that another process received, and that nobody works on. */
async function fileWaits(account: string, bytes: number, files = 1): Promise<void> {
  const { accountId } = await ensureAccount(service.pool, account)
  await service.pool.query(
    `insert into imports (account_id, import_id, state, is_dry_run, lease_owner, lease_until, unprocessed_bytes)
    select $1, 1000000 + n, 'queued', false, 'nobody', 'infinity', $2 from generate_series(1, $3) n`,
    [accountId, bytes, files],
  )
}

const codeOf = (text: string): unknown => (JSON.parse(text) as Json)['code']

async function assertOrderIsTaken(): Promise<void> {
  const { status } = await service.post({ ...EXAMPLE_ORDER, order_id: `taken ${performance.now()}` })
  assert.equal(status, 200)
}

test('an account with as many unprocessed files as it may have gets 429, and another is served', async () => {
  await fileWaits('test', 1, 3)
  const refused = await clientOf(service.key).send(FILE)
  assert.equal(refused.status, 429)
  assert.equal(codeOf(refused.text), 'too_many_imports')
  assert.match(refused.text, /already has 3 unprocessed files/)
  assert.match(String(refused.headers['retry-after']), /^\d+$/)
  assert.equal((await clientOf(otherKey).run(FILE))['state'], 'succeeded')
  await assertOrderIsTaken()
})

test('an account at its bytes gets 429, a file larger than these 413, before either is sent', async () => {
  await fileWaits('test', 39 * MIB)
  const announce = (mebibytes: number, key = service.key) => begin(key, { 'content-length': String(mebibytes * MIB) })
  const [waits, never, other] = [announce(2), announce(41), announce(2, otherKey)]
  const refused = await waits.answered
  assert.deepEqual([refused.status, codeOf(refused.text)], [429, 'too_many_imports'])
  assert.match(refused.text, /more than 40 MiB of unprocessed files/)
  const tooLarge = await never.answered
  assert.deepEqual([tooLarge.status, codeOf(tooLarge.text)], [413, 'too_large'])
  await received.whenReceiving(1)
  for (const { sending } of [waits, never, other]) sending.destroy()
  await received.nothingIsLeft()
})

test('a file that does not say how large it is gets 429 once it is larger than there is room', async () => {
  await fileWaits('test', 20 * MIB)
  const { sending, answered } = begin()
  const piece = Buffer.alloc(MIB, 'x,y\n')
  for (let sent = 0; sent < 18; sent += 1) sending.write(piece)
  const refused = await answered
  assert.deepEqual([refused.status, codeOf(refused.text)], [429, 'too_many_imports'])
  sending.destroy()
  await received.nothingIsLeft()
})

test('files of all accounts are bounded, in number and in bytes', async () => {
  await fileWaits('one', 1, 2)
  await fileWaits('two', 1, 2)
  await fileWaits('three', 1)
  assert.match((await clientOf(service.key).send(FILE)).text, /for all accounts/)
  await service.pool.query(`delete from imports where lease_owner = 'nobody'`)
  await fileWaits('one', 40 * MIB)
  await fileWaits('two', 24 * MIB)
  const refused = await clientOf(service.key).send(FILE)
  assert.deepEqual([refused.status, codeOf(refused.text)], [429, 'too_many_imports'])
  assert.match(refused.text, /for all accounts/)
})

test('of many that ask for the last room at once, one gets it', async () => {
  await fileWaits('test', 1, 2)
  const imports = createImports(service.pool)
  const { accountId } = await ensureAccount(service.pool, 'test')
  const begun = await Promise.all(
    Array.from({ length: 10 }, () => imports.begin(accountId, { fileName: null, isDryRun: true }, 1, LIMITS.quota)),
  )
  const keys = begun.flatMap((one) => (one.ok ? [one.key] : []))
  assert.equal(keys.length, 1)
  await imports.drop(keys[0]!)
})

test('uploads at once are bounded for an account and in all, and one that ends makes room for another', async () => {
  const [first, second] = [begin(), begin()]
  await received.whenReceiving(2)
  const third = await clientOf(service.key).send(FILE)
  assert.deepEqual([third.status, codeOf(third.text)], [429, 'too_many_imports'])
  assert.match(third.text, /already sending 2 files/)
  assert.match(String(third.headers['retry-after']), /^\d+$/)
  const other = begin(otherKey)
  await received.whenReceiving(3)
  const key = await service.createKey(undefined, null, 'fourth')
  assert.match((await clientOf(key).send(FILE)).text, /already receiving as many files as it can/)
  await assertOrderIsTaken()
  for (const { sending } of [first, second, other]) sending.destroy()
  await received.nothingIsLeft()
  assert.equal((await clientOf(service.key).run(FILE))['state'], 'succeeded')
})

test('an upload that is silent, and one that drips, is ended and told why, and leaves nothing behind', async () => {
  const hasty = await startService({ settings: { uploadLimits: { ...LIMITS, behindMsMax: 300 } } })
  const [silent, dripping] = [beginUpload(hasty.server.url, hasty.key), beginUpload(hasty.server.url, hasty.key)]
  const drops = setInterval(() => void dripping.sending.write('x'), 100)
  try {
    silent.sending.write('customer_id')
    for (const upload of [silent, dripping]) await assertGivenUp(upload)
    await watchReceived(hasty.pool).nothingIsLeft()
  } finally {
    clearInterval(drops)
    for (const { sending } of [silent, dripping]) sending.destroy()
    await hasty.stop()
  }
})

async function assertGivenUp({ sending, answered }: Upload): Promise<void> {
  const { status, text } = await answered
  assert.equal(status, 400)
  assert.match(text, /stopped because it was slower than 64 KiB per second/)
  sending.destroy()
}

test('a sender that keeps up the rate may take as long as it needs, and our own pauses do not count', async () => {
  async function* slowly() {
    for (let sent = 0; sent < 12; sent += 1) {
      await sleep(50)
      yield Buffer.alloc(MIB)
    }
  }
  let bytes = 0
  for await (const chunk of withinRate(slowly(), { ...LIMITS, behindMsMax: 500 })) {
    bytes += chunk.length
    if (bytes === MIB) await sleep(600)
  }
  assert.equal(bytes, 12 * MIB)
})

test('what is left of a file is removed as soon as the database can, also where that failed at first', async () => {
  const { sending, answered } = begin()
  sending.write(Buffer.alloc(MIB, 'x,y\n'))
  await received.whenStored(1)
  await service.pool.query('alter table import_chunks rename to import_pieces_away')
  try {
    sending.write(Buffer.alloc(MIB, 'x,y\n'))
    assert.equal((await answered).status, 500)
  } finally {
    await service.pool.query('alter table import_pieces_away rename to import_chunks')
    sending.destroy()
  }
  await received.nothingIsLeft()
})

test('uploads together are stored no faster than the limit says', async () => {
  const pacing = createUploadAdmission({ ...LIMITS, bytesPerSecondMax: 10 * MIB }, createDiskSpace(null))
  const startedAt = performance.now()
  await Promise.all(Array.from({ length: 4 }, () => pacing.pace(MIB)))
  // The first has nothing to wait for.
  assert.ok(performance.now() - startedAt >= 300)
})
