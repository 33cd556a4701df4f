// The matcher against texts as people write them: how many models it finds, and that it takes none for another.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMatcher } from './matcher.ts'
import { productText, readCases, SETS } from '../../../test/matching-cases.ts'
import { shippedReferenceData } from '../../../test/shipped-book.ts'

const { referenceData } = shippedReferenceData()
const matcher = createMatcher(referenceData)

/** Texts that mean a model and are matched to none. */
const MISSED_MAX = { tune: 0, outside: 0, final: 1, blind: 16, 'unseen-a': 0, 'unseen-b': 1, 'unseen-c': 0 }

test('no two entries have the same id, whichever set they are of', () => {
  const ids = SETS.flatMap(readCases).map(({ id }) => id)
  assert.equal(new Set(ids).size, ids.length)
})

for (const set of SETS) {
  const cases = readCases(set)
  const answers = cases.map((one) => ({ ...one, model: matcher.match(productText(one)).model }))

  test(`${set}: every text is told apart from every other, and names models of the catalogue`, () => {
    assert.equal(new Set(cases.map((one) => JSON.stringify(productText(one)))).size, cases.length)
    const unknown = cases.flatMap(({ acceptable }) => acceptable).filter((id) => !referenceData.models.has(id))
    assert.deepEqual(unknown, [])
  })

  test(`${set}: no text is matched to a model that it does not mean`, () => {
    const wrong = answers.filter(({ model, acceptable }) => model !== null && !acceptable.includes(model))
    assert.deepEqual(
      wrong.map(({ id, text, model }) => ({ id, text, model })),
      [],
    )
  })

  test(`${set}: of the texts that mean a model, at most ${MISSED_MAX[set]} are missed`, () => {
    const missed = answers.filter(({ model, acceptable }) => model === null && acceptable.length > 0)
    assert.ok(missed.length <= MISSED_MAX[set], JSON.stringify(missed.map(({ id, text }) => ({ id, text }))))
  })
}
