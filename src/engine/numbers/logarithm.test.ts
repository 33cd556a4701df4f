// Logarithms and exponentials are correct to the last digit, regardless of the machine's floating-point arithmetic.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { exp, ln } from './logarithm.ts'
import { ONE, ZERO, compare, parseDecimal, rational, toDecimal, whole } from './rational.ts'

const digits = (value: Parameters<typeof toDecimal>[0]): string => toDecimal(value, 20)

test('known values are met to the twentieth decimal', () => {
  assert.equal(digits(ln(whole(2))), '0.69314718055994530942')
  assert.equal(digits(ln(whole(10))), '2.30258509299404568402')
  assert.equal(digits(ln(rational(1n, 3n))), '-1.0986122886681096914')
  assert.equal(digits(exp(ONE)), '2.71828182845904523536')
  assert.equal(digits(exp(parseDecimal('-0.5'))), '0.6065306597126334236')
})

test('one has the logarithm zero, and zero the exponential one', () => {
  assert.equal(compare(ln(ONE), ZERO), 0)
  assert.equal(compare(exp(ZERO), ONE), 0)
})

test('the exponential undoes the logarithm', () => {
  fc.assert(
    fc.property(fc.bigInt(1n, 10n ** 9n), fc.bigInt(1n, 10n ** 9n), (numerator, denominator) => {
      const value = rational(numerator, denominator)
      assert.equal(toDecimal(exp(ln(value)), 9), toDecimal(value, 9))
    }),
  )
})

test('every decimal that is kept of a large power is right', () => {
  assert.equal(toDecimal(exp(whole(20)), 20), '485165195.40979027796910683054')
  assert.equal(toDecimal(exp(whole(25)), 20), '72004899337.38587252416135146613')
})

test('a larger number has the larger logarithm', () => {
  fc.assert(
    fc.property(fc.bigInt(1n, 10n ** 12n), fc.bigInt(1n, 10n ** 12n), (a, b) => {
      assert.equal(Math.sign(compare(ln(whole(a)), ln(whole(b)))), a < b ? -1 : a > b ? 1 : 0)
    }),
  )
})

test('nothing that is not greater than zero has a logarithm, and no exponent is beyond reason', () => {
  for (const value of [ZERO, whole(-1)]) assert.throws(() => ln(value), RangeError)
  for (const value of [whole(101), whole(-101)]) assert.throws(() => exp(value), RangeError)
})
