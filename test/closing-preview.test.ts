// What closing the books would make final, before it is done: totals as statements then have them, and open ends.
import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import { createQueueLoad } from '../src/concurrency/queue-load.ts'
import { findAccountByName } from '../src/postgres/accounts.ts'
import { createOverdueRentals } from '../src/postgres/overdue-rentals.ts'
import { createReplicaReads } from '../src/postgres/read-replica.ts'
import type { Json } from './document-check.ts'
import { startService, type Service } from './service.ts'
import { BOX, VAN, createReceiptClient, laptop, orderOf } from './receipt-client.ts'
import { readStatement } from './statement-client.ts'

let service: Service
before(async () => {
  service = await startService()
})
after(() => service.stop())

interface Preview extends Json {
  readonly customer_years: readonly {
    readonly customer_id: string
    readonly year: number
    readonly total_emission: number
    readonly is_complete: boolean
  }[]
  readonly overdue_rentals: readonly Json[]
}

async function clientOf(account: string) {
  const key = await service.createKey(undefined, null, account)
  const headers = { 'x-api-key': key, 'content-type': 'application/json' }
  const send = (query: string, body: object) =>
    service.ask(`/api/periods${query}`, { method: 'POST', headers, body: JSON.stringify(body) })
  const preview = async (body: object): Promise<Preview> => {
    const { status, text } = await send('?preview=true', body)
    assert.equal(status, 200, text)
    return JSON.parse(text) as Preview
  }
  const listed = async () => JSON.parse((await service.ask('/api/periods', { headers })).text) as Json
  return { ...createReceiptClient(service, key), key, send, preview, listed }
}

test('a preview has the totals that statements have once the books are closed, and records nothing', async () => {
  const client = await clientOf('totals')
  await client.post(orderOf('a', 'one', '2023-05-01', [laptop('T1', 30), VAN, BOX]))
  await client.post(orderOf('b', 'two', '2024-02-10', [laptop('T2', 12)]))
  await client.post(orderOf('b', 'boxes', '2024-03-01', [BOX]))
  for (const [closed_until, complete] of [
    ['2024-01-01', 2023],
    ['2024-07-01', 2023],
    ['2025-01-01', 2024],
  ] as const) {
    const listed = await client.listed()
    const preview = await client.preview({ closed_until })
    assert.deepEqual(await client.listed(), listed)
    assert.deepEqual(
      [preview['is_preview'], preview['kind'], preview['books_closed_until'], preview['closed_until']],
      [true, 'closed', listed['books_closed_until'], closed_until],
    )
    assert.equal((await client.send('', { closed_until })).status, 200)
    assert.ok(preview.customer_years.length > 0)
    for (const {
      customer_id: customer,
      year,
      total_emission: total,
      is_complete: isComplete,
    } of preview.customer_years) {
      const { statement } = await readStatement(service.server.app, client.key, customer, year)
      assert.equal(statement.is_preliminary, !isComplete)
      assert.equal(isComplete, year <= complete)
      const months = statement.by_month.filter(({ month }) => `${month}-01` < closed_until)
      const milligrams = months.reduce((sum, month) => sum + Math.round(month.total_emission * 1e6), 0)
      assert.equal(Math.round(total * 1e6), milligrams, `${customer} ${year}`)
    }
  }
  const { customer_years: none, kind, total_emission: total } = await client.preview({ closed_until: '2025-01-01' })
  assert.deepEqual([none, kind, total], [[], 'unchanged', 0])
})

test('the years touched are those with days to be closed, of all customers; the largest are listed first', async () => {
  const client = await clientOf('touched')
  for (const [customer, months] of [
    ['small', 1],
    ['large', 12],
  ] as const) {
    await client.post(orderOf(customer, 'one', '2023-01-01', [laptop(`Y-${customer}`, months)]))
    await client.post(orderOf(customer, 'two', '2024-01-01', [laptop(`Z-${customer}`, months)]))
  }
  const yearsOf = ({ customer_years: years }: Preview) => years.map((one) => `${one.customer_id} ${one.year}`)
  const all = await client.preview({ closed_until: '2025-01-01' })
  assert.deepEqual(yearsOf(all).slice(0, 2).sort(), ['large 2023', 'large 2024'])
  assert.equal(all['number_of_customer_years'], 4)
  await client.send('', { closed_until: '2024-01-01' })
  assert.deepEqual(yearsOf(await client.preview({ closed_until: '2025-01-01' })), ['large 2024', 'small 2024'])
})

test('a preview of a reopening says which years would be open again, and needs a reason as well', async () => {
  const client = await clientOf('reopening')
  await client.post(orderOf('r', 'one', '2023-01-01', [laptop('R1', 24)]))
  await client.send('', { closed_until: '2025-01-01' })
  const refused = await client.send('?preview=true', { closed_until: '2024-01-01' })
  assert.equal(refused.status, 400, refused.text)
  assert.match(refused.text, /reopening_reason_missing/)
  const again = await client.preview({ closed_until: '2024-01-01', reason: 'This test' })
  assert.deepEqual([again['kind'], again.customer_years.map(({ year }) => year)], ['reopened', [2024]])
  const open = await client.preview({ closed_until: null, reason: 'This test' })
  assert.deepEqual(open.customer_years.map(({ year }) => year).sort(), [2023, 2024])
  assert.equal((await client.listed())['books_closed_until'], '2025-01-01')
})

test('rentals are listed whose agreed end passed, and of which nobody said that the device came back', async () => {
  const client = await clientOf('overdue')
  const names = ['open', 'returned', 'extended', 'again', 'lost', 'found', 'withdrawn', 'swapped', 'early']
  for (const name of names) {
    const start = name === 'early' ? '2022-01-01' : '2023-03-01'
    await client.post(orderOf('o', name, start, [laptop(`S-${name}`, 12)]))
  }
  await client.post(orderOf('o', 'cancelled', '2023-03-01', [laptop('S-cancelled', 12)]))
  await client.tell('o', 'cancelled', { event_id: 'v-1', type: 'cancelled', date: '2023-02-01' })
  await client.tell('o', 'returned', { event_id: 'v-2', type: 'returned', date: '2024-02-01' })
  await client.tell('o', 'extended', { event_id: 'v-3', type: 'extended', tenure_months: 36 })
  await client.post(orderOf('p', 'next', '2024-06-01', [laptop('S-again', 24)]))
  await client.tellDevice('S-lost', { event_id: 'v-4', type: 'lost', date: '2024-05-01' })
  await client.tellDevice('S-found', { event_id: 'v-5', type: 'lost', date: '2024-05-01' })
  await client.tellDevice('S-found', { event_id: 'v-6', type: 'withdrawn', withdraws: 'v-5' })
  await client.tell('o', 'withdrawn', { event_id: 'v-7', type: 'returned', date: '2024-01-01' })
  await client.tell('o', 'withdrawn', { event_id: 'v-8', type: 'withdrawn', withdraws: 'v-7' })
  const swap = { event_id: 'v-9', type: 'swapped', serial_number: 'S-swapped', date: '2023-09-01' }
  await client.tell('o', 'swapped', { ...swap, new_serial_number: 'S-new', weight_kg: 1.24 })
  const overdue = ({ overdue_rentals: rentals }: Preview) =>
    rentals.map((one) => `${String(one['serial_number'])} ${String(one['agreed_end'])}`)
  const late = ['S-found', 'S-new', 'S-open', 'S-withdrawn'].map((serial) => `${serial} 2024-03-01`)
  const all = await client.preview({ closed_until: '2025-01-01' })
  assert.deepEqual(overdue(all).toSorted(), ['S-early 2023-01-01', ...late])
  assert.deepEqual(overdue(all), overdue(all).toSorted())
  assert.equal(all['has_more_overdue_rentals'], false)
  assert.deepEqual(overdue(await client.preview({ closed_until: '2024-02-29' })), ['S-early 2023-01-01'])
  await client.send('', { closed_until: '2024-01-01' })
  assert.deepEqual(overdue(await client.preview({ closed_until: '2025-01-01' })).toSorted(), late)
})

test('the search for such rentals is bounded, in number and in time', async () => {
  const client = await clientOf('bounded')
  const serials = ['N1', 'N2', 'N3']
  await client.post(
    orderOf(
      'n',
      'one',
      '2023-01-01',
      serials.map((serial) => laptop(serial, 12)),
    ),
  )
  const accountId = await findAccountByName(service.pool, 'bounded')
  const limits = { batchBytesMax: 1, queueBytesMax: 1e6, queueLoad: createQueueLoad() }
  const find = createOverdueRentals(createReplicaReads(service.pool, null), limits)
  const wanted = { accountId: accountId!, after: null, until: '2025-01-01' }
  const found = await find({ ...wanted, limit: 2 })
  assert.deepEqual([found!.hasMore, found!.first.map((one) => one.serialNumber)], [true, ['N1', 'N2']])
  assert.equal((await find({ ...wanted, limit: 3 }))!.hasMore, false)
  const blocking = await service.pool.connect()
  try {
    await blocking.query('begin')
    await blocking.query('lock table events in access exclusive mode')
    assert.equal(await find({ ...wanted, limit: 3 }), null)
  } finally {
    await blocking.query('rollback')
    blocking.release()
  }
})
