// Search: the matcher's result comes first, then its siblings, then the models with all the words.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rounds } from '../../../test/rounds.ts'
import { shippedReferenceData } from '../../../test/shipped-book.ts'
import { createMatcher } from './matcher.ts'

const { referenceData } = shippedReferenceData()
const matcher = createMatcher(referenceData)
const ids = (query: string, limit = 10) => matcher.search(query, limit).map(({ id }) => id)
const meant = (query: string) =>
  matcher.match({ productName: query, brand: null, deviceType: null, productId: null }).model

test('the first hit is the model that the matcher takes, however it is written', () => {
  const manners: readonly ((brand: string, name: string) => string)[] = [
    (brand, name) => `${brand} ${name}`,
    (_brand, name) => name,
    (brand, name) => `${name} ${brand}`.toUpperCase(),
    (brand, name) => `${brand} ${name}`.replace(/[^A-Za-z0-9.+]+/g, '_'),
    (brand, name) => `${brand} ${name} 16GB RAM refurbished`,
  ]
  // Each manner has as many models, of all with TEST_LONG=1.
  const others = [...referenceData.models.values()]
    .map(({ brand, name }, at) => manners[at % manners.length]!(brand, name))
    .filter((_, at) => at % rounds(3, 1) === 0)
    .filter((text) => meant(text) !== null && ids(text, 1)[0] !== meant(text))
  assert.deepEqual(others, [])
})

test('siblings of the model come next, before models that share no more than the words', () => {
  const found = ids('iPhone 13 Pro 512GB', 50)
  const own = found.findLastIndex((id) => /^apple-iphone-13-pro-\d/.test(id))
  assert.ok(own > 0)
  assert.ok(found.slice(0, own + 1).every((id) => /^apple-iphone-13-pro-\d/.test(id)))
})

test('hits come best first, each once, and no more of them than asked for', () => {
  for (const query of ['iphone', 'latitude 54', 'Surface Laptop 4', 'dell monitor', 'u27']) {
    const hits = matcher.search(query, 20)
    assert.ok(hits.length > 0 && hits.length <= 20, query)
    assert.equal(new Set(hits.map(({ id }) => id)).size, hits.length)
    for (const [at, { score }] of hits.entries()) {
      assert.ok(score > 0 && score <= (hits[at - 1]?.score ?? 1), query)
    }
  }
})

test('a query without a word finds nothing', () => {
  for (const query of ['', '  ', '()', '–']) assert.deepEqual(ids(query), [])
})
