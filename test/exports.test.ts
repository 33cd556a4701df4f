// Exports are what the database holds, to the milligram, and tell what they are; an export of orders imports again.
import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import { request } from 'node:http'
import { toKilograms } from '../src/engine/numbers/emission.ts'
import { serialNumbersOfOrder } from '../src/ledger/order-state.ts'
import { createExports } from '../src/postgres/exports.ts'
import { until } from './command.ts'
import {
  exportedBy,
  milligramsIn,
  postedBy,
  readersOf,
  rowsInCsv,
  rowsInJson,
  rowsInWorkbook,
  sumOf,
  type Cells,
  type Sums,
} from './export-reading.ts'
import type { Json } from './document-check.ts'
import { createImportClient } from './import-client.ts'
import { ORDERS_POSTED, postOfEveryKind } from './orders-of-every-kind.ts'
import { laptop, orderOf } from './receipt-client.ts'
import { startService, type Service } from './service.ts'
import { createOrderClient, inSequence, keyOf, order, type OrderClient } from './order-client.ts'

let service: Service
let client: OrderClient
before(async () => {
  service = await startService()
  client = createOrderClient(service)
  await postOfEveryKind(client)
})
after(() => service.stop())

const bytesOf = (path: string, key = service.key): Promise<Buffer> => exportedBy(service, path, key)
const PARTS = ['embodied', 'use', 'packaging', 'transportation'] as const
const identityOf = (row: Cells): string => `${row['customer_id']}/${row['order_id']}`

test('orders come item by item in the sequence of their keys, and each adds up to what was posted to it', async () => {
  const rows = rowsInCsv(await bytesOf('orders'))
  const posted = (await postedBy(service.pool, 'customer_id, order_id')).filter(({ order_id }) => order_id !== '')
  const byOrder = Map.groupBy(rows, identityOf)
  const orders = [...byOrder.values()].map(([row]) => row!)
  const inTurn = inSequence(orders) as readonly Cells[]
  assert.deepEqual([...byOrder.keys()], inTurn.map(identityOf))
  assert.equal(byOrder.size, ORDERS_POSTED)
  for (const sums of posted) {
    const own = byOrder.get(`${sums.customer_id}/${sums.order_id}`)!.filter((row) => row['export.total_kg'] !== '')
    for (const part of PARTS)
      assert.equal(sumOf(own, `export.${part}_kg`), sums[part], `${sums.customer_id} ${sums.order_id} ${part}`)
    const total = PARTS.reduce((sum, part) => sum + sums[part], 0n)
    assert.equal(sumOf(own, 'export.total_kg'), total)
  }
  const first = byOrder.get('=1+1/=1+1 0')!
  assert.deepEqual(
    first.map((row) => [
      row['type'],
      row['serial_number'],
      row['weight_kg'],
      row['metadata.=1+1'],
      row['metadata.team'],
    ]),
    [
      ['product', '=1+1 A', '1.24', '=1+1', '0'],
      ['product', '=1+1 B', '1.24', '=1+1', '0'],
      ['packaging', '', '0.31', '=1+1', '0'],
      ['transportation', '', '1.5', '=1+1', '0'],
    ],
  )
  const answered = (await client.list('?customer_id=%3D1%2B1')).orders[0]!['total_emission']
  assert.equal(toKilograms(sumOf(first, 'export.answered_kg')), String(answered))
  const swapped = byOrder.get('told/swapped')!
  assert.deepEqual(
    swapped.map((row) => row['export.devices']),
    ['D-swapped D-new D-newer', 'E-swapped', ''],
  )
})

test('devices come with their balances and all that was posted to them, entries one by one', async () => {
  const devices = rowsInCsv(await bytesOf('devices'))
  const posted = (await postedBy(service.pool, 'serial_number')).filter(({ serial_number }) => serial_number !== '')
  assert.deepEqual(
    devices.map((row) => [row['serial_number'], ...PARTS.map((part) => milligramsIn(row[`${part}_kg`]!))]),
    posted.map((sums) => [sums.serial_number, ...PARTS.map((part) => sums[part])]),
  )
  for (const row of devices)
    assert.equal(milligramsIn(row['whole_kg']!) - milligramsIn(row['remaining_kg']!), milligramsIn(row['embodied_kg']!))
  const entries = rowsInCsv(await bytesOf('entries'))
  const { rows } = await service.pool.query<{ readonly entry_no: number } & Sums>(
    `select *, embodied_mg as embodied, use_mg as use, packaging_mg as packaging, transportation_mg as transportation
    from entries where account_id = (select account_id from accounts where name = 'test')
    order by serial_number, customer_id, order_id, entry_no`,
  )
  const asText = (name: string) => (row: Cells) => row[name]
  assert.deepEqual(
    entries.map(asText('entry_no')),
    rows.map((row) => String(row.entry_no)),
  )
  for (const part of PARTS)
    assert.deepEqual(
      entries.map((row) => milligramsIn(row[`${part}_kg`]!)),
      rows.map((row) => row[part]),
    )
  assert.ok(entries.some((row) => row['reason'] === 'retirement' && row['order_id'] === ''))
})

test('an entry has the first open day on which it counts if the books were closed, and else no such day', async () => {
  const key = await service.createKey(undefined, null, 'dated')
  const client = createOrderClient(service, key)
  await client.post(orderOf('dated', 'open', '2024-03-01', [laptop('X1', 12)]))
  const body = JSON.stringify({ closed_until: '2025-01-01' })
  const headers = { 'x-api-key': key, 'content-type': 'application/json' }
  assert.equal((await service.ask('/api/periods', { method: 'POST', headers, body })).status, 200)
  await client.tell('dated', 'open', { event_id: 'x-r', type: 'returned', date: '2024-06-01' })
  const rows = rowsInCsv(await bytesOf('entries', key)).map((row) => [row['counts_from'], row['reason']])
  assert.deepEqual(rows, [
    ['', 'order'],
    ['2025-01-01', 'early_return'],
  ])
})

test('the three formats say the same', async () => {
  for (const [path, sheet] of [
    ['orders', 'Orders'],
    ['events', 'Events'],
    ['devices', 'Devices'],
    ['entries', 'Entries'],
  ] as const) {
    const csv = rowsInCsv(await bytesOf(path)).map((row) =>
      Object.fromEntries(Object.entries(row).filter(([name, cell]) => cell !== '' && !name.startsWith('export.about'))),
    )
    const json = rowsInJson(await bytesOf(`${path}?format=json`)).rows.map((row) =>
      Object.fromEntries(Object.entries(row).map(([name, value]) => [name, String(value)])),
    )
    const isExact = (name: string) => !/(?:_at|_kg)$/.test(name)
    const sorted = (rows: readonly Cells[]) =>
      rows.map((row) => Object.entries(row).filter(([name, cell]) => cell !== '' && isExact(name)))
    assert.deepEqual(json, csv, path)
    assert.deepEqual(sorted(await rowsInWorkbook(await bytesOf(`${path}?format=xlsx`), sheet)), sorted(csv), path)
  }
})

test('an export of orders imports again, and changes nothing', async () => {
  const imports = createImportClient(service)
  const orders = ORDERS_POSTED
  const xlsx = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
  for (const [format, type, query] of [
    ['csv', 'text/csv', ''],
    ['xlsx', xlsx, '?sheet=Orders'],
  ] as const) {
    const done = await imports.run(await bytesOf(`orders?format=${format}`), query, type)
    const { orders_stored, orders_replayed, orders_rejected } = done
    assert.deepEqual(
      { orders_stored, orders_replayed, orders_rejected },
      { orders_stored: 0, orders_replayed: orders, orders_rejected: 0 },
      JSON.stringify([done, await imports.errors(done['import_id'])]),
    )
  }
  const key = await service.createKey(undefined, null, 'elsewhere')
  const done = await createImportClient(service, key).run(await bytesOf('orders?customer_id=told'))
  assert.equal(done['orders_stored'], 5)
})

test('an export of events has those that count, as they were sent, and imports again without a change', async () => {
  const key = await service.createKey(undefined, null, 'events')
  const own = createOrderClient(service, key)
  await own.post(orderOf('=c', 'o', '2025-01-01', [laptop('V-1', 12), laptop('V-2', 12)]))
  const swap = { event_id: '=1', type: 'swapped', date: '2025-03-01', new_serial_number: 'V-3', weight_kg: 1.3 }
  await own.tell('=c', 'o', { ...swap, serial_number: 'V-1', product_id: 'apple-iphone-15-128gb' })
  await own.tell('=c', 'o', { event_id: 'x', type: 'extended', tenure_months: 20 })
  await own.tell('=c', 'o', { event_id: 'w', type: 'withdrawn', withdraws: 'x' })
  await own.post(orderOf('=c', 'never', '2025-02-01', [laptop('V-4', 12)]))
  await own.tell('=c', 'never', { event_id: 'n', type: 'cancelled', date: '2025-01-20', dispatched: true })
  const reason = 'Wrong name'
  await own.tellDevice('V-2', { event_id: 'i', type: 'identified', model_id: 'apple-iphone-15-128gb', reason })
  await own.tellDevice('V-2', { event_id: 'gone', type: 'lost', date: '2026-01-01' })
  await own.tellDevice('V-2', { event_id: 'found', type: 'withdrawn', withdraws: 'gone' })
  const fixed = { event_id: 'f', type: 'refurbished', date: '2026-01-01', emission_kg: 0.1, lifetime_months_added: 6 }
  await own.tellDevice('V-2', fixed)
  const csv = await bytesOf('events', key)
  assert.deepEqual(
    rowsInCsv(csv).map((row) =>
      Object.fromEntries(Object.entries(row).filter(([name, cell]) => cell !== '' && !/_at$|about/.test(name))),
    ),
    [
      {
        ...{ event_id: '=1', customer_id: '=c', order_id: 'o', serial_number: 'V-1', type: 'swapped' },
        ...{ date: '2025-03-01', new_serial_number: 'V-3', weight_kg: '1.3', product_id: 'apple-iphone-15-128gb' },
      },
      {
        ...{ event_id: 'n', customer_id: '=c', order_id: 'never', type: 'cancelled', date: '2025-01-20' },
        dispatched: 'true',
      },
      {
        ...{ event_id: 'i', serial_number: 'V-2', type: 'identified', model_id: 'apple-iphone-15-128gb' },
        reason,
      },
      {
        ...{ event_id: 'f', serial_number: 'V-2', type: 'refurbished', date: '2026-01-01', emission_kg: '0.1' },
        lifetime_months_added: '6',
      },
    ],
  )
  const again = await createImportClient(service, key).run(csv, '?kind=events')
  assert.deepEqual([again['orders_replayed'], again['orders_stored'], again['orders_rejected']], [4, 0, 0])
})

test('filters choose what is exported, and an export tells them; another account has none of it', async () => {
  const idsOf = async (query: string, key?: string) =>
    rowsInJson(await bytesOf(`orders?format=json&${query}`, key)).rows.map(keyOf)
  assert.deepEqual(
    [...new Set(await idsOf('customer_id=told&status=cancelled,returned'))],
    ['told/cancelled', 'told/returned'],
  )
  assert.deepEqual(await idsOf('from=2025-01-11'), [])
  assert.equal((await idsOf('from=2025-01-10&to=2025-01-10')).length, (await idsOf('')).length)
  const ofTold = rowsInJson(await bytesOf('devices?format=json&customer_id=told')).rows.map(
    (row) => row['serial_number'],
  )
  assert.ok(ofTold.length > 5 && ofTold.every((serial) => /^[DE]-/.test(String(serial))))
  const today = new Date().toISOString().slice(0, 10)
  for (const path of ['events', 'devices', 'entries']) {
    const { about, rows } = rowsInJson(await bytesOf(`${path}?format=json&from=2000-01-01&to=2000-12-31`))
    assert.deepEqual([about['filters'], rows], [{ from: ['2000-01-01'], to: ['2000-12-31'] }, []])
    const { rows: all } = rowsInJson(await bytesOf(`${path}?format=json&from=2000-01-01`))
    assert.ok(all.length > 5 && String(about['exported_at']) >= today)
  }
  const other = await service.createKey(undefined, null, 'nobody')
  for (const path of ['orders', 'events', 'devices', 'entries']) {
    const { about, rows } = rowsInJson(await bytesOf(`${path}?format=json`, other))
    assert.deepEqual(
      [about['account'], about['dataset_releases'], rows],
      ['nobody', [service.server.referenceData.release], []],
    )
  }
  for (const query of ['format=pdf', 'from=2025-02-30', 'from=2025-01-02&to=2025-01-01', 'status=lost', 'limit=3'])
    assert.equal((await client.ask(`/api/exports/orders?${query}`)).status, 400, query)
})

test('an export is of the moment at which it began, whatever is posted while it is read', async () => {
  const own = createOrderClient(service, await service.createKey(undefined, null, 'moment'))
  const ids = Array.from({ length: 300 }, (_, at) => `o${String(at).padStart(3, '0')}`)
  await Promise.all(ids.map((id) => own.post(order('moment', id, [`M-${id}`]))))
  const { rows } = await service.pool.query<{ readonly id: number }>(
    `select account_id as id from accounts where name = 'moment'`,
  )
  const all = { customerId: null, statuses: null, from: null, to: null }
  const snapshot = await createExports(service.pool)(rows[0]!.id, all)
  try {
    const pages = snapshot.orders(serialNumbersOfOrder)
    const { value: first } = (await pages.next()) as {
      readonly value: readonly { readonly order: { readonly orderId: string } }[]
    }
    assert.ok(first.length < ids.length)
    await own.tell('moment', 'o299', { event_id: 'late', type: 'cancelled', date: '2025-01-20' })
    await own.post(order('moment', 'o300', []))
    const rest = []
    for await (const page of pages) rest.push(...page)
    assert.deepEqual(
      [...first, ...rest].map((one) => one.order.orderId),
      ids,
    )
    const last = rest.at(-1)!
    assert.equal(last.order.status, 'created')
    assert.ok(last.posted.get('M-o299')!.embodied > 0n)
  } finally {
    await snapshot.close()
  }
})

test('one account has a few exports under way, and does not keep another from its own', async () => {
  const exports = createExports(service.pool)
  const all = { customerId: null, statuses: null, from: null, to: null }
  const open = [await exports(1, all), await exports(1, all)]
  let isNextOpen = false
  const next = exports(1, all)
  void next.then(() => (isNextOpen = true))
  open.push(await exports(2, all))
  assert.equal(isNextOpen, false)
  await open[0]!.close()
  await Promise.all([...open, await next].map((one) => one.close()))
})

test('an export whose client goes away is read no further', async () => {
  await new Promise<void>((resolve, reject) => {
    const { hostname, port } = new URL(service.server.url)
    const headers = { 'x-api-key': service.key }
    const asked = request({ hostname, port, path: '/api/exports/orders', headers }, (answer) => {
      answer.destroy()
      resolve()
    })
    asked.on('error', reject).end()
  })
  await until(
    async () => (await readersOf(service.pool)) === 0,
    () => 'a reader is left',
  )
})

test('metadata may be called what every object has, or with white space around: its export imports again', async () => {
  const key = await service.createKey(undefined, null, 'names')
  const own = createOrderClient(service, key)
  const named = '{"__proto__":"a","constructor":"b","\u2028x":"c"," y ":"d","\\"z\\"":"e"}'
  const metadata = JSON.parse(named) as Record<string, string>
  await own.post(order('c', 'o1', ['names-1'], { metadata }))
  await own.post(order('c', 'o2', ['names-2'], { metadata: { team: 'x' } }))
  const csv = await bytesOf('orders', key)
  for (const rows of [rowsInCsv(csv), await rowsInWorkbook(await bytesOf('orders?format=xlsx', key), 'Orders')])
    assert.deepEqual([...new Set(rows.map((row) => row['metadata.constructor']))].join(), 'b,')
  const imported = await createImportClient(service, key).run(csv)
  assert.deepEqual([imported['orders_replayed'], imported['orders_rejected']], [2, 0], JSON.stringify(imported))
})

test('a device whose use nobody published has one line in an order, and its export the others', async () => {
  const key = await service.createKey(undefined, null, 'production alone')
  const own = createOrderClient(service, key)
  const { models } = service.server.referenceData
  const productionOnly = [...models.values()].find(({ total, yearlyEnergyKwh }) => !total && !yearlyEnergyKwh)!
  const sent = order('c', 'o', ['without', 'with-use'])
  const [without, ...others] = sent['items'] as readonly Json[]
  const config = { ...(without!['config'] as Json), product_id: productionOnly.id }
  await own.post({ ...sent, items: [{ ...without, config }, ...others] })
  const read = await service.ask('/api/customer-orders/c/o', { headers: { 'x-api-key': key } })
  const answered = (JSON.parse(read.text) as Json)['items'] as readonly Json[]
  const rows = rowsInCsv(await bytesOf('orders', key))
  assert.deepEqual(
    rows.map((row) => row['export.answered_kg']),
    answered.map(({ total_emission }) => String(total_emission)),
  )
  assert.deepEqual(
    rows.map((row) => row['export.use_kg']),
    ['0', '6.4125', ''],
  )
})
