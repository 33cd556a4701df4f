// The undo of a restatement: each order goes back to the release and matches that it had before.
import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import { verifyAll } from '../src/cli/verify.ts'
import type { Json } from './document-check.ts'
import { pathOf } from './order-client.ts'
import { laptop, orderOf } from './receipt-client.ts'
import {
  applied,
  createAccountClient,
  previewed,
  recordOrders,
  registerChanged,
  totals,
  type Ask,
} from './restatement-client.ts'
import { startService, type Service } from './service.ts'

const MODEL = 'apple-macbook-air-13-m3-256gb'

let service: Service
let release: string
before(async () => {
  service = await startService()
  release = await registerChanged(service, '2031.01', [
    { file: 'devices/device-models.csv', row: MODEL, cells: { total_kg_co2e: '99', use_kg_co2e: '20' } },
  ])
})
after(() => service.stop())

async function sound(): Promise<void> {
  const { lines, differences } = await verifyAll(service.pool)
  assert.equal(differences, 0, lines.join('\n'))
}

const restate = async (ask: Ask, figures: Json, scope: Json = {}): Promise<number> => {
  const found = await applied(ask, await previewed(ask, { scope, figures }))
  assert.equal(found['state'], 'applied')
  return found['restatement_id'] as number
}

const undo = (ask: Ask, id: number, scope: Json = {}) => restate(ask, { before_restatement: id }, scope)

/** Of one order, the rest as a map. */
const without = (all: ReadonlyMap<string, bigint>, key: string) => new Map([...all].filter(([one]) => one !== key))

test('undone, every order is what it was, to the milligram; undone again, what it was restated to', async () => {
  const ask = await createAccountClient(service, 'undone')
  await recordOrders(ask)
  const earlier = await totals(ask)
  const first = await restate(ask, { release })
  const restated = await totals(ask)
  assert.notDeepEqual(restated, earlier)
  const preview = await previewed(ask, { scope: {}, figures: { before_restatement: first } })
  const { difference, bridge, number_of_orders: orders } = preview['preview'] as Json
  const sum = (all: ReadonlyMap<string, bigint>) => [...all.values()].reduce((total, one) => total + one, 0n)
  assert.equal(BigInt(Math.round((difference as number) * 1e6)), sum(earlier) - sum(restated))
  assert.deepEqual(Object.keys(bridge as Json), ['device_figures'])
  assert.equal(orders, [...earlier].filter(([key, emission]) => restated.get(key) !== emission).length)
  const back = await applied(ask, preview)
  assert.deepEqual(await totals(ask), earlier)
  await sound()
  await undo(ask, back['restatement_id'] as number)
  assert.deepEqual(await totals(ask), restated)
  await undo(ask, first)
  assert.deepEqual(await totals(ask), earlier)
  await sound()
})

test('a guess and a mapping of the day count again, whatever the present mappings say', async () => {
  const ask = await createAccountClient(service, 'mapped')
  await recordOrders(ask)
  const earlier = await totals(ask)
  await ask('PUT', '/api/products/zz-1', { model_id: 'apple-iphone-15-128gb' })
  const first = await restate(ask, { mappings: 'current' })
  assert.notDeepEqual(await totals(ask), earlier)
  await undo(ask, first)
  assert.deepEqual(await totals(ask), earlier)
  await sound()
})

test('an order that was corrected since keeps its content, and is calculated by what it had before', async () => {
  const ask = await createAccountClient(service, 'corrected')
  const sent = orderOf('acme', 'a', '2024-01-01', [laptop('C1', 12), laptop('C2', 24)], { country: 'DE' })
  const corrected = orderOf(
    'acme',
    'a',
    '2024-01-01',
    [laptop('C1', 18), laptop('C3', 6, { product_name: 'Dell Latitude 5440', product_id: 'zz-2' })],
    { country: 'DE' },
  )
  await ask('POST', '/api/customer-orders', sent)
  await ask('POST', '/api/customer-orders', orderOf('acme', 'b', '2024-01-01', [laptop('C9', 12)]))
  const first = await restate(ask, { release })
  await ask('PUT', '/api/account', { amortisation: 'capped', dataset_release: release })
  await ask('PUT', pathOf('acme', 'a'), corrected)
  const restated = await totals(ask)
  await undo(ask, first)
  const undone = await totals(ask)
  assert.notEqual(undone.get('acme/a'), restated.get('acme/a'))
  const other = await createAccountClient(service, 'corrected at first')
  await other('POST', '/api/customer-orders', corrected)
  await other('POST', '/api/customer-orders', orderOf('acme', 'b', '2024-01-01', [laptop('C9', 12)]))
  assert.deepEqual(undone, await totals(other))
  await sound()
})

test('only orders of the scope are undone, and orders that were never restated stay', async () => {
  const ask = await createAccountClient(service, 'scoped')
  await ask('POST', '/api/customer-orders', orderOf('acme', 'a', '2024-01-01', [laptop('D1', 12)]))
  await ask('POST', '/api/customer-orders', orderOf('acme', 'b', '2025-01-01', [laptop('D2', 12)]))
  const earlier = await totals(ask)
  const first = await restate(ask, { release })
  const restated = await totals(ask)
  await ask('POST', '/api/customer-orders', orderOf('acme', 'c', '2025-01-01', [laptop('D3', 12)]))
  await undo(ask, first, { serial_numbers: ['D2'] })
  const after = await totals(ask)
  assert.deepEqual([after.get('acme/a'), after.get('acme/b')], [restated.get('acme/a'), earlier.get('acme/b')])
  await undo(ask, first)
  assert.deepEqual(without(await totals(ask), 'acme/c'), earlier)
  await sound()
})

test('what was not applied is not undone, and an undo has no other figures', async () => {
  const ask = await createAccountClient(service, 'refused')
  await ask('POST', '/api/customer-orders', orderOf('acme', 'a', '2024-01-01', [laptop('E1', 12)]))
  const { restatement_id: id } = await previewed(ask, { scope: {}, figures: { release } })
  const request = (figures: Json, status: number) =>
    ask('POST', '/api/restatements', { scope: {}, figures, reason: 'x' }, status)
  const conflict = await request({ before_restatement: id }, 409)
  const sentence = `Restatement ${String(id)} has the state previewed; it can be undone only after`
  assert.match(JSON.stringify(conflict), new RegExp(sentence))
  assert.match(JSON.stringify(await request({ before_restatement: 99 }, 400)), /There is no restatement 99/)
  const both = await request({ before_restatement: id, release }, 400)
  assert.match(JSON.stringify(both), /before_restatement cannot be combined with other members of figures/)
})
