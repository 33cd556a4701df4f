// Exact numbers: parsing and printing are lossless, arithmetic is exact, and halves are rounded away from zero.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyRatio } from '../../../test/case-arbitraries.ts'
import { toKilograms } from './emission.ts'
import {
  add,
  compare,
  decimalOf,
  divide,
  fromExactText,
  max,
  min,
  multiply,
  negate,
  rationalOfNumber,
  parseDecimal,
  rational,
  reduce,
  roundHalfAway,
  subtract,
  toDecimal,
  toExactText,
  toFractionText,
  whole,
} from './rational.ts'

const units = () => fc.bigInt({ min: -(10n ** 24n), max: 10n ** 24n })
const HALF = rational(1n, 2n)
const distance = (a: bigint, b: bigint) => (a > b ? a - b : b - a)

test('milligrams are written as kilograms to the last digit, however many they are', () => {
  const written = (milligrams: bigint) => assert.equal(toKilograms(milligrams), decimalOf(milligrams, 6))
  const about = fc
    .integer({ min: 0, max: 18 })
    .chain((digits) => fc.bigInt({ min: -(10n ** BigInt(digits)), max: 10n ** BigInt(digits) }))
  fc.assert(fc.property(about, written), { numRuns: 5_000 })
  for (const edge of [0n, 1n, 999_999_999_999_999n, 10n ** 15n, 10n ** 15n + 1n]) [edge, -edge].forEach(written)
})

test('a decimal that is read and written again is the same text', () => {
  fc.assert(
    fc.property(units(), fc.nat(12), (value, scale) => {
      const text = decimalOf(value, scale)
      assert.equal(toDecimal(parseDecimal(text)), text)
    }),
  )
})

test('a decimal is written without zeros at its end, and zero without a sign', () => {
  assert.equal(decimalOf(9928900n, 6), '9.9289')
  assert.equal(decimalOf(-1n, 6), '-0.000001')
  assert.equal(decimalOf(-5_000_000n, 6), '-5')
  assert.equal(decimalOf(1200n, 0), '1200')
  assert.equal(toDecimal(parseDecimal('-0.000')), '0')
})

test('every double survives being read from its shortest text', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
      assert.equal(Number(toDecimal(parseDecimal(String(number)), 1100)) === number, true)
    }),
  )
})

test('a number is the decimal that it prints as, in the same terms as when that is read', () => {
  const short = fc.record({ units: fc.integer({ min: -(10 ** 9), max: 10 ** 9 }), scale: fc.nat(6) })
  const asWeighed = short.map(({ units, scale }) => units / 10 ** scale)
  const long = fc.maxSafeInteger().map((units) => units / 10 ** 4)
  const any = fc.double({ noNaN: true, noDefaultInfinity: true })
  const printed = (number: number) => assert.deepEqual(rationalOfNumber(number), parseDecimal(String(number)))
  fc.assert(fc.property(fc.oneof(asWeighed, long, fc.maxSafeInteger(), any), printed), { numRuns: 20_000 })
  for (const number of [0, -0, 1e15, 1e15 - 1, 999_999_999_999_999.9, 0.00005, 1e21, 5e-324]) printed(number)
  assert.throws(() => rationalOfNumber(NaN), RangeError)
  assert.throws(() => rationalOfNumber(Infinity), RangeError)
})

test('an exponent moves the point', () => {
  assert.equal(toDecimal(parseDecimal('1e-7')), '0.0000001')
  assert.equal(toDecimal(parseDecimal('-1.25E+3')), '-1250')
  assert.equal(toDecimal(parseDecimal('12.5e1')), '125')
})

test('what is no decimal number is refused', () => {
  const texts = [
    '',
    ' ',
    '1.',
    '.5',
    '+1',
    '--1',
    ' 1',
    '1 ',
    '1,5',
    '1_000',
    '0x10',
    '1e',
    '1e1000',
    'NaN',
    'Infinity',
  ]
  for (const text of [...texts, '١', '1\n']) assert.throws(() => parseDecimal(text), RangeError, JSON.stringify(text))
})

test('sums, differences and products are those of whole numbers', () => {
  fc.assert(
    fc.property(units(), units(), (a, b) => {
      const [left, right] = [rational(a, 1_000_000n), rational(b, 1_000n)]
      assert.equal(compare(add(left, right), rational(a + 1000n * b, 1_000_000n)), 0)
      assert.equal(compare(subtract(left, right), rational(a - 1000n * b, 1_000_000n)), 0)
      assert.equal(compare(multiply(left, right), rational(a * b, 1_000_000_000n)), 0)
    }),
  )
})

test('a division is undone by multiplication', () => {
  fc.assert(
    fc.property(anyRatio(), anyRatio(), (a, b) => {
      fc.pre(b.numerator > 0n)
      assert.equal(compare(multiply(divide(a, b), b), a), 0)
    }),
  )
})

test('nothing is divided by zero or by less', () => {
  for (const divisor of [whole(0), whole(-3)]) assert.throws(() => divide(whole(1), divisor), RangeError)
  assert.throws(() => rational(1n, 0n), RangeError)
})

test('a comparison is the sign of the difference; min and max take the smaller and the larger', () => {
  fc.assert(
    fc.property(anyRatio(), anyRatio(), (a, b) => {
      const { numerator } = subtract(a, b)
      assert.equal(compare(a, b), numerator < 0n ? -1 : numerator > 0n ? 1 : 0)
      assert.equal(compare(min(a, b), max(a, b)) <= 0, true)
      assert.equal(compare(add(min(a, b), max(a, b)), add(a, b)), 0)
    }),
  )
})

test('a rounded number is at most a half away, and exact halves go away from zero', () => {
  fc.assert(
    fc.property(anyRatio(), (a) => {
      const off = subtract(whole(roundHalfAway(a)), a)
      assert.ok(compare(off, HALF) <= 0 && compare(off, negate(HALF)) >= 0)
    }),
  )
  fc.assert(
    fc.property(units(), (n) => {
      const half = rational(2n * n + 1n, 2n)
      assert.equal(roundHalfAway(half), n >= 0n ? n + 1n : n)
    }),
  )
})

test('rounding treats a negative number as its positive mirror', () => {
  fc.assert(
    fc.property(anyRatio(), (a) => {
      assert.equal(roundHalfAway(negate(a)), -roundHalfAway(a))
    }),
  )
})

test('a number that has no end is written to the digits asked for', () => {
  assert.equal(toDecimal(rational(2n, 3n)), '0.666666666667')
  assert.equal(toDecimal(rational(-1n, 8n), 2), '-0.13')
  fc.assert(
    fc.property(anyRatio(), fc.nat(9), (a, digits) => {
      const written = parseDecimal(toDecimal(a, digits))
      const scaled = (value: typeof a) => roundHalfAway(multiply(value, whole(10n ** BigInt(digits))))
      assert.equal(distance(scaled(written), scaled(a)), 0n)
    }),
  )
})

test('an exact text is read as the number that was written, as a decimal or as a fraction', () => {
  assert.deepEqual([rational(5n, 2n), rational(7n, 3n), whole(-4)].map(toExactText), ['2.5', '7/3', '-4'])
  assert.deepEqual([rational(5n, 2n), rational(7n, 3n), whole(-4)].map(toFractionText), ['5/2', '7/3', '-4'])
  fc.assert(
    fc.property(anyRatio(), (a) => {
      for (const write of [toExactText, toFractionText]) assert.equal(compare(fromExactText(write(a)), a), 0)
    }),
  )
  for (const text of ['', '1/0', '1/-2', '/2', '1/', 'x', ' 1']) assert.throws(() => fromExactText(text), RangeError)
})

test('lowest terms are the same number, and have nothing left in common', () => {
  fc.assert(
    fc.property(anyRatio(), fc.bigInt({ min: 1n, max: 10n ** 9n }), (a, factor) => {
      const reduced = reduce(rational(a.numerator * factor, a.denominator * factor))
      assert.equal(compare(reduced, a), 0)
      assert.deepEqual(reduced, reduce(a))
    }),
  )
})
