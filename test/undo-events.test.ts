// An import of events is undone: what it recorded does not count any more, and its ids are free for the mended file.
import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import { createImportContext } from '../src/create-import-context.ts'
import { undoEvents } from '../src/imports/undo-events.ts'
import { verifyAll } from '../src/cli/verify.ts'
import { ensureAccount } from '../src/postgres/accounts.ts'
import { registerRelease } from '../src/postgres/dataset-releases.ts'
import type { Json } from './document-check.ts'
import { createImportClient, type ImportClient } from './import-client.ts'
import { createOrderClient, order, type OrderClient } from './order-client.ts'
import { createReceiptClient } from './receipt-client.ts'
import { startService, type Service } from './service.ts'
import { shippedReferenceData } from './shipped-book.ts'

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
const HEADER = 'event_id,customer_id,order_id,serial_number,type,date,new_serial_number,weight_kg,model_id'
const fileOf = (...rows: readonly string[]): string => [HEADER, ...rows, ''].join('\n')
const countsOf = (one: Json) => ['orders_stored', 'orders_replayed', 'orders_rejected'].map((name) => one[name])
const undoneOf = (one: Json) => ['state', 'orders_reversed', 'orders_kept'].map((name) => one[name])
const read = async (path: string) => JSON.parse((await orders.ask(path)).text) as Json
const orderOf = (id: string, include = 'events,entries') => read(`/api/customer-orders/u/${id}?include=${include}`)
const deviceOf = (serial: string) => read(`/api/device-emissions/${serial}?include=events,entries,history`)
const figuresOf = async (ids: readonly string[], serials: readonly string[]) => ({
  orders: await Promise.all(ids.map(async (id) => (await orderOf(id))['items'])),
  devices: await Promise.all(
    serials.map(async (serial) => {
      const { total_emission: total, history } = await deviceOf(serial)
      const { initial, balance } = (history ?? {}) as Json
      return { total, model: (initial as Json | undefined)?.['footprint_id'], balance }
    }),
  ),
})
const headers = { 'content-type': 'application/json' }
const send = (path: string, event: Json) => service.ask(path, { method: 'POST', headers, body: JSON.stringify(event) })
const sendTo = (id: string, event: Json) => send(`/api/customer-orders/u/${id}/events`, event)
const put = async (id: string, serials: readonly string[], start: string) => {
  const body = JSON.stringify(order('u', id, serials, { tenure_start_date: start }))
  const ifMatch = { ...headers, 'if-match': '*' }
  const { status, text } = await service.ask(`/api/customer-orders/u/${id}`, { method: 'PUT', headers: ifMatch, body })
  assert.equal(status, 200, text)
}

test('all is as if the file had not been imported, and the mended file is stored as if at first', async () => {
  await orders.post(order('u', 'one', ['U-1', 'U-2']))
  await orders.post(order('u', 'two', ['U-3']))
  await orders.post(order('u', 'none', []))
  const [ids, serials] = [
    ['one', 'two', 'none'],
    ['U-1', 'U-2', 'U-3'],
  ]
  const before = await figuresOf(ids, serials)
  const rows = [
    'e-1,u,one,U-1,swapped,2025-04-01,U-9,1.24,apple-macbook-air-15-m3-256gb',
    'e-2,u,one,U-9,returned,2025-06-01,,,',
    'e-3,,,U-9,retired,2025-07-01,,,',
    'e-4,u,two,,returned,2025-06-01,,,',
    'e-5,,,U-3,identified,,,,apple-macbook-air-15-m3-256gb',
    'e-6,u,none,,cancelled,2025-01-20,,,',
  ]
  const mended = rows.map((row) => row.replace('2025-06-01', '2025-08-01').replace('2025-07-01', '2025-09-01'))
  const first = await client.run(fileOf(...rows), EVENTS)
  assert.deepEqual(countsOf(first), [6, 0, 0])
  const after = await figuresOf(ids, serials)
  assert.notDeepEqual(after, before)
  assert.deepEqual(undoneOf(await client.undo(first['import_id'])), ['reversed', 6, 0])
  assert.deepEqual(await figuresOf(ids, serials), before)
  // The mended file, tried and imported; again, it changes nothing; undone and mended once more.
  for (const query of [`${EVENTS}&dry_run=true`, EVENTS])
    assert.deepEqual(countsOf(await client.run(fileOf(...mended), query)), [6, 0, 0], query)
  assert.deepEqual(countsOf(await client.run(fileOf(...mended), EVENTS)), [0, 6, 0])
  assert.notDeepEqual(await figuresOf(ids, serials), after)
  assert.deepEqual(undoneOf(await client.undo(Number(first['import_id']) + 2)), ['reversed', 6, 0])
  assert.deepEqual(await figuresOf(ids, serials), before)
  assert.deepEqual(countsOf(await client.run(fileOf(...rows), EVENTS)), [6, 0, 0])
  assert.deepEqual(await figuresOf(ids, serials), after)
  const { events } = await orderOf('one')
  const told = events as readonly (Json & { readonly event: Json })[]
  assert.deepEqual(
    told
      .filter(({ event, withdrawn_by: by }) => event['event_id'] === 'e-2' && by === undefined)
      .map(({ event }) => event),
    [{ event_id: 'e-2', type: 'returned', serial_number: 'U-9', date: '2025-06-01' }],
  )
  for (const id of ids) {
    await createReceiptClient(service).provenReceipt('u', id)
    const state = await orders.ask(`/api/customer-orders/u/${id}?include=events,entries`)
    assert.ok(!state.text.includes('\\u001f'), state.text)
  }
  assert.ok(!(await orders.ask('/api/device-emissions/U-9?include=events,entries,history')).text.includes('\\u001f'))
  assert.ok(!(await orders.ask('/api/statements/u/2025')).text.includes('\\u001f'))
  assert.ok(!(await orders.ask('/api/exports/entries')).text.includes('\u001f'))
  assert.deepEqual((await verifyAll(service.pool)).lines, [])
})

test('an event is repeated, refused with other content and withdrawn under the id that was sent again', async () => {
  for (const id of ['again', 'other']) await orders.post(order('u', id, [`A-${id}`]))
  const first = await client.run(fileOf('a-1,u,again,,returned,2025-05-01,,,'), EVENTS)
  await client.undo(first['import_id'])
  // The id is free for another order.
  const event = { event_id: 'a-1', type: 'returned', date: '2025-06-01' }
  assert.equal((await sendTo('other', event)).status, 200)
  assert.equal((await sendTo('other', event)).headers['idempotent-replayed'], 'true')
  const conflict = await sendTo('again', event)
  assert.equal(conflict.status, 409)
  assert.match(conflict.text, /other/)
  await put('other', ['A-other'], '2025-03-01')
  assert.equal((await sendTo('other', event)).headers['idempotent-replayed'], 'true')
  const withdrawal = { event_id: 'a-2', type: 'withdrawn', withdraws: 'a-1' }
  for (const replayed of [undefined, 'true']) {
    const withdrawn = await sendTo('other', withdrawal)
    assert.deepEqual([withdrawn.status, withdrawn.headers['idempotent-replayed']], [200, replayed], withdrawn.text)
  }
  assert.equal((await orderOf('other'))['status'], 'amended')
  const { events } = await orderOf('other')
  assert.deepEqual(
    (events as readonly (Json & { readonly event: Json })[]).map(({ event, withdrawn_by: by }) => [event, by]),
    [
      [event, 'a-2'],
      [withdrawal, undefined],
    ],
  )
  assert.deepEqual((await verifyAll(service.pool)).lines, [])
})

test('what others depend on is kept, so are withdrawals; what a client withdrew is left', async () => {
  await orders.post(order('u', 'kept', ['K-1', 'K-2', 'K-3']))
  const rows = [
    'k-1,u,kept,K-1,swapped,2025-04-01,K-9,1.24,',
    'k-2,u,kept,K-2,returned,2025-05-01,,,',
    'k-3,u,kept,K-3,returned,2025-05-01,,,',
  ]
  const done = await client.run(fileOf(...rows), EVENTS)
  await orders.tell('u', 'kept', { event_id: 'k-4', type: 'returned', serial_number: 'K-9', date: '2025-06-01' })
  await orders.tell('u', 'kept', { event_id: 'k-5', type: 'withdrawn', withdraws: 'k-2' })
  assert.deepEqual(undoneOf(await client.undo(done['import_id'])), ['reversed', 1, 1])
  const { events } = await orderOf('kept')
  const counting = (events as readonly (Json & { readonly event: Json })[]).flatMap(({ event, withdrawn_by: by }) =>
    by === undefined && event['type'] !== 'withdrawn' ? [event['event_id']] : [],
  )
  assert.deepEqual(counting, ['k-1', 'k-4'])
  // Once the later event is withdrawn, undoing the import again withdraws the swap, too.
  await orders.tell('u', 'kept', { event_id: 'k-6', type: 'withdrawn', withdraws: 'k-4' })
  assert.deepEqual(undoneOf(await client.undo(done['import_id'])), ['reversed', 2, 0])
  assert.equal((await orderOf('kept'))['status'], 'amended')
  assert.deepEqual((await verifyAll(service.pool)).lines, [])
})

test('events of an order that was corrected since are withdrawn from the order as it is now', async () => {
  await orders.post(order('u', 'mended', ['M-1', 'M-2']))
  const rows = ['m-1,u,mended,M-1,returned,2025-05-01,,,', 'm-2,u,mended,M-2,returned,2025-05-01,,,']
  const done = await client.run(fileOf(...rows), EVENTS)
  await put('mended', ['M-1', 'M-2'], '2025-03-01')
  assert.deepEqual(undoneOf(await client.undo(done['import_id'])), ['reversed', 2, 0])
  assert.equal((await orderOf('mended'))['status'], 'amended')
  assert.deepEqual(countsOf(await client.run(fileOf(...rows), EVENTS)), [2, 0, 0])
  assert.equal((await orderOf('mended'))['status'], 'returned')
  assert.deepEqual((await verifyAll(service.pool)).lines, [])
})

test('an undo that breaks off goes on where it stood, and comes to the same', async () => {
  const ids = Array.from({ length: 30 }, (_, at) => `broken-${at}`)
  for (const id of ids) await orders.post(order('u', id, [`B-${id}`]))
  const before = await figuresOf(ids, [])
  const done = await client.run(fileOf(...ids.map((id) => `b-${id},u,${id},,returned,2025-05-01,,,`)), EVENTS)
  const { referenceData, files } = shippedReferenceData()
  const releaseId = await registerRelease(service.pool, referenceData.release, referenceData.hash, files)
  const served = { referenceData, releaseId, referenceDataOf: () => Promise.resolve(referenceData) }
  const context = createImportContext(service.pool, served, 'test', () => false)
  const { accountId } = await ensureAccount(service.pool, 'test')
  const job = (await context.imports.find({ accountId, importId: Number(done['import_id']) }))!
  let left = 25
  const onOrder: typeof context.events.onOrder = (account, key, work) => {
    left -= 1
    if (left < 0) throw new Error('killed')
    return context.events.onOrder(account, key, work)
  }
  const killed = undoEvents({ ...context, events: { ...context.events, onOrder } }, job)
  await assert.rejects(() => killed.next(), /killed/)
  const statuses = await Promise.all(ids.map(async (id) => (await orderOf(id))['status']))
  assert.ok(statuses.includes('returned') && statuses.includes('amended'), String(statuses))
  assert.deepEqual(undoneOf(await client.undo(done['import_id'])), ['reversed', 30, 0])
  assert.deepEqual(await figuresOf(ids, []), before)
  assert.deepEqual((await verifyAll(service.pool)).lines, [])
})
