// Erasure of a customer: its names are nowhere in the database any more, and every figure is what it was.
import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import { postRandom } from '../scripts/post-random.ts'
import { createRollups } from '../src/postgres/reporting/store.ts'
import { createReleaseCache } from '../src/reference-data/release-cache.ts'
import { verifyAll } from '../src/cli/verify.ts'
import type { Json } from './document-check.ts'
import { textsInDatabase } from './database-texts.ts'
import { pseudonymise } from './erasure-client.ts'
import { createImportClient } from './import-client.ts'
import { pathOf } from './order-client.ts'
import { BOX, VAN, createReceiptClient, laptop, orderOf, type ReceiptClient } from './receipt-client.ts'
import { foldAll } from './roll-up-all.ts'
import { startService, type Service } from './service.ts'
import { readStatement } from './statement-client.ts'

let service: Service
let client: ReceiptClient
before(async () => {
  service = await startService()
  client = createReceiptClient(service)
})
after(() => service.stop())

/** Every row of every table that contains one of the texts, in a column of text or in JSON. */
const rowsWith = (texts: readonly string[]) => textsInDatabase(service.pool, texts)

/** Rolls up all that was posted, so that there are chunks that name the customer. */
const fold = () =>
  foldAll(
    {
      folds: createRollups(service.pool, 0, 0),
      referenceDataOf: createReleaseCache(service.pool, [0, service.server.referenceData]),
    },
    () => false,
    (error) => assert.fail(error),
  )

async function monthsOf(query = ''): Promise<unknown> {
  const { status, text } = await service.ask(`/api/reports/emissions?date_basis=tenure&group_by=month${query}`)
  assert.equal(status, 200, text)
  return (JSON.parse(text) as Json)['groups']
}

const COLUMNS =
  'customer_id,order_id,order_date,tenure_start_date,type,product_id,serial_number,tenure_months,weight_kg'

/** A customer with everything that names it, beside another one with whom it shared a device. */
async function tellEverything(name: string): Promise<void> {
  const metadata = { department: `${name} department`, contact: `Erika ${name}` }
  const [own, shared, swapped] = [`${name}-own`, `${name}-shared`, `${name}-swapped-in`]
  const items = [laptop(own, 12), laptop(shared, 12), VAN, BOX]
  await client.post(orderOf(name, `${name}-order-1`, '2025-01-01', items, { metadata }))
  await client.post(orderOf('other', `o-${name}`, '2025-07-01', [laptop(shared, 12)], { metadata: { kept: 'yes' } }))
  await client.post(orderOf(name, `${name}-order-2`, '2025-11-01', [laptop(shared, 6)]))
  await client.post(orderOf(name, `${name}-order-3`, '2025-02-01', [BOX], { metadata }))
  const corrected = orderOf(name, `${name}-order-3`, '2025-02-01', [BOX, VAN], { metadata })
  const headers = { 'content-type': 'application/json', 'if-match': '*' }
  const put = { method: 'PUT', headers, body: JSON.stringify(corrected) }
  const { status, text } = await service.ask(`${pathOf(name, `${name}-order-3`)}?reason=${name}`, put)
  assert.equal(status, 200, text)
  const tell = (event: Json) => client.tell(name, `${name}-order-1`, event)
  const swap = { serial_number: own, new_serial_number: swapped, weight_kg: 1.24 }
  await tell({ event_id: `1-${name.length}`, type: 'swapped', date: '2025-03-01', ...swap })
  await tell({ event_id: `2-${name.length}`, type: 'returned', date: '2025-09-01', serial_number: swapped })
  await tell({ event_id: `3-${name.length}`, type: 'withdrawn', withdraws: `2-${name.length}`, reason: `${name} rang` })
  await tell({ event_id: `4-${name.length}`, type: 'returned', date: '2025-10-01', serial_number: swapped })
  const reason = `${name} says so`
  const model = { type: 'identified', model_id: 'apple-macbook-air-15-m3-256gb', reason }
  await client.tellDevice(swapped, { event_id: `5-${name.length}`, ...model })
  const rejected = [`${name},${name}-bad,someday,2025-01-01,product,P-1,${name}-s9,3,1.2`]
  rejected.push(`other,fine,someday,2025-01-01,product,P-1,other-s9,3,1.2`)
  const done = await createImportClient(service).run(`${COLUMNS}\n${rejected.join('\n')}\n`)
  assert.equal(done['rows_rejected'], 2)
}

test('nothing names the customer any more, figures are what they were, other customers untouched', async () => {
  await tellEverything('mueller')
  const others = [pathOf('other', 'o-mueller'), '/api/device-emissions/mueller-shared']
  const see = () => Promise.all(others.map(async (path) => JSON.parse((await client.ask(path)).text) as Json))
  const [orderBefore, deviceBefore] = await see()
  const months = await monthsOf()
  await fold()
  // What waits in the outbox is in the feed from then on.
  await client.ask('/api/events')
  const named = new Set((await rowsWith(['mueller'])).map((row) => row.split(' ', 1)[0]))
  assert.deepEqual([...named].toSorted(), ['entries', 'events', 'fact_chunks', 'feed', 'import_errors', 'orders'])
  const statement = await readStatement(service.server.app, service.key, 'mueller', 2025)

  await client.provenReceipt('mueller', 'mueller-order-1')
  const { answer: preview } = await pseudonymise(
    service,
    'mueller',
    { serial_numbers: true, order_ids: true },
    '?preview=true',
  )
  assert.deepEqual([preview['is_preview'], preview['customer_id'], preview['recorded_at']], [true, null, null])
  assert.ok((await rowsWith(['mueller'])).length > 10)
  const { status, answer } = await pseudonymise(service, 'mueller', { serial_numbers: true, order_ids: true })
  assert.equal(status, 200, JSON.stringify(answer))
  assert.deepEqual(answer['counts'], preview['counts'])
  const counts = { ...(answer['counts'] as Json), entries: 0, events: 0 }
  assert.deepEqual(counts, {
    ...{ orders: 3, entries: 0, events: 0, order_ids: 3, serial_numbers: 2, orders_with_metadata: 2 },
    ...{ texts: 3, rejected_rows: 1 },
  })

  // What stays is the shared device and the other customer's order, whose ids happen to have the name in them.
  const left = (await rowsWith(['mueller'])).map((text) =>
    text.replaceAll('o-mueller', '').replaceAll('mueller-shared', ''),
  )
  assert.deepEqual(
    left.filter((text) => text.includes('mueller')),
    [],
  )
  assert.deepEqual(await verifyAll(service.pool).then(({ lines }) => lines), [])
  assert.deepEqual(await monthsOf(), months)
  const [orderAfter, deviceAfter] = await see()
  const newId = String(answer['customer_id'])
  assert.deepEqual(withoutCauses(orderAfter!), withoutCauses(orderBefore!))
  assert.equal(deviceAfter!['total_emission'], deviceBefore!['total_emission'])
  assert.equal((await pseudonymise(service, 'mueller')).status, 404)
  assert.equal((await client.ask(pathOf('mueller', 'mueller-order-1'))).status, 404)

  const orders = await client.list(`?customer_id=${newId}`)
  assert.equal(orders.orders.length, 3)
  for (const order of orders.orders) {
    assert.equal(order['metadata'], undefined)
    await client.provenReceipt(newId, String(order['order_id']))
  }
  const restated = await readStatement(service.server.app, service.key, newId, 2025)
  assert.deepEqual(restated.statement.summary, statement.statement.summary)
  assert.deepEqual(restated.statement.by_month, statement.statement.by_month)
})

/** Its corrections name the order that caused them, and sentences do. */
const withoutCauses = (answer: Json): string =>
  JSON.stringify(answer).replaceAll(/(mueller-order|order_)[\w-]*|customer_\w+|mueller(?!-)/g, '')

test('rentals of one device from one day follow each other as before, whichever ids are replaced', async () => {
  const tied = (customer: string, id: string, months: number) =>
    client.post(orderOf(customer, id, '2025-01-01', [laptop('tied', months)]))
  for (const [customer, id, months] of [
    ['c', 'b', 9],
    ['a', 'c', 12],
    ['b', 'b', 3],
    ['b', 'd', 24],
    ['d', 'b', 12],
    ['b', 'e', 12],
    ['a', 'f', 12],
  ] as const) {
    await tied(customer, id, months)
  }
  const months = await monthsOf()
  const ofDevice = async () => {
    const { text } = await client.ask('/api/device-emissions/tied')
    return (JSON.parse(text) as { readonly orders: readonly Json[] }).orders.map((one) => one['total_emission'])
  }
  const emissions = (await ofDevice()).toSorted()
  for (const customer of ['b', 'c', 'a', 'd']) {
    const { status, answer } = await pseudonymise(service, customer, {
      order_ids: customer !== 'd' && customer !== 'c',
    })
    assert.equal(status, 200, JSON.stringify(answer))
    assert.deepEqual((await verifyAll(service.pool)).lines, [])
    assert.deepEqual(await monthsOf(), months)
    assert.deepEqual((await ofDevice()).toSorted(), emissions)
  }
})

test('after random histories, every customer is erased, and everything is recomputed as it was', async () => {
  const { referenceData } = service.server
  const { rows: releases } = await service.pool.query<{ readonly release_id: number }>(
    'select release_id from dataset_releases where name = $1',
    [referenceData.release],
  )
  const accountOf = `select account_id from accounts where name = 'random'`
  const key = await service.createKey(undefined, null, 'random')
  const { rows: accounts } = await service.pool.query<{ readonly account_id: number }>(accountOf)
  const accountId = accounts[0]!.account_id
  const releaseId = releases[0]!.release_id
  await postRandom(service.pool, {
    orders: 60,
    eventShare: 1,
    seed: 4,
    accountId,
    isCapped: true,
    referenceData,
    releaseId,
  })
  const sums = async () => {
    const text = `select count(*), sum(embodied_mg) as embodied, sum(use_mg) as use, sum(transportation_mg) as freight
      from entries where account_id = $1`
    return (await service.pool.query(text, [accountId])).rows[0] as unknown
  }
  const before = await sums()
  const { rows: customers } = await service.pool.query<{ readonly id: string }>(
    'select distinct customer_id as id from orders where account_id = $1 order by 1',
    [accountId],
  )
  assert.ok(customers.length > 2)
  for (const [at, { id }] of customers.entries()) {
    const body = { serial_numbers: at % 2 === 0, order_ids: at % 3 !== 0 }
    const ask = (path: string, sent: object = {}) =>
      service.ask(path, { ...sent, headers: { 'content-type': 'application/json', 'x-api-key': key } })
    const { status, answer } = await pseudonymise({ ask }, id, body)
    assert.equal(status, 200, JSON.stringify(answer))
  }
  assert.deepEqual((await verifyAll(service.pool)).lines, [])
  assert.deepEqual(await sums(), before)
  const { rows: left } = await service.pool.query(
    `select from orders where account_id = $1 and customer_id !~ '(^|!)customer_[0-9a-f]{32}$'`,
    [accountId],
  )
  assert.equal(left.length, 0)
})

test('while a file is being imported, nothing is erased; a customer that is not there is answered 404', async () => {
  await client.post(orderOf('importing', 'one', '2025-01-01', [BOX]))
  const insert = `insert into imports (account_id, import_id, is_dry_run, state) values (1, 99, false, 'queued')`
  await service.pool.query(`${insert.replace('false', 'true')}`)
  const refused = await pseudonymise(service, 'importing')
  assert.deepEqual([refused.status, (refused.answer['reason'] as Json)['code']], [409, 'erasure_while_importing'])
  assert.equal((await pseudonymise(service, 'importing', {}, '?preview=true')).status, 200)
  await service.pool.query('delete from imports where import_id = 99')
  const unknown = await pseudonymise(service, 'nobody')
  assert.deepEqual([unknown.status, (unknown.answer['reason'] as Json)['code']], [404, 'customer_unknown'])
  assert.equal((await pseudonymise(service, 'importing', { order_ids: 'yes' })).status, 400)
  const { status, answer } = await pseudonymise(service, ' importing ')
  assert.equal(status, 200, JSON.stringify(answer))
})

test('each erasure is recorded with its key and counts, without the names', async () => {
  const { rows } = await service.pool.query<{
    readonly key_hint: string
    readonly counts: string
    readonly kind: string
  }>('select kind, key_hint, counts from erasures where account_id = 1 order by erasure_no')
  assert.ok(rows.length > 4)
  assert.deepEqual(Object.keys(JSON.parse(rows[0]!.counts) as Json), [
    ...['orders', 'entries', 'events', 'orderIds', 'serialNumbers', 'metadata', 'texts', 'rejectedRows'],
  ])
  for (const { kind, key_hint: hint } of rows) {
    assert.equal(kind, 'customer')
    assert.match(hint, /^cradle_.+…/)
  }
})
