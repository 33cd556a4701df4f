// Swaps that name the product that comes in: the new device is charged by its own words, like a product of an order.
import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import { verifyAll } from '../src/cli/verify.ts'
import { verifyReceipt } from '../src/receipts/verify-receipt.ts'
import { digestOf } from '../src/documents/canonical.ts'
import { canonicalise, parseExactJson, type JsonObject } from '../src/strict-json/exact-tree.ts'
import type { Json } from './document-check.ts'
import { firstDetailOf, readJson } from './asked-service.ts'
import { pseudonymise } from './erasure-client.ts'
import { createImportClient } from './import-client.ts'
import { milligrams, pathOf } from './order-client.ts'
import { BOX, VAN, createReceiptClient, laptop, orderOf, type ReceiptClient } from './receipt-client.ts'
import { startService, type Service } from './service.ts'
import { shippedReferenceData } from './shipped-book.ts'
import { readStatement } from './statement-client.ts'

const { matching } = shippedReferenceData().referenceData

let service: Service
let client: ReceiptClient
before(async () => {
  service = await startService()
  client = createReceiptClient(service)
  const mapping = await send('PUT', '/api/products/LEASE-7', { model_id: 'dell-latitude-5400' })
  assert.equal(mapping.status, 200, mapping.text)
})
after(() => service.stop())

async function send(method: 'POST' | 'PUT', path: string, body: Json, headers: Record<string, string> = {}) {
  const answer = await service.ask(path, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  return { ...answer, answer: JSON.parse(answer.text) as Json }
}

const read = (path: string) => readJson(service, path)
const deviceOf = (serial: string) => read(`/api/device-emissions/${serial}?include=entries`)
const tell = (order: string, event: Json, query = '') => send('POST', `${pathOf('acme', order)}/events${query}`, event)

/** The new device has a longer time before it than the old one had: three months of twelve are over. */
const swap = (id: string, newSerial: string, words: Json): Json => ({
  event_id: id,
  type: 'swapped',
  date: '2025-04-01',
  new_serial_number: newSerial,
  weight_kg: 1.5,
  ...words,
})
const LATITUDE = 'dell-latitude-5400'
const DELL: Json = { model_id: LATITUDE }

/** What a device is charged by, and what was posted to it, without the names of orders, devices and entries. */
function figuresOf(device: Json): Json {
  const names = /^(serial_number|device_id|order_id|customer_id|entries|tenure_start_date)$/
  return JSON.parse(JSON.stringify(device, (name, value: unknown) => (names.test(name) ? undefined : value))) as Json
}

/** Ways to name a product. */
const WORDS: readonly Json[] = [
  DELL,
  { model_id: 'APPLE-macbook-air-13-inch-m3-256gb' },
  { product_id: 'Mac15,12' },
  { product_id: 'LEASE-7' },
  { product_id: 'own-4711', product_name: 'ThinkPad T490', brand: 'Lenovo' },
  { product_id: 'own-4712', product_name: 'Latitude 9999', brand: 'Dell' },
  { product_id: 'own-4713', brand: 'Apple', device_type: 'tablet' },
  { product_id: 'own-4714' },
  { product_id: 'own-4715', product_name: 'Notebook sleeve' },
]

test('a new device has the figures that an order of the product for the rest of the tenure gives another', async () => {
  for (const [at, words] of WORDS.entries()) {
    const [swapped, ordered] = [`W${at}-swapped`, `W${at}-ordered`]
    await client.post(orderOf('acme', `words-${at}`, '2025-01-01', [laptop(`W${at}-old`, 12), VAN]))
    const { status, text } = await tell(`words-${at}`, swap(`words-${at}`, swapped, words))
    assert.equal(status, 200, text)
    const product = { product_id: `nothing-${at}`, weight_kg: 1.5, ...words }
    await client.post(orderOf('acme', `ordered-${at}`, '2025-04-01', [laptop(ordered, 9, product)]))
    assert.deepEqual(figuresOf(await deviceOf(swapped)), figuresOf(await deviceOf(ordered)), JSON.stringify(words))
    const receipt = await client.provenReceipt('acme', `words-${at}`)
    const [event] = (JSON.parse(receipt.text) as { readonly events: readonly Json[] }).events
    assert.deepEqual([event!['resolved_to'], event!['match_method']], await matchOf(`ordered-${at}`))
  }
})

async function matchOf(order: string): Promise<unknown[]> {
  const { match } = await client.provenReceipt('acme', order)
  return [match[0]!['resolved_to'], match[0]!['match_method']]
}

test('a swap may name the product without an id, and says in the calculation how it was found', async () => {
  const unnamed: readonly Json[] = [
    { product_name: 'ThinkPad T490', brand: 'Lenovo' },
    { device_type: 'tablet' },
    { brand: 'Dell', device_type: 'monitor' },
  ]
  const SAID = [/ThinkPad T490/, /tablet/, /Dell/]
  for (const [at, words] of unnamed.entries()) {
    await client.post(orderOf('acme', `unnamed-${at}`, '2025-01-01', [laptop(`U${at}-old`, 12)]))
    await client.tell('acme', `unnamed-${at}`, swap(`unnamed-${at}`, `U${at}`, words))
    const found = await read(`${pathOf('acme', `unnamed-${at}`)}?include=calculation`)
    const notes = JSON.stringify(found).match(/"notes":\[[^\]]*\]/g) ?? []
    assert.doesNotMatch(notes.join('\n'), /\\"\\"/)
    assert.match(notes.join('\n'), SAID[at]!)
    await client.provenReceipt('acme', `unnamed-${at}`)
  }
  const { text } = await service.ask('/api/products?limit=100')
  const listed = (JSON.parse(text) as readonly Json[]).map((one) => one['product_id'])
  assert.ok(!listed.includes(''), text)
})

test('without words, and with those of the old device, all is as before to the milligram', async () => {
  for (const [id, words] of [
    ['plain', {}],
    ['same', { product_id: 'apple-macbook-air-13-m3-256gb' }],
  ] as const) {
    await client.post(orderOf('acme', id, '2025-01-01', [laptop(`${id}-old`, 12), VAN, BOX]))
    await client.tell('acme', id, swap(id, `${id}-new`, words))
  }
  // 135 kg, 19 % of them use, over 48 months: 9 of 12 months are left.
  const plain = await deviceOf('plain-new')
  const [held] = plain['orders'] as Json[]
  assert.equal(milligrams(held!['total_emission']), 25_312_500n)
  assert.deepEqual(figuresOf(await deviceOf('same-new')), figuresOf(plain))
})

test('a withdrawn swap leaves everything as if it had not been, and the right one decides anew', async () => {
  const order = orderOf('acme', 'withdrawn', '2025-01-01', [laptop('R-old', 12), VAN, BOX])
  await client.post(order)
  const shown = async () => [
    (await read(pathOf('acme', 'withdrawn')))['items'],
    figuresOf(await deviceOf('R-old'))['emission'],
    (await read('/api/reports/emissions?date_basis=tenure&group_by=month'))['groups'],
  ]
  const before = await shown()
  await client.tell('acme', 'withdrawn', swap('r-1', 'R-new', DELL))
  assert.notDeepEqual(await shown(), before)
  await client.tell('acme', 'withdrawn', { event_id: 'r-2', type: 'withdrawn', withdraws: 'r-1' })
  assert.deepEqual(await shown(), before)
  await client.provenReceipt('acme', 'withdrawn')
  // It is known now, but no rental of it counts: what the right swap says decides, once more after another withdrawal.
  for (const [id, words] of [
    ['r-3', { model_id: 'lenovo-thinkpad-t490' }],
    ['r-5', { device_type: 'tablet' }],
  ] as const) {
    await client.post(orderOf('acme', `fresh-${id}`, '2025-01-01', [laptop(`F-${id}`, 12), VAN, BOX]))
    await client.tell('acme', `fresh-${id}`, swap(`fresh-${id}`, `F-${id}-new`, words))
    await client.tell('acme', 'withdrawn', swap(id, 'R-new', words))
    assert.equal(
      (await read(pathOf('acme', 'withdrawn')))['total_emission'],
      (await read(pathOf('acme', `fresh-${id}`)))['total_emission'],
    )
    await client.provenReceipt('acme', 'withdrawn')
    await client.tell('acme', 'withdrawn', { event_id: `${id}-w`, type: 'withdrawn', withdraws: id })
    assert.deepEqual(await shown().then(([items]) => items), before[0])
  }
  // Without words a known device stays what it was last.
  await client.tell('acme', 'withdrawn', swap('r-6', 'R-new', {}))
  await client.provenReceipt('acme', 'withdrawn')
})

test('an order takes up a device of a withdrawn swap by its own words', async () => {
  await client.post(orderOf('acme', 'given-up', '2025-01-01', [laptop('G-old', 12)]))
  for (const [id, words] of [
    ['g-1', DELL],
    ['g-2', { device_type: 'tablet' }],
  ] as const) {
    await client.tell('acme', 'given-up', swap(id, 'G-new', words))
    await client.tell('acme', 'given-up', { event_id: `${id}-w`, type: 'withdrawn', withdraws: id })
  }
  await client.post(orderOf('acme', 'taken-up', '2025-06-01', [laptop('G-new', 12)]))
  await client.post(orderOf('acme', 'taken-new', '2025-06-01', [laptop('G-other', 12)]))
  const [taken, fresh] = [await read(pathOf('acme', 'taken-up')), await read(pathOf('acme', 'taken-new'))]
  assert.equal(taken['total_emission'], fresh['total_emission'])
})

test('a device that was rented before stays what it is, whatever the swap says', async () => {
  await client.post(
    orderOf('other', 'first', '2023-01-01', [laptop('K-new', 12, { product_id: 'dell-latitude-5400' })]),
  )
  await client.post(orderOf('acme', 'known', '2025-01-01', [laptop('K-old', 12)]))
  await client.tell('acme', 'known', swap('k-1', 'K-new', { device_type: 'tablet' }))
  const { devices } = await client.provenReceipt('acme', 'known')
  assert.equal(devices[1]!['footprint_id'], 'dell-latitude-5400')
  await client.provenReceipt('other', 'first')
})

test('what takes the place of a device that came in by its words is charged like it, and stays so', async () => {
  await client.post(orderOf('acme', 'chain', '2025-01-01', [laptop('N-1', 12), laptop('N-x', 12), BOX]))
  await client.tell('acme', 'chain', { ...swap('n-1', 'N-2', DELL), serial_number: 'N-1' })
  const next = { serial_number: 'N-2', date: '2025-06-01' }
  await client.tell('acme', 'chain', { ...swap('n-2', 'N-3', {}), ...next })
  await client.tellDevice('N-2', { event_id: 'n-3', type: 'identified', model_id: 'lenovo-thinkpad-t490' })
  const { devices } = await client.provenReceipt('acme', 'chain')
  const bySerial = new Map(devices.map((one) => [one['serial_number'], one['footprint_id']]))
  assert.deepEqual([bySerial.get('N-2'), bySerial.get('N-3')], ['lenovo-thinkpad-t490', 'dell-latitude-5400'])
  await client.tellDevice('N-2', { event_id: 'n-4', type: 'withdrawn', withdraws: 'n-3' })
  await client.provenReceipt('acme', 'chain')
})

test('a corrected order replays the swap: all is as if it had had the corrected content at first', async () => {
  const sent = (id: string, months: number) =>
    orderOf('acme', id, '2025-01-01', [laptop(`${id}-old`, months), VAN, BOX])
  await client.post(sent('put', 12))
  await client.tell('acme', 'put', swap('put-1', 'put-new', { product_name: 'ThinkPad T490', brand: 'Lenovo' }))
  const put = await send('PUT', pathOf('acme', 'put'), sent('put', 24), { 'if-match': '*' })
  assert.equal(put.status, 200, put.text)
  await client.post(sent('right', 24))
  await client.tell('acme', 'right', swap('right-1', 'right-new', { product_name: 'ThinkPad T490', brand: 'Lenovo' }))
  const totals = async (id: string) => [
    (await read(pathOf('acme', id)))['total_emission'],
    figuresOf(await deviceOf(`${id}-new`))['total_emission'],
  ]
  assert.deepEqual(await totals('put'), await totals('right'))
  await client.provenReceipt('acme', 'put')
  // Withdrawn after the correction, too.
  await client.tell('acme', 'put', { event_id: 'put-2', type: 'withdrawn', withdraws: 'put-1' })
  await client.post(orderOf('acme', 'never', '2025-01-01', [laptop('never-old', 24), VAN, BOX]))
  assert.equal(
    (await read(pathOf('acme', 'put')))['total_emission'],
    (await read(pathOf('acme', 'never')))['total_emission'],
  )
})

test('a preview shows what the swap then posts, and stores nothing', async () => {
  await client.post(orderOf('acme', 'preview', '2025-01-01', [laptop('P-old', 12)]))
  await client.tell('acme', 'preview', swap('p-1', 'P-new', DELL))
  await client.tell('acme', 'preview', { event_id: 'p-2', type: 'withdrawn', withdraws: 'p-1' })
  for (const [id, serial, words] of [
    ['p-3', 'P-unknown', { device_type: 'tablet' }],
    ['p-4', 'P-new', { device_type: 'tablet' }],
  ] as const) {
    const before = await read(pathOf('acme', 'preview'))
    const preview = await tell('preview', swap(id, serial, words), '?preview=true')
    assert.equal(preview.status, 200, preview.text)
    assert.deepEqual(await read(pathOf('acme', 'preview')), before)
    const done = await tell('preview', swap(id, serial, words))
    const [shown] = preview.answer['orders'] as Json[]
    assert.equal((shown!['after'] as Json)['total_emission'], done.answer['total_emission'])
    const years = (preview.answer['years'] as Json[]).map(({ difference: of }) =>
      milligrams((of as Json)['total_emission']),
    )
    const difference = milligrams((preview.answer['difference'] as Json)['total_emission'])
    assert.equal(
      years.reduce((a, b) => a + b, 0n),
      difference,
    )
    await client.tell('acme', 'preview', { event_id: `${id}-w`, type: 'withdrawn', withdraws: id })
  }
})

test('a swap of a batch or of a file is the one that is sent alone', async () => {
  const words = { product_id: 'LEASE-7', product_name: 'ThinkPad T490', brand: 'Lenovo' }
  for (const id of ['alone', 'batch', 'file'])
    await client.post(orderOf('acme', id, '2025-01-01', [laptop(`${id}-old`, 12)]))
  await client.tell('acme', 'alone', swap('alone', 'alone-new', words))
  const event = { ...swap('batch', 'batch-new', words), customer_id: 'acme', order_id: 'batch' }
  const wrong = {
    ...swap('batch-wrong', 'B', { model_id: 'dell-latitude-54001' }),
    customer_id: 'acme',
    order_id: 'file',
  }
  const batch = await send('POST', '/api/events/batch', { events: [event, wrong] })
  const results = batch.answer['results'] as Json[]
  assert.deepEqual(
    results.map(({ status }) => status),
    [200, 400],
    batch.text,
  )
  const rows = [
    'event_id;customer_id;order_id;type;date;new_serial_number;weight_kg;product_id;Produktname;Marke;model_id',
    'file;acme;file;swapped;01.04.2025;file-new;1,5;LEASE-7;ThinkPad T490;Lenovo;',
    'file-2;acme;file;swapped;01.05.2025;file-newer;1,5;;;;dell-latitude-54001',
  ]
  const imports = createImportClient(service)
  const columns = encodeURIComponent(JSON.stringify({ Produktname: 'product_name', Marke: 'brand' }))
  const done = await imports.run(`${rows.join('\r\n')}\r\n`, `?kind=events&columns=${columns}`)
  assert.deepEqual([done['orders_stored'], done['orders_rejected']], [1, 1], JSON.stringify(done))
  const [error] = await imports.errors(done['import_id'])
  assert.deepEqual([error!['column'], error!['value']], ['model_id', 'dell-latitude-54001'])
  const alone = figuresOf(await deviceOf('alone-new'))
  assert.deepEqual(figuresOf(await deviceOf('batch-new')), alone)
  assert.deepEqual(figuresOf(await deviceOf('file-new')), alone)
})

test('the headers that mean a product in a file of orders are suggested in a file of events, too', async () => {
  const rows = [
    'event_id;customer_id;order_id;type;date;new_serial_number;weight_kg;Hersteller',
    'h;acme;alone;swapped;',
  ]
  const { status, text } = await createImportClient(service).send(rows.join('\r\n'), '?kind=events')
  assert.equal(status, 400, text)
  assert.match(text, /Hersteller[^{}]*brand/)
})

test('a receipt is caught in which the words of a swap lead elsewhere, though its hash was renewed', async () => {
  await client.post(orderOf('acme', 'forged', '2025-01-01', [laptop('V-old', 12)]))
  await client.tell('acme', 'forged', swap('v-1', 'V-new', { product_id: LATITUDE }))
  await client.tell('acme', 'forged', { event_id: 'v-2', type: 'returned', date: '2025-10-01' })
  const { text } = await client.provenReceipt('acme', 'forged')
  const [told, returned] = (JSON.parse(text) as { readonly events: readonly Json[] }).events as [Json, Json]
  const { match_method: method, dataset_release: release, recorded_at: at, serial_number: out, event } = told
  const bare = { recorded_at: at, serial_number: out, event }
  const elsewhere = { ...(event as Json), product_id: 'lenovo-thinkpad-t490' }
  const silent = swap('v-1', 'V-new', {})
  const forgeries: readonly (readonly [readonly Json[], RegExp])[] = [
    [[{ ...told, event: elsewhere }, returned], /^\/events\/0\/match_method$/],
    [[{ ...told, resolved_to: 'apple-macbook-air-13-m3-256gb' }, returned], /^\/events\/0\//],
    [[bare, returned], /^\/events\/0\/resolved_to$/],
    [[{ ...bare, event: silent }, returned], /^\/(devices|items)\/1\//],
    [[{ ...told, event: silent }, returned], /^\/events\/0\/resolved_to$/],
    [
      [told, { ...returned, resolved_to: LATITUDE, match_method: method, dataset_release: release }],
      /^\/events\/1\/resolved_to$/,
    ],
  ]
  for (const [events, pointer] of forgeries) {
    const forged = { ...(parseExactJson(text) as JsonObject), events: parseExactJson(JSON.stringify(events)) }
    const { hash, ...content } = forged as JsonObject
    const renewed = { ...content, hash: { ...(hash as JsonObject), value: digestOf(content) } }
    const found = verifyReceipt(canonicalise(renewed), matching)
    assert.ok(found.outcome === 'different' && pointer.test(found.difference.place), JSON.stringify(found))
  }
})

test('a file of events identifies a device by its columns of products', async () => {
  await client.post(orderOf('acme', 'by-file', '2025-01-01', [laptop('I-1', 12)]))
  const rows = `event_id;serial_number;type;model_id\r\ni-1;I-1;identified;${LATITUDE}\r\n`
  const done = await createImportClient(service).run(rows, '?kind=events')
  assert.deepEqual([done['orders_stored'], done['orders_rejected']], [1, 0], JSON.stringify(done))
  const { devices } = await client.provenReceipt('acme', 'by-file')
  assert.equal(devices[0]!['footprint_id'], LATITUDE)
})

test('a product that came in by a swap is listed with the words of the swap', async () => {
  await client.post(orderOf('acme', 'listed', '2025-01-01', [laptop('L-old', 12)]))
  const words = { product_id: 'only-swapped', product_name: 'Latitude 9999', brand: 'Dell', device_type: 'laptop' }
  await client.tell('acme', 'listed', swap('l-1', 'L-new', words))
  const { text } = await service.ask('/api/products?limit=100')
  const listed = (JSON.parse(text) as readonly Json[]).find((one) => one['product_id'] === 'only-swapped')!
  const { product_name: name, brand, device_type: type } = listed
  assert.deepEqual([name, brand, type], ['Latitude 9999', 'Dell', 'laptop'], JSON.stringify(listed))
})

test('wrong words are refused at their place, with suggestions, and change nothing', async () => {
  await client.post(orderOf('acme', 'wrong', '2025-01-01', [laptop('X-old', 12)]))
  const wrong: readonly (readonly [Json, string, RegExp])[] = [
    [{ model_id: 'dell-latitude-54001' }, '/model_id', /dell-latitude-5400/],
    [{ device_type: 'laptopp' }, '/device_type', /laptop/],
    [{ product_id: '   ' }, '/product_id', /white space/],
    [{ product_name: 17 }, '/product_name', /text|string/],
    [{ brand: '' }, '/brand', /./],
  ]
  for (const [words, path, says] of wrong) {
    const refused = await tell('wrong', swap('x-1', 'X-new', words))
    const detail = firstDetailOf(refused)
    assert.deepEqual([refused.status, detail['path']], [400, path], refused.text)
    assert.match(JSON.stringify(detail), says)
  }
  assert.deepEqual((await deviceOf('X-new'))['orders'], [])
})

test('a repeated swap answers as before, and other words under its id are a conflict', async () => {
  await client.post(orderOf('acme', 'again', '2025-01-01', [laptop('A-old', 12)]))
  const first = swap('a-1', 'A-new', { product_id: ' LEASE-8 ', product_name: 'ThinkPad T490' })
  const sent = await tell('again', first)
  assert.equal(sent.status, 200, sent.text)
  assert.match(sent.text, /white_space_trimmed/)
  await send('PUT', '/api/products/LEASE-8', { model_id: 'dell-latitude-5400' })
  const again = await tell('again', first)
  assert.deepEqual([again.status, again.headers['idempotent-replayed']], [200, 'true'])
  assert.equal(again.answer['total_emission'], sent.answer['total_emission'])
  const other = await tell('again', { ...first, product_name: 'ThinkPad T495' })
  assert.deepEqual([other.status, firstDetailOf(other)['path']], [409, '/product_name'])
})

test('statements, exports and an erasure have such a device, and everything stored verifies', async () => {
  const { text } = await service.ask('/api/exports/devices?customer_id=acme&format=csv')
  const row = text.split('\n').find((line) => line.includes('file-new'))
  assert.match(row ?? text.slice(0, 500), /dell-latitude-5400.*LEASE-7.*mapping:dell-latitude-5400/)
  const before = await readStatement(service.server.app, service.key, 'acme', 2025)
  assert.match(before.text, /file-new/)
  const erased = await pseudonymise(service, 'acme', { serial_numbers: true })
  assert.equal(erased.status, 200, JSON.stringify(erased.answer))
  const { lines, differences } = await verifyAll(service.pool)
  assert.deepEqual([lines, differences], [[], 0])
})

test('a figure that does not follow from the words is found by verification', async () => {
  const { rowCount } = await service.pool.query(
    `update entries set match_method = null, product_id = null
     where reason = 'swapped_in' and entry_no = 1 and match_method = 'name'`,
  )
  assert.ok(rowCount! > 0)
  const { lines } = await verifyAll(service.pool)
  assert.match(lines.join('\n'), /device ".+" match_method/)
})
