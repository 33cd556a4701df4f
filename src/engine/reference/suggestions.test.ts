// Suggestions: a typing error finds the intended name, and nonsense finds nothing.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { leastTime } from '../../../test/least-time.ts'
import { shippedReferenceData } from '../../../test/shipped-book.ts'
import { closestMatches } from './suggestions.ts'

const { referenceData } = shippedReferenceData()
const transports = [...referenceData.transports.keys()]
const packagings = [...referenceData.packagings.keys()]

test('a name of the list is its own nearest, whatever its case', () => {
  for (const name of [...transports, ...packagings]) {
    assert.equal(closestMatches(name.toUpperCase(), [...transports, ...packagings])[0], name)
  }
})

test('a name with one letter left out is among the nearest', () => {
  fc.assert(
    fc.property(fc.constantFrom(...transports), fc.nat(40), (name, at) => {
      const slip = name.slice(0, at % name.length) + name.slice((at % name.length) + 1)
      assert.ok(closestMatches(slip, transports).includes(name), slip)
    }),
  )
})

test('there are at most three, all of the list, in the same sequence however the list is sorted', () => {
  const shuffled = fc.shuffledSubarray(transports, { minLength: transports.length })
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.constantFrom(...transports)), shuffled, (text, list) => {
      const found = closestMatches(text, list)
      assert.ok(found.length <= 3 && found.every((name) => transports.includes(name)))
      assert.deepEqual(found, closestMatches(text, transports))
    }),
  )
})

test('what is like none of them finds none', () => {
  for (const text of ['', 'zzzz', '\u202e', '💻💻💻']) assert.deepEqual(closestMatches(text, transports), [])
  assert.deepEqual(closestMatches('road-van-diesel', []), [])
})

test('a hostile name of any length costs no more than a short one', () => {
  const [long, short] = [1_000_000, 50].map((count) => {
    const name = 'ab'.repeat(count)
    return leastTime(() => closestMatches(name, referenceData.models.keys()))
  })
  assert.ok(long! < 10 * short!, `${long} and ${short} ms`)
})
