// The transport of orders as product footprints with the data of iLEAP: the conformance tests TC001 to TC008, and what
// orders, events, corrections and restatements make of them.
import { after, before, mock, test } from 'node:test'
import assert from 'node:assert/strict'
import fc from 'fast-check'
import type { Json } from './document-check.ts'
import {
  categoriesIn,
  checkCategory,
  checkIntensities,
  checkShipment,
  dataOf,
  legsOf,
  shipmentsIn,
  type Footprint,
} from './ileap-check.ts'
import { createOrderClient, milligrams, pathOf, type OrderClient } from './order-client.ts'
import { createPactClient, tokenOf } from './pact-client.ts'
import { exchange } from './raw-http.ts'
import { AIR_LEG, BOX, VAN, laptop, orderOf } from './receipt-client.ts'
import { applied, createAccountClient, previewed, registerChanged, type Ask } from './restatement-client.ts'
import { rounds } from './rounds.ts'
import { startService, type Service } from './service.ts'

const WEBHOOKS = { publicUrl: 'https://emissions.example.com', rules: { ports: [443], allowsLoopback: true } }

let service: Service
let orders: OrderClient
let ask: Ask
let token: string

before(async () => {
  service = await startService({ settings: { webhooks: WEBHOOKS } })
  orders = createOrderClient(service)
  ask = await createAccountClient(service, 'test')
  await orders.post(orderOf('lessee', 'one-leg', '2025-02-01', [laptop('L-1', 12), BOX, VAN]))
  await orders.post(orderOf('lessee', 'two legs', '2025-03-01', [laptop('L-2', 12), VAN, AIR_LEG]))
  await orders.post(orderOf('lessee', 'no-transport', '2025-03-01', [laptop('L-3', 12), BOX]))
  await orders.post(orderOf('other lessee', 'theirs', '2025-03-01', [laptop('L-4', 12), VAN]))
  token = await accessOf('lessee')
})
after(() => service.stop())

const accessOf = async (customer: string) =>
  tokenOf(service, await createPactClient(service, { customer_id: customer, label: 'Its own software' }))

const get = async (path: string, bearer = token) => {
  const headers = { authorization: `Bearer ${bearer}` }
  const { status, text, headers: answered } = await exchange(service.server.url, path, { method: 'GET', headers })
  return { status, json: JSON.parse(text) as Json, link: answered['link'] }
}

async function list(query = '', bearer = token): Promise<readonly Footprint[]> {
  const { status, json } = await get(`/3/footprints?limit=1000${query}`, bearer)
  assert.equal(status, 200)
  return json['data'] as readonly Footprint[]
}

const active = (bearer: string) => list('&status=Active', bearer)

const shipmentOf = (footprints: readonly Footprint[], order: string): Footprint | undefined =>
  shipmentsIn(footprints).find((one) => dataOf(one)['shipmentId'] === order && one['status'] === 'Active')

const leg = (transport: string, mode: string, more: Json = {}): Json => ({
  type: 'transportation',
  config: { transportation_id: transport, transportation_mode: mode, distance_km: 100, weight_kg: 2, ...more },
})

test('TC001: footprints of shipments have the form of iLEAP, and their legs what the order was answered', async () => {
  const shipments = shipmentsIn(await list())
  for (const one of shipments) checkShipment(one)
  assert.deepEqual(
    shipments.map((one) => dataOf(one)['shipmentId']),
    ['one-leg', 'two legs'],
  )
  const [only] = legsOf(shipmentOf(shipments, 'one-leg')!)
  // 137.5 km of the shortest feasible distance are 144.375 km by road.
  const { tocId, ...rest } = only!
  assert.match(tocId, /^road-van-diesel-[\da-f]{8}$/)
  assert.deepEqual(rest, {
    tceId: 'one-leg/1',
    prevTceIds: [],
    shipmentId: 'one-leg',
    mass: '4.2',
    distance: { actual: '144.375' },
    transportActivity: '0.606375',
    co2eWTW: '0.474337',
    co2eTTW: '0.382805',
  })
  assert.equal(dataOf(shipmentOf(shipments, 'one-leg')!)['mass'], '1.5')
  const [van, flight] = legsOf(shipmentOf(shipments, 'two legs')!)
  assert.equal(van!['prevTceIds'], undefined)
  assert.deepEqual(flight!.distance, { gcd: '9000' })
})

test('TC002: every category that a shipment names is there, with its energy carrier and no certification', async () => {
  const footprints = await list()
  const categories = categoriesIn(footprints)
  for (const one of categories) checkCategory(one)
  const named = new Set(shipmentsIn(footprints).flatMap((one) => legsOf(one).map(({ tocId }) => tocId)))
  assert.deepEqual(new Set(categories.map((one) => dataOf(one)['tocId'])), named)
  const van = categories.map(dataOf).find(({ tocId }) => (tocId as string).startsWith('road-van-diesel-'))!
  assert.deepEqual(van['energyCarriers'], [
    {
      energyCarrier: 'Diesel',
      relativeShare: '1',
      energyConsumptionUnit: 'l',
      emissionFactorWTW: '3.18183',
      emissionFactorTTW: '2.57082',
    },
  ])
})

test('TC003: no leg names a hub, and there is no category of hubs', async () => {
  const footprints = await list()
  assert.ok(!JSON.stringify(footprints).includes('hocId'))
  assert.ok(!footprints.some(({ productIds }) => productIds[0]!.includes(':hoc:')))
})

test('TC004 to TC006: transport activity data are an empty list, filtered or limited', async () => {
  for (const query of ['', '?mode=Road', '?mode=InlandWaterway', '?feedstock=Fossil', '?limit=1']) {
    const { status, json, link } = await get(`/2/ileap/tad${query}`)
    assert.equal(status, 200)
    assert.deepEqual(json, { data: [] })
    assert.equal(link, undefined)
  }
  assert.equal((await get('/2/ileap/tad?limit=0')).status, 400)
})

test('TC007 and TC008: an invalid token gets 403 there, an expired one 401, and no token 400', async () => {
  const codeOf = ({ status, json }: Awaited<ReturnType<typeof get>>) => [status, json['code']]
  for (const bearer of ['x', `${token}x`, service.key])
    assert.deepEqual(codeOf(await get('/2/ileap/tad', bearer)), [403, 'AccessDenied'])
  assert.deepEqual(codeOf(await get('/2/ileap/tad', ' ')), [400, 'BadRequest'])
  assert.equal((await get('/3/footprints', 'x')).status, 401)
  mock.timers.enable({ apis: ['Date'], now: Date.now() + 3_700_000 })
  try {
    assert.deepEqual(codeOf(await get('/2/ileap/tad')), [401, 'TokenExpired'])
  } finally {
    mock.timers.reset()
  }
})

test('the class of logistics finds shipments and categories, and a customer sees none of another one', async () => {
  const footprints = await list()
  const found = await list('&classification=urn:pact:productclassification:un-cpc:83117')
  assert.deepEqual(
    found.map(({ id }) => id),
    [...shipmentsIn(footprints), ...categoriesIn(footprints)].map(({ id }) => id),
  )
  assert.ok(!JSON.stringify(footprints).includes('theirs'))
})

test('a leg whose energy carrier is not known makes a footprint without data of iLEAP, which says so', async () => {
  const own = { name: 'Own vans', mode: 'road', factor_kg_co2e_per_tonne_km: 0.5, distance_basis: 'actual' }
  await ask('PUT', '/api/transportations/own-vans', { ...own, source_title: 'Fuel bills', source_publisher: 'Acme' })
  for (const [transport, mode, name] of [
    ['rail-freight', 'rail', 'Freight train'],
    ['road-van-plug-in-hybrid', 'road', 'Van, plug-in hybrid, up to 3.5 t'],
    ['air-long-haul-with-radiative-forcing', 'air', 'Air freight, long haul, with radiative forcing'],
    ['own-vans', 'road', 'Own vans'],
  ] as const) {
    await orders.post(orderOf(transport, `by-${transport}`, '2025-03-01', [VAN, leg(transport, mode)]))
    const [plain, ...others] = await list('', await accessOf(transport))
    assert.deepEqual(others, [])
    assert.deepEqual(plain!.productIds, [`urn:pact:emissions.example.com:product-id:shipment:by-${transport}`])
    assert.equal(plain!['extensions'], undefined)
    assert.ok((plain!['comment'] as string).endsWith(`: ${name}.`))
    const { text } = await orders.ask(pathOf(transport, `by-${transport}`))
    const total = (JSON.parse(text) as Json)['total_emission']
    assert.equal(milligrams(plain!.pcf['pcfExcludingBiogenicUptake']), milligrams(total))
  }
})

test('electricity emits nothing where it is used', async () => {
  await orders.post(orderOf('electric', 'e', '2025-03-01', [leg('road-van-electric', 'road')]))
  const footprints = await list('', await accessOf('electric'))
  const [only] = legsOf(shipmentOf(footprints, 'e')!)
  assert.deepEqual([only!['co2eWTW'], only!['co2eTTW']], ['0.05525', '0'])
  const { energyCarriers, co2eIntensityTTW: intensity } = dataOf(categoriesIn(footprints)[0]!)
  assert.equal(intensity, '0')
  const [{ energyCarrier, energyConsumptionUnit: unit, emissionFactorWTW: factor }] = energyCarriers as [Json]
  assert.deepEqual([energyCarrier, unit, factor], ['Electric', 'kWh', '0.2454'])
})

test('a cancelled device takes its share of the legs, a withdrawal brings it back', async () => {
  const bearer = await accessOf('cancelling')
  const two = [laptop('C-1', 12), laptop('C-2', 12, { weight_kg: 2.48 }), VAN]
  await orders.post(orderOf('cancelling', 'c', '2025-03-01', two))
  const first = shipmentOf(await active(bearer), 'c')!
  const cancel = (id: string, more: Json) =>
    orders.tell('cancelling', 'c', { event_id: id, type: 'cancelled', date: '2025-02-01', dispatched: false, ...more })
  await cancel('one', { serial_number: 'C-1' })
  const second = shipmentOf(await active(bearer), 'c')!
  checkShipment(second)
  assert.deepEqual(second['precedingPfIds'], [first.id])
  // Two thirds of 4.2 kg and of 474337 mg: 316224.67 for 2.48 of 3.72 kg.
  const [left] = legsOf(second)
  assert.deepEqual([left!['mass'], left!['co2eWTW'], dataOf(second)['mass']], ['2.8', '0.316225', '2.48'])
  await orders.tell('cancelling', 'c', { event_id: 'no', type: 'withdrawn', withdraws: 'one' })
  const third = shipmentOf(await active(bearer), 'c')!
  assert.deepEqual(dataOf(third), dataOf(first))
  await cancel('all', {})
  assert.deepEqual(await active(bearer), [])
  assert.equal(shipmentsIn(await list('', bearer)).length, 3)
})

test('a cancelled order that was dispatched keeps its shipment, and a swap and a return change none', async () => {
  const bearer = await accessOf('staying')
  await orders.post(orderOf('staying', 'gone', '2025-03-01', [laptop('T-1', 12), VAN]))
  await orders.post(orderOf('staying', 'swapped', '2025-03-01', [laptop('T-2', 12), VAN]))
  const before = shipmentsIn(await active(bearer)).map(({ id }) => id)
  const gone = { event_id: 'x', type: 'cancelled', date: '2025-02-01', dispatched: true }
  await orders.tell('staying', 'gone', gone)
  const swap = { event_id: 's', type: 'swapped', date: '2025-05-01', new_serial_number: 'T-3', weight_kg: 1.3 }
  await orders.tell('staying', 'swapped', swap)
  await orders.tell('staying', 'swapped', { event_id: 'r', type: 'returned', date: '2025-06-01' })
  const now = shipmentsIn(await active(bearer)).map(({ id }) => id)
  assert.equal(before.length, 2)
  assert.deepEqual(now, before)
})

test('a corrected and a restated order replace their shipment, and other figures its category', async () => {
  const bearer = await accessOf('corrected')
  const order = orderOf('corrected', 'k', '2025-03-01', [laptop('K-1', 12), VAN])
  await orders.post(order)
  const [first] = shipmentsIn(await active(bearer))
  const right = { ...order, items: [laptop('K-1', 12), leg('road-van-diesel', 'road', { distance_km: 200 })] }
  await ask('PUT', pathOf('corrected', 'k'), right)
  const [second, ...others] = shipmentsIn(await active(bearer))
  assert.deepEqual(others, [])
  assert.deepEqual(second!['precedingPfIds'], [first!.id])
  assert.equal(legsOf(second!)[0]!['co2eWTW'], '0.3129')
  const release = await registerChanged(service, '2031.01', [
    {
      file: 'transports.csv',
      row: 'road-van-diesel',
      cells: { factor_kg_co2e_per_tonne_km: '0.9', ttw_kg_co2e_per_tonne_km: '0.7', wtt_kg_co2e_per_tonne_km: '0.2' },
    },
  ])
  const before = categoriesIn(await active(bearer))
  await applied(ask, await previewed(ask, { scope: { serial_numbers: ['K-1'] }, figures: { release } }))
  const footprints = await active(bearer)
  const [third] = shipmentsIn(footprints)
  assert.deepEqual(third!['precedingPfIds'], [second!.id])
  const [restated] = legsOf(third!)
  assert.deepEqual([restated!['co2eWTW'], restated!['co2eTTW']], ['0.36', '0.28'])
  const [category, ...more] = categoriesIn(footprints)
  assert.deepEqual(more, [])
  assert.equal(dataOf(category!)['tocId'], restated!.tocId)
  assert.notEqual(category!.productIds[0], before[0]!.productIds[0])
})

/** Any transport with an energy carrier, on any basis that its mode permits. */
const anyLeg = (): fc.Arbitrary<Json> => {
  const transports = [...service.server.referenceData.transports.values()].filter((one) => one.energyCarrier)
  return fc
    .record({
      transport: fc.constantFrom(...transports),
      distance_km: fc.oneof(fc.integer({ min: 0, max: 20_000 }), fc.double({ min: 0, max: 20_000, noNaN: true })),
      weight_kg: fc.oneof(fc.double({ min: 0, max: 500, noNaN: true }), fc.constantFrom(0, 1e-7, 12.5)),
      planned: fc.boolean(),
    })
    .map(({ transport: { id, mode }, planned, ...config }) => ({
      ...leg(id, mode, config),
      config: {
        ...(leg(id, mode, config)['config'] as Json),
        ...(planned && { distance_basis: mode === 'air' ? 'great_circle' : 'shortest_feasible' }),
      },
    }))
}

interface RandomOrder {
  readonly legs: readonly Json[]
  readonly weights: readonly number[]
  readonly cancelled: readonly ('no' | 'before' | 'dispatched')[]
}

const randomOrder = (): fc.Arbitrary<RandomOrder> =>
  fc.record({
    legs: fc.array(anyLeg(), { minLength: 1, maxLength: 4 }),
    weights: fc.array(fc.constantFrom(0.2, 1.24, 7.001), { maxLength: 4 }),
    cancelled: fc.array(fc.constantFrom('no', 'no', 'before', 'dispatched'), { minLength: 4, maxLength: 4 }),
  })

async function postRandom(customer: string, id: string, { legs, weights, cancelled }: RandomOrder): Promise<void> {
  const devices = weights.map((weight_kg, at) => laptop(`${customer}-${id}-${at}`, 12, { weight_kg }))
  await orders.post(orderOf(customer, id, '2025-03-01', [...devices, ...legs]))
  for (const at of weights.keys()) {
    if (cancelled[at] === 'no') continue
    const serial = `${customer}-${id}-${at}`
    const event = { event_id: serial, type: 'cancelled', date: '2025-02-01', dispatched: cancelled[at] !== 'before' }
    await orders.tell(customer, id, { ...event, serial_number: serial })
  }
}

const sum = (those: readonly bigint[]): bigint => those.reduce((total, each) => total + each, 0n)

/** What the rentals of an order state of its transport, in milligrams. */
const logisticsOf = (footprints: readonly Footprint[], order: string): bigint =>
  sum(
    footprints
      .filter(({ productIds }) => productIds[0]!.includes(`:rental:${order}:`))
      .map(({ pcf }) => milligrams(pcf['outboundLogisticsGhgEmissions'])),
  )

/** The lines of an order's legs as it stands, in milligrams. */
async function linesOf(customer: string, id: string): Promise<readonly bigint[]> {
  const { text } = await orders.ask(pathOf(customer, id))
  const { items } = JSON.parse(text) as { readonly items: readonly Json[] }
  return items
    .filter(({ type }) => type === 'transportation')
    .map((item) => milligrams(((item['emission_breakdown'] as Json)['transportation'] as Json)['emission']))
}

test('the legs of random orders have the milligrams of their lines, whatever was cancelled of them', async () => {
  let run = 0
  await fc.assert(
    fc.asyncProperty(fc.array(randomOrder(), { minLength: 1, maxLength: 5 }), async (random) => {
      run += 1
      const customer = `random-${run}`
      for (const [at, one] of random.entries()) await postRandom(customer, `o${at}`, one)
      const footprints = await list('', await accessOf(customer))
      for (const one of shipmentsIn(footprints)) checkShipment(one)
      for (const one of categoriesIn(footprints)) checkCategory(one)
      checkIntensities(footprints)
      for (const [at, { weights, cancelled }] of random.entries()) {
        const lines = await linesOf(customer, `o${at}`)
        const shipment = shipmentOf(footprints, `o${at}`)
        if (lines.every((line) => line === 0n)) assert.equal(shipment, undefined)
        else
          assert.deepEqual(
            legsOf(shipment!).map((one) => milligrams(one['co2eWTW'])),
            lines,
          )
        // A device that was dispatched and cancelled has no rental that could state its share.
        const isRented = weights.length > 0 && !cancelled.slice(0, weights.length).includes('dispatched')
        if (isRented) assert.equal(logisticsOf(footprints, `o${at}`), sum(lines))
      }
    }),
    { numRuns: rounds(12, 200) },
  )
})
