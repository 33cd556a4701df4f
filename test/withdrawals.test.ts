// Withdrawals over HTTP: an event and its withdrawal leave every figure as if neither had been recorded.
import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import { verifyAll } from '../src/cli/verify.ts'
import { verifyReceipt } from '../src/receipts/verify-receipt.ts'
import { registerRelease } from '../src/postgres/dataset-releases.ts'
import { SCOPES, ensureAccount } from '../src/postgres/accounts.ts'
import { figuresOf, openAccount, tellFacts } from './account-figures.ts'
import { readCaseBook } from './case-book.ts'
import { firstDetailOf, postJson, readJson } from './asked-service.ts'
import type { Json } from './document-check.ts'
import type { History } from './model-based/history-arbitrary.ts'
import { CATALOGUE, type Subject } from './model-based/history-check.ts'
import { emptyModel, type Fact } from './model-based/history-model.ts'
import { drawHistories, openSubject } from './model-based/history-run.ts'
import { tell } from './model-based/history-verdicts.ts'
import { freshDatabase } from './fresh-database.ts'
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

const send = (path: string, body: Json) => postJson(service, path, body)

const eventsOf = (customer: string, order: string): string => `${pathOf(customer, order)}/events`

const read = (path: string) => readJson(service, path)

test('an order shows which of its events were withdrawn, and its entries what is in force again', async () => {
  await client.post(orderOf('acme', 'shown', '2025-01-01', [laptop('W1', 12), VAN, BOX]))
  const path = eventsOf('acme', 'shown')
  const ordered = await read(pathOf('acme', 'shown'))
  await send(path, { event_id: 'w-1', type: 'returned', date: '2025-04-01' })
  const { rows } = await service.pool.query<{ readonly at: Date }>('select max(posted_at) as at from events')
  const before = rows[0]!.at.toISOString()
  const { status, answer } = await send(path, {
    event_id: 'w-2',
    type: 'withdrawn',
    withdraws: 'w-1',
    reason: 'Another device came back',
  })
  assert.equal(status, 200)
  assert.equal(answer['total_emission'], ordered['total_emission'])
  const shown = await read(`${pathOf('acme', 'shown')}?include=events,entries`)
  const events = shown['events'] as Json[]
  assert.deepEqual(
    events.map((one) => one['withdrawn_by']),
    ['w-2', undefined],
  )
  assert.equal((events[1]!['event'] as Json)['reason'], 'Another device came back')
  const last = (shown['entries'] as Json[]).at(-1)!
  assert.deepEqual([last['reason'], last['in_force']], ['withdrawal', { reason: 'order' }])
  // As it was known before the withdrawal, the device was back.
  const known = await read(`${pathOf('acme', 'shown')}?known_at=${before}`)
  assert.equal(known['status'], 'returned')
  assert.equal(verifyReceipt(await client.receiptText('acme', 'shown'), matching).outcome, 'equal')
})

test('sent again, a withdrawal is replayed; with other content it is a conflict', async () => {
  await client.post(orderOf('acme', 'again', '2025-01-01', [laptop('W2', 12)]))
  const path = eventsOf('acme', 'again')
  await send(path, { event_id: 'w-3', type: 'extended', tenure_months: 18 })
  const withdrawal = { event_id: 'w-4', type: 'withdrawn', withdraws: 'w-3' }
  assert.equal((await send(path, withdrawal)).status, 200)
  assert.equal((await send(path, withdrawal)).status, 200)
  assert.equal((await send(path, { ...withdrawal, reason: 'Another' })).status, 409)
  // The id of a withdrawn event stays taken: sent again, it is a repetition and changes nothing.
  const { answer } = await send(path, { event_id: 'w-3', type: 'extended', tenure_months: 18 })
  assert.equal(answer['status'], 'amended')
  assert.equal((answer['items'] as Json[])[0]!['total_emission'], 33.75)
})

test('an event is withdrawn where it was recorded, and before what it depends on only with that', async () => {
  await client.post(orderOf('acme', 'where', '2025-01-01', [laptop('W3', 12)]))
  const path = eventsOf('acme', 'where')
  const swap = { type: 'swapped', date: '2025-03-01', new_serial_number: 'W4', weight_kg: 1.24 }
  await send(path, { event_id: 'w-5', ...swap })
  await send(path, { event_id: 'w-6', type: 'returned', serial_number: 'W4', date: '2025-06-01' })
  const early = await send(path, { event_id: 'w-7', type: 'withdrawn', withdraws: 'w-5' })
  assert.deepEqual([early.status, firstDetailOf(early)['code']], [409, 'event_needed'])
  assert.match(String(firstDetailOf(early)['message']), /"w-6"/)
  const astray = await send('/api/devices/W4/events', { event_id: 'w-7', type: 'withdrawn', withdraws: 'w-5' })
  assert.deepEqual([astray.status, firstDetailOf(astray)['code']], [400, 'event_not_of_device'])
  const mistyped = await send(path, { event_id: 'w-7', type: 'withdrawn', withdraws: 'w-66' })
  assert.deepEqual([mistyped.status, firstDetailOf(mistyped)['code']], [400, 'event_not_of_order'])
  assert.equal((firstDetailOf(mistyped)['suggestions'] as string[])[0], 'w-6')
  for (const withdraws of ['w-6', 'w-5']) {
    const done = await send(path, { event_id: `w-of-${withdraws}`, type: 'withdrawn', withdraws })
    assert.equal(done.status, 200, JSON.stringify(done.answer))
  }
  // The replacement is no longer in the order, and is free for another one.
  const device = await read('/api/device-emissions/W4?include=history')
  assert.deepEqual([device['total_emission'], device['orders']], [0, []])
  assert.deepEqual((device['history'] as Json)['events'], [])
  const order = await read(pathOf('acme', 'where'))
  assert.equal((order['items'] as Json[]).length, 1)
  await client.provenReceipt('acme', 'where')
  const { text: exported } = await service.ask('/api/exports/orders')
  const row = exported.split('\r\n').find((line) => line.includes('where') && line.includes('W3'))!
  assert.ok(row && !row.includes('W4'), row)
  const listed = (await read('/api/devices?serial_prefix=W4')) as unknown as Json[]
  assert.deepEqual(
    listed.map((one) => [one['serial_number'], one['number_of_orders']]),
    [['W4', 0]],
  )
})

test('a retirement and a refurbishment are withdrawn from the device, which can be rented again', async () => {
  await client.post(orderOf('acme', 'device', '2025-01-01', [laptop('W5', 24)]))
  const path = '/api/devices/W5/events'
  await send(path, { event_id: 'w-8', type: 'retired', date: '2026-01-01' })
  const shorter = await read(pathOf('acme', 'device'))
  const { status } = await send(path, { event_id: 'w-9', type: 'withdrawn', withdraws: 'w-8' })
  assert.equal(status, 200)
  const order = await read(pathOf('acme', 'device'))
  assert.ok(Number(order['total_emission']) > Number(shorter['total_emission']))
  assert.equal((order['items'] as Json[])[0]!['total_emission'], 67.5)
  await client.provenReceipt('acme', 'device')
  const { events } = await read('/api/device-emissions/W5?include=events')
  assert.deepEqual(
    (events as Json[]).map((one) => [(one['event'] as Json)['event_id'], one['withdrawn_by']]),
    [
      ['w-8', 'w-9'],
      ['w-9', undefined],
    ],
  )
  assert.deepEqual((await read('/api/device-emissions/never?include=events'))['events'], [])
  const [listed] = (await read('/api/devices?serial_prefix=W5')) as unknown as Json[]
  assert.equal(listed!['decommissioned'], undefined)
})

test('the receipt of an order whose device was identified names that event, and computes again', async () => {
  await client.post(orderOf('acme', 'identified', '2025-01-01', [laptop('W6', 12), BOX]))
  const path = '/api/devices/W6/events'
  const identified = { event_id: 'w-10', type: 'identified', model_id: 'apple-macbook-air-15-m3-256gb' }
  const { status, answer } = await send(path, identified)
  assert.equal(status, 200, JSON.stringify(answer))
  await client.post(orderOf('other', 'after', '2026-01-01', [laptop('W6', 12)]))
  for (const [customer, order] of [
    ['acme', 'identified'],
    ['other', 'after'],
  ] as const) {
    const { devices, text } = await client.provenReceipt(customer, order)
    assert.equal(devices[0]!['identified_by'], 'w-10')
    assert.match(text, /as the event w-10 identified it/)
  }
  const unknown = await send(path, { ...identified, event_id: 'w-11', model_id: 'apple-macbook-air-15-m9' })
  assert.deepEqual([unknown.status, firstDetailOf(unknown)['code']], [400, 'unknown_model'])
  for (const [body, place] of [
    [{}, '/model_id'],
    [{ device_type: 'laptop' }, '/weight_kg'],
    [{ device_type: 'laptop', model_id: 'apple-macbook-air-15-m3-256gb' }, '/model_id'],
  ] as const) {
    const refused = await send(path, { event_id: 'w-12', type: 'identified', ...body })
    assert.deepEqual([refused.status, firstDetailOf(refused)['path']], [400, place])
  }
  const typed = { event_id: 'w-13', type: 'identified', device_type: 'laptop', weight_kg: 1.5 }
  assert.equal((await send(path, typed)).status, 200)
  await client.provenReceipt('acme', 'identified')
  for (const withdraws of ['w-13', 'w-10']) {
    const done = await send(path, { event_id: `w-of-${withdraws}`, type: 'withdrawn', withdraws })
    assert.equal(done.status, 200, JSON.stringify(done.answer))
    const { devices } = await client.provenReceipt('acme', 'identified')
    assert.equal(devices[0]!['identified_by'], withdraws === 'w-13' ? 'w-10' : undefined)
  }
  const order = await read(pathOf('acme', 'identified'))
  assert.equal((order['items'] as Json[])[0]!['total_emission'], 33.75)
  assert.equal((await send(path, { event_id: 'w-14', type: 'withdrawn', withdraws: 'w-10' })).status, 409)
})

test('the receipt of an order computes again after a device that was swapped out is identified', async () => {
  await client.post(orderOf('acme', 'out', '2025-01-01', [laptop('W7', 12)]))
  const swap = { type: 'swapped', date: '2025-03-01', new_serial_number: 'W8', weight_kg: 1.24 }
  await client.tell('acme', 'out', { event_id: 'w-15', ...swap })
  const path = '/api/devices/W7/events'
  await send(path, { event_id: 'w-16', type: 'identified', model_id: 'apple-macbook-air-15-m3-256gb' })
  await client.provenReceipt('acme', 'out')
  const again = { ...swap, date: '2025-05-01', new_serial_number: 'W9' }
  await client.tell('acme', 'out', { event_id: 'w-17', ...again })
  await send(path, { event_id: 'w-18', type: 'withdrawn', withdraws: 'w-16' })
  await client.provenReceipt('acme', 'out')
})

test('a device with a long ledger is identified, and its orders and events follow the new model', async () => {
  const { accountId } = await ensureAccount(service.pool, 'long-identified')
  const key = await service.createKey(SCOPES, null, 'long-identified')
  const { referenceData, files } = shippedReferenceData()
  const releaseId = await registerRelease(service.pool, referenceData.release, referenceData.hash, files)
  await fill(service.pool, releaseId, accountId, 'L9', 300)
  const post = async (path: string, body: Json) => {
    const { status, text } = await postJson(service, path, body, key)
    assert.equal(status, 200, text)
  }
  await post('/api/customer-orders', orderOf('c', 'before', '2020-01-01', [laptop('L9', 1)]))
  await post('/api/devices/L9/events', {
    event_id: 'l-1',
    type: 'identified',
    model_id: 'apple-macbook-air-15-m3-256gb',
  })
  await post('/api/customer-orders', orderOf('c', 'after', '2020-03-01', [laptop('L9', 1)]))
  await post(eventsOf('c', 'after'), { event_id: 'l-2', type: 'returned', date: '2020-03-16' })
  await post('/api/devices/L9/events', { event_id: 'l-3', type: 'withdrawn', withdraws: 'l-1' })
  await post(eventsOf('c', 'after'), { event_id: 'l-4', type: 'withdrawn', withdraws: 'l-2' })
  await post('/api/customer-orders', orderOf('c', 'last', '2020-05-01', [laptop('L9', 1)]))
})

test('everything stored verifies', async () => {
  const { lines, differences } = await verifyAll(service.pool)
  assert.deepEqual([lines, differences], [[], 0])
})

const HISTORIES = Number(process.env['TEST_LONG'] ? 100 : 4)

/** Facts told one after the other: those that are accepted, and what they come to. */
function tellAll(facts: readonly Fact[], isCapped: boolean) {
  const model = emptyModel(CATALOGUE, isCapped)
  return { accepted: facts.filter((fact) => tell(model, fact) === 'accepted'), model }
}

/** The facts of a history that are accepted, and those of them that still count at its end. */
function acceptedFacts({ steps, isCapped }: History) {
  const told = steps.flatMap(({ kind, fact }) => (kind === 'tell' ? [fact] : []))
  const { accepted: all, model } = tellAll(told, isCapped)
  const left = all.filter((fact) => fact.kind === 'order' || !model.closed.has(fact.id))
  // An identification may have become one as what the device is known as already.
  return { all, counted: tellAll(left, isCapped).accepted, model, isCapped }
}

/** The facts without identifications, as if each order had named its devices by what they were identified as last. */
function namedAtOnce({ counted, model, isCapped }: ReturnType<typeof acceptedFacts>): readonly Fact[] | null {
  const nameOf = (serial: string) => model.devices.get(serial)!.model
  const facts = counted
    .filter(({ kind }) => kind !== 'identification')
    .map((fact): Fact => {
      if (fact.kind !== 'order') return fact
      return { ...fact, devices: fact.devices.map((device) => ({ ...device, model: nameOf(device.serial) })) }
    })
  const { model: other, accepted } = tellAll(facts, isCapped)
  // A replacement takes its model from the device that it replaces, which may have been identified only later.
  const isSame = [...other.devices].every(([serial, device]) => device.model === nameOf(serial))
  return isSame && accepted.length === facts.length ? facts : null
}

async function figuresAfter(subject: Subject, name: string, isCapped: boolean, facts: readonly Fact[]) {
  const key = await openAccount(subject, name, isCapped)
  await tellFacts(subject, key, facts)
  return figuresOf(subject, key, facts)
}

test('with open books, reports and statements are as if withdrawn events had never been recorded', async (t) => {
  const subject = await openSubject((await freshDatabase()).pool)
  t.after(() => subject.app.close())
  const told = drawHistories(31, 12 * HISTORIES).map(acceptedFacts)
  const withdrawn = told.filter(({ all }) => all.some(({ kind }) => kind === 'withdrawal')).slice(0, HISTORIES)
  assert.equal(withdrawn.length, HISTORIES)
  for (const [at, { all, counted, isCapped }] of withdrawn.entries()) {
    const recorded = await figuresAfter(subject, `all-${at}`, isCapped, all)
    const never = await figuresAfter(subject, `counted-${at}`, isCapped, counted)
    assert.deepEqual(recorded, never, `history ${at}`)
  }
})

test('an identified device is charged in reports and statements as if its first order had named it so', async (t) => {
  const subject = await openSubject((await freshDatabase()).pool)
  t.after(() => subject.app.close())
  const told = drawHistories(37, 12 * HISTORIES).map(acceptedFacts)
  const identified = told
    .filter(({ counted }) => counted.some(({ kind }) => kind === 'identification'))
    .flatMap((one) => ({ ...one, named: namedAtOnce(one) ?? [] }))
    .filter(({ named }) => named.length > 0)
    .slice(0, HISTORIES)
  assert.equal(identified.length, HISTORIES)
  for (const [at, { counted, named, isCapped }] of identified.entries()) {
    const later = await figuresAfter(subject, `later-${at}`, isCapped, counted)
    const atOnce = await figuresAfter(subject, `at-once-${at}`, isCapped, named)
    assert.deepEqual(later, atOnce, `history ${at}`)
  }
  const { lines } = await verifyAll(subject.pool, undefined, () => readCaseBook('book.json'))
  // The release of the worked examples has no files.
  assert.deepEqual(
    lines.filter((line) => !line.includes('content_hash')),
    [],
  )
})
