// Estimates: what an order would be answered with, and its alternatives beside it; nothing of it is stored.
import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import type { Json } from './document-check.ts'
import { createImportClient } from './import-client.ts'
import { milligrams } from './order-client.ts'
import { countRows, startService, type Service } from './service.ts'
import { AIR_LEG as AIR, BOX, VAN, laptop, orderOf } from './receipt-client.ts'

let service: Service
before(async () => void (service = await startService()))
after(() => service.stop())

const estimate = (body: unknown, query = '') =>
  service.ask(`/api/estimates${query}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
const estimated = async (body: unknown, query = '') => {
  const { status, text } = await estimate(body, query)
  assert.equal(status, 200, text.slice(0, 500))
  return JSON.parse(text) as Estimated
}
const problemsOf = async (body: unknown) => {
  const { status, text } = await estimate(body)
  assert.equal(status, 400, text.slice(0, 500))
  return (JSON.parse(text) as { readonly details: readonly Json[] }).details
}

type Lines = Readonly<Record<string, { readonly emission: number }>>
interface Estimated {
  readonly total_emission: number
  readonly items: readonly { readonly total_emission: number; readonly emission_breakdown: Lines }[]
  readonly alternatives?: readonly (Estimated & {
    readonly name: string
    readonly difference: { readonly emission: number; readonly percent: number | null }
  })[]
}

const embodiedOf = ({ items }: Estimated) => items[0]!.emission_breakdown['product_embodied_emission']!.emission
const withoutTime = (text: string) => text.replace(/"created_at":"[^"]+"/, '')

test('an estimate is what the order is then answered with, calculations and all, and stores nothing', async () => {
  await service.post(orderOf('acme', 'earlier', '2023-01-01', [laptop('K', 30)]))
  const order = orderOf('acme', 'e1', '2025-07-01', [laptop('K', 36), laptop('N', 12), VAN, BOX], {
    country: 'DE',
    metadata: { a: 'b' },
    extra: 1,
  })
  const before = await countRows(service.pool)
  const query = '?include=calculation,metadata'
  const { text, headers } = await estimate(order, query)
  assert.deepEqual(await countRows(service.pool), before)
  assert.equal(headers['x-ignored-members'], '/extra')
  const posted = await service.post(order, query)
  assert.equal(withoutTime(text), withoutTime(posted.text))
})

test('so is that of an order that names a device anew, or is sent again, after an import was undone', async () => {
  const imports = createImportClient(service)
  for (const id of ['anew', 'again']) {
    const wrong = laptop(id, 12, { product_id: 'apple-macbook-air-15-m3-256gb' })
    const done = await imports.run(
      JSON.stringify(orderOf('undone', id, '2025-01-01', [wrong])),
      '',
      'application/jsonl',
    )
    await imports.undo(done['import_id'])
    const order = orderOf('undone', id === 'anew' ? 'other' : id, '2025-02-01', [laptop(id, 12)])
    const { text, headers } = await estimate(order, '?include=calculation')
    const posted = await service.post(order, '?include=calculation')
    assert.equal(posted.status, 200, posted.text)
    assert.equal(withoutTime(text), withoutTime(posted.text))
    assert.equal(headers['warnings'], undefined)
  }
})

test('an estimate is made by the account’s mappings', async () => {
  await service.ask('/api/products/P-1', {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model_id: 'apple-iphone-15-128gb' }),
  })
  const { text } = await estimate(orderOf('acme', 'e2', '2025-01-01', [laptop('M', 3, { product_id: 'P-1' })]))
  assert.match(text, /Embodied emission of Apple iPhone 15/)
})

test('another tenure, another way and a refurbished device stand side by side with what they differ by', async () => {
  const base = orderOf('acme', 'e3', '2025-01-01', [laptop('A', 3), AIR, BOX])
  const sea = { from: 'air', to: 'sea-container-average', distance_km: 19000 }
  const alternatives = [
    { name: 'a year', changes: { tenure_months: 12 } },
    { name: 'by sea', changes: { transportation: sea } },
    { name: 'refurbished', changes: { refurbished: { emission_kg: 8, lifetime_months_added: 24 } } },
    { name: 'half used', changes: { refurbished: { emission_kg: 8, lifetime_months_added: 24, months_before: 24 } } },
    { name: 'all', changes: { tenure_months: 12, transportation: sea } },
  ]
  const answer = await estimated({ ...base, alternatives })
  const [year, bySea, refurbished, halfUsed, all] = answer.alternatives!
  assert.deepEqual(
    answer.alternatives!.map(({ name }) => name),
    alternatives.map(({ name }) => name),
  )
  for (const { total_emission: total, items, difference } of answer.alternatives!) {
    assert.equal(
      milligrams(total),
      items.reduce((sum, item) => sum + milligrams(item.total_emission), 0n),
    )
    assert.equal(milligrams(difference.emission), milligrams(total) - milligrams(answer.total_emission))
    const percent = (100 * (total - answer.total_emission)) / answer.total_emission
    assert.ok(Math.abs(percent - difference.percent!) <= 0.005_001, `${percent} ${difference.percent}`)
  }
  // Each is what the changed order itself would be estimated as.
  const alone = async (items: readonly Json[]) => estimated(orderOf('acme', 'e3', '2025-01-01', items))
  const leg = {
    transportation_id: 'sea-container-average',
    transportation_mode: 'sea',
    distance_km: 19000,
    weight_kg: 1.5,
  }
  const shipped = { type: 'transportation', config: leg }
  assert.deepEqual(year!.items, (await alone([laptop('A', 12), AIR, BOX])).items)
  assert.deepEqual(bySea!.items, (await alone([laptop('A', 3), shipped, BOX])).items)
  assert.deepEqual(all!.items, (await alone([laptop('A', 12), shipped, BOX])).items)
  // 109.35 kg over 48 months: nothing is left after them, 54.675 kg after half of them.
  assert.equal(embodiedOf(answer), 6.834375)
  assert.equal(embodiedOf(refurbished!), 1)
  assert.equal(embodiedOf(halfUsed!), 3.917188)
})

test('a device that the ledger knows is refurbished in its ledger, which stays as it is', async () => {
  await service.post(orderOf('acme', 'k1', '2020-01-01', [laptop('L', 36)]))
  const body = orderOf('acme', 'k2', '2024-01-01', [laptop('L', 12)])
  const change = { refurbished: { emission_kg: 8, lifetime_months_added: 12 } }
  const { alternatives } = await estimated({ ...body, alternatives: [{ name: 'r', changes: change }] })
  await service.ask('/api/devices/L/events', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      event_id: 'r',
      type: 'refurbished',
      date: '2024-01-01',
      emission_kg: 8,
      lifetime_months_added: 12,
    }),
  })
  const { text } = await service.post(body)
  assert.deepEqual(alternatives![0]!.items, (JSON.parse(text) as Estimated).items)
})

test('without alternatives the answer has none, and of a total of nothing no percentage is told', async () => {
  const body = orderOf('acme', 'e4', '2025-01-01', [laptop('Z', 0)])
  assert.equal((await estimated(body)).alternatives, undefined)
  assert.deepEqual((await estimated({ ...body, alternatives: [] })).alternatives, [])
  const changes = { tenure_months: 1 }
  const { alternatives } = await estimated({ ...body, alternatives: [{ name: 'one', changes }] })
  assert.equal(alternatives![0]!.difference.percent, null)
})

test('a change that cannot be made is refused where it stands, all of them at once', async () => {
  const body = orderOf('acme', 'e5', '2025-01-01', [laptop('A', 3), AIR])
  const changes = [
    { tenure: 3 },
    { transportation: { from: 'rail', to: 'sea-container-average' } },
    { transportation: { from: 'air-long-haul', to: 'sea' } },
    { transportation: { from: 'air', to: 'sea-container-averag' } },
    {},
    { refurbished: { emission_kg: -1, lifetime_months_added: 1 } },
    { tenure_months: 1201 },
    { refurbished: { emission_kg: 1, lifetime_months_added: 1, months: 3 } },
  ]
  const shape = await problemsOf({
    ...body,
    alternatives: changes.map((change, at) => ({ name: `${at}`, changes: change })),
  })
  assert.deepEqual(
    shape.map(({ path }) => path).toSorted(),
    [
      '/alternatives/0/changes/tenure',
      '/alternatives/1/changes/transportation/from',
      '/alternatives/2/changes/transportation/to',
      '/alternatives/3/changes/transportation/to',
      '/alternatives/4/changes',
      '/alternatives/5/changes/refurbished/emission_kg',
      '/alternatives/6/changes/tenure_months',
      '/alternatives/7/changes/refurbished/months',
    ].toSorted(),
  )
  assert.deepEqual(shape.find(({ path }) => String(path).endsWith('/tenure'))!['suggestions'], ['tenure_months'])
  const some = changes.slice(1, 4).map((change) => ({ name: 'same', changes: change }))
  const meaning = await problemsOf({ ...body, alternatives: some })
  assert.deepEqual(
    meaning.map(({ path }) => path),
    [
      '/alternatives/0/changes/transportation/from',
      '/alternatives/1/changes/transportation/to',
      '/alternatives/2/changes/transportation/to',
      '/alternatives/1/name',
      '/alternatives/2/name',
    ],
  )
  assert.deepEqual((meaning[2]!['suggestions'] as readonly string[])[0], 'sea-container-average')
  const empty = { ...body, items: [], alternatives: [{ name: 'a', changes: { tenure_months: 3 } }] }
  assert.deepEqual(
    (await problemsOf(empty)).map(({ path }) => path),
    ['/alternatives/0/changes/tenure_months'],
  )
})

test('a distance that was measured for another mode has to be stated anew', async () => {
  const { config } = AIR as { readonly config: Json }
  const flown = { ...AIR, config: { ...config, distance_basis: 'great_circle' } }
  const body = orderOf('acme', 'e6', '2025-01-01', [laptop('A', 3), flown])
  const to = { from: 'air', to: 'road-van-diesel' }
  const asked = (transportation: Json) => ({ ...body, alternatives: [{ name: 'a', changes: { transportation } }] })
  assert.deepEqual(
    (await problemsOf(asked(to))).map(({ path }) => path),
    ['/alternatives/0/changes/transportation/distance_km'],
  )
  await estimated(asked({ ...to, distance_km: 1000, distance_basis: 'shortest_feasible' }))
})

test('more items than can be estimated at once are refused', async () => {
  const items = Array.from({ length: 150 }, (_, at) => laptop(`S${at}`, 3))
  const alternatives = Array.from({ length: 20 }, (_, at) => ({ name: `${at}`, changes: { tenure_months: at } }))
  const body = { ...orderOf('acme', 'e7', '2025-01-01', items), alternatives }
  assert.deepEqual(
    (await problemsOf(body)).map(({ path }) => path),
    ['/alternatives'],
  )
  assert.equal((await problemsOf({ ...body, alternatives: [...alternatives, ...alternatives] })).length, 1)
})

test('estimates ask for the scope that reads orders', async () => {
  const key = await service.createKey(['catalogue:read'])
  const { status } = await service.ask('/api/estimates', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': key },
    body: '{}',
  })
  assert.equal(status, 403)
})
