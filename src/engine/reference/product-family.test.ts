// The family of a name: which words distinguish families, and which are ignored.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shippedReferenceData } from '../../../test/shipped-book.ts'
import { brandKey, productFamily } from './product-family.ts'

const { matching } = shippedReferenceData().referenceData
const familyOf = (name: string, brand: string) => productFamily(name, brand, matching)

test('a name leads to its family, whatever its size, generation and storage', () => {
  const names: readonly (readonly [name: string, brand: string, family: string | null])[] = [
    ['MacBook Air 13 M3 256GB', 'Apple', 'macbook-air'],
    ['Apple MacBook Air 15-inch', 'apple', 'macbook-air'],
    ['apple-macbook-air-13-m3-8gb-256gb-midnight', 'Apple', 'macbook-air'],
    ['MacBook Pro 13 (2019)', 'Apple', 'macbook-pro'],
    ['ThinkPad T490 / ThinkPad P43s', 'Lenovo', 'thinkpad-t'],
    ['U2722DE', 'Dell', 'u'],
    ['EliteBook 840 14-inch G10', 'HP', 'elitebook'],
    ['14-inch Gaming Notebook PC', 'HP', null],
    ['', 'HP', null],
    ['HP', 'HP', null],
  ]
  for (const [name, brand, family] of names) assert.equal(familyOf(name, brand), family, name)
})

test('grades behind the number are no kin of the plain model', () => {
  const phones = ['iPhone 15', 'iPhone 15 Plus', 'iPhone 15 Pro', 'iPhone 15 Pro Max', 'iPhone 13 mini']
  const families = phones.map((name) => familyOf(name, 'Apple'))
  assert.deepEqual(families, ['iphone', 'iphone-plus', 'iphone-pro', 'iphone-pro-max', 'iphone-mini'])
  assert.equal(familyOf('Galaxy S25+', 'Samsung'), familyOf('Galaxy S24 Plus', 'Samsung'))
})

test('brands are compared without case, accents and punctuation', () => {
  assert.equal(brandKey(' Hewlett–Packard '), brandKey('HEWLETT PACKARD'))
  assert.equal(brandKey('Café'), 'cafe')
})
