// The worked examples of cases/ through HTTP and PostgreSQL: the same lines, totals and shares as in their files.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Part } from '../src/engine/numbers/emission.ts'
import { readCaseBook } from './case-book.ts'
import { listStrayFiles, readOrderCases, type OrderCase } from './case-files.ts'
import { startService, type Service } from './service.ts'

const cases = readOrderCases()
const servers = new Map<string, Promise<Service>>()

/** One server for each book that a case names. */
function serverFor(book: string): Promise<Service> {
  const server = servers.get(book) ?? startService({ book: readCaseBook(book) })
  servers.set(book, server)
  return server
}

/** Emissions are kept as they are written, so that a digit too many is seen. */
interface WireLine {
  readonly emission: string
  readonly type: string
  readonly description: string
}
type WireLines = Readonly<Partial<Record<Part, WireLine>>>

interface WireOrder {
  readonly total_emission: string
  readonly total_emission_excluding_indicative?: string
  readonly items: readonly { readonly total_emission: string; readonly emission_breakdown: WireLines }[]
}

interface WireLedger {
  readonly number_of_orders: string
  readonly total_emission: string
  readonly orders: readonly {
    readonly order_id: string
    readonly total_emission: string
    readonly emission: WireLines
  }[]
}

for (const example of cases) {
  test(`order ${example.id} over HTTP: ${example.title}`, () => replay(example))
}

test('every file of cases/ is replayed', () => {
  // Those of releases/ are of test/ember-releases.ts.
  assert.deepEqual(
    listStrayFiles().filter((file) => !file.startsWith('releases/')),
    [],
  )
  assert.ok(cases.length >= 20, 'cases are missing')
})

async function replay(example: OrderCase): Promise<void> {
  const server = await serverFor(example.book)
  const created = await post(server, example)
  checkOrder(created, example)
  assert.equal(created.total_emission_excluding_indicative, example.expected.total_excluding_indicative)
  for (const [serial, parts] of Object.entries(example.expected.devices)) {
    const ledger = await get<WireLedger>(server, `/api/device-emissions/${encodeURIComponent(serial)}`)
    checkLedger(ledger, example.order.order_id, parts)
  }
}

function checkOrder(answer: WireOrder, { expected }: OrderCase): void {
  assert.equal(answer.total_emission, expected.total)
  assert.equal(answer.items.length, expected.items.length)
  for (const [at, { total, lines }] of expected.items.entries()) {
    const item = answer.items[at]!
    assert.equal(item.total_emission, total)
    assert.deepEqual(
      Object.keys(item.emission_breakdown),
      lines.map(({ part }) => part),
    )
    for (const line of lines) {
      const answered = item.emission_breakdown[line.part]!
      assert.equal(answered.emission, line.emission, line.part)
      assert.equal(answered.type, line.type, line.part)
      if (line.description !== undefined) assert.equal(answered.description, line.description)
    }
  }
}

function checkLedger(ledger: WireLedger, orderId: string, expected: OrderCase['expected']['devices'][string]): void {
  assert.equal(ledger.number_of_orders, '1')
  const order = ledger.orders[0]!
  assert.equal(order.order_id, orderId)
  assert.deepEqual(
    Object.fromEntries([
      ...Object.entries(order.emission).map(([part, { emission }]) => [part, emission]),
      ['total', order.total_emission],
    ]),
    expected,
  )
  assert.equal(ledger.total_emission, expected.total)
}

async function post({ server: { url }, key }: Service, { order }: OrderCase): Promise<WireOrder> {
  const response = await fetch(`${url}/api/customer-orders?include=calculation`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': key },
    body: JSON.stringify(order),
  })
  return read<WireOrder>(response)
}

const get = async <Answer>({ server: { url }, key }: Service, path: string): Promise<Answer> =>
  read<Answer>(await fetch(`${url}${path}`, { headers: { 'x-api-key': key } }))

async function read<Answer>(response: Response): Promise<Answer> {
  const text = await response.text()
  assert.equal(response.status, 200, text)
  return JSON.parse(text, keepDigits) as Answer
}

/** A number becomes its own text. ECMAScript hands it over since 2025; TypeScript does not know of it yet. */
const keepDigits = ((_: string, value: unknown, context: { readonly source: string }) =>
  typeof value === 'number' ? context.source : value) as (key: string, value: unknown) => unknown
