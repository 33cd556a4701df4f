// Orders that are sent again: the first answer, whatever happened since, for no more of the database than a new one.
import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import pg from 'pg'
import type { Json } from './document-check.ts'
import type { Answer } from './raw-http.ts'
import { startService, type Service } from './service.ts'
import { BOX, laptop, orderOf } from './receipt-client.ts'

let service: Service
before(async () => void (service = await startService()))
after(() => service.stop())

const FOLDING: ReadonlySet<string> = new Set(['find-safe-watermark', 'find-accounts-to-roll-up'])

/**
 * The statements on orders and devices that some work leads to, by name or text, and whether a transaction was begun
 * for them. What else the service does in the background, for imports and reports, is not among them.
 */
async function statementsOf(work: () => Promise<unknown>): Promise<readonly string[]> {
  const names: string[] = []
  const inTransaction = new WeakSet<object>()
  const prototype = pg.Client.prototype as unknown as { query: (...parts: unknown[]) => unknown }
  const { query } = prototype
  prototype.query = function (this: object, ...parts: unknown[]) {
    const statement = parts[0] as string | { readonly name?: string; readonly text: string }
    const { name, text } = typeof statement === 'string' ? { name: statement, text: statement } : statement
    if (/^begin/i.test(text)) inTransaction.add(this)
    else if (/^(?:commit|rollback)/i.test(text)) inTransaction.delete(this)
    else if (/\b(?:orders|entries)\b/i.test(text) && !FOLDING.has(name ?? ''))
      names.push(`${name ?? text.slice(0, 80)}${inTransaction.has(this) ? ', in a transaction' : ''}`)
    return query.apply(this, parts)
  }
  await work().finally(() => (prototype.query = query))
  return names
}

const COUNT = 60
const idsOf = (name: string) => Array.from({ length: COUNT }, (_, at) => `${name}-${at}`)
const newOrders = (name: string) =>
  idsOf(name).map((id) => orderOf('acme', id, '2025-01-01', [laptop(`S-${id}`, 3), BOX]))
const postAll = (orders: readonly Json[], query = '') => Promise.all(orders.map((order) => service.post(order, query)))
const textsOf = (answers: readonly Answer[]) => answers.map(({ text }) => text)
const areReplays = (answers: readonly Answer[]) =>
  answers.every(({ status, headers }) => status === 200 && headers['idempotent-replayed'] === 'true')

test('a repetition takes one statement in a shared batch, as a new order does', async () => {
  const orders = newOrders('cost')
  let first: readonly Answer[] = []
  let again: readonly Answer[] = []
  const created = await statementsOf(async () => (first = await postAll(orders)))
  for (const query of ['', '?include=calculation']) {
    const repeated = await statementsOf(async () => (again = await postAll(orders, query)))
    assert.ok(areReplays(again))
    if (query === '') assert.deepEqual(textsOf(again), textsOf(first))
    assert.deepEqual(new Set(repeated), new Set(['insert-new-orders']))
    assert.ok(repeated.length <= created.length + 1, `${repeated.length} statements, ${created.length} for new orders`)
    assert.ok(repeated.length < COUNT / 2, `${repeated.length} statements for ${COUNT} orders`)
  }
})

test('a conflict is found with the same statement, and told with what differs', async () => {
  const orders = newOrders('conflict')
  await postAll(orders)
  let answers: readonly Answer[] = []
  const others = orders.map((order) => ({ ...order, order_date: '2024-12-31' }))
  const asked = await statementsOf(async () => (answers = await postAll(others)))
  assert.deepEqual(new Set(asked), new Set(['insert-new-orders']))
  assert.ok(asked.length < COUNT / 2)
  for (const { status, text } of answers) {
    assert.equal(status, 409)
    assert.match(text, /differs at \/order_date/)
  }
})

test('many copies of one order share a statement, whether it is stored or new', async () => {
  const [stored] = newOrders('stored-copies')
  const [fresh] = newOrders('new-copies')
  const [first] = await postAll([stored!])
  for (const [order, replays] of [
    [stored!, COUNT],
    [fresh!, COUNT - 1],
  ] as const) {
    let answers: readonly Answer[] = []
    const asked = await statementsOf(async () => (answers = await postAll(Array<Json>(COUNT).fill(order))))
    assert.deepEqual(new Set(asked), new Set(['insert-new-orders']))
    assert.ok(asked.length <= COUNT / 4, `${asked.length} statements for ${COUNT} copies`)
    assert.equal(new Set(textsOf(answers)).size, 1)
    assert.equal(answers.filter((answer) => areReplays([answer])).length, replays)
  }
  assert.deepEqual(textsOf(await postAll([stored!])), [first!.text])
})

test('copies with other content are a conflict of their own', async () => {
  const [order] = newOrders('mixed')
  const other = { ...order, items: [laptop('S-elsewhere', 3)] }
  const answers = await postAll(Array.from({ length: 20 }, (_, at) => (at % 2 === 0 ? order! : other)))
  assert.equal(answers.filter(({ status }) => status === 200).length, 10)
  assert.equal(answers.filter(({ status }) => status === 409).length, 10)
  assert.equal(answers.filter(({ status, headers }) => status === 200 && !headers['idempotent-replayed']).length, 1)
})

test('repetitions of orders whose devices had others before cost one more statement, and no transaction', async () => {
  const before = newOrders('before')
  await postAll(before)
  const later = before.map((order, at) => ({ ...order, order_id: `later-${at}`, tenure_start_date: '2025-03-01' }))
  const first = await postAll(later)
  for (const query of ['', '?include=calculation']) {
    let again: readonly Answer[] = []
    const asked = await statementsOf(async () => (again = await postAll(later, query)))
    assert.ok(areReplays(again))
    if (query === '') assert.deepEqual(textsOf(again), textsOf(first))
    assert.deepEqual(new Set(asked), new Set(['insert-new-orders', 'find-ledgers-at-creation']))
    assert.ok(asked.length < COUNT)
  }
})

test('whatever happens after an order, its repetition gets the first answer, and its first calculation', async () => {
  const send = (path: string, body: Json) =>
    service.ask(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
  const tell = async (orderId: string, event: Json) => {
    const { status, text } = await send(`/api/customer-orders/acme/${orderId}/events`, event)
    assert.equal(status, 200, text)
  }
  const words = { product_id: 'P-1', product_name: 'some laptop of ours', device_type: 'laptop' }
  const named = { ...laptop('S-words', 12), config: { ...(laptop('S-words', 12)['config'] as Json), ...words } }
  const orders = [
    orderOf('acme', 'first', '2025-01-01', [laptop('S-1', 12), laptop('S-2', 12), BOX]),
    // Takes one of its devices from it, and is itself cancelled later.
    orderOf('acme', 'second', '2025-06-01', [laptop('S-2', 12)]),
    orderOf('acme', 'third', '2025-03-01', [named]),
    orderOf('acme', 'packed', '2025-03-01', [BOX]),
  ]
  const firstly: Answer[] = []
  const explained: Answer[] = []
  for (const order of orders) {
    firstly.push(await service.post(order))
    explained.push(await service.post(order, '?include=calculation'))
  }
  const assertSame = async () => {
    for (const [at, order] of orders.entries()) {
      assert.equal((await service.post(order)).text, firstly[at]!.text)
      assert.equal((await service.post(order, '?include=calculation')).text, explained[at]!.text)
    }
  }
  await assertSame()
  await tell('second', { event_id: 'e1', type: 'cancelled', date: '2025-05-01' })
  await tell('first', { event_id: 'e2', type: 'returned', date: '2025-09-01' })
  await send('/api/devices/S-1/events', {
    event_id: 'e3',
    type: 'refurbished',
    date: '2025-10-01',
    emission_kg: 5,
    lifetime_months_added: 12,
  })
  await service.post(orderOf('acme', 'back-dated', '2024-06-01', [laptop('S-1', 9), laptop('S-words', 1)]))
  await service.ask('/api/products/P-1', {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model_id: 'apple-macbook-air-13-m3-256gb' }),
  })
  await assertSame()
})
