// The quality board against sums in SQL and the intervals of orders, whether what was posted is folded or not.
import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import { footprintById } from '../src/engine/reference/footprint.ts'
import { ONE, fromExactText } from '../src/engine/numbers/rational.ts'
import { createRollups } from '../src/postgres/reporting/store.ts'
import { foldAll } from './roll-up-all.ts'
import type { Json } from './document-check.ts'
import { rowsInCsv, rowsInWorkbook } from './export-reading.ts'
import { startService, type Service } from './service.ts'
import { createOrderClient, order, type OrderClient } from './order-client.ts'

let service: Service
let client: OrderClient
before(async () => {
  service = await startService()
  client = createOrderClient(service)
  await postOrders(client)
})
after(() => service.stop())

const product = (serial_number: string, config: Json): Json => ({
  type: 'product',
  config: { serial_number, tenure_months: 24, weight_kg: 1.5, ...config },
})
const KNOWN: Json = { product_id: 'apple-macbook-air-13-m3-256gb' }
const NAMED: Json = { product_id: 'N-1', product_name: 'MacBook Air 13" M3 256 GB', brand: 'Apple' }
const TYPED: Json = { product_id: 'T-1', device_type: 'laptop', weight_kg: 2.2 }
const TYPED_TOO: Json = { product_id: 'T-2', device_type: 'mobile', weight_kg: 0.2 }
const WEIGHED: Json = { product_id: 'W-1', weight_kg: 30 }
const BOX: Json = { type: 'packaging', config: { packaging_id: 'corrugated-board-recycled', weight_kg: 0.3 } }
const VAN: Json = {
  type: 'transportation',
  config: { transportation_id: 'road-van-diesel', transportation_mode: 'road', distance_km: 80, weight_kg: 2 },
}

async function postOrders({ post, tell }: OrderClient): Promise<void> {
  const all = [KNOWN, NAMED, TYPED, TYPED_TOO, WEIGHED]
  for (const [at, order_date] of ['2018-03-01', '2024-07-01', '2025-12-31'].entries()) {
    for (const country of ['DE', undefined]) {
      const items = [...all.map((config, no) => product(`${at}-${no}-${country}`, config)), BOX, VAN]
      const told = country === undefined ? {} : { country }
      await post(
        order(`c${at}`, `${order_date} ${country}`, [], { order_date, tenure_start_date: order_date, items, ...told }),
      )
    }
  }
  await post(order('alone', 'of T-9', [], { items: [product('T-9', { ...TYPED, product_id: 'T-9' })] }))
  await tell('c1', '2024-07-01 DE', { event_id: 'q1', type: 'returned', date: '2024-12-24' })
  await tell('c2', '2025-12-31 undefined', { event_id: 'q2', type: 'cancelled', date: '2025-12-30' })
}

async function boardOf(query = ''): Promise<Json> {
  const { status, text } = await client.ask(`/api/reports/quality${query}`)
  assert.equal(status, 200, text)
  return JSON.parse(text) as Json
}

const milligrams = (kilograms: unknown): number => Math.round(Number(kilograms) * 1e6)

interface Posted {
  readonly basis: string | null
  readonly weight_kg: string | null
  readonly year: number
  readonly country: string | null
  readonly embodied: bigint
  readonly use: bigint
  readonly packaging: bigint
  readonly transportation: bigint
}

/** What was posted, by what it hangs on, added by PostgreSQL. */
async function postedBy(where: string): Promise<readonly Posted[]> {
  const { rows } = await service.pool.query<Posted>(
    `
    select devices.footprint_id as basis, devices.weight_kg, extract(year from order_date)::integer as year,
      first.country,
      sum(embodied_mg)::bigint as embodied, sum(use_mg)::bigint as use, sum(packaging_mg)::bigint as packaging,
      sum(transportation_mg)::bigint as transportation
    from entries join orders using (account_id, customer_id, order_id)
    left join devices using (account_id, serial_number)
    join entries first using (account_id, serial_number, customer_id, order_id)
    where first.entry_no = (
      select min(entry_no) from entries own where own.account_id = entries.account_id
        and own.serial_number = entries.serial_number and own.customer_id = entries.customer_id
        and own.order_id = entries.order_id
    ) and ${where} group by 1, 2, 3, 4`.replaceAll(
      /\b(embodied_mg|use_mg|packaging_mg|transportation_mg)\b/g,
      'entries.$1',
    ),
  )
  return rows
}

const add = (sums: Map<string, number>, key: string, sum: bigint): void => {
  if (sum !== 0n) sums.set(key, (sums.get(key) ?? 0) + Number(sum))
}

const bandOf = (age: number): string =>
  age <= 2 ? '0-2' : age <= 5 ? '3-5' : age <= 9 ? '6-9' : age <= 14 ? '10-14' : '15+'

/** The sections of the board from these sums. */
function sectionsOf(posted: readonly Posted[]) {
  const { referenceData } = service.server
  const [levels, ages, countries] = [new Map<string, number>(), new Map<string, number>(), new Map<string, number>()]
  const aged = (published: number | null, year: number) =>
    published === null ? 'unknown' : bandOf(Math.max(0, year - published))
  for (const { basis, weight_kg, year, country, embodied, use, packaging, transportation } of posted) {
    if (basis !== null) {
      const { level, source } = footprintById(basis, weight_kg === null ? ONE : fromExactText(weight_kg), referenceData)
      add(levels, level, embodied + use)
      add(ages, aged(source.year, year), embodied + use)
    }
    add(levels, 'packaging', packaging)
    add(levels, 'transportation', transportation)
    add(ages, aged(referenceData.packagings.get('corrugated-board-recycled')!.source.year, year), packaging)
    add(ages, aged(referenceData.transports.get('road-van-diesel')!.source.year, year), transportation)
    add(countries, country === null ? 'missing' : 'given', use)
  }
  return [levels, ages, countries].map((sums) => Object.fromEntries([...sums].toSorted()))
}

function sumsIn(rows: unknown, name: string, emission: string): Json {
  const sums = new Map<string, number>()
  for (const row of rows as readonly Json[])
    sums.set(String(row[name]), (sums.get(String(row[name])) ?? 0) + milligrams(row[emission]))
  return Object.fromEntries([...sums].toSorted())
}

async function assertAsInSql(query: string, where: string): Promise<void> {
  const board = await boardOf(query)
  const posted = await postedBy(where)
  const told = [
    sumsIn(board['by_level'], 'level', 'total_emission'),
    sumsIn(board['by_source_age'], 'age_years', 'total_emission'),
    sumsIn(board['by_country'], 'country', 'use_emission'),
  ]
  assert.deepEqual(told, sectionsOf(posted), query)
  const total = posted.reduce((sum, one) => sum + one.embodied + one.use + one.packaging + one.transportation, 0n)
  assert.equal(milligrams(board['total_emission']), Number(total))
  for (const section of ['by_level', 'by_source_age', 'by_country']) {
    const shares = (board[section] as readonly Json[]).reduce((sum, row) => sum + Number(row['share_percent']), 0)
    assert.ok(Math.abs(shares - 100) < 0.01, `${section} ${shares}`)
  }
}

const ALL: readonly (readonly [query: string, where: string])[] = [
  ['', 'true'],
  ['?customer_id=c1', `customer_id = 'c1'`],
  ['?from=2024-07-01&to=2024-12-31', `order_date between '2024-07-01' and '2024-12-31'`],
]

test('kilograms by level, by age of the source and by country are those that SQL adds up, folded or not', async () => {
  for (const [query, where] of ALL) await assertAsInSql(query, where)
  const unfolded = await boardOf()
  const { referenceData } = service.server
  const folding = { folds: createRollups(service.pool, 0, 0), referenceDataOf: () => Promise.resolve(referenceData) }
  await foldAll(
    folding,
    () => false,
    (error) => assert.fail(String(error)),
  )
  for (const [query, where] of ALL) await assertAsInSql(query, where)
  assert.deepEqual({ ...(await boardOf()), generated_at: unfolded['generated_at'] }, unfolded)
})

test('what to mend is what was guessed or stood in for, the widest interval first, and how', async () => {
  const rows = (await boardOf())['to_improve'] as readonly Json[]
  const byId = new Map(rows.map((row) => [row['product_id'], row]))
  assert.deepEqual([...byId.keys()].toSorted(), ['N-1', 'T-1', 'T-2', 'T-9', 'W-1'])
  const widths = rows.map((row) => Number(row['width']))
  assert.deepEqual(
    widths,
    widths.toSorted((a, b) => b - a),
  )
  for (const row of rows) assert.equal(milligrams(row['width']), milligrams(row['high']) - milligrams(row['low']))
  assert.deepEqual(byId.get('N-1')!['improvements'], ['confirm_model'], 'no region is known of its sheet')
  assert.deepEqual(byId.get('W-1')!['improvements'], ['map_product_id'], 'no electricity is known of it')
  assert.deepEqual(byId.get('T-1')!['improvements'], ['map_product_id', 'state_country'])
  const alone = byId.get('T-9')!
  const { text } = await client.ask('/api/customer-orders/alone/of%20T-9?include=calculation')
  const [item] = (JSON.parse(text) as { readonly items: readonly Json[] }).items
  const { low, high } = item!['uncertainty'] as Json
  assert.deepEqual([alone['total_emission'], alone['low'], alone['high']], [item!['total_emission'], low, high])
  assert.equal(((await boardOf('?limit=2'))['to_improve'] as unknown[]).length, 2)
  assert.deepEqual((await boardOf('?customer_id=nobody'))['to_improve'], [])
})

test('the board comes as CSV and as a workbook, too', async () => {
  const board = await boardOf()
  const file = async (format: string) => {
    const answer = await fetch(`${service.server.url}/api/reports/quality?format=${format}`, {
      headers: { 'x-api-key': service.key },
    })
    return Buffer.from(await answer.arrayBuffer())
  }
  const csv = rowsInCsv(await file('csv'))
  const levels = csv.filter((row) => row['section'] === 'level')
  assert.deepEqual(
    levels.map((row) => [row['label'], row['type'], Number(row['total_emission_kg']), Number(row['share_percent'])]),
    (board['by_level'] as readonly Json[]).map((row) => [
      row['level'],
      row['type'],
      row['total_emission'],
      row['share_percent'],
    ]),
  )
  assert.deepEqual(
    csv.filter((row) => row['section'] === 'to_improve').map((row) => row['label']),
    (board['to_improve'] as readonly Json[]).map((row) => row['product_id']),
  )
  assert.equal((await rowsInWorkbook(await file('xlsx'), 'Quality')).length, csv.length)
})
