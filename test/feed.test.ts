// The feed of an account: everything that changed is in it, once, in one sequence that never changes.
import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import { templateOf } from '../src/spreadsheets/templates.ts'
import { createFeed } from '../src/postgres/feed.ts'
import { inTransaction } from '../src/postgres/transaction.ts'
import { trueAfter } from './command.ts'
import type { Json } from './document-check.ts'
import { pathOf } from './order-client.ts'
import { laptop, orderOf, VAN } from './receipt-client.ts'
import { applied, createAccountClient, previewed, registerChanged, type Ask } from './restatement-client.ts'
import { startService, type Service } from './service.ts'

const MODEL = 'apple-macbook-air-13-m3-256gb'

let service: Service
before(async () => void (service = await startService()))
after(() => service.stop())

interface FeedEvent extends Json {
  readonly id: string
  readonly type: string
  readonly subject: string
  readonly data: Json
}

interface Page extends Json {
  readonly events: readonly FeedEvent[]
  readonly next: string
  readonly has_more: boolean
}

const readPage = async (ask: Ask, query = ''): Promise<Page> => (await ask('GET', `/api/events${query}`)) as Page

/** All events after a cursor, in pages. */
async function readAll(ask: Ask, after = '', limit = 2): Promise<readonly FeedEvent[]> {
  const events: FeedEvent[] = []
  for (let cursor = after; ;) {
    const page = await readPage(ask, `?limit=${limit}${cursor && `&after=${cursor}`}`)
    events.push(...page.events)
    if (!page.has_more) return events
    cursor = page.next
  }
}

const shape = ({ type, data }: FeedEvent) => [type, data['customer_id'] ?? data['serial_number'] ?? data['year']]
const order = (customer: string, id: string, start: string, items: readonly Json[]) =>
  orderOf(customer, id, start, items)

test('orders, their changes and the end of a device are told with the totals that the API states', async () => {
  const ask = await createAccountClient(service, 'changes')
  const { next } = await readPage(ask)
  await ask('POST', '/api/customer-orders', order('a', 'o', '2025-01-01', [laptop('F1', 24), VAN]))
  const first = await ask('GET', pathOf('a', 'o'))
  await ask('POST', `${pathOf('a', 'o')}/events`, { event_id: 'back', type: 'returned', date: '2025-07-01' })
  const returned = await ask('GET', pathOf('a', 'o'))
  await ask('PUT', pathOf('a', 'o'), order('a', 'o', '2025-01-01', [laptop('F1', 12), VAN]))
  const corrected = await ask('GET', pathOf('a', 'o'))
  await ask('POST', '/api/customer-orders', order('b', 'o', '2025-03-01', [laptop('F1', 12)]))
  const shared = await ask('GET', pathOf('a', 'o'))
  await ask('POST', '/api/devices/F1/events', { event_id: 'end', type: 'retired', date: '2026-06-01' })
  const events = await readAll(ask, next)
  assert.deepEqual(events.slice(0, 3).map(shape), [
    ['order.created', 'a'],
    ['order.changed', 'a'],
    ['order.corrected', 'a'],
  ])
  assert.deepEqual(events.slice(3, 5).map(shape).toSorted(), [
    ['order.changed', 'a'],
    ['order.created', 'b'],
  ])
  assert.ok(events.slice(5).some(({ type }) => type === 'device.closed'))
  const [created, changed, correction] = events as [FeedEvent, FeedEvent, FeedEvent]
  const byOther = events[3]!.type === 'order.changed' ? events[3]! : events[4]!
  assert.equal(created.data['new_total_emission'], totalOf(first))
  assert.deepEqual(
    [totals(changed), totals(correction), totals(byOther)],
    [
      [totalOf(first), totalOf(returned)],
      [totalOf(returned), totalOf(corrected)],
      [totalOf(corrected), totalOf(shared)],
    ],
  )
  assert.deepEqual(changed.data['cause'], { event_id: 'back' })
  assert.deepEqual(byOther.data['cause'], { customer_id: 'b', order_id: 'o' })
  assert.equal(changed.data['link'], pathOf('a', 'o'))
})

const totals = ({ data }: FeedEvent) => [data['old_total_emission'], data['new_total_emission']]

/** The sum of all lines of an order, to the milligram. */
function totalOf(answer: Json): number {
  let milligrams = 0n
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    if ('ghg_category' in value && 'emission' in value) milligrams += BigInt(Math.round(Number(value.emission) * 1e6))
    else for (const one of Object.values(value)) visit(one)
  }
  visit(answer['items'])
  return Number(milligrams) / 1e6
}

test('closing a year, restating one whose statements were final, and releases are told', async () => {
  const ask = await createAccountClient(service, 'years')
  await ask('POST', '/api/customer-orders', order('c', 'y', '2024-01-01', [laptop('Y1', 12)]))
  await ask('POST', '/api/periods', { closed_until: '2025-01-01' })
  await ask('POST', '/api/periods', { closed_until: null, reason: 'Restated by newer figures' })
  const { next } = await readPage(ask)
  const release = await registerChanged(service, '2031.01', [
    { file: 'devices/device-models.csv', row: MODEL, cells: { total_kg_co2e: '99', use_kg_co2e: '20' } },
  ])
  const preview = await previewed(ask, { scope: {}, figures: { release } })
  await applied(ask, preview)
  await ask('PUT', '/api/account', { amortisation: 'capped', dataset_release: release })
  await ask('PUT', '/api/account', { amortisation: 'capped', dataset_release: release })
  await ask('PUT', '/api/account', { amortisation: 'capped', dataset_release: 'latest' })
  const all = await readAll(ask)
  assert.deepEqual(all.filter(({ type }) => type === 'statement.issued').map(shape), [['statement.issued', 2024]])
  const later = await readAll(ask, next)
  const types = later.map(({ type, data }) => [type, data['dataset_release'] ?? data['year'] ?? data['order_id']])
  const expected = [
    ['release.available', release],
    ['order.restated', 'y'],
    ['statement.superseded', 2024],
    ['release.applied', release],
    ['release.applied', 'latest'],
  ]
  assert.deepEqual(
    expected.map((one) => types.filter((other) => String(other) === String(one)).length),
    // The account followed the newest release when it came, and pinned it afterwards.
    [1, 1, 1, 2, 1],
    JSON.stringify(types),
  )
})

test('the end of an import is told with its state', async () => {
  const ask = await createAccountClient(service, 'imports')
  const key = await service.createKey(undefined, null, 'imports')
  const sent = await service.ask('/api/imports', {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'text/csv' },
    body: templateOf('items'),
  })
  assert.equal(sent.status, 202, sent.text)
  let found: FeedEvent | undefined
  await trueAfter(
    60_000,
    async () => {
      found = (await readAll(ask, '', 500)).find(({ type }) => type === 'import.finished')
      return found !== undefined
    },
    'The import does not end',
  )
  const { import_id: id } = JSON.parse(sent.text) as Json
  assert.equal(found!.data['import_id'], id)
  assert.match(String(found!.data['state']), /^(succeeded|failed)$/)
})

test('a row that is committed late comes late: whoever goes on from a cursor misses none', async () => {
  const ask = await createAccountClient(service, 'late')
  const { rows } = await service.pool.query<{ readonly id: number }>(
    `select account_id as id from accounts where name = 'late'`,
  )
  const { id } = rows[0]!
  const write = (name: string) => ({
    text: `insert into feed_outbox (account_id, type, posted_at, subjects) values ($1, 'release.available', now(), $2)`,
    values: [id, [name]],
  })
  const seen: string[] = []
  let cursor = (await readPage(ask)).next
  const read = async () => {
    const page = await readPage(ask, `?after=${cursor}`)
    seen.push(...page.events.map(({ data }) => String(data['dataset_release'])))
    cursor = page.next
  }
  await inTransaction(service.pool, async (early) => {
    await early.query(write('begun first'))
    await service.pool.query(write('committed first'))
    await read()
    assert.deepEqual(seen, ['committed first'])
  })
  await service.pool.query(write('last'))
  await read()
  assert.deepEqual(seen, ['committed first', 'begun first', 'last'])
})

test('many who post, read and settle at the same time see each order once, in one sequence', async () => {
  const ask = await createAccountClient(service, 'many')
  const posting = Array.from({ length: 8 }, async (_, writer) => {
    for (let at = 0; at < 12; at += 1)
      await ask(
        'POST',
        '/api/customer-orders',
        order(`w${writer}`, `o${at}`, '2025-01-01', [laptop(`M${writer}-${at}`, 12)]),
      )
  })
  const reading = Array.from({ length: 3 }, async () => {
    const ids: string[] = []
    let cursor = ''
    while (ids.length < 96) {
      const page = await readPage(ask, `?limit=7${cursor && `&after=${cursor}`}`)
      ids.push(...page.events.filter(({ type }) => type === 'order.created').map(({ id }) => id))
      cursor = page.next
    }
    return ids
  })
  await Promise.all(posting)
  const [first, ...others] = await Promise.all(reading)
  assert.equal(new Set(first).size, 96)
  for (const other of others) assert.deepEqual(other, first)
})

test('a cursor of nothing, of another account, or before what was deleted is refused with a reason', async () => {
  const ask = await createAccountClient(service, 'cursors')
  for (const id of ['1', '2', '3'])
    await ask('POST', '/api/customer-orders', order('k', id, '2025-01-01', [laptop(`K${id}`, 12)]))
  const { next: early } = await readPage(ask, '?limit=1')
  const { next: last } = await readPage(ask)
  const other = await createAccountClient(service, 'cursors of another')
  const refusal = async (who: Ask, cursor: string) => {
    const { details } = (await who('GET', `/api/events?after=${cursor}`, undefined, 400)) as { details: Json[] }
    return (details[0] as Json)['code']
  }
  assert.equal(await refusal(ask, 'bm8'), 'event_cursor_unknown')
  assert.equal(await refusal(other, last), 'event_cursor_unknown')
  await createFeed(service.pool).deleteBefore(new Date(Date.now() + 1_000))
  assert.equal(await refusal(ask, early), 'event_cursor_expired')
  // Nothing after it was deleted.
  assert.deepEqual((await readPage(ask, `?after=${last}`)).events, [])
  await ask('POST', '/api/customer-orders', order('k', '4', '2025-01-01', [laptop('K4', 12)]))
  assert.deepEqual(
    (await readAll(ask, last)).map(({ data }) => data['order_id']),
    ['4'],
  )
})

test('an erasure replaces names in the feed', async () => {
  const ask = await createAccountClient(service, 'erased')
  await ask('POST', '/api/customer-orders', order('Erika Musterfrau', 'E-1', '2025-01-01', [laptop('ERASED-1', 24)]))
  await ask('POST', '/api/customer-orders', order('other', 'O-1', '2025-05-01', [laptop('ERASED-1', 12)]))
  await readPage(ask)
  await ask('POST', `${pathOf('other', 'O-1')}/events`, { event_id: 'r', type: 'returned', date: '2025-06-01' })
  const path = '/api/customers/Erika%20Musterfrau/pseudonymise'
  await ask('POST', path, { order_ids: true })
  const events = await readAll(ask)
  assert.ok(events.length >= 4)
  assert.ok(!JSON.stringify(events).includes('Erika'), JSON.stringify(events))
  for (const { type, data } of events) if (type.startsWith('order.')) await ask('GET', data['link'] as string)
})
