// What an estimate tells from the ledgers of its devices: what storing the order would cut short, move or confuse.
import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import type { Json } from './document-check.ts'
import { order, pathOf } from './order-client.ts'
import { BOX, VAN, laptop, orderOf } from './receipt-client.ts'
import { postJson } from './asked-service.ts'
import { startService, type Service } from './service.ts'

let service: Service
before(async () => void (service = await startService()))
after(() => service.stop())

const send = async (path: string, body: Json): Promise<Json> => {
  const { status, answer } = await postJson(service, path, body)
  assert.equal(status, 200, JSON.stringify(answer))
  return answer
}

/** The warnings of an estimate. */
const warningsOf = async (body: Json): Promise<readonly Json[]> =>
  ((await send('/api/estimates', body))['warnings'] ?? []) as readonly Json[]

const shown = (problems: readonly Json[]): readonly string[] =>
  problems.map(({ path, code }) => `${String(path)} ${String(code)}`)

const config = (at: number, member: string): string => `/items/${at}/config/${member}`

const LATITUDE = { product_id: 'dell-latitude-3120' }

test('an estimate tells what the ledgers of its devices say against it', async () => {
  const estimate = (customer: string, start: string, items: readonly Json[]) =>
    warningsOf(orderOf(customer, 'new', start, items))
  await service.post(order('ledger', 'l1', ['l-1', 'l-2', 'l-3']))
  const gone = { event_id: 'l-gone', type: 'lost', date: '2025-09-01' }
  await send('/api/devices/l-2/events', gone)
  await send(`${pathOf('ledger', 'l1')}/events`, {
    event_id: 'l-back',
    type: 'returned',
    date: '2025-06-01',
    serial_number: 'l-3',
  })

  const [other, ...none] = await estimate('other', '2025-08-01', [laptop('l-1', 12), laptop('l-3', 12)])
  assert.deepEqual(none, [])
  assert.deepEqual(
    [other!['path'], other!['code'], other!['params']],
    [
      config(0, 'serial_number'),
      'rented_to_another_customer',
      { order_id: 'l1', customer_id: 'ledger', end: '2026-02-01', start: '2025-08-01', moved_kg: 16.875 },
    ],
  )
  assert.deepEqual(shown(await estimate('ledger', '2025-08-01', [laptop('l-1', 12)])), [
    `${config(0, 'serial_number')} overlaps_same_customer`,
  ])
  assert.deepEqual(await estimate('other', '2026-02-01', [laptop('l-1', 12)]), [])
  assert.deepEqual(shown(await estimate('other', '2025-09-01', [laptop('l-2', 12)])), [
    `${config(0, 'serial_number')} device_retired`,
  ])
  const [another] = await estimate('other', '2026-02-01', [laptop('l-1', 12, { ...LATITUDE, weight_kg: 1.38 })])
  assert.deepEqual([another!['path'], another!['code']], [config(0, 'product_id'), 'identified_as_another_model'])
  const { sent, known, difference_kg: difference } = another!['params'] as Json
  assert.deepEqual([sent, known], ['Dell Latitude 3120', 'Apple MacBook Air 13 M3 256GB'])
  // 231 - 30.723 of one, 135 - 25.65 of the other.
  assert.equal(difference, 90.927)
})

test('a serial number that differs from that of a device in case or white space alone is told', async () => {
  await service.post(order('cases', 'c1', ['CASE-1', 'case-2', 'Case-3', 'CASE 4', 'c\u00a0ase-5', 'ÄCASE-6']))
  const items = ['case-1', 'CASE-2', 'CASE-3', 'CASE-1', 'Case4', 'CA SE-5', 'Äcase-6', 'CASE-7', 'caße-1'].map(
    (serial) => laptop(serial, 12),
  )
  const warnings = await warningsOf(orderOf('cases', 'c2', '2027-01-01', items))
  assert.deepEqual(
    warnings.map(({ path, code, params }) => [path, code, (params as Json)['known']]),
    [
      [0, 'CASE-1'],
      [1, 'case-2'],
      [2, 'Case-3'],
      [4, 'CASE 4'],
      [5, 'c\u00a0ase-5'],
      [6, 'ÄCASE-6'],
    ].map(([at, known]) => [config(Number(at), 'serial_number'), 'serial_number_differs_in_case', known]),
  )
})

test('the kilograms that a warning names are those that move once the order is stored', async () => {
  await service.post(orderOf('mover', 'm1', '2025-01-01', [laptop('m-1', 24), VAN, BOX]))
  await service.post(orderOf('mover', 'm2', '2027-01-01', [laptop('m-1', 36)]))
  // On the same day, the later id is the later rental: it takes all.
  const orders = [
    orderOf('other', 'm3', '2025-08-17', [laptop('m-1', 12, LATITUDE)]),
    orderOf('third', 'm4', '2025-08-17', [laptop('m-1', 7, LATITUDE)]),
  ]
  const cut = ['mover', 'other']
  for (const [at, sent] of orders.entries()) {
    const warnings = (await warningsOf(sent)).filter(({ code }) => /^(rented_to|identified_as)/.test(String(code)))
    const [moved, identified] = warnings.map(({ params }) => Number((params as Json)['moved_kg']))
    const { customer_id: customer, order_id: id } = warnings[0]!['params'] as { customer_id: string; order_id: string }
    assert.equal(customer, cut[at])
    const total = async () =>
      Number((JSON.parse((await service.ask(pathOf(customer, id))).text) as Json)['total_emission'])
    const before = await total()
    assert.equal((await service.post(sent)).status, 200)
    assert.ok(moved! > 0)
    assert.equal(milligrams(before) - milligrams(await total()), milligrams(moved!))
    const identification = { event_id: `m-${at}`, type: 'identified', model_id: LATITUDE.product_id }
    const preview = await send('/api/devices/m-1/events?preview=true', identification)
    assert.equal((preview['difference'] as Json)['total_emission'], identified)
  }
})

const milligrams = (kilograms: number): number => Math.round(kilograms * 1e6)
