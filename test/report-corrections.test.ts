// What is told later of an order changes the periods to come; what is undone with its import is as if it never was.
import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import { verifyAll } from '../src/cli/verify.ts'
import { createRollups } from '../src/postgres/reporting/store.ts'
import { foldAll } from './roll-up-all.ts'
import type { Json } from './document-check.ts'
import { withNumbers } from './document-numbers.ts'
import { createImportClient, type ImportClient } from './import-client.ts'
import { startService, type Service } from './service.ts'
import { createOrderClient, type OrderClient } from './order-client.ts'
import { shippedReferenceData } from './shipped-book.ts'

const BASES = ['order', 'dispatch', 'tenure']
const GROUPINGS = ['group_by=month&group_by=customer', 'group_by=year&group_by=part', 'group_by=model', '']
const BOUNDARIES = ['reporting_entity=lessee', 'reporting_entity=lessor', 'reporting_entity=lessee&lease_type=finance']
/** Years from now: so the test tells the same in any year. */
const [PAST, NOW, NEXT, LATER] = [-2, 0, 1, 2].map((away) => String(new Date().getUTCFullYear() + away)) as [
  string,
  string,
  string,
  string,
]

let service: Service
let client: ImportClient
let tell: OrderClient['tell']
before(async () => {
  service = await startService()
  client = createImportClient(service)
  tell = createOrderClient(service).tell
})
after(() => service.stop())

const orderOf = (id: string, start: string, serials: readonly string[], months = 12) => ({
  customer_id: 'acme',
  order_id: id,
  order_date: start,
  tenure_start_date: start,
  country: 'DE',
  items: [
    ...serials.map((serial_number) => ({
      type: 'product',
      config: { product_id: 'apple-macbook-air-13-m3-256gb', serial_number, tenure_months: months, weight_kg: 1.24 },
    })),
    { type: 'packaging', config: { packaging_id: 'corrugated-board-recycled', weight_kg: 0.3 } },
  ],
})

async function report(query: string): Promise<Json> {
  const { status, text } = await service.ask(`/api/reports/emissions?${query}`)
  assert.equal(status, 200, text)
  return { ...(JSON.parse(text) as Json), generated_at: null }
}

async function allReports(): Promise<readonly Json[]> {
  // Each basis with each grouping, and with each boundary.
  const queries = BASES.flatMap((basis, row) =>
    GROUPINGS.map((grouping, at) => `date_basis=${basis}&${BOUNDARIES[(row + at) % BOUNDARIES.length]}&${grouping}`),
  )
  // One after the other: two are made at a time, and others wait only so long.
  const answers: Json[] = []
  for (const query of queries) answers.push(await report(query))
  return answers
}

/** A statement without what says when it was made, and without entries: what is corrected back stands among them. */
const statement = async (year: string): Promise<unknown> => {
  const all = JSON.parse((await service.ask(`/api/statements/acme/${year}`)).text) as Json
  return JSON.parse(JSON.stringify(all, (name, value: unknown) => (UNTOLD.has(name) ? undefined : value)))
}
const UNTOLD = new Set(['issued', 'completeness', 'signed_by', 'hash', 'signature', 'entries'])

const foldNow = () => {
  const { referenceData } = shippedReferenceData()
  const referenceDataOf = () => Promise.resolve(referenceData)
  return foldAll({ folds: createRollups(service.pool, 0, 0), referenceDataOf }, () => false, assert.fail)
}

const assertVerified = async () => {
  const { lines } = await verifyAll(service.pool)
  assert.deepEqual(lines, [])
}

const byYear = async (query: string): Promise<Readonly<Record<string, number>>> => {
  const groups = (await report(`group_by=year&${query}`))['groups'] as Json[]
  const emitting = groups.filter((group) => group['total_emission'] !== 0)
  return Object.fromEntries(emitting.map((group) => [String(group['year']), Number(group['total_emission'])]))
}

test('an import that is undone leaves reports and statements as they were, of years that are over too', async () => {
  await service.post(orderOf('own', `${PAST}-03-01`, ['own-1'], 36))
  const [reports, past, now] = [await allReports(), await statement(PAST), await statement(NOW)]
  for (const isFolded of [false, true]) {
    const orders = [
      orderOf(`a-${isFolded}`, `${PAST}-05-10`, [`a-${isFolded}-1`, `a-${isFolded}-2`]),
      // It rents a device that is rented, so that the other order is corrected, and corrected back.
      orderOf(`b-${isFolded}`, `${NEXT}-02-01`, ['own-1', `b-${isFolded}`], 24),
      orderOf(`c-${isFolded}`, `${NOW}-01-15`, []),
    ]
    const file = orders.map((order) => JSON.stringify(order)).join('\n')
    const done = await client.run(file, '', 'application/jsonl')
    assert.equal(done['orders_stored'], 3)
    if (isFolded) await foldNow()
    assert.notDeepEqual(await allReports(), reports)
    const undone = await client.undo(done['import_id'])
    assert.deepEqual([undone['orders_reversed'], undone['orders_kept']], [3, 0])
    assert.deepEqual(await allReports(), reports)
    if (isFolded) await foldNow()
    assert.deepEqual(await allReports(), reports)
    assert.deepEqual([await statement(PAST), await statement(NOW)], [past, now])
  }
  await assertVerified()
})

test('an order that was cancelled, or a device of it, is kept when its import is undone, and told so', async () => {
  const orders = [
    orderOf('kept-1', `${PAST}-05-10`, ['kept-1']),
    orderOf('kept-2', `${PAST}-05-10`, ['kept-2', 'kept-3']),
  ]
  const done = await client.run(orders.map((order) => JSON.stringify(order)).join('\n'), '', 'application/jsonl')
  // Under way when it was cancelled: its packaging counts, and so does what stood in the years that were over.
  const cancelled = { type: 'cancelled', date: `${PAST}-05-01`, dispatched: true }
  await tell('acme', 'kept-1', { event_id: 'kept-all', ...cancelled })
  await tell('acme', 'kept-2', { event_id: 'kept-one', ...cancelled, serial_number: 'kept-2' })
  const reports = await allReports()
  const undone = await client.undo(done['import_id'])
  assert.deepEqual([undone['orders_reversed'], undone['orders_kept']], [0, 2])
  assert.deepEqual(await allReports(), reports)
  await assertVerified()
})

test('an order of a coming year that is cancelled leaves nothing there, and nothing now', async () => {
  const before = await byYear('date_basis=tenure')
  await service.post(orderOf('dropped', `${NEXT}-01-01`, ['dropped-1']))
  assert.notDeepEqual(await byYear('date_basis=tenure'), before)
  await tell('acme', 'dropped', { event_id: 'drop', type: 'cancelled', date: `${NOW}-11-01` })
  assert.deepEqual(await byYear('date_basis=tenure'), before)
})

test('a device is counted whole with the first of its rentals that stands: a cancelled one hands it on', async () => {
  const capital = `reporting_entity=lessor&category=${encodeURIComponent('Category 2: Capital goods')}`
  const before = await byYear(capital)
  await service.post(orderOf('first', `${NEXT}-06-01`, ['handed']))
  const counted = await byYear(capital)
  assert.notDeepEqual(counted[NEXT], before[NEXT])
  await service.post(orderOf('second', `${LATER}-08-01`, ['handed']))
  assert.deepEqual(await byYear(capital), counted)
  await tell('acme', 'first', { event_id: 'gone', type: 'cancelled', date: `${NOW}-11-01` })
  const whole = counted[NEXT]! - (before[NEXT] ?? 0)
  assert.deepEqual(await byYear(capital), { ...before, [LATER]: whole })
  await tell('acme', 'second', { event_id: 'gone-too', type: 'cancelled', date: `${NOW}-11-01` })
  assert.deepEqual(await byYear(capital), before)
  await service.post(orderOf('third', `${NEXT}-09-01`, ['handed']))
  assert.deepEqual(await byYear(capital), counted)
  await foldNow()
  assert.deepEqual(await byYear(capital), counted)
  await assertVerified()
})

test('statement and report tell the same of what is estimated and what is indicative, extended or not', async () => {
  const rented = orderOf('typed', `${NOW}-02-01`, [])
  const screen = { product_id: 'dell-aw2518h', serial_number: 'typed', tenure_months: 12, weight_kg: 6 }
  await service.post({ ...rented, customer_id: 'typed', items: [{ type: 'product', config: screen }] })
  const types = new Set<string>()
  for (const isExtended of [false, true]) {
    const event = { event_id: 'longer', type: 'extended', tenure_months: 70 }
    if (isExtended) await tell('typed', 'typed', event)
    for (const year of [PAST, NOW, NEXT, LATER]) {
      const query = `date_basis=tenure&group_by=estimate_type&customer=typed&year=${year}`
      const groups = (await report(query))['groups'] as Json[]
      const told = withNumbers<Json>((await service.ask(`/api/statements/typed/${year}`)).text)
      const shares = (told['by_type'] as Json[]).filter(({ emission }) => emission !== 0)
      const [reported, stated] = [
        groups.map((group) => [String(group['estimate_type']), group['total_emission']] as const),
        shares.map(({ name, emission }) => [String(name), emission] as const),
      ].map((pairs) => Object.fromEntries(pairs))
      assert.deepEqual(reported, stated, `${year} ${isExtended ? 'extended' : ''}`)
      for (const type of Object.keys(reported!)) types.add(type)
    }
  }
  assert.ok(types.has('estimated'))
})
