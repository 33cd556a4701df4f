// Who recorded an event: orders, devices and receipts name the key or the import, whatever becomes of the key.
import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import { ensureAccount } from '../src/postgres/accounts.ts'
import { registerRelease } from '../src/postgres/dataset-releases.ts'
import { verifyReceipt } from '../src/receipts/verify-receipt.ts'
import { digestOf } from '../src/documents/canonical.ts'
import { canonicalise, parseExactJson, type JsonObject } from '../src/strict-json/exact-tree.ts'
import { postJson, readJson } from './asked-service.ts'
import { fill } from './busy-orders.ts'
import type { Json } from './document-check.ts'
import { pseudonymise } from './erasure-client.ts'
import { createImportClient } from './import-client.ts'
import { order, pathOf } from './order-client.ts'
import { BOX, createReceiptClient, laptop, orderOf } from './receipt-client.ts'
import { startService, type Service } from './service.ts'
import { readStatement } from './statement-client.ts'
import { shippedReferenceData } from './shipped-book.ts'

const { referenceData, files } = shippedReferenceData()

interface Made {
  readonly key: string
  readonly id: unknown
  /** How what it records names it. */
  readonly named: Json
}

let service: Service
let warehouse: Made
let office: Made
before(async () => {
  service = await startService()
  warehouse = await makeKey('Warehouse')
  office = await makeKey('Office')
})
after(() => service.stop())

async function makeKey(label: string): Promise<Made> {
  const { answer, text } = await postJson(service, '/api/keys', { label, scopes: ['orders:read', 'orders:write'] })
  const { key } = answer as { readonly key?: string }
  assert.ok(key !== undefined, text)
  return { key, id: answer['key_id'], named: { key: answer['hint'], label } }
}

async function send({ key }: Pick<Made, 'key'>, path: string, body: Json) {
  const sent = await postJson(service, path, body, key)
  assert.equal(sent.status, 200, sent.text)
  return sent
}

async function correct({ key }: Made, content: Json): Promise<void> {
  const path = pathOf(content['customer_id'], content['order_id'])
  const headers = { 'content-type': 'application/json', 'x-api-key': key, 'if-match': '*' }
  const { status, text } = await service.ask(path, { method: 'PUT', headers, body: JSON.stringify(content) })
  assert.equal(status, 200, text)
}

const read = (path: string) => readJson(service, path)
const listed = (events: unknown) =>
  (events as Json[]).map(({ event, recorded_by: by }) => [(event as Json)['event_id'], by])
const ofOrder = async (customer: string, id: string) =>
  listed((await read(`${pathOf(customer, id)}?include=events`))['events'])
const ofDevice = async (serial: string) =>
  listed((await read(`/api/device-emissions/${serial}?include=events`))['events'])
const byType = async (serial: string) => {
  const { events } = await read(`/api/device-emissions/${serial}?include=events`)
  return (events as Json[]).map(({ event, recorded_by: by }) => [(event as Json)['type'], by])
}

const receiptOf = (customer: string, id: string) => createReceiptClient(service).receiptText(customer, id)

function assertVerified(receipt: string): void {
  const verification = verifyReceipt(receipt, referenceData.matching)
  assert.equal(verification.outcome, 'equal', JSON.stringify(verification))
}

test('of two keys, an order, its corrections and its receipt name the one that recorded each fact', async () => {
  const first = orderOf('acme', 'two', '2025-01-01', [laptop('K1', 12), laptop('K2', 12), BOX])
  await send(warehouse, '/api/customer-orders', first)
  const path = `${pathOf('acme', 'two')}/events`
  await send(office, path, { event_id: 'k-1', type: 'returned', serial_number: 'K1', date: '2025-05-01' })
  await send(warehouse, path, { event_id: 'k-2', type: 'extended', serial_number: 'K2', tenure_months: 18 })
  await send(warehouse, path, { event_id: 'k-3', type: 'withdrawn', withdraws: 'k-1' })
  const told = [
    ['k-1', office.named],
    ['k-2', warehouse.named],
    ['k-3', warehouse.named],
  ]
  assert.deepEqual(await ofOrder('acme', 'two'), told)
  const before = await receiptOf('acme', 'two')
  assert.deepEqual(listed((JSON.parse(before) as Json)['events']), told)
  assertVerified(before)
  // What a correction takes over into the next revision stays recorded by who recorded it, and the rest stays listed.
  await correct(office, { ...first, items: [laptop('K1', 12), laptop('K2', 12), BOX, BOX] })
  assert.deepEqual(await ofOrder('acme', 'two'), told)
  const corrected = await read(pathOf('acme', 'two'))
  const namesOf = (corrections: unknown) => (corrections as Json[]).map(({ recorded_by: by }) => by)
  assert.deepEqual(namesOf(corrected['corrections']), [office.named])
  const receipt = await receiptOf('acme', 'two')
  const { order: shown, events } = JSON.parse(receipt) as { readonly order: Json; readonly events: Json[] }
  assert.deepEqual(namesOf(shown['corrections']), [office.named])
  assert.deepEqual(listed(events), [['k-2', warehouse.named]])
  assertVerified(receipt)
  await createReceiptClient(service).provenReceipt('acme', 'two')
})

test('a receipt that says nothing of keys, as earlier ones, is verified as well', async () => {
  await send(office, '/api/customer-orders', orderOf('acme', 'earlier', '2025-01-01', [laptop('K3', 12)]))
  await send(office, `${pathOf('acme', 'earlier')}/events`, { event_id: 'k-4', type: 'returned', date: '2025-05-01' })
  const receipt = JSON.parse(await receiptOf('acme', 'earlier')) as Json & { readonly events: Json[] }
  const events = receipt.events.map((event) => ({ ...event, recorded_by: undefined }))
  const { hash, ...content } = parseExactJson(JSON.stringify({ ...receipt, events })) as JsonObject
  const renewed = { ...(hash as JsonObject), value: digestOf(content) }
  assertVerified(canonicalise({ ...content, hash: renewed }))
})

test('a device names the key of each of its events, also where a correction of an order identified it', async () => {
  const wrong = orderOf('acme', 'device', '2025-01-01', [laptop('K4', 12, { product_id: 'x' })])
  await send(warehouse, '/api/customer-orders', wrong)
  const refurbished = { type: 'refurbished', date: '2026-02-01', emission_kg: 8, lifetime_months_added: 12 }
  await send(warehouse, '/api/devices/K4/events', { event_id: 'k-5', ...refurbished })
  await send(office, '/api/devices/K4/events', { event_id: 'k-6', type: 'withdrawn', withdraws: 'k-5' })
  assert.deepEqual(await ofDevice('K4'), [
    ['k-5', warehouse.named],
    ['k-6', office.named],
  ])
  await correct(office, { ...wrong, items: [laptop('K4', 12)] })
  assert.deepEqual((await byType('K4')).at(-1), ['identified', office.named])
})

test('a device with a long ledger names them, too', async () => {
  const { accountId } = await ensureAccount(service.pool, 'long-recorded')
  const own = { key: await service.createKey(undefined, null, 'long-recorded') }
  const releaseId = await registerRelease(service.pool, referenceData.release, referenceData.hash, files)
  await fill(service.pool, releaseId, accountId, 'K5', 300)
  await send(own, '/api/devices/K5/events', { event_id: 'k-7', type: 'retired', date: '2026-11-01' })
  const headers = { 'x-api-key': own.key }
  const { text } = await service.ask('/api/device-emissions/K5?include=events', { headers })
  const [[, by]] = listed((JSON.parse(text) as Json)['events']) as [[string, Json]]
  assert.equal(by['key'], `${own.key.slice(0, 11)}…${own.key.slice(-4)}`)
})

test('an event that another key sends again stays recorded by the first, alone and in a batch', async () => {
  await send(warehouse, '/api/customer-orders', orderOf('acme', 'again', '2025-01-01', [laptop('K6', 12)]))
  const path = `${pathOf('acme', 'again')}/events`
  const event = { event_id: 'k-8', type: 'extended', tenure_months: 18 }
  await send(warehouse, path, event)
  assert.equal((await send(office, path, event)).headers['idempotent-replayed'], 'true')
  const named = { customer_id: 'acme', order_id: 'again' }
  const next = { event_id: 'k-9', type: 'returned', date: '2025-05-01' }
  const batch = { events: [event, next].map((one) => ({ ...named, ...one })) }
  await send(office, '/api/events/batch', batch)
  await send(warehouse, '/api/events/batch', batch)
  assert.deepEqual(await ofOrder('acme', 'again'), [
    ['k-8', warehouse.named],
    ['k-9', office.named],
  ])
})

test('a statement names who recorded the events of the customer, and nothing of another customer', async () => {
  await send(warehouse, '/api/customer-orders', orderOf('stated', 'first', '2025-01-01', [laptop('K20', 18)]))
  const path = `${pathOf('stated', 'first')}/events`
  await send(warehouse, path, { event_id: 'k-22', type: 'returned', date: '2025-05-01' })
  await send(office, path, { event_id: 'k-23', type: 'withdrawn', withdraws: 'k-22' })
  const retired = { event_id: 'k-24', type: 'retired', date: '2025-11-01' }
  await send(office, '/api/devices/K20/events', retired)
  // It ends the rental of the first order again, on an earlier day.
  await send(warehouse, '/api/customer-orders', orderOf('other', 'next', '2025-08-01', [laptop('K20', 2)]))
  const cancelled = { event_id: 'k-25', type: 'cancelled', date: '2025-07-01' }
  await send(warehouse, `${pathOf('other', 'next')}/events`, cancelled)
  const { statement } = await readStatement(service.server.app, service.key, 'stated', 2025)
  const entries = statement.devices.flatMap(({ rentals }) => rentals.flatMap((rental) => rental.entries))
  const named = entries.map(({ reason, event_id: id, recorded_by: by }) => [reason, id, by])
  assert.deepEqual(named, [
    ['order', null, undefined],
    ['early_return', 'k-22', warehouse.named],
    ['withdrawal', 'k-23', office.named],
    ['retirement', 'k-24', office.named],
    ['overlap', null, undefined],
    ['overlap', null, undefined],
  ])
  await readStatement(service.server.app, service.key, 'other', 2025)
})

test('a statement names who recorded an event of a later order, and of an order before it was undone', async () => {
  const imports = createImportClient(service)
  const { import_id: first } = await imports.run(
    `customer_id,order_id,order_date,tenure_start_date,type,product_id,serial_number,tenure_months,weight_kg
turns,first,2024-01-01,2024-01-01,product,apple-macbook-air-13-m3-256gb,K30,36,1.24\n`,
  )
  const longer = { event_id: 'k-30', type: 'extended', tenure_months: 40 }
  await send(warehouse, `${pathOf('turns', 'first')}/events`, longer)
  const headers = { 'content-type': 'application/json' }
  const close = (body: string) => service.ask('/api/periods', { method: 'POST', headers, body })
  assert.equal((await close('{"closed_until":"2025-01-01"}')).status, 200)
  await imports.undo(first)
  await send(office, '/api/customer-orders', orderOf('turns', 'first', '2024-01-01', [laptop('K30', 36)]))
  await send(office, `${pathOf('turns', 'first')}/events`, longer)
  await send(office, '/api/customer-orders', orderOf('turns', 'later', '2026-02-01', [laptop('K30', 2)]))
  await send(warehouse, `${pathOf('turns', 'later')}/events`, {
    event_id: 'k-31',
    type: 'cancelled',
    date: '2026-01-01',
  })
  const { statement } = await readStatement(service.server.app, service.key, 'turns', 2024)
  const entries = statement.devices.flatMap(({ rentals }) => rentals.flatMap((rental) => rental.entries))
  assert.deepEqual(
    entries.flatMap(({ event_id: id, recorded_by: by }) => (id?.startsWith('k-3') ? [[id, by]] : [])),
    [
      ['k-30', warehouse.named],
      ['k-30', office.named],
      ['k-31', warehouse.named],
    ],
  )
  assert.equal((await close('{"closed_until":null,"reason":"This test"}')).status, 200)
})

test('a key that is revoked stays named, and so it does where the names of the customer are erased', async () => {
  const left = await makeKey('Left the company')
  await send(left, '/api/customer-orders', orderOf('gone', 'revoked', '2025-01-01', [laptop('K7', 12)]))
  await send(left, `${pathOf('gone', 'revoked')}/events`, { event_id: 'k-10', type: 'returned', date: '2025-05-01' })
  const { status } = await service.ask(`/api/keys/${String(left.id)}`, { method: 'DELETE' })
  assert.equal(status, 200)
  assert.deepEqual(await ofOrder('gone', 'revoked'), [['k-10', left.named]])
  const erased = await pseudonymise(service, 'gone')
  assert.equal(erased.status, 200, JSON.stringify(erased.answer))
  const customer = String(erased.answer['customer_id'])
  assert.deepEqual(await ofOrder(customer, 'revoked'), [['k-10', left.named]])
  assertVerified(await receiptOf(customer, 'revoked'))
})

test('what an import records names the import: events, returns in rows of orders, and its reversal', async () => {
  const imports = createImportClient(service)
  await send(office, '/api/customer-orders', order('file', 'events', ['K8']))
  const rows = ['event_id,customer_id,order_id,serial_number,type,date', 'k-11,file,events,,returned,2025-06-01']
  const { import_id: ofEvents } = await imports.run([...rows, ''].join('\n'), '?kind=events')
  assert.deepEqual(await ofOrder('file', 'events'), [['k-11', { import_id: ofEvents }]])
  assertVerified(await receiptOf('file', 'events'))
  const lines = [
    'customer_id,order_id,order_date,tenure_start_date,type,product_id,serial_number,tenure_months,weight_kg,' +
      'returned_on',
    'file,rows,2025-01-10,2025-02-01,product,apple-macbook-air-13-m3-256gb,K9,12,1.24,2025-05-01',
  ]
  const { import_id: ofOrders } = await imports.run([...lines, ''].join('\n'))
  await imports.undo(ofOrders)
  await imports.ended(ofOrders)
  const { events } = await read(`${pathOf('file', 'rows')}?include=events`)
  assert.deepEqual(
    (events as Json[]).map(({ event, recorded_by: by }) => [(event as Json)['type'], by]),
    ['returned', 'withdrawn', 'reversed'].map((type) => [type, { import_id: ofOrders }]),
  )
  // Sent again, the order names the device anew.
  await send(
    office,
    '/api/customer-orders',
    order('file', 'rows', ['K9'], { items: [laptop('K9', 12, { product_id: 'y' })] }),
  )
  assert.deepEqual(await byType('K9'), [['identified', office.named]])
})

test('what is recorded in the console names the key that the session was opened with', async () => {
  const { app } = service.server
  const host = 'cradle.example'
  const own = { host, origin: `http://${host}`, 'content-type': 'application/json' }
  const opened = await app.inject({
    method: 'POST',
    url: '/console/session',
    headers: own,
    payload: { api_key: warehouse.key },
  })
  assert.equal(opened.statusCode, 200, opened.payload)
  const cookie = String(opened.headers['set-cookie']).split(';')[0]!
  await send(office, '/api/customer-orders', orderOf('acme', 'console', '2025-01-01', [laptop('K10', 12)]))
  const sent = await app.inject({
    method: 'POST',
    url: `${pathOf('acme', 'console')}/events`,
    headers: { ...own, cookie },
    payload: { event_id: 'k-12', type: 'returned', date: '2025-05-01' },
  })
  assert.equal(sent.statusCode, 200, sent.payload)
  assert.deepEqual(await ofOrder('acme', 'console'), [['k-12', warehouse.named]])
})
