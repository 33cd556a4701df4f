// A comparison of rented with new devices: the worked example, negative differences, and intervals of shared errors.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  afterRebound,
  breakEvenOf,
  grossOf,
  intervalOfDifference,
  leastSpecific,
  netOf,
  specificityOf,
  type Sides,
} from './impact.ts'
import { toKilograms, type Milligrams } from './numbers/emission.ts'
import { ONE, ZERO, parseDecimal, rational, toDecimal } from './numbers/rational.ts'
import { MATCH_LEVELS } from './uncertainty/data-quality.ts'

/** A refurbished laptop for 24 months, without use: 109.35 ÷ 48 × 24, and its share of a second life. */
const LAPTOP: Sides = { reference: 54_675_000n, solution: 20_225_000n }

/** In kg, to three decimals. */
const rounded = (emission: Milligrams) => toDecimal(rational(emission, 1_000_000n), 3)

test('the refurbished laptop has the differences of the worked example', () => {
  assert.equal(toKilograms(grossOf(LAPTOP)), '34.45')
  assert.deepEqual(
    ['0.71', '0.5', '0.25'].map((displacement) => rounded(netOf(LAPTOP, parseDecimal(displacement)))),
    ['18.594', '7.113', '-6.556'],
  )
  assert.equal(toDecimal(breakEvenOf(LAPTOP)!, 4), '0.3699')
  assert.equal(rounded(afterRebound(LAPTOP, parseDecimal('0.29'))), '24.46')
})

const anySides = () =>
  fc.record({ reference: fc.bigInt({ min: 0n, max: 10n ** 14n }), solution: fc.bigInt({ min: 0n, max: 10n ** 14n }) })

test('net is gross where every rental replaces a purchase, and minus the rental where none does', () => {
  fc.assert(
    fc.property(anySides(), (sides) => {
      assert.equal(netOf(sides, ONE), grossOf(sides))
      assert.equal(netOf(sides, ZERO), -sides.solution)
      assert.equal(afterRebound(sides, ZERO), grossOf(sides))
      assert.equal(afterRebound(sides, ONE), 0n)
    }),
  )
})

test('at the break-even share the difference is nothing, and without a reference there is none', () => {
  fc.assert(
    fc.property(anySides(), (sides) => {
      const share = breakEvenOf(sides)
      if (share === null) assert.equal(sides.reference, 0n)
      else assert.equal(netOf(sides, share), 0n)
    }),
  )
})

const errors = [{ factor: 'sheet:laptop', logSd: Math.log(1.2) }]
const WHOLE = { reference: ONE, solution: ONE }

test('an error that both sides share cancels out, one of a single side does not', () => {
  const equal = { reference: 1_000_000n, solution: 1_000_000n }
  assert.deepEqual(intervalOfDifference(0n, [{ ...equal, errors }], WHOLE), { low: 0n, high: 0n })
  const own = [
    { reference: 1_000_000n, solution: 0n, errors },
    { reference: 0n, solution: 1_000_000n, errors: [{ factor: 'sheet:other', logSd: Math.log(1.2) }] },
  ]
  const { low, high } = intervalOfDifference(0n, own, WHOLE)
  // √2 × √(exp(ln² 1.2) − 1) × 1.959964 kg = 0.50958 kg
  assert.ok(low === -high && high > 509_000n && high < 510_000n, `${low} to ${high}`)
})

test('the less of the reference counts, the nearer is the interval to that of the rental', () => {
  const sides = [{ ...LAPTOP, errors }]
  const half = (share: string) => {
    const displacement = parseDecimal(share)
    const net = netOf(LAPTOP, displacement)
    return intervalOfDifference(net, sides, { reference: displacement, solution: ONE }).high - net
  }
  const relative = Math.sqrt(Math.expm1(Math.log(1.2) ** 2)) * 1.959964
  assert.ok(Math.abs(Number(half('0')) - 20_225_000 * relative) < 2)
  assert.ok(half('0.25') < half('0'))
})

test('a level of matching has a specificity, and the least specific one counts', () => {
  assert.deepEqual(
    MATCH_LEVELS.filter((level) => specificityOf(level) === 'average'),
    ['family', 'brand-fit', 'brand'],
  )
  assert.equal(specificityOf('model'), 'solution_specific')
  assert.equal(specificityOf('weight'), 'generic')
  assert.equal(leastSpecific(['solution_specific', 'generic', 'average']), 'generic')
  assert.equal(leastSpecific([]), null)
})
