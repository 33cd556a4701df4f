// Files as newcomers have them: what may be left out is taken from what tells it, and equal errors are told together.
import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import type { Json } from './document-check.ts'
import { createImportClient, type ImportClient } from './import-client.ts'
import { startService, type Service } from './service.ts'

let service: Service
let client: ImportClient
before(async () => {
  service = await startService()
  client = createImportClient(service)
})
after(() => service.stop())

const HEADER =
  'customer_id,order_id,order_date,tenure_start_date,product_id,serial_number,tenure_months,weight_kg,' +
  'transportation_id,distance_km,transportation_weight_kg'
const row = (id: string, months = '12', transport = 'road-van-diesel'): string =>
  `acme,${id},2025-03-15,2025-04-01,P-1,${id},${months},1.24,${transport},120.5,1.5`
const fileOf = (...rows: readonly string[]): string => [HEADER, ...rows, ''].join('\n')

const storedItems = async (order: string): Promise<unknown> => {
  const wanted = 'select items from orders where order_id = $1'
  return (await service.pool.query<{ readonly items: unknown }>(wanted, [order])).rows[0]?.items
}

test('a table without a mode of transport has that of each transportation, and is told so', async () => {
  const done = await client.run(fileOf(row('m1'), row('m2', '12', 'nonsense'), row('m3', '12', '')))
  assert.deepEqual([done['orders_stored'], done['orders_rejected']], [1, 2])
  assert.match(JSON.stringify(await storedItems('m1')), /road-van-diesel.*road/)
  const told = (done['settings'] as readonly Json[]).find(({ setting }) => setting === 'transportation_mode')
  assert.equal(told?.['value'], 'by transportation_id')
  const errors = await client.errors(done['import_id'])
  assert.deepEqual(
    errors.map(({ row, column }) => [row, column]),
    [
      [3, 'transportation_id'],
      [4, 'transportation_id'],
    ],
  )
})

test('an order in JSON lines is what POST takes: it has to tell the mode of its transports', async () => {
  const transport = { transportation_id: 'road-van-diesel', distance_km: 1, weight_kg: 1 }
  const order = { customer_id: 'acme', order_id: 'j', order_date: '2025-03-15', tenure_start_date: '2025-04-01' }
  const done = await client.run(
    `${JSON.stringify({ ...order, items: [{ type: 'transportation', config: transport }] })}\n`,
    '',
    'application/jsonl',
  )
  assert.deepEqual(
    (await client.errors(done['import_id'])).map(({ column }) => column),
    ['/items/0/config/transportation_mode'],
  )
})

test('what people call a device, a country, a transport or a packaging is told by its name here', async () => {
  const header = `${HEADER},packaging_id,packaging_weight_kg,device_type,country`
  const done = await client.run(
    [header, `${row('w1', '12', 'LKW')},Karton,0.3,Notebook,Deutschland`, ''].join('\n'),
    '?dry_run=true',
  )
  const errors = await client.errors(done['import_id'])
  const suggested = errors.map(({ column, suggestion }) => [column, suggestion])
  assert.deepEqual(suggested.sort(), [
    ['device_type', 'laptop'],
    ['packaging_id', 'corrugated-board-recycled or corrugated-board-virgin'],
    ['transportation_id', 'road-truck-average'],
  ])
})

test('serial numbers that a spreadsheet shortened are refused, so that no devices are mixed up', async () => {
  const file = fileOf(row('s1'), row('s2').replace('P-1,s2', 'P-1,3.51235E+14'))
  const done = await client.run(file, '?dry_run=true')
  assert.deepEqual([done['orders_stored'], done['orders_rejected']], [1, 1])
  const [fault, ...others] = await client.errors(done['import_id'])
  assert.deepEqual([fault!['row'], fault!['column'], fault!['value'], others], [3, 'serial_number', '3.51235E+14', []])
})

test('errors of one column and one kind are one group: how many, the first rows, the usual values', async () => {
  const rows = Array.from({ length: 9 }, (_, at) => row(`g${at}`, at < 6 ? '12 months' : `${at} months`))
  const done = await client.run(fileOf(...rows, row('g9', '1.2.5'), row('g10', '1.5')), '?dry_run=true')
  const found = await client.faultGroups(done['import_id'])
  assert.deepEqual([found['rows'], found['is_complete']], [11, true])
  const groups = found['groups'] as readonly Json[]
  assert.deepEqual(
    groups.map(({ column, errors, rows: first }) => [column, errors, first]),
    [
      ['tenure_months', 10, [2, 3, 4, 5, 6]],
      ['tenure_months', 1, [12]],
    ],
  )
  assert.deepEqual((groups[0]!['values'] as readonly Json[])[0], { value: '12 months', suggestion: '12', errors: 6 })
})
