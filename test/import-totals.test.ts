// The total of a dry run: that of the import that follows, also where a file rents a device more than once.
import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { verifyAll } from '../src/cli/verify.ts'
import type { Json } from './document-check.ts'
import { createImportClient, type ImportClient } from './import-client.ts'
import { SCOPES } from '../src/postgres/accounts.ts'
import { startService, type Service } from './service.ts'

let service: Service
before(async () => void (service = await startService()))
after(() => service.stop())

const HEADER =
  'customer_id,order_id,order_date,tenure_start_date,type,product_id,serial_number,tenure_months,weight_kg,' +
  'country,packaging_id,returned_on,ended_by'
const [LAPTOP, OTHER] = ['apple-macbook-air-13-m3-256gb', 'dell-latitude-3120']

interface Rented {
  readonly serial: string
  readonly months: number
  readonly model: string
  readonly end: string
}

const rowsOf = (id: string, start: string, devices: readonly Rented[], customer = 'acme'): readonly string[] => {
  const head = `${customer},${id},2024-01-01,${start}`
  const rows = devices.map(
    ({ serial, months, model, end }) => `${head},product,${model},${serial},${months},1.24,DE,,${end}`,
  )
  return [...rows, `${head},packaging,,,,0.31,,corrugated-board-recycled,,`]
}
const fileOf = (orders: readonly (readonly string[])[]): string => [HEADER, ...orders.flat(), ''].join('\n')
const rented = (serial: string, months: number, model = LAPTOP, end = ','): Rented => ({ serial, months, model, end })

const countsOf = (one: Json) =>
  ['orders_stored', 'orders_replayed', 'orders_rejected', 'total_emission'].map((name) => one[name])

/** What was answered for the orders of an account as they were stored, in milligrams. */
async function storedTotal(account: string): Promise<string> {
  const { rows } = await service.pool.query<{ total: string }>(
    `select sum(line)::text as total from orders join accounts using (account_id),
      unnest(string_to_array(line_emissions_mg, chr(31))::bigint[]) as line
    where name = $1`,
    [account],
  )
  return rows[0]!.total
}

/** Tries a file, and then imports it: both have the same counts, total and errors. */
async function tryAndImport(client: ImportClient, file: string): Promise<Json> {
  const tried = await client.run(file, '?dry_run=true')
  const done = await client.run(file)
  assert.deepEqual(countsOf(tried), countsOf(done), file)
  assert.deepEqual(await client.errors(tried['import_id']), await client.errors(done['import_id']), file)
  return done
}

test('a device that a file rents until nothing remains counts once in the total of its dry run', async () => {
  const key = await service.createKey(SCOPES, null, 'thrice')
  const client = createImportClient(service, key)
  // Of 48 months, 30 and 18 are left for the first two; the third gets none. Its model is that of the first.
  const file = fileOf([
    rowsOf('o1', '2020-01-01', [rented('T-1', 30)]),
    rowsOf('o2', '2022-07-01', [rented('T-1', 30, OTHER)]),
    rowsOf('o3', '2025-01-01', [rented('T-1', 30), rented('T-2', 1)]),
  ])
  const done = await tryAndImport(client, file)
  assert.equal(Math.round(1e6 * Number(done['total_emission'])), Number(await storedTotal('thrice')))
  // A second file meets the device in the ledger.
  await tryAndImport(client, fileOf([rowsOf('o4', '2019-01-01', [rented('T-1', 6), rented('T-2', 60)])]))
})

test('a device counts once also where thousands of orders lie between its rows', async () => {
  const client = createImportClient(service, await service.createKey(SCOPES, null, 'apart'))
  const order = (at: number, start: string, end = ',') =>
    rowsOf(`${start}-${at}`, start, [rented(`A-${at}`, 30, LAPTOP, end)])
  const first = Array.from({ length: 4_500 }, (_, at) => order(at, '2022-01-01', at % 9 === 0 ? '2022-03-15,' : ','))
  const again = Array.from({ length: 300 }, (_, at) => order(at, '2023-01-01'))
  const last = Array.from({ length: 300 }, (_, at) => order(at, '2024-01-01'))
  await tryAndImport(client, fileOf([...first, ...again, ...last]))
})

test('a device that a file names anew keeps that also where thousands of orders lie between its rows', async () => {
  const client = createImportClient(service, await service.createKey(SCOPES, null, 'anew'))
  const wrong = await client.run(fileOf([rowsOf('n1', '2022-01-01', [rented('N-1', 12, OTHER)])]))
  await client.undo(wrong['import_id'])
  const between = Array.from({ length: 4_500 }, (_, at) => rowsOf(`b${at}`, '2022-01-01', []))
  const ofDevice = (id: string, start: string) => rowsOf(id, start, [rented('N-1', 12)], 'beta')
  await tryAndImport(client, fileOf([ofDevice('n2', '2022-02-01'), ...between, ofDevice('n3', '2024-02-01')]))
})

const day = fc
  .tuple(fc.integer({ min: 2022, max: 2026 }), fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 28 }))
  .map(([year, month, date]) => `${year}-${String(month).padStart(2, '0')}-${String(date).padStart(2, '0')}`)
const end = fc.oneof(
  { weight: 3, arbitrary: fc.constant(',') },
  { weight: 2, arbitrary: day.map((date) => `${date},`) },
  { weight: 1, arbitrary: day.map((date) => `${date},cancelled`) },
)
const device = fc.record({
  serial: fc.integer({ min: 1, max: 6 }).map((no) => `S-${no}`),
  months: fc.integer({ min: 1, max: 40 }),
  model: fc.constantFrom(LAPTOP, OTHER, 'P-000777'),
  end,
})
const orders = fc.array(
  fc.record({
    id: fc.integer({ min: 1, max: 30 }),
    customer: fc.constantFrom('acme', 'beta'),
    start: day,
    devices: fc.uniqueArray(device, { selector: ({ serial }) => serial, maxLength: 3 }),
  }),
  { minLength: 4, maxLength: 40 },
)

test('the dry run of any file has the counts, errors and total of its import, and so has a second file', async () => {
  let no = 0
  await fc.assert(
    fc.asyncProperty(orders, orders, async (first, second) => {
      const account = `totals-${(no += 1)}`
      const client = createImportClient(service, await service.createKey(SCOPES, null, account))
      for (const file of [first, second])
        await tryAndImport(
          client,
          fileOf(file.map(({ id, customer, start, devices }) => rowsOf(`o${id}`, start, devices, customer))),
        )
    }),
    { numRuns: process.env['TEST_LONG'] ? 200 : 8, seed: 47 },
  )
  assert.deepEqual((await verifyAll(service.pool)).lines, [])
})
