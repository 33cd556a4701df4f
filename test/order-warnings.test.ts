// What the ledgers of its devices say against an order is in its response: when it is stored, sent again, in a batch,
// and corrected. For a strict account, such an order is refused.
import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import { verifyAll } from '../src/cli/verify.ts'
import { SCOPES, ensureAccount } from '../src/postgres/accounts.ts'
import { registerRelease } from '../src/postgres/dataset-releases.ts'
import { postJson } from './asked-service.ts'
import { fill, orderOn } from './busy-orders.ts'
import type { Json } from './document-check.ts'
import { pseudonymise } from './erasure-client.ts'
import { ORDERS, milligrams, order, pathOf } from './order-client.ts'
import type { Answer } from './raw-http.ts'
import { laptop, orderOf } from './receipt-client.ts'
import { countRows, startService, type Service } from './service.ts'
import { shippedReferenceData } from './shipped-book.ts'

let service: Service
before(async () => void (service = await startService()))
after(() => service.stop())

const LATITUDE = { product_id: 'dell-latitude-3120' }
const at = (item: number, member: string): string => `/items/${item}/config/${member}`
const bodyOf = ({ text }: Answer): Json => JSON.parse(text) as Json
const listOf = (body: Json, member: string): readonly Json[] => (body[member] ?? []) as readonly Json[]
const shown = (problems: readonly Json[]): readonly string[] =>
  problems.map(({ path, code }) => `${String(path)} ${String(code)}`)

/** The warnings of a response, which its header counts. */
function warningsOf(answer: Answer): readonly Json[] {
  assert.equal(answer.status, 200, answer.text)
  const warnings = listOf(bodyOf(answer), 'warnings')
  assert.equal(answer.headers['warnings'], warnings.length === 0 ? undefined : String(warnings.length))
  return warnings
}

async function tell(path: string, event: Json): Promise<void> {
  const { status, text } = await postJson(service, `${path}/events`, event)
  assert.equal(status, 200, text)
}

const put = (one: Json, query = '', key = service.key): Promise<Answer> =>
  service.ask(`${pathOf(one['customer_id'], one['order_id'])}${query}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json', 'x-api-key': key, 'if-match': '*' },
    body: JSON.stringify(one),
  })

const totalOf = async (customer: string, id: string): Promise<bigint> =>
  milligrams(bodyOf(await service.ask(pathOf(customer, id)))['total_emission'])

const paramsOf = (warnings: readonly Json[], code: string): Json =>
  warnings.find((one) => one['code'] === code)!['params'] as Json

/** An order that the ledgers of its devices have everything against. */
async function contested(name: string): Promise<Json> {
  const device = (no: number) => `${name}-${no}`
  await service.post(
    orderOf(
      name,
      `${name}-1`,
      '2025-02-01',
      [1, 2, 3].map((no) => laptop(device(no), 12)),
    ),
  )
  await service.post(orderOf('third', `${name}-2`, '2025-02-01', [laptop(device(4), 12)]))
  await tell(`/api/devices/${device(3)}`, { event_id: `${name}-lost`, type: 'lost', date: '2025-07-01' })
  const items = [laptop(device(0), 100), laptop(device(1), 12), laptop(device(4), 12, LATITUDE), laptop(device(3), 12)]
  return orderOf(name, `${name}-3`, '2025-08-01', items)
}

const EXPECTED = [
  `${at(0, 'tenure_months')} implausible_tenure`,
  `${at(1, 'serial_number')} overlaps_same_customer`,
  `${at(2, 'serial_number')} rented_to_another_customer`,
  `${at(2, 'product_id')} identified_as_another_model`,
  `${at(3, 'serial_number')} device_retired`,
]

test('an order is answered with what the ledgers of its devices said, as its estimate is', async () => {
  const sent = await contested('answered')
  const estimated = warningsOf(await postJson(service, '/api/estimates', sent))
  const before = await totalOf('third', 'answered-2')
  const warnings = warningsOf(await service.post(sent))
  assert.deepEqual(shown(warnings), EXPECTED)
  assert.deepEqual(warnings, estimated)
  const moved = milligrams(paramsOf(warnings, 'rented_to_another_customer')['moved_kg'])
  assert.ok(moved > 0n)
  assert.equal(before - (await totalOf('third', 'answered-2')), moved)
})

test('sent again, an order has the same warnings, whatever happened to its devices since', async () => {
  const sent = await contested('again')
  const first = await service.post(sent)
  assert.deepEqual(shown(warningsOf(first)), EXPECTED)
  await tell('/api/devices/again-4', { event_id: 'again-model', type: 'identified', model_id: LATITUDE.product_id })
  await tell(pathOf('third', 'again-2'), { event_id: 'again-cancelled', type: 'cancelled', date: '2025-01-20' })
  await tell('/api/devices/again-3', { event_id: 'again-found', type: 'withdrawn', withdraws: 'again-lost' })
  const other = await startService({ beside: service })
  try {
    for (const one of [service, other]) {
      const replayed = await one.post(sent)
      assert.equal(replayed.headers['idempotent-replayed'], 'true')
      assert.equal(replayed.headers['warnings'], '5')
      assert.equal(replayed.text, first.text)
    }
  } finally {
    await other.stop()
  }
})

test('an order of new devices has no warnings of ledgers, and stores none', async () => {
  assert.deepEqual(warningsOf(await service.post(order('new', 'n1', ['n-1', 'n-2']))), [])
  assert.deepEqual(warningsOf(await service.post(order('new', 'n2', ['n-1'], { tenure_start_date: '2026-02-01' }))), [])
  // A rental that takes no time cuts none short.
  assert.deepEqual(warningsOf(await service.post(orderOf('new', 'n3', '2025-03-01', [laptop('n-1', 0)]))), [])
  const { rows } = await service.pool.query(`select from orders where customer_id = 'new' and warnings is not null`)
  assert.equal(rows.length, 0)
})

test('each order of a batch has its warnings, also when the batch is sent again', async () => {
  const sent = await contested('batch')
  const cutting = orderOf('batch', 'batch-4', '2025-09-01', [laptop('batch-1', 12)])
  const orders = [order('batch', 'batch-0', ['batch-9']), sent, cutting]
  for (const isReplayed of [false, true]) {
    const { answer } = await postJson(service, `${ORDERS}/batch`, { orders })
    const results = listOf(answer, 'results')
    assert.deepEqual(
      results.map((one) => one['idempotent_replayed']),
      orders.map(() => isReplayed),
    )
    assert.deepEqual(
      results.map((one) => shown(listOf(one, 'warnings'))),
      [[], EXPECTED, [`${at(0, 'serial_number')} overlaps_same_customer`]],
    )
  }
})

test('the preview of a correction and its response have the warnings of the content and of the ledgers', async () => {
  await service.post(orderOf('other', 'put-1', '2025-02-01', [laptop('put-1', 12)]))
  await service.post(orderOf('put', 'put-2', '2025-08-01', [laptop('PUT-2', 12), laptop('put-3', 12)]))
  const wrong = orderOf('put', 'put-2', '2025-08-01', [laptop('put-1', 100, LATITUDE), laptop('put-2', 12)])
  await service.post(orderOf('put', 'put-4', '2020-01-01', [laptop('PUT-2', 6)]))
  const expected = [
    `${at(0, 'tenure_months')} implausible_tenure`,
    `${at(0, 'serial_number')} rented_to_another_customer`,
    `${at(0, 'product_id')} identified_as_another_model`,
    `${at(1, 'serial_number')} serial_number_differs_in_case`,
  ]
  const stored = await countRows(service.pool)
  const previewed = warningsOf(await put(wrong, '?preview=true'))
  assert.deepEqual(shown(previewed), expected)
  assert.deepEqual(await countRows(service.pool), stored)
  const before = await totalOf('other', 'put-1')
  const corrected = await put(wrong)
  assert.deepEqual(warningsOf(corrected), previewed)
  const moved = milligrams(paramsOf(previewed, 'rented_to_another_customer')['moved_kg'])
  assert.equal(before - (await totalOf('other', 'put-1')), moved)
  // The look-up of similar serial numbers is not stored with the order.
  const kept = expected.slice(0, 3)
  assert.deepEqual(shown(warningsOf(await service.post(wrong))), kept)
  assert.deepEqual(shown(warningsOf(await put(wrong))), kept)
  assert.deepEqual(shown(warningsOf(await put(wrong, '?preview=true'))), kept)

  // Of a correction that leaves the rental where it is, the warning names what it takes from the other one in all.
  const shorter = orderOf('put', 'put-2', '2025-08-01', [laptop('put-1', 90, LATITUDE)])
  const again = warningsOf(await put(shorter))
  assert.deepEqual(shown(again), kept)
  assert.equal(milligrams(paramsOf(again, 'rented_to_another_customer')['moved_kg']), moved)

  // Put right, it has none; the first content is answered as it was at first.
  const right = orderOf('put', 'put-2', '2026-08-01', [laptop('put-1', 12)])
  assert.deepEqual(warningsOf(await put(right)), [])
  const first = await service.post(orderOf('put', 'put-2', '2025-08-01', [laptop('PUT-2', 12), laptop('put-3', 12)]))
  assert.equal(first.headers['order-corrected'], 'true')
  assert.deepEqual(warningsOf(first), [])
})

test('a correction of the case of a serial number is not warned of the one that it corrects', async () => {
  await service.post(orderOf('put', 'put-5', '2025-08-01', [laptop('put-five', 12)]))
  assert.deepEqual(warningsOf(await put(orderOf('put', 'put-5', '2025-08-01', [laptop('PUT-Five', 12)]))), [])
})

test('once the names of a customer are erased, no warning names it; the others stay', async () => {
  const sent = await contested('erased')
  await service.post(sent)
  assert.equal((await pseudonymise(service, 'third')).status, 200)
  assert.deepEqual(shown(warningsOf(await service.post(sent))), EXPECTED.slice(0, 1))
  const { rows } = await service.pool.query(`select order_id from orders where warnings like '%third%'`)
  assert.deepEqual(rows, [])
  const { rows: kept } = await service.pool.query(`select from orders where warnings is not null`)
  assert.ok(kept.length > 0)
})

/** A key of an account whose warnings are refused. Settings are kept with each key for up to a second; it is new. */
async function makeStrict(account: string): Promise<string> {
  const headers = { 'content-type': 'application/json', 'x-api-key': await service.createKey(SCOPES, null, account) }
  const body = JSON.stringify({ amortisation: 'capped', strictness: 'refuse' })
  assert.equal((await service.ask('/api/account', { method: 'PUT', headers, body })).status, 200)
  return service.createKey(SCOPES, null, account)
}

test('an account that is strict has an order refused for what ledgers say, and nothing of it is stored', async () => {
  const mild = await service.createKey(SCOPES, null, 'strict-orders')
  const sentBefore = orderOf('s', 's2', '2025-08-01', [laptop('s-1', 12)])
  for (const one of [orderOf('t', 's1', '2025-02-01', [laptop('s-1', 12)]), sentBefore])
    assert.equal((await postJson(service, ORDERS, one, mild)).status, 200)
  const key = await makeStrict('strict-orders')
  const post = (path: string, body: Json) => postJson(service, path, body, key)
  const refused = [`${at(0, 'serial_number')} rented_to_another_customer`]
  const cutting = orderOf('u', 's3', '2026-01-01', [laptop('s-1', 12), laptop('s-9', 12)])
  const stored = await countRows(service.pool)
  const { status, answer } = await post(ORDERS, cutting)
  assert.deepEqual([status, answer['code'], (answer['reason'] as Json)['code']], [409, 'conflict', 'order_refused'])
  assert.deepEqual(shown(listOf(answer, 'details')), refused)
  assert.deepEqual(await countRows(service.pool), stored)

  // An order that is stored already is answered as it was then.
  assert.deepEqual(shown(warningsOf(await post(ORDERS, sentBefore))), refused)
  // An estimate tells them.
  assert.deepEqual(shown(warningsOf(await post('/api/estimates', cutting))), refused)

  const fine = orderOf('u', 's4', '2027-01-01', [laptop('s-1', 12)])
  const { answer: batch } = await post(`${ORDERS}/batch`, { orders: [cutting, fine] })
  const results = listOf(batch, 'results')
  assert.deepEqual(
    results.map((one) => one['status']),
    [409, 200],
  )
  assert.deepEqual(shown(listOf(results[0]!, 'details')), refused)

  const counted = await countRows(service.pool)
  const corrected = orderOf('u', 's4', '2026-01-01', [laptop('s-1', 12)])
  for (const query of ['?preview=true', '']) {
    const answered = await put(corrected, query, key)
    assert.equal(answered.status, 409, answered.text)
    assert.deepEqual(shown(listOf(bodyOf(answered), 'details')), refused)
  }
  assert.deepEqual(await countRows(service.pool), counted)
  // What the order was accepted with, before the account was strict, does not refuse its correction.
  const answered = await put({ ...sentBefore, order_date: '2025-07-20' }, '', key)
  assert.deepEqual([answered.status, shown(warningsOf(answered))], [200, refused])
})

test('a refused order leaves a long ledger that is in memory as it was', async () => {
  const { referenceData, files } = shippedReferenceData()
  const releaseId = await registerRelease(service.pool, referenceData.release, referenceData.hash, files)
  const { accountId } = await ensureAccount(service.pool, 'strict-long')
  await fill(service.pool, releaseId, accountId, 'busy', 300)
  const key = await makeStrict('strict-long')
  const post = (day: string, id: string) =>
    postJson(service, ORDERS, { ...orderOn('busy')(0), order_id: id, tenure_start_date: day }, key)
  const last = await post('2030-01-01', 'last')
  assert.equal(last.status, 200, last.text)
  for (let round = 0; round < 2; round += 1) assert.equal((await post('2030-06-01', `refused-${round}`)).status, 409)
  assert.equal((await post('2031-01-01', 'next')).status, 200)
  assert.deepEqual((await verifyAll(service.pool)).lines, [])
})
