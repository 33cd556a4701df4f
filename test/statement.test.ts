// The yearly statement of a customer over HTTP: the worked examples, what it tells and to whom, and when it is refused.
import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import { verify } from 'node:crypto'
import readWorkbook from 'read-excel-file/node'
import type { Statement } from '../src/statements/statement.ts'
import type { Json } from './document-check.ts'
import { readStatementCases, type StatementCase } from './case-files.ts'
import { freshDatabase } from './fresh-database.ts'
import type { Subject } from './model-based/history-check.ts'
import { openSubject } from './model-based/history-run.ts'
import { startService, type Service } from './service.ts'
import { AIR_LEG, BOX, VAN, createReceiptClient, laptop, orderOf, type ReceiptClient } from './receipt-client.ts'
import { readStatement, statementPath } from './statement-client.ts'

const cases = readStatementCases()
let subject: Subject
let service: Service
let client: ReceiptClient
before(async () => {
  subject = await openSubject((await freshDatabase()).pool)
  service = await startService()
  client = createReceiptClient(service)
})
after(async () => {
  await subject.app.close()
  await service.stop()
})

const statementOf = async (customer: string, year: number, query = '') =>
  (await readStatement(service.server.app, service.key, customer, year, query)).statement

test('there are worked examples', () => assert.ok(cases.length > 0))

for (const example of cases) {
  test(`statement ${example.id}: ${example.title}`, async () => {
    for (const step of example.steps) await tell(example, step)
    for (const expected of example.statements) {
      const query = new URLSearchParams({
        ...(expected.approach && { consolidation_approach: expected.approach }),
        ...(expected.known_at && { known_at: expected.known_at }),
      })
      const { key } = subject.accounts.capped
      const read = await readStatement(subject.app, key, example.customer_id, expected.year, `?${query.toString()}`)
      compare(read.statement, expected)
    }
  })
}

test('a swap that is sent again with its right day counts from that day on, as if sent so at first', async () => {
  const years = async (customer: string) => {
    const found: unknown[] = []
    for (const year of [2024, 2025]) {
      const { statement } = await readStatement(service.server.app, service.key, customer, year)
      found.push([
        statement.by_month,
        statement.devices.map((one) => one.rentals.map(({ from, until }) => [from, until])),
      ])
    }
    return found
  }
  const swap = (id: string, name: string, date: string) =>
    client.tell(name, 'swap', {
      event_id: `${name}-${id}`,
      type: 'swapped',
      serial_number: `${name}-1`,
      date,
      new_serial_number: `${name}-2`,
      weight_kg: 1.24,
    })
  for (const [name, wrong] of [
    ['wrong-day', '2024-12-01'],
    ['wrong-late', '2025-05-01'],
    ['right-day', null],
  ] as const) {
    await client.post(orderOf(name, 'swap', '2024-07-01', [laptop(`${name}-1`, 12)]))
    if (wrong) {
      await swap('a', name, wrong)
      await client.tell(name, 'swap', { event_id: `${name}-b`, type: 'withdrawn', withdraws: `${name}-a` })
    }
    await swap('c', name, '2025-03-01')
  }
  assert.deepEqual(await years('wrong-day'), await years('right-day'))
  assert.deepEqual(await years('wrong-late'), await years('right-day'))
  // The rental company counts a device in full on the first day of its rental.
  for (const query of ['', '&reporting_entity=lessor']) {
    const groupsOf = async (name: string) => {
      const path = `/api/reports/emissions?group_by=month&date_basis=tenure&customer=${name}${query}`
      const { status, text } = await service.ask(path)
      assert.equal(status, 200, text)
      return (JSON.parse(text) as Json)['groups'] as readonly Json[]
    }
    const right = await groupsOf('right-day')
    assert.ok(right.length > 0)
    assert.deepEqual(await groupsOf('wrong-day'), right)
    assert.deepEqual(await groupsOf('wrong-late'), right)
  }
})

test('a device that is identified as a model without a use of its own takes back the use that was posted', async () => {
  await client.post(orderOf('no-use', 'order-1', '2024-01-01', [laptop('no-use-1', 12)]))
  await client.tellDevice('no-use-1', { event_id: 'no-use-a', type: 'identified', model_id: 'dell-latitude-7450' })
  const { by_part: parts } = await statementOf('no-use', 2024)
  assert.equal(parts.find(({ part }) => part === 'product_use')!.emission, 0)
  assert.ok(parts.find(({ part }) => part === 'product_embodied_emission')!.emission > 0)
})

test('two years loaded in one day give the statements of a company that recorded each fact on its day', async () => {
  const loaded = cases.find(({ id }) => id === 'statement-two-years-in-one-day')!
  const daily = recordedDaily(loaded)
  for (const step of daily.steps) await tell(daily, step)
  const { key } = subject.accounts.capped
  for (const { year } of loaded.statements) {
    const [one, other] = [loaded, daily].map(({ customer_id: customer }) =>
      readStatement(subject.app, key, customer, year),
    )
    assert.deepEqual(figuresOf((await other!).text), figuresOf((await one!).text), String(year))
  }
})

const DAILY = 'daily-'

/** The same facts of another customer and other devices, each posted on the day that it is of. */
function recordedDaily(example: StatementCase): StatementCase {
  const renamed = JSON.parse(
    JSON.stringify(example).replaceAll(/"((customer_id|serial_number|event_id)":")/g, `"$1${DAILY}`),
  ) as StatementCase
  const steps = renamed.steps.map((step) => ({ ...step, posted_at: `${dayOf(step)}T10:00:00.000Z` }))
  return { ...renamed, steps }
}

const dayOf = (step: StatementCase['steps'][number]): string =>
  'order' in step ? step.order.order_date : ((step.event as { date?: string }).date ?? '2025-12-15')

/** Members that name devices, times of recording, and what is computed from these. */
const OF_RECORDING = [
  'device_id',
  'issued',
  'posted_at',
  'received_at',
  'recorded_at',
  'content_hash',
  'completeness',
  'hash',
  'signature',
]

const figuresOf = (text: string): unknown =>
  JSON.parse(text.replaceAll(DAILY, ''), (name, value: unknown) => (OF_RECORDING.includes(name) ? undefined : value))

/** What becomes known is posted now; the example says when it shall have been. */
async function tell(example: StatementCase, step: StatementCase['steps'][number]): Promise<void> {
  const path = '/api/customer-orders'
  const [url, payload] =
    'order' in step
      ? [path, step.order]
      : [`${path}/${example.customer_id}/${step.of_order}/events`, step.event as object]
  const headers = { 'x-api-key': subject.accounts.capped.key }
  const closing = { closed_until: step.books_closed_until ?? null, reason: 'Another step of an example' }
  await subject.app.inject({ method: 'POST', url: '/api/periods', headers, payload: closing })
  const { statusCode, body } = await subject.app.inject({ method: 'POST', url, headers, payload })
  assert.equal(statusCode, 200, body)
  const dated = [example.customer_id, step.posted_at]
  const isNew = `customer_id = $1 and posted_at > now() - interval '1 hour'`
  await subject.pool.query(`update entries set posted_at = $2 where ${isNew}`, dated)
  await subject.pool.query(`update events set posted_at = $2 where ${isNew}`, dated)
  await subject.pool.query(`update orders set created_at = $2 where ${isNew.replace('posted_at', 'created_at')}`, dated)
}

function compare(statement: Statement, expected: StatementCase['statements'][number]): void {
  const place = JSON.stringify({ ...expected, summary: undefined })
  const summary = statement.summary as unknown as Readonly<Record<string, unknown>>
  for (const [name, value] of Object.entries(expected.summary)) assert.equal(summary[name], value, `${name} ${place}`)
  if (expected.by_category) {
    const found = statement.by_category.map((line) => [line.ghg_category, line.emission])
    assert.deepEqual(Object.fromEntries(found), expected.by_category)
  }
  const months = new Map(statement.by_month.map((one) => [one.month, one.total_emission]))
  for (const [month, emission] of Object.entries(expected.by_month ?? {}))
    assert.equal(months.get(month) ?? 0, emission, month)
  const told = JSON.stringify(statement.corrections_of_earlier_years, (name, value: unknown) =>
    name === 'recorded_at' ? undefined : value,
  )
  const expectedEarlier = expected.corrections_of_earlier_years
  if (expectedEarlier) assert.deepEqual(JSON.parse(told), expectedEarlier, place)
  const devices = new Map(statement.devices.map((one) => [one.serial_number, one]))
  for (const [serial, totals] of Object.entries(expected.devices ?? {})) {
    const { opening, year, closing, posted_later: later } = devices.get(serial)!
    const [a, b, c, d] = [opening, year, closing, later].map((one) => one.total_emission)
    assert.deepEqual({ opening: a, year: b, closing: c, later: d }, totals, serial)
  }
}

test('extended, swapped, refurbished, overlapped or cancelled: a statement follows, and closes', async () => {
  await client.post(orderOf('eventful', 'first', '2023-03-10', [laptop('E1', 30), laptop('E2', 12), VAN, BOX]))
  const refurbished = { type: 'refurbished', date: '2025-10-01', emission_kg: 7.5, lifetime_months_added: 6 }
  await client.tellDevice('E1', { event_id: 'e-r', ...refurbished })
  const energetic = laptop('E3', 24, { product_id: 'dell-latitude-5310', country: 'DE' })
  const unknown = laptop('E4', 9, { product_id: 'never heard of' })
  await client.post(orderOf('eventful', 'second', '2024-05-31', [energetic, unknown, AIR_LEG, BOX]))
  await client.post(orderOf('eventful', 'nothing but a box', '2024-08-01', [BOX, VAN]))
  await client.post(orderOf('eventful', 'gone', '2025-01-01', [laptop('E5', 12), VAN]))
  await client.tell('eventful', 'first', { event_id: 'e-x', type: 'extended', serial_number: 'E2', tenure_months: 20 })
  const swapped = { event_id: 'e-s', type: 'swapped', serial_number: 'E3', date: '2025-01-20' }
  await client.tell('eventful', 'second', { ...swapped, new_serial_number: 'E6', weight_kg: 1.5 })
  await client.tell('eventful', 'gone', { event_id: 'e-c', type: 'cancelled', date: '2024-12-31' })
  await client.post(orderOf('rival-inc', 'secret-order', '2025-02-01', [laptop('E1', 12)]))
  let opening = 0
  for (const year of [2022, 2023, 2024, 2025, 2026, 2027, 2028, 2029]) {
    const { text, statement } = await readStatement(service.server.app, service.key, 'eventful', year)
    assert.equal(statement.summary.opening_emission, opening, String(year))
    opening = statement.summary.closing_emission
    assert.doesNotMatch(text, /rival-inc|secret-order/)
    assert.match(text, /^\{"media_type":"application\/vnd\.cradle\.statement\+json;version=4",/)
  }
  const orders = await client.visitPages('?customer_id=eventful')
  const posted = orders.reduce((sum, one) => sum + Math.round(Number(one['total_emission']) * 1e6), 0)
  assert.equal(Math.round(opening * 1e6), posted)
})

test('every figure of a statement names its release and source, and every calculation basis its figures', async () => {
  await client.post(orderOf('sourced', 'one', '2025-01-01', [laptop('S1', 12, { country: 'DE' }), VAN, BOX]))
  const { calculation_bases: bases, factors, sources, releases } = await statementOf('sourced', 2025)
  assert.deepEqual(bases.map(({ part }) => part).toSorted(), [
    'packaging',
    'product_embodied_emission',
    'product_use',
    'transportation',
  ])
  for (const { factors: numbers } of bases) assert.ok(numbers.length > 0)
  for (const { source } of factors) assert.match(sources[source - 1]!.url, /^https?:/)
  assert.deepEqual(releases, [
    { name: service.server.referenceData.release, content_hash: service.server.referenceData.hash },
  ])
})

const SHEETS = ['Summary', 'By category', 'By month', 'Earlier years', 'Devices', 'Entries', 'Factors', 'About']

test('the workbook of a statement has its totals, devices and entries, and the hash of what was signed', async () => {
  await client.post(orderOf('=1+1', 'one', '2025-01-01', [laptop('=2+2', 12), VAN, BOX]))
  const read = await statementOf('=1+1', 2025)
  const url = statementPath('=1+1', 2025, `?format=xlsx&known_at=${read.issued.known_at}`)
  const answer = await service.server.app.inject({ url, headers: { 'x-api-key': service.key } })
  assert.match(String(answer.headers['content-disposition']), /"cradle-statement-2025\.xlsx"/)
  const sheets = new Map((await readWorkbook(answer.rawPayload)).map(({ sheet, data }) => [sheet, data]))
  assert.deepEqual([...sheets.keys()], SHEETS)
  const summary = new Map(sheets.get('Summary')!.map(([name, value]) => [name, value]))
  assert.equal(summary.get('total_emission_kg'), read.summary.total_emission)
  const [device] = sheets.get('Devices')!.slice(1)
  assert.equal(device![0], '=2+2')
  assert.ok(device!.includes(read.devices[0]!.year.total_emission))
  assert.equal(sheets.get('By month')!.length, 13)
  assert.equal(sheets.get('Entries')!.length, 2)
  assert.match(JSON.stringify(sheets.get('About')), /signed_hash.*[0-9a-f]{64}/)
})

test('the signature of a statement is a JWS of its hash, verified by the key that it names', async () => {
  await client.post(orderOf('jws', 'one', '2025-01-01', [laptop('J1', 12)]))
  const { hash, signature, signed_by: key } = await statementOf('jws', 2025)
  const [header, payload, signed] = signature.value.split('.') as [string, string, string]
  const textOf = (part: string) => Buffer.from(part, 'base64url').toString()
  const expected = { alg: 'EdDSA', kid: key.fingerprint, typ: 'vnd.cradle.statement+jws' }
  assert.deepEqual([JSON.parse(textOf(header)), textOf(payload)], [expected, hash.value])
  const isValid = verify(null, Buffer.from(`${header}.${payload}`), key.public_key, Buffer.from(signed, 'base64url'))
  assert.ok(isValid)
})

test('a statement asked for again at the time until which it knows has the same content', async () => {
  await client.post(orderOf('again', 'one', '2025-01-01', [laptop('A1', 12), BOX]))
  const first = await statementOf('again', 2025)
  await client.tell('again', 'one', { event_id: 'a-r', type: 'returned', date: '2025-03-01' })
  const later = await statementOf('again', 2025)
  assert.notEqual(later.summary.total_emission, first.summary.total_emission)
  const again = await statementOf('again', 2025, `?known_at=${first.issued.known_at}`)
  const withoutTime = ({ issued, hash, signature, ...rest }: Statement) => ({
    ...rest,
    of: [issued, hash, signature].length,
  })
  assert.deepEqual(withoutTime(again), withoutTime(first))
  assert.equal(again.issued.known_at, first.issued.known_at)
})

test('a customer of a million tonnes has no statement, and is told that this is more than one holds', async () => {
  const heavy = { ...(VAN['config'] as Json), distance_km: 50_000, weight_kg: 40_000 }
  const legs = Array.from({ length: 1_000 }, () => ({ type: 'transportation', config: heavy }))
  await client.post(orderOf('vast', 'one', '2025-01-01', legs))
  const { status, text } = await service.ask(statementPath('vast', 2025))
  assert.equal(status, 413, text)
  assert.match(text, /"code":"too_large"/)
})

test('a statement is preliminary until its year is closed', async () => {
  await client.post(orderOf('preliminary', 'one', '2025-01-01', [laptop('Y1', 12)]))
  const isPreliminary = async (year: number) => (await statementOf('preliminary', year)).is_preliminary
  assert.deepEqual([await isPreliminary(2024), await isPreliminary(2199)], [true, true])
  const headers = { 'content-type': 'application/json' }
  const close = (body: Json) => service.ask('/api/periods', { method: 'POST', headers, body: JSON.stringify(body) })
  await close({ closed_until: '2025-01-01' })
  assert.deepEqual(
    [await isPreliminary(2024), await isPreliminary(2025), await isPreliminary(2199)],
    [false, true, true],
  )
  await close({ closed_until: null, reason: 'This test' })
  assert.equal(await isPreliminary(2024), true)
})

test('all processes sign with one key of the account, another account with its own', async () => {
  await client.post(orderOf('signed', 'one', '2025-01-01', [laptop('K1', 12)]))
  const beside = await startService({ beside: service })
  const keyOf = async (one: Service, key: string) =>
    JSON.parse((await one.ask('/api/statement-key', { headers: { 'x-api-key': key } })).text) as {
      readonly fingerprint: string
    }
  const stranger = await service.createKey(undefined, null, 'another')
  // Neither account has a key yet: both processes want to make one.
  const [a, b, other] = await Promise.all([
    keyOf(service, service.key),
    keyOf(beside, service.key),
    keyOf(service, stranger),
  ])
  await beside.stop()
  assert.equal(a.fingerprint, b.fingerprint)
  assert.notEqual(a.fingerprint, other.fingerprint)
  assert.equal((await statementOf('signed', 2025)).signed_by.fingerprint, a.fingerprint)
  const { status } = await service.ask(statementPath('signed', 2025), { headers: { 'x-api-key': stranger } })
  assert.equal(status, 404)
})

test('no statement of a customer without orders, of a year that is none, or by words that are unknown', async () => {
  for (const [path, status] of [
    [statementPath('nobody', 2025), 404],
    [statementPath('signed', 1989), 404],
    ['/api/statements/signed/twenty', 404],
    ['/api/statements/%00/2025', 404],
    [statementPath('signed', 2025, '?consolidation_approach=equity'), 400],
    [statementPath('signed', 2025, '?known_at=yesterday'), 400],
    [statementPath('signed', 2025, '?kown_at=2026-01-01T00:00:00Z'), 400],
  ] as const) {
    assert.equal((await service.ask(path, { headers: { 'x-api-key': service.key } })).status, status, path)
  }
})
