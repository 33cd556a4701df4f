// Intervals of lines and totals: they contain the emission, shared errors do not average out, less data is never surer.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyProduct } from '../../../test/product-arbitraries.ts'
import { orderFor } from '../../../test/case-arbitraries.ts'
import { shippedReferenceData } from '../../../test/shipped-book.ts'
import { estimate, type EmissionLine } from '../estimate.ts'
import { covariance, intervalOf, logSdOf } from './lognormal.ts'
import { propagateSum } from './error-propagation.ts'
import type { Item, Product } from '../order.ts'
import { ONE, parseDecimal, whole, type Rational } from '../numbers/rational.ts'
import type { GridFactor } from '../reference/reference-data.ts'
import type { GridUse } from '../use-phase.ts'
import {
  errorSources,
  gridSpread,
  intervalAround,
  uncertaintyOf,
  uncertaintyOfSum,
  useByGridErrors,
} from './uncertainty.ts'

const { referenceData } = shippedReferenceData()

function linesOf(items: readonly Item[]): readonly EmissionLine[] {
  const [orderDate, tenureStartDate] = ['2025-01-01', '2025-01-01']
  const estimated = estimate(
    { customerId: 'c', orderId: 'o', orderDate, tenureStartDate, country: null, items },
    referenceData,
  )
  assert.ok(estimated.ok)
  return estimated.footprint.items.flatMap(({ lines }) => lines)
}

const embodied = (changes: Partial<Product>): EmissionLine => linesOf([anyProduct(changes)])[0]!

test('every line, item and order lies in its own interval', () => {
  fc.assert(
    fc.property(orderFor(referenceData), (order) => {
      const estimated = estimate(order, referenceData)
      assert.ok(estimated.ok)
      const { items, total } = estimated.footprint
      const lines = items.flatMap((item) => item.lines)
      for (const line of lines) {
        const { low, high, gsd } = uncertaintyOf(line)
        assert.ok(0n <= low && low <= line.emission && line.emission <= high && gsd >= 1)
        assert.ok(line.emission < 100n || (low < line.emission && line.emission < high))
      }
      const whole = uncertaintyOfSum(lines)
      assert.ok(whole.low <= total && total <= whole.high)
    }),
  )
})

test('an interval holds what it is made around, whatever the spread and the sign, and grows with the spread', () => {
  fc.assert(
    fc.property(
      fc.bigInt(-(10n ** 15n), 10n ** 15n),
      fc.double({ min: 0, max: 1.2, noNaN: true }),
      fc.double({ min: 0, max: 0.3, noNaN: true }),
      (emission, logSd, more) => {
        const [narrow, wide] = [intervalAround(emission, logSd), intervalAround(emission, logSd + more)]
        assert.ok(narrow.low <= emission && emission <= narrow.high)
        assert.ok(wide.low <= narrow.low && narrow.high <= wide.high)
      },
    ),
  )
})

test('a sheet is surer than a family, that than a brand, a type, a weight, and mere equipment', () => {
  const steps: readonly Partial<Product>[] = [
    { modelId: 'apple-macbook-air-13-m3-256gb' },
    { productName: 'MacBook Air 13 M9', brand: 'Apple', deviceType: 'laptop' },
    { brand: 'Apple', deviceType: 'laptop' },
    { deviceType: 'laptop' },
    {},
    { weightKg: parseDecimal('40') },
  ]
  const gsds = steps.map((step) => uncertaintyOf(embodied(step)).gsd)
  assert.deepEqual(
    gsds,
    gsds.toSorted((a, b) => a - b),
  )
  assert.equal(new Set(gsds).size, steps.length)
})

test('the error that a sheet states of itself counts, and 20 percent where it states none', () => {
  const stating = [...referenceData.models.values()].filter((model) => model.uncertaintyRatio && model.productUse)
  const silent = [...referenceData.models.values()].filter((model) => !model.uncertaintyRatio && model.productUse)
  const toNumber = ({ numerator, denominator }: Rational) => Number(numerator) / Number(denominator)
  for (const model of stating.slice(0, 20)) {
    const { gsd } = uncertaintyOf(embodied({ modelId: model.id }))
    assert.ok(Math.abs(gsd - 1 - toNumber(model.uncertaintyRatio!)) < 1e-9, model.id)
  }
  assert.ok(Math.abs(uncertaintyOf(embodied({ modelId: silent[0]!.id })).gsd - 1.2) < 1e-9)
})

test('a hundred rentals of one model are as unsure as one, and those of different models surer', () => {
  const rentalsOf = (ids: readonly string[]) =>
    linesOf(ids.map((modelId, at) => anyProduct({ modelId, serialNumber: `S${at}` }))).filter(
      ({ part }) => part === 'product_embodied_emission',
    )
  const laptops = [...referenceData.models.values()].filter(({ type, productUse }) => type === 'laptop' && productUse)
  const ids = laptops.slice(0, 100).map(({ id }) => id)
  const same = rentalsOf(ids.map(() => ids[0]!))
  assert.ok(Math.abs(uncertaintyOfSum(same).gsd - uncertaintyOf(same[0]!).gsd) < 1e-9)
  assert.ok(uncertaintyOfSum(rentalsOf(ids)).gsd < 1.05)
})

const line = fc.record({
  mean: fc.double({ min: 0.001, max: 1000, noNaN: true }),
  errors: fc.uniqueArray(
    fc.record({
      factor: fc.constantFrom('a', 'b', 'c'),
      name: fc.constant('an error'),
      logSd: fc.double({ min: 0.01, max: 0.7, noNaN: true }),
    }),
    { minLength: 1, maxLength: 3, selector: ({ factor }) => factor },
  ),
})

test('the variance of a sum is that of every line with every line, by the errors that the two share', () => {
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 20 }), (lines) => {
      const variance = lines.reduce((sum, one) => lines.reduce((all, other) => all + covariance(one, other), sum), 0)
      const mean = lines.reduce((sum, one) => sum + one.mean, 0)
      const spread = propagateSum(lines)
      assert.ok(Math.abs(spread.mean - mean) < 1e-9 * mean)
      assert.ok(Math.abs(spread.logSd - Math.sqrt(Math.log1p(variance / mean ** 2))) < 1e-9)
    }),
  )
})

test('models that are used in one country err together by its grid, however many they are', () => {
  const items = [...referenceData.models.keys()].map((modelId, at) =>
    anyProduct({ modelId, serialNumber: `S${at}`, country: 'DE' }),
  )
  const byGrid = linesOf(items).filter(({ working }) => working.method === 'use-by-grid')
  const grid = byGrid.map(({ working }) => errorSources(working).find(({ factor }) => factor === 'grid:DE')!.logSd)
  assert.ok(byGrid.length >= 100)
  assert.ok(Math.log(uncertaintyOfSum(byGrid).gsd) >= Math.min(...grid))
})

/** A year in the country, of which the shipped release has one factor. */
const yearIn = (factor: GridFactor): GridUse => ({
  emission: ONE,
  years: [{ year: factor.year, lastYear: factor.year, months: whole(12), factor }],
  factorsAreRecent: true,
})
const ratioOf = (other: Rational, one: Rational): number =>
  Number(other.numerator * one.denominator) / Number(other.denominator * one.numerator)

test('the interval of a grid factor has what another series says of the same country and year, everywhere', () => {
  const item = linesOf([anyProduct({ country: 'DE' })])[0]!.working.item as Parameters<typeof useByGridErrors>[0]
  const compared = [...referenceData.grid.values()].flat().filter(({ others }) => others!.length > 0)
  const outside = (spreadIn: (factor: GridFactor) => number) =>
    compared.filter((one) => {
      const error = useByGridErrors(item, 1, spreadIn(one)).find(({ factor }) => factor.startsWith('grid:'))!
      const { low, high } = intervalOf(error.logSd)
      const ratio = ratioOf(one.others![0]!, one.factor)
      return ratio < low || ratio > high
    }).length
  assert.equal(
    outside((factor) => gridSpread(yearIn(factor))),
    0,
  )
  // METHODOLOGY.md#uncertainty
  assert.deepEqual([compared.length, compared.length - outside(() => 0)], [196, 64])
})

test('a country of one series has the spread of all countries, and what nothing is compared with has none', () => {
  const factors = [...referenceData.grid.values()].flat()
  const squares = factors.flatMap(({ factor, others }) => others!.map((other) => Math.log(ratioOf(other, factor)) ** 2))
  const spread = Math.exp(Math.sqrt(squares.reduce((sum, one) => sum + one, 0) / squares.length))
  const alone = factors.find(({ others }) => others!.length === 0)!
  assert.equal(spread.toFixed(2), '1.35')
  assert.equal(gridSpread(yearIn(alone)), 0.3)
  const { others: _, ...chosen } = alone
  assert.equal(gridSpread(yearIn(chosen)), 0)
  const years = [...yearIn(chosen).years, ...yearIn(alone).years]
  assert.equal(gridSpread({ ...yearIn(alone), years }), 0.3, 'of several factors, that of the least sure')
})

test('a sum is never surer than its parts could make it, nor less sure than the least sure of them', () => {
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 20 }), (lines) => {
      const { logSd } = propagateSum(lines)
      const worst = Math.max(...lines.map(logSdOf))
      const apart = lines.map(({ mean, errors }, at) => ({
        mean,
        errors: errors.map((error) => ({ ...error, factor: `${error.factor}${at}` })),
      }))
      assert.ok(logSd <= worst + 1e-9 && logSd >= propagateSum(apart).logSd - 1e-9)
    }),
  )
})

test('what follows from one stand-in errs with it: embodied and use of it add up, and do not average out', () => {
  const lines = linesOf([anyProduct({ deviceType: 'laptop' })])
  const [embodiedLine, use] = lines.map((line) => Math.log(uncertaintyOf(line).gsd))
  const shares = lines.map(({ emission }) => Number(emission) / Number(lines[0]!.emission + lines[1]!.emission))
  const [m1, m2] = shares as [number, number]
  const v = (logSd: number) => Math.expm1(logSd ** 2)
  const variance = m1 ** 2 * v(embodiedLine!) + m2 ** 2 * v(use!) + 2 * m1 * m2 * v(embodiedLine!)
  assert.ok(Math.abs(Math.log(uncertaintyOfSum(lines).gsd) - Math.sqrt(Math.log1p(variance))) < 1e-9)
})

test('a line says what its interval is made from', () => {
  fc.assert(
    fc.property(orderFor(referenceData), (order) => {
      const estimated = estimate(order, referenceData)
      assert.ok(estimated.ok)
      for (const line of estimated.footprint.items.flatMap((item) => item.lines)) {
        const errors = errorSources(line.working)
        assert.ok(errors.length > 0 && errors.every(({ logSd }) => logSd > 0))
        const gsd = line.emission === 0n ? 1 : Math.exp(Math.hypot(...errors.map(({ logSd }) => logSd)))
        assert.ok(Math.abs(uncertaintyOf(line).gsd - gsd) < 1e-9)
      }
    }),
  )
})

test('nothing emitted is known for sure', () => {
  assert.deepEqual(intervalAround(0n, 1), { low: 0n, high: 0n, gsd: 1 })
  assert.deepEqual(uncertaintyOfSum([]), { low: 0n, high: 0n, gsd: 1 })
  assert.deepEqual(intervalOf(0), { low: 1, high: 1 })
})
