// Batches: each order and event gets what it would get alone, in the sequence that was sent, and none stops others.
import { after, before, mock, test } from 'node:test'
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { BATCH_ITEMS_MAX } from '../src/contract/batch-schema.ts'
import type { Json } from './document-check.ts'
import { createFailingPool } from './fault-injection/failing-pool.ts'
import { ORDERS, order, pathOf } from './order-client.ts'
import { rounds } from './rounds.ts'
import { countRows, startService, type Service } from './service.ts'

let service: Service
before(async () => void (service = await startService()))
after(() => service.stop())

const JSON_TYPE = { 'content-type': 'application/json' }
const send = (path: string, body: unknown, { ask } = service, headers: Readonly<Record<string, string>> = {}) =>
  ask(path, { method: 'POST', headers: { ...JSON_TYPE, ...headers }, body: JSON.stringify(body) })

async function resultsOf(path: string, body: unknown, from = service): Promise<readonly Json[]> {
  const { status, text } = await send(path, body, from)
  assert.equal(status, 200, text)
  return (JSON.parse(text) as { readonly results: readonly Json[] }).results
}
const postAll = (orders: readonly unknown[], from?: Service) => resultsOf(`${ORDERS}/batch`, { orders }, from)
const tellAll = (events: readonly unknown[], from?: Service) => resultsOf('/api/events/batch', { events }, from)
const statusesOf = (results: readonly Json[]) => results.map(({ status }) => status)

/** What a single request says of an item that failed: the result has the same members. */
const failureOf = (text: string): Json => {
  const { request_id, ...rest } = JSON.parse(text) as Json
  assert.ok(request_id)
  return rest
}

test('each order of a batch gets what a single request would get, and none stops the others', async () => {
  const known = order('mixed', 'known', ['M-0'])
  const single = await service.post(known)
  const invalid = order('mixed', 'invalid', ['M-1'], {
    order_date: '1980-01-01',
    items: [
      { type: 'product', config: { product_id: 'x', serial_number: 'M-1', tenure_months: -1 } },
      { type: 'packaging', config: { packaging_id: 'none', weight_kg: 1 } },
    ],
  })
  const other = { ...known, tenure_start_date: '2025-03-01' }
  const fresh = order('mixed', 'fresh', ['M-2'])
  const results = await postAll([invalid, known, other, 'no order', fresh, { ...fresh, note: 1 }])
  assert.deepEqual(statusesOf(results), [400, 200, 409, 400, 200, 200])
  const ids = ({ customer_id, order_id }: Json) => ({ customer_id, order_id })
  const alone = await Promise.all([invalid, other, 'no order'].map((one) => service.post(JSON.stringify(one))))
  assert.ok((results[0]!['details'] as readonly Json[]).length >= 4)
  assert.deepEqual(results[0], { ...ids(invalid), status: 400, ...failureOf(alone[0]!.text) })
  assert.deepEqual(results[2], { ...ids(other), status: 409, ...failureOf(alone[1]!.text) })
  assert.deepEqual(results[3], { status: 400, ...failureOf(alone[2]!.text) })
  const replayed = JSON.parse((await service.post(fresh)).text) as Json
  const totalOf = (result: Json) => ({ total_emission: result['total_emission'] })
  const stored = (one: Json, isReplayed: boolean, answered: Json) => ({
    ...ids(one),
    status: 200,
    idempotent_replayed: isReplayed,
    ...totalOf(answered),
  })
  assert.deepEqual(results[1], stored(known, true, JSON.parse(single.text) as Json))
  assert.deepEqual(results[4], stored(fresh, false, replayed))
  assert.deepEqual(results[5], stored(fresh, true, replayed))
})

test('unknown members are named once each, and the release of the orders is told', async () => {
  const orders = [1, 2, 3].map((at) => order('noted', `noted-${at}`, [], { note: 1, ...(at === 3 && { remark: 1 }) }))
  const { headers } = await send(`${ORDERS}/batch`, { orders, source: 'x' })
  assert.equal(headers['x-ignored-members'], '/source, /orders/0/note, /orders/2/remark')
  assert.equal(headers['dataset-release'], service.server.referenceData.release)
})

test('each event gets what a single request would get; what it concerns is told by what it names', async () => {
  await service.post(order('told', 'one', ['T-1', 'T-2']))
  const returned = { event_id: 'told-1', type: 'returned', serial_number: 'T-1', date: '2025-04-01' }
  const retired = { event_id: 'told-2', type: 'retired', date: '2025-05-01' }
  const named = { customer_id: 'told', order_id: 'one' }
  const events = [
    { ...named, ...returned },
    { serial_number: ' T-1 ', ...retired },
    { ...named, ...returned, serial_number: 'T-2' },
    { ...named, order_id: 'none', event_id: 'told-3', type: 'extended', tenure_months: 24 },
    { serial_number: 'T-none', event_id: 'told-4', type: 'lost', date: '2025-05-01' },
    { ...named, event_id: 'told-5', type: 'returned', serial_number: 'T-1', date: '2025-04-02' },
    { ...named, event_id: 'told-6', type: 'lost', serial_number: 'T-2', date: '2025-05-01' },
    { event_id: 'told-7', type: 'returned', date: 'tomorrow' },
    { serial_number: 'T-2', event_id: 'told-8', type: 'retyred', date: '2025-05-01' },
    { ...named, ...returned },
    7,
  ]
  const results = await tellAll(events)
  assert.deepEqual(statusesOf(results), [200, 200, 409, 404, 404, 409, 400, 400, 400, 200, 400])
  assert.deepEqual(results[0], { event_id: 'told-1', status: 200, idempotent_replayed: false })
  assert.deepEqual(results[9], { event_id: 'told-1', status: 200, idempotent_replayed: true })
  const ofOrder = (event: Json, id = 'one') => send(`${pathOf('told', id)}/events`, event)
  for (const at of [2, 3, 5]) {
    const event = events[at] as Json
    const { status, text } = await ofOrder(
      { ...event, customer_id: undefined, order_id: undefined },
      String(event['order_id']),
    )
    assert.deepEqual(results[at], { event_id: event['event_id'], status, ...failureOf(text) })
  }
  const codes = (at: number) =>
    (results[at]!['details'] as readonly Json[]).map(({ path, code }) => `${String(path)} ${String(code)}`)
  assert.deepEqual(codes(6), ['/type event_of_device'])
  assert.deepEqual(codes(7).toSorted(), [
    '/customer_id required_value',
    '/date wrong_value',
    '/order_id required_value',
  ])
  assert.deepEqual(codes(8), ['/type wrong_value'])
  assert.deepEqual((results[8]!['details'] as readonly Json[])[0]!['suggestions'], ['retired', 'returned'])
  assert.deepEqual(codes(10), [' wrong_value'])
})

test('events on one device come in their sequence, whatever they name', async () => {
  await service.post(order('sequence', 'first', ['S-1', 'S-2']))
  await service.post(order('sequence', 'second', ['S-3']))
  const first = { customer_id: 'sequence', order_id: 'first' }
  const results = await tellAll([
    { ...first, event_id: 's-1', type: 'extended', tenure_months: 24 },
    {
      ...first,
      event_id: 's-2',
      type: 'swapped',
      serial_number: 'S-1',
      new_serial_number: 'S-9',
      weight_kg: 1.3,
      date: '2025-06-01',
    },
    {
      serial_number: 'S-1',
      event_id: 's-3',
      type: 'refurbished',
      date: '2025-07-01',
      emission_kg: 1,
      lifetime_months_added: 6,
    },
    { ...first, event_id: 's-4', type: 'returned', date: '2025-08-01' },
    {
      serial_number: 'S-9',
      event_id: 's-5',
      type: 'refurbished',
      date: '2025-09-01',
      emission_kg: 1,
      lifetime_months_added: 6,
    },
    { serial_number: 'S-9', event_id: 's-6', type: 'retired', date: '2025-10-01' },
    { serial_number: 'S-2', event_id: 's-7', type: 'lost', date: '2025-10-01' },
    { customer_id: 'sequence', order_id: 'second', event_id: 's-7', type: 'returned', date: '2025-06-01' },
  ])
  assert.deepEqual(statusesOf(results), [200, 200, 200, 200, 200, 200, 200, 409])
})

test('ids with white space belong to the order without, and their events keep the sequence of the batch', async () => {
  assert.deepEqual(statusesOf(await postAll([order(' spaces', 'sp-1 ', ['SP-1'])])), [200])
  const events = Array.from({ length: 40 }, (_, at) => ({
    customer_id: at % 2 ? 'spaces ' : 'spaces',
    order_id: at % 3 ? 'sp-1' : ' sp-1',
    event_id: `sp-${at}`,
    type: 'extended',
    tenure_months: 13 + at,
  }))
  // In another sequence, a shorter extension after a longer one would be a conflict.
  assert.deepEqual(new Set(statusesOf(await tellAll(events))), new Set([200]))
})

test('of a strict account, the warnings of an item are its errors, 50 at most, as of a single request', async () => {
  const headers = { ...JSON_TYPE, 'x-api-key': await service.createKey(undefined, null, 'strict-batch') }
  const body = JSON.stringify({ amortisation: 'capped', strictness: 'refuse' })
  assert.equal((await service.ask('/api/account', { method: 'PUT', headers, body })).status, 200)
  // Settings are kept with each key for up to a second; this one is new.
  const strict = await service.createKey(undefined, null, 'strict-batch')
  const leg = { transportation_id: 'road-van-diesel', transportation_mode: 'road', distance_km: 26_000, weight_kg: 90 }
  const items = Array.from({ length: 60 }, () => ({ type: 'transportation', config: leg }))
  const far = order('strict', 'far', ['ST-1'])
  const one = { ...far, items: [...(far['items'] as Json[]), ...items] }
  const { text } = await send(`${ORDERS}/batch`, { orders: [one] }, service, { 'x-api-key': strict })
  const [result] = (JSON.parse(text) as { readonly results: readonly Json[] }).results
  const single = await send(ORDERS, one, service, { 'x-api-key': strict })
  assert.deepEqual(result!['details'], (JSON.parse(single.text) as Json)['details'])
  assert.equal((result!['details'] as Json[]).length, 50)
})

test('a batch that is none is refused as a whole', async () => {
  const tooMany = { orders: Array.from({ length: BATCH_ITEMS_MAX + 1 }, () => 0) }
  const bodies = [
    [[], '', 'wrong_value'],
    [{}, '/orders', 'required_value'],
    [{ order: [] }, '/orders', 'required_value_misnamed'],
    [{ orders: {} }, '/orders', 'wrong_value'],
    [tooMany, '/orders', 'too_many_elements'],
  ] as const
  for (const [body, path, code] of bodies) {
    const { status, text } = await send(`${ORDERS}/batch`, body)
    assert.equal(status, 400)
    const details = (JSON.parse(text) as { readonly details: readonly Json[] }).details
    assert.deepEqual([details[0]!['path'], details[0]!['code'], details.length], [path, code, 1])
  }
  assert.deepEqual(await postAll([]), [])
})

test('a thousand items that are all wrong are told within bounds', async () => {
  const items = Array.from({ length: 12 }, () => ({ type: 'product', config: { device_type: 1 } }))
  const { text } = await send(`${ORDERS}/batch`, { orders: Array.from({ length: 1_000 }, () => ({ items })) })
  const { results } = JSON.parse(text) as { readonly results: readonly { readonly details: readonly Json[] }[] }
  assert.ok(results.every(({ details }) => details.length > 0))
  assert.equal(results[0]!.details.length, 50)
  assert.equal(results.at(-1)!.details.length, 1)
  assert.ok(text.length < 6_000_000, String(text.length))
})

const SERIALS = ['A', 'B', 'C', 'D']
const serials = fc.uniqueArray(fc.constantFrom(...SERIALS), { maxLength: 3 })
const orderIds = fc.constantFrom('1', '2', '3', '4')
const months = fc.integer({ min: 1, max: 12 })
const dayOf = (month: number) => `2025-${String(month).padStart(2, '0')}-01`

const orders = fc.array(
  fc
    .record({ id: orderIds, serials, month: months })
    .map(({ id, serials: own, month }) =>
      order('drawn', id, own, { order_date: dayOf(1), tenure_start_date: dayOf(month) }),
    ),
  { maxLength: 8 },
)
const eventIds = fc.nat(9).map((at) => `event-${at}`)
/** An event of an order, of all its devices or of one. */
const ofOrder = (members: Readonly<Record<string, fc.Arbitrary<unknown>>>) =>
  fc
    .tuple(orderIds, eventIds, fc.record(members), fc.option(fc.constantFrom(...SERIALS)))
    .map(([order_id, event_id, event, serial_number]): Json => ({
      ...{ customer_id: 'drawn', order_id, event_id, ...event },
      ...(serial_number !== null && { serial_number }),
    }))
const serial = fc.constantFrom(...SERIALS)
const date = months.map((month) => `2026-${String(month).padStart(2, '0')}-15`)
const events = fc.array(
  fc.oneof(
    ofOrder({ type: fc.constant('returned'), date }),
    ofOrder({ type: fc.constant('extended'), tenure_months: fc.integer({ min: 12, max: 40 }) }),
    ofOrder({
      type: fc.constant('swapped'),
      new_serial_number: serial,
      weight_kg: fc.constant(1.3),
      date,
    }),
    fc.record({ serial_number: serial, event_id: eventIds, type: fc.constantFrom('retired', 'lost'), date }),
  ),
  { maxLength: 12 },
)

test('any batch leaves the same ledgers and results as its items sent one after the other', async () => {
  let run = 0
  await fc.assert(
    fc.asyncProperty(orders, events, async (drawnOrders, drawnEvents) => {
      run += 1
      const [batched, single] = await Promise.all(
        ['batched', 'single'].map((kind) => service.createKey(undefined, null, `${kind}-${run}`)),
      )
      const call = async (key: string, path: string, body?: unknown) => {
        const headers = { ...JSON_TYPE, 'x-api-key': key }
        const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
        const { status, text, headers: answered } = await service.ask(path, { headers, ...sent })
        return { status, body: JSON.parse(text) as Json, isReplayed: answered['idempotent-replayed'] === 'true' }
      }
      const results = async (path: string, body: unknown) =>
        (await call(batched!, path, body)).body['results'] as readonly Json[]
      const compare = (result: Json, alone: Awaited<ReturnType<typeof call>>) => {
        assert.equal(result['status'], alone.status)
        if (alone.status === 200) assert.equal(result['idempotent_replayed'], alone.isReplayed)
        else assert.equal(result['error'], alone.body['error'])
      }
      for (const [at, result] of (await results(`${ORDERS}/batch`, { orders: drawnOrders })).entries()) {
        const alone = await call(single!, ORDERS, drawnOrders[at])
        compare(result, alone)
        assert.equal(result['total_emission'], alone.body['total_emission'])
      }
      for (const [at, result] of (await results('/api/events/batch', { events: drawnEvents })).entries()) {
        const { customer_id, order_id, ...event } = drawnEvents[at] as Json
        const { serial_number, ...rest } = event
        const path = customer_id === undefined ? `/api/devices/${String(serial_number)}` : pathOf(customer_id, order_id)
        compare(result, await call(single!, `${path}/events`, customer_id === undefined ? rest : event))
      }
      for (const name of SERIALS) {
        const path = `/api/device-emissions/${name}`
        const [one, other] = await Promise.all([batched!, single!].map((key) => call(key, path)))
        const withoutIds = ({ status, body }: Awaited<ReturnType<typeof call>>) =>
          JSON.stringify({ status, body }, (member, value: unknown) =>
            /^(device_id|created_at|request_id)$/.test(member) ? undefined : value,
          )
        assert.equal(withoutIds(one!), withoutIds(other!))
      }
    }),
    { numRuns: rounds(24, 400) },
  )
})

test('a batch counts as many requests as it has items, and one over the limit stores nothing', async () => {
  const limited = await startService({ beside: service, settings: { keyRequestsPerSecondMax: 5 } })
  const batchOf = (count: number, name: string) => ({
    orders: Array.from({ length: count }, (_, at) => order('limited', `${name}-${at}`, [])),
  })
  mock.timers.enable({ apis: ['Date'], now: Date.parse('2026-01-01T12:00:00.500Z') })
  const before = await countRows(service.pool)
  const { status, text, headers } = await send(`${ORDERS}/batch`, batchOf(6, 'six'), limited)
  mock.timers.setTime(Date.parse('2026-01-01T12:00:01.500Z'))
  const answers = [await send(`${ORDERS}/batch`, batchOf(5, 'five'), limited), await limited.ask('/api/devices')]
  mock.timers.reset()
  assert.equal(status, 429)
  assert.equal((JSON.parse(text) as { reason: Json }).reason['code'], 'batch_exceeds_rate')
  assert.equal(headers['ratelimit'], '"key";r=0;t=1')
  assert.deepEqual(
    answers.map((answer) => answer.status),
    [200, 429],
  )
  assert.equal((await countRows(service.pool)).orders - before.orders, 5n)
  await limited.stop()
})

test('if the database fails midway, the batch is 503, and sent again stores what is missing', async () => {
  const { pool, arm, disarm } = createFailingPool(service.pool)
  const failing = await startService({ beside: service, pool })
  const serialsOfAll = Array.from({ length: 60 }, (_, at) => `F-${at}`)
  const all = serialsOfAll.map((name) => order('failing', name, [name]))
  await postAll(all.slice(0, 20), failing)
  // Which call is the one that stores the orders depends on what the service knows already, and on what else it does.
  const statuses: number[] = []
  for (const call of [1, 2, 3, 1, 2, 1, 1]) {
    if (statuses.includes(503)) break
    arm(call, { kind: 'reset', isAfter: true })
    statuses.push((await send(`${ORDERS}/batch`, { orders: all }, failing)).status)
    disarm()
  }
  assert.ok(statuses.includes(503), String(statuses))
  assert.ok((await postAll(all, failing)).every(({ status }) => status === 200))
  const told = serialsOfAll.map((name) => ({
    customer_id: 'failing',
    order_id: name,
    event_id: name,
    type: 'returned',
    date: '2025-05-01',
  }))
  arm(100, { kind: 'reset', isAfter: false })
  assert.equal((await send('/api/events/batch', { events: told }, failing)).status, 503)
  assert.equal(disarm(), true)
  const results = await tellAll(told, failing)
  assert.deepEqual(new Set(statusesOf(results)), new Set([200]))
  const replayed = results.filter((result) => result['idempotent_replayed'] === true).length
  assert.ok(replayed > 0 && replayed < told.length, String(replayed))
  assert.deepEqual(await postAll(all.slice(0, 1), failing), await postAll(all.slice(0, 1)))
  await failing.stop()
})
