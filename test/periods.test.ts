// Closed periods over HTTP: what is recorded after the books were closed leaves the closed months as they were.
import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import { verifyAll } from '../src/cli/verify.ts'
import type { Json } from './document-check.ts'
import { startService, type Service } from './service.ts'
import { createImportClient } from './import-client.ts'
import { readStatement } from './statement-client.ts'
import { createReceiptClient, laptop, orderOf, BOX, VAN, type ReceiptClient } from './receipt-client.ts'

let service: Service
let client: ReceiptClient
before(async () => {
  service = await startService()
  client = createReceiptClient(service)
})
after(() => service.stop())

const PATH = '/api/periods'

async function close(body: unknown): Promise<{ readonly status: number; readonly answer: Json }> {
  const headers = { 'content-type': 'application/json' }
  const { status, text } = await service.ask(PATH, { method: 'POST', headers, body: JSON.stringify(body) })
  return { status, answer: JSON.parse(text) as Json }
}

const reopen = () => close({ closed_until: null, reason: 'The next test' })

async function correct(order: Json): Promise<void> {
  const path = `/api/customer-orders/${encodeURIComponent(String(order['customer_id']))}/${String(order['order_id'])}`
  const { status, text } = await service.ask(path, {
    method: 'PUT',
    headers: { 'content-type': 'application/json', 'if-match': '*' },
    body: JSON.stringify(order),
  })
  assert.equal(status, 200, text)
}

const problemOf = ({ answer }: { readonly answer: Json }): Json => (answer['details'] as Json[])[0]!

async function monthsOf(customer: string): Promise<Readonly<Record<string, number>>> {
  const query = `date_basis=tenure&group_by=month&customer=${customer}`
  const { status, text } = await service.ask(`/api/reports/emissions?${query}`)
  assert.equal(status, 200, text)
  const groups = (JSON.parse(text) as { readonly groups: readonly Json[] }).groups
  return Object.fromEntries(groups.map((one) => [String(one['month']), Number(one['total_emission'])]))
}

const until = (day: string, months: Readonly<Record<string, number>>) =>
  Object.entries(months).filter(([month]) => month < day)

test('books are open at first; each time they are closed or opened is listed with key and reason', async () => {
  assert.deepEqual(JSON.parse((await service.ask(PATH)).text), { books_closed_until: null, closings: [] })
  const closed = await close({ closed_until: '2024-01-01' })
  assert.equal(closed.status, 200)
  assert.equal((await close({ closed_until: '2024-01-01' })).status, 200)
  const { answer } = await close({ closed_until: '2023-07-01', reason: 'December was incomplete' })
  assert.equal(answer['books_closed_until'], '2023-07-01')
  const listed = (answer['closings'] as Json[]).map((one) => [one['closed_until'], one['kind'], one['reason']])
  assert.deepEqual(listed, [
    ['2023-07-01', 'reopened', 'December was incomplete'],
    ['2024-01-01', 'closed', null],
  ])
  for (const { key } of answer['closings'] as { readonly key: string }[]) assert.match(key, /^cradle_.+…/)
  await reopen()
})

test('closings are listed page by page, the latest first, with the present first open day on every page', async () => {
  const other = await service.createKey(undefined, null, 'paged')
  const headers = { 'x-api-key': other, 'content-type': 'application/json' }
  const days = ['2021-01-01', '2022-01-01', '2023-01-01', '2024-01-01', '2025-01-01']
  for (const closed_until of days) {
    await service.ask(PATH, { method: 'POST', headers, body: JSON.stringify({ closed_until }) })
  }
  const seen: unknown[][] = []
  for (let path = `${PATH}?limit=2`; path !== '';) {
    const { statusCode, headers: told, body } = await service.server.app.inject({ url: path, headers })
    assert.equal(statusCode, 200, body)
    const answer = JSON.parse(body) as Json
    assert.equal(answer['books_closed_until'], '2025-01-01')
    seen.push((answer['closings'] as Json[]).map((one) => one['closed_until']))
    path = /^<([^>]+)>/.exec(String(told['link'] ?? ''))?.[1] ?? ''
    if (path !== '') assert.equal((await service.ask(path)).status, 400, 'the cursor of another account')
  }
  assert.deepEqual(seen, [['2025-01-01', '2024-01-01'], ['2023-01-01', '2022-01-01'], ['2021-01-01']])
  for (const wrong of ['limit=0', 'limit=1001', 'cursor=abc', 'page=2'])
    assert.equal((await service.ask(`${PATH}?${wrong}`, { headers })).status, 400, wrong)
})

test('days that are not over are not closed, and closed days are not opened without a reason', async () => {
  const tomorrow = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10)
  for (const [body, path, code] of [
    [{ closed_until: tomorrow }, '/closed_until', 'day_out_of_range'],
    [{ closed_until: '1970-01-01' }, '/closed_until', 'day_out_of_range'],
    [{ closed_until: '2024-02-30' }, '/closed_until', 'wrong_value'],
    [{}, '/closed_until', 'required_value'],
  ] as const) {
    const refused = await close(body)
    assert.equal(refused.status, 400)
    assert.deepEqual([problemOf(refused)['path'], problemOf(refused)['code']], [path, code])
  }
  await close({ closed_until: '2024-01-01' })
  const refused = await close({ closed_until: null })
  assert.deepEqual([refused.status, problemOf(refused)['path']], [400, '/reason'])
  const { books_closed_until: closedUntil } = JSON.parse((await service.ask(PATH)).text) as Json
  assert.equal(closedUntil, '2024-01-01')
  await reopen()
})

test('only an admin closes the books', async () => {
  const key = await service.createKey(['orders:write', 'orders:read'])
  const headers = { 'x-api-key': key, 'content-type': 'application/json' }
  const { status } = await service.ask(PATH, { method: 'POST', headers, body: '{"closed_until":"2024-01-01"}' })
  assert.equal(status, 403)
})

test('with open books, history that is loaded in one day counts in its own months', async () => {
  await client.post(orderOf('loaded', 'first', '2022-01-01', [laptop('L1', 24), BOX, VAN]))
  await client.tell('loaded', 'first', { event_id: 'l-r', type: 'returned', date: '2022-07-01' })
  const months = await monthsOf('loaded')
  assert.deepEqual(Object.keys(months), ['2022-01', '2022-02', '2022-03', '2022-04', '2022-05', '2022-06'])
})

test('after closing, orders, a return and a swap leave the closed months as they were', async () => {
  const items = [laptop('C1', 36), laptop('C2', 36), BOX]
  await client.post(orderOf('closed', 'first', '2022-01-01', items))
  const before = await monthsOf('closed')
  await close({ closed_until: '2024-01-01' })
  await client.tell('closed', 'first', { event_id: 'c-r', type: 'returned', date: '2022-07-01', serial_number: 'C1' })
  const swap = { event_id: 'c-s', type: 'swapped', serial_number: 'C2', date: '2022-10-01' }
  await client.tell('closed', 'first', { ...swap, new_serial_number: 'C3', weight_kg: 1.24 })
  await client.post(orderOf('closed', 'late', '2023-01-01', [laptop('C4', 24), VAN]))
  await client.post(orderOf('another', 'one', '2023-06-01', [laptop('C3', 6)]))
  const months = await monthsOf('closed')
  assert.deepEqual(until('2024-01', months), until('2024-01', before))
  assert.notEqual(months['2024-01'], before['2024-01'])
  const another = await monthsOf('another')
  assert.equal(Object.keys(another)[0], '2024-01')
  await reopen()
  assert.deepEqual(await monthsOf('closed'), months)
})

test('an entry says from which day it counts if the books were closed when it was posted', async () => {
  await client.post(orderOf('dated', 'first', '2022-01-01', [laptop('D1', 36)]))
  await close({ closed_until: '2024-01-01' })
  await client.tell('dated', 'first', { event_id: 'd-r', type: 'returned', date: '2023-07-01' })
  await reopen()
  const { text } = await service.ask('/api/device-emissions/D1?include=entries')
  const { entries } = JSON.parse(text) as { readonly entries: readonly Json[] }
  assert.deepEqual(
    entries.map((one) => one['counts_from']),
    [undefined, '2024-01-01'],
  )
})

test('books that were reopened count what is recorded then in its own months, and all of it once', async () => {
  await client.post(orderOf('reopened', 'first', '2022-01-01', [laptop('R1', 24)]))
  await close({ closed_until: '2024-01-01' })
  await client.tell('reopened', 'first', { event_id: 'r-x', type: 'extended', tenure_months: 36 })
  await reopen()
  await client.tell('reopened', 'first', { event_id: 'r-r', type: 'returned', date: '2022-07-01' })
  const months = await monthsOf('reopened')
  assert.deepEqual(Object.keys(months), ['2022-01', '2022-02', '2022-03', '2022-04', '2022-05', '2022-06'])
})

test('a correction after closed books leaves what was recorded with reopened books in the closed months', async () => {
  await close({ closed_until: '2025-01-01' })
  await client.post(orderOf('twice closed', 'first', '2024-01-01', [laptop('TC1', 12)]))
  await reopen()
  await client.tell('twice closed', 'first', { event_id: 'tc-x', type: 'extended', tenure_months: 18 })
  await close({ closed_until: '2025-01-01' })
  const totals = async () =>
    Promise.all(
      [2024, 2025].map(async (year) => {
        const { statement } = await readStatement(service.server.app, service.key, 'twice closed', year)
        return statement.summary.total_emission
      }),
    )
  assert.deepEqual(await totals(), [33.75, 16.875])
  const heavier = orderOf('twice closed', 'first', '2024-01-01', [laptop('TC1', 12, { weight_kg: 1.3 })])
  await correct(heavier)
  assert.deepEqual(await totals(), [33.75, 16.875])
  await reopen()
})

test('a statement lists a replaced revision with all of its rentals or not at all: their shares add up', async () => {
  const { app } = service.server
  const identified = (weight: number) =>
    orderOf('revised', 'two', '2024-01-01', [laptop('RV1', 12, { weight_kg: weight }), laptop('RV2', 12), BOX])
  await client.post(identified(1.24))
  await close({ closed_until: '2024-07-01' })
  await correct(identified(1.3))
  await reopen()
  await client.tellDevice('RV1', { event_id: 'rv-i', type: 'identified', model_id: 'apple-iphone-11-128gb' })
  const swapped = (weight: number) =>
    orderOf('revised', 'one', '2024-01-01', [laptop('RV3', 12, { weight_kg: weight }), BOX])
  await client.post(swapped(1.24))
  await client.tell('revised', 'one', {
    event_id: 'rv-s',
    type: 'swapped',
    date: '2024-03-01',
    new_serial_number: 'RV4',
    weight_kg: 1.2,
  })
  await close({ closed_until: '2024-07-01' })
  await client.tell('revised', 'one', { event_id: 'rv-w', type: 'withdrawn', withdraws: 'rv-s' })
  await reopen()
  await correct(swapped(1.3))
  for (const year of [2024, 2025]) {
    const { statement } = await readStatement(app, service.key, 'revised', year)
    const listed = statement.devices.flatMap(({ rentals }) =>
      rentals.map((one) => `${one.order_id} ${one.revision ?? 1}`),
    )
    for (const { order_id: id, revision = 1 } of statement.orders) assert.ok(listed.includes(`${id} ${revision}`), id)
  }
})

test('an import that is reversed leaves no order in a statement, unless it counted in closed months', async () => {
  const imports = createImportClient(service)
  const ordersOf = async () =>
    (await readStatement(service.server.app, service.key, 'imported', 2024)).statement.summary.number_of_orders
  await client.post(orderOf('imported', 'own', '2022-01-01', [laptop('I0', 36)]))
  const own = await ordersOf()
  for (const [closedUntil, more] of [
    ['2024-01-01', 0],
    ['2024-07-01', 1],
  ] as const) {
    const order = orderOf('imported', closedUntil, '2024-03-01', [laptop(`I-${closedUntil}`, 12)])
    const done = await imports.run(JSON.stringify(order), '', 'application/jsonl')
    await close({ closed_until: closedUntil })
    await imports.undo(done['import_id'])
    assert.equal(await ordersOf(), own + more, closedUntil)
    await reopen()
  }
})

test('a device that is counted in full and cancelled after the books were reopened counts in no month', async () => {
  await close({ closed_until: '2024-01-01' })
  await client.post(orderOf('whole', 'first', '2023-05-01', [laptop('W1', 12)]))
  const inFull = async () => {
    const view = 'date_basis=tenure&reporting_entity=lessor&part=product_embodied_emission'
    const { text } = await service.ask(`/api/reports/emissions?${view}&group_by=month&customer=whole`)
    const groups = (JSON.parse(text) as { readonly groups: readonly Json[] }).groups
    return groups.filter((one) => one['total_emission'] !== 0).map((one) => one['month'])
  }
  assert.deepEqual(await inFull(), ['2024-01'])
  await reopen()
  await client.tell('whole', 'first', { event_id: 'w-c', type: 'cancelled', date: '2023-04-01' })
  assert.deepEqual(await inFull(), [])
})

test('while orders are being posted, each counts by the books as they were closed before or after it', async () => {
  const post = (at: number) => client.post(orderOf('busy', `busy-${at}`, '2022-01-01', [laptop(`B${at}`, 12)]))
  const days = ['2022-06-01', '2023-01-01', '2023-06-01', '2024-01-01']
  const closing = (async () => {
    for (const closed_until of days) await close({ closed_until })
  })()
  for (let at = 0; at < 60; at += 6) await Promise.all([0, 1, 2, 3, 4, 5].map((more) => post(at + more)))
  await closing
  const { lines } = await verifyAll(service.pool)
  assert.deepEqual(lines, [])
  await reopen()
})

test('an entry that was given another day by hand is found', async () => {
  await client.post(orderOf('tampered', 'first', '2022-01-01', [laptop('T1', 12)]))
  const change = `update entries set counts_from = $1 where serial_number = 'T1'`
  await service.pool.query(change, ['2030-01-01'])
  const { lines } = await verifyAll(service.pool)
  assert.ok(lines.some((line) => /device "T1": entry 1 counts_from: found 2030-01-01, expected no day/.test(line)))
  await service.pool.query(change, [null])
})
