// Previews of events: they decide and report exactly what recording the event then does, and store nothing.
import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import type { Pool } from 'pg'
import { SCOPES, createKey, ensureAccount, setAmortisation } from '../src/postgres/accounts.ts'
import { toKilograms } from '../src/engine/numbers/emission.ts'
import { registerRelease } from '../src/postgres/dataset-releases.ts'
import { verifyAll } from '../src/cli/verify.ts'
import { fill } from './busy-orders.ts'
import { rounds } from './rounds.ts'
import { shippedReferenceData } from './shipped-book.ts'
import { postJson } from './asked-service.ts'
import type { Json } from './document-check.ts'
import type { History } from './model-based/history-arbitrary.ts'
import type { Subject } from './model-based/history-check.ts'
import { drawHistories, openSubject } from './model-based/history-run.ts'
import { requestOf } from './model-based/history-requests.ts'
import { freshDatabase } from './fresh-database.ts'
import { pathOf } from './order-client.ts'
import { BOX, VAN, createReceiptClient, laptop, orderOf, type ReceiptClient } from './receipt-client.ts'
import { sumsInSql } from './report-sums.ts'
import { startService, type Service } from './service.ts'

interface Parts {
  readonly total_emission: number
  readonly product_embodied_emission: number
  readonly product_use: number
  readonly packaging: number
  readonly transportation: number
}

interface Preview {
  readonly event_id: string
  readonly already_recorded: boolean
  readonly counts_from: string | null
  readonly difference: Parts
  readonly orders: readonly {
    readonly customer_id: string
    readonly order_id: string
    readonly before: Parts
    readonly after: Parts
    readonly difference: Parts
  }[]
  readonly devices: readonly Json[]
  readonly years: readonly { readonly customer_id: string; readonly year: number; readonly difference: Parts }[] | null
}

const NAMES = ['total_emission', 'product_embodied_emission', 'product_use', 'packaging', 'transportation'] as const
const milligrams = (kilograms: number): bigint => BigInt(Math.round(kilograms * 1e6))
const sumOf = (all: readonly Parts[], name: keyof Parts): bigint =>
  all.reduce((sum, parts) => sum + milligrams(parts[name]), 0n)

/** The differences of the orders and those of the years are the difference, part by part. */
function assertAddsUp({ difference, orders, years }: Preview): void {
  for (const name of NAMES) {
    const whole = milligrams(difference[name])
    const changes = orders.map((order) => order.difference)
    assert.equal(sumOf(changes, name), whole, name)
    for (const order of orders)
      assert.equal(milligrams(order.before[name]) + milligrams(order.difference[name]), milligrams(order.after[name]))
    if (years)
      assert.equal(
        sumOf(
          years.map((year) => year.difference),
          name,
        ),
        whole,
        name,
      )
  }
}

const HISTORIES = rounds(8, 200)

async function openAccount(subject: Subject, name: string, isCapped: boolean) {
  const { accountId } = await ensureAccount(subject.pool, name)
  await setAmortisation(subject.pool, name, isCapped ? 'capped' : 'uncapped')
  return { accountId, key: await createKey(subject.pool, accountId, SCOPES, null) }
}

/** Everything stored of an account, as one text. */
async function storedOf(pool: Pool, accountId: number): Promise<string> {
  const { rows } = await pool.query<{ all: string }>(
    `select concat_ws('|',
      (select string_agg(e::text, ' ' order by serial_number, order_key, entry_no) from entries e
        where account_id = $1),
      (select string_agg(e::text, ' ' order by event_id) from events e where account_id = $1),
      (select string_agg(status, ' ' order by customer_id, order_id) from orders where account_id = $1)) as all`,
    [accountId],
  )
  return rows[0]!.all
}

async function yearsInSql(pool: Pool, accountId: number): Promise<ReadonlyMap<string, bigint>> {
  const groups = await sumsInSql(pool, { accountId, basis: 'tenure', groupBy: ['customer', 'year'] })
  return new Map(groups.map(({ labels, milligrams: sum }) => [labels.join(' '), sum]))
}

/** Takes a history's steps; before each event, its preview. @returns the number of previews that showed a change */
async function previewHistory(subject: Subject, { isCapped, steps }: History, name: string): Promise<number> {
  const { app, pool } = subject
  const { accountId, key } = await openAccount(subject, name, isCapped)
  const headers = { 'x-api-key': key, 'content-type': 'application/json', 'if-match': '*' }
  const post = async (url: string, payload: string, method: 'POST' | 'PUT' = 'POST') => {
    const { statusCode, body } = await app.inject({ method, url, headers, payload })
    return { status: statusCode, answer: { ...(JSON.parse(body) as Json), request_id: null } as Json }
  }
  let moving = 0
  for (const [at, { kind, fact }] of steps.entries()) {
    const { method, url, payload } = requestOf(fact, 'p-', kind === 'otherwise')
    if (at % 4 === 3) {
      const closed = await post(
        '/api/periods',
        JSON.stringify({ closed_until: `202${4 + Math.min(1, at >> 3)}-02-10` }),
      )
      assert.equal(closed.status, 200, JSON.stringify(closed.answer))
    }
    if (fact.kind === 'order') {
      await post(url, payload)
      continue
    }
    const [stored, years] = [await storedOf(pool, accountId), await yearsInSql(pool, accountId)]
    const previewed = await post(`${url}?preview=true`, payload, method)
    assert.equal(await storedOf(pool, accountId), stored, 'a preview stores nothing')
    const recorded = await post(url, payload, method)
    assert.equal(previewed.status, recorded.status, JSON.stringify([previewed.answer, recorded.answer]))
    if (recorded.status !== 200) {
      assert.deepEqual(previewed.answer, recorded.answer)
      continue
    }
    const preview = previewed.answer as unknown as Preview
    assertAddsUp(preview)
    assert.equal(preview.already_recorded, (await storedOf(pool, accountId)) === stored)
    const yearsAfter = await yearsInSql(pool, accountId)
    const moved = [...new Set([...years.keys(), ...yearsAfter.keys()])].flatMap((label) => {
      const change = (yearsAfter.get(label) ?? 0n) - (years.get(label) ?? 0n)
      return change === 0n ? [] : [`${label} ${toKilograms(change)}`]
    })
    const shown = preview.years!.map(({ customer_id: customer, year, difference }) => ({
      label: `${customer} ${year}`,
      change: milligrams(difference.total_emission),
    }))
    const told = shown.flatMap(({ label, change }) => (change === 0n ? [] : [`${label} ${toKilograms(change)}`]))
    assert.deepEqual(told.toSorted(), moved.toSorted(), `${name}, step ${at}: ${payload}`)
    for (const { customer_id: customer, order_id: order, after: then } of preview.orders) {
      const { body } = await app.inject({ url: pathOf(customer, order), headers })
      const { total_emission: total } = JSON.parse(body) as Json
      assert.equal(milligrams(Number(total)), milligrams(then.total_emission), body)
    }
    if (moved.length > 0) moving += 1
  }
  return moving
}

test('in random histories, with books closed on the way, an event posts what its preview shows', async (t) => {
  const subject = await openSubject((await freshDatabase()).pool)
  t.after(() => subject.app.close())
  let moving = 0
  for (const [at, history] of drawHistories(47, HISTORIES).entries())
    moving += await previewHistory(subject, history, `preview-${at}`)
  assert.ok(moving > HISTORIES, String(moving))
})

let service: Service
let client: ReceiptClient
before(async () => {
  service = await startService()
  client = createReceiptClient(service)
})
after(() => service.stop())

const send = (path: string, body: Json, key?: string) => postJson(service, path, body, key)

const previewOf = async (path: string, body: Json, key = service.key): Promise<Preview> => {
  const { status, answer } = await send(`${path}?preview=true`, body, key)
  assert.equal(status, 200, JSON.stringify(answer))
  return answer as unknown as Preview
}

test('the preview of a withdrawal shows what moves in which year; with closed books, what counts later', async () => {
  await client.post(orderOf('acme', 'late', '2025-01-01', [laptop('P1', 12), VAN, BOX]))
  const path = `${pathOf('acme', 'late')}/events`
  await send(path, { event_id: 'p-1', type: 'returned', date: '2026-06-01' })
  const withdrawal = { event_id: 'p-2', type: 'withdrawn', withdraws: 'p-1', reason: 'Wrong year' }
  const open = await previewOf(path, withdrawal)
  assert.equal(open.difference.total_emission, -14.0625)
  assert.equal(open.counts_from, null)
  // 17 months, 12 of them in 2025, are 12 months again: nothing moves in 2025 but what lay in 2026.
  assert.deepEqual(
    open.years!.map(({ customer_id: customer, year, difference }) => [customer, year, difference.total_emission]),
    [['acme', 2026, -14.0625]],
  )
  const closing = await send('/api/periods', { closed_until: '2026-10-01' })
  assert.equal(closing.status, 200, closing.text)
  const closed = await previewOf(path, withdrawal)
  assert.equal(closed.counts_from, '2026-10-01')
  assert.equal(closed.difference.total_emission, -14.0625)
  await send('/api/periods', { closed_until: null, reason: 'The next test' })
})

test('a preview of an event that is recorded already says so, or that its id is taken', async () => {
  await client.post(orderOf('acme', 'twice', '2025-01-01', [laptop('P2', 12)]))
  const path = `${pathOf('acme', 'twice')}/events`
  const event = { event_id: 'p-3', type: 'extended', tenure_months: 18 }
  assert.equal((await previewOf(path, event)).already_recorded, false)
  await send(path, event)
  const again = await send(`${path}?preview=true`, event)
  assert.equal(again.headers['idempotent-replayed'], 'true')
  assert.deepEqual([again.answer['already_recorded'], again.answer['orders'], again.answer['years']], [true, [], []])
  const other = { ...event, tenure_months: 24 }
  const [previewed, recorded] = [await send(`${path}?preview=true`, other), await send(path, other)]
  assert.equal(previewed.status, 409)
  assert.deepEqual({ ...previewed.answer, request_id: '' }, { ...recorded.answer, request_id: '' })
  const unknown = await send(`${pathOf('acme', 'nobody')}/events?preview=true`, event)
  assert.equal(unknown.status, 409, 'the id is taken, whatever it is of')
  assert.equal(
    (await send(`${pathOf('acme', 'nobody')}/events?preview=true`, { ...event, event_id: 'p-4' })).status,
    404,
  )
  assert.equal((await send(`${path}?preview=maybe`, event)).status, 400)
})

test('a withdrawn refurbishment shows the embodied total of its device and the orders that it concerns', async () => {
  await client.post(orderOf('acme', 'renewed', '2025-01-01', [laptop('P3', 12)]))
  await client.post(orderOf('other', 'renewed', '2027-01-01', [laptop('P3', 12)]))
  const path = '/api/devices/P3/events'
  const event = { event_id: 'p-5', type: 'refurbished', date: '2026-03-01', emission_kg: 8, lifetime_months_added: 12 }
  const ahead = await previewOf(path, event)
  await send(path, event)
  const back = await previewOf(path, { event_id: 'p-6', type: 'withdrawn', withdraws: 'p-5' })
  assert.deepEqual(back.devices, [{ serial_number: 'P3', embodied_total_before: 117.35, embodied_total_after: 109.35 }])
  assert.deepEqual(
    back.years!.map(({ customer_id: customer, year, difference }) => [customer, year, -difference.total_emission]),
    ahead.years!.map(({ customer_id: customer, year, difference }) => [customer, year, difference.total_emission]),
  )
  assert.deepEqual([...new Set(back.orders.map((order) => order.customer_id))], ['other'])
})

test('a preview of an event tells the warnings that recording the event then tells', async () => {
  await client.post(orderOf('acme', 'doubtful', '2025-01-01', [laptop('P4', 12)]))
  const order = `${pathOf('acme', 'doubtful')}/events`
  const swap = {
    event_id: 'p-9',
    type: 'swapped',
    date: '2025-04-01',
    new_serial_number: 'P5',
    weight_kg: 1240,
  }
  const retirement = { event_id: ' p-10 ', type: 'retired', date: '2028-01-15' }
  for (const [path, event, warned] of [
    [order, swap, ['/weight_kg', 'implausible_weight']],
    ['/api/devices/P4/events', retirement, ['/event_id', 'white_space_trimmed']],
  ] as const) {
    const [previewed, recorded] = [await send(`${path}?preview=true`, event), await send(path, event)]
    const warnings = previewed.answer['warnings'] as readonly Json[]
    assert.deepEqual(
      warnings.map((warning) => [warning['path'], warning['code']]),
      [warned],
    )
    assert.deepEqual([warnings, previewed.headers['warnings']], [recorded.answer['warnings'], '1'])
  }
  const sound = await send(`${order}?preview=true`, { event_id: 'p-11', type: 'extended', tenure_months: 18 })
  assert.equal(sound.status, 200, sound.text)
  assert.deepEqual([sound.answer['warnings'], sound.headers['warnings']], [undefined, undefined])
})

test('an order without devices moves on its dispatch day', async () => {
  await client.post(orderOf('acme', 'boxes', '2027-02-01', [VAN, BOX]))
  const path = `${pathOf('acme', 'boxes')}/events`
  const { years, difference, orders } = await previewOf(path, {
    event_id: 'p-7',
    type: 'cancelled',
    date: '2026-12-01',
  })
  assert.deepEqual(
    years!.map((one) => [one.year, one.difference]),
    [[2027, difference]],
  )
  assert.equal(orders[0]!.after.total_emission, 0)
})

test('of a device with a long ledger, years are null, orders exact, and the next event is as ever', async () => {
  const { accountId } = await ensureAccount(service.pool, 'long')
  const key = await service.createKey(SCOPES, null, 'long')
  const { referenceData, files } = shippedReferenceData()
  const releaseId = await registerRelease(service.pool, referenceData.release, referenceData.hash, files)
  await fill(service.pool, releaseId, accountId, 'P8', 300)
  const path = '/api/devices/P8/events'
  const event = { event_id: 'p-8', type: 'refurbished', date: '2021-01-15', emission_kg: 30, lifetime_months_added: 24 }
  const previewed = await previewOf(path, event, key)
  assert.equal(previewed.years, null)
  assertAddsUp(previewed)
  assert.ok(previewed.orders.length > 0)
  assert.deepEqual(await previewOf(path, event, key), previewed)
  assert.equal((await send(path, event, key)).status, 200)
  for (const { customer_id: customer, order_id: order, after: then } of previewed.orders.slice(0, 20)) {
    const { text } = await service.ask(pathOf(customer, order), { headers: { 'x-api-key': key } })
    assert.equal((JSON.parse(text) as Json)['total_emission'], then.total_emission)
  }
})

test('everything stored verifies', async () => {
  const { lines, differences } = await verifyAll(service.pool)
  assert.deepEqual([lines, differences], [[], 0])
})
