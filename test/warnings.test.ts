// What is probably wrong in a request: refused, told in the answer, or refused by an account that wants it so.
import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import type { Json } from './document-check.ts'
import { createImportClient } from './import-client.ts'
import { order, pathOf } from './order-client.ts'
import type { Answer } from './raw-http.ts'
import { AIR_LEG, BOX, VAN, laptop, orderOf } from './receipt-client.ts'
import { until } from './command.ts'
import { SCOPES } from '../src/postgres/accounts.ts'
import { countRows, startService, type Service } from './service.ts'

let service: Service
before(async () => void (service = await startService()))
after(() => service.stop())

const bodyOf = ({ text }: Answer): Json => JSON.parse(text) as Json
const listOf = (answer: Answer, member: string): readonly Json[] => (bodyOf(answer)[member] ?? []) as readonly Json[]
const shown = (problems: readonly Json[]): readonly string[] =>
  problems.map(({ path, code }) => `${String(path)} ${String(code)}`)
const warningsOf = (answer: Answer): readonly string[] => {
  assert.equal(answer.status, 200, answer.text)
  const warnings = shown(listOf(answer, 'warnings'))
  assert.equal(answer.headers['warnings'], warnings.length === 0 ? undefined : String(warnings.length))
  return warnings
}
const errorsOf = (answer: Answer): readonly string[] => {
  assert.equal(answer.status, 400, answer.text)
  return shown(listOf(answer, 'details'))
}

const sendTo =
  (path: string, key = service.key) =>
  (body: Json) =>
    service.ask(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': key },
      body: JSON.stringify(body),
    })
const HEADER = 'customer_id,order_id,order_date,tenure_start_date,type,product_id,serial_number,tenure_months,weight_kg'

const tell = (customer: string, id: string, event: Json) => sendTo(`${pathOf(customer, id)}/events`)(event)

test('a placeholder is no serial number: not in an order, not as the new device of a swap', async () => {
  const stored = await countRows(service.pool)
  const both = orderOf('a', 'placeholder', '2025-01-01', [laptop('N/A', 48), laptop('n/a', 48), laptop('N/A', 48)])
  const refused = await service.post(both)
  const at = (position: number) => `/items/${position}/config/serial_number`
  assert.deepEqual(errorsOf(refused), [
    ...[0, 1, 2].map((position) => `${at(position)} placeholder_serial_number`),
    `${at(2)} device_repeated`,
  ])
  assert.match(String(listOf(refused, 'details')[0]!['message']), /would count as one device/)
  assert.deepEqual(await countRows(service.pool), stored)
  assert.deepEqual(errorsOf(await sendTo('/api/estimates')(both)).length, 4)

  await service.post(order('a', 'swap', ['swap-1']))
  const swap = { event_id: 'swap', type: 'swapped', date: '2025-03-01', new_serial_number: 'TBD', weight_kg: 1.2 }
  assert.deepEqual(errorsOf(await tell('a', 'swap', swap)), ['/new_serial_number placeholder_serial_number'])
})

test('an order with invalid members is told of its placeholders, too', async () => {
  const broken = orderOf('a', ' ', '2025-01-01', [laptop('To be filled by O.E.M.', 48, { weight_kg: '1' })])
  assert.deepEqual(errorsOf(await service.post(broken)), [
    '/items/0/config/weight_kg wrong_value',
    '/order_id blank',
    '/items/0/config/serial_number placeholder_serial_number',
  ])
})

test('rows with placeholders are rejected by an import', async () => {
  const imports = createImportClient(service)
  const done = await imports.run(
    `${HEADER}\n` +
      'p,p1,2025-01-01,2025-01-02,product,P-1,keine Angabe,12,1.4\n' +
      'p,p2,2025-01-01,2025-01-02,product,P-1,p-2,12,1.4\n',
  )
  assert.deepEqual([done['orders_stored'], done['orders_rejected']], [1, 1])
  const [fault] = await imports.errors(done['import_id'])
  assert.deepEqual([fault!['row'], fault!['column'], fault!['code']], [2, 'serial_number', 'placeholder_serial_number'])
})

test('ids are trimmed and normalised, in bodies, paths and filters', async () => {
  const first = await service.post(order('caf\u00e9', 'A1', ['trim-1']))
  assert.deepEqual(warningsOf(first), [])
  const padded = await service.post(order(' cafe\u0301', 'A1\u00a0', ['trim-1']))
  assert.equal(padded.headers['idempotent-replayed'], 'true')
  assert.deepEqual(warningsOf(padded), ['/customer_id white_space_trimmed', '/order_id white_space_trimmed'])
  assert.deepEqual({ ...bodyOf(padded), warnings: undefined }, { ...bodyOf(first), warnings: undefined })
  for (const path of [pathOf('caf\u00e9', 'A1'), pathOf('cafe\u0301 ', ' A1')]) {
    assert.equal((await service.ask(path)).status, 200)
    assert.equal((await service.ask(`${path}/receipt`)).status, 200)
    assert.equal((await service.ask(`${path}/verification`)).status, 200)
  }
  for (const query of ['customer_id=cafe%CC%81%20', 'order_id=%20A1'])
    assert.equal(listOfText((await service.ask(`/api/customer-orders?${query}`)).text).length, 1, query)
  assert.equal((await service.ask('/api/statements/%20caf%C3%A9/2025')).status, 200)
  const { text } = await service.ask('/api/reports/emissions?group_by=customer&customer=%20caf%C3%A9')
  assert.deepEqual(
    (JSON.parse(text) as { readonly groups: readonly Json[] }).groups.map((group) => group['customer']),
    ['caf\u00e9'],
  )

  const back = { event_id: 'back ', type: 'returned', date: '2025-06-01' }
  assert.deepEqual(warningsOf(await tell(' caf\u00e9', 'A1', back)), ['/event_id white_space_trimmed'])
  const again = await tell('caf\u00e9', 'A1', { ...back, event_id: 'back' })
  assert.equal(again.headers['idempotent-replayed'], 'true')
  assert.deepEqual(warningsOf(again), [])
})

const listOfText = (text: string): readonly Json[] => JSON.parse(text) as readonly Json[]

test('a product id is trimmed, and one of white space only is refused', async () => {
  const sent = orderOf('a', 'product', '2025-01-01', [laptop('product-1', 12, { product_id: ' P-4711 ' })])
  const answer = await service.post(sent)
  assert.deepEqual(warningsOf(answer)[0], '/items/0/config/product_id white_space_trimmed')
  const blank = orderOf('a', 'blank', '2025-01-01', [laptop('product-2', 12, { product_id: ' ' })])
  assert.deepEqual(errorsOf(await service.post(blank)), ['/items/0/config/product_id blank'])
})

/** Makes an order what an earlier version stored: with the ids and the product id as they were sent. */
async function storeWithWhiteSpace(customer: string, id: string): Promise<void> {
  for (const table of ['orders', 'entries', 'events']) {
    const text = `update ${table} set customer_id = ' ' || customer_id, order_id = order_id || ' '
      where customer_id = $1 and order_id = $2`
    await service.pool.query(text, [customer, id])
  }
  await service.pool.query(
    `update events set event_id = event_id || ' ',
    content = replace(content, '"' || event_id || '"', '"' || event_id || ' "') where order_id = $1`,
    [`${id} `],
  )
  const items = 'update orders set items = replace(items, $2, $3) where order_id = $1'
  await service.pool.query(items, [`${id} `, '-m3-256gb"', '-m3-256gb "'])
}

test('what an earlier version stored with white space is found under the ids as they were sent', async () => {
  await service.post(order('old', 'A1', ['old-1']))
  const back = { event_id: 'old-back', type: 'returned', date: '2025-06-01' }
  await tell('old', 'A1', back)
  await storeWithWhiteSpace('old', 'A1')
  const stored = await countRows(service.pool)

  const again = await service.post(order(' old', 'A1 ', ['old-1']))
  assert.deepEqual([again.status, again.headers['idempotent-replayed']], [200, 'true'], again.text)
  assert.equal(bodyOf(again)['order_id'], 'A1 ')
  const different = await service.post(order(' old', 'A1 ', ['old-2']))
  assert.equal(different.status, 409)
  assert.equal((await sendTo('/api/estimates')(order(' old', 'A1 ', ['old-1']))).status, 409)
  const told = await tell(' old', 'A1 ', { ...back, event_id: 'old-back ' })
  assert.deepEqual([told.status, told.headers['idempotent-replayed']], [200, 'true'], told.text)
  assert.deepEqual(await countRows(service.pool), stored)

  assert.equal(bodyOf(await service.ask(pathOf(' old', 'A1 ')))['status'], 'returned')
  assert.equal((await service.ask(pathOf('old', 'A1'))).status, 404)
  for (const path of [
    'customer-orders?customer_id=%20old',
    'customer-orders?order_id=A1%20',
    'devices?customer_id=%20old',
  ])
    assert.equal(listOfText((await service.ask(`/api/${path}`)).text).length, 1, path)
  assert.equal((await service.ask('/api/statements/%20old/2025')).status, 200)

  const imports = createImportClient(service)
  const file =
    `${HEADER},packaging_id\n` +
    ' old,A1 ,2025-01-10,2025-02-01,product,apple-macbook-air-13-m3-256gb,old-1,12,1.24,\n' +
    ' old,A1 ,2025-01-10,2025-02-01,packaging,,,,0.31,corrugated-board-recycled\n'
  for (const query of ['?dry_run=true', '']) {
    const done = await imports.run(file, query)
    assert.equal(done['orders_replayed'], 1, JSON.stringify(await imports.errors(done['import_id'])))
  }
})

test('rows whose ids differ in white space alone are one order', async () => {
  const imports = createImportClient(service)
  const row = (id: string, serial: string) => `w,${id},2025-01-01,2025-01-02,product,P-1,${serial},12,1.4\n`
  const done = await imports.run(`${HEADER}\n` + row('W1', 'w-0') + row('W1 ', 'w-1') + row(' W1', 'w-2'))
  assert.deepEqual([done['orders_stored'], done['rows_rejected']], [1, 0])
})

test('null in an optional member is the same as its absence', async () => {
  const nothing = { country: null, product_name: null, brand: null, device_type: null, model_id: null }
  const leg = { ...VAN, config: { ...(VAN['config'] as Json), distance_basis: null } }
  const sent = orderOf('n', 'null', '2025-01-01', [laptop('null-1', 12, nothing), leg, BOX], {
    country: null,
    metadata: { cost_centre: null },
  })
  const first = await service.post(sent)
  assert.equal(first.status, 200, first.text)
  assert.equal(first.headers['x-ignored-members'], undefined)
  const plain = { ...VAN, config: { ...(VAN['config'] as Json), distance_basis: undefined } }
  const again = await service.post(orderOf('n', 'null', '2025-01-01', [laptop('null-1', 12), plain, BOX]))
  assert.deepEqual([again.text, again.headers['idempotent-replayed']], [first.text, 'true'])
  assert.equal((await service.post(orderOf('n', 'empty', '2025-01-01', [], { items: null }))).status, 200)

  const changes = { tenure_months: 6, transportation: null, refurbished: null }
  const estimate = orderOf('n', 'estimate', '2025-01-01', [laptop('null-2', 12)], {
    metadata: null,
    alternatives: [{ name: 'shorter', changes }],
  })
  assert.equal(listOf(await sendTo('/api/estimates')(estimate), 'alternatives').length, 1)
  const back = { event_id: 'null', type: 'returned', date: '2025-06-01', serial_number: null }
  assert.equal((await tell('n', 'null', back)).status, 200)
})

test('null in a required member, or in place of all changes of an alternative, is refused', async () => {
  const sent = orderOf('n', 'required', '2025-01-01', [laptop('null-3', 12, { weight_kg: null, country: null })])
  assert.deepEqual(errorsOf(await service.post(sent)), ['/items/0/config/weight_kg wrong_value'])
  const alternatives = [{ name: 'none', changes: { tenure_months: null } }]
  const estimate = orderOf('n', 'required', '2025-01-01', [laptop('null-3', 12)], { alternatives })
  assert.deepEqual(errorsOf(await sendTo('/api/estimates')(estimate)), ['/alternatives/0/changes wrong_value'])
})

const config = (at: number, member: string): string => `/items/${at}/config/${member}`
const leg = (distanceKm: number, weightKg: number): Json => ({
  type: 'transportation',
  config: { ...(AIR_LEG['config'] as Json), distance_km: distanceKm, weight_kg: weightKg },
})
const unknown = (serial: string, more: Json) => laptop(serial, 12, { product_id: 'P-000777', ...more })

/** 1.38 kg; the other laptops of these tests have a model without a weight, so that of their type counts. */
const LATITUDE = { product_id: 'dell-latitude-3120' }

const WARNED: Readonly<Record<string, readonly [items: readonly Json[], warnings: readonly string[]]>> = {
  'grams for kilograms': [[laptop('w-g', 12, { weight_kg: 1240 })], [`${config(0, 'weight_kg')} implausible_weight`]],
  'four times the weight of the type': [[laptop('w-4', 12, { weight_kg: 6.68 })], []],
  'more than four times': [[laptop('w-5', 12, { weight_kg: 6.69 })], [`${config(0, 'weight_kg')} implausible_weight`]],
  'four times the weight of the model': [[laptop('w-m', 12, { ...LATITUDE, weight_kg: 5.52 })], []],
  'more than that': [
    [laptop('w-n', 12, { ...LATITUDE, weight_kg: 5.53 })],
    [`${config(0, 'weight_kg')} implausible_weight`],
  ],
  'less than a quarter': [[laptop('w-6', 12, { weight_kg: 0.417 })], [`${config(0, 'weight_kg')} implausible_weight`]],
  'a tenure of 84 months': [[laptop('w-84', 84)], []],
  'a tenure of 85 months': [[laptop('w-85', 85)], [`${config(0, 'tenure_months')} implausible_tenure`]],
  'a leg once around the earth': [
    [laptop('w-leg', 12), leg(25_000.5, 2)],
    [`${config(1, 'distance_km')} implausible_distance`],
  ],
  'legs that carry less than the devices weigh': [
    [laptop('w-l1', 12), laptop('w-l2', 12), leg(100, 1), leg(100, 1.4)],
    ['/items transport_lighter_than_devices'],
  ],
  'legs that carry exactly what the devices weigh': [
    [laptop('w-e1', 12, { weight_kg: 1.1 }), laptop('w-e2', 12, { weight_kg: 1.2 }), leg(100, 2.3)],
    [],
  ],
  'a product of which only the weight is known': [
    [unknown('w-w', { weight_kg: 1.4 })],
    [`${config(0, 'product_id')} stand_in_by_weight_alone`],
  ],
  'a heavy product of an unknown type': [
    [unknown('w-h', { weight_kg: 60.5 })],
    [`${config(0, 'weight_kg')} implausible_weight`, `${config(0, 'product_id')} stand_in_by_weight_alone`],
  ],
  'a heavy product of a known type': [
    [unknown('w-t', { weight_kg: 7, device_type: 'laptop' })],
    [`${config(0, 'weight_kg')} implausible_weight`],
  ],
}

test('what is implausible in an order is told, by the order and by an estimate of it', async () => {
  for (const [at, [what, [items, warnings]]] of Object.entries(WARNED).entries()) {
    const sent = orderOf('w', `w${at}`, '2025-01-01', items)
    const estimated = await sendTo('/api/estimates')(sent)
    const [first, again] = [await service.post(sent), await service.post(sent)]
    for (const answer of [estimated, first, again]) assert.deepEqual(warningsOf(answer), warnings, what)
    assert.equal(again.text, first.text)
    // The order is stored as it is without them.
    assert.equal('warnings' in bodyOf(await service.ask(pathOf('w', `w${at}`))), false)
  }
})

test('what is implausible in an event is told', async () => {
  await service.post(order('w', 'events', ['w-events']))
  const longer = { event_id: 'w-1', type: 'extended', tenure_months: 120 }
  for (let time = 0; time < 2; time += 1)
    assert.deepEqual(warningsOf(await tell('w', 'events', longer)), ['/tenure_months implausible_tenure'])
  const swap = { event_id: 'w-2', type: 'swapped', date: '2025-03-01', new_serial_number: 'w-new', weight_kg: 1240 }
  assert.deepEqual(warningsOf(await tell('w', 'events', swap)), ['/weight_kg implausible_weight'])
  // By the product that it names, grams are told of a phone, too.
  const words = { product_name: 'iPhone 15 128GB', weight_kg: 24 }
  const named = { event_id: 'w-4', type: 'swapped', date: '2025-04-01', new_serial_number: 'w-named', ...words }
  assert.deepEqual(warningsOf(await tell('w', 'events', named)), ['/weight_kg implausible_weight'])
  const unknown = { event_id: 'w-5', type: 'swapped', date: '2025-05-01', new_serial_number: 'w-any', weight_kg: 3 }
  const byWeight = await tell('w', 'events', { ...unknown, product_id: 'SKU-0815' })
  assert.deepEqual(warningsOf(byWeight), ['/product_id stand_in_by_weight_alone'])
  const heavy = { event_id: 'w-6', type: 'identified', device_type: 'mobile', weight_kg: 190 }
  const identified = await sendTo('/api/devices/w-any/events')(heavy)
  assert.deepEqual(warningsOf(identified), ['/weight_kg implausible_weight'])
  const gone = { event_id: ' w-3', type: 'retired', date: '2025-03-02' }
  assert.deepEqual(warningsOf(await sendTo('/api/devices/w-events/events')(gone)), ['/event_id white_space_trimmed'])
})

test('nothing is told of a known device that a swap brings in: what the event says is not used', async () => {
  for (const id of ['known', 'known-by-batch', 'known-by-file']) await service.post(order('w', id, [`w-${id}`]))
  const serials = ['1', '2', '3'].map((no) => `w-known-${no}`)
  await service.post(
    orderOf(
      'w',
      'before',
      '2023-01-01',
      serials.map((serial) => laptop(serial, 6)),
    ),
  )
  const swap = { type: 'swapped', date: '2025-03-01', product_id: 'SKU-0815', weight_kg: 70 }
  const one = { ...swap, event_id: 'w-k1', new_serial_number: serials[0]! }
  for (let time = 0; time < 2; time += 1) assert.deepEqual(warningsOf(await tell('w', 'known', one)), [])
  const batched = { ...swap, customer_id: 'w', order_id: 'known-by-batch', event_id: 'w-k2' }
  const sent = { events: [{ ...batched, new_serial_number: serials[1]! }] }
  const [result] = listOf(await sendTo('/api/events/batch')(sent), 'results')
  assert.deepEqual([result!['status'], result!['warnings']], [200, undefined])
  const row = ['w', 'known-by-file', 'w-k3', 'swapped', '2025-03-01', serials[2]!, '70', 'SKU-0815'].join()
  const columns = 'customer_id,order_id,event_id,type,date,new_serial_number,weight_kg,product_id'
  const imported = await createImportClient(service).run(`${columns}\n${row}\n`, '?kind=events')
  assert.deepEqual([imported['orders_stored'], imported['number_of_warnings']], [1, 0])
  // A device whose only rental was taken back with the swap is named by the next one: what that says is told.
  await service.post(order('w', 'unknown', ['w-unknown']))
  const first = { ...swap, event_id: 'w-k4', new_serial_number: 'w-unknown-new' }
  const told = ['/weight_kg implausible_weight', '/product_id stand_in_by_weight_alone']
  assert.deepEqual(warningsOf(await tell('w', 'unknown', first)), told)
  await tell('w', 'unknown', { event_id: 'w-k5', type: 'withdrawn', withdraws: 'w-k4' })
  assert.deepEqual(warningsOf(await tell('w', 'unknown', { ...first, event_id: 'w-k6' })), told)
})

test('batches and files of events tell the same of a swap that names its product', async () => {
  await service.post(order('w', 'doors', ['w-b0']))
  const of = { customer_id: 'w', order_id: 'doors', type: 'swapped', product_name: 'iPhone 15 128GB', weight_kg: 24 }
  const swap = { ...of, event_id: 'w-b1', date: '2025-03-01', new_serial_number: 'w-b1' }
  const [told] = listOf(await sendTo('/api/events/batch')({ events: [swap] }), 'results')
  assert.deepEqual(shown(told!['warnings'] as readonly Json[]), ['/weight_kg implausible_weight'])
  const next = { ...of, event_id: 'w-b2', date: '2025-04-01', new_serial_number: 'w-b2' }
  const file = [Object.keys(next), Object.values(next)].map((cells) => cells.join(',')).join('\n')
  const { warnings } = await createImportClient(service).run(`${file}\n`, '?kind=events')
  assert.deepEqual(
    (warnings as readonly Json[]).map(({ column, code }) => [column, code]),
    [['weight_kg', 'implausible_weight']],
  )
})

test('of many warnings all are counted and 50 listed', async () => {
  const items = Array.from({ length: 60 }, (_, at) => laptop(`many-${at}`, 100))
  const { headers, text } = await service.post(orderOf('w', 'many', '2025-01-01', items))
  assert.equal(headers['warnings'], '60')
  assert.equal((JSON.parse(text) as { readonly warnings: readonly Json[] }).warnings.length, 50)
})

test('an account that is strict has every warning refused, and stores nothing then', async () => {
  const key = await service.createKey(SCOPES, null, 'strict')
  const headers = { 'content-type': 'application/json', 'x-api-key': key }
  const put = (settings: Json) =>
    service.ask('/api/account', {
      method: 'PUT',
      headers,
      body: JSON.stringify({ amortisation: 'capped', ...settings }),
    })
  assert.equal(bodyOf(await put({}))['strictness'], 'warn')
  assert.equal(bodyOf(await put({ strictness: 'refuse' }))['strictness'], 'refuse')
  assert.equal(bodyOf(await put({}))['strictness'], 'refuse')
  assert.equal((await put({ strictness: 'strict' })).status, 400)
  const warned = orderOf('s', 's', '2025-01-01', [laptop('s', 85)])
  const isStrict = async () => (await sendTo('/api/estimates', key)(warned)).status === 400
  await until(isStrict, () => 'the change takes no effect')

  const stored = await countRows(service.pool)
  const post = sendTo('/api/customer-orders', key)
  const sent = orderOf('s', 's1', '2025-01-01', [laptop('s-1', 85, { weight_kg: 1240 })])
  assert.deepEqual(errorsOf(await post(sent)), [
    `${config(0, 'tenure_months')} implausible_tenure`,
    `${config(0, 'weight_kg')} implausible_weight`,
  ])
  assert.deepEqual(await countRows(service.pool), stored)
  assert.equal((await post(orderOf('s', 's1', '2025-01-01', [laptop('s-1', 12)]))).status, 200)
  const longer = { event_id: 's-1', type: 'extended', tenure_months: 120 }
  assert.deepEqual(errorsOf(await sendTo(`${pathOf('s', 's1')}/events`, key)(longer)), [
    '/tenure_months implausible_tenure',
  ])
})
