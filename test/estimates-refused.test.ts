// Estimates that cannot be: of an order that is posted already, and of devices that could not have been refurbished.
import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import type { Json } from './document-check.ts'
import type { AskedService } from './asked-service.ts'
import { sharedService } from './shared-service.ts'
import { BOX, laptop, orderOf } from './receipt-client.ts'

let service: AskedService
before(async () => void (service = await sharedService()))
after(() => service.stop())

const estimate = (body: unknown) =>
  service.ask('/api/estimates', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
const problemsOf = async (body: unknown) => {
  const { status, text } = await estimate(body)
  assert.equal(status, 400, text.slice(0, 500))
  return (JSON.parse(text) as { readonly details: readonly Json[] }).details
}

test('an order that is posted already is not estimated, and under another id it is the next one', async () => {
  const order = orderOf('acme', 'p1', '2025-07-01', [laptop('P', 30)])
  await service.post(order)
  const { status, text } = await estimate({ ...order, items: [laptop('P', 3)] })
  assert.equal(status, 409)
  assert.match(text, /is already posted; estimate it under another order_id/)
  const next = await estimate({ ...order, order_id: 'p2', tenure_start_date: '2028-01-01' })
  // 109.35 kg over 48 months, of which the first order took 30.
  assert.match(next.text, /"emission":41\.00625,/)
  // Also one that has no devices.
  const packed = orderOf('acme', 'p3', '2025-07-01', [BOX])
  await service.post(packed)
  assert.equal((await estimate(packed)).status, 409)
})

test('a refurbishment that could not be told as an event is refused, with the device that it is of', async () => {
  await service.post(orderOf('acme', 'r1', '2020-01-01', [laptop('R', 12)]))
  await service.ask('/api/devices/R/events', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ event_id: 'r-retired', type: 'retired', date: '2022-01-01' }),
  })
  const asked = (serial: string, refurbished: Json) => ({
    ...orderOf('acme', 'r2', '2024-01-01', [laptop(serial, 12)]),
    alternatives: [
      { name: 'sound', changes: { tenure_months: 3 } },
      { name: 'r', changes: { refurbished } },
    ],
  })
  const [retired, ...others] = await problemsOf(asked('R', { emission_kg: 8, lifetime_months_added: 12 }))
  assert.deepEqual(others, [])
  assert.equal(retired!['path'], '/alternatives/1/changes/refurbished')
  assert.match(String(retired!['message']), /the device "R": the device was retired on 2022-01-01/)
  // The ledger does not know this one; it has served its lifetime, and nothing was added to that.
  const [spent] = await problemsOf(asked('R new', { emission_kg: 8, lifetime_months_added: 0 }))
  assert.match(String(spent!['message']), /"R new": the device has no months of its lifetime left/)
  const sound = await estimate(asked('R new', { emission_kg: 8, lifetime_months_added: 0, months_before: 12 }))
  assert.equal(sound.status, 200, sound.text)
})
