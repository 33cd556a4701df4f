// The series of grid factors that an account chooses: in its orders, their receipts and a restatement.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verifyAll } from '../src/cli/verify.ts'
import type { Json } from './document-check.ts'
import { orderOf } from './receipt-client.ts'
import { verifyReceipt } from '../src/receipts/verify-receipt.ts'
import { applied, createAccountClient, previewed, type Ask } from './restatement-client.ts'
import { startService } from './service.ts'

const service = await startService()
const CONSUMPTION = 'electricity-maps-consumption'

/** 14.76 kWh a year, as its sheet states. */
const laptopIn = (id: string, country: string) => ({
  ...orderOf('c', id, '2024-01-01', [
    {
      type: 'product',
      config: { product_id: 'dell-latitude-3120', serial_number: `S-${id}`, tenure_months: 12, weight_kg: 1.38 },
    },
  ]),
  country,
})

async function post(ask: Ask, id: string, country: string): Promise<{ emission: number; publisher: string }> {
  await ask('POST', '/api/customer-orders', laptopIn(id, country))
  return useOf(ask, id)
}

async function useOf(ask: Ask, id: string): Promise<{ emission: number; publisher: string }> {
  const { items } = (await ask('GET', `/api/customer-orders/c/${id}?include=calculation`)) as {
    items: readonly { emission_breakdown: { product_use: { emission: number; calculation: Calculation } } }[]
  }
  const { emission, calculation } = items[0]!.emission_breakdown.product_use
  return { emission, publisher: calculation.factors.find(({ symbol }) => symbol.startsWith('EF'))!.source.publisher }
}

interface Calculation {
  readonly factors: readonly { readonly symbol: string; readonly source: { readonly publisher: string } }[]
}

test('orders use the series that the account chose, and stored ones keep theirs until they are restated', async () => {
  const ask = await createAccountClient(service, 'chooses')
  assert.equal((await ask('GET', '/api/account'))['grid_series'], 'default')
  // 14.76 kWh × 0.10262, what Austria generates; then × 0.119, what it consumes.
  const generated = { emission: 1.514671, publisher: 'Ember' }
  const consumed = { emission: 1.75644, publisher: 'Electricity Maps' }
  assert.deepEqual(await post(ask, 'before', 'AT'), generated)
  const changed = await ask('PUT', '/api/account', { amortisation: 'capped', grid_series: CONSUMPTION })
  assert.equal(changed['grid_series'], CONSUMPTION)
  assert.deepEqual(await post(ask, 'after', 'AT'), consumed)
  assert.deepEqual(await useOf(ask, 'before'), generated)

  const preview = await previewed(ask, { scope: {}, figures: { own: 'current' } })
  assert.deepEqual(Object.keys((preview['preview'] as { bridge: Json }).bridge), ['electricity'])
  await applied(ask, preview)
  assert.deepEqual(await useOf(ask, 'before'), consumed)

  await ask('PUT', '/api/account', { amortisation: 'capped', grid_series: 'default' })
  assert.equal((await ask('GET', '/api/account'))['grid_series'], 'default')
  assert.deepEqual(await post(ask, 'again', 'AT'), generated)
  assert.deepEqual((await verifyAll(service.pool)).lines, [])
})

test('each year of use has the factor of its year, if the series has it', async () => {
  const ask = await createAccountClient(service, 'years')
  await ask('PUT', '/api/account', { amortisation: 'capped', grid_series: CONSUMPTION })
  const order = laptopIn('two-years', 'AT')
  await ask('POST', '/api/customer-orders', { ...order, tenure_start_date: '2022-07-01' })
  // 14.76 kWh × (6 ÷ 12 × 0.248 + 6 ÷ 12 × 0.152)
  assert.deepEqual(await useOf(ask, 'two-years'), { emission: 2.952, publisher: 'Electricity Maps' })
})

test('an own factor comes before the series, and a country that the series lacks keeps the default', async () => {
  const ask = await createAccountClient(service, 'mixes')
  await ask('PUT', '/api/account', { amortisation: 'capped', grid_series: CONSUMPTION })
  await ask('PUT', '/api/grid-factors/AT-2024', {
    factor_kg_co2e_per_kwh: 0.2,
    source_title: 'Contract',
    source_publisher: 'The supplier',
  })
  assert.deepEqual(await post(ask, 'own', 'AT'), { emission: 2.952, publisher: 'The supplier' })
  assert.equal((await post(ask, 'lacking', 'NR')).publisher, 'Ember')
})

test('a receipt of the chosen series recomputes offline, and names its publisher', async () => {
  const ask = await createAccountClient(service, 'receipts')
  await ask('PUT', '/api/account', { amortisation: 'capped', grid_series: CONSUMPTION })
  await post(ask, 'one', 'AT')
  const text = JSON.stringify(await ask('GET', '/api/customer-orders/c/one/receipt'))
  assert.equal(verifyReceipt(text, service.server.referenceData.matching).outcome, 'equal')
  assert.match(text, /electricity that a country consumes/)
})

/** The interval of the only order of an account, and the error of its grid. */
async function widthOf(ask: Ask) {
  const order = (await ask('GET', '/api/customer-orders/c/one?include=calculation')) as unknown as {
    items: readonly { emission_breakdown: { product_use: { uncertainty: Interval } } }[]
    uncertainty: Interval
  }
  const reported = await ask('GET', '/api/reports/emissions')
  assert.deepEqual(reported['uncertainty'], order.uncertainty, 'a report is as sure as its only order')
  const { low, high, from } = order.items[0]!.emission_breakdown.product_use.uncertainty
  return { low, high, error: from.at(-1)!.name }
}

interface Interval {
  readonly low: number
  readonly high: number
  readonly from: readonly { readonly name: string }[]
}

test('an interval has what the other series says, unless the account chose a series or states the factor', async () => {
  const [usual, chooses, states] = await Promise.all(
    ['is-wide', 'is-chosen', 'is-stated'].map((name) => createAccountClient(service, name)),
  )
  await post(usual!, 'one', 'AT')
  // CHANGELOG: by the pedigree alone it was 0.870693 to 2.456744.
  const apart = 'pedigree of the grid factor, and how far series of grid factors are apart in the country'
  assert.deepEqual(await widthOf(usual!), { low: 0.711007, high: 2.846865, error: apart })

  await chooses!('PUT', '/api/account', { amortisation: 'capped', grid_series: CONSUMPTION })
  await post(chooses!, 'one', 'AT')
  const ofChosen = await widthOf(chooses!)
  assert.equal(ofChosen.error, 'pedigree of the grid factor')

  const told = { source_title: 'Contract', source_publisher: 'The supplier' }
  await states!('PUT', '/api/grid-factors/AT-2024', { factor_kg_co2e_per_kwh: 0.119, ...told })
  await post(states!, 'one', 'AT')
  assert.deepEqual(await widthOf(states!), ofChosen)
})

test('an unknown series is refused with the list of series, and nothing of the request is stored', async () => {
  const ask = await createAccountClient(service, 'errs')
  const { details } = (await ask('PUT', '/api/account', { amortisation: 'uncapped', grid_series: 'ember' }, 400)) as {
    details: readonly { path: string; message: string }[]
  }
  assert.equal(details[0]!.path, '/grid_series')
  assert.match(details[0]!.message, /there are default, ember-generation, electricity-maps-consumption/)
  assert.equal((await ask('GET', '/api/account'))['amortisation'], 'capped')
  const { grid_series: series } = await ask('GET', '/api/dataset-releases')
  assert.deepEqual(
    (series as readonly Json[]).map((one) => [one['id'], one['electricity'], one['years'], one['number_of_countries']]),
    [
      ['ember-generation', 'generation', [2022, 2023, 2024], 208],
      [CONSUMPTION, 'consumption', [2021, 2022, 2023, 2024, 2025], 205],
    ],
  )
})
