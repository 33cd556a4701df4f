// A product id that is a short number of one maker, beside a name or brand of another.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anyProduct } from '../../../test/product-arbitraries.ts'
import { shippedReferenceData } from '../../../test/shipped-book.ts'
import { NO_MAPPINGS, matchProduct, rematchProduct } from './product-match.ts'

const { referenceData } = shippedReferenceData()
const match = (productId: string, productName: string | null, brand: string | null) =>
  matchProduct(anyProduct({ productId, productName, brand, deviceType: null }), referenceData, NO_MAPPINGS)

test('a short number of one maker names no model of a product that states another maker', () => {
  for (const [name, brand] of [
    ['X540LA', 'Asus'],
    ['Asus X540LA', null],
    ['ThinkPad T480', null],
    ['Laptop lock', 'Kensington'],
    ['Galaxy S9', 'Samsung Electronics'],
  ] as const)
    assert.doesNotMatch(match('A1589', name, brand).footprintId, /apple/, `${brand} ${name}`)
})

test('it names the model if the product states its maker or none', () => {
  for (const [name, brand] of [
    [null, null],
    ['Smartphone', null],
    ['iPhone 6', 'Apple'],
    ['Phone of the sales team', 'n/a'],
    ['iPhone', 'Apple Inc.'],
  ] as const)
    assert.deepEqual(match('A1589', name, brand), { footprintId: 'apple-iphone-6-16gb', matchMethod: 'alias' })
})

test('an id, and a long part number, name their model whatever else the product states', () => {
  assert.equal(match('apple-iphone-6-16gb', 'X540LA', 'Asus').footprintId, 'apple-iphone-6-16gb')
  const long = [...referenceData.aliases].find(([alias, bearers]) => alias.length > 8 && bearers.length === 1)!
  assert.equal(match(long[0], 'X540LA', 'Some shop').footprintId, long[1][0])
})

test('what was matched by such a number before stays so', () => {
  const product = anyProduct({ productId: 'A1589', productName: 'X540LA', brand: 'Asus', deviceType: null })
  const stored = { footprintId: 'apple-iphone-6-16gb', matchMethod: 'alias' } as const
  assert.deepEqual(rematchProduct(product, stored, referenceData, NO_MAPPINGS), stored)
})
