// A file of events: each row is the event that is sent alone, and what is wrong is told at its cell, in a dry run too.
import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import { verifyAll } from '../src/cli/verify.ts'
import { templateOf } from '../src/spreadsheets/templates.ts'
import type { Json } from './document-check.ts'
import { createImportClient, type ImportClient } from './import-client.ts'
import { createOrderClient, order, type OrderClient } from './order-client.ts'
import { countRows, startService, type Service } from './service.ts'

let service: Service
let client: ImportClient
let orders: OrderClient
before(async () => {
  service = await startService()
  client = createImportClient(service)
  orders = createOrderClient(service)
})
after(() => service.stop())

const EVENTS = '?kind=events'
const HEADER =
  'event_id;customer_id;order_id;serial_number;type;date;tenure_months;new_serial_number;weight_kg;dispatched'
const fileOf = (...rows: readonly string[]): string => [HEADER, ...rows, ''].join('\r\n')
const countsOf = (one: Json) => ['orders_stored', 'orders_replayed', 'orders_rejected'].map((name) => one[name])
const placesOf = (errors: readonly Json[]) => errors.map(({ row, column, code }) => [row, column, code])

/** What is told of an order, apart from its names and when that was. */
async function stateOf(customer: string, id: string): Promise<string> {
  const { text } = await orders.ask(`/api/customer-orders/${customer}/${id}?include=entries`)
  const isName = /^(posted_at|created_at|event_id|device_id|customer_id|order_id)$/
  const withoutNames = JSON.stringify(JSON.parse(text), (name, value: unknown) =>
    isName.test(name) ? undefined : value,
  )
  return withoutNames.replaceAll(`${customer}-`, 'x-')
}

test('each row is the event that is sent alone, in sequence, and a second time it changes nothing', async () => {
  for (const customer of ['file', 'sent']) {
    const serials = [1, 2].map((at) => `${customer}-${at}`)
    await orders.post(order(customer, 'one', serials))
    await orders.post(order(customer, 'two', [`${customer}-3`]))
  }
  const rows = [
    'f-1;file;one;file-1;extended;;24;;;',
    'f-2;file;one;file-1;swapped;01.04.2025;;file-9;1,3;',
    'f-3;file;one;;returned;01.06.2025;;;;',
    'f-4;file;two;;cancelled;15.01.2025;;;;true',
    'f-5;;;file-9;retired;01.07.2025;;;;',
  ]
  const done = await client.run(fileOf(...rows), EVENTS)
  assert.deepEqual([done['kind'], done['state'], ...countsOf(done)], ['events', 'succeeded', 5, 0, 0])
  const one = (event: Json) => orders.tell('sent', 'one', event)
  await one({ event_id: 's-1', type: 'extended', serial_number: 'sent-1', tenure_months: 24 })
  const swap = { serial_number: 'sent-1', date: '2025-04-01', new_serial_number: 'sent-9', weight_kg: 1.3 }
  await one({ event_id: 's-2', type: 'swapped', ...swap })
  await one({ event_id: 's-3', type: 'returned', date: '2025-06-01' })
  await orders.tell('sent', 'two', { event_id: 's-4', type: 'cancelled', date: '2025-01-15', dispatched: true })
  await orders.tellDevice('sent-9', { event_id: 's-5', type: 'retired', date: '2025-07-01' })
  for (const id of ['one', 'two']) assert.equal(await stateOf('file', id), await stateOf('sent', id))
  const stored = await countRows(service.pool)
  assert.deepEqual(countsOf(await client.run(fileOf(...rows), EVENTS)), [0, 5, 0])
  assert.deepEqual(countsOf(await client.run(fileOf(...rows), `${EVENTS}&dry_run=true`)), [0, 5, 0])
  assert.deepEqual(await countRows(service.pool), stored)
  assert.deepEqual((await verifyAll(service.pool)).lines, [])
})

test('what is wrong with an event is told at its cell, and the corrected rows are imported', async () => {
  await orders.post(order('wrong', 'w', ['W-1', 'W-2']))
  await orders.tell('wrong', 'w', { event_id: 'w-0', type: 'returned', serial_number: 'W-2', date: '2025-06-01' })
  const rows = [
    'w-1;wrong;w;W-1;returned;soon;;;;',
    'w-2;wrong;w;W-1;retired;01.06.2025;;;;',
    'w-3;;;;zurück;01.06.2025;;;;',
    'w-4;;;;returned;01.06.2025;;;;',
    'w-5;wrong;none;;returned;01.06.2025;;;;',
    'w-6;;;W-9;lost;01.06.2025;;;;',
    'w-7;wrong;w;W-2;returned;02.06.2025;;;;',
    'w-0;wrong;w;W-2;returned;03.06.2025;;;;',
    'w-8;wrong;w;W-1;cancelled;01.01.2025;;;;ja',
    'w-9;wrong;w;W-1;extended;;viele;;;',
  ]
  const expected = [
    [2, 'date', 'cell_not_a_day'],
    [3, 'type', 'event_of_device'],
    [4, 'type', 'wrong_value'],
    [5, 'customer_id', 'required_value'],
    [5, 'order_id', 'required_value'],
    [6, 'order_id', 'event_order_unknown'],
    [7, 'serial_number', 'event_device_unknown'],
    [8, 'serial_number', 'device_returned'],
    [9, 'date', 'event_stored_differently'],
    [10, 'dispatched', 'wrong_value'],
    [11, 'tenure_months', 'cell_not_a_number'],
  ]
  for (const query of [`${EVENTS}&dry_run=true&dates=DD.MM.YYYY`, `${EVENTS}&dates=DD.MM.YYYY`]) {
    const done = await client.run(fileOf(...rows), query)
    assert.deepEqual(countsOf(done), [0, 0, 10])
    assert.deepEqual(placesOf(await client.errors(done['import_id'])), expected)
    const { groups } = (await client.faultGroups(done['import_id'])) as { readonly groups: readonly Json[] }
    assert.equal(groups.length, 11)
    if (query.includes('dry_run')) continue
    const file = (await client.rejectedRowsFile(done['import_id'])).replace(';soon;', ';01.06.2025;')
    const better = await client.run(file, `${EVENTS}&dates=DD.MM.YYYY`)
    assert.deepEqual(countsOf(better), [1, 0, 9])
  }
})

test('a dry run takes an event that only an earlier row makes possible for possible, and stores nothing', async () => {
  await orders.post(order('tried', 't', ['Y-1']))
  const before = await countRows(service.pool)
  const file = fileOf(
    't-1;tried;t;Y-1;swapped;2025-04-01;;Y-2;1,3;',
    't-2;tried;t;Y-2;returned;2025-05-01;;;;',
    't-3;;;Y-2;retired;2025-06-01;;;;',
  )
  assert.deepEqual(countsOf(await client.run(file, `${EVENTS}&dry_run=true`)), [3, 0, 0])
  assert.deepEqual(await countRows(service.pool), before)
  assert.deepEqual(countsOf(await client.run(file, EVENTS)), [3, 0, 0])
})

test('JSON lines have the same members, and a boolean may be one', async () => {
  await orders.post(order('lines', 'l', ['J-1']))
  const named = { customer_id: 'lines', order_id: 'l' }
  const lines = [
    { event_id: 'l-1', ...named, type: 'cancelled', date: '2025-01-01', dispatched: true },
    { event_id: 'l-2', ...named, type: 'extended', tenure_months: 36 },
  ]
  const file = lines.map((line) => JSON.stringify(line)).join('\n')
  const done = await client.run(file, EVENTS, 'application/x-ndjson')
  assert.deepEqual(countsOf(done), [1, 0, 1])
  assert.deepEqual(placesOf(await client.errors(done['import_id'])), [[2, 'type', 'order_cancelled']])
})

test('headers in German are suggested, and what an event needs is asked for', async () => {
  const detailsOf = async (file: string, query = EVENTS) => {
    const { status, text } = await client.send(file, query)
    assert.equal(status, 400, text)
    return (JSON.parse(text) as { readonly details: readonly Json[] }).details
  }
  const german = 'Ereignis-Nr,Kundennummer,Auftragsnummer,Seriennummer,Ereignisart,Rückgabedatum'
  const details = await detailsOf(`${german}\nx,a,b,c,returned,2025-05-01\n`)
  const suggested = details
    .filter(({ path }) => path !== '?columns')
    .map(({ suggestions }) => (suggestions as string[])[0])
  assert.deepEqual(suggested, ['event_id', 'customer_id', 'order_id', 'serial_number', 'type', 'date'])
  assert.ok(details.every(({ code }) => String(code).startsWith('column_')))
  const missing = await detailsOf('event_id,customer_id,colour\nx,a,red\n')
  assert.deepEqual(
    placesOf(missing).map(([, , code]) => code),
    ['column_unknown_of_events', 'column_not_in_file'],
  )
  const [contradicted] = await detailsOf(fileOf(), `${EVENTS}&layout=items`)
  assert.equal(contradicted!['code'], 'layout_of_orders')
})

test('the templates import one after the other', async () => {
  await client.run(templateOf('items'))
  const tried = await client.run(templateOf('events'), `${EVENTS}&dry_run=true`)
  const done = await client.run(templateOf('events'), EVENTS)
  assert.deepEqual(
    [countsOf(tried), countsOf(done)],
    [
      [3, 0, 0],
      [3, 0, 0],
    ],
  )
})
