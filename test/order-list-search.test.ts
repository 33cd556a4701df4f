// The list of orders by the beginnings of ids, and by date and emission, of few orders and of more than are sorted.
import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import type { Json } from './document-check.ts'
import { startService, type Service } from './service.ts'
import { compareKeys, createOrderClient, inSequence, keyOf, order, type OrderClient } from './order-client.ts'

let service: Service
before(async () => {
  service = await startService()
})
after(() => service.stop())

const ofAccount = async (account: string): Promise<OrderClient> =>
  createOrderClient(service, await service.createKey(undefined, null, account))
const searched = (text: string): string => `search=${encodeURIComponent(text)}`

/** Orders of three customers on four days, of each status, with one, two and no devices, some of equal emission. */
async function postMixed({ post, tell }: OrderClient): Promise<readonly Json[]> {
  const days = ['2024-12-31', '2025-01-01', '2025-01-31', '2025-02-01']
  const all = ['acme', 'acme-2', 'ä'].flatMap((customer) =>
    days.flatMap((order_date, at) =>
      ['A', 'B'].map((name) => ({ customer, order_date, id: `${name}-${at}`, serials: [0, 1].slice(at % 3) })),
    ),
  )
  for (const [at, { customer, order_date, id, serials }] of all.entries()) {
    const own = serials.map((serial) => `SN-${customer}-${id}-${serial}`)
    await post(order(customer, id, own, { order_date }))
    const event_id = `e-${at}`
    if (at % 5 === 1 && own[0]) await tell(customer, id, { event_id, type: 'returned', date: '2025-09-01' })
    if (at % 5 === 2) await tell(customer, id, { event_id, type: 'cancelled', date: '2025-01-02' })
    if (at % 5 === 3 && own[0])
      await tell(customer, id, {
        ...{ event_id, type: 'swapped', date: '2025-05-05', weight_kg: 1.5 },
        ...{ serial_number: own[0], new_serial_number: `NEW-${at}` },
      })
  }
  return all.map(({ customer, id }) => ({ customer_id: customer, order_id: id }))
}

const SORTS: Readonly<Record<string, (a: Json, b: Json) => number>> = {
  order_id: compareKeys,
  order_date: (a, b) => String(a['order_date']).localeCompare(String(b['order_date'])) || compareKeys(a, b),
  total_emission: (a, b) => Number(a['total_emission']) - Number(b['total_emission']) || compareKeys(a, b),
}

test('in each sequence, up and down, pages visit every order that fits once, and no other', async () => {
  const client = await ofAccount('sorted')
  await postMixed(client)
  const { orders } = await client.list('?limit=1000')
  assert.ok(new Set(orders.map((one) => one['total_emission'])).size < orders.length)
  assert.equal(new Set(orders.map((one) => one['status'])).size, 4)
  const choices: Readonly<Record<string, (one: Json) => boolean>> = {
    '': () => true,
    'customer_id=acme&': (one) => one['customer_id'] === 'acme',
    'from=2025-01-01&to=2025-01-31&': (one) => String(one['order_date']).startsWith('2025-01'),
    'status=returned,amended&': (one) => ['returned', 'amended'].includes(String(one['status'])),
    'search=acme&status=created&': (one) =>
      String(one['customer_id']).startsWith('acme') && one['status'] === 'created',
  }
  for (const [query, fits] of Object.entries(choices)) {
    for (const [sort, compare] of Object.entries(SORTS)) {
      const up = orders.filter(fits).toSorted(compare).map(keyOf)
      assert.ok(up.length > 3, query)
      for (const [way, expected] of [
        ['', up],
        ['-', up.toReversed()],
      ] as const) {
        const asked = `?${query}sort=${way}${sort}&limit=`
        assert.deepEqual((await client.visitPages(`${asked}7`)).map(keyOf), expected, asked)
      }
    }
  }
})

test('a search finds orders by the beginning of their id, customer id or a serial number, and no other', async () => {
  const client = await ofAccount('searched')
  const ids = ['x', 'x%', 'x_', 'xy', 'y', 'X', 'é', 'e', '\u{d7ff}a', '\u{e000}', '\u{10ffff}', '\u{10ffff}b']
  for (const [at, id] of ids.entries()) await client.post(order(`c${at % 2}`, id, [`S-${id}`, `T-Ä${at}`]))
  await client.post(order('xylophone', 'of it', []))
  await client.post(order('xylophone', 'xylo', []))
  const swap = { event_id: 'swap', type: 'swapped', date: '2025-05-05', serial_number: 'S-y', weight_kg: 1 }
  await client.tell('c0', 'y', { ...swap, new_serial_number: 'IN-1' })
  const found = async (text: string) => (await client.list(`?${searched(text)}`)).orders.map((one) => one['order_id'])
  const expected: Readonly<Record<string, readonly string[]>> = {
    x: ['of it', 'x', 'x%', 'x_', 'xy', 'xylo'],
    'x%': ['x%'],
    x_: ['x_'],
    xyl: ['of it', 'xylo'],
    ' X ': ['X'],
    é: ['é'],
    '\u{d7ff}': ['\u{d7ff}a'],
    '\u{10ffff}': ['\u{10ffff}', '\u{10ffff}b'],
    'S-x': ['x', 'x%', 'x_', 'xy'],
    'T-A\u0308': ids,
    'S-y': ['y'],
    IN: ['y'],
    'of it': ['of it'],
    't-': [],
    xylophones: [],
  }
  for (const [text, orderIds] of Object.entries(expected))
    assert.deepEqual(
      await found(text),
      inSequence(orderIds.map((order_id) => ({ order_id }))).map((one) => one['order_id']),
      text,
    )
  const both = await client.keys(`?${searched('x')}&serial_number=S-xy`)
  assert.deepEqual(both, ['c1/xy'])
})

/** Adds copies of the orders of an account, as they would be posted, under other ids, devices and days. */
async function copyOrders(account: string, count: number): Promise<void> {
  const { pool } = service
  const own = `account_id = (select account_id from accounts where name = '${account}')`
  for (const [table, ids] of Object.entries({
    orders: `order_id = order_id || '-' || n, items = replace(items, '"s":"', '"s":"' || n || '-'),
      order_date = order_date + n % 400`,
    entries: `order_id = order_id || '-' || n, serial_number = n || '-' || serial_number`,
  })) {
    const { rows } = await pool.query<{ readonly name: string }>(
      `select attname as name from pg_attribute
        where attrelid = $1::regclass and attnum > 0 and attgenerated = '' order by attnum`,
      [table],
    )
    const changed = new Map(ids.split(/,\s+(?=\w+ = )/).map((one) => one.split(/ = (.*)/s) as [string, string]))
    const names = rows.map(({ name }) => name)
    const columns = names.map((name) => changed.get(name) ?? name)
    await pool.query(
      `insert into ${table} (${names.join(', ')})
        select ${columns.join(', ')} from ${table}, generate_series(1, ${count}) as n where ${own}`,
    )
  }
}

test('of more orders than are sorted or weighed, pages come along an index, as exact as of few', async () => {
  const client = await ofAccount('many')
  await client.post(order('big', 'o', ['S']))
  await client.post(order('small', 'p', ['R']))
  await client.tell('big', 'o', { event_id: 'returned', type: 'returned', date: '2025-09-01' })
  await copyOrders('many', 50_000)
  const sorted = async (query: string) => (await client.list(`?${query}`)).orders
  const dates = (orders: readonly Json[]) => orders.map((one) => String(one['order_date']))
  const latest = dates(await sorted('sort=-order_date&customer_id=big'))
  assert.equal(latest.length, 100)
  assert.deepEqual(new Set(latest), new Set([latest[0]]))
  assert.deepEqual(dates(await sorted(`sort=-order_date&${searched('o')}`)), latest)
  for (const query of [searched('o'), 'customer_id=big', 'status=returned', searched('big')]) {
    const pages = await Promise.all(['', '&sort=order_id'].map((sort) => sorted(query + sort)))
    assert.deepEqual(pages[0]!.map(keyOf).slice(0, 3), ['big/o', 'big/o-1', 'big/o-10'], query)
    assert.deepEqual(pages[0], pages[1])
  }
  const [held] = await sorted(searched('77-S'))
  assert.equal(held!['order_id'], 'o-77')
  assert.deepEqual((await sorted(`${searched('1')}&customer_id=small&limit=2`)).map(keyOf), ['small/p-1', 'small/p-10'])
  const [heaviest] = await sorted('sort=-total_emission&customer_id=small')
  assert.ok(Number(heaviest!['total_emission']) > 0)
  const problems = await client.problemsOf('?sort=-total_emission')
  assert.match(String(problems[0]!['message']), /Up to 100000 orders are sorted/)
  assert.equal(problems[0]!['path'], '?sort')
})
