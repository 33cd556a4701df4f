// Swaps of a device for another: when they are allowed, and the resulting months of both devices.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { happened, heldUntil, ordered, refurbished } from '../../test/device-facts.ts'
import {
  OTHER,
  OWN,
  START,
  accepted,
  assertOne,
  device,
  ledgerOf,
  extended,
  orderOf,
  orderWith,
  refused,
  returned,
  swapped,
} from '../../test/order-facts.ts'
import { monthsBetween } from './numbers/calendar.ts'
import { decideOrderEvent } from './order-events.ts'
import { add, compare, subtract, whole } from './numbers/rational.ts'

test('a swap ends one rental and starts the other on its day, and no month is lost or gained', () => {
  for (const date of [START, '2025-03-16', '2025-12-31']) {
    const [out, into, ...others] = accepted(swapped(date), orderOf())
    assert.deepEqual(others, [])
    assert.deepEqual([out!.serial, out!.reason, out!.start, out!.end], ['S-1', 'swapped_out', START, date])
    assert.deepEqual([into!.serial, into!.reason, into!.start, into!.end], ['S-2', 'swapped_in', date, '2026-01-01'])
    assert.equal(compare(out!.months, monthsBetween(START, date)), 0)
    assert.equal(compare(into!.months, subtract(whole(12), out!.months)), 0)
  }
})

test('shares of transport and packaging stay with the device that they were allocated to', () => {
  const ruling = decideOrderEvent(swapped('2025-03-16'), orderOf(), null)
  assert.ok(ruling.ok)
  for (const change of ruling.changes.values()) {
    assert.deepEqual('shared' in change && change.shared, { packaging: 0n, transportation: 0n })
  }
})

test('a device is swapped while it is rented, not before, after, or when something else ended it', () => {
  for (const date of ['2024-12-31', '2026-01-01', '2026-06-01']) {
    assert.equal(refused(swapped(date), orderOf())[0], '/date')
  }
  for (const fact of [OTHER('2025-07-01', 1), happened({ type: 'retired', date: '2025-07-01' })]) {
    assert.equal(refused(swapped('2025-07-01'), orderOf(fact))[0], '/date')
    assert.equal(accepted(swapped('2025-06-30'), orderOf(fact)).length, 2)
  }
})

test('a device comes in that is free on the day: never heard of, back, not yet out, or out for no time', () => {
  const free = [
    null,
    ledgerOf(OTHER('2024-01-01', 12)),
    ledgerOf(OTHER('2024-01-01', 18), {
      ...ordered('other', heldUntil('2024-01-01', '2025-03-01')),
      reason: 'early_return',
    }),
    ledgerOf(OTHER('2025-03-02', 12)),
    ledgerOf(OTHER('2025-03-01', 0)),
    ledgerOf(OTHER('2024-01-01', 6), happened(refurbished('2025-01-01', '5', 12))),
    ledgerOf(OTHER('2024-01-01', 6), happened({ type: 'retired', date: '2025-03-02' })),
  ]
  for (const newDevice of free) assert.equal(accepted(swapped('2025-03-01'), orderOf(), newDevice).length, 2)
})

test('a device does not come in that is rented on the day, is gone, or stands in the order already', () => {
  for (const start of ['2025-03-01', '2025-02-01']) {
    assert.deepEqual(refused(swapped('2025-03-01'), orderOf(), ledgerOf(OTHER(start, 12))), [
      '/new_serial_number',
      '"S-2" is rented under the order "other" of "customer" on 2025-03-01',
    ])
  }
  for (const type of ['retired', 'lost'] as const) {
    const gone = ledgerOf(OTHER('2024-01-01', 6), happened({ type, date: '2025-03-01' }))
    assert.deepEqual(refused(swapped('2025-03-01'), orderOf(), gone), [
      '/new_serial_number',
      `"S-2" was ${type} on 2025-03-01`,
    ])
  }
  const order = orderOf()
  assert.deepEqual(refused(swapped('2025-03-01', 'S-1'), order), [
    '/new_serial_number',
    '"S-1" is already in this order',
  ])
})

test('of an order of several devices a swap names the one that is replaced', () => {
  const order = orderWith(device('S-1', OWN), device('S-3', OWN))
  assert.deepEqual(refused(swapped('2025-03-01'), order, null, true), [
    '/serial_number',
    'Is missing: the order has 2 devices',
  ])
  const sets = accepted({ ...swapped('2025-03-01'), serialNumber: 'S-3' }, order)
  assert.deepEqual(
    sets.map(({ serial }) => serial),
    ['S-3', 'S-2'],
  )
})

test('a device that came in is extended by the order’s own tenure, returned, and swapped again', () => {
  const into = { ...ordered('own', heldUntil('2025-03-16', '2026-01-01')), reason: 'swapped_in' as const }
  const out = { ...ordered('own', heldUntil(START, '2025-03-16')), reason: 'swapped_out' as const }
  const order = orderWith(device('S-0', OWN, out), device('S-1', into))
  const rest = monthsBetween('2025-03-16', '2026-01-01')
  assertOne(accepted(extended(18), order), 'extension', '2025-03-16', '2026-07-01', add(rest, whole(6)))
  assertOne(accepted(returned('2026-01-01'), order), 'return', '2025-03-16', '2026-01-01', rest)
  assert.equal(accepted(swapped('2025-09-01'), order).length, 2)
  const named = { ...returned('2025-09-01'), serialNumber: 'S-0' }
  assert.deepEqual(refused(named, order), ['/serial_number', '"S-0" was swapped for another device'])
})
