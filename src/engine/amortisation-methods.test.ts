// Sum of the years' digits: the years add up to the device's footprint, and no year has more than the previous one.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { amount } from '../../test/case-arbitraries.ts'
import { sumOfYears } from './amortisation-methods.ts'
import { sumMilligrams, toMilligrams } from './numbers/emission.ts'
import { ONE, parseDecimal } from './numbers/rational.ts'

test('the years add up to what is embodied, to the milligram', () => {
  fc.assert(
    fc.property(amount(10_000), fc.integer({ min: 1, max: 40 }), (embodied, years) => {
      const shares = sumOfYears(embodied, years)
      assert.equal(shares.length, years)
      assert.equal(sumMilligrams(shares), toMilligrams(embodied))
    }),
  )
})

test('a later year carries less than an earlier one, by as much each time', () => {
  const shares = sumOfYears(parseDecimal('210'), 6)
  assert.deepEqual(shares, [60_000_000n, 50_000_000n, 40_000_000n, 30_000_000n, 20_000_000n, 10_000_000n])
})

test('fewer than one year is refused', () => {
  for (const years of [0, -1, -4]) assert.throws(() => sumOfYears(ONE, years), RangeError)
})
