// Every dataset rule has a malformed file that breaks only that rule, and the shipped files break none.
import assert from 'node:assert/strict'
import { readFileSync, readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { test } from 'node:test'
import { RULES, type Rule } from './violations.ts'
import { validateDatasets } from './validate-tables.ts'
import { DATASETS } from './columns.ts'
import { readDatasetFiles } from './files.ts'

const root = join(import.meta.dirname, '..', '..')
const fixtures = join(root, 'test', 'fixtures', 'malformed-datasets')
const wellFormed = new Map(
  ['RELEASE', ...Object.keys(DATASETS)].map((name) => [
    name,
    readFileSync(join(fixtures, 'well-formed', name), 'utf8'),
  ]),
)

/** Where each fixture breaks its rule, and words that the message must contain. */
const EXPECTED: Record<Rule, readonly [line: number, words: RegExp]> = {
  'missing-file': [1, /missing or empty/],
  'unreadable-file': [3, /not a CSV file/],
  'missing-column': [1, /no column "note"/],
  'unknown-column': [1, /column "colour"/],
  'cell-count': [3, /13 cells where the header has 12/],
  'bad-release': [1, /"November 2026" is not of the form/],
  'empty-cell': [3, /name: must not be empty/],
  'untidy-text': [3, /name: .*escapes/],
  'bad-id': [2, /id: "Board_1" is not small letters/],
  'bad-number': [3, /weight_kg: "1.3 kg" is not a plain decimal/],
  'too-many-decimals': [2, /factor_kg_co2e_per_kg: "1.2000000001" has more than 9/],
  'out-of-range': [3, /lifetime_months: 4 is not within 12 to 180/],
  'not-in-list': [2, /licence: "all rights reserved" is not one of/],
  'bad-url': [3, /url: "the catalogue" is not a web address/],
  'bad-origin': [3, /source: "I think so"/],
  'bad-country': [2, /country: "UK" is not an ISO 3166-1/],
  'duplicate-row': [3, /same model_id and alias: ab13-256/],
  'unknown-source': [2, /sources.csv has no "hearsay"/],
  'not-one-row': [1, /holds 2 rows/],
  'no-footprint': [3, /neither a total nor a production/],
  'missing-total': [3, /production alone/],
  'production-exceeds-total': [3, /production 200.5 is more than the total 200/],
  'use-exceeds-total': [3, /use 200 leaves nothing of the total 200/],
  'stages-exceed-total': [3, /add up to more than the total 200/],
  'wtw-not-the-sum': [3, /tank-to-wheel plus well-to-tank/],
  'outside-its-range': [3, /5 is not within 6 to 25/],
  'losses-exceed-generation': [2, /losses 0.36 are more than the generation 0.35/],
  'energy-not-the-product': [2, /29.3 kWh is not power times hours times days/],
  'id-without-brand': [4, /"book-17" does not begin with the brand "Acme"/],
  'id-without-mode': [2, /"van" does not begin with the mode "road"/],
  'basis-not-of-mode': [2, /road cannot be meant for great_circle/],
  'unexplained-exclusion': [3, /needs a note/],
  'alias-of-no-model': [3, /no model "acme-book-14"/],
  'alias-is-another-id': [3, /"Acme-Book-15" is the id of another model/],
  'missing-type-default': [1, /no row for "monitor"/],
  'default-without-embodied': [2, /laptop needs an embodied figure/],
  'neither-mean-nor-regression': [3, /all of a regression/],
  'unmarked-assumption': [7, /use_share_sheets below 5/],
  'ambiguous-default': [3, /default of "laptop" already/],
  'not-one-default-series': [1, /0 rows are the default/],
  'factors-of-no-series': [2, /no series "surveyed" beside the default/],
  'unknown-energy-carrier': [2, /energy-carriers.csv has no "benzine"/],
  'missing-mode': [1, /no row for "air"/],
  'bad-spelling': [5, /word: "\*Hülle\*" is not small letters without accents/],
  'missing-meaning': [2, /list "brand" needs a meaning/],
  'needless-meaning': [6, /list "ignored" has no meaning/],
  'misplaced-sign': [6, /list "ignored" must not contain \*/],
  'bad-pattern': [2, /Unterminated group/],
  'other-example': [2, /"bk13" becomes "book 13", not "book13"/],
  'facts-of-no-model': [2, /no model "acme-bok-1#\*"/],
  'half-a-range': [2, /intel_first and intel_last/],
  'synonym-of-nothing': [2, /no transportation or packaging "karton"/],
  'carrier-of-nothing': [2, /no transportation "road-tram"/],
  'transport-and-none': [3, /"pickup" means no transport in another row/],
  'line-of-nobody': [3, /has to mean it without one/],
  'known-is-a-model': [3, /"acme-book-13" is the id of a model/],
  'knows-nothing': [2, /neither a code nor a figure/],
  'code-of-several': [3, /code "ab17" of Acme/],
}

const malformed = readdirSync(fixtures, { withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map(({ name }) => name)
const ruleOf = (fixture: string): string => fixture.slice(0, fixture.indexOf('.'))

function datasetOf(fixture: string): string {
  const name = fixture.slice(fixture.indexOf('.') + 1)
  const file = [...wellFormed.keys()].find((path) => basename(path) === name)
  assert.ok(file, `${fixture} is named after no dataset`)
  return file
}

test('the well-formed example breaks no rule', () => {
  assert.deepEqual(validateDatasets(wellFormed), [])
})

test('every rule has a malformed file, and every malformed file a rule', () => {
  assert.deepEqual(malformed.map(ruleOf).sort(), [...RULES].sort())
})

for (const fixture of malformed) {
  test(`${fixture} is reported with its file, line and reason, and nothing else is`, () => {
    const file = datasetOf(fixture)
    const breaches = validateDatasets(new Map(wellFormed).set(file, readFileSync(join(fixtures, fixture), 'utf8')))
    const rule = ruleOf(fixture) as Rule
    const [line, words] = EXPECTED[rule]
    assert.deepEqual(
      breaches.map((found) => [found.file, found.line, found.rule]),
      [[file, line, rule]],
    )
    assert.match(breaches[0]!.message, words)
  })
}

test('all breaches are reported at once, in the order of files and lines', () => {
  const transports = wellFormed.get('transports.csv')!.replaceAll('survey', 'hearsay').replace('0.65', '0.66')
  const breaches = validateDatasets(new Map(wellFormed).set('transports.csv', transports).set('RELEASE', '1'))
  assert.deepEqual(
    breaches.map(({ file, line, rule }) => `${file}:${line} ${rule}`),
    [
      'RELEASE:1 bad-release',
      'transports.csv:2 unknown-source',
      'transports.csv:2 wtw-not-the-sum',
      'transports.csv:3 unknown-source',
    ],
  )
})

test('the shipped datasets break no rule', () => {
  assert.deepEqual(validateDatasets(readDatasetFiles(join(root, 'data'))), [])
})
