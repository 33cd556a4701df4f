// Fallbacks: the applicable level with the smallest spread is used, and less information never makes it smaller.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyProduct } from '../../../test/product-arbitraries.ts'
import { shippedReferenceData as readShipped } from '../../../test/shipped-book.ts'
import { DEVICE_TYPES } from './reference-data.ts'
import { brandKey } from './product-family.ts'
import { footprintById } from './footprint.ts'
import {
  fallbackById,
  fallbackKey,
  predictEmbodied,
  productTraits,
  selectFallback,
  type ProductTraits,
} from './fallback.ts'
import { ONE, compare, parseDecimal, toDecimal } from '../numbers/rational.ts'

const { referenceData: shippedReferenceData } = readShipped()
const UNKNOWN: ProductTraits = {
  brand: null,
  family: null,
  deviceType: null,
  weightKg: parseDecimal('1.24'),
  screenInches: null,
}
const basisOf = (traits: Partial<ProductTraits>) => selectFallback({ ...UNKNOWN, ...traits }, shippedReferenceData)
const inches = parseDecimal('13.6')

test('each level is taken where it is the surest that holds', () => {
  const laptop = { deviceType: 'laptop' } as const
  assert.equal(basisOf({ brand: 'apple', family: 'macbook-air' }), 'family:apple/macbook-air')
  const monitor = {
    deviceType: 'monitor',
    brand: 'dell',
    weightKg: parseDecimal('6.1'),
    screenInches: parseDecimal('27'),
  }
  assert.equal(basisOf({ ...monitor, deviceType: 'monitor' }), 'brand-fit:dell/monitor@6.1kg,27in')
  assert.equal(basisOf({ ...laptop, brand: 'dell' }), 'brand:dell/laptop')
  assert.equal(basisOf({ ...laptop, brand: 'nobody', screenInches: inches }), 'type-fit:laptop@1.24kg,13.6in')
  assert.equal(basisOf(laptop), 'type:laptop')
  assert.equal(basisOf({}), 'weight-fit@1.24kg')
})

test('a brand with figures of its own is not charged by the regression of its type', () => {
  const { fallbacks } = shippedReferenceData
  const own = [...fallbacks.values()].filter(({ level }) => level === 'brand')
  assert.ok(own.length > 5)
  for (const { type, brand } of own) {
    const traits = { deviceType: type as 'laptop', brand: brandKey(brand!), screenInches: parseDecimal('14') }
    for (const weight of ['0.9', '1.4', '2.9', '9'])
      assert.doesNotMatch(
        basisOf({ ...traits, weightKg: parseDecimal(weight) })!,
        /^type/,
        `${brand} ${type} ${weight}`,
      )
  }
  const dell = { deviceType: 'laptop', brand: 'dell', screenInches: inches } as const
  assert.equal(basisOf(dell), 'brand-fit:dell/laptop@1.24kg,13.6in')
  assert.equal(basisOf({ ...dell, family: 'latitude' }), 'brand-fit:dell/laptop@1.24kg,13.6in')
})

test('outside the range of a regression the next level is taken', () => {
  const dell = { deviceType: 'laptop', brand: 'dell' } as const
  assert.equal(basisOf({ ...dell, screenInches: parseDecimal('29') }), 'brand:dell/laptop')
  assert.equal(basisOf({ ...dell, screenInches: inches, weightKg: parseDecimal('9') }), 'brand:dell/laptop')
})

test('beyond its range the weight alone counts on in proportion, and as no more than an assumption', () => {
  const at = (weight: string) => fallbackById(basisOf({ weightKg: parseDecimal(weight) })!, shippedReferenceData)!
  for (const [end, beyond, share] of [
    ['0.3', '0.03', 0.1],
    ['13.13', '39.39', 3],
  ] as const) {
    const [inside, outside] = [at(end), at(beyond)]
    const kg = (found: typeof inside) => Number(toDecimal(predictEmbodied(found)))
    assert.ok(Math.abs(kg(outside) / kg(inside) - share) < 1e-6)
    assert.deepEqual([inside.beyondKg, toDecimal(outside.beyondKg!)], [null, end])
  }
})

test('a family of another type, or of a mere letter without a type, decides nothing', () => {
  assert.equal(basisOf({ brand: 'apple', family: 'macbook-air', deviceType: 'mobile' }), 'brand:apple/mobile')
  assert.equal(basisOf({ brand: 'dell', family: 'u' }), 'weight-fit@1.24kg')
  assert.equal(basisOf({ brand: 'dell', family: 'u', deviceType: 'monitor' }), 'family:dell/u')
})

const rows = [...shippedReferenceData.fallbacks.values()]
const traits = fc.record({
  brand: fc.option(fc.constantFrom('apple', 'dell', 'hp', 'lenovo', 'microsoft', 'google', 'nobody')),
  family: fc.option(fc.constantFrom(...new Set(rows.flatMap(({ family }) => family ?? [])))),
  deviceType: fc.option(fc.constantFrom(...DEVICE_TYPES.filter((type) => type !== 'headphone'))),
  weightKg: fc.integer({ min: 170, max: 13_000 }).map((grams) => parseDecimal(`${grams / 1000}`)),
  screenInches: fc.option(fc.integer({ min: 50, max: 400 }).map((tenths) => parseDecimal(`${tenths / 10}`))),
})

/** Such a brand has its own mean, since the regression of its type was fitted without it. */
const isUnlikeItsType = ({ brand, deviceType }: ProductTraits): boolean =>
  shippedReferenceData.fallbacks.has(`brand:${brand}/${deviceType}`) &&
  !shippedReferenceData.fallbacks.has(`brand-fit:${brand}/${deviceType}`)

test('to know less never makes a stand-in surer, but for the brand of a device unlike others of its type', () => {
  const spreadOf = (known: ProductTraits) =>
    fallbackById(selectFallback(known, shippedReferenceData)!, shippedReferenceData)!.fallback.intervalLogSd
  fc.assert(
    fc.property(
      traits,
      fc.subarray(['brand', 'family', 'screenInches'] as const),
      fc.boolean(),
      (known, less, typeToo) => {
        fc.pre(!(less.includes('brand') && isUnlikeItsType(known)))
        const forgotten = Object.fromEntries(less.map((name) => [name, null]))
        const poorer = { ...known, ...forgotten, ...(typeToo && { deviceType: null, family: null }) }
        assert.ok(compare(spreadOf(poorer), spreadOf(known)) >= 0, `${selectFallback(known, shippedReferenceData)}`)
      },
    ),
    { numRuns: 1_000 },
  )
})

test('a basis says all that its figure is computed from', () => {
  fc.assert(
    fc.property(traits, (known) => {
      const basis = selectFallback(known, shippedReferenceData)!
      const { embodied, embodiedType, level } = footprintById(basis, ONE, shippedReferenceData)
      assert.equal(compare(embodied, footprintById(basis, known.weightKg, shippedReferenceData).embodied), 0)
      assert.equal(toDecimal(embodied, 6), toDecimal(embodied))
      assert.equal(embodiedType, level === 'family' ? 'estimated' : 'indicative')
    }),
  )
})

test('a basis that names no stand-in, or measures where it does not hold, is refused', () => {
  const broken = [
    'brand:dell/toaster',
    'type-fit:laptop',
    'type-fit:laptop@',
    'type-fit:laptop@1kg',
    'weight-fit@1kg,13in',
  ]
  const beyond = [
    'weight-fit@0kg',
    'weight-fit@99kg',
    'weight-fit@99kg,from 99kg',
    'type-fit:laptop@1kg,99in',
    'brand:dell/laptop@1kg',
  ]
  for (const basis of [...broken, ...beyond]) {
    assert.equal(fallbackById(basis, shippedReferenceData), null, basis)
    assert.throws(() => footprintById(basis, ONE, shippedReferenceData), RangeError, basis)
  }
})

test('every stand-in of the shipped figures is found by its own key', () => {
  for (const [key, fallback] of shippedReferenceData.fallbacks) assert.equal(fallbackKey(fallback), key)
})

test('a screen is read off the words that state it with its unit, and no other number is taken for one', () => {
  const screenOf = (productName: string) => {
    const { screenInches } = productTraits(anyProduct({ productName }), shippedReferenceData.matching)
    return screenInches && toDecimal(screenInches)
  }
  const stated = [
    'Swift 13.6"',
    'Swift 13,6 Zoll',
    'Swift 13.6-inch',
    'Swift 13.6″',
    'Swift 13.6 pouces',
    "Swift 13.6''",
  ]
  for (const name of stated) assert.equal(screenOf(name), '13.6', name)
  for (const name of ['MacBook Air 13 M3', 'P-000123', '13 intel', '2713.6"']) assert.equal(screenOf(name), null, name)
})
