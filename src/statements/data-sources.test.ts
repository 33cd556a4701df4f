// Shares of a total add up to 100 % whatever the emissions are.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { sharesOfTotal } from './data-sources.ts'

const sum = (all: readonly bigint[]): bigint => all.reduce((total, one) => total + one, 0n)

test('shares add up to 100 % exactly and are off by at most one ten-thousandth of a percent, also below 0', () => {
  fc.assert(
    fc.property(fc.array(fc.bigInt({ min: -(10n ** 14n), max: 10n ** 14n }), { minLength: 1 }), (emissions) => {
      const shares = sharesOfTotal(emissions)
      const total = sum(emissions)
      if (total === 0n) return shares.every(({ share }) => share === null)
      assert.equal(sum(shares.map(({ share }) => share!)), 1_000_000n)
      for (const { emission, share } of shares) {
        const off = share! * total - emission * 1_000_000n
        assert.ok((off < 0n ? -off : off) <= (total < 0n ? -total : total))
      }
      return true
    }),
  )
})

test('the shares of a total of 0 are not stated', () => {
  assert.deepEqual(sharesOfTotal([5n, -5n]), [
    { emission: 5n, share: null },
    { emission: -5n, share: null },
  ])
})
