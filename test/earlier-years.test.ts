// Statements of years in which closed years are corrected: by year and cause they say what belongs to which year.
import { test } from 'node:test'
import assert from 'node:assert/strict'
import type { FastifyInstance, InjectOptions } from 'fastify'
import type { EarlierYears, Statement } from '../src/statements/statement.ts'
import { freshDatabase } from './fresh-database.ts'
import type { Subject } from './model-based/history-check.ts'
import { drawHistories, openSubject, runHistories } from './model-based/history-run.ts'
import { sumsInSql } from './report-sums.ts'
import { createReceiptClient, laptop, orderOf, BOX } from './receipt-client.ts'
import { readStatement } from './statement-client.ts'
import { startService } from './service.ts'

const HISTORIES = 8
const SEED = 31
/** The books are closed until the next of these days before every so many facts. */
const FACTS_PER_CLOSING = 20
const CLOSINGS = ['2024-02-10', '2024-07-01', '2025-01-01', '2025-04-15', '2026-01-01', '2026-06-01', '2026-11-01']

type Account = Subject['accounts']['capped']

const milligrams = (kilograms: number): bigint => BigInt(Math.round(kilograms * 1e6))

/** The service, whose books are closed for more and more days while facts are told to it. */
function closingInBetween(subject: Subject): Subject {
  const days = CLOSINGS.values()
  let facts = 0
  const close = async (closed_until: string) => {
    for (const { key } of Object.values(subject.accounts)) {
      const headers = { 'x-api-key': key }
      const answer = await subject.app.inject({
        method: 'POST',
        url: '/api/periods',
        headers,
        payload: { closed_until },
      })
      assert.equal(answer.statusCode, 200, answer.body)
    }
  }
  const inject = async (asked: InjectOptions) => {
    if (asked.method === 'POST' && (facts += 1) % FACTS_PER_CLOSING === 0) {
      const { value: day } = days.next()
      if (day !== undefined) await close(day)
    }
    return subject.app.inject(asked)
  }
  return { ...subject, app: { inject } as unknown as FastifyInstance }
}

/** By SQL alone: milligrams by the year that they concern, and the year of the first open day when they were posted. */
const concernedIn = async ({ pool }: Subject, { accountId }: Account, customer: string) =>
  (
    await sumsInSql(pool, {
      accountId,
      basis: 'tenure',
      groupBy: ['year', 'open_year', 'own_event'],
      where: `customer = '${customer}'`,
      asConcerned: true,
    })
  ).map(({ labels: [year, openYear, event], milligrams: sum }) => ({
    year: Number(year),
    openYear: openYear === null ? null : Number(openYear),
    event,
    sum,
  }))

type Concerned = Awaited<ReturnType<typeof concernedIn>>

const sumOf = (those: readonly { readonly sum: bigint }[]): bigint => those.reduce((all, { sum }) => all + sum, 0n)

/** What a map has, without what comes to nothing. */
const told = (sums: ReadonlyMap<string, bigint>) =>
  [...sums]
    .filter(([, sum]) => sum !== 0n)
    .map(([name, sum]) => `${name}: ${sum}`)
    .sort()

function compareYears({ year, summary, corrections_of_earlier_years: earlier }: Statement, concerned: Concerned): void {
  const corrections = concerned.filter((one) => one.openYear === year && one.year < year)
  const own = concerned.filter((one) => one.year === year && (one.openYear ?? 0) <= year)
  const { emission, emission_of_the_year: ofYear, years } = earlier!
  assert.equal(milligrams(ofYear), sumOf(own), `what concerns ${year}`)
  assert.equal(milligrams(emission), sumOf(corrections), `what concerns years before ${year}`)
  assert.equal(milligrams(emission) + milligrams(ofYear), milligrams(summary.total_emission))
  const byYear = Map.groupBy(corrections, (one) => String(one.year))
  assert.deepEqual(
    told(new Map(years.map((one) => [String(one.year), milligrams(one.emission)]))),
    told(new Map([...byYear].map(([name, those]) => [name, sumOf(those)]))),
    `corrections in ${year}`,
  )
  for (const one of years) {
    assert.equal(
      one.causes.reduce((all, cause) => all + milligrams(cause.emission), 0n),
      milligrams(one.emission),
    )
  }
  compareCauses(earlier!, corrections)
}

function compareCauses({ years }: EarlierYears, corrections: Concerned): void {
  const stated = new Map<string, bigint>()
  for (const { year, causes } of years)
    for (const { event_id: event, emission } of causes) {
      const name = `${year} ${event}`
      stated.set(name, (stated.get(name) ?? 0n) + milligrams(emission))
    }
  const posted = Map.groupBy(corrections, ({ year, event }) => `${year} ${event}`)
  assert.deepEqual(told(stated), told(new Map([...posted].map(([name, those]) => [name, sumOf(those)]))))
}

interface CorrectedYear {
  readonly customer_id: string
  readonly year: number
  readonly statement_emission: number
  readonly corrections_emission: number
  readonly corrected_emission: number
}

/** The list of corrected years says of a customer what its statements say together, and so do its lists by year. */
async function compareList({ app }: Subject, { key }: Account, customer: string, statements: readonly Statement[]) {
  const listed = async (query: string): Promise<readonly CorrectedYear[]> => {
    const url = `/api/periods/corrections?customer_id=${customer}&limit=1000${query}`
    const { statusCode, body } = await app.inject({ url, headers: { 'x-api-key': key } })
    assert.equal(statusCode, 200, body)
    return (JSON.parse(body) as { readonly corrected_years: readonly CorrectedYear[] }).corrected_years
  }
  const stated = new Map(statements.map(({ year, summary }) => [year, milligrams(summary.total_emission)]))
  const corrected = new Map<number, bigint>()
  for (const { corrections_of_earlier_years: earlier } of statements)
    for (const { year, emission } of earlier!.years)
      corrected.set(year, (corrected.get(year) ?? 0n) + milligrams(emission))
  const expected = [...corrected].filter(([, sum]) => sum !== 0n).toSorted(([a], [b]) => a - b)
  const all = await listed('')
  assert.deepEqual(
    all
      .map((one) => [one.year, milligrams(one.statement_emission), milligrams(one.corrections_emission)])
      .toSorted(([a], [b]) => Number(a) - Number(b)),
    expected.map(([year, sum]) => [year, stated.get(year), sum]),
    customer,
  )
  for (const one of all) {
    assert.equal(one.customer_id, customer)
    assert.equal(
      milligrams(one.corrected_emission),
      milligrams(one.statement_emission) + milligrams(one.corrections_emission),
    )
    assert.deepEqual(await listed(`&year=${one.year}`), [one])
  }
}

test('statements of all years add up to the ledger, as own years and corrections by year and cause', async (t) => {
  const subject = await openSubject((await freshDatabase()).pool)
  t.after(() => subject.app.close())
  await runHistories(closingInBetween(subject), drawHistories(SEED, HISTORIES))
  let corrected = 0
  for (const account of Object.values(subject.accounts)) {
    const { rows } = await subject.pool.query<{ readonly customer: string; readonly posted: bigint }>(
      `select customer_id as customer, sum(embodied_mg + use_mg + packaging_mg + transportation_mg)::bigint as posted
      from entries where account_id = $1 and order_id <> '' group by customer_id`,
      [account.accountId],
    )
    for (const { customer, posted } of rows) {
      const concerned = await concernedIn(subject, account, customer)
      const statements: Statement[] = []
      for (let year = 2023; year <= 2035; year += 1) {
        const { statement } = await readStatement(subject.app, account.key, customer, year)
        compareYears(statement, concerned)
        statements.push(statement)
        corrected += statement.corrections_of_earlier_years!.years.length
      }
      assert.equal(
        sumOf(statements.map(({ summary }) => ({ sum: milligrams(summary.total_emission) }))),
        posted,
        customer,
      )
      await compareList(subject, account, customer, statements)
    }
  }
  assert.ok(corrected > 10, `${corrected} corrected years are too few`)
})

const SECRET = /rival|r-back/

test('what another customer’s order or event changed is told without its ids, and is verified', async (t) => {
  const service = await startService()
  t.after(() => service.stop())
  const client = createReceiptClient(service)
  const headers = { 'content-type': 'application/json' }
  const close = (body: object) => service.ask('/api/periods', { method: 'POST', headers, body: JSON.stringify(body) })
  const earlierOf = async (year: number) =>
    (await readStatement(service.server.app, service.key, 'own', year)).statement.corrections_of_earlier_years!
  const other = orderOf('rival', 'rival-order', '2023-07-01', [laptop('E1', 6)])
  await t.test('an order that took the device away in a closed year', async () => {
    await client.post(orderOf('own', 'first', '2023-01-01', [laptop('E1', 24), BOX]))
    await close({ closed_until: '2025-01-01' })
    await client.post(other)
    const { text, statement } = await readStatement(service.server.app, service.key, 'own', 2025)
    assert.doesNotMatch(text, SECRET)
    const { years, emission } = statement.corrections_of_earlier_years!
    assert.deepEqual(
      years.map(({ year, causes }) => [year, causes.length]),
      [
        [2023, 1],
        [2024, 1],
      ],
    )
    const [cause] = years[0]!.causes
    assert.deepEqual([cause!.event_id, cause!.order_id, cause!.reasons], [null, null, ['overlap']])
    assert.deepEqual(cause!.order_ids, ['first'])
    assert.ok(emission < 0)
    assert.equal(statement.summary.total_emission, emission)
  })
  await t.test('an event of that order', async () => {
    await client.tell('rival', 'rival-order', { event_id: 'r-back', type: 'cancelled', date: '2023-06-01' })
    const { text, statement } = await readStatement(service.server.app, service.key, 'own', 2025)
    assert.doesNotMatch(text, SECRET)
    const { years, emission } = statement.corrections_of_earlier_years!
    assert.equal(years[0]!.causes.length, 2)
    assert.equal(emission, 0)
  })
  await t.test('books that are reopened take corrections back where they counted', async () => {
    await client.tell('own', 'first', { event_id: 'o-back', type: 'returned', date: '2023-10-01' })
    const before = await earlierOf(2025)
    assert.ok(before.emission < 0)
    await close({ closed_until: null, reason: 'This test' })
    await client.tell('own', 'first', { event_id: 'o-gone', type: 'withdrawn', withdraws: 'o-back' })
    const { emission, years } = await earlierOf(2025)
    assert.equal(emission, 0)
    const withdrawn = years.flatMap(({ causes }) => causes).filter((one) => one.event_id === 'o-gone')
    assert.equal(
      withdrawn.reduce((all, one) => all + milligrams(one.emission), 0n),
      -milligrams(before.emission),
    )
    assert.equal((await earlierOf(2023)).emission, 0)
  })
})

test('an order that was recorded late is a cause, also one without devices', async (t) => {
  const service = await startService()
  t.after(() => service.stop())
  const client = createReceiptClient(service)
  const headers = { 'content-type': 'application/json' }
  await service.ask('/api/periods', { method: 'POST', headers, body: '{"closed_until":"2025-01-01"}' })
  await client.post(orderOf('boxes', 'late', '2023-03-01', [BOX]))
  const { statement } = await readStatement(service.server.app, service.key, 'boxes', 2025)
  const { years, emission_of_the_year: own } = statement.corrections_of_earlier_years!
  assert.deepEqual(
    years.map(({ year, causes: [cause] }) => [year, cause!.event_id, cause!.order_id, cause!.reasons]),
    [[2023, null, 'late', ['order']]],
  )
  assert.deepEqual([own, years[0]!.emission], [0, statement.summary.total_emission])
  const { corrected_years: listed } = JSON.parse((await service.ask('/api/periods/corrections?year=2023')).text) as {
    readonly corrected_years: readonly CorrectedYear[]
  }
  assert.deepEqual(
    listed.map((one) => [one.customer_id, one.year, one.statement_emission, one.corrections_emission]),
    [['boxes', 2023, 0, years[0]!.emission]],
  )
})

test('a restatement is proposed where corrections exceed the account’s threshold; nothing is restated', async (t) => {
  const service = await startService()
  t.after(() => service.stop())
  const client = createReceiptClient(service)
  const headers = { 'content-type': 'application/json' }
  const send = (path: string, method: string, body: object) =>
    service.ask(path, { method, headers, body: JSON.stringify(body) })
  const list = async (query = '') =>
    JSON.parse((await service.ask(`/api/periods/corrections${query}`)).text) as {
      readonly restatement_threshold_percent: number
      readonly number_of_corrected_years: number
      readonly number_of_proposed_restatements: number
      readonly corrected_years: readonly Record<string, unknown>[]
    }
  // Both have 24 months in 2023 and 2024, of one device and of 20. A device of each comes back at the end of June 2023.
  const serials = Array.from({ length: 20 }, (_, at) => `many-${at}`)
  await client.post(orderOf('one', 'first', '2023-01-01', [laptop('single', 24)]))
  await client.post(
    orderOf(
      'many',
      'first',
      '2023-01-01',
      serials.map((serial) => laptop(serial, 24)),
    ),
  )
  await send('/api/periods', 'POST', { closed_until: '2025-01-01' })
  assert.deepEqual((await list()).corrected_years, [])
  const returned = { type: 'returned', date: '2023-07-01' }
  await client.tell('one', 'first', { event_id: 't-1', ...returned })
  await client.tell('many', 'first', { event_id: 't-2', serial_number: serials[0], ...returned })
  const percents = ({ corrected_years: years }: Awaited<ReturnType<typeof list>>) =>
    years.map((one) => [one['customer_id'], one['year'], one['corrections_percent'], one['proposes_restatement']])
  const proposed = await list()
  assert.equal(proposed.restatement_threshold_percent, 5)
  assert.deepEqual(percents(proposed), [
    ['one', 2024, -100, true],
    ['one', 2023, -50, true],
    ['many', 2024, -5, false],
    ['many', 2023, -2.5, false],
  ])
  assert.deepEqual([proposed.number_of_corrected_years, proposed.number_of_proposed_restatements], [4, 2])
  const { statement } = await readStatement(service.server.app, service.key, 'one', 2024)
  assert.equal(proposed.corrected_years[0]!['statement_emission'], statement.summary.total_emission)
  assert.equal(proposed.corrected_years[0]!['corrected_emission'], 0)
  const changed = await send('/api/account', 'PUT', { amortisation: 'capped', restatement_threshold_percent: 2.5 })
  assert.equal((JSON.parse(changed.text) as Record<string, unknown>)['restatement_threshold_percent'], 2.5)
  assert.deepEqual(percents(await list('?year=2023')), [
    ['one', 2023, -50, true],
    ['many', 2023, -2.5, false],
  ])
  const many = await list('?customer_id=many&limit=1')
  assert.deepEqual(percents(many), [['many', 2024, -5, true]])
  assert.deepEqual([many.number_of_corrected_years, many.number_of_proposed_restatements], [2, 1])
  await send('/api/account', 'PUT', { amortisation: 'capped' })
  assert.equal((await list()).restatement_threshold_percent, 2.5)
  for (const wrong of [-1, 100.5, '5'])
    assert.equal(
      (await send('/api/account', 'PUT', { amortisation: 'capped', restatement_threshold_percent: wrong })).status,
      400,
    )
  for (const wrong of ['year=23', 'year=1989', 'limit=0', 'limit=1001', 'threshold=5'])
    assert.equal((await service.ask(`/api/periods/corrections?${wrong}`)).status, 400, wrong)
})

test('a closed year keeps what a swap brought to it that is withdrawn later', async (t) => {
  const service = await startService()
  t.after(() => service.stop())
  const client = createReceiptClient(service)
  const headers = { 'content-type': 'application/json' }
  const statementOf = async (customer: string, year: number) =>
    (await readStatement(service.server.app, service.key, customer, year)).statement
  const days = { first: '2024-01-01', middle: '2024-07-01' }
  const swap = { type: 'swapped', weight_kg: 1, model_id: 'apple-iphone-11-64gb' }
  for (const [name, date] of Object.entries(days)) {
    await client.post(orderOf(name, 'swap', '2024-01-01', [laptop(`out-${name}`, 24)]))
    await client.tell(name, 'swap', { event_id: `in-${name}`, ...swap, date, new_serial_number: `in-${name}` })
  }
  await service.ask('/api/periods', { method: 'POST', headers, body: '{"closed_until":"2025-01-01"}' })
  for (const name of Object.keys(days)) {
    const { devices, summary } = await statementOf(name, 2024)
    await client.tell(name, 'swap', { event_id: `wrong-${name}`, type: 'withdrawn', withdraws: `in-${name}` })
    const closed = await statementOf(name, 2024)
    assert.equal(closed.is_preliminary, false)
    assert.equal(closed.summary.total_emission, summary.total_emission)
    assert.deepEqual(
      closed.devices.map(({ serial_number, year }) => [serial_number, year.total_emission]),
      devices.map(({ serial_number, year }) => [serial_number, year.total_emission]),
    )
    // The laptop has 33.75 kg in each year, and what 2024 lacks of it comes in 2025.
    const { summary: next, corrections_of_earlier_years: earlier } = await statementOf(name, 2025)
    const [of2024, of2025, correction] = [summary.total_emission, next.total_emission, earlier!.emission]
    assert.equal(milligrams(of2024) + milligrams(of2025), milligrams(67.5))
    assert.equal(milligrams(correction), milligrams(33.75) - milligrams(of2024))
    // From then on, nothing is left of what the swap had brought in.
    const { devices: left, summary: last, orders } = await statementOf(name, 2026)
    assert.deepEqual(
      [left.map(({ serial_number }) => serial_number), orders.map(({ number_of_devices }) => number_of_devices)],
      [[`out-${name}`], [1]],
    )
    assert.equal(last.total_emission, 0)
  }
})

test('a corrected order of a closed year counts once, in that year and in the one with its corrections', async (t) => {
  const service = await startService()
  t.after(() => service.stop())
  const headers = { 'content-type': 'application/json', 'if-match': '*' }
  const put = async (months: number) => {
    const body = JSON.stringify(orderOf('counted', 'first', '2023-01-01', [laptop('counted-1', months)]))
    const { status, text } = await service.ask('/api/customer-orders/counted/first', { method: 'PUT', headers, body })
    assert.equal(status, 200, text)
  }
  await createReceiptClient(service).post(orderOf('counted', 'first', '2023-01-01', [laptop('counted-1', 24)]))
  const body = JSON.stringify({ closed_until: '2025-01-01' })
  assert.equal((await service.ask('/api/periods', { method: 'POST', headers, body })).status, 200)
  for (const months of [12, 18]) await put(months)
  for (const year of [2023, 2024, 2025]) {
    const { statement } = await readStatement(service.server.app, service.key, 'counted', year)
    const { number_of_orders: orders, number_of_devices: devices } = statement.summary
    assert.deepEqual([year, orders, devices], [year, 1, 1])
    assert.ok(statement.orders.length > 1)
  }
  const { statement: later } = await readStatement(service.server.app, service.key, 'counted', 2026)
  assert.equal(later.orders.length, 1)
})
