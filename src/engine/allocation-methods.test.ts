// Shares of a device's lives by eleven methods: each method gives out what there is, and one is what the ledger posts.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { amount, positiveAmount } from '../../test/case-arbitraries.ts'
import { anyEvents, anyRentals, heldUntil, refurbished, rentalOf, tenureOf } from '../../test/device-facts.ts'
import { rounds } from '../../test/rounds.ts'
import { allocateLives, livesOf, type AllocatedLives, type DeviceLives } from './allocation-methods.ts'
import { openBalance } from './device-ledger.ts'
import { computeTimeline, type DeviceEvent, type Rental } from './device-timeline.ts'
import { sumMilligrams, toMilligrams } from './numbers/emission.ts'
import { compare, divide, parseDecimal, whole, type Rational } from './numbers/rational.ts'
import { runToCompletion } from './numbers/steps.ts'

const E = parseDecimal('109.35')
const L = whole(48)

function lived(
  rentals: readonly Rental[],
  events: readonly DeviceEvent[],
  embodied: Rational = E,
  lifetimeMonths: Rational = L,
  isCapped = true,
): DeviceLives {
  const opening = openBalance(embodied, lifetimeMonths, isCapped)
  return livesOf(runToCompletion(computeTimeline(opening, rentals, events)), { embodied, lifetimeMonths })
}

const byMethod = (device: DeviceLives, resaleValues: readonly Rational[] = []): ReadonlyMap<string, AllocatedLives> =>
  new Map(allocateLives(device, resaleValues).map((allocated) => [allocated.method, allocated]))

const retired = (date: string): DeviceEvent => ({ type: 'retired', date })

/** As many as there are lives, none above the one before. */
const fallingValues = (count: number): fc.Arbitrary<readonly Rational[]> =>
  fc
    .tuple(positiveAmount(3000), fc.array(amount(3000), { minLength: count, maxLength: count }))
    .map(([first, later]) => [first, ...later.slice(1)].toSorted((a, b) => compare(b, a)))
    .filter(([first]) => count === 0 || first!.numerator > 0n)

const anyDevice = () =>
  fc.record({
    embodied: amount(2000),
    // Parts of years and of months too, as an account may state a lifetime of its own.
    lifetimeMonths: fc.integer({ min: 1, max: 720 }).map((fifths) => divide(whole(fifths), whole(5))),
    rentals: anyRentals(),
    events: anyEvents(),
    isCapped: fc.boolean(),
  })

test('lives and residual are what was embodied and refurbished, to the milligram, by every method', () => {
  const device = anyDevice()
    .map(({ rentals, events, embodied, lifetimeMonths, isCapped }) =>
      lived(rentals, events, embodied, lifetimeMonths, isCapped),
    )
    .chain((lives) => fc.tuple(fc.constant(lives), fallingValues(lives.lives.length)))
  fc.assert(
    fc.property(device, ([lives, values]) => {
      for (const { method, shares, residual } of allocateLives(lives, values)) {
        assert.ok(shares?.length === lives.lives.length, method)
        assert.equal(sumMilligrams([...shares, residual]), toMilligrams(lives.total), method)
        assert.ok(
          [...shares, residual].every((share) => share >= 0n),
          method,
        )
      }
    }),
    { numRuns: rounds(500, 100_000) },
  )
})

test('the capped linear shares are those that the ledger posts', () => {
  fc.assert(
    fc.property(anyDevice(), ({ rentals, events, embodied, lifetimeMonths }) => {
      const device = lived(rentals, events, embodied, lifetimeMonths)
      assert.deepEqual(
        byMethod(device).get('capped_linear')!.shares,
        device.lives.map(({ run }) => run.share.emission),
      )
    }),
    { numRuns: rounds(500, 20_000) },
  )
})

test('once a device is retired, no share is provisional, and a method that gives all to lives leaves nothing', () => {
  const rentals = [rentalOf('a', tenureOf('2021-01-01', 36)), rentalOf('b', tenureOf('2024-01-01', 24))]
  for (const { isProvisional } of allocateLives(lived(rentals, [retired('2026-01-01')]), [])) {
    assert.equal(isProvisional, false)
  }
  const inUse = byMethod(lived(rentals, []))
  const provisional = [...inUse.values()].filter(({ isProvisional }) => isProvisional).map(({ method }) => method)
  assert.deepEqual(provisional, [
    'last_life',
    'equal',
    'actual_months',
    'actual_months_pooled',
    'economic',
    'factor_a_0.2',
    'factor_a_0.5',
    'factor_a_0.8',
  ])
})

test('a further life changes only provisional shares of the lives before it', () => {
  const first = rentalOf('a', tenureOf('2021-01-01', 36))
  const [alone, followed] = [[first], [first, rentalOf('b', tenureOf('2024-01-01', 24))]].map((rentals) =>
    byMethod(lived(rentals, [])),
  )
  for (const [method, { isProvisional, shares }] of alone!) {
    if (!isProvisional) assert.equal(followed!.get(method)!.shares![0], shares![0], method)
  }
})

test('what is kept by a factor is passed on while the device may have a further life', () => {
  const device = lived([rentalOf('a', tenureOf('2021-01-01', 36))], [])
  const { shares, residual } = byMethod(device).get('factor_a_0.2')!
  assert.deepEqual([shares, residual], [[21_870_000n], 87_480_000n])
})

test('a refurbishment that no life followed is borne by none', () => {
  const device = lived([rentalOf('a', tenureOf('2021-01-01', 36))], [refurbished('2024-01-01', '3', 24)])
  for (const method of ['first_life', 'last_life', 'equal', 'actual_months', 'actual_months_pooled']) {
    const { shares, residual } = byMethod(device).get(method)!
    assert.deepEqual([shares, residual], [[109_350_000n], 3_000_000n], method)
  }
})

test('a rental of no time, of days that are no month, or of a device that is gone is no life', () => {
  const held = rentalOf('a', tenureOf('2021-01-01', 12))
  const noTime = rentalOf('b', tenureOf('2022-02-01', 0))
  const noMonths = rentalOf('c', { ...heldUntil('2022-03-01', '2022-03-02'), months: whole(0) })
  const afterwards = rentalOf('d', tenureOf('2023-01-01', 12))
  const { lives } = lived([held, noTime, noMonths, afterwards], [retired('2022-06-01')])
  assert.deepEqual(
    lives.map(({ order }) => order.orderId),
    ['a'],
  )
})

test('without lives, all is left, and without a resale value for each life, the economic shares are not known', () => {
  for (const { shares, residual } of allocateLives(lived([], []), [])) {
    assert.deepEqual([shares, residual], [[], 109_350_000n])
  }
  const device = lived([rentalOf('a', tenureOf('2021-01-01', 36))], [])
  assert.equal(byMethod(device).get('economic')!.shares, null)
  assert.equal(byMethod(device, [whole(1500), whole(450)]).get('economic')!.shares, null)
  assert.deepEqual(byMethod(device, [whole(1500)]).get('economic')!.shares, [109_350_000n])
})
