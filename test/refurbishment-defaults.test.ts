// A refurbishment without a figure: the default of its type counts, is told as such everywhere, and stays what it was.
import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import { verifyAll } from '../src/cli/verify.ts'
import { verifyReceipt } from '../src/receipts/verify-receipt.ts'
import { SCOPES } from '../src/postgres/accounts.ts'
import type { Json } from './document-check.ts'
import { rowsInCsv } from './export-reading.ts'
import { firstDetailOf, postJson } from './asked-service.ts'
import { createImportClient } from './import-client.ts'
import { pathOf } from './order-client.ts'
import { createReceiptClient, laptop, orderOf, type ReceiptClient } from './receipt-client.ts'
import { applied, createAccountClient, previewed, registerChanged } from './restatement-client.ts'
import { startService, type Service } from './service.ts'
import { shippedReferenceData } from './shipped-book.ts'
import { until } from './command.ts'

let service: Service
let client: ReceiptClient

before(async () => {
  service = await startService()
  client = createReceiptClient(service)
})
after(() => service.stop())

interface Group {
  readonly category: string
  readonly estimate_type: string
  readonly total_emission: number
  readonly uncertainty: { readonly gsd: number }
}

const PHONE = { product_id: 'apple-iphone-15-128gb', weight_kg: 0.171 }
const refurbished = (id: string, more: Json = {}): Json => ({
  event_id: id,
  type: 'refurbished',
  date: '2027-01-01',
  lifetime_months_added: 12,
  ...more,
})

const release = () => service.server.referenceData.release
const ofLaptop = () => ({ device_type: 'laptop', low_kg: 2, high_kg: 25, dataset_release: release() })

const tellDevice = (serial: string, event: Json, query = '', from = service, key = from.key) =>
  postJson(from, `/api/devices/${serial}/events${query}`, event, key)

const historyOf = async (serial: string, from: ReceiptClient = client): Promise<readonly Json[]> => {
  const { status, text } = await from.ask(`/api/device-emissions/${serial}?include=history`)
  assert.equal(status, 200, text)
  return (JSON.parse(text) as { readonly history: { readonly events: readonly Json[] } }).history.events
}

const refurbishmentOf = async (serial: string, from?: ReceiptClient) =>
  (await historyOf(serial, from)).find(({ type }) => type === 'refurbished')!

const sentence = (type: string, emission: string, range: string) =>
  `Is missing: the default of type:${type} counts, ${emission} kg CO2e (${range} kg), and is marked as such; send ` +
  'what the refurbishment emitted if that is known'

test('a default counts like a stated figure; its warning and the ledger say that it is one', async () => {
  await client.post(orderOf('acme', 'd-1', '2025-01-01', [laptop('D-1', 24)]))
  const preview = await tellDevice('D-1', refurbished('d-1'), '?preview=true')
  const { status, answer } = await tellDevice('D-1', refurbished('d-1'))
  assert.equal(status, 200, JSON.stringify(answer))
  for (const { answer: told } of [preview, { answer }]) {
    assert.deepEqual(
      (told['warnings'] as readonly Json[]).map(({ path, message }) => [path, message]),
      [['/emission_kg', sentence('laptop', '5', '2 to 25')]],
    )
  }
  assert.equal((preview.answer['devices'] as readonly Json[]).length, 1)
  const { emission_added, emission_default } = await refurbishmentOf('D-1')
  assert.deepEqual([emission_added, emission_default], [5, ofLaptop()])
  await client.post(orderOf('acme', 'd-2', '2027-01-01', [laptop('D-1', 12)]))
  const stated = { emission_kg: 5 }
  await client.post(orderOf('acme', 'd-3', '2025-01-01', [laptop('D-2', 24)]))
  assert.deepEqual((await tellDevice('D-2', refurbished('d-2', stated))).answer['warnings'], undefined)
  await client.post(orderOf('acme', 'd-4', '2027-01-01', [laptop('D-2', 12)]))
  const [byDefault, byFigure] = [await client.provenReceipt('acme', 'd-2'), await client.provenReceipt('acme', 'd-4')]
  // (54.675 + 5) ÷ (24 + 12) × 12 = 19.891667, and 25.65 × 12 ÷ 48 = 6.4125.
  assert.deepEqual([byDefault.total_emission, byFigure.total_emission], [26.304167, 26.304167])
  assert.equal((await refurbishmentOf('D-2'))['emission_default'], undefined)
})

test('calculations and receipts name the default; a receipt with a range that it is not in is refused', async () => {
  const { text } = await client.ask(`${pathOf('acme', 'd-2')}?include=calculation`)
  assert.match(text, /The emission of the refurbishment on 2027-01-01 was not stated: R = 5 kg CO2e is the default of /)
  assert.doesNotMatch((await client.ask(`${pathOf('acme', 'd-1')}?include=calculation`)).text, /was not stated/)
  const receipt = await client.provenReceipt('acme', 'd-2')
  const codes = receipt.order.defaults_applied.map(({ code }) => code)
  assert.ok(codes.includes('refurbishment'), codes.join())
  const { matching } = shippedReferenceData().referenceData
  const forged = receipt.text.replace('"low":"2"', '"low":"6"')
  assert.notEqual(forged, receipt.text)
  assert.notEqual(verifyReceipt(forged, matching).outcome, 'equal')
  const raised = verifyReceipt(receipt.text.replace('"high":"25"', '"high":"26"'), matching, [
    service.server.referenceData,
  ])
  assert.match(JSON.stringify(raised), /emission_default\/high.*one of 25/)
})

test('a type without a default, and a device of no known type, need the figure', async () => {
  const monitor = { product_id: 'never heard of', device_type: 'monitor', weight_kg: 5 }
  const unknown = { product_id: 'something else', weight_kg: 2 }
  await client.post(orderOf('acme', 'n', '2025-01-01', [laptop('N-1', 12, monitor), laptop('N-2', 12, unknown)]))
  for (const serial of ['N-1', 'N-2']) {
    const { status, answer } = await tellDevice(serial, refurbished(`${serial}-r`))
    assert.equal(status, 400)
    const { path, code } = firstDetailOf({ answer })
    assert.deepEqual([path, code], ['/emission_kg', 'refurbishment_without_default'])
    assert.equal((await tellDevice(serial, refurbished(`${serial}-r`, { emission_kg: 3 }))).status, 200)
  }
})

test('a repetition is the recorded event, whatever the default or the device is by then', async () => {
  await client.post(orderOf('acme', 'r', '2025-01-01', [laptop('R-1', 12)]))
  assert.equal((await tellDevice('R-1', refurbished('r'))).status, 200)
  await client.tellDevice('R-1', { event_id: 'r-i', type: 'identified', model_id: PHONE.product_id })
  const { files } = shippedReferenceData()
  const refurbishments = files.get('refurbishments.csv')!.replace('laptop,5,', 'laptop,6,')
  const later = await startService({
    beside: service,
    files: new Map([...files, ['RELEASE', '2027.01\n'], ['refurbishments.csv', refurbishments]]),
  })
  try {
    const now = createReceiptClient(later)
    for (const same of [refurbished('r'), refurbished('r', { emission_kg: 5 })]) {
      const { status, headers, text } = await tellDevice('R-1', same, '', later)
      assert.deepEqual([status, headers['idempotent-replayed']], [200, 'true'], text)
      assert.ok(text.includes(sentence('laptop', '5', '2 to 25')), text)
    }
    assert.equal((await tellDevice('R-1', refurbished('r', { emission_kg: 6 }), '', later)).status, 409)
    const { emission_added, emission_default } = await refurbishmentOf('R-1', now)
    assert.deepEqual([emission_added, emission_default], [5, ofLaptop()])
    await now.post(orderOf('acme', 'r-2', '2025-01-01', [laptop('R-2', 12)]))
    assert.equal((await tellDevice('R-2', refurbished('r-2'), '', later)).status, 200)
    assert.equal((await refurbishmentOf('R-2', now))['emission_added'], 6)
  } finally {
    await later.stop()
  }
})

test('a restatement leaves a refurbishment its default, and restates the rest', async () => {
  const ask = await createAccountClient(service, 'restated')
  await ask('POST', '/api/customer-orders', orderOf('c', 'a', '2025-01-01', [laptop('P-1', 24)]))
  await ask('POST', '/api/devices/P-1/events', refurbished('p'))
  await ask('POST', '/api/customer-orders', orderOf('c', 'b', '2027-01-01', [laptop('P-1', 12)]))
  const changed = await registerChanged(service, '2030.01', [
    { file: 'refurbishments.csv', row: 'laptop', cells: { emission_kg_co2e: '20' } },
    { file: 'devices/device-models.csv', row: 'apple-macbook-air-13-m3-256gb', cells: { total_kg_co2e: '162' } },
  ])
  const done = await applied(ask, await previewed(ask, { scope: {}, figures: { release: changed } }))
  assert.equal(done['state'], 'applied', JSON.stringify(done))
  const { events, initial } = (await ask('GET', '/api/device-emissions/P-1?include=history'))['history'] as {
    readonly events: readonly Json[]
    readonly initial: Json
  }
  const { emission_added, emission_default } = events.find(({ type }) => type === 'refurbished')!
  assert.deepEqual([emission_added, emission_default, initial['dataset_release']], [5, ofLaptop(), changed])
})

test('the figure of the operator wins: recorded in place of a default, it alone counts', async () => {
  await client.post(orderOf('acme', 'w', '2025-01-01', [laptop('W-1', 24)]))
  await tellDevice('W-1', refurbished('w-1'))
  await client.tellDevice('W-1', { event_id: 'w-2', type: 'withdrawn', withdraws: 'w-1' })
  await client.tellDevice('W-1', refurbished('w-3', { emission_kg: 8 }))
  const all = (await historyOf('W-1')).filter(({ type }) => type === 'refurbished')
  assert.deepEqual(
    all.map(({ emission_added, emission_default }) => [emission_added, emission_default]),
    [[8, undefined]],
  )
})

test('a strict account refuses a default as it refuses warnings', async () => {
  const key = await service.createKey(SCOPES, null, 'strict')
  const strict = createReceiptClient(service, key)
  await strict.post(orderOf('acme', 's', '2025-01-01', [laptop('S-1', 12)]))
  const headers = { 'content-type': 'application/json', 'x-api-key': key }
  const body = JSON.stringify({ amortisation: 'capped', strictness: 'refuse' })
  assert.equal((await service.ask('/api/account', { method: 'PUT', headers, body })).status, 200)
  const long = orderOf('acme', 'long', '2025-01-01', [laptop('S-2', 85)])
  const isStrict = async () => (await postJson(service, '/api/estimates', long, key)).status === 400
  await until(isStrict, () => 'the change takes no effect')
  const { status, text } = await tellDevice('S-1', refurbished('s'), '', service, key)
  assert.equal(status, 400, text)
  assert.match(text, /"code":"emission_by_default"/)
})

test('batches and files record defaults and warn; an export has the figure, and changes nothing', async () => {
  const key = await service.createKey(SCOPES, null, 'files')
  const own = createReceiptClient(service, key)
  await own.post(orderOf('c', 'o', '2025-01-01', [laptop('F-1', 12), laptop('F-2', 12, PHONE), laptop('F-3', 12)]))
  const batch = await postJson(
    service,
    '/api/events/batch',
    { events: [{ ...refurbished('f-1'), serial_number: 'F-1' }] },
    key,
  )
  assert.match(batch.text, /"status":200.*emission_by_default/)
  const rows = ['event_id,serial_number,type,date,emission_kg,lifetime_months_added']
  rows.push('f-2,F-2,refurbished,2027-01-01,,12', 'f-3,F-3,refurbished,2027-01-01,7,12')
  const imports = createImportClient(service, key)
  const dry = await imports.run(Buffer.from(rows.join('\n')), '?kind=events&dry_run=true')
  const stored = await imports.run(Buffer.from(rows.join('\n')), '?kind=events')
  for (const result of [dry, stored]) {
    assert.deepEqual([result['orders_stored'], result['orders_rejected']], [2, 0], JSON.stringify(result))
    const warnings = result['warnings'] as readonly Json[]
    assert.deepEqual(
      warnings.map(({ code, reason }) => [code, reason]),
      [['emission_by_default', sentence('mobile', '2.8', '1 to 15')]],
    )
  }
  const csv = Buffer.from((await own.ask('/api/exports/events?format=csv')).text)
  assert.deepEqual(
    rowsInCsv(csv)
      .map((row) => [row['serial_number'], row['emission_kg'], row['export.emission_default']])
      .toSorted(),
    [
      ['F-1', '5', 'laptop'],
      ['F-2', '2.8', 'mobile'],
      ['F-3', '7', ''],
    ],
  )
  const again = await imports.run(csv, '?kind=events')
  assert.deepEqual([again['orders_replayed'], again['orders_stored'], again['orders_rejected']], [3, 0, 0])
})

test('an alternative of an estimate takes the default of each device, and names it', async () => {
  const items = [laptop('A-1', 12), laptop('A-2', 12, PHONE)]
  const asked = (more: Json) => ({
    ...orderOf('acme', 'a', '2025-01-01', items),
    alternatives: [{ name: 'refurbished', changes: { refurbished: { lifetime_months_added: 24, ...more } } }],
  })
  const { status, answer, text } = await postJson(service, '/api/estimates', asked({}))
  assert.equal(status, 200, text)
  const totalsIn = ({ alternatives }: Json) =>
    ((alternatives as readonly Json[])[0]!['items'] as readonly Json[]).map((item) => item['total_emission'])
  assert.deepEqual(
    (answer['warnings'] as readonly Json[]).map(({ path, message }) => [path, message]),
    ['laptop 5 2 to 25', 'mobile 2.8 1 to 15'].map((one) => {
      const [, type, emission, range] = /^(\S+) (\S+) (.*)$/.exec(one)!
      return ['/alternatives/0/changes/refurbished/emission_kg', sentence(type!, emission!, range!)]
    }),
  )
  const stated = async (emission: number) =>
    totalsIn((await postJson(service, '/api/estimates', asked({ emission_kg: emission }))).answer)
  assert.deepEqual(totalsIn(answer), [(await stated(5))[0], (await stated(2.8))[1]])
  const unknown = { ...asked({}), items: [laptop('A-3', 12, { product_id: 'x', weight_kg: 2 })] }
  const refused = await postJson(service, '/api/estimates', unknown)
  assert.match(refused.text, /"\/alternatives\/0\/changes\/refurbished\/emission_kg"/)
  assert.equal(refused.status, 400)
})

test('the inventory of the owner has a default as indicative, also once it is another model', async () => {
  const key = await service.createKey(SCOPES, null, 'owner')
  const own = createReceiptClient(service, key)
  await own.post(orderOf('c', 'o', '2025-01-01', [laptop('O-1', 12), laptop('O-2', 12)]))
  await own.tellDevice('O-1', refurbished('o-1'))
  await own.tellDevice('O-2', refurbished('o-2', { emission_kg: 7 }))
  const goods = async () => {
    const path = '/api/reports/emissions?reporting_entity=lessor&group_by=category,estimate_type&date_basis=tenure'
    const { groups } = JSON.parse((await own.ask(path)).text) as { readonly groups: readonly Group[] }
    return groups
      .filter(({ category }) => category === 'Category 1: Purchased goods and services')
      .map(({ estimate_type: type, total_emission: total, uncertainty: { gsd } }) => [type, total, gsd])
  }
  const expected = [
    ['estimated', 7, 1],
    ['indicative', 5, 3],
  ]
  assert.deepEqual((await goods()).toSorted(), expected)
  await own.tellDevice('O-1', { event_id: 'o-3', type: 'identified', model_id: PHONE.product_id })
  assert.deepEqual((await goods()).toSorted(), expected)
  await own.tellDevice('O-1', { event_id: 'o-4', type: 'withdrawn', withdraws: 'o-1' })
  assert.deepEqual(await goods(), [['estimated', 7, 1]])
})

test('passports have the default beside the emission', async () => {
  const { text } = await client.ask('/api/devices/D-1/passport')
  const { refurbishments } = JSON.parse(text) as { readonly refurbishments: readonly Json[] }
  assert.deepEqual(refurbishments[0]!['emission_default'], {
    device_type: 'laptop',
    low: '2',
    high: '25',
    dataset_release: release(),
  })
})

test('everything verifies', async () => {
  assert.deepEqual((await verifyAll(service.pool)).lines, [])
})
