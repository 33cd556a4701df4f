// What a report says beside its sums: types, metadata, books, uncertainty, formats; and what a wrong question is told.
import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import type { Json } from './document-check.ts'
import { startService, type Service } from './service.ts'
import { order, milligrams } from './order-client.ts'

let service: Service
const answers: Json[] = []

const transport = (weight: number) => ({
  type: 'transportation',
  config: {
    transportation_id: 'road-van-diesel',
    transportation_mode: 'road',
    distance_km: 321,
    weight_kg: weight,
  },
})
const packaging = (packaging_id: string, weight_kg: number) => ({
  type: 'packaging',
  config: { packaging_id, weight_kg },
})

/** Packagings of which one has a factor of its own, and one that of a similar material. */
function packagings(): readonly [own: string, standsIn: string] {
  const all = [...service.server.referenceData.packagings.values()]
  return [all.find(({ standsIn }) => !standsIn)!.id, all.find(({ standsIn }) => standsIn)!.id]
}

before(async () => {
  service = await startService()
  const [own, standIn] = packagings()
  for (let at = 0; at < 12; at += 1) {
    const one = order(`c${at % 3}`, `o${at}`, [`s${at}-1`, `s${at}-2`, `s${at}-3`], {
      order_date: `2025-0${1 + (at % 6)}-11`,
      tenure_start_date: '2025-07-01',
      ...(at % 2 === 0 && {
        metadata: { project: at % 4 === 0 ? 'a "quoted", one' : 'plain', of: `"project":"no"`, ',': ':' },
      }),
      ...(at % 3 === 0 && { country: 'DE' }),
    })
    const items = one['items'] as Json[]
    const { text } = await service.post({
      ...one,
      items: [...items, transport(1.5), packaging(own, 0.3 + at / 7), packaging(standIn, 0.11)],
    })
    answers.push(JSON.parse(text) as Json)
  }
})
after(() => service.stop())

async function report(query: string): Promise<Json> {
  const { status, text } = await service.ask(`/api/reports/emissions?${query}`)
  assert.equal(status, 200, text)
  return JSON.parse(text) as Json
}

const groupsOf = ({ groups }: Json) => groups as readonly Json[]

/** The lines of all answers, summed by part and type. */
function lineSums(): ReadonlyMap<string, bigint> {
  const sums = new Map<string, bigint>()
  for (const { items } of answers as unknown as readonly { readonly items: readonly Json[] }[]) {
    for (const { emission_breakdown } of items) {
      for (const [part, line] of Object.entries(emission_breakdown as Readonly<Record<string, Json>>)) {
        const key = `${part} ${String(line['type'])}`
        sums.set(key, (sums.get(key) ?? 0n) + milligrams(line['emission']))
      }
    }
  }
  return sums
}

test('types of lines are those that orders were answered with, to a milligram of each device', async () => {
  const groups = groupsOf(await report('group_by=part,estimate_type'))
  const expected = lineSums()
  assert.deepEqual(
    groups.map((group) => `${String(group['part'])} ${String(group['estimate_type'])}`).sort(),
    [...expected.keys()].sort(),
  )
  let total = 0n
  for (const group of groups) {
    const key = `${String(group['part'])} ${String(group['estimate_type'])}`
    // Each device's share is rounded once: so many milligrams may go from one type to the other, and none is lost.
    const away = milligrams(group['total_emission']) - expected.get(key)!
    assert.ok(away <= 36n && away >= -36n && (key.startsWith('packaging') || away === 0n), `${key} ${away}`)
    total += milligrams(group['total_emission'])
  }
  assert.equal(
    total,
    [...expected.values()].reduce((sum, one) => sum + one, 0n),
  )
})

test('members of the metadata group and filter, whatever stands in them', async () => {
  const byProject = await report('group_by=metadata.project&sort=name')
  const labels = groupsOf(byProject).map((group) => [group['metadata.project'], group['number_of_orders']])
  assert.deepEqual(labels, [
    ['a "quoted", one', 3],
    ['plain', 3],
    [null, 6],
  ])
  assert.equal((await report('metadata.project=plain'))['number_of_orders'], 3)
  // A comma is part of a name.
  assert.equal((await report(`metadata.project=${encodeURIComponent('a "quoted", one')}`))['number_of_orders'], 3)
  assert.equal((await report('metadata.project='))['number_of_orders'], 6)
  const byColon = groupsOf(await report('group_by=metadata.:'))
  assert.deepEqual(
    byColon.map((group) => [group['metadata.:'], group['number_of_orders']]),
    [[null, 12]],
  )
  assert.equal((await report('metadata.,=:'))['number_of_orders'], 6)
  assert.equal((await report('country=DE&metadata.project=plain'))['number_of_orders'], 1)
  assert.equal((await report('customer=c0&customer=c1&month=2025-01,2025-04'))['number_of_orders'], 4)
})

test('a filter keeps what its group has, and all of a part are its scopes', async () => {
  for (const name of ['month', 'quarter', 'customer', 'model', 'type', 'brand', 'part', 'scope', 'category']) {
    const all = await report(`group_by=${name}`)
    for (const group of groupsOf(all)) {
      const alone = await report(`${name}=${encodeURIComponent(String(group[name]))}`)
      assert.equal(alone['total_emission'], group['total_emission'], `${name} ${String(group[name])}`)
      assert.deepEqual(alone['uncertainty'], group['uncertainty'])
    }
    const sum = groupsOf(all).reduce((total, group) => total + milligrams(group['total_emission']), 0n)
    assert.equal(sum, milligrams(all['total_emission']))
  }
})

test('of one order a report is as sure as its answer', async () => {
  const { items, ...one } = order('sure', 'sure', ['sure-1', 'sure-2'])
  const key = await service.createKey(undefined, null, 'sure')
  const sent = { method: 'POST', headers: { 'x-api-key': key, 'content-type': 'application/json' } }
  const body = JSON.stringify({ ...one, items: [...(items as Json[]), transport(2)] })
  const posted = JSON.parse(
    (await service.ask('/api/customer-orders?include=calculation', { ...sent, body })).text,
  ) as Json
  const { text } = await service.ask('/api/reports/emissions', { headers: { 'x-api-key': key } })
  const reported = JSON.parse(text) as Json
  assert.equal(reported['total_emission'], posted['total_emission'])
  assert.deepEqual(reported['uncertainty'], posted['uncertainty'])
})

test('the lessor’s book counts each device whole, once, when its first rental began', async () => {
  const lessor = await report('reporting_entity=lessor&group_by=category,month&date_basis=order')
  const whole = groupsOf(lessor).filter((group) => group['category'] === 'Category 2: Capital goods')
  assert.deepEqual(
    whole.map((group) => group['month']),
    ['2025-07'],
  )
  const { text } = await service.ask('/api/device-model-emissions/apple-macbook-air-13-m3-256gb')
  const { footprint_breakdown: parts, product_footprint: footprint } = JSON.parse(text) as {
    footprint_breakdown: Json
    product_footprint: number
  }
  const embodied = milligrams(footprint) - milligrams(parts['product_use'])
  assert.equal(milligrams(whole[0]!['total_emission']), 36n * embodied)
  const [own, others] = [await report('reporting_entity=lessor'), await report('reporting_entity=lessee')]
  const without = (all: Json) => milligrams(all['total_emission'])
  const embodiedOf = async (entity: string) =>
    milligrams((await report(`reporting_entity=${entity}&part=product_embodied_emission`))['total_emission'])
  assert.equal(without(own) - (await embodiedOf('lessor')), without(others) - (await embodiedOf('lessee')))
})

test('all faults of a question are told at once, each with what would be right', async () => {
  const query =
    'group_by=month,colour&group_by=year&date_basis=day&from=2025-13&to=2025-02-30&reporting_entity=both&month=2025-1' +
    '&quarter=2025' +
    '&year=25&part=all&scope=1&estimate_type=sure&customer=%00&consolidation_approach=equity&lease_type=loan' +
    '&colour=red&sort=lightest&limit=0&metadata.a=%01&format=pdf&type=Fridge&country=che'
  const { status, text } = await service.ask(`/api/reports/emissions?${query}`)
  assert.equal(status, 400)
  const { details } = JSON.parse(text) as { readonly details: readonly Json[] }
  assert.deepEqual(
    [...new Set(details.map(({ path }) => path))].sort(),
    [
      'colour',
      'consolidation_approach',
      'country',
      'customer',
      'date_basis',
      'estimate_type',
      'format',
      'from',
      'group_by',
      'lease_type',
      'limit',
      'metadata.a',
      'month',
      'part',
      'quarter',
      'reporting_entity',
      'scope',
      'sort',
      'to',
      'type',
      'year',
    ].map((name) => `?${name}`),
  )
  const { text: three } = await service.ask('/api/reports/emissions?group_by=month,part,customer')
  assert.deepEqual((JSON.parse(three) as { readonly details: unknown }).details, [
    {
      path: '?group_by',
      message: 'Must be at most 2 values; there are 3',
      code: 'values_exceeded',
      params: { max: 2, count: 3 },
    },
  ])
  const { text: span } = await service.ask('/api/reports/emissions?from=2025-03&to=2025-02&group_by=month,month')
  assert.match(span, /Must not be before from, which is 2025-03/)
  assert.match(span, /Is sent more than once/)
})

test('a key without the scope to read orders gets no report, and another account sees nothing', async () => {
  const ask = (key: string) => service.ask('/api/reports/emissions', { headers: { 'x-api-key': key } })
  assert.equal((await ask(await service.createKey(['orders:write']))).status, 403)
  const { text } = await ask(await service.createKey(undefined, null, 'stranger'))
  const { total_emission, groups, number_of_orders } = JSON.parse(text) as Json
  assert.deepEqual([total_emission, groups, number_of_orders], [0, [], 0])
})

test('the same groups come as CSV', async () => {
  const json = await report('group_by=customer,part')
  const { payload, headers } = await service.server.app.inject({
    url: '/api/reports/emissions?group_by=customer,part&format=csv',
    headers: { 'x-api-key': service.key },
  })
  assert.equal(headers['content-type'], 'text/csv; charset=utf-8')
  const lines = payload.replace('\ufeff', '').split('\r\n')
  assert.match(lines[0]!, /^customer,part,total_emission_kg,low_kg,high_kg,gsd,number_of_orders,number_of_rentals/)
  for (const [at, group] of groupsOf(json).entries()) {
    assert.ok(
      lines[at + 1]!.startsWith(
        `${String(group['customer'])},${String(group['part'])},${String(group['total_emission'])},`,
      ),
    )
  }
})
