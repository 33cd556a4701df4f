// Days in the future: what an account refuses that has a limit, and one without does not.
import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import type { Json } from './document-check.ts'
import { createImportClient } from './import-client.ts'
import { order, pathOf } from './order-client.ts'
import type { Answer } from './raw-http.ts'
import { SCOPES, ensureAccount } from '../src/postgres/accounts.ts'
import { startService, type Service } from './service.ts'

const DAY_MS = 86_400_000
const inDays = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10)
const inYears = (years: number, days: number): string => {
  const day = new Date(Date.now() + days * DAY_MS)
  day.setUTCFullYear(day.getUTCFullYear() + years)
  return day.toISOString().slice(0, 10)
}

let service: Service
let key: string
before(async () => {
  service = await startService()
  await ensureAccount(service.pool, 'limited', 1)
  key = await service.createKey(SCOPES, null, 'limited')
})
after(() => service.stop())

const send = (path: string, body: Json, method = 'POST', as = key): Promise<Answer> =>
  service.ask(path, {
    method,
    headers: { 'content-type': 'application/json', 'x-api-key': as },
    body: JSON.stringify(body),
  })
const codesOf = ({ status, text }: Answer): readonly unknown[] => {
  assert.equal(status, 400, text)
  return (JSON.parse(text) as { readonly details: readonly Json[] }).details.map(({ path, code }) => [path, code])
}

test('what happened may lie one day ahead, for time zones, and no more', async () => {
  assert.equal((await send('/api/customer-orders', order('c', 'o1', ['s1', 's2', 's3', 's4', 's5']))).status, 200)
  const swap = { new_serial_number: 'n1', weight_kg: 1.24 }
  const events = [
    [`${pathOf('c', 'o1')}/events`, { type: 'returned', serial_number: 's1' }],
    [`${pathOf('c', 'o1')}/events`, { type: 'swapped', serial_number: 's2', ...swap }],
    ['/api/devices/s3/events', { type: 'refurbished', emission_kg: 1, lifetime_months_added: 1 }],
    ['/api/devices/s4/events', { type: 'retired' }],
    ['/api/devices/s5/events', { type: 'lost' }],
  ] as const
  // The tenure has to include those days.
  const longer = { event_id: 'longer', type: 'extended', tenure_months: 240 }
  assert.equal((await send(`${pathOf('c', 'o1')}/events`, longer)).status, 200)
  for (const [at, [path, event]] of events.entries()) {
    const late = await send(path, { event_id: `late-${at}`, ...event, date: inDays(2) })
    assert.deepEqual(codesOf(late), [['/date', 'day_in_future']], event.type)
    const tomorrow = await send(path, { event_id: `tomorrow-${at}`, ...event, date: inDays(1) })
    assert.equal(tomorrow.status, 200, tomorrow.text)
  }
})

test('a cancellation of a tenure in the future may be agreed for any day before it', async () => {
  const sent = order('c', 'later', ['l1'], { tenure_start_date: inDays(100) })
  assert.equal((await send('/api/customer-orders', sent)).status, 200)
  const cancelled = { event_id: 'cancelled', type: 'cancelled', date: inDays(50) }
  assert.equal((await send(`${pathOf('c', 'later')}/events`, cancelled)).status, 200)
})

test('a tenure starts at most three years ahead, in orders, estimates and files', async () => {
  const late = order('c', 'late', ['late'], { tenure_start_date: inYears(3, 1) })
  for (const path of ['/api/customer-orders', '/api/estimates'])
    assert.deepEqual(codesOf(await send(path, late)), [['/tenure_start_date', 'tenure_start_too_late']])
  const just = order('c', 'just', ['just'], { tenure_start_date: inYears(3, 0) })
  assert.equal((await send('/api/customer-orders', just)).status, 200)

  const imports = createImportClient(service, key)
  const done = await imports.run(
    'customer_id,order_id,order_date,tenure_start_date,type,product_id,serial_number,tenure_months,weight_kg\n' +
      `c,f1,2025-01-01,${inYears(3, 1)},product,apple-macbook-air-13-m3-256gb,f-1,12,1.24\n` +
      `c,f2,2025-01-01,${inYears(3, -1)},product,apple-macbook-air-13-m3-256gb,f-2,12,1.24\n`,
  )
  assert.deepEqual([done['orders_stored'], done['orders_rejected']], [1, 1])
  const [fault] = await imports.errors(done['import_id'])
  assert.deepEqual([fault!['row'], fault!['column'], fault!['code']], [2, 'tenure_start_date', 'tenure_start_too_late'])
})

test('the limit is a setting of the account; accounts of earlier versions have none', async () => {
  const far = order('c', 'far', ['far'], { tenure_start_date: inYears(20, 0) })
  assert.equal((await service.post(far)).status, 200)
  const settings = (more: Json) => send('/api/account', { amortisation: 'capped', ...more }, 'PUT', service.key)
  const limitAfter = async (more: Json) => (JSON.parse((await settings(more)).text) as Json)['days_ahead_max']
  assert.equal(await limitAfter({}), null)
  assert.equal(await limitAfter({ days_ahead_max: 30 }), 30)
  assert.equal(await limitAfter({}), 30)
  assert.equal(await limitAfter({ days_ahead_max: null }), null)
  assert.equal((await settings({ days_ahead_max: -1 })).status, 400)
})
