// GET /api/impact/{customer_id}/{year}: rented devices beside new ones, and nothing of it in any other answer.
import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import { postJson } from './asked-service.ts'
import type { Json } from './document-check.ts'
import { createOrderClient, type OrderClient } from './order-client.ts'
import { BOX, VAN, laptop, orderOf } from './receipt-client.ts'
import { startService, type Service } from './service.ts'

type Amounts = Readonly<Record<'product_embodied_emission' | 'product_use' | 'total_emission', number>>
interface Difference {
  readonly emission: number
  readonly interval: { readonly low: number; readonly high: number }
}
interface Impact {
  readonly allocation_methods: readonly string[]
  readonly specificity: string | null
  readonly reference: Amounts & { readonly devices: readonly Json[] }
  readonly solution: Amounts & { readonly packaging: number; readonly transportation: number }
  readonly potential?: Difference
  readonly gross?: Difference
  readonly net?: Difference & Json
  readonly break_even: number | null
}

let service: Service
let client: OrderClient
before(async () => {
  service = await startService()
  client = createOrderClient(service)
  await client.post(orderOf('first', 'i-1', '2021-01-01', [laptop('I-1', 36), VAN, BOX]))
  const refurbished = { type: 'refurbished', date: '2024-01-01', emission_kg: 3, lifetime_months_added: 24 }
  await client.tellDevice('I-1', { event_id: 'i-1', ...refurbished })
  await client.post(orderOf('second', 'i-2', '2024-01-01', [laptop('I-1', 24), VAN, BOX]))
})
after(() => service.stop())

async function impactOf(customer: string, year: number, query = ''): Promise<Impact> {
  const { status, text } = await client.ask(`/api/impact/${customer}/${year}${query}`)
  assert.equal(status, 200, text)
  return (JSON.parse(text) as { readonly impact: Impact }).impact
}

const near = (one: number, other: number) => assert.ok(Math.abs(one - other) < 0.000_003, `${one} is not ${other}`)

test('the sides of two years add up to the worked example, and the rented one is that of the statement', async () => {
  const years = await Promise.all([2024, 2025].map((year) => impactOf('second', year)))
  const sum = (of: (impact: Impact) => number) => years.map(of).reduce((all, one) => all + one, 0)
  near(
    sum(({ reference }) => reference.product_embodied_emission),
    54.675,
  )
  near(
    sum(({ solution }) => solution.product_embodied_emission),
    20.225,
  )
  near(
    sum(({ reference }) => reference.product_use),
    sum(({ solution }) => solution.product_use),
  )
  for (const [at, { solution, reference, potential, break_even: breakEven }] of years.entries()) {
    const { text } = await client.ask(`/api/statements/second/${2024 + at}`)
    const { summary } = JSON.parse(text) as { readonly summary: { readonly total_emission: string } }
    assert.equal(solution.total_emission, Number(summary.total_emission))
    near(potential!.emission, reference.total_emission - solution.total_emission)
    near(breakEven!, solution.total_emission / reference.total_emission)
    assert.ok(potential!.interval.low < potential!.emission && potential!.emission < potential!.interval.high)
  }
})

test('the answer names what it compares with and why, by which method, and how specific that is', async () => {
  const { reference, allocation_methods: methods, specificity } = await impactOf('second', 2024)
  assert.deepEqual([methods, specificity], [['capped_linear'], 'solution_specific'])
  const [device] = reference.devices
  assert.equal(reference.devices.length, 1)
  assert.deepEqual(
    [device!['why'], device!['embodied_emission'], device!['lifetime_months'], device!['number_of_devices']],
    ['The rented device as a new one: Apple MacBook Air 13 M3 256GB', 109.35, 48, 1],
  )
})

test('a device of no known model is compared with a new one by the same fallback', async () => {
  const unknown = { product_id: 'Q-1', device_type: 'laptop' }
  await client.post(orderOf('typed', 'i-3', '2024-01-01', [laptop('I-3', 12, unknown)]))
  const { reference, specificity } = await impactOf('typed', 2024)
  assert.equal(specificity, 'generic')
  assert.match(String(reference.devices[0]!['why']), /^A new device by the fallback figure of the rented one/)
})

test('of a first life the difference is below 0 by what it was packed in and shipped by, and stays so', async () => {
  const { solution, potential, break_even: breakEven } = await impactOf('first', 2021)
  assert.ok(solution.packaging > 0 && solution.transportation > 0)
  near(potential!.emission, -solution.packaging - solution.transportation)
  assert.ok(breakEven! > 1)
})

test('with a displacement and its source there is a gross and a net difference, which may be below 0', async () => {
  const { potential, reference, solution } = await impactOf('second', 2024)
  for (const share of [0.71, 0.25]) {
    const query = `?displacement=${share}&displacement_source=A%20survey`
    const { gross, net, potential: none } = await impactOf('second', 2024, query)
    assert.deepEqual([gross, none], [potential, undefined])
    near(net!.emission, share * reference.total_emission - solution.total_emission)
    assert.deepEqual([net!['displacement'], net!['source']], [share, 'A survey'])
  }
  const { net } = await impactOf('second', 2024, '?rebound=0.29&rebound_source=A%20study')
  near(net!.emission, 0.71 * potential!.emission)
})

test('a share without a source, a source without a share, and two shares are refused', async () => {
  for (const [query, path] of [
    ['displacement=0.5', '?displacement_source'],
    ['rebound=0.5', '?rebound_source'],
    ['displacement_source=A%20survey', '?displacement_source'],
    ['displacement=1.5&displacement_source=A', '?displacement'],
    ['displacement=0.5&displacement_source=A&rebound=0.3&rebound_source=B', '?rebound'],
  ] as const) {
    const { status, text } = await client.ask(`/api/impact/second/2024?${query}`)
    const { details } = JSON.parse(text) as { readonly details: readonly Json[] }
    assert.deepEqual([status, details.map((one) => one['path'])], [400, [path]], query)
  }
})

test('a cancelled rental is on neither side, and a returned one counts its months on both', async () => {
  await client.post(orderOf('changed', 'i-4', '2024-07-01', [laptop('I-4', 12)]))
  await client.tell('changed', 'i-4', { event_id: 'i-4', type: 'returned', date: '2024-10-01' })
  await client.post(orderOf('changed', 'i-5', '2024-07-01', [laptop('I-5', 12)]))
  await client.tell('changed', 'i-5', { event_id: 'i-5', type: 'cancelled', date: '2024-06-01' })
  const { reference, solution, potential } = await impactOf('changed', 2024)
  assert.deepEqual([reference.product_embodied_emission, potential!.emission], [6.834375, 0])
  assert.equal(solution.total_emission, reference.total_emission)
  assert.equal(reference.devices[0]!['number_of_devices'], 1)
})

test('a first rental that lasts longer than the lifetime does not differ from a new device', async () => {
  await client.post(orderOf('long', 'i-6', '2015-01-01', [laptop('I-6', 60)]))
  for (const year of [2015, 2019]) {
    const { reference, potential } = await impactOf('long', year)
    assert.deepEqual([reference.product_embodied_emission, potential!.emission], [21.87, 0], String(year))
  }
})

test('what is recorded after the books were closed counts in the same year on both sides', async () => {
  await client.post(orderOf('closed', 'i-7', '2023-07-01', [laptop('I-7', 12)]))
  const close = (body: Json) => postJson(service, '/api/periods', body)
  assert.equal((await close({ closed_until: '2024-01-01' })).status, 200)
  await client.tell('closed', 'i-7', { event_id: 'i-7', type: 'returned', date: '2023-10-01' })
  const embodied = await Promise.all(
    [2023, 2024].map(async (year) => {
      const { reference, solution } = await impactOf('closed', year)
      assert.equal(reference.total_emission, solution.total_emission)
      return reference.product_embodied_emission
    }),
  )
  assert.deepEqual(embodied, [13.66875, -6.834375])
  assert.equal((await close({ closed_until: null, reason: 'This test' })).status, 200)
})

test('a year without rentals has nothing to compare, and an unknown customer is not found', async () => {
  const { reference, specificity, break_even: breakEven } = await impactOf('first', 2019)
  assert.deepEqual([reference.total_emission, reference.devices, specificity, breakEven], [0, [], null, null])
  assert.equal((await client.ask('/api/impact/nobody/2024')).status, 404)
})

test('no other operation has a member of the comparison in its answer', () => {
  const { paths, components } = service.document as unknown as {
    readonly paths: Readonly<Record<string, Json>>
    readonly components: { readonly schemas: Readonly<Record<string, unknown>> }
  }
  const own = new Set(['impact', 'potential', 'gross', 'net', 'break_even', 'displacement', 'rebound'])
  const others = Object.entries(components.schemas).filter(([name]) => !name.startsWith('Impact'))
  const operations = Object.entries(paths).filter(([path]) => !path.startsWith('/api/impact/'))
  for (const [name, schema] of [...others, ...operations]) {
    const found = [...propertiesIn(schema)].filter((property) => own.has(property))
    assert.deepEqual(found, [], name)
    assert.doesNotMatch(JSON.stringify(schema), /schemas\/Impact/, name)
  }
})

/** The names of all properties that a schema, or the schemas within something, have. */
function* propertiesIn(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null) return
  for (const [name, member] of Object.entries(value)) {
    if (name === 'properties') yield* Object.keys(member as object)
    yield* propertiesIn(member)
  }
}
