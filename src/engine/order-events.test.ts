// Events of an order: each gives its devices new terms, or is rejected for what it contradicts.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { happened, heldUntil, ordered, refurbished, tenureOf } from '../../test/device-facts.ts'
import {
  OTHER,
  OWN,
  START,
  accepted,
  assertOne,
  cancelled,
  device,
  extended,
  orderOf,
  orderWith,
  refused,
  returned,
  swapped,
} from '../../test/order-facts.ts'
import { monthsBetween } from './numbers/calendar.ts'
import { decideDevicelessOrderEvent, decideOrderEvent, type DevicelessOrder, type OrderEvent } from './order-events.ts'
import { add, whole } from './numbers/rational.ts'

test('a return before the planned end counts the months that there were', () => {
  assertOne(
    accepted(returned('2025-03-16'), orderOf()),
    'early_return',
    START,
    '2025-03-16',
    monthsBetween(START, '2025-03-16'),
  )
  assertOne(accepted(returned(START), orderOf()), 'early_return', START, START, whole(0))
})

test('a return on the planned end changes nothing, and a later one adds the months after it', () => {
  assertOne(accepted(returned('2026-01-01'), orderOf()), 'return', START, '2026-01-01', whole(12))
  const late = add(whole(12), monthsBetween('2026-01-01', '2026-02-11'))
  assertOne(accepted(returned('2026-02-11'), orderOf()), 'late_return', START, '2026-02-11', late)
})

test('a device does not come back before it was handed out', () => {
  assert.deepEqual(refused(returned('2024-12-31'), orderOf()), [
    '/date',
    'The rental of the device starts on 2025-01-01, after 2024-12-31',
  ])
})

test('a device comes back once', () => {
  const facts = { ...ordered('own', heldUntil(START, '2025-07-01')), reason: 'early_return' as const }
  assert.deepEqual(refused(returned('2025-08-01'), orderOf(facts)), [
    '/type',
    'All devices of the order were already returned',
  ])
  const named = { ...returned('2025-08-01'), serialNumber: 'S-1' }
  assert.deepEqual(refused(named, orderOf(facts)), ['/serial_number', '"S-1" was already returned'])
})

test('what went out under another order, or is gone, does not come back after that, but may have before', () => {
  const rented = orderOf(OTHER('2025-07-01', 12))
  assert.deepEqual(refused(returned('2025-07-02'), rented), [
    '/date',
    'The device went out under the order "other" of "customer" on 2025-07-01, before 2025-07-02',
  ])
  for (const date of ['2025-06-30', '2025-07-01']) {
    assertOne(accepted(returned(date), rented), 'early_return', START, date, monthsBetween(START, date))
  }
  const gone = orderOf(happened({ type: 'lost', date: '2025-07-01' }))
  assert.equal(refused(returned('2025-07-02'), gone)[1], 'The device was lost on 2025-07-01, before 2025-07-02')
})

test('a late return does not reach past the start of another rental', () => {
  const order = orderOf(OTHER('2026-02-01', 12))
  assertOne(accepted(returned('2026-02-01'), order), 'late_return', START, '2026-02-01', whole(13))
  assert.equal(refused(returned('2026-02-02'), order)[0], '/date')
})

test('an extension says the tenure in all, from the start of the order', () => {
  assertOne(accepted(extended(18), orderOf()), 'extension', START, '2026-07-01', whole(18))
  const again = { ...ordered('own', tenureOf(START, 18)), reason: 'extension' as const }
  assertOne(accepted(extended(24), orderOf(again)), 'extension', START, '2027-01-01', whole(24))
})

test('an extension keeps the day of the month on which the order began, through shorter months', () => {
  const own = ordered('own', tenureOf('2025-01-31', 1))
  const order = { ...orderWith(device('S-1', own)), tenureStartDate: '2025-01-31' }
  assertOne(accepted(extended(2), order), 'extension', '2025-01-31', '2025-03-31', whole(2))
})

test('a tenure that is not longer is no extension', () => {
  for (const months of [1, 11, 12]) {
    assert.deepEqual(refused(extended(months), orderOf()), [
      '/tenure_months',
      'Must be more than the 12 months already agreed in total',
    ])
  }
})

test('what something else ended cannot be extended', () => {
  for (const fact of [OTHER('2025-07-01', 12), happened(refurbished('2025-07-01', '5', 0))]) {
    assert.equal(refused(extended(18), orderOf(fact))[0], '/type')
  }
})

test('an extension reaches to the next rental, and is refused where that starts on the planned end', () => {
  assertOne(accepted(extended(18), orderOf(OTHER('2026-02-01', 12))), 'extension', START, '2026-07-01', whole(18))
  assert.deepEqual(refused(extended(18), orderOf(OTHER('2026-01-01', 12))), [
    '/tenure_months',
    'The device went out under the order "other" of "customer" on 2026-01-01',
  ])
})

test('a cancelled order occupies no time; its transport and packaging are reversed unless they were under way', () => {
  for (const [dispatched, shared] of [
    [false, { packaging: -3n, transportation: -5n }],
    [true, { packaging: 0n, transportation: 0n }],
  ] as const) {
    const told = cancelled('2024-12-31', dispatched)
    assertOne(accepted(told, orderOf()), 'cancelled', START, START, whole(0))
    const ruling = decideOrderEvent(told, orderOf(), null)
    assert.ok(ruling.ok)
    const change = ruling.changes.get('S-1')!
    assert.deepEqual('shared' in change && change.shared, shared)
  }
})

test('an order is cancelled before its tenure starts, and once', () => {
  for (const date of [START, '2025-06-01']) assert.equal(refused(cancelled(date), orderOf())[0], '/date')
  const facts = { ...ordered('own', tenureOf(START, 0)), reason: 'cancelled' as const }
  for (const told of [cancelled('2024-12-01'), returned('2025-06-01'), extended(18), swapped('2025-02-01')]) {
    assert.deepEqual(refused(told, orderOf(facts)), ['/type', 'The order was cancelled'])
  }
})

test('an order of which a device was returned or swapped began, and is not cancelled', () => {
  const back = { ...ordered('own', tenureOf(START, 0)), reason: 'early_return' as const }
  const swap = { ...ordered('own', heldUntil(START, '2025-02-01')), reason: 'swapped_out' as const }
  const inTurn = { ...ordered('own', heldUntil('2025-02-01', '2026-01-01')), reason: 'swapped_in' as const }
  for (const other of [device('S-0', OWN, back), device('S-0', OWN, swap), device('S-0', inTurn)]) {
    assert.equal(refused(cancelled('2024-12-01'), orderWith(other, device('S-1', OWN)))[0], '/type')
  }
  const alone = { ...cancelled('2024-12-01'), serialNumber: 'S-0' }
  assert.equal(refused(alone, orderWith(device('S-0', inTurn)))[0], '/type')
})

test('an event without a serial number concerns all devices that the order still has', () => {
  const back = { ...ordered('own', heldUntil(START, '2025-07-01')), reason: 'early_return' as const }
  const order = orderWith(device('S-1', OWN), device('S-2', OWN, back), device('S-3', OWN))
  const serials = accepted(extended(18), order).map(({ serial }) => serial)
  assert.deepEqual(serials, ['S-1', 'S-3'])
  const one = accepted({ ...extended(18), serialNumber: 'S-3' }, order).map(({ serial }) => serial)
  assert.deepEqual(one, ['S-3'])
})

test('where one device of an order contradicts an event, the event changes none', () => {
  const order = orderWith(device('S-1', OWN), device('S-2', OWN, OTHER('2026-01-01', 12)))
  assert.equal(refused(extended(18), order)[0], '/tenure_months')
})

test('a serial number that the order does not have is malformed, and the nearest are named', () => {
  const order = orderWith(device('SERIAL-1', OWN))
  const told = { ...returned('2025-07-01'), serialNumber: 'SERIAL-l' }
  assert.deepEqual(refused(told, order, null, true), ['/serial_number', '"SERIAL-l" is not a device of this order'])
  const ruling = decideOrderEvent(told, order, null)
  assert.deepEqual(!ruling.ok && ruling.problem.suggestions, ['SERIAL-1'])
})

test('an order without devices has nothing to return, extend or swap', () => {
  for (const told of [returned('2025-07-01'), extended(18), swapped('2025-07-01')]) {
    assert.deepEqual(refusedAlone(told), ['/type', 'The order has no devices', false])
  }
})

test('an order without devices is cancelled once, before its tenure starts, and for no device of its own', () => {
  assert.deepEqual(refusedAlone({ ...cancelled('2024-12-01'), serialNumber: 'S-1' }), [
    '/serial_number',
    '"S-1" is not a device of this order',
    true,
  ])
  assert.deepEqual(refusedAlone(cancelled(START)), [
    '/date',
    'The tenure starts on 2025-01-01: an order can be cancelled only before that day',
    false,
  ])
  const posted = [...ALONE.posted, { ...ALONE.posted[0]!, no: 2, reason: 'cancelled' as const }]
  assert.deepEqual(refusedAlone(cancelled('2024-12-01'), { ...ALONE, posted }), [
    '/type',
    'The order was cancelled',
    false,
  ])
})

test('an order without devices gives back all that it posted, and nothing once it was dispatched', () => {
  const partsOf = (dispatched: boolean) => {
    const ruling = decideDevicelessOrderEvent(cancelled('2024-12-01', dispatched), ALONE)
    assert.ok(ruling.ok)
    const { reason, packaging, transportation } = ruling.change
    assert.equal(reason, 'cancelled')
    return [packaging, transportation]
  }
  assert.deepEqual(partsOf(false), [-3n, -5n])
  assert.deepEqual(partsOf(true), [0n, 0n])
})

const ALONE: DevicelessOrder = {
  customerId: 'customer',
  orderId: 'own',
  tenureStartDate: START,
  posted: [{ reason: 'order', eventId: null, packaging: 3n, transportation: 5n }],
}

function refusedAlone(told: OrderEvent, order = ALONE) {
  const ruling = decideDevicelessOrderEvent(told, order)
  assert.ok(!ruling.ok, 'was accepted')
  return [ruling.problem.path, ruling.problem.message, ruling.isMalformed] as const
}
