// The histories of cases/ through HTTP and PostgreSQL: after every step orders, ledgers and balances are as computed.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Part } from '../src/engine/numbers/emission.ts'
import { readCaseBook } from './case-book.ts'
import {
  readFormulaCases,
  readHistoryCases,
  readOrderCases,
  type HistoryCase,
  type HistoryStep,
  type StandingDevice,
  type StandingOrder,
} from './case-files.ts'
import { milligrams } from './order-client.ts'
import { startService } from './service.ts'

const cases = readHistoryCases()
const servers = new Map<string, Promise<AccountServer>>()

interface Answered {
  readonly status: number
  readonly text: string
  /** Numbers are their own texts, so that a digit too many is seen. */
  readonly body: unknown
}

interface AccountServer {
  send(method: 'GET' | 'POST' | 'PUT', path: string, body?: unknown): Promise<Answered>
}

async function startAccountServer(history: HistoryCase): Promise<AccountServer> {
  const { server, key } = await startService({
    book: readCaseBook(history.book),
    amortisation: history.amortisation ?? 'capped',
  })
  return { send: (method, path, body) => send(`${server.url}${path}`, key, method, body) }
}

async function send(address: string, key: string, method: string, body: unknown): Promise<Answered> {
  const response = await fetch(address, {
    method,
    headers: { 'x-api-key': key, 'if-match': '*', ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, text, body: JSON.parse(text, keepDigits) }
}

/** A number becomes its own text. ECMAScript hands it over since 2025; TypeScript does not know of it yet. */
const keepDigits = ((_: string, value: unknown, context: { readonly source: string }) =>
  typeof value === 'number' ? context.source : value) as (key: string, value: unknown) => unknown

/** One server for each book and way to charge that a history names. */
function serverFor(history: HistoryCase): Promise<AccountServer> {
  const { book } = history
  const amortisation = history.amortisation ?? 'capped'
  const name = `${book} ${amortisation}`
  const server = servers.get(name) ?? startAccountServer(history)
  servers.set(name, server)
  return server
}

for (const history of cases) {
  test(`history ${history.id}: ${history.title}`, () => replay(history))
}

test('every history has an id, serial numbers and events of its own, a derivation and a source', () => {
  assert.ok(cases.length >= 25, 'histories are missing')
  const stepsOf = ({ steps }: HistoryCase) => steps
  const unique = (names: readonly string[]) =>
    assert.deepEqual(
      names.filter((name, at) => names.indexOf(name) !== at),
      [],
    )
  unique(cases.map(({ id }) => id))
  unique(cases.flatMap((history) => [...serialsOf(history)]))
  unique(cases.flatMap(stepsOf).flatMap((step) => ('event' in step ? [step.event.event_id] : [])))
  for (const { id, title, derivation, source, steps } of cases) {
    assert.ok(title && derivation.length > 0 && source, `${id} lacks its title, its derivation or its source`)
    assert.ok(steps.at(-1)!.then ?? steps.at(-1)!.at, `${id} expects nothing of its last step`)
  }
})

test('every vector of ledgers, months and shares has a case', () => {
  const vectors = [...named('E', 23), ...named('M', 8), ...named('A', 9)]
  const ids = new Set([...readFormulaCases(), ...readOrderCases()].map(({ id }) => id))
  assert.deepEqual(
    vectors.filter((vector) => !ids.has(vector)),
    [],
  )
})

const named = (letter: string, number: number): readonly string[] =>
  Array.from({ length: number }, (_, at) => `${letter}${String(at + 1).padStart(2, '0')}`)

async function replay(history: HistoryCase): Promise<void> {
  const server = await serverFor(history)
  const pathOfOrder = orderPathsOf(history)
  for (const [at, step] of history.steps.entries()) {
    const where = `step ${at + 1}`
    const before = step.at === undefined ? null : await readAll(server, history)
    const answer = await server.send('corrected' in step ? 'PUT' : 'POST', pathOf(step, pathOfOrder), bodyOf(step))
    assert.equal(answer.status, step.answer, `${where}: ${answer.text}`)
    if (before) {
      assert.equal((answer.body as WireFailure).details[0]!.path, step.at, `${where}: ${answer.text}`)
      assert.deepEqual(await readAll(server, history), before, `${where} was refused and changed something`)
    }
    await checkStanding(server, pathOfOrder, step, answer.body, where)
  }
}

async function checkStanding(
  server: AccountServer,
  pathOfOrder: OrderPaths,
  step: HistoryStep,
  answered: unknown,
  where: string,
): Promise<void> {
  const told = orderOf(step)
  for (const [id, expected] of Object.entries(step.then?.orders ?? {})) {
    const { body } = await server.send('GET', pathOfOrder(id))
    assert.deepEqual(shownOrder(body as WireOrder), expected, `${where}: the order ${id}`)
    if (id === told) assert.deepEqual(shownOrder(answered as WireOrder), expected, `${where}: the answer to it`)
  }
  for (const [serial, expected] of Object.entries(step.then?.devices ?? {})) {
    const { body } = await server.send('GET', `${devicePath(serial)}?include=entries,history&allocation=all`)
    checkAllocations(body as WireLedger, where)
    const shown = shownDevice(body as WireLedger, expected)
    assert.deepEqual(shown, expected, `${where}: the device ${serial}`)
    assert.deepEqual(Object.keys(shown.orders), Object.keys(expected.orders), `${where}: the sequence of orders`)
  }
}

/** Every method gives out what there is, and the posted one gives what each order has. */
function checkAllocations({ allocations, orders, history }: WireLedger, where: string): void {
  assert.equal(allocations.length, 11)
  for (const { method, posted, lives, residual, total } of allocations) {
    assert.equal(total, history.balance['embodied_total'], `${where}: ${method}`)
    if (method === 'economic') continue
    const shares = lives.map((life) => milligrams(life.embodied_emission))
    assert.equal(
      [...shares, milligrams(residual)].reduce((sum, one) => sum + one, 0n),
      milligrams(total),
      method,
    )
    if (!posted) continue
    for (const { order_id: id, emission } of orders) {
      const share = lives.find(({ order_id: of }) => of === id)?.embodied_emission ?? '0'
      assert.equal(share, emission.product_embodied_emission?.emission ?? '0', `${where}: the order ${id}`)
    }
  }
}

type WireLines = Readonly<Record<Part, { readonly emission: string }>>

interface WireOrder {
  readonly status: string
  readonly total_emission: string
  readonly items: readonly { readonly serial_number?: string; readonly emission_breakdown: WireLines }[]
}

interface WireLedger {
  readonly total_emission: string
  readonly orders: readonly {
    readonly order_id: string
    readonly total_emission: string
    readonly emission: WireLines
  }[]
  readonly entries: readonly { readonly order_id?: string; readonly reason: string; readonly total_emission: string }[]
  readonly allocations: readonly {
    readonly method: string
    readonly posted: boolean
    readonly lives: readonly { readonly order_id: string; readonly embodied_emission: string }[]
    readonly residual: string
    readonly total: string
  }[]
  readonly history: {
    readonly initial: { readonly name: string }
    readonly balance: Readonly<Record<string, string | boolean>>
  }
}

interface WireFailure {
  readonly details: readonly { readonly path: string }[]
}

const emissionsOf = (lines: WireLines) =>
  Object.fromEntries(Object.entries(lines).map(([part, { emission }]) => [part, emission]))

const shownOrder = ({ status, total_emission: total, items }: WireOrder): StandingOrder => ({
  status,
  total,
  items: items.map(({ serial_number, emission_breakdown }) => ({
    ...(serial_number !== undefined && { serial_number }),
    lines: emissionsOf(emission_breakdown),
  })),
})

/** Of what can be left out, what is expected. */
function shownDevice({ total_emission: total, orders, entries, history }: WireLedger, expected: StandingDevice) {
  const balance = Object.fromEntries(Object.entries(history.balance).filter(([name]) => name !== 'emission_unit'))
  return {
    total,
    orders: Object.fromEntries(
      orders.map(({ order_id, total_emission, emission }) => [
        order_id,
        { ...emissionsOf(emission), total: total_emission },
      ]),
    ),
    ...(expected.match_level !== undefined && { match_level: history.initial.name }),
    ...(expected.entries && {
      entries: entries.map(({ order_id, reason, total_emission }) => ({
        ...(order_id !== undefined && { order_id }),
        reason,
        total: total_emission,
      })),
    }),
    ...(expected.balance && { balance }),
  }
}

type OrderPaths = (orderId: string) => string

/** The paths of a history's orders, by order id: no two of its customers share one. */
function orderPathsOf({ steps }: HistoryCase): OrderPaths {
  const customers = new Map(
    steps.flatMap((step) => ('order' in step ? [[step.order.order_id, step.order.customer_id] as const] : [])),
  )
  return (id) => `/api/customer-orders/${encodeURIComponent(customers.get(id)!)}/${encodeURIComponent(id)}`
}

const devicePath = (serial: string): string => `/api/device-emissions/${encodeURIComponent(serial)}`

/** The order that a step is about; null for an event of a device. */
function orderOf(step: HistoryStep): string | null {
  if ('order' in step) return step.order.order_id
  if ('corrected' in step) return step.corrected.order_id
  return 'of_order' in step ? step.of_order : null
}

function bodyOf(step: HistoryStep): unknown {
  if ('order' in step) return step.order
  return 'corrected' in step ? step.corrected : step.event
}

function pathOf(step: HistoryStep, pathOfOrder: OrderPaths): string {
  if ('order' in step) return '/api/customer-orders'
  if ('corrected' in step) return pathOfOrder(step.corrected.order_id)
  if ('of_order' in step) return `${pathOfOrder(step.of_order)}/events`
  return `/api/devices/${encodeURIComponent(step.of_device)}/events`
}

function serialsOf({ steps }: HistoryCase): ReadonlySet<string> {
  const sent = steps.flatMap((step) =>
    'order' in step ? step.order.items.flatMap(({ config }) => config['serial_number'] ?? []) : [],
  )
  return new Set(sent.map(String))
}

/** Every order and every ledger of a history, as they stand. */
async function readAll(server: AccountServer, history: HistoryCase): Promise<readonly string[]> {
  const orders = history.steps.flatMap((step) => ('order' in step ? [step.order.order_id] : []))
  const paths = [
    ...orders.map(orderPathsOf(history)),
    ...[...serialsOf(history)].map((serial) => `${devicePath(serial)}?include=entries,history`),
  ]
  const texts: string[] = []
  for (const path of paths) {
    const { text, body } = await server.send('GET', path)
    // An error has an id of its own for each request.
    texts.push('request_id' in (body as object) ? 'not there' : text)
  }
  return texts
}
