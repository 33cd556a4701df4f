// Refused rows of files: what is stored of them is bounded, what is missing is said, and they go with their import.
import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import { REJECTED_ROWS_BYTES_MAX, REJECTED_ROWS_STORED_MAX, rowsToStore } from '../src/imports/rejected-rows.ts'
import { createImports } from '../src/postgres/imports.ts'
import type { Json } from './document-check.ts'
import { createImportClient, type ImportClient } from './import-client.ts'
import { startService, type Service } from './service.ts'

const HEADER = 'customer_id,order_id,order_date,tenure_start_date,type,product_id,serial_number,tenure_months,weight_kg'
const PRODUCT = 'apple-macbook-air-13-m3-256gb'
const orderRow = (id: string, months: string, ...more: readonly string[]): string =>
  [`acme,${id},2025-03-15,2025-04-01,product,${PRODUCT},${id},${months},1.24`, ...more].join(',')

let service: Service
let client: ImportClient
before(async () => {
  service = await startService()
  client = createImportClient(service)
})
after(() => service.stop())

interface Stored {
  readonly rows: number
  readonly bytes: number
}

/** What the database holds of an import, and what the import says of it. */
async function storedOf(importId: unknown): Promise<Stored> {
  const count = async (text: string) => (await service.pool.query<Stored>(text, [importId])).rows[0]!
  const stored = await count(
    `select count(*)::integer as rows, coalesce(sum(octet_length(cells) + octet_length(errors)), 0)::integer as bytes
    from import_errors where import_id = $1 and account_id = (select account_id from accounts where name = 'test')`,
  )
  const said = await count(
    `select rows_rejected_stored as rows, rows_rejected_bytes::integer as bytes from imports where import_id = $1
      and account_id = (select account_id from accounts where name = 'test')`,
  )
  assert.deepEqual(said, stored)
  return stored
}

test('rows of a megabyte are stored up to 64,000 characters, and refused again as they come back', async () => {
  const labels = Array.from({ length: 30 }, (_, at) => `metadata.m${at}`)
  const cells = labels.map((_, at) => String(at % 10).repeat(32_000))
  const rows = Array.from({ length: 6 }, (_, at) => orderRow(`wide${at}`, '3', ...cells))
  const done = await client.run([[HEADER, ...labels].join(','), ...rows].join('\r\n'))
  assert.deepEqual([done['orders_stored'], done['orders_rejected'], done['rows_rejected_stored']], [0, 6, 6])
  const { bytes } = await storedOf(done['import_id'])
  assert.ok(bytes > 6 * 60_000 && bytes < 6 * 80_000, `${bytes} bytes are stored`)
  const errors = await client.errors(done['import_id'])
  assert.equal(errors.filter(({ reason }) => /too long to be stored completely/.test(String(reason))).length, 6)
  const again = await client.run(await client.rejectedRowsFile(done['import_id']))
  assert.deepEqual([again['orders_stored'], again['orders_rejected']], [0, 6])
})

/** Columns that are passed over: nothing keeps their cells from being as long as they like. */
const notesOf = (count: number): readonly string[] => Array.from({ length: count }, (_, at) => `note${at}`)

for (const [what, notes, length] of [
  ['a cell', 1, 70_000],
  // The last note takes what is left of the row, so that the label behind it is not stored.
  ['its last cell', 32, 2_000],
] as const) {
  test(`a row of which ${what} is not stored stays out until somebody has seen that it is not whole`, async () => {
    const names = notesOf(notes)
    const asked = JSON.stringify(Object.fromEntries(names.map((one) => [one, '-'])))
    const passedOver = `?columns=${encodeURIComponent(asked)}`
    const row = orderRow(`cut${notes}`, 'three', ...names.map(() => 'n'.repeat(length)), 'label')
    const refused = await client.run([[HEADER, ...names, 'metadata.last'].join(','), row].join('\r\n'), passedOver)
    assert.equal(refused['orders_rejected'], 1)
    const corrected = (await client.rejectedRowsFile(refused['import_id'])).replace(',three,', ',3,')
    assert.match(corrected, /This row is incomplete/)
    const again = await client.run(corrected, passedOver)
    assert.deepEqual([again['orders_stored'], again['orders_rejected']], [0, 1])
  })
}

test('a cut line of JSON stays out, also where only the blanks behind it were cut', async () => {
  const line = (id: string, length: number) =>
    JSON.stringify({ customer_id: 'acme', order_id: id, items: [], note: 'n'.repeat(length) })
  const file = [line('short', 10), line('long', 70_000), `${line('blanks', 10)}${' '.repeat(70_000)}`].join('\n')
  const refused = await client.run(file, '', 'application/jsonl')
  assert.deepEqual([refused['orders_rejected'], refused['rows_rejected_stored']], [3, 3])
  const sound = '"order_date":"2025-03-15","tenure_start_date":"2025-04-01"'
  const corrected = (await client.rejectedRowsFile(refused['import_id'])).replaceAll('"items"', `${sound},"items"`)
  const again = await client.run(corrected, '', 'application/jsonl')
  assert.deepEqual([again['orders_stored'], again['orders_rejected']], [1, 2])
})

test('what is wrong with one row is bounded as well, and it is said how much is not listed', async () => {
  const labels = Array.from({ length: 2_000 }, (_, at) => `metadata.${'h'.repeat(150)}${at}`)
  const cells = labels.map(() => 'a\u0001b')
  const done = await client.run([[HEADER, ...labels].join(','), orderRow('faulty', 'x', ...cells)].join('\r\n'))
  assert.equal(done['orders_rejected'], 1)
  const { rows } = await service.pool.query<{ readonly length: number }>(
    `select max(length(errors)) as length from import_errors where import_id = $1`,
    [done['import_id']],
  )
  assert.ok(rows[0]!.length < 20_000, `${rows[0]!.length} characters`)
})

test('of more refused rows than are stored all are counted, and the answers say what is missing', async () => {
  // As if rows before these had taken nearly all that there is.
  await service.pool.query(`create function nearly_full() returns trigger language plpgsql as $$ begin
      new.rows_rejected_bytes := ${REJECTED_ROWS_BYTES_MAX - 1_000};
      return new;
    end $$;
    create trigger nearly_full before update on imports for each row
      when (old.state = 'queued' and new.state = 'running') execute function nearly_full()`)
  const rows = Array.from({ length: 20 }, (_, at) => orderRow(`many${at}`, 'x'))
  const done = await client.run([HEADER, ...rows].join('\r\n'))
  await service.pool.query('drop trigger nearly_full on imports')
  assert.deepEqual([done['orders_rejected'], done['rows_rejected']], [20, 20])
  const stored = Number(done['rows_rejected_stored'])
  assert.ok(stored > 0 && stored < 20, `${stored} rows are stored`)
  const groups = await client.faultGroups(done['import_id'])
  assert.deepEqual([groups['rows'], groups['is_complete']], [stored, false])
  const listed = await client.errors(done['import_id'])
  assert.deepEqual(
    listed.map(({ row }) => row),
    Array.from({ length: stored }, (_, at) => at + 2),
  )
})

test('the orders whose rows are stored are the first ones, each with all its rows', () => {
  const order = (row: number, length: number, bytes = 2) =>
    Array.from({ length }, (_, at) => ({ row: row + at, cells: 'x'.repeat(bytes), errors: '', isTruncated: false }))
  const nothing = { rowsRejected: 0, rowsRejectedStored: 0, rowsRejectedBytes: 0 }
  const three = rowsToStore(nothing, [order(2, 3), order(5, 1)])
  assert.deepEqual(three.counts, { rowsRejectedStored: 4, rowsRejectedBytes: 8 })
  const full = REJECTED_ROWS_STORED_MAX - 2
  const nearly = { rowsRejected: full, rowsRejectedStored: full, rowsRejectedBytes: 0 }
  // The second would leave a part of its order behind, and the third is not to be stored without it.
  const last = rowsToStore(nearly, [order(2, 1), order(3, 2), order(5, 1)])
  assert.deepEqual([last.rows.map(({ row }) => row), last.counts.rowsRejectedStored], [[2], full + 1])
  assert.deepEqual(rowsToStore({ ...nearly, ...last.counts, rowsRejected: full + 4 }, [order(6, 1)]).rows, [])
  const bytes = { rowsRejected: 1, rowsRejectedStored: 1, rowsRejectedBytes: REJECTED_ROWS_BYTES_MAX - 5 }
  assert.equal(rowsToStore(bytes, [order(2, 1, 5)]).rows.length, 1)
  assert.equal(rowsToStore(bytes, [order(2, 1, 6)]).rows.length, 0)
})

const faulty = (id: string) => client.run([HEADER, orderRow(id, 'x')].join('\r\n'))
const bodyOf = ({ import_id: id }: Json) => storedOf(id)

test('refused rows are removed when their import is undone, and the counters stay', async () => {
  const done = await faulty('reversed')
  assert.equal((await bodyOf(done)).rows, 1)
  const undone = await client.undo(done['import_id'])
  assert.deepEqual([undone['state'], undone['rows_rejected'], undone['rows_rejected_stored']], ['reversed', 1, 0])
  assert.equal((await bodyOf(done)).rows, 0)
  assert.deepEqual(await client.errors(done['import_id']), [])
})

test('refused rows are removed 90 days after their import ended', async () => {
  const [old, recent] = [await faulty('old'), await faulty('recent')]
  const age = (one: Json, days: number) =>
    service.pool.query(`update imports set finished_at = now() - make_interval(days => $2) where import_id = $1`, [
      one['import_id'],
      days,
    ])
  await age(old, 91)
  await age(recent, 89)
  await createImports(service.pool).sweep()
  assert.deepEqual([(await bodyOf(old)).rows, (await bodyOf(recent)).rows], [0, 1])
  assert.equal((await client.find(old['import_id']))['rows_rejected'], 1)
})

test('an account has the refused rows of its latest imports, up to 256 MiB, and another account its own', async () => {
  const other = createImportClient(service, await service.createKey(undefined, null, 'other'))
  const ofOther = await other.run([HEADER, orderRow('other', 'x')].join('\r\n'))
  const first = await faulty('first')
  await service.pool.query(`update imports set rows_rejected_bytes = 250 * 2 ^ 20 where import_id = $1`, [
    first['import_id'],
  ])
  const second = await faulty('second')
  await service.pool.query(`update imports set rows_rejected_bytes = 10 * 2 ^ 20 where import_id = $1`, [
    second['import_id'],
  ])
  const third = await faulty('third')
  const stored = async (importId: unknown) => (await client.find(importId))['rows_rejected_stored']
  assert.deepEqual(
    [await stored(first['import_id']), await stored(second['import_id']), await stored(third['import_id'])],
    [0, 1, 1],
  )
  assert.equal((await bodyOf(first)).rows, 0)
  assert.equal((await other.find(ofOther['import_id']))['rows_rejected_stored'], 1)
})
