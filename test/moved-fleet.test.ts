// A fleet that is exported and read into an empty Cradle gives equal ledgers, emission by emission.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setAmortisation } from '../src/postgres/accounts.ts'
import type { Json } from './document-check.ts'
import { assertEvents, type PassportWithEvents } from './epcis-check.ts'
import { exportedBy, rowsInCsv, type Cells } from './export-reading.ts'
import { createImportClient } from './import-client.ts'
import { drawHistories } from './model-based/history-run.ts'
import type { Fact, OrderFact } from './model-based/history-model.ts'
import { requestOf } from './model-based/history-requests.ts'
import { createOrderClient, milligrams } from './order-client.ts'
import { CATALOGUE } from './model-based/history-check.ts'
import { laptop, orderOf } from './receipt-client.ts'
import { startService, type Service } from './service.ts'

const SEED = 5
const HISTORIES = 60
const MODELS = ['apple-macbook-air-13-m3-256gb', 'dell-latitude-5440', 'apple-iphone-15-128gb']

/** Which device is which model is the first fact’s to say: all facts say the same, so that any may be the first. */
function unanimous(facts: readonly Fact[]): readonly Fact[] {
  const models = new Map<string, string>()
  const modelOf = (serial: string): string => {
    if (!models.has(serial)) models.set(serial, MODELS[models.size % MODELS.length]!)
    return models.get(serial)!
  }
  const named = (order: OrderFact): OrderFact => ({
    ...order,
    devices: order.devices.map((device) => ({ ...device, model: modelOf(device.serial) })),
  })
  return facts.map((fact): Fact => {
    if (fact.kind === 'order') return named(fact)
    if (fact.kind === 'identification') return { ...fact, model: MODELS[Object.keys(CATALOGUE).indexOf(fact.model)]! }
    if (fact.kind === 'correction') return { ...fact, right: named(fact.right) }
    return fact.kind === 'order-event' && fact.type === 'swapped' ? { ...fact, model: modelOf(fact.by) } : fact
  })
}

/** The factors of the histories are those of another book. */
const shipped = (text: string): string =>
  text.replaceAll('hypothetical-van', 'road-van-diesel').replaceAll('hypothetical-board', 'corrugated-board-recycled')

async function account(service: Service, amortisation: 'capped' | 'uncapped'): Promise<string> {
  const key = await service.createKey(undefined, null, amortisation)
  await setAmortisation(service.pool, amortisation, amortisation)
  return key
}

/** Reads one fleet into another by files, as docs/imports.md says. */
async function move(from: Service, key: string, to: Service, newKey: string) {
  const imports = createImportClient(to, newKey)
  const orders = await exportedBy(from, 'orders?status=created,amended,returned,cancelled', key)
  const read = await imports.run(orders)
  assert.equal(read['orders_rejected'], 0, JSON.stringify(await imports.errors(read['import_id'])))
  const events = await exportedBy(from, 'events', key)
  const told = await imports.run(events, '?kind=events')
  return { events: rowsInCsv(events), rejected: await imports.errors(told['import_id']) }
}

interface Ledger extends Json {
  readonly orders: readonly Json[]
  readonly history?: { readonly initial: Json; readonly events: readonly Json[]; readonly balance: Json }
}

/**
 * Without what cannot be equal: when something was posted, what corrections replaced, and that an emission is a
 * default, which arrives as a figure.
 */
async function ledgerOf(service: Service, key: string, serial: string): Promise<Json & Pick<Ledger, 'orders'>> {
  const path = `/api/device-emissions/${encodeURIComponent(serial)}?include=history`
  const { status, text } = await createOrderClient(service, key).ask(path)
  assert.equal(status, 200, text)
  const { orders, history, total_emission: total } = JSON.parse(text) as Ledger
  if (orders.length === 0) return { orders }
  const { identified_by: _, ...initial } = history!.initial
  const events = history!.events.map(({ emission_default: __, ...event }) => event)
  return { orders, total, ...history, events, initial }
}

/** Its events are valid, and its lives add up to what is allocated, whatever happened. */
async function checkPassport(service: Service, key: string, serial: string): Promise<void> {
  const { status, text } = await createOrderClient(service, key).ask(`/api/devices/${serial}/passport`)
  assert.equal(status, 200, text)
  const passport = JSON.parse(text) as PassportWithEvents & {
    readonly lives: readonly Json[]
    readonly balance: Readonly<Record<string, string>>
  }
  assertEvents(passport)
  const shares = passport.lives.map((life) => milligrams(life['embodied_emission']))
  const { allocated, remaining, unallocated, embodied_total: total } = passport.balance
  assert.equal(
    shares.reduce((sum, share) => sum + share, 0n),
    milligrams(allocated),
    serial,
  )
  assert.equal(milligrams(allocated) + milligrams(remaining) + milligrams(unallocated), milligrams(total), serial)
}

/**
 * What contradicts an order that became known after it, is about a device that no order has any more, or says what the
 * device is already without an identification that was withdrawn.
 */
const REFUSED = /^(rental_cut\w*|device_rented_later|event_device_unknown|identified_already)$/

const idsIn = (row: Cells): readonly string[] =>
  ['serial_number', 'new_serial_number', 'order_id'].flatMap((name) => row[name] || [])

test('random histories: orders, swaps, returns, extensions, corrections and what withdrawals leave', async () => {
  const [from, to] = [await startService(), await startService()]
  const accepted: Record<string, number> = {}
  for (const amortisation of ['capped', 'uncapped'] as const) {
    const [key, newKey] = [await account(from, amortisation), await account(to, amortisation)]
    const headers = { 'x-api-key': key, 'content-type': 'application/json', 'if-match': '*' }
    for (const [at, { steps, isCapped }] of drawHistories(SEED, HISTORIES).entries()) {
      if (isCapped !== (amortisation === 'capped')) continue
      for (const fact of unanimous(steps.map((step) => step.fact))) {
        const { method, url, payload } = requestOf(fact, `h${at}-`, false)
        const { status, text } = await from.ask(url, { method, headers, body: shipped(payload) })
        assert.ok(status < 500, text)
        const kind = 'type' in fact ? fact.type : fact.kind
        if (status === 200) accepted[kind] = (accepted[kind] ?? 0) + 1
      }
    }
    const { events, rejected } = await move(from, key, to, newKey)
    for (const { code } of rejected) assert.match(String(code), REFUSED)
    const refused = new Set(rejected.flatMap(({ row }) => idsIn(events[Number(row) - 2]!)))
    const serials = rowsInCsv(await exportedBy(from, 'devices', key)).map((row) => row['serial_number']!)
    assert.ok(serials.length >= 10 && rejected.length < events.length / 10)
    for (const serial of serials) {
      await checkPassport(from, key, serial)
      const [ledger, moved] = [await ledgerOf(from, key, serial), await ledgerOf(to, newKey, serial)]
      const isConcerned = refused.has(serial) || ledger.orders.some(({ order_id: id }) => refused.has(String(id)))
      if (!isConcerned) assert.deepEqual(moved, ledger, serial)
    }
  }
  const kinds = [
    'order',
    'returned',
    'extended',
    'swapped',
    'correction',
    'withdrawal',
    'refurbished',
    'identification',
  ]
  for (const kind of kinds) assert.ok(accepted[kind]! > 4, `${kind}: ${accepted[kind]}`)
})

test('a device that two orders name otherwise is what the first in the file says, until it is identified', async () => {
  const [from, to] = [await startService(), await startService()]
  const client = createOrderClient(from)
  const phone = { product_id: MODELS[2]! }
  await client.post(orderOf('c', 'second', '2025-01-01', [laptop('N-1', 12, phone)]))
  await client.post(orderOf('c', 'first', '2026-01-01', [laptop('N-1', 12)]))
  const { rejected } = await move(from, from.key, to, to.key)
  assert.deepEqual(rejected, [])
  const ledger = await ledgerOf(from, from.key, 'N-1')
  assert.notDeepEqual(await ledgerOf(to, to.key, 'N-1'), ledger)
  const [device] = rowsInCsv(await exportedBy(from, 'devices', from.key))
  const identified = { event_id: 'n', type: 'identified', model_id: device!['footprint_id'] }
  await createOrderClient(to).tellDevice('N-1', identified)
  assert.deepEqual(await ledgerOf(to, to.key, 'N-1'), ledger)
})
