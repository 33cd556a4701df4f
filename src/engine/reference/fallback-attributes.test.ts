// Traits read from a product text that names no model, for all spellings of manufacturer, type and screen.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anyProduct } from '../../../test/product-arbitraries.ts'
import { shippedReferenceData } from '../../../test/shipped-book.ts'
import { productTraits, selectFallback } from './fallback.ts'
import type { Product } from '../order.ts'

const { referenceData } = shippedReferenceData()
const { brand: brands, product_line: lines } = referenceData.matching.meanings
const traitsOf = (changes: Partial<Product>) => productTraits(anyProduct(changes), referenceData.matching)
const basisOf = (changes: Partial<Product>) => selectFallback(traitsOf(changes), referenceData)

test('a maker is the same maker under every spelling, and under the name of its line', () => {
  for (const [spelling, maker] of [...brands, ...lines]) {
    const own = basisOf({ brand: maker, deviceType: 'laptop' })
    assert.equal(basisOf({ brand: spelling.toUpperCase(), deviceType: 'laptop' }), own, spelling)
    assert.equal(traitsOf({ productName: `${spelling} 99999` }).brand, maker, spelling)
  }
  for (const brand of ['HP', 'Hewlett Packard', 'Hewlett-Packard', 'HP Inc.', 'hpe'])
    assert.equal(basisOf({ brand, deviceType: 'laptop' }), 'brand:hp/laptop', brand)
})

test('a family is found whether or not its maker is named', () => {
  for (const [productName, brand] of [
    ['MacBook Air 13 M9', 'Apple'],
    ['MacBook Air 13 M9', 'MacBook'],
    ['MacBook Air 13 M9', null],
    ['Apple MacBook Air 13 M9', null],
  ] as const)
    assert.equal(basisOf({ productName, brand, deviceType: 'laptop' }), 'family:apple/macbook-air')
  const own = basisOf({ productName: 'HP EliteBook 899 G99', deviceType: 'laptop' })
  assert.equal(own, 'family:hp/elitebook')
  for (const productName of ['EliteBook 899 G99', 'Hewlett-Packard EliteBook 899 G99', 'HP Inc. EliteBook 899 G99'])
    assert.equal(basisOf({ productName, deviceType: 'laptop' }), own, productName)
  for (const [spelling, maker] of brands) {
    const { family } = traitsOf({ productName: `${spelling} Somebook 99` })
    const isLine = referenceData.matching.words.brand_in_family.has(spelling)
    assert.equal(family, isLine ? `${spelling}-somebook` : 'somebook', `${spelling} of ${maker}`)
  }
})

test('a type that the words name counts where none is stated, and no type where they name two', () => {
  assert.equal(basisOf({ productName: 'Nobody Notebook' }), 'type:laptop')
  assert.equal(basisOf({ productName: 'Nobody Notebook', deviceType: 'tablet' }), 'type:tablet')
  assert.equal(basisOf({ productName: 'Notebook Tablet' }), 'weight-fit@1.24kg')
})
