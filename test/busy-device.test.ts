// One serial number that very many orders name, as placeholders are: its cost grows with its entries, and no faster.
import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import type { Pool } from 'pg'
import { fillDevice } from '../scripts/fill-device.ts'
import { postRandom } from '../scripts/post-random.ts'
import { describeBusy, judgeFolding } from '../src/cli/diagnose.ts'
import { verifyAll } from '../src/cli/verify-all.ts'
import { resolveOrder } from '../src/engine/resolve.ts'
import { toBePosted } from '../src/http/orders/post-order.ts'
import { canonicalOrder, toOrder } from '../src/http/wire/read-order.ts'
import type { WireOrder } from '../src/http/wire/order-schema.ts'
import { ensureAccount } from '../src/postgres/accounts/accounts.ts'
import { readBusyDevices } from '../src/postgres/diagnosis.ts'
import { forgetFolded } from '../src/postgres/reports/report-marks.ts'
import { createFolds } from '../src/postgres/reports/report-store.ts'
import { nobodyWaits } from '../src/postgres/connection/waiting.ts'
import { createLedgers } from '../src/postgres/orders/load-ledgers.ts'
import { createOpenLedger } from '../src/http/wire/stored-journal.ts'
import type { Journal } from '../src/postgres/orders/order-record.ts'
import { createOrders } from '../src/postgres/orders/orders.ts'
import { useRelease } from '../src/postgres/releases.ts'
import { migrate } from '../src/postgres/migrations/migrate.ts'
import { readMigrations } from '../src/postgres/migrations/migrate-files.ts'
import { foldAll } from './fold-all.ts'
import { freshDatabase } from './fresh-database.ts'
import { startBeside, startLiveService, type LiveService } from './live-service.ts'
import { order } from './order-client.ts'
import { shippedBook } from './shipped-book.ts'

const ENTRIES = 1_200
const TIMES = 4
const DEVICES = 4
const OTHER_ORDERS = 3_000
const LIMIT = 250

let service: LiveService
let other: LiveService
let pool: Pool
let releaseId: number
before(async () => {
  service = await startLiveService()
  other = await startBeside(service)
  ;({ pool } = service)
  const { book, files } = shippedBook()
  releaseId = await useRelease(pool, book.release, book.hash, files)
})
after(async () => {
  await other.stop()
  await service.stop()
})

/** Days of five years, not in their sequence. */
const dayOf = (n: number): string =>
  new Date(Date.UTC(2021, 0, 1) + ((n * 7919) % 1826) * 86_400_000).toISOString().slice(0, 10)

const orderOn = (serial: string) => (n: number) => {
  const day = dayOf(n)
  return order('acme', `${serial}-${n}`, [serial], { order_date: day, tenure_start_date: day })
}

const accountOf = async (name: string, database = pool): Promise<number> =>
  (await ensureAccount(database, name)).accountId

const fill = (accountId: number, serial: string, entries: number, own = { pool, releaseId }) =>
  fillDevice(
    own.pool,
    { ...own, accountId, book: shippedBook().book, orderOf: (n) => orderOn(serial)(n) as unknown as WireOrder },
    entries,
  )

/** Rows of entries that were read, by everybody, since the statistics began. */
async function rowsRead(pool: Pool): Promise<number> {
  await pool.query('select pg_stat_force_next_flush()')
  await pool.query('select')
  const { rows } = await pool.query<{ readonly rows: number }>(
    `select sum(idx_tup_fetch + seq_tup_read)::float8 as rows from pg_stat_user_tables where relname = 'entries'`,
  )
  return rows[0]!.rows
}

/** Folds an account from the beginning by itself. @returns the rows read for each of its entries */
async function rowsPerEntry(pool: Pool, accountId: number): Promise<number> {
  await forgetFolded(pool, accountId)
  const folds = createFolds(pool, 0, 0)
  const bookOf = () => Promise.resolve(shippedBook().book)
  const only = { ...folds, unfolded: () => Promise.resolve([{ accountId, oldestSeconds: 0 }]) }
  const before = await rowsRead(pool)
  await foldAll({ folds: only, bookOf }, () => false, assert.ifError)
  const { rows } = await pool.query<{ readonly entries: number }>(
    'select count(*)::integer as entries from entries where account_id = $1',
    [accountId],
  )
  return ((await rowsRead(pool)) - before) / rows[0]!.entries
}

test('folding an entry of a device costs no more where that has four times the entries', async () => {
  // Nobody else folds here: rows that others read would count.
  const { pool } = await freshDatabase()
  await migrate(pool, readMigrations())
  const { book, files } = shippedBook()
  const releaseId = await useRelease(pool, book.release, book.hash, files)
  const few = await accountOf('few', pool)
  const many = await accountOf('many', pool)
  for (let device = 0; device < DEVICES; device += 1) {
    await fill(few, `few-${device}`, ENTRIES / TIMES, { pool, releaseId })
    await fill(many, `many-${device}`, ENTRIES, { pool, releaseId })
  }
  const around = await accountOf('around', pool)
  await postRandom(pool, {
    ...{ orders: 50, eventShare: 1, seed: 1, accountId: around, isCapped: true, book, releaseId },
  })
  await pool.query(
    `insert into entries (account_id, entry_no, posted_at, embodied_mg, use_mg, packaging_mg, transportation_mg,
        put_in_mg, release_id, serial_number, customer_id, order_id, reason)
      select 0, 1, now(), 1, 1, 1, 1, 0, $1, 's' || n, 'c', 'o' || n, 'order'
      from generate_series(1, $2::integer) as n`,
    [releaseId, OTHER_ORDERS],
  )
  // With real statistics the planner once chose to read all entries of a device for each pair of them.
  await pool.query('analyze')
  const [some, all] = [await rowsPerEntry(pool, few), await rowsPerEntry(pool, many)]
  assert.ok(
    all < 1.2 * some + 1,
    `${all.toFixed(1)} rows for each entry, and ${some.toFixed(1)} with a quarter of them`,
  )
  await pool.query('delete from entries where account_id = 0')
  assert.deepEqual((await verifyAll(pool)).lines, [])
})

test('two processes post in turns to one device with a long journal, and everything is equal', async () => {
  const all = orderOn('N/A')
  for (let n = 0; n < LIMIT + 60; n += 1) {
    const { status, text } = await (n % 3 === 0 ? other : service).post(all(n))
    assert.equal(status, 200, text)
    if (n % 50 !== 49) continue
    const event = { event_id: `back-${n}`, type: 'returned', date: dayOf(n) }
    const told = await service.ask(`/api/customer-orders/acme/N%2FA-${n}/events`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(event),
    })
    assert.equal(told.status, 200, told.text)
  }
  const { rows } = await pool.query<{ readonly last: number }>(
    `select max(entry_no) as last from entries where serial_number = 'N/A'`,
  )
  assert.ok(rows[0]!.last > LIMIT + 60)
  assert.deepEqual((await verifyAll(pool)).lines, [])
})

test('a new order reads the last entry of a long journal alone, once its ledger is in memory', async () => {
  const accountId = await accountOf('long')
  await fill(accountId, 'grown', 4 * LIMIT)
  const { book } = service.server
  const limits = { weightPerTripMax: 1_500_000, weightWaitingMax: 64_000_000, waiting: nobodyWaits() }
  const loaded: number[] = []
  const open = async (journal: Journal) => {
    loaded.push(journal.entries.length)
    await createOpenLedger(() => Promise.resolve(book))(journal)
  }
  const postOrder = createOrders(pool, limits, createLedgers(pool, 10_000, open))
  const read: number[] = []
  for (let n = 0; n < 3; n += 1) {
    const wire = canonicalOrder(orderOn('grown')(100_000 + n) as unknown as WireOrder)
    const resolved = resolveOrder(toOrder(wire), book)
    assert.ok(resolved.ok)
    const posted = toBePosted(accountId, { wire, items: resolved.items, releaseId, isCapped: true }, () =>
      Promise.resolve(book),
    )
    const settle: typeof posted.settle = (journals) => {
      read.push(journals.get('grown')!.entries.length)
      return posted.settle(journals)
    }
    assert.equal((await postOrder({ ...posted, settle })).outcome, 'created')
  }
  assert.equal(loaded.length, 1)
  assert.ok(loaded[0]! >= 4 * LIMIT)
  assert.deepEqual(read, [1, 1, 1])
  assert.deepEqual((await verifyAll(pool)).lines, [])
})

test('a device with a long journal is answered whole, in pieces, and the next one after it', async () => {
  const path = '/api/device-emissions/N%2FA?include=entries,story'
  const answers = await Promise.all([service.ask(path), service.ask(path)])
  for (const { status, text } of answers) {
    assert.equal(status, 200, text.slice(0, 300))
    assert.equal(text, answers[0].text)
  }
  const told = JSON.parse(answers[0].text) as {
    readonly number_of_orders: number
    readonly orders: readonly { readonly order_id: string }[]
    readonly entries: readonly { readonly entry_no: number; readonly corrects?: number }[]
    readonly story: { readonly chapters: readonly unknown[] }
  }
  const { number_of_orders: orders, entries } = told
  assert.deepEqual([orders, told.orders.length, told.story.chapters.length], [LIMIT + 60, LIMIT + 60, LIMIT + 60])
  assert.ok(entries.every(({ entry_no: no, corrects }, at) => no === at + 1 && (corrects ?? 0) < no))
  assert.ok(entries.length > orders && answers[0].text.length > 2 * 64 * 1024)
})

test('the doctor names a device with very many entries, and says that it looks like a placeholder', async () => {
  const busy = await readBusyDevices(pool, 1_000)
  const sentence = describeBusy(busy)
  assert.match(sentence, /"grown" of "long" \(1\d{3}\).*looks like a placeholder/)
  assert.equal(describeBusy([]), 'none has more than 1000 entries')
})

test('folding that does not get on is wrong to the doctor, and right again once it does', async () => {
  const accountId = await accountOf('stuck')
  await fill(accountId, 'stuck', 10)
  await pool.query(`update entries set posted_at = posted_at - interval '11 minutes' where account_id = $1`, [
    accountId,
  ])
  const holder = await pool.connect()
  try {
    await holder.query('begin')
    await forgetFolded(pool, accountId)
    await holder.query(`insert into report_marks values ($1, '-infinity')`, [accountId])
    await assert.rejects(judgeFolding(pool, 1), /^Error: Entries of "stuck" that were posted 11 min ago are not folded/)
  } finally {
    await holder.query('rollback')
    holder.release()
  }
  const folds = createFolds(pool, 0, 0)
  await foldAll({ folds, bookOf: () => Promise.resolve(service.server.book) }, () => false, assert.ifError)
  assert.match(await judgeFolding(pool, 1), /^folded until/)
})
