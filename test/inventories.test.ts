// Several inventories of one ledger, and the data that emissions were computed from.
import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import { CONSOLIDATION_APPROACHES, LEASE_TYPES } from '../src/engine/inventory-boundary.ts'
import { postJson } from './asked-service.ts'
import type { Json } from './document-check.ts'
import { createOrderClient, type OrderClient } from './order-client.ts'
import { BOX, VAN, laptop, orderOf } from './receipt-client.ts'
import { startService, type Service } from './service.ts'

interface Inventory {
  readonly total_emission: number
  readonly uncertainty: Json | null
  readonly lines: readonly (Json & { readonly ghg_category: string; readonly total_emission: number })[]
}
interface Case {
  readonly consolidation_approach: string
  readonly lease_type: string
  readonly lessees: Inventory
  readonly lessor: Inventory
  readonly counted_once: { readonly lessees: number; readonly lessor: number; readonly total_emission: number }
}
interface Inventories {
  readonly posted: { readonly product_use: number; readonly total_emission: number }
  readonly cases: readonly Case[]
}
interface Shared extends Json {
  readonly emission: number
  readonly share_percent: number
}
const SPLITS = ['emissions', 'by_specificity', 'by_verification', 'by_year', 'by_licence'] as const
type DataSources = Readonly<Record<(typeof SPLITS)[number], readonly Shared[]>> & { readonly total_emission: number }

const CUSTOMERS = ['first', 'second', 'third']
const YEARS = [2023, 2024, 2025, 2026, 2027]
const UNKNOWN = { product_id: 'Q-1', device_type: 'mobile', weight_kg: 0.2 }

let service: Service
let client: OrderClient
before(async () => {
  service = await startService()
  client = createOrderClient(service)
  await client.post(orderOf('first', 'o-1', '2023-03-15', [laptop('A', 24), laptop('B', 36), VAN, BOX]))
  await client.tell('first', 'o-1', { event_id: 'e-1', type: 'returned', date: '2024-05-20', serial_number: 'A' })
  const refurbished = { type: 'refurbished', date: '2024-06-01', emission_kg: 3, lifetime_months_added: 24 }
  await client.tellDevice('A', { event_id: 'e-2', ...refurbished })
  await client.post(orderOf('second', 'o-2', '2024-07-01', [laptop('A', 18), VAN], { country: 'DE' }))
  await client.post(orderOf('second', 'o-3', '2025-02-10', [laptop('C', 12, UNKNOWN), BOX]))
  await client.post(orderOf('third', 'o-4', '2025-04-01', [laptop('D', 6)], { country: 'FR' }))
  await client.tell('third', 'o-4', { event_id: 'e-3', type: 'cancelled', date: '2025-03-20' })
  await client.post(orderOf('third', 'o-5', '2025-06-01', [laptop('E', 20), laptop('F', 20, UNKNOWN), VAN, BOX]))
  const swapped = { type: 'swapped', date: '2025-11-03', serial_number: 'E', new_serial_number: 'G', weight_kg: 1.24 }
  await client.tell('third', 'o-5', { event_id: 'e-4', ...swapped })
})
after(() => service.stop())

async function read<Answer>(path: string): Promise<Answer> {
  const { status, text } = await client.ask(path)
  assert.equal(status, 200, text)
  return JSON.parse(text) as Answer
}

const inventoriesOf = (year: number) => read<Inventories>(`/api/reports/inventories?year=${year}`)
const reportOf = (year: number, query: string) =>
  read<{ readonly total_emission: number; readonly uncertainty: Json; readonly groups: readonly Json[] }>(
    `/api/reports/emissions?date_basis=tenure&from=${year}-01-01&to=${year}-12-31&${query}`,
  )
const milligrams = (kilograms: number): number => Math.round(kilograms * 1e6)
const sumOf = (kilograms: readonly number[]): number => kilograms.map(milligrams).reduce((sum, one) => sum + one, 0)

test('lessor’s own and all lessees’ add up to the fleet in all four cases, and to all statements', async () => {
  for (const year of YEARS) {
    const { posted, cases } = await inventoriesOf(year)
    const statements = await Promise.all(
      CUSTOMERS.map((customer) =>
        read<{ readonly summary: { readonly total_emission: string } }>(`/api/statements/${customer}/${year}`),
      ),
    )
    assert.equal(
      sumOf(statements.map(({ summary }) => Number(summary.total_emission))),
      milligrams(posted.total_emission),
    )
    assert.equal(cases.length, 4)
    for (const { counted_once: counted, consolidation_approach: approach, lease_type: lease } of cases) {
      assert.equal(sumOf([counted.lessees, counted.lessor]), milligrams(counted.total_emission))
      assert.equal(counted.total_emission, posted.total_emission)
      const isOfLessor = approach === 'financial' && lease === 'operating'
      assert.equal(counted.lessor, isOfLessor ? posted.product_use : 0)
    }
  }
})

test('each inventory is that of the emissions report for the same boundary, with its interval', async () => {
  for (const year of [2024, 2025])
    for (const { consolidation_approach, lease_type, ...sides } of (await inventoriesOf(year)).cases)
      for (const [side, entity] of [
        ['lessees', 'lessee'],
        ['lessor', 'lessor'],
      ] as const) {
        const boundary = `consolidation_approach=${consolidation_approach}&lease_type=${lease_type}`
        const report = await reportOf(year, `group_by=category,part&reporting_entity=${entity}&${boundary}`)
        const { total_emission, uncertainty, lines } = sides[side]
        assert.deepEqual({ total_emission, uncertainty }, only(report, ['total_emission', 'uncertainty']))
        const members = ['part', 'category', 'scope', 'total_emission', 'uncertainty']
        const ofReport = report.groups.map((group) => only(group, members))
        const ofInventory = lines.map(({ ghg_category: category, ...line }) => only({ category, ...line }, members))
        assert.deepEqual(sorted(ofInventory), sorted(ofReport))
        assert.equal(sumOf(lines.map((line) => line.total_emission)), milligrams(total_emission))
      }
})

const only = (json: object, members: readonly string[]): Json =>
  Object.fromEntries(Object.entries(json).filter(([name]) => members.includes(name)))
const sorted = (all: readonly Json[]): readonly string[] =>
  all.map((one) => JSON.stringify(Object.entries(one).toSorted())).toSorted()

test('the four cases are each approach with each lease, and a year without rentals has empty inventories', async () => {
  const { cases, posted } = await inventoriesOf(1999)
  assert.deepEqual(
    cases.map(({ consolidation_approach: approach, lease_type: lease }) => [approach, lease]),
    CONSOLIDATION_APPROACHES.flatMap((approach) => LEASE_TYPES.map((lease) => [approach, lease])),
  )
  assert.equal(posted.total_emission, 0)
  assert.ok(cases.every(({ lessees, lessor }) => lessees.lines.length === 0 && lessor.lines.length === 0))
  assert.equal((await client.ask('/api/reports/inventories?year=12')).status, 400)
})

test('the data sources of a year add up to its statement, and their shares to 100 % in each split', async () => {
  for (const customer of CUSTOMERS)
    for (const year of YEARS) {
      const sources = await read<DataSources>(`/api/data-sources/${customer}/${year}`)
      const { summary } = await read<{ readonly summary: { readonly total_emission: string } }>(
        `/api/statements/${customer}/${year}`,
      )
      assert.equal(sources.total_emission, Number(summary.total_emission))
      for (const split of SPLITS) {
        assert.equal(sumOf(sources[split].map(({ emission }) => emission)), milligrams(sources.total_emission), split)
        if (sources.total_emission === 0) continue
        const shares = sources[split].map(({ share_percent: share }) => Math.round(share * 1e4))
        assert.equal(
          shares.reduce((sum, share) => sum + share, 0),
          1e6,
          split,
        )
      }
    }
})

test('a sheet of the model is specific, a type is not, and the year is that of a source', async () => {
  const { emissions } = await read<DataSources>('/api/data-sources/third/2026')
  const embodied = emissions.filter(({ part }) => part === 'product_embodied_emission')
  assert.deepEqual(
    new Set(embodied.map((one) => `${String(one['match_level'])} ${String(one['specificity'])}`)),
    new Set(['model specific', 'type non_specific']),
  )
  for (const { verification, year, sources } of emissions) {
    assert.equal(verification, 'not_stated')
    const years = (sources as readonly Json[]).map((source) => source['year'])
    assert.ok(years.includes(year), JSON.stringify(sources))
  }
})

test('a figure of the account’s own that a third party verified is verified and specific', async () => {
  const figure = {
    ...{ name: 'Our trucks', mode: 'road', factor_kg_co2e_per_tonne_km: 0.05, distance_basis: 'actual', year: 2025 },
    ...{ source_title: 'Fleet of 2025', source_publisher: 'Carrier', verified_by: 'Assurer, ISO 14083' },
  }
  const headers = { 'x-api-key': service.key, 'content-type': 'application/json' }
  const sent = { method: 'PUT' as const, headers, body: JSON.stringify(figure) }
  const put = await service.ask('/api/transportations/own-truck', sent)
  assert.equal(put.status, 200, put.text)
  const config = { transportation_id: 'own-truck', transportation_mode: 'road', distance_km: 500, weight_kg: 20 }
  const answer = await postJson(
    service,
    '/api/customer-orders',
    orderOf('own', 'o-6', '2025-06-01', [{ type: 'transportation', config }]),
  )
  assert.equal(answer.status, 200, answer.text)
  const { emissions, by_verification: byVerification } = await read<DataSources>('/api/data-sources/own/2025')
  assert.deepEqual(byVerification, [{ verification: 'verified', emission: 0.5, share_percent: 100 }])
  assert.deepEqual([emissions[0]!['specificity'], emissions[0]!['year']], ['specific', 2025])
  assert.equal((emissions[0]!['sources'] as readonly Json[])[0]!['verified_by'], 'Assurer, ISO 14083')
})
