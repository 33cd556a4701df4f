// Device-months of reports by tenure: the months in which devices are held, as events and closed books change them.
import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import type { Json } from './document-check.ts'
import { createOrderClient, order, type OrderClient } from './order-client.ts'
import { startService, type Service } from './service.ts'

let service: Service
let client: OrderClient
before(async () => {
  service = await startService()
  client = createOrderClient(service)
})
after(() => service.stop())

async function report(query: string, basis = 'tenure'): Promise<Json> {
  const { status, text } = await service.ask(`/api/reports/emissions?date_basis=${basis}&${query}`)
  assert.equal(status, 200, text)
  return JSON.parse(text) as Json
}

/** By the label of each group, without groups of no months. */
async function monthsBy(name: string, query: string): Promise<Readonly<Record<string, number>>> {
  const { groups, device_months: total } = await report(`group_by=${name}&${query}`)
  const all = (groups as Json[]).map((group) => [String(group[name]), Number(group['device_months'])] as const)
  const sum = all.reduce((millionths, [, months]) => millionths + Math.round(1e6 * months), 0)
  assert.equal(sum, Math.round(1e6 * Number(total)), 'groups come to the total')
  return Object.fromEntries(all.filter(([, months]) => months !== 0))
}

const close = async (until: string, reason?: string) => {
  const { status, text } = await service.ask('/api/periods', {
    method: 'POST',
    headers: { 'x-api-key': service.key, 'content-type': 'application/json' },
    body: JSON.stringify({ closed_until: until, ...(reason && { reason }) }),
  })
  assert.equal(status, 200, text)
}

test('a device that is held for a year has twelve months, parts of months by days, in sums that add up', async () => {
  await client.post(order('whole', '1', ['w1', 'w2']))
  const whole = await monthsBy('month', 'customer=whole&from=2025-01&to=2025-04')
  assert.deepEqual(whole, { '2025-02': 2, '2025-03': 2, '2025-04': 2 })
  assert.deepEqual(await monthsBy('year', 'customer=whole'), { 2025: 22, 2026: 2 })
  await client.post(order('part', '1', ['p1'], { tenure_start_date: '2025-01-16' }))
  // 16 of 31 days; six decimals of each boundary.
  const part = await monthsBy('month', 'customer=part')
  assert.equal(part['2025-01'], 0.516129)
  assert.equal(part['2026-01'], 0.483871)
  assert.equal((await report('customer=part'))['device_months'], 12)
  assert.deepEqual(await monthsBy('customer', 'customer=part&customer=whole'), { part: 12, whole: 24 })
})

test('a month has only what is held in it: a return ends, a cancellation removes, a later rental cuts', async () => {
  await client.post(order('cut', '1', ['c1', 'c2', 'c3']))
  await client.tell('cut', '1', { event_id: 'r', type: 'returned', date: '2025-05-01', serial_number: 'c1' })
  assert.deepEqual(await monthsBy('year', 'customer=cut'), { 2025: 25, 2026: 2 })
  await client.post(order('next', '1', ['c2'], { tenure_start_date: '2025-08-01' }))
  assert.deepEqual(await monthsBy('year', 'customer=cut'), { 2025: 20, 2026: 1 })
  assert.deepEqual(await monthsBy('year', 'customer=next'), { 2025: 5, 2026: 7 })
  await client.post(order('void', '1', ['v1']))
  await client.tell('void', '1', { event_id: 'v', type: 'cancelled', date: '2025-01-20' })
  assert.deepEqual(await monthsBy('year', 'customer=void'), {})
  assert.equal((await report('customer=void'))['device_months'], 0)
})

test('a device that is identified takes its months to the other model', async () => {
  await client.post(order('moved', '1', ['m1']))
  await client.tell('moved', '1', { event_id: 'e', type: 'extended', date: '2026-01-01', tenure_months: 13 })
  const before = await monthsBy('model', 'customer=moved')
  assert.deepEqual(before, { 'apple-macbook-air-13-m3-256gb': 13 })
  const identified = { event_id: 'i', type: 'identified', model_id: 'apple-iphone-15-128gb', reason: 'Scanned' }
  await client.tellDevice('m1', identified)
  assert.deepEqual(await monthsBy('model', 'customer=moved'), { 'apple-iphone-15-128gb': 13 })
})

test('closed months keep their device-months; what they would change counts on the first open day', async () => {
  await client.post(order('closed', '1', ['x1']))
  await close('2025-07-01')
  await client.tell('closed', '1', { event_id: 'x', type: 'returned', date: '2025-05-01', serial_number: 'x1' })
  const months = await monthsBy('month', 'customer=closed')
  assert.deepEqual(
    [months['2025-04'], months['2025-05'], months['2025-06'], months['2025-07'], months['2025-08']],
    [1, 1, 1, -2, undefined],
  )
  assert.equal((await report('customer=closed'))['device_months'], 3)
  await close('2025-01-01', 'Reopened for corrections')
  await client.tell('closed', '1', { event_id: 'w', type: 'withdrawn', withdraws: 'x', reason: 'Not returned' })
  assert.deepEqual(await monthsBy('year', 'customer=closed'), { 2025: 11, 2026: 1 })
})

test('device-months are told by tenure alone, never of a part, and in files too', async () => {
  assert.equal('device_months' in (await report('customer=whole', 'order')), false)
  const byPart = await report('customer=whole&group_by=part')
  assert.equal(byPart['device_months'], 24)
  assert.ok((byPart['groups'] as Json[]).every((group) => !('device_months' in group)))
  const { text } = await service.ask('/api/reports/emissions?date_basis=tenure&customer=whole&group_by=year&format=csv')
  const [head, ...rows] = text.split('\r\n').filter((line) => !line.startsWith('#') && line !== '')
  const at = head!.split(',').indexOf('device_months')
  assert.deepEqual(
    rows.slice(0, 2).map((row) => row.split(',')[at]),
    ['22', '2'],
  )
})
