// Warnings about the orders of files: counted by kind, kept with the import, and refused for a strict account.
import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import type { Json } from './document-check.ts'
import { createImportClient } from './import-client.ts'
import { SCOPES } from '../src/postgres/accounts.ts'
import { startService, type Service } from './service.ts'

let service: Service
before(async () => void (service = await startService()))
after(() => service.stop())

const HEADER = 'customer_id,order_id,order_date,tenure_start_date,type,product_id,serial_number,tenure_months,weight_kg'

const ledgerRow = (customer: string, id: string, start: string, serial: string) =>
  `${customer},${id},2025-01-01,${start},product,apple-macbook-air-13-m3-256gb,${serial},12,1.24`

const FILE = [
  HEADER,
  'f,f1,2025-01-01,2025-01-02,product,apple-macbook-air-13-m3-256gb,f-1,12,1240',
  'f,f2 ,2025-01-01,2025-01-02,product,P-000777,f-2,85,1.4',
  'f,f3,2025-01-01,2025-01-02,product,P-000777,f-3,12,1.4',
  'f,f4,2025-01-01,2025-01-02,product,apple-macbook-air-13-m3-256gb,f-4,12,someday',
  'f,f5,2025-01-01,2025-01-02,product,apple-macbook-air-13-m3-256gb,f-5,12,1.24',
].join('\n')

const groupsOf = (done: Json) =>
  (done['warnings'] as readonly Json[]).map(({ column, code, warnings, rows }) => [column, code, warnings, rows])

test('warnings of a file are counted by kind, in a dry run and in the import, which keeps them', async () => {
  const imports = createImportClient(service)
  for (const [query, stored] of [
    ['?dry_run=true', 4],
    ['', 4],
    ['', 0],
  ] as const) {
    const done = await imports.run(FILE, query)
    assert.deepEqual([done['orders_stored'], done['orders_rejected'], done['number_of_warnings']], [stored, 1, 5])
    const groups = groupsOf(done)
    assert.deepEqual(groups, [
      ['product_id', 'stand_in_by_weight_alone', 2, [3, 4]],
      ['weight_kg', 'implausible_weight', 1, [2]],
      ['order_id', 'white_space_trimmed', 1, [3]],
      ['tenure_months', 'implausible_tenure', 1, [3]],
    ])
  }
})

test('an account that is strict has orders of a file rejected for their warnings', async () => {
  const key = await service.createKey(SCOPES, null, 'strict-import')
  const headers = { 'content-type': 'application/json', 'x-api-key': key }
  const settings = JSON.stringify({ amortisation: 'capped', strictness: 'refuse' })
  assert.equal((await service.ask('/api/account', { method: 'PUT', headers, body: settings })).status, 200)
  const imports = createImportClient(service, key)
  const done = await imports.run(FILE)
  assert.deepEqual([done['orders_stored'], done['orders_rejected'], done['number_of_warnings']], [1, 4, 0])
  const errors = await imports.errors(done['import_id'])
  assert.deepEqual(errors.map(({ row, column, code }) => [row, column, code]).slice(0, 2), [
    [2, 'weight_kg', 'implausible_weight'],
    [3, 'order_id', 'white_space_trimmed'],
  ])
})

/** Orders whose devices have something against them, two of them of earlier rows, and one order twice. */
const CONTESTED = [
  HEADER,
  ledgerRow('a', 'a2', '2025-07-01', 'OLD-1'),
  ledgerRow('b', 'b1', '2025-08-01', 'OLD-2'),
  ledgerRow('b', 'b2', '2025-01-01', 'NEW-1'),
  ledgerRow('c', 'c1', '2025-04-01', 'NEW-1'),
  ledgerRow('b', 'b1', '2025-08-01', 'OLD-2'),
  ledgerRow('d', 'd1', '2027-01-01', 'OLD-1').replace('apple-macbook-air-13-m3-256gb', 'dell-latitude-3120'),
  ledgerRow('d', 'd2', '2027-01-01', 'NEW-2'),
].join('\n')

test('an import counts what ledgers say by kind, as its dry run does, also when the file comes again', async () => {
  const imports = createImportClient(service, await service.createKey(SCOPES, null, 'counted-import'))
  await imports.run(
    [HEADER, ledgerRow('a', 'a1', '2025-01-01', 'OLD-1'), ledgerRow('a', 'a3', '2025-01-01', 'OLD-2')].join('\n'),
  )
  for (const [query, stored] of [
    ['?dry_run=true', 6],
    ['', 6],
    ['?dry_run=true', 0],
    ['', 0],
  ] as const) {
    const done = await imports.run(CONTESTED, query)
    assert.deepEqual(
      [done['orders_stored'], done['orders_replayed'], done['number_of_warnings']],
      [stored, 7 - stored, stored === 0 ? 5 : 4],
    )
    const groups = groupsOf(done)
    assert.deepEqual(groups, [
      ['serial_number', 'rented_to_another_customer', stored === 0 ? 3 : 2, stored === 0 ? [3, 5, 6] : [3, 5]],
      ['serial_number', 'overlaps_same_customer', 1, [2]],
      ['product_id', 'identified_as_another_model', 1, [7]],
    ])
  }
})

test('a dry run for a strict account counts an order that comes again after one that was refused', async () => {
  const account = 'strict-again'
  const key = await service.createKey(SCOPES, null, account)
  const imports = createImportClient(service, key)
  await imports.run([HEADER, ledgerRow('a', 'a1', '2025-01-01', 'TAKEN')].join('\n'))
  const headers = { 'content-type': 'application/json', 'x-api-key': key }
  const settings = JSON.stringify({ amortisation: 'capped', strictness: 'refuse' })
  assert.equal((await service.ask('/api/account', { method: 'PUT', headers, body: settings })).status, 200)
  const other = (no: number) => ledgerRow('c', `c${no}`, '2025-04-01', `FREE-${no}`)
  const file = [
    HEADER,
    ledgerRow('b', 'b1', '2025-04-01', 'TAKEN'),
    other(1),
    ledgerRow('b', 'b1', '2025-04-01', 'FREE'),
    other(2),
    ledgerRow('b', 'b1', '2025-04-01', 'FREE'),
    other(3),
    ledgerRow('b', 'b1', '2025-05-01', 'FREE'),
  ].join('\n')
  for (const query of ['?dry_run=true', '']) {
    const done = await imports.run(file, query)
    const counts = ['orders_stored', 'orders_replayed', 'orders_rejected', 'rows_rejected'].map((name) => done[name])
    assert.deepEqual(counts, [4, 1, 2, 2], query)
    const errors = await imports.errors(done['import_id'])
    assert.deepEqual(
      errors.map(({ row, code }) => [row, code]),
      [
        [2, 'rented_to_another_customer'],
        [8, 'order_rows_apart'],
      ],
    )
  }
})

test('a strict account has the orders of a file rejected for what the ledgers say, in a dry run, too', async () => {
  const account = 'strict-ledgers'
  const key = await service.createKey(SCOPES, null, account)
  await createImportClient(service, key).run(
    [HEADER, ledgerRow('a', 'a1', '2025-01-01', 'OLD-1'), ledgerRow('a', 'a3', '2025-01-01', 'OLD-2')].join('\n'),
  )
  const headers = { 'content-type': 'application/json', 'x-api-key': key }
  const settings = JSON.stringify({ amortisation: 'capped', strictness: 'refuse' })
  assert.equal((await service.ask('/api/account', { method: 'PUT', headers, body: settings })).status, 200)
  const imports = createImportClient(service, await service.createKey(SCOPES, null, account))
  // Of a refused order, no return is recorded.
  const returned = (row: number) => (row === 0 ? 'returned_on' : row > 5 ? '2027-09-01' : '2025-09-01')
  const file = CONTESTED.split('\n').map((line, row) => `${line},${returned(row)}`)
  for (const query of ['?dry_run=true', '']) {
    const done = await imports.run(file.join('\n'), query)
    assert.deepEqual([done['orders_stored'], done['orders_rejected'], done['number_of_warnings']], [2, 5, 0])
    const errors = await imports.errors(done['import_id'])
    assert.deepEqual(
      errors.map(({ row, column, code }) => [row, column, code]),
      [
        [2, 'serial_number', 'overlaps_same_customer'],
        [3, 'serial_number', 'rented_to_another_customer'],
        [5, 'serial_number', 'rented_to_another_customer'],
        [6, 'serial_number', 'rented_to_another_customer'],
        [7, 'product_id', 'identified_as_another_model'],
      ],
    )
  }
  const { rows } = await service.pool.query(
    `select order_id from orders join accounts using (account_id) where name = $1 order by order_id`,
    [account],
  )
  assert.deepEqual(
    rows,
    ['a1', 'a3', 'b2', 'd2'].map((order_id) => ({ order_id })),
  )
})

test('a dry run tells what the ledgers say, as earlier rows of the file would leave them', async () => {
  const imports = createImportClient(service, await service.createKey(SCOPES, null, 'ledgers-import'))
  await imports.run([HEADER, ledgerRow('a', 'a1', '2025-01-01', 'CASE-1'), ''].join('\n'))
  const file = [
    HEADER,
    ledgerRow('a', 'a2', '2026-01-01', 'case-1'),
    ledgerRow('b', 'b1', '2025-07-01', 'CASE-1'),
    ledgerRow('b', 'b2', '2025-01-01', 'NEW-1'),
    ledgerRow('c', 'c1', '2025-04-01', 'NEW-1'),
    ledgerRow('c', 'c2', '2026-04-01', 'n ew-1'),
  ].join('\n')
  const tried = await imports.run(file, '?dry_run=true')
  const groups = groupsOf(tried)
  assert.deepEqual(groups, [
    ['serial_number', 'serial_number_differs_in_case', 2, [2, 6]],
    ['serial_number', 'rented_to_another_customer', 2, [3, 5]],
  ])
  assert.deepEqual([tried['orders_stored'], tried['number_of_warnings']], [5, 4])
})
