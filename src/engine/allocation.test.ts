// Shares by weight: they add up to the emission exactly, and each is as close to its weight as milligrams allow.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { amount, positiveAmount } from '../../test/case-arbitraries.ts'
import { allocate, toIntegerWeights } from './allocation.ts'
import { sumMilligrams } from './numbers/emission.ts'
import { ZERO, compare, multiply, whole } from './numbers/rational.ts'

const emission = () => fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n })
const weights = () =>
  fc
    .array(fc.oneof(fc.bigInt({ min: 0n, max: 20n }), fc.bigInt({ min: 0n, max: 10n ** 15n })), {
      minLength: 1,
      maxLength: 30,
    })
    .filter((list) => list.some((weight) => weight > 0n))

test('shares add up to the emission, negative ones too', () => {
  fc.assert(
    fc.property(emission(), weights(), (total, list) => {
      assert.equal(sumMilligrams(allocate(total, list)), total)
    }),
  )
})

test('no share has another sign than the emission, and who weighs nothing carries nothing', () => {
  fc.assert(
    fc.property(emission(), weights(), (total, list) => {
      for (const [at, share] of allocate(total, list).entries()) {
        assert.ok(total < 0n ? share <= 0n : share >= 0n)
        if (list[at] === 0n) assert.equal(share, 0n)
      }
    }),
  )
})

test('every share is less than a milligram from its exact part', () => {
  fc.assert(
    fc.property(emission(), weights(), (total, list) => {
      const all = sumMilligrams(list)
      for (const [at, share] of allocate(total, list).entries()) {
        const off = share * all - total * list[at]!
        assert.ok(off < all && -off < all)
      }
    }),
  )
})

test('the milligrams left over go to the largest remainders, and among equal ones to the earlier device', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 9n }), weights(), (total, list) => {
      const all = sumMilligrams(list)
      const shares = allocate(total, list)
      const remainder = (at: number) => (total * list[at]!) % all
      const isRaised = (at: number) => shares[at]! > (total * list[at]!) / all
      for (const one of list.keys()) {
        for (const other of list.keys()) {
          if (!isRaised(one) || isRaised(other)) continue
          assert.ok(remainder(one) > remainder(other) || (remainder(one) === remainder(other) && one < other))
        }
      }
    }),
  )
})

test('devices in another sequence carry the same, up to one milligram', () => {
  const shuffled = weights().chain((list) =>
    fc.tuple(fc.constant(list), fc.shuffledSubarray([...list.keys()], { minLength: list.length })),
  )
  fc.assert(
    fc.property(emission(), shuffled, (total, [list, sequence]) => {
      const shares = allocate(total, list)
      const others = allocate(
        total,
        sequence.map((at) => list[at]!),
      )
      for (const [position, at] of sequence.entries()) {
        const off = others[position]! - shares[at]!
        assert.ok(off >= -1n && off <= 1n)
      }
    }),
  )
})

test('who weighs more never carries less', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 12n }), weights(), (total, list) => {
      const shares = allocate(total, list)
      for (const [at, weight] of list.entries()) {
        const heavier = list.findIndex((other) => other > weight)
        if (heavier !== -1) assert.ok(shares[heavier]! >= shares[at]!)
      }
    }),
  )
})

test('weights in kilograms become whole numbers in the same proportion', () => {
  fc.assert(
    fc.property(fc.array(amount(50), { minLength: 1, maxLength: 10 }), positiveAmount(50), (list, one) => {
      const kilograms = [...list, one]
      const units = toIntegerWeights(kilograms)
      for (const [at, weight] of kilograms.entries()) {
        const [left, right] = [multiply(weight, whole(units.at(-1)!)), multiply(one, whole(units[at]!))]
        assert.equal(compare(left, right), 0)
      }
    }),
  )
})

test('where a weight is missing, or all are nothing, all devices weigh the same', () => {
  fc.assert(
    fc.property(fc.array(amount(50), { maxLength: 10 }), fc.nat(10), (list, at) => {
      const missing = list
        .toSpliced(at, 0, ZERO)
        .map((weight, position) => (position === Math.min(at, list.length) ? null : weight))
      assert.deepEqual(
        toIntegerWeights(missing),
        missing.map(() => 1n),
      )
      assert.deepEqual(
        toIntegerWeights(list.map(() => ZERO)),
        list.map(() => 1n),
      )
    }),
  )
})
