// The filters of the list of orders, whom it shows them to, and what a wrong parameter is told.
import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import type { Json } from './document-check.ts'
import type { AskedService } from './asked-service.ts'
import { sharedService } from './shared-service.ts'
import { createOrderClient, inSequence, keyOf, order, ORDERS, pathOf, type OrderClient } from './order-client.ts'

let service: AskedService
let client: OrderClient
before(async () => {
  service = await sharedService()
  client = createOrderClient(service)
})
after(() => service.stop())

/** Orders of two customers on four days, of each status one. */
async function postFiltered({ post, tell }: OrderClient): Promise<readonly Json[]> {
  const statuses = ['created', 'amended', 'returned', 'cancelled']
  const posted = ['filter-1', 'filter-2'].flatMap((customer) =>
    ['2024-12-31', '2025-01-01', '2025-01-31', '2025-02-01'].flatMap((order_date) =>
      statuses.map((status) => ({ customer, order_date, status, id: `${order_date}-${status}` })),
    ),
  )
  return Promise.all(
    posted.map(async ({ customer, order_date, status, id }) => {
      const event_id = `${customer}-${id}`
      await post(order(customer, id, [`${customer}-${id}`], { order_date }))
      if (status === 'amended') await tell(customer, id, { event_id, type: 'extended', tenure_months: 20 })
      if (status === 'returned') await tell(customer, id, { event_id, type: 'returned', date: '2025-09-01' })
      if (status === 'cancelled') await tell(customer, id, { event_id, type: 'cancelled', date: '2025-01-02' })
      return { customer_id: customer, order_id: id, order_date, status }
    }),
  )
}

test('each filter alone, and any of them together, keep the orders that fit, and no other', async () => {
  const own = createOrderClient(service, await service.createKey(undefined, null, 'filters'))
  const posted = await postFiltered(own)
  const choices: Readonly<Record<string, (one: Json) => boolean>> = {
    'customer_id=filter-2': (one) => one['customer_id'] === 'filter-2',
    'order_id=2025-01-01-returned': (one) => one['order_id'] === '2025-01-01-returned',
    'serial_number=filter-1-2025-01-31-amended': (one) => keyOf(one) === 'filter-1/2025-01-31-amended',
    'status=created': (one) => one['status'] === 'created',
    'status=amended,cancelled,amended': (one) => ['amended', 'cancelled'].includes(String(one['status'])),
    'status=returned&status=created': (one) => ['returned', 'created'].includes(String(one['status'])),
    'from=2025-01-01': (one) => String(one['order_date']) >= '2025-01-01',
    'to=2025-01-31': (one) => String(one['order_date']) <= '2025-01-31',
  }
  const names = Object.keys(choices)
  let found = 0
  for (let chosen = 0; chosen < 2 ** names.length; chosen += 1) {
    const queries = names.filter((_, at) => chosen & (1 << at))
    const statuses = queries.filter((name) => name.startsWith('status='))
    if (statuses.length > 1) continue
    const expected = inSequence(posted.filter((one) => queries.every((name) => choices[name]!(one)))).map(keyOf)
    const query = `?${[...queries, 'limit=1000'].join('&')}`
    assert.deepEqual(await own.keys(query), expected, query)
    if (expected.length === 0) continue
    const paged = await own.visitPages(`?${[...queries, 'limit=3'].join('&')}`)
    assert.deepEqual(paged.map(keyOf), expected, query)
    found += expected.length
  }
  assert.ok(found > 300)
})

test('a serial number finds the orders that hold the device or held it, swapped out or in', async () => {
  await client.post(order('serial', 'first', ['Ä-1'], { tenure_start_date: '2025-02-01' }))
  await client.post(order('serial', 'later', ['Ä-1', 'other-1'], { tenure_start_date: '2027-02-01' }))
  await client.post(order('serial', 'none', []))
  const swap = { event_id: 's1', type: 'swapped', date: '2025-05-05', new_serial_number: 'Ä-2', weight_kg: 1 }
  await client.tell('serial', 'first', swap)
  await client.tellDevice('Ä-2', { event_id: 's2', type: 'lost', date: '2025-08-08' })
  const found = (serial: string) => client.keys(`?serial_number=${encodeURIComponent(serial)}`)
  assert.deepEqual(await found('Ä-1'), ['serial/first', 'serial/later'])
  assert.deepEqual(await found(' A\u0308-1\u00a0'), ['serial/first', 'serial/later'])
  assert.deepEqual(await found('Ä-2'), ['serial/first'])
  assert.deepEqual(await found('other-1'), ['serial/later'])
  assert.deepEqual(await found('ä-1'), [])
  assert.deepEqual(await client.keys(`?serial_number=${encodeURIComponent('Ä-1')}&from=2026-01-01`), [])
})

test('the orders of another account are never seen, not by their ids, devices or cursors', async () => {
  const stranger = createOrderClient(service, await service.createKey(undefined, null, 'stranger'))
  for (const id of ['o1', 'o2', 'o3']) {
    await client.post(order('two-accounts', id, [`ours-${id}`], { metadata: { of: 'us' } }))
    await stranger.post(order('two-accounts', id, [`ours-${id}`, `theirs-${id}`], { order_date: '2025-03-03' }))
  }
  await client.tell('two-accounts', 'o2', { event_id: 'ours', type: 'returned', date: '2025-06-06' })
  const theirs = ['two-accounts/o1', 'two-accounts/o2', 'two-accounts/o3']
  for (const query of ['', '?customer_id=two-accounts', '?status=created', '?from=2025-01-01']) {
    assert.deepEqual(await stranger.keys(query), theirs)
  }
  assert.deepEqual(await stranger.keys('?status=returned'), [])
  assert.deepEqual(await stranger.keys('?customer_id=two-accounts&to=2025-02-02'), [])
  assert.deepEqual(await client.keys('?serial_number=theirs-o1'), [])
  const listed = (await stranger.list('?order_id=o2&include=metadata')).orders[0]!
  const alone = await stranger.ask(pathOf('two-accounts', 'o2'))
  assert.equal(listed['total_emission'], (JSON.parse(alone.text) as Json)['total_emission'])
  assert.deepEqual([listed['metadata'], listed['number_of_devices'], listed['status']], [{}, 2, 'created'])
  const { link } = await stranger.list('?limit=1')
  const cursor = /cursor=([\w-]+)/.exec(link!)![1]!
  assert.deepEqual(await stranger.keys(`?limit=1&cursor=${cursor}`), ['two-accounts/o2'])
  assert.match(String((await client.problemsOf(`?cursor=${cursor}`))[0]!['message']), /Is not a cursor of this list/)
})

test('each wrong parameter is 400 and says what would be right', async () => {
  const model = (await service.ask('/api/device-model-emissions?limit=1')).headers.link as string
  const encode = (text: string) => Buffer.from(text).toString('base64url')
  const wrong: Readonly<Record<string, RegExp>> = {
    'limit=0': /whole number from 1 to 1000/,
    'limit=1001': /whole number from 1 to 1000/,
    'limit=1e2': /whole number from 1 to 1000/,
    'limit=': /whole number from 1 to 1000/,
    'limit=1&limit=1': /more than once/,
    'status=open': /one of created, amended, returned, cancelled, reversed; it is "open"/,
    'status=': /one of created/,
    'from=2025-02-29': /calendar day that exists, as YYYY-MM-DD; it is "2025-02-29"/,
    'from=2025-1-1': /calendar day/,
    'from=0000-01-01': /calendar day/,
    'to=2025-01-01T00:00:00Z': /calendar day/,
    'to=': /calendar day/,
    'from=2025-01-02&to=2025-01-01': /before from, which is 2025-01-02; it is 2025-01-01/,
    'from=2025-01-02&from=2025-01-02': /more than once/,
    'customer_id=': /1 to 200 characters/,
    'customer_id=%00': /control character/,
    [`order_id=${'a'.repeat(201)}`]: /1 to 200 characters/,
    'order_id=a&order_id=b': /more than once/,
    'serial_number=%20%20': /serial number without control characters/,
    'serial_number=a%00b': /serial number without control characters/,
    'include=items': /one of metadata/,
    'cursor=': /not a cursor/,
    'cursor=AAAA': /not a cursor/,
    'cursor=%00': /not a cursor/,
    [`cursor=${encode('a')}`]: /not a cursor/,
    [`cursor=${encode('a\0b')}`]: /not a cursor/,
    [`cursor=${encode('a\0b\0c')}`]: /not a cursor/,
    [`cursor=${/cursor=([\w-]+)/.exec(model)![1]!}`]: /not a cursor/,
    'customer=a':
      /not a parameter here; there are search, customer_id, order_id, serial_number, status, from, to, .*sort/,
    'search=': /1 to 200 characters/,
    'search=%20': /1 to 200 characters, not only white space/,
    'search=a&search=b': /more than once/,
    'sort=date': /one of order_id, -order_id, order_date, -order_date, total_emission, -total_emission; it is "date"/,
    'sort=order_date&sort=order_id': /more than once/,
    '__proto__=1': /not a parameter here/,
  }
  for (const [query, sentence] of Object.entries(wrong)) {
    const problems = await client.problemsOf(`?${query}`)
    assert.equal(problems.length, 1, query)
    assert.match(String(problems[0]!['message']), sentence)
  }
})

test('all faults of the parameters are told at once', async () => {
  const query = '?limit=0&status=open,shut&from=2025-03-01&to=2025-02-01&cursor=x&customer_id=&q=1'
  const paths = (await client.problemsOf(query)).map((problem) => problem['path'])
  assert.deepEqual(paths, ['?limit', '?status', '?status', '?to', '?cursor', '?customer_id', '?q'])
})

test('a key without the scope to read orders gets no list', async () => {
  const key = await service.createKey(['orders:write', 'catalogue:read'])
  const { status } = await createOrderClient(service, key).ask(ORDERS)
  assert.equal(status, 403)
})
