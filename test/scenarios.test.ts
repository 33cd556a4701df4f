// POST /api/scenarios: stored orders computed again under changes, and nothing stored of it.
import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import { serialNumbersEverInOrder } from '../src/ledger/order-state.ts'
import { ensureAccount } from '../src/postgres/accounts.ts'
import { readScenario, type ScenarioLimits } from '../src/postgres/scenario-records.ts'
import { inTransaction } from '../src/postgres/transaction.ts'
import { postJson } from './asked-service.ts'
import type { Json } from './document-check.ts'
import { createOrderClient, type OrderClient } from './order-client.ts'
import { BOX, VAN, laptop, orderOf } from './receipt-client.ts'
import { shippedReferenceData } from './shipped-book.ts'
import { countRows, startService, type Service } from './service.ts'

interface Comparison {
  readonly before: number
  readonly after: number
  readonly difference: number
  readonly interval: { readonly low: number; readonly high: number; readonly level: number }
}
interface Scenario {
  readonly number_of_orders: number
  readonly number_of_orders_changed: number
  readonly by_year: readonly (Comparison & { readonly year: number })[]
  readonly total: Comparison
  readonly outside_scope: { readonly number_of_orders: number; readonly difference: number }
  readonly not_changed: readonly {
    readonly change: number
    readonly reason: string
    readonly number_of_orders: number
  }[]
  readonly notes: readonly string[]
}

const LAPTOP = 'apple-macbook-air-13-m3-256gb'
const german = (serial: string, months: number) => laptop(serial, months, { country: 'DE' })

let service: Service
let client: OrderClient
before(async () => {
  service = await startService()
  client = createOrderClient(service)
  await client.post(orderOf('first', 'one', '2023-01-01', [german('S-1', 12), VAN, BOX]))
  await client.post(orderOf('second', 'two', '2024-01-01', [laptop('S-1', 12), VAN]))
  await client.post(orderOf('second', 'three', '2024-06-15', [VAN]))
})
after(() => service.stop())

async function computed(changes: readonly object[], scope: object = {}): Promise<Scenario> {
  const { status, text } = await postJson(service, '/api/scenarios', { changes, scope })
  assert.equal(status, 200, text)
  return JSON.parse(text) as Scenario
}

/** A leg or a packaging by another factor. */
function withId({ type, config }: Json, id: string): Json {
  return { type, config: { ...(config as Json), [`${String(type)}_id`]: id } }
}

const micro = (kilograms: number): number => Math.round(kilograms * 1e6)

test('a change that concerns nothing has no difference in any year, and an interval of nothing', async () => {
  const {
    by_year: years,
    total,
    ...answer
  } = await computed([{ type: 'transportation', from: 'air', to: 'road-van-electric' }])
  assert.ok(years.length >= 2)
  for (const one of [...years, total]) {
    assert.equal(one.difference, 0)
    assert.equal(one.before, one.after)
    assert.deepEqual([one.interval.low, one.interval.high], [0, 0])
  }
  assert.equal(answer.number_of_orders_changed, 0)
  assert.deepEqual(
    answer.not_changed.map(({ change, reason, number_of_orders }) => [change, reason, number_of_orders]),
    [[0, 'no_such_leg', 3]],
  )
})

test('the years before are those of the statements and of the report by tenure', async () => {
  const { by_year: years } = await computed([{ type: 'packaging', to: 'corrugated-board-virgin' }], {
    customer_id: 'second',
  })
  for (const { year, before: stated } of years) {
    const { text } = await client.ask(`/api/statements/second/${year}`)
    const { summary } = JSON.parse(text) as { readonly summary: { readonly total_emission: string } }
    assert.equal(micro(stated), micro(Number(summary.total_emission)), String(year))
  }
  const query = 'date_basis=tenure&group_by=year&customer=second'
  const report = JSON.parse((await client.ask(`/api/reports/emissions?${query}`)).text) as {
    readonly groups: readonly { readonly year: string; readonly total_emission: number }[]
  }
  assert.deepEqual(
    report.groups.map(({ year, total_emission }) => [Number(year), micro(total_emission)]).toSorted(),
    years.map(({ year, before: stated }) => [year, micro(stated)]),
  )
})

test('another transport and packaging change the first year by what their factors differ', async () => {
  const { by_year: years, number_of_orders_changed: orders } = await computed(
    [
      { type: 'transportation', from: 'road-van-diesel', to: 'road-van-electric' },
      { type: 'packaging', from: 'corrugated-board-recycled', to: 'corrugated-board-virgin' },
    ],
    { customer_id: 'first' },
  )
  assert.equal(orders, 1)
  const [first] = years
  assert.equal(first!.year, 2023)
  assert.ok(first!.interval.low < first!.difference && first!.difference < first!.interval.high)
  assert.equal(micro(first!.after) - micro(first!.before), micro(first!.difference))
  const sent = [german('S-9', 12), VAN, BOX]
  const changed = [german('S-8', 12), withId(VAN, 'road-van-electric'), withId(BOX, 'corrugated-board-virgin')]
  const [before, after] = await Promise.all(
    [sent, changed].map(async (items, at) => {
      const order = orderOf('estimated', `e-${at}`, '2023-01-01', items)
      return Number((await postJson(service, '/api/estimates', order)).answer['total_emission'])
    }),
  )
  assert.equal(micro(first!.difference), micro(after!) - micro(before!))
})

test('a contract takes the electricity away where it is known, and says where it is not', async () => {
  const models = [...shippedReferenceData().referenceData.models.values()]
  const { id } = models.find(({ yearlyEnergyKwh }) => yearlyEnergyKwh !== null)!
  await client.post(orderOf('third', 'four', '2024-01-01', [laptop('S-4', 12, { country: 'DE', product_id: id })]))
  const contract = { type: 'electricity', factor_kg_co2e_per_kwh: 0 }
  const known = await computed([contract], { customer_id: 'third' })
  assert.deepEqual([known.number_of_orders_changed, known.not_changed], [1, []])
  const { text } = await client.ask('/api/customer-orders/third/four')
  const use = JSON.parse(text) as {
    readonly items: readonly [{ readonly emission_breakdown: { readonly product_use: { readonly emission: number } } }]
  }
  assert.equal(micro(known.total.difference), -micro(use.items[0].emission_breakdown.product_use.emission))
  assert.ok(known.total.difference < 0)
  const abroad = await computed([{ ...contract, country: 'FR' }], { customer_id: 'third' })
  assert.deepEqual(abroad.not_changed[0]!.reason, 'other_country')
  const unknown = await computed([contract], { customer_id: 'second' })
  assert.equal(unknown.total.difference, 0)
  assert.deepEqual(
    unknown.not_changed.map(({ reason, number_of_orders: orders }) => [reason, orders]),
    [
      ['electricity_unknown', 1],
      ['no_devices', 1],
    ],
  )
})

test('a longer rental ends where the next one of the device starts, and moves nothing outside the scope', async () => {
  const {
    total,
    number_of_orders_changed: changed,
    outside_scope: outside,
    notes,
  } = await computed([{ type: 'tenure', months: 6 }], { customer_id: 'first' })
  assert.deepEqual([changed, total.difference], [1, 0])
  assert.deepEqual(outside, { number_of_orders: 0, difference: 0 })
  assert.ok(notes.some((note) => note.startsWith('Later rentals of the same device are not moved')))
})

test('the longer rental of METHODOLOGY has what its months have, until the next rental starts', async () => {
  await client.post(orderOf('longer', 'five', '2024-01-01', [laptop('S-5', 12)]))
  const longer = async () =>
    (await computed([{ type: 'tenure', months: 6 }], { customer_id: 'longer' })).by_year
      .filter(({ difference }) => difference !== 0)
      .map(({ year, difference }) => [year, difference])
  // 13.66875 kg embodied, and use.
  assert.deepEqual(await longer(), [[2025, 16.875]])
  await client.post(orderOf('later', 'six', '2025-04-01', [laptop('S-5', 12)]))
  // 6.834375 kg embodied, and use.
  assert.deepEqual(await longer(), [[2025, 8.4375]])
})

test('a scope with more orders or entries than allowed is not read to its end', async () => {
  const { accountId } = await ensureAccount(service.pool, 'test')
  const scope = { customerId: null, from: null, to: null }
  const serialsOf = serialNumbersEverInOrder
  const read = (limits: ScenarioLimits) =>
    inTransaction(service.pool, (connection) => readScenario(connection, { accountId, scope, limits, serialsOf }))
  assert.equal(await read({ ordersMax: 1, entriesMax: 100 }), 'ordersMax')
  assert.equal(await read({ ordersMax: 100, entriesMax: 1 }), 'entriesMax')
  assert.equal(typeof (await read({ ordersMax: 100, entriesMax: 100 })), 'object')
})

test('a device is one model in all its orders: with some outside the scope, it stays', async () => {
  const change = { type: 'model', from: LAPTOP, to: 'apple-macbook-air-13-m2-256gb-2022' }
  const part = await computed([change], { customer_id: 'first' })
  assert.deepEqual(
    part.not_changed.map(({ reason }) => reason),
    ['orders_outside_scope'],
  )
  const whole = await computed([change], { to: '2024-12-31' })
  assert.ok(whole.number_of_orders_changed >= 2 && whole.total.difference !== 0)
})

test('nothing is stored', async () => {
  const count = () => countRows(service.pool)
  const earlier = await count()
  await computed([{ type: 'tenure', months: 24 }])
  assert.deepEqual(await count(), earlier)
})

test('every fault is named at once, with its path and what would be right', async () => {
  const { status, text } = await postJson(service, '/api/scenarios', {
    changes: [
      { type: 'tenure' },
      { type: 'transportation', from: 'air', to: 'van-diesel' },
      { type: 'packaging', to: 'corrugated-board', months: 3 },
      { type: 'model', from: LAPTOP, to: LAPTOP },
      { type: 'electricity', country: 'UK', factor_kg_co2e_per_kwh: -1 },
      { type: 'electricity', country: 'XX', factor_kg_co2e_per_kwh: 0 },
    ],
    scope: { from: '2025-01-01', to: '2024-01-01', customer: 'first' },
  })
  assert.equal(status, 400, text)
  const { details } = JSON.parse(text) as {
    readonly details: readonly { readonly path: string; readonly suggestions?: readonly string[] }[]
  }
  assert.deepEqual(details.map(({ path }) => path).toSorted(), [
    '/changes/0/months',
    '/changes/1/to',
    '/changes/2/months',
    '/changes/2/to',
    '/changes/3/to',
    '/changes/4/factor_kg_co2e_per_kwh',
    '/changes/5/country',
    '/scope/customer',
  ])
  const suggested = details.find(({ path }) => path === '/changes/1/to')?.suggestions
  assert.ok(suggested?.includes('road-van-diesel'), text)
})

test('a scope that ends before it begins is refused', async () => {
  const scope = { from: '2025-01-01', to: '2024-01-01' }
  const { status, text } = await postJson(service, '/api/scenarios', {
    changes: [{ type: 'tenure', months: 1 }],
    scope,
  })
  assert.equal(status, 400)
  assert.match(text, /"path":"\/scope\/to"/)
})
