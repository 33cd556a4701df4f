// Transport: more mass or distance never emits less, and distances convert from one basis to another and back.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { amount, positiveAmount } from '../../test/case-arbitraries.ts'
import { shippedReferenceData } from '../../test/shipped-book.ts'
import { TRANSPORT_MODES, type DistanceAdjustment, type TransportMode } from './reference/reference-data.ts'
import { ZERO, add, compare, divide, multiply, subtract, whole } from './numbers/rational.ts'
import { distanceBases, distanceOnFactorBasis, tonneKm, transportEmission } from './transport.ts'

const { referenceData } = shippedReferenceData()
const mode = () => fc.constantFrom(...TRANSPORT_MODES)
const factor = () => amount(10).map((value) => ({ factor: value }))
const adjustmentOf = (of: TransportMode): DistanceAdjustment => referenceData.distanceAdjustments[of]
const plannedBasis = (of: TransportMode) => (of === 'air' ? 'great_circle' : 'shortest_feasible')

test('more mass and more distance never emit less', () => {
  fc.assert(
    fc.property(
      amount(40_000),
      amount(40_000),
      amount(50_000),
      amount(50_000),
      factor(),
      (kg, moreKg, km, moreKm, g) => {
        const one = transportEmission(kg, km, g)
        assert.ok(compare(transportEmission(add(kg, moreKg), km, g), one) >= 0)
        assert.ok(compare(transportEmission(kg, add(km, moreKm), g), one) >= 0)
      },
    ),
  )
})

test('a load in two vehicles, or a way in two legs, emits what it does in one', () => {
  fc.assert(
    fc.property(amount(40_000), amount(40_000), amount(50_000), factor(), (first, second, km, g) => {
      const parts = add(transportEmission(first, km, g), transportEmission(second, km, g))
      assert.equal(compare(parts, transportEmission(add(first, second), km, g)), 0)
      assert.equal(compare(add(tonneKm(km, first), tonneKm(km, second)), tonneKm(km, add(first, second))), 0)
    }),
  )
})

test('a tonne for a kilometre emits the factor', () => {
  fc.assert(
    fc.property(factor(), (g) => {
      assert.equal(compare(transportEmission(whole(1000), whole(1), g), g.factor), 0)
    }),
  )
})

test('a distance on the basis of its factor, or on none that is stated, stays as it is', () => {
  fc.assert(
    fc.property(mode(), amount(50_000), (of, km) => {
      for (const basis of distanceBases(of)) {
        assert.equal(compare(distanceOnFactorBasis(km, basis, basis, adjustmentOf(of)), km), 0)
        assert.equal(compare(distanceOnFactorBasis(km, null, basis, adjustmentOf(of)), km), 0)
      }
    }),
  )
})

test('a planned distance becomes the driven one by the adjustment of its mode, and never gets shorter', () => {
  fc.assert(
    fc.property(mode(), positiveAmount(50_000), (of, km) => {
      const { multiplier, addedKm } = adjustmentOf(of)
      const driven = distanceOnFactorBasis(km, plannedBasis(of), 'actual', adjustmentOf(of))
      assert.equal(compare(driven, add(multiply(km, multiplier), addedKm)), 0)
      assert.ok(compare(driven, km) >= 0)
    }),
  )
})

test('a planned distance that becomes the driven one and comes back is the same', () => {
  fc.assert(
    fc.property(mode(), amount(50_000), (of, km) => {
      const driven = distanceOnFactorBasis(km, plannedBasis(of), 'actual', adjustmentOf(of))
      assert.equal(compare(distanceOnFactorBasis(driven, 'actual', plannedBasis(of), adjustmentOf(of)), km), 0)
    }),
  )
})

test('a driven distance that is shorter than its detour becomes 0, never less', () => {
  fc.assert(
    fc.property(mode(), amount(200), (of, km) => {
      const planned = distanceOnFactorBasis(km, 'actual', plannedBasis(of), adjustmentOf(of))
      const { multiplier, addedKm } = adjustmentOf(of)
      const expected = divide(subtract(km, addedKm), multiplier)
      assert.equal(compare(planned, compare(expected, ZERO) < 0 ? ZERO : expected), 0)
    }),
  )
})

test('a great circle belongs to the air alone', () => {
  assert.deepEqual(
    TRANSPORT_MODES.filter((of) => distanceBases(of).includes('great_circle')),
    ['air'],
  )
  assert.throws(
    () => distanceOnFactorBasis(whole(1), 'great_circle', 'shortest_feasible', adjustmentOf('road')),
    RangeError,
  )
})
