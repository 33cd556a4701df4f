// English and German: the same messages with the same gaps, in every file of the console.
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { countedUnit } from '../../console/src/i18n/plural-units.ts'
import { fillIn } from '../../console/src/i18n/format-message.ts'
import { numberForm, withMinuses } from '../../console/src/i18n/number-form.ts'

const SOURCES = join(import.meta.dirname, '..', '..', 'console', 'src')
const files = globSync('**/messages.en.json', { cwd: SOURCES })

const read = (path: string) => JSON.parse(readFileSync(join(SOURCES, path), 'utf8')) as Readonly<Record<string, string>>
const gapsOf = (message: string) => [...new Set(message.match(/\{\w+\}/g))].sort()

test('every message is there in both languages, with the same gaps', () => {
  assert.ok(files.length > 3)
  for (const path of files) {
    const [en, de] = [read(path), read(path.replace('.en.', '.de.'))]
    assert.deepEqual(Object.keys(de), Object.keys(en), path)
    for (const [key, message] of Object.entries(en)) {
      assert.deepEqual(gapsOf(de[key]!), gapsOf(message), `${path}: ${key}`)
      assert.notEqual(de[key]!.trim(), '', `${path}: ${key}`)
    }
  }
})

test('gaps are filled in as the language counts and writes numbers', () => {
  const message = 'one model of {brand} | {count} models of {brand}'
  assert.equal(fillIn(message, { count: 1, brand: 'Dell' }, 'en'), 'one model of Dell')
  assert.equal(fillIn(message, { count: 1234, brand: '<b>' }, 'en'), '1,234 models of <b>')
  assert.equal(fillIn(message, { count: 1234, brand: 'Dell' }, 'de'), '1.234 models of Dell')
  assert.equal(fillIn('{unknown}', {}, 'en'), '{unknown}')
})

test('what is less than 0 has a minus sign, no hyphen, in numbers and in formulas', () => {
  assert.equal(fillIn('{change} %', { change: -1234.5 }, 'de'), '−1.234,5 %')
  assert.equal(numberForm('en', { style: 'percent', maximumFractionDigits: 1 }).format(-0.537), '−53.7%')
  assert.equal(withMinuses('(2 − 4.5) ÷ 5 × 100 = -50 of R-26'), '(2 − 4.5) ÷ 5 × 100 = −50 of R-26')
})

test('a unit that is a word goes with its number', () => {
  assert.equal(countedUnit(1, 'Monate', 'de'), 'Monat')
  assert.equal(countedUnit(1.5, 'Monate', 'de'), 'Monate')
  assert.deepEqual([countedUnit(1, 'months', 'en'), countedUnit(1, 'kg CO₂e', 'en')], ['month', 'kg CO₂e'])
})
