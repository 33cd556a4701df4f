// Product lines against names whose types have sources: the models of the catalogue and the known devices.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shippedReferenceData } from '../../../test/shipped-book.ts'
import { brandKey } from '../reference/product-family.ts'
import { normalisedWords } from './brand.ts'
import { deviceTypeInText } from './device-type.ts'
import { lineInWords } from './product-lines.ts'

const { referenceData } = shippedReferenceData()

test('no product line gives a model of the catalogue or a known device another type than its source', () => {
  const named = [...referenceData.models.values(), ...referenceData.knownDevices.values()]
  const found = named.flatMap(({ name, brand, type }) => {
    const words = normalisedWords(name)
    const line = lineInWords(words, brandKey(brand), referenceData.matching.lines)
    // A line counts only where no word tells the type.
    return line && deviceTypeInText(name, brandKey(brand), referenceData.matching) === null
      ? [{ name: `${brand} ${name}`, type, line: line.line.type, words: line.words }]
      : []
  })
  // Two-in-ones are laptops in some sources and tablets in others.
  const kindOf = (type: string) => (type === 'tablet' ? 'laptop' : type)
  const wrong = found.filter(({ type, line }) => kindOf(type) !== kindOf(line))
  assert.ok(found.length > named.length / 2, `${found.length} of ${named.length}`)
  assert.deepEqual(wrong, [])
})
