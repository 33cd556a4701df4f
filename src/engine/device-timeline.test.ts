// A device's timeline: the result is the same in whatever order the facts became known.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { FIGURES, anyEvents, anyRentals, refurbished, rentalOf, tenureOf } from '../../test/device-facts.ts'
import { monthsBetween } from './numbers/calendar.ts'
import { openBalance, totalEmbodied, type EmbodiedBalance } from './device-ledger.ts'
import {
  compareCodePoints,
  hasDuration,
  orderKey,
  computeTimeline,
  type DeviceEvent,
  type Rental,
} from './device-timeline.ts'
import { sumMilligrams, toMilligrams } from './numbers/emission.ts'
import { runToCompletion } from './numbers/steps.ts'
import { ZERO, add, compare, whole } from './numbers/rational.ts'

const { embodied, lifetimeMonths } = FIGURES.footprint
const OPENING = openBalance(embodied, lifetimeMonths)
const run = (rentals: readonly Rental[], events: readonly DeviceEvent[] = [], opening: EmbodiedBalance = OPENING) =>
  runToCompletion(computeTimeline(opening, rentals, events))

/** The rentals in order: order id, day of the actual end, months, milligrams. */
const told = (rentals: readonly Rental[], events: readonly DeviceEvent[] = []) =>
  run(rentals, events).steps.flatMap((step) =>
    'run' in step ? [[step.order.orderId, step.run.end, step.run.months, step.run.share.emission] as const] : [],
  )

test('an overlapped rental ends where the next one starts, and says what ended it', () => {
  const [long, next] = [rentalOf('long', tenureOf('2025-01-01', 12)), rentalOf('next', tenureOf('2025-04-01', 6))]
  assert.deepEqual(told([next, long]), [
    ['long', '2025-04-01', monthsBetween('2025-01-01', '2025-04-01'), 3_000_000n],
    ['next', '2025-10-01', whole(6), 6_000_000n],
  ])
  const { rentals } = run([next, long])
  assert.deepEqual(rentals.get(orderKey(long))!.endedBy, { order: next })
  assert.equal(rentals.get(orderKey(next))!.endedBy, null)
})

test('the first of many that overlap is what ends a rental', () => {
  const rentals = ['2025-03-01', '2025-02-01', '2025-04-01'].map((start) => rentalOf(start, tenureOf(start, 12)))
  const ends = told([rentalOf('first', tenureOf('2025-01-01', 12)), ...rentals]).map(([, end]) => end)
  assert.deepEqual(ends, ['2025-02-01', '2025-03-01', '2025-04-01', '2026-04-01'])
})

test('a rental that starts on the day on which another ends does not overlap it', () => {
  const [a, b] = [rentalOf('a', tenureOf('2025-01-31', 1)), rentalOf('b', tenureOf('2025-02-28', 1))]
  assert.deepEqual(told([b, a]), [
    ['a', '2025-02-28', whole(1), 1_000_000n],
    ['b', '2025-03-28', whole(1), 1_000_000n],
  ])
})

test('rentals that start on one day go by order id, then by customer id, both by code point', () => {
  const terms = tenureOf('2025-01-01', 3)
  const inTurn = [
    rentalOf('a', terms, 'k'),
    rentalOf('a', terms, 'l'),
    rentalOf('a', terms, '\uffff'),
    rentalOf('a', terms, '😀'),
    rentalOf('ab', terms, 'a'),
    rentalOf('\uffff', terms, 'a'),
    rentalOf('😀', terms, 'a'),
  ]
  const { steps, rentals } = run(inTurn.toReversed())
  assert.deepEqual(
    steps.map((step) => 'run' in step && step.order),
    inTurn,
  )
  const months = inTurn.map((one) => rentals.get(orderKey(one))!.months)
  assert.equal(compare(months.reduce(add, ZERO), whole(3)), 0)
  assert.equal(compare(months.at(-1)!, whole(3)), 0)
})

test('code points decide as bytes of UTF-8 do', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (a, b) => {
      const bytes = Buffer.compare(Buffer.from(a), Buffer.from(b))
      assert.equal(Math.sign(compareCodePoints(a, b)), bytes)
    }),
    { numRuns: 500 },
  )
})

test('a rental of no months ends nothing and takes nothing, not even a burden that waits for the next one', () => {
  const none = rentalOf('none', tenureOf('2025-02-01', 0))
  assert.deepEqual(told([none, rentalOf('long', tenureOf('2025-01-01', 12))]), [
    ['long', '2026-01-01', whole(12), 12_000_000n],
    ['none', '2025-02-01', ZERO, 0n],
  ])
  const spent = rentalOf('spent', tenureOf('2020-01-01', 48))
  assert.deepEqual(
    told([spent, none, rentalOf('next', tenureOf('2025-03-01', 1))], [refurbished('2025-01-01', '7', 0)]).map(
      ([id, , , emission]) => [id, emission],
    ),
    [
      ['spent', 48_000_000n],
      ['none', 0n],
      ['next', 7_000_000n],
    ],
  )
})

test('on one day an ending rental comes first, then events, then a starting rental', () => {
  const day = '2027-01-01'
  const [ending, starting] = [rentalOf('b', tenureOf('2025-01-01', 24)), rentalOf('a', tenureOf(day, 12))]
  const event = refurbished(day, '12', 12)
  const { steps, rentals } = run([starting, ending], [event])
  assert.deepEqual(
    steps.map((step) => ('run' in step ? step.order.orderId : step.event.type)),
    ['b', 'refurbished', 'a'],
  )
  assert.equal(rentals.get(orderKey(ending))!.share.emission, 24_000_000n)
  assert.equal(rentals.get(orderKey(ending))!.endedBy, null)
  assert.equal(rentals.get(orderKey(starting))!.share.emission, 12_000_000n)
  assert.equal(compare(rentals.get(orderKey(starting))!.before.monthsAllocated, whole(24)), 0)
})

test('an event inside a rental ends it; the rest of the months are not given', () => {
  for (const event of [refurbished('2025-07-01', '4', 6), { type: 'lost', date: '2025-07-01' } as const]) {
    const rental = rentalOf('held', tenureOf('2025-01-01', 12))
    const { rentals } = run([rental], [event])
    const { end, months, share, endedBy } = rentals.get(orderKey(rental))!
    assert.deepEqual([end, compare(months, whole(6)), share.emission], ['2025-07-01', 0, 6_000_000n])
    assert.deepEqual(endedBy, { event })
  }
})

test('of an event and a rental on one day it is the event that ends the rental before', () => {
  const event = { type: 'retired', date: '2025-03-01' } as const
  const rentals = [rentalOf('a', tenureOf('2025-01-01', 12)), rentalOf('b', tenureOf('2025-03-01', 1))]
  assert.deepEqual(run(rentals, [event]).rentals.get(orderKey(rentals[0]!))!.endedBy, { event })
})

test('a rental that ended early counts the months that there were, and never more than were agreed', () => {
  const monthsOf = (start: string, months: number, nextStart: string) =>
    told([rentalOf('a', tenureOf(start, months)), rentalOf('b', tenureOf(nextStart, 1))])[0]![2]
  assert.equal(compare(monthsOf('2025-01-31', 1, '2025-02-15'), monthsBetween('2025-01-31', '2025-02-15')), 0)
  // A day in February counts more than one in March, so eleven months less a day can count more than eleven months.
  assert.ok(compare(monthsBetween('2025-03-28', '2026-02-27'), whole(11)) > 0)
  assert.equal(compare(monthsOf('2025-03-28', 11, '2026-02-27'), whole(11)), 0)
})

test('in whatever sequence rentals and events became known, the device has the same life', () => {
  const facts = fc.tuple(anyRentals(), anyEvents()).chain(([rentals, events]) =>
    fc.record({
      rentals: fc.constant(rentals),
      events: fc.constant(events),
      shuffledRentals: fc.shuffledSubarray(rentals, { minLength: rentals.length }),
      shuffledEvents: fc.shuffledSubarray(events, { minLength: events.length }),
    }),
  )
  fc.assert(
    fc.property(facts, ({ rentals, events, shuffledRentals, shuffledEvents }) => {
      assert.deepEqual(run(shuffledRentals, shuffledEvents), run(rentals, events))
    }),
  )
})

test('no two rentals hold a device at a time, none longer than agreed, and none across an event', () => {
  fc.assert(
    fc.property(anyRentals(), anyEvents(), (rentals, events) => {
      const held = [...run(rentals, events).rentals.values()].filter(({ terms, end }) => end > terms.start)
      for (const [at, { terms, end, months }] of held.entries()) {
        assert.ok(end <= terms.end && compare(months, terms.months) <= 0)
        const next = held[at + 1]
        if (next) assert.ok(end <= next.terms.start)
        for (const { date } of events) assert.ok(date <= terms.start || date >= end)
      }
    }),
  )
})

test('a rental ends before its own end only where something else takes place on that day', () => {
  fc.assert(
    fc.property(anyRentals(), anyEvents(), (rentals, events) => {
      for (const [key, { terms, end, endedBy }] of run(rentals, events).rentals) {
        if (!hasDuration(terms)) continue
        const others = rentals.filter((other) => orderKey(other) !== key && hasDuration(other.terms))
        const causes = [...others.map((other) => other.terms.start), ...events.map(({ date }) => date)]
        assert.equal(endedBy === null, end === terms.end)
        if (endedBy) assert.ok(causes.includes(end))
      }
    }),
  )
})

test('what was put in is given, left or stayed behind at every step, and the steps charge what was given', () => {
  fc.assert(
    fc.property(anyRentals(), anyEvents(), fc.boolean(), (rentals, events, isCapped) => {
      const { steps, balance } = run(rentals, events, { ...OPENING, isCapped })
      let putIn = embodied
      for (const step of steps) {
        if ('event' in step && step.event.type === 'refurbished') putIn = add(putIn, step.event.emission)
        const after = 'run' in step ? step.run.share.balance : step.after
        assert.equal(compare(totalEmbodied(after), putIn), 0)
        if (isCapped) assert.ok(compare(after.pool, ZERO) >= 0)
      }
      const charged = sumMilligrams(steps.flatMap((step) => ('run' in step ? [step.run.share.emission] : [])))
      assert.equal(charged, toMilligrams(balance.allocated))
    }),
  )
})
