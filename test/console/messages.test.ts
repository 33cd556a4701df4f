// English and German: the same messages with the same gaps, in every file of the console.
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from '@formatjs/icu-messageformat-parser'
import { localFormula } from '../../console/src/components/formula.ts'
import { countedUnit } from '../../console/src/i18n/plural-units.ts'
import { parseMessage } from '../../scripts/parse-messages.ts'
import { formatMessage, type Values } from '../../console/src/i18n/format-message.ts'
import { numberForm, withMinuses } from '../../console/src/i18n/number-form.ts'

const SOURCES = join(import.meta.dirname, '..', '..', 'console', 'src')
const files = globSync('**/messages.en.json', { cwd: SOURCES })

const read = (path: string) => JSON.parse(readFileSync(join(SOURCES, path), 'utf8')) as Readonly<Record<string, string>>
/** The names that a message needs; mixed: those that it has as a count and as they are, so written in two ways. */
function namesOf(message: string): { readonly all: readonly string[]; readonly mixed: readonly string[] } {
  const found = argumentsOf(parse(message, { ignoreTag: true }))
  const [plain, typed] = [true, false].map(
    (isPlain) => new Set(found.filter((one) => one.isPlain === isPlain).map(({ name }) => name)),
  )
  return {
    all: [...new Set(found.map(({ name }) => name))].sort(),
    mixed: [...plain!].filter((name) => typed!.has(name)),
  }
}

type Elements = ReturnType<typeof parse>
/** Texts between arguments, and arguments that are put in as they are, as the parser numbers them. */
const LITERAL: Elements[number]['type'] = 0
const ARGUMENT: Elements[number]['type'] = 1

function argumentsOf(elements: Elements): readonly { readonly name: string; readonly isPlain: boolean }[] {
  return elements.flatMap((element) => {
    if (!('value' in element) || element.type === LITERAL) return []
    const nested = 'options' in element ? Object.values(element.options).flatMap(({ value }) => argumentsOf(value)) : []
    return [{ name: element.value, isPlain: element.type === ARGUMENT }, ...nested]
  })
}

test('every message is there in both languages, with the same gaps', () => {
  assert.ok(files.length > 3)
  for (const path of files) {
    const [en, de] = [read(path), read(path.replace('.en.', '.de.'))]
    assert.deepEqual(Object.keys(de), Object.keys(en), path)
    for (const [key, message] of Object.entries(en)) {
      assert.deepEqual(namesOf(de[key]!), namesOf(message), `${path}: ${key}`)
      assert.deepEqual(namesOf(message).mixed, [], `${path}: ${key}`)
      assert.notEqual(de[key]!.trim(), '', `${path}: ${key}`)
    }
  }
})

const format = (message: string, values: Values, language: string) =>
  formatMessage(parseMessage(message), values, language)

test('gaps are filled in as the language counts and writes numbers', () => {
  const message = '{count, plural, one {one model} other {# models}} of {brand}'
  assert.equal(format(message, { count: 1, brand: 'Dell' }, 'en'), 'one model of Dell')
  assert.equal(format(message, { count: 1234, brand: '<b>' }, 'en'), '1,234 models of <b>')
  assert.equal(format(message, { count: 1234, brand: 'Dell' }, 'de'), '1.234 models of Dell')
  assert.equal(
    format('{mass, number, exact} kg on {on, date, day}', { mass: 1.23456, on: '2026-01-31' }, 'de'),
    '1,23456 kg on 31.01.2026',
  )
  const none = '{count, plural, =0 {no model} one {one model} other {# models}}'
  assert.deepEqual(
    [0, 1, 2].map((count) => format(none, { count }, 'de')),
    ['no model', 'one model', '2 models'],
  )
  assert.throws(() => format('{unknown}', {}, 'en'), /unknown/)
  assert.throws(() => formatMessage('{unknown}', {}, 'en'), /not parsed/)
})

test('what is less than 0 has a minus sign, no hyphen, in numbers and in formulas', () => {
  assert.equal(format('{change} %', { change: -1234.5 }, 'de'), '−1.234,5 %')
  assert.equal(numberForm('en', { style: 'percent', maximumFractionDigits: 1 }).format(-0.537), '−53.7%')
  assert.equal(withMinuses('(2 − 4.5) ÷ 5 × 100 = -50 of R-26'), '(2 − 4.5) ÷ 5 × 100 = −50 of R-26')
})

test('a formula has decimals and words as the language writes them', () => {
  const formula = 'W × Σ(months ÷ 12 × EF) = 20.5 × (min(0.1, 12 − 3) ÷ 12 × -0.4) = 1000.25'
  assert.equal(localFormula(formula, 'en'), formula.replace('-', '−'))
  assert.equal(localFormula(formula, 'de'), 'W × Σ(Monate ÷ 12 × EF) = 20,5 × (min(0,1; 12 − 3) ÷ 12 × −0,4) = 1000,25')
  assert.equal(localFormula('left = 1.5', 'de'), 'Rest = 1,5')
})

test('a decimal that is a text keeps every digit', () => {
  const long = '123456789.123456789012'
  assert.equal(format('{mass, number, exact}', { mass: long }, 'de'), '123.456.789,123456789012')
})

test('a unit that is a word goes with its number', () => {
  assert.equal(countedUnit(1, 'Monate', 'de'), 'Monat')
  assert.equal(countedUnit(1.5, 'Monate', 'de'), 'Monate')
  assert.deepEqual([countedUnit(1, 'months', 'en'), countedUnit(1, 'kg CO₂e', 'en')], ['month', 'kg CO₂e'])
})
