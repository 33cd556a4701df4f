// Events on a device between its rentals: which are possible, and which contradict the recorded facts.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  FIGURES,
  anyEvents,
  anyRefurbishment,
  anyRentals,
  happened,
  knownFrom,
  ordered,
  refurbished,
  runOver,
  tenureOf,
} from '../../test/device-facts.ts'
import { findEventConflict } from './device-events.ts'
import { isFullyAmortised } from './device-ledger.ts'
import { hasDuration, type DeviceEvent } from './device-timeline.ts'
import type { RentalChange } from './post-entries.ts'
import { RunningLedger } from './running-ledger.ts'

const rule = (event: DeviceEvent, facts: readonly RentalChange[]) =>
  findEventConflict(event, RunningLedger.open(knownFrom(facts), FIGURES))
const ends = (date: string): readonly DeviceEvent[] => [
  { type: 'retired', date },
  { type: 'lost', date },
]
const RENTED = ordered('a', tenureOf('2025-01-01', 12))

test('a device may be refurbished before, in and after a rental, and be retired or lost in one or after it', () => {
  for (const date of ['2024-06-01', '2025-01-01', '2025-07-01', '2026-01-01', '2030-01-01']) {
    assert.equal(rule(refurbished(date, '5', 0), [RENTED]), null)
  }
  for (const date of ['2025-01-02', '2025-07-01', '2026-01-01', '2030-01-01']) {
    for (const event of ends(date)) assert.equal(rule(event, [RENTED]), null)
  }
})

test('a device that a rental starts with on the day or later was not retired or lost before', () => {
  for (const date of ['2024-06-01', '2025-01-01']) {
    for (const event of ends(date)) {
      assert.deepEqual(rule(event, [RENTED]), {
        path: '/date',
        message: `The order "a" of "customer" rents the device from 2025-01-01; it was not ${event.type}`,
        code: 'device_rented_later',
        params: { order_id: 'a', customer_id: 'customer', start: '2025-01-01', type: event.type },
      })
    }
  }
})

test('a rental that occupies no time stands in nobody’s way', () => {
  for (const event of ends('2024-06-01')) assert.equal(rule(event, [ordered('a', tenureOf('2025-01-01', 0))]), null)
})

test('a device is retired or lost once, whichever day is told', () => {
  for (const gone of ends('2026-06-01')) {
    for (const event of [...ends('2026-06-01'), ...ends('2026-05-01'), ...ends('2027-01-01')]) {
      assert.deepEqual(rule(event, [RENTED, happened(gone)]), {
        path: '/type',
        message: `The device was ${gone.type} on 2026-06-01`,
        code: 'device_gone',
        params: { type: gone.type, date: '2026-06-01' },
      })
    }
  }
})

test('a device that is gone was refurbished before that or not at all', () => {
  for (const gone of ends('2026-06-01')) {
    assert.deepEqual(rule(refurbished('2026-06-02', '5', 12), [RENTED, happened(gone)]), {
      path: '/type',
      message: `The device was ${gone.type} on 2026-06-01`,
      code: 'device_gone',
      params: { type: gone.type, date: '2026-06-01' },
    })
    assert.equal(rule(refurbished('2026-05-31', '5', 12), [RENTED, happened(gone)]), null)
  }
})

test('a device that was refurbished later was not retired or lost before that', () => {
  const facts = [RENTED, happened(refurbished('2026-06-01', '5', 0))]
  for (const event of ends('2026-05-31')) {
    const { path, message } = rule(event, facts)!
    assert.deepEqual([path, message], ['/date', 'The device was refurbished on 2026-06-01'])
  }
  for (const event of [...ends('2026-06-01'), ...ends('2026-06-02')]) assert.equal(rule(event, facts), null)
})

test('a refurbishment of a device without a month left must say how many it added', () => {
  const spent = ordered('a', tenureOf('2021-01-01', 48))
  assert.deepEqual(rule(refurbished('2025-01-01', '5', 0), [spent]), {
    path: '/lifetime_months_added',
    message: 'The device has no months of its lifetime left; send how many months the refurbishment added',
    code: 'lifetime_exhausted',
    params: {},
  })
  assert.equal(rule(refurbished('2025-01-01', '5', 1), [spent]), null)
  // One day before the end of the lifetime a part of a month remains, and the rental ends there.
  assert.equal(rule(refurbished('2024-12-31', '5', 0), [spent]), null)
})

test('what became known of later life does not contradict a refurbishment that came before it', () => {
  const facts = [ordered('a', tenureOf('2021-01-01', 24)), ordered('b', tenureOf('2023-06-01', 60))]
  assert.equal(rule(refurbished('2023-02-01', '5', 0), facts), null)
  assert.equal(rule(refurbished('2029-02-01', '5', 0), facts)?.path, '/lifetime_months_added')
})

test('what is accepted leaves no burden without months, and no life after the device is gone', () => {
  const anyEvent = fc.oneof(
    anyEvents().map((events) => events[0]),
    anyRefurbishment(),
  )
  fc.assert(
    fc.property(anyRentals(), fc.array(anyEvent, { maxLength: 5 }), (rentals, events) => {
      const facts: RentalChange[] = rentals.map(({ orderId, terms, customerId }) =>
        ordered(orderId, terms, {}, customerId),
      )
      for (const event of events) {
        if (!event || rule(event, facts)) continue
        const isLast = event.type !== 'refurbished'
        const before = knownFrom(facts)
        facts.push(happened(event))
        if (isLast) {
          assert.ok(before.events.values().every(({ date, type }) => type === 'refurbished' && date <= event.date))
          const { rentals: known } = before
          for (const { terms } of known.values()) assert.ok(!hasDuration(terms) || terms.start < event.date)
        } else {
          const { steps } = runOver(knownFrom(facts))
          const step = steps.findLast((one) => 'event' in one && one.event.date === event.date)!
          assert.equal('after' in step && isFullyAmortised(step.after), false)
        }
      }
    }),
  )
})
