// What a product's words are matched to, by a book's own matcher or by what a receipt says of it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shippedBook } from '../../test/shipped-book.ts'
import { matchOf, matcherOf, textKey } from './match-product.ts'

const { book } = shippedBook()
const text = { productName: 'MacBook Air 13 M3 256GB', brand: 'Apple', deviceType: null, productId: 'sku-1' }

test('a book has one matcher, built once', () => {
  assert.equal(matcherOf(book), matcherOf(book))
  assert.notEqual(matcherOf({ ...book }), matcherOf(book))
})

test('words that mean a model are matched to it', () => {
  assert.equal(matchOf(text, book).model, 'apple-macbook-air-13-m3-256gb')
  assert.equal(matchOf({ ...text, productName: 'MacBook Air 13 M9' }, book).model, null)
})

test('a book of a receipt answers what the receipt says, and nothing for other words', () => {
  const said = { model: 'a', isVariant: true, candidates: [{ id: 'a', score: 0.5 }] }
  const ofReceipt = { ...book, nameMatches: new Map([[textKey(text), said]]) }
  assert.deepEqual(matchOf(text, ofReceipt), said)
  assert.equal(matchOf({ ...text, brand: null }, ofReceipt).model, null)
})
