// The end of a rental in the row of its product: it is recorded with its order, and told in the dry run as in the run.
import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import { verifyAll } from '../src/cli/verify.ts'
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

const HEADER =
  'customer_id,order_id,order_date,tenure_start_date,type,product_id,serial_number,tenure_months,weight_kg,' +
  'packaging_id,returned_on,ended_by'
const MODEL = 'apple-macbook-air-13-m3-256gb'
/** The order of `order(customer, id, serials)`, each device with the end that is given for it. */
const rowsOf = (customer: string, id: string, ends: Readonly<Record<string, string>>): readonly string[] => {
  const head = `${customer},${id},2025-01-10,2025-02-01`
  const devices = Object.entries(ends).map(([serial, end]) => `${head},product,${MODEL},${serial},12,1.24,,${end}`)
  return [...devices, `${head},packaging,,,,0.31,corrugated-board-recycled,,`]
}
const fileOf = (...rows: readonly (readonly string[])[]): string => [HEADER, ...rows.flat(), ''].join('\n')

const countsOf = (one: Json) => ['orders_stored', 'orders_replayed', 'orders_rejected'].map((name) => one[name])
const stateOf = async (customer: string, id: string) => {
  const { text } = await orders.ask(`/api/customer-orders/${customer}/${id}?include=entries`)
  const { created_at, order_id, customer_id, ...rest } = JSON.parse(text) as Json
  assert.ok(created_at && order_id && customer_id)
  return JSON.parse(
    JSON.stringify(rest, (name, value: unknown) =>
      /^(posted_at|event_id|device_id|serial_number|customer_id|order_id)$/.test(name) ? undefined : value,
    ),
  ) as Json
}

/** The errors of a file: the same in its dry run. */
async function errorsOf(file: string, type?: string): Promise<readonly Json[]> {
  const tried = await client.run(file, '?dry_run=true', type)
  const done = await client.run(file, '', type)
  assert.deepEqual(countsOf(done), countsOf(tried))
  const errors = await client.errors(done['import_id'])
  assert.deepEqual(errors, await client.errors(tried['import_id']))
  return errors
}
const placesOf = (errors: readonly Json[]) => errors.map(({ row, column, code }) => [row, column, code])

test('a day of return in a file is the event of that day, and importing the file again changes nothing', async () => {
  const file = fileOf(
    rowsOf('acme', 'r1', { 'R-1': '2025-05-01,', 'R-2': ',' }),
    rowsOf('acme', 'r2', { 'R-3': '2024-12-01,cancelled' }),
  )
  const tried = await client.run(file, '?dry_run=true')
  assert.deepEqual(countsOf(tried), [2, 0, 0])
  assert.deepEqual(countsOf(await client.run(file)), [2, 0, 0])
  await orders.post(order('acme', 'p1', ['P-1', 'P-2']))
  await orders.tell('acme', 'p1', { event_id: 'p1', type: 'returned', serial_number: 'P-1', date: '2025-05-01' })
  await orders.post(order('acme', 'p2', ['P-3']))
  await orders.tell('acme', 'p2', { event_id: 'p2', type: 'cancelled', date: '2024-12-01' })
  assert.deepEqual(await stateOf('acme', 'r1'), await stateOf('acme', 'p1'))
  assert.deepEqual(await stateOf('acme', 'r2'), await stateOf('acme', 'p2'))
  const rows = await countRows(service.pool)
  assert.deepEqual(countsOf(await client.run(file)), [0, 2, 0])
  assert.deepEqual(countsOf(await client.run(file, '?dry_run=true')), [0, 2, 0])
  assert.deepEqual(await countRows(service.pool), rows)
  assert.deepEqual((await verifyAll(service.pool)).lines, [])
})

test('a file that was imported without returns may be imported with them', async () => {
  assert.deepEqual(countsOf(await client.run(fileOf(rowsOf('late', 'one', { 'L-1': ',' })))), [1, 0, 0])
  const file = fileOf(rowsOf('late', 'one', { 'L-1': '2025-06-01,returned' }))
  assert.deepEqual(countsOf(await client.run(file)), [0, 1, 0])
  assert.equal((await stateOf('late', 'one'))['status'], 'returned')
})

test('an end that cannot be is told at its cell, all of them together', async () => {
  const file = fileOf(
    rowsOf('wrong', 'w1', { 'W-1': '2025-01-31,', 'W-2': ',returned' }),
    rowsOf('wrong', 'w2', { 'W-3': '2025-02-01,cancelled', 'W-4': '2025-03-01,Storniert', 'W-5': 'soon,' }),
    [`wrong,w3,2025-01-10,2025-02-01,packaging,,,,0.31,corrugated-board-recycled,2025-03-01,`],
    rowsOf('wrong', 'w4', { 'W-6': '2201-01-01,' }),
  )
  const errors = await errorsOf(file)
  assert.deepEqual(placesOf(errors), [
    [2, 'returned_on', 'return_before_start'],
    [3, 'returned_on', 'required'],
    [5, 'returned_on', 'cancellation_too_late'],
    [6, 'ended_by', 'wrong_value'],
    [7, 'returned_on', 'cell_not_a_day'],
    [9, 'returned_on', 'return_without_device'],
    [10, 'returned_on', 'day_out_of_range'],
  ])
  assert.equal(errors[3]!['suggestion'], 'cancelled')
})

test('an end that contradicts what is recorded is told; its order is stored, and it may be sent again', async () => {
  await orders.post(order('first', 'f1', ['C-1'], { tenure_start_date: '2025-06-01' }))
  await orders.post(order('first', 'f2', ['C-2']))
  await orders.tell('first', 'f2', { event_id: 'f2', type: 'returned', date: '2025-05-01' })
  await client.run(fileOf(rowsOf('first', 'f3', { 'C-3': '2025-05-01,' })))
  const file = fileOf(
    rowsOf('other', 'o1', { 'C-1': '2025-07-01,' }),
    rowsOf('first', 'f2', { 'C-2': '2025-06-01,' }),
    rowsOf('first', 'f3', { 'C-3': '2025-05-02,' }),
  )
  const errors = await errorsOf(file)
  assert.deepEqual(
    placesOf(errors),
    [2, 4, 6].map((row) => [row, 'returned_on', 'return_not_recorded']),
  )
  const inner = errors.map(({ params }) => (params as { readonly problem: Json }).problem['code'])
  assert.deepEqual(inner, ['rental_cut_before', 'device_returned', 'differs'])
  assert.equal((await orders.ask('/api/customer-orders/other/o1')).status, 200)
  const better = fileOf(rowsOf('other', 'o1', { 'C-1': '2025-06-01,' }))
  assert.deepEqual(countsOf(await client.run(better)), [0, 1, 0])
})

test('rows of orders and JSON lines have the same column', async () => {
  const header =
    'customer_id,order_id,order_date,tenure_start_date,product_id,serial_number,tenure_months,weight_kg,returned_on'
  const columns = `${header},product_id_2,serial_number_2,tenure_months_2,weight_kg_2,returned_on_2`
  const head = '2025-01-10,2025-02-01'
  const row = (id: string, first: string, second: string) =>
    `rows,${id},${head},${MODEL},${id}-1,12,1.24,${first},${MODEL},${id}-2,12,1.24,${second}`
  const done = await client.run([columns, row('x1', '', '2025-05-01'), ''].join('\n'))
  assert.deepEqual(countsOf(done), [1, 0, 0])
  const wrong = await errorsOf([columns, row('x2', '2025-05-01', '2025-01-01'), ''].join('\n'))
  assert.deepEqual(placesOf(wrong), [[2, 'returned_on_2', 'return_before_start']])
  const config = { product_id: MODEL, tenure_months: 12, weight_kg: 1.24 }
  const lines = ['2025-05-01', '2025-05-32', 7].map((returned_on, at) => ({
    ...order('lines', `l${at}`, []),
    items: [{ type: 'product', config: { ...config, serial_number: `l${at}`, returned_on } }],
  }))
  const file = lines.map((line) => JSON.stringify(line)).join('\n')
  assert.deepEqual(placesOf(await errorsOf(file, 'application/x-ndjson')), [
    [2, '/items/0/config/returned_on', 'wrong_value'],
    [3, '/items/0/config/returned_on', 'wrong_value'],
  ])
  assert.equal((await stateOf('lines', 'l0'))['status'], 'returned')
  assert.equal((await stateOf('rows', 'x1'))['status'], 'amended')
})

test('usual headers for the day of return are suggested, and the end of a tenure is told apart', async () => {
  const headerOf = async (header: string) => {
    const file = fileOf(rowsOf('head', 'h1', { 'H-1': '2025-05-01,' })).replace('returned_on', header)
    const { status, text } = await client.send(file)
    assert.equal(status, 400)
    return (JSON.parse(text) as { readonly details: readonly Json[] }).details
  }
  for (const header of ['Rückgabedatum', 'Return Date', 'zurück am', 'Retoure'])
    assert.deepEqual((await headerOf(header))[0]!['suggestions'], ['returned_on'])
  const [ended] = await headerOf('Mietende')
  assert.equal(ended!['code'], 'column_of_end_dates')
  assert.match(String(ended!['message']), /\{"Mietende": "returned_on"\}/)
})

test('an import is reversed with the returns that its file stated', async () => {
  const file = fileOf(rowsOf('acme', 'r9', { 'R-90': '2025-05-01,', 'R-91': '2025-06-01,' }))
  const done = await client.run(file)
  assert.deepEqual(countsOf(done), [1, 0, 0])
  const undone = await client.undo(done['import_id'])
  assert.deepEqual([undone['state'], undone['orders_reversed'], undone['orders_kept']], ['reversed', 1, 0])
  const { text } = await orders.ask('/api/customer-orders/acme/r9')
  const state = JSON.parse(text) as Json
  assert.deepEqual([state['status'], state['total_emission']], ['reversed', 0])
  assert.deepEqual((await verifyAll(service.pool)).lines, [])
})

test('an order with another event besides is kept as it was, with the returns that its file stated', async () => {
  const done = await client.run(fileOf(rowsOf('acme', 'k1', { 'K-1': '2025-05-01,', 'K-2': ',' })))
  const swap = { event_id: 'k-swap', type: 'swapped', serial_number: 'K-2', date: '2025-04-01' }
  await orders.tell('acme', 'k1', { ...swap, new_serial_number: 'K-3', weight_kg: 1.24 })
  const before = await orders.ask('/api/customer-orders/acme/k1?include=entries')
  const undone = await client.undo(done['import_id'])
  assert.deepEqual([undone['orders_reversed'], undone['orders_kept']], [0, 1])
  assert.equal((await orders.ask('/api/customer-orders/acme/k1?include=entries')).text, before.text)
})

const put = async (id: string, serials: readonly string[], start: string) => {
  const headers = { 'content-type': 'application/json', 'if-match': '*' }
  const body = JSON.stringify(order('acme', id, serials, { tenure_start_date: start }))
  const { status, text } = await service.ask(`/api/customer-orders/acme/${id}`, { method: 'PUT', headers, body })
  assert.equal(status, 200, text)
}
const undoneOf = (one: Json) => [one['orders_reversed'], one['orders_kept']]
const statusOf = async (id: string) => (await stateOf('acme', id))['status']

test('a return is recorded for an order as it was corrected, in the run as in the dry run', async () => {
  await orders.post(order('acme', 'corrected-1', ['CO-1', 'CO-2']))
  await put('corrected-1', ['CO-2', 'CO-3'], '2025-03-01')
  const [dropped, ...others] = await errorsOf(
    fileOf(rowsOf('acme', 'corrected-1', { 'CO-1': '2025-07-01,', 'CO-2': ',' })),
  )
  assert.deepEqual([dropped!['code'], others.length], ['return_not_recorded', 0])
  const corrected = fileOf(rowsOf('acme', 'corrected-1', { 'CO-2': '2025-06-01,', 'CO-3': '2025-07-01,' }))
  assert.deepEqual(await errorsOf(corrected.replaceAll('2025-02-01', '2025-03-01')), [])
  assert.equal(await statusOf('corrected-1'), 'returned')
})

test('the return of an order that was sent again is another one than that of the undone import', async () => {
  for (const id of ['s1', 's2', 's3']) {
    const first = await client.run(fileOf(rowsOf('acme', id, { [id]: '2025-05-01,' })))
    assert.equal((await client.undo(first['import_id']))['orders_reversed'], 1)
  }
  // Sent again by request, by file, and by file and corrected; then a file states another day.
  await orders.post(order('acme', 's1', ['s1']))
  const again = (id: string, start = '2025-02-01') =>
    fileOf(rowsOf('acme', id, { [id]: '2025-08-01,' })).replaceAll('2025-02-01', start)
  for (const id of ['s1', 's2', 's3']) assert.deepEqual(await errorsOf(again(id)), [], id)
  await put('s3', ['s3'], '2025-03-01')
  for (const start of ['2025-02-01', '2025-03-01']) assert.deepEqual(await errorsOf(again('s3', start)), [], start)
  assert.deepEqual(await Promise.all(['s1', 's2', 's3'].map(statusOf)), ['returned', 'returned', 'returned'])
  assert.deepEqual((await verifyAll(service.pool)).lines, [])
})

test('an event of an order whose import was undone is recorded anew for the order that is sent again', async () => {
  const first = await client.run(fileOf(rowsOf('acme', 'anew', { 'AN-1': ',' })))
  const headers = { 'content-type': 'application/json' }
  const send = (event: Json) =>
    service.ask('/api/customer-orders/acme/anew/events', { method: 'POST', headers, body: JSON.stringify(event) })
  const longer = { event_id: 'anew-1', type: 'extended', tenure_months: 18 }
  assert.equal((await send(longer)).status, 200)
  assert.equal((await client.undo(first['import_id']))['orders_reversed'], 1)
  await client.run(fileOf(rowsOf('acme', 'anew', { 'AN-1': ',' })))
  const before = (await stateOf('acme', 'anew'))['total_emission']
  // By a file of events, also with other content; then as a repetition, compared with the current revision.
  const file = 'customer_id,order_id,event_id,type,tenure_months\nacme,anew,anew-1,extended,24\n'
  const recorded = await client.run(file, '?kind=events')
  assert.equal(recorded['orders_stored'], 1, JSON.stringify(recorded))
  assert.notEqual((await stateOf('acme', 'anew'))['total_emission'], before)
  const repeated = await send({ ...longer, tenure_months: 24 })
  assert.deepEqual([repeated.status, repeated.headers['idempotent-replayed']], [200, 'true'])
  assert.equal((await send(longer)).status, 409)
  // Withdrawn, its id stays taken, also after a correction.
  assert.equal((await send({ event_id: 'anew-2', type: 'withdrawn', withdraws: 'anew-1' })).status, 200)
  await put('anew', ['AN-1'], '2025-03-01')
  const replayed = await send({ ...longer, tenure_months: 24 })
  assert.equal(replayed.headers['idempotent-replayed'], 'true', replayed.text)
  const { text } = await orders.ask('/api/customer-orders/acme/anew?include=events')
  const { events } = JSON.parse(text) as { readonly events: readonly { readonly event: Json }[] }
  assert.deepEqual(
    events.map(({ event }) => [event['event_id'], event['type']]),
    [
      ['anew-1', 'extended'],
      ['anew-2', 'withdrawn'],
    ],
  )
  assert.deepEqual((await verifyAll(service.pool)).lines, [])
})

test('an event of an order whose import was undone is no repetition, nor withdrawn from the next', async () => {
  const file = fileOf(rowsOf('acme', 'gone', { 'GO-1': ',', 'GO-2': '2025-08-01,' }))
  const first = await client.run(file)
  const headers = { 'content-type': 'application/json' }
  const send = async (event: Json, query = '') => {
    const path = `/api/customer-orders/acme/gone/events${query}`
    const { status, text } = await service.ask(path, { method: 'POST', headers, body: JSON.stringify(event) })
    const { details = [] } = JSON.parse(text) as { readonly details?: readonly Json[] }
    return [status, details[0]?.['code']]
  }
  const back = { event_id: 'gone-1', type: 'returned', serial_number: 'GO-1', date: '2025-06-01' }
  assert.deepEqual(await send({ ...back, event_id: 'gone-0' }), [200, undefined])
  const withdrawal = { event_id: 'gone-2', type: 'withdrawn', withdraws: 'gone-0' }
  assert.deepEqual(await send(withdrawal), [200, undefined])
  const { text } = await orders.ask('/api/customer-orders/acme/gone?include=events')
  const { events } = JSON.parse(text) as { readonly events: readonly { readonly event: Json }[] }
  const stated = events.map(({ event }) => event['event_id']).find((id) => String(id).startsWith('import-return-'))
  assert.deepEqual(undoneOf(await client.undo(first['import_id'])), [1, 0])
  // While the order is undone, nothing of it is a repetition; neither sent nor in a file.
  for (const event of [{ ...back, event_id: 'gone-0' }, withdrawal])
    for (const query of ['', '?preview=true']) assert.deepEqual(await send(event, query), [409, 'import_undone'])
  const rows = 'customer_id,order_id,event_id,type,serial_number,date\nacme,gone,gone-0,returned,GO-1,2025-06-01\n'
  const refused = await client.run(rows, '?kind=events')
  assert.deepEqual([refused['orders_replayed'], refused['orders_rejected']], [0, 1])
  // Sent again, the order has none of them.
  await client.run(fileOf(rowsOf('acme', 'gone', { 'GO-1': ',', 'GO-2': ',' })))
  for (const withdraws of ['gone-0', String(stated)])
    assert.deepEqual(await send({ event_id: 'gone-4', type: 'withdrawn', withdraws }), [409, 'event_undone'])
  assert.deepEqual(await send({ event_id: 'gone-4', type: 'withdrawn', withdraws: 'never' }), [
    400,
    'event_not_of_order',
  ])
  assert.deepEqual(await send({ ...back, event_id: 'gone-0' }), [200, undefined])
  assert.deepEqual(await send({ event_id: 'gone-4', type: 'withdrawn', withdraws: 'gone-0' }), [200, undefined])
  assert.equal(await statusOf('gone'), 'amended')
  assert.deepEqual((await verifyAll(service.pool)).lines, [])
})
