// Corrections of orders over HTTP: the content of an order is put right, and every figure is as if it had been so at
// first.
import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import { verifyAll } from '../src/cli/verify.ts'
import { SCOPES, ensureAccount } from '../src/postgres/accounts.ts'
import { registerRelease } from '../src/postgres/dataset-releases.ts'
import { verifyReceipt } from '../src/receipts/verify-receipt.ts'
import { firstDetailOf, readJson } from './asked-service.ts'
import { processorTime } from './least-time.ts'
import type { Json } from './document-check.ts'
import { pathOf } from './order-client.ts'
import { fill } from './busy-orders.ts'
import { BOX, VAN, createReceiptClient, laptop, orderOf, type ReceiptClient } from './receipt-client.ts'
import { startService, type Service } from './service.ts'
import { shippedReferenceData } from './shipped-book.ts'

const { matching } = shippedReferenceData().referenceData

let service: Service
let client: ReceiptClient
before(async () => {
  service = await startService()
  client = createReceiptClient(service)
})
after(() => service.stop())

async function send(
  method: 'POST' | 'PUT' | 'GET',
  path: string,
  body: Json | null,
  headers: Record<string, string> = {},
) {
  const answer = await service.ask(path, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...(body && { body: JSON.stringify(body) }),
  })
  return { ...answer, answer: JSON.parse(answer.text) as Json }
}

const put = (order: Json, headers: Record<string, string> = { 'if-match': '*' }, query = '') =>
  send('PUT', `${pathOf(String(order['customer_id']), String(order['order_id']))}${query}`, order, headers)

const post = (order: Json) => send('POST', '/api/customer-orders', order)
const tell = (customer: string, order: string, event: Json) => send('POST', `${pathOf(customer, order)}/events`, event)

const read = (path: string) => readJson(service, path)

test('a corrected order answers as one that was sent so at first, and shows what was corrected and why', async () => {
  const first = orderOf('acme', 'tenure', '2025-01-01', [laptop('C1', 12), VAN])
  const right = orderOf('acme', 'tenure', '2025-02-01', [laptop('C1', 24, { weight_kg: 1.3 }), VAN, BOX])
  const sent = await post(first)
  assert.equal(sent.status, 200, sent.text)
  const reference = await post({
    ...right,
    order_id: 'reference',
    items: [laptop('C2', 24, { weight_kg: 1.3 }), VAN, BOX],
  })
  const before = await read(pathOf('acme', 'tenure'))
  const { rows } = await service.pool.query<{ at: Date }>('select max(posted_at) as at from entries')
  const { status, answer, text } = await put(right, { 'if-match': '"1-0"' }, '?reason=Wrong%20contract')
  assert.equal(status, 200, text)
  assert.equal(answer['total_emission'], reference.answer['total_emission'])
  assert.equal(answer['created_at'], before['created_at'])
  const [correction] = answer['corrections'] as Json[]
  assert.equal(correction!['reason'], 'Wrong contract')
  assert.deepEqual(
    (correction!['changes'] as Json[]).map(({ path, before: was, after: is }) => [path, was, is]).slice(0, 3),
    [
      ['/tenure_start_date', '2025-01-01', '2025-02-01'],
      ['/items/0/config/tenure_months', 12, 24],
      ['/items/0/config/weight_kg', 1.24, 1.3],
    ],
  )
  // Known before, it is what it was.
  const known = await read(`${pathOf('acme', 'tenure')}?known_at=${rows[0]!.at.toISOString()}`)
  assert.equal(known['total_emission'], before['total_emission'])
  assert.equal(verifyReceipt(await client.receiptText('acme', 'tenure'), matching).outcome, 'equal')
  const receipt = await client.provenReceipt('acme', 'tenure')
  const [replaced] = receipt.order['corrections'] as Json[]
  assert.equal((replaced!['event'] as Json)['reason'], 'Wrong contract')
  assert.equal((replaced!['replaced'] as Json)['tenure_start_date'], '2025-01-01')
  // The first content is answered as at first, and the corrected one as it is now.
  const again = await post(first)
  assert.deepEqual([again.status, again.text, again.headers['order-corrected']], [200, sent.text, 'true'])
  const corrected = await post(right)
  assert.deepEqual([corrected.status, corrected.headers['order-corrected']], [200, undefined])
  assert.equal(corrected.answer['total_emission'], answer['total_emission'])
  await put(first)
  const back = await post(first)
  assert.deepEqual([back.text, back.headers['order-corrected']], [sent.text, undefined])
  await put(right)
  const other = await post(orderOf('acme', 'tenure', '2025-03-01', [laptop('C1', 12)]))
  assert.equal(other.status, 409)
})

test('who corrects what another person has changed meanwhile gets 412 with the ETag that is current', async () => {
  const order = orderOf('acme', 'etag', '2025-01-01', [laptop('C3', 12)])
  await post(order)
  const { headers } = await service.ask(pathOf('acme', 'etag'))
  assert.match(String(headers['etag']), /^"1-0-[\w-]{16}"$/)
  const [one, two] = [
    orderOf('acme', 'etag', '2025-01-02', [laptop('C3', 12)]),
    orderOf('acme', 'etag', '2025-01-03', [laptop('C3', 12)]),
  ]
  const tag = String(headers['etag'])
  const both = await Promise.all([one, two].map((content) => put(content, { 'if-match': tag })))
  assert.deepEqual(both.map(({ status }) => status).toSorted(), [200, 412])
  const late = both.find(({ status }) => status === 412)!
  assert.match(late.text, /2-0/)
  const stale = await tell('acme', 'etag', { event_id: 'c-1', type: 'extended', tenure_months: 18 })
  assert.match(String(stale.headers['etag']), /^"2-1-/)
  assert.equal((await put(order, { 'if-match': '"2-0"' })).status, 412)
  assert.equal((await put(order, { 'if-match': '"2-0", "2-1"' })).status, 200)
  // The same content again changes nothing, whatever the tag.
  const same = await put(order, { 'if-match': '"1-0"' })
  assert.deepEqual([same.status, String(same.headers['etag']).slice(0, 5)], [200, '"3-1-'])
  for (const [headers, code] of [
    [{}, 'if_match_missing'],
    [{ 'if-match': 'xyz' }, 'if_match_invalid'],
  ] as const) {
    const refused = await put(order, headers)
    assert.deepEqual([refused.status, firstDetailOf(refused)['code']], [400, code])
  }
  assert.equal((await put({ ...order, order_id: 'never' })).status, 404)
  const renamed = await send('PUT', pathOf('acme', 'etag'), { ...order, order_id: 'other' }, { 'if-match': '*' })
  assert.deepEqual([renamed.status, firstDetailOf(renamed)['path']], [400, '/order_id'])
})

test('events stay with a corrected order; one that contradicts it is named and has to be withdrawn first', async () => {
  const order = orderOf('acme', 'events', '2025-01-01', [laptop('C4', 12), laptop('C5', 12), VAN])
  await post(order)
  await tell('acme', 'events', {
    event_id: 'c-2',
    type: 'swapped',
    serial_number: 'C4',
    date: '2025-03-01',
    new_serial_number: 'C6',
    weight_kg: 1.24,
  })
  await tell('acme', 'events', { event_id: 'c-3', type: 'returned', serial_number: 'C5', date: '2025-04-01' })
  await tell('acme', 'events', { event_id: 'c-4', type: 'returned', serial_number: 'C6', date: '2025-06-01' })
  await tell('acme', 'events', { event_id: 'c-5', type: 'withdrawn', withdraws: 'c-4' })
  const dropped = await put({ ...order, items: [laptop('C4', 12), VAN] })
  assert.equal(dropped.status, 409)
  assert.match(dropped.text, /c-3/)
  const { status, answer, text } = await put({ ...order, items: [laptop('C4', 24), laptop('C5', 12), VAN, BOX] })
  assert.equal(status, 200, text)
  const shown = await read(`${pathOf('acme', 'events')}?include=events,entries`)
  assert.deepEqual(
    (shown['events'] as Json[]).map(({ event }) => (event as Json)['event_id']),
    ['c-2', 'c-3', 'c-4', 'c-5'],
  )
  assert.equal(answer['total_emission'], shown['total_emission'])
  await client.provenReceipt('acme', 'events')
  // Recorded once, an event is a repetition whenever it is sent again.
  const again = await tell('acme', 'events', {
    event_id: 'c-3',
    type: 'returned',
    serial_number: 'C5',
    date: '2025-04-01',
  })
  assert.deepEqual([again.status, again.headers['idempotent-replayed']], [200, 'true'])
  const withdrawn = await tell('acme', 'events', { event_id: 'c-6', type: 'withdrawn', withdraws: 'c-3' })
  assert.equal(withdrawn.status, 200, withdrawn.text)
  assert.equal((await tell('acme', 'events', { event_id: 'c-7', type: 'returned', date: '2025-09-01' })).status, 200)
  await client.provenReceipt('acme', 'events')
})

test('a correction of metadata alone moves no kilogram, whatever other orders did to its devices', async () => {
  const order = orderOf('acme', 'notes', '2024-01-01', [laptop('C14', 12)])
  await post(order)
  await tell('acme', 'notes', { event_id: 'c-8', type: 'returned', date: '2024-11-01' })
  await post(orderOf('other', 'takes', '2024-10-01', [laptop('C14', 12)]))
  const before = await read(pathOf('acme', 'notes'))
  const { status, text, answer } = await put({ ...order, metadata: { department: 'Sales' } })
  assert.equal(status, 200, text)
  assert.equal(answer['total_emission'], before['total_emission'])
  // Nor does it where the order that had fixed what the device is does not have it any more, and this one says it.
  const first = orderOf('acme', 'fixed', '2024-01-01', [laptop('C15', 12)])
  const later = orderOf('other', 'kept', '2025-06-01', [laptop('C15', 12, { product_id: 'apple-ipad-10-64gb' })])
  await post(first)
  await post(later)
  await put({ ...first, items: [laptop('C16', 12)] })
  const kept = await read(pathOf('other', 'kept'))
  assert.equal((await put({ ...later, metadata: { note: 'x' } })).answer['total_emission'], kept['total_emission'])
})

test('a mistyped serial number is corrected: the rental that it cut short is whole again', async () => {
  await post(orderOf('other', 'cut', '2025-01-01', [laptop('C7', 12)]))
  const before = await read(pathOf('other', 'cut'))
  const wrong = orderOf('acme', 'typo', '2025-03-01', [laptop('C7', 12)])
  await post(wrong)
  assert.notEqual((await read(pathOf('other', 'cut')))['total_emission'], before['total_emission'])
  assert.equal((await put({ ...wrong, items: [laptop('C8', 12)] })).status, 200)
  assert.equal((await read(pathOf('other', 'cut')))['total_emission'], before['total_emission'])
  const device = await read('/api/device-emissions/C7?include=history,entries')
  assert.deepEqual(
    (device['orders'] as Json[]).map((one) => one['order_id']),
    ['cut'],
  )
  await client.provenReceipt('acme', 'typo')
  await client.provenReceipt('other', 'cut')
})

test('a correction that leaves a device where it is posts nothing to the orders after it', async () => {
  const order = orderOf('acme', 'quiet', '2025-01-01', [laptop('C9', 12), VAN])
  await post(order)
  await post(orderOf('other', 'later', '2026-03-01', [laptop('C9', 12)]))
  assert.equal((await put({ ...order, items: [laptop('C9', 12)] })).status, 200)
  const later = await read(`${pathOf('other', 'later')}?include=entries`)
  assert.deepEqual([later['status'], (later['entries'] as Json[]).length], ['created', 1])
})

test('a wrong product name of the first order is corrected, and all orders of the device follow', async () => {
  const wrong = orderOf('acme', 'named', '2025-01-01', [laptop('C12', 12, { product_id: 'x', weight_kg: 1500 })])
  assert.equal((await post(wrong)).status, 200)
  await post(orderOf('other', 'follows', '2026-01-01', [laptop('C12', 12)]))
  const { status, answer, text } = await put({ ...wrong, items: [laptop('C12', 12)] })
  assert.equal(status, 200, text)
  assert.equal(answer['total_emission'], 33.75)
  assert.equal((await read(pathOf('other', 'follows')))['total_emission'], 33.75)
  const { devices } = await client.provenReceipt('acme', 'named')
  assert.match(String(devices[0]!['identified_by']), /^identification-/)
  await client.provenReceipt('other', 'follows')
  const { events } = await read('/api/device-emissions/C12?include=events')
  assert.deepEqual(
    (events as Json[]).map(({ event }) => [(event as Json)['order_id'], (event as Json)['footprint_id']]),
    [['named', 'apple-macbook-air-13-m3-256gb']],
  )
})

test('an order of a device with a long ledger is corrected, again and again', async () => {
  const { accountId } = await ensureAccount(service.pool, 'long-corrected')
  const key = await service.createKey(SCOPES, null, 'long-corrected')
  const { referenceData, files } = shippedReferenceData()
  const releaseId = await registerRelease(service.pool, referenceData.release, referenceData.hash, files)
  await fill(service.pool, releaseId, accountId, 'L1', 300)
  const tellLong = async (method: 'POST' | 'PUT', path: string, body: Json) => {
    const done = await send(method, path, body, { 'x-api-key': key, 'if-match': '*' })
    assert.equal(done.status, 200, done.text)
    return done.answer
  }
  const orderFrom = (start: string) => orderOf('c', 'long', start, [laptop('L1', 2)])
  await tellLong('POST', '/api/customer-orders', orderFrom('2020-01-01'))
  await tellLong('PUT', pathOf('c', 'long'), orderFrom('2020-03-01'))
  await tellLong('POST', `${pathOf('c', 'long')}/events`, { event_id: 'l-1', type: 'returned', date: '2020-04-16' })
  await tellLong('PUT', pathOf('c', 'long'), orderFrom('2020-04-01'))
  const refused = await send('PUT', pathOf('c', 'long'), orderFrom('2020-05-01'), { 'x-api-key': key, 'if-match': '*' })
  assert.equal(refused.status, 409, refused.text)
  const last = await tellLong('PUT', pathOf('c', 'long'), orderFrom('2020-02-01'))
  assert.equal((last['corrections'] as Json[]).length, 3)
})

/** Again while the service is too busy, as clients do. @returns milliseconds of its thread for the last request. */
async function sendUntilServed(method: 'POST' | 'PUT', path: string, body: Json): Promise<number> {
  for (;;) {
    const startedAt = processorTime()
    const { status, text } = await send(method, path, body, { 'if-match': '*' })
    if (status === 503) continue
    assert.equal(status, 200, text)
    return processorTime() - startedAt
  }
}

/** Milliseconds of the service's thread for the least of three corrections of an order whose devices all came back. */
async function leastTimeToCorrect(devices: number): Promise<number> {
  const id = `returned-${devices}`
  const serials = Array.from({ length: devices }, (_, at) => `${id}-${at}`)
  const items = serials.map((serial) => laptop(serial, 12))
  const order = orderOf('acme', id, '2025-01-01', items)
  assert.equal((await post(order)).status, 200)
  const events = serials.map((serial) => ({
    event_id: `${serial}-back`,
    type: 'returned',
    customer_id: 'acme',
    order_id: id,
    serial_number: serial,
    date: '2025-06-01',
  }))
  for (let at = 0; at < events.length; at += 25)
    await sendUntilServed('POST', '/api/events/batch', { events: events.slice(at, at + 25) })
  const times: number[] = []
  for (const added of [[VAN], [BOX], [VAN, BOX]]) {
    times.push(await sendUntilServed('PUT', pathOf('acme', id), { ...order, items: [...items, ...added] }))
  }
  return Math.min(...times)
}

test('four times the devices and returns take some four times as long to correct, not sixteen', async () => {
  const [some, many] = [await leastTimeToCorrect(50), await leastTimeToCorrect(200)]
  assert.ok(many / some < 6, `${some} and ${many} ms`)
})

test('no path leads to an earlier revision of an order, whatever id is tried', async () => {
  await post(orderOf('acme', 'hidden', '2025-01-01', [laptop('C13', 12)]))
  await put(orderOf('acme', 'hidden', '2025-02-01', [laptop('C13', 12)]))
  const { status } = await service.ask('/api/customer-orders/acme/hidden%1F0002')
  assert.equal(status, 404)
})

test('lists and exports show a corrected order once, as it is now', async () => {
  await post(orderOf('lists', 'once', '2025-01-01', [laptop('C10', 12)]))
  await put(orderOf('lists', 'once', '2025-01-01', [laptop('C10', 18)]))
  const listed = await read('/api/customer-orders?customer_id=lists')
  assert.deepEqual(
    (listed as unknown as Json[]).map((one) => one['order_id']),
    ['once'],
  )
  const filtered = await read('/api/customer-orders?order_id=once')
  assert.equal((filtered as unknown as Json[]).length, 1)
  for (const what of ['orders', 'entries', 'devices']) {
    const { text } = await service.ask(`/api/exports/${what}?customer_id=lists`)
    assert.ok(!text.includes('\u001f'), text)
  }
})

test('the preview of a correction shows what it then posts, and stores nothing', async () => {
  const order = orderOf('acme', 'preview', '2025-01-01', [laptop('C11', 12), BOX])
  await post(order)
  const right = { ...order, tenure_start_date: '2025-07-01', items: [laptop('C11', 18), VAN] }
  const before = await read(pathOf('acme', 'preview'))
  const preview = await put(right, { 'if-match': '"1-0"' }, '?preview=true')
  assert.equal(preview.status, 200, preview.text)
  assert.equal((await read(pathOf('acme', 'preview')))['total_emission'], before['total_emission'])
  const done = await put(right, { 'if-match': '"1-0"' })
  const difference = preview.answer['difference'] as Json
  const [shown] = preview.answer['orders'] as Json[]
  assert.equal(shown!['order_id'], 'preview')
  assert.equal((shown!['after'] as Json)['total_emission'], done.answer['total_emission'])
  const years = (preview.answer['years'] as Json[]).map(({ difference: of }) => Number((of as Json)['total_emission']))
  assert.ok(Math.abs(years.reduce((a, b) => a + b, 0) - Number(difference['total_emission'])) < 1e-9)
})

test('an order that had no items counts in reports once it is corrected, and no report fails', async () => {
  await post(orderOf('itemless', 'empty', '2025-01-01', []))
  const corrected = await put(orderOf('itemless', 'empty', '2025-01-01', [laptop('C12', 12)]))
  assert.equal(corrected.status, 200, corrected.text)
  const report = await read('/api/reports/emissions?date_basis=tenure&customer=itemless')
  assert.deepEqual([report['number_of_orders'], report['total_emission']], [1, corrected.answer['total_emission']])
  const emptied = await put(orderOf('itemless', 'empty', '2025-01-01', []))
  assert.equal(emptied.status, 200, emptied.text)
  assert.equal((await read('/api/reports/emissions?date_basis=tenure&customer=itemless'))['total_emission'], 0)
})

test('an event of a corrected order is answered with the order, the first time as when it is sent again', async () => {
  const order = orderOf('acme', 'extended', '2025-01-01', [laptop('C32', 12)])
  const { answer: first } = await post(order)
  await put({ ...order, items: [laptop('C32', 10)] })
  const event = { event_id: 'c-12', type: 'extended', tenure_months: 18 }
  const { answer, text } = await tell('acme', 'extended', event)
  assert.deepEqual([(answer['corrections'] as Json[]).length, answer['created_at']], [1, first['created_at']])
  assert.equal((await tell('acme', 'extended', event)).text, text)
})

test('a preview starts from what a corrected order has, also where it had the device before', async () => {
  const order = orderOf('acme', 'moved', '2025-01-01', [laptop('C30', 12)])
  await post(order)
  await put({ ...order, items: [laptop('C30', 18)] })
  const identified = { event_id: 'c-9', type: 'identified', model_id: 'dell-latitude-3120' }
  const preview = async () => {
    const { status, answer, text } = await send('POST', '/api/devices/C30/events?preview=true', identified)
    assert.equal(status, 200, text)
    const [change] = answer['orders'] as Json[]
    return ['before', 'after'].map((name) => ((change?.[name] ?? {}) as Json)['total_emission'])
  }
  const totalOf = async () => (await read(pathOf('acme', 'moved')))['total_emission']
  const [before, after] = await preview()
  assert.equal(before, await totalOf())
  await send('POST', '/api/devices/C30/events', { ...identified, event_id: 'c-10' })
  assert.equal(after, await totalOf())
  await send('POST', '/api/devices/C30/events', { event_id: 'c-11', type: 'withdrawn', withdraws: 'c-10' })
  await put({ ...order, items: [laptop('C31', 12)] })
  const total = await totalOf()
  assert.deepEqual(await preview(), [total, total])
})

test('everything stored verifies', async () => {
  const { lines, differences } = await verifyAll(service.pool)
  assert.deepEqual([lines, differences], [[], 0])
})
