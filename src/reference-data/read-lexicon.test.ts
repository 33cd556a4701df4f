// The words under data/matching decide what matches, and a stored release without words of its own uses the shipped.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shippedReferenceData } from '../../test/shipped-book.ts'
import { createMatcher, matcherFor, type ProductText } from '../engine/matching/matcher.ts'
import type { ReferenceData } from '../engine/reference/reference-data.ts'
import { unknownTransport } from '../engine/validate-order.ts'
import type { DatasetFiles } from './files.ts'
import { DatasetError, loadArchivedRelease, loadReferenceData } from './load.ts'

const { files, referenceData } = shippedReferenceData()
const M3 = 'apple-macbook-air-13-m3-256gb'

/** The shipped files with one more row in a file. */
const withRow = (name: string, row: string): DatasetFiles =>
  new Map(files).set(`matching/${name}.csv`, `${files.get(`matching/${name}.csv`)!}${row}\n`)

const withoutMatching = new Map([...files].filter(([name]) => !name.startsWith('matching/')))

function match(productName: string, own: DatasetFiles, text: Partial<ProductText> = {}) {
  const product = { productName, brand: null, deviceType: null, productId: null, ...text }
  const matcher = own === files ? matcherFor(referenceData) : createMatcher(loadReferenceData(own))
  const { model, isAccessory } = matcher.match(product)
  return isAccessory ? 'accessory' : model
}

test('a row that is added to a file changes what matches', () => {
  for (const [productName, name, row, before, after] of [
    ['MacBook Air 13 M3 256GB Kuscheldecke', 'words', 'accessory,*decke,,', M3, 'accessory'],
    ['MacBook Air 13 M3 256GB Ursa', 'words', 'line,ursa,,', M3, null],
    ['Äpfelchen MacBook Air 13 M3 256GB', 'words', 'brand,apfelchen,dell,', M3, null],
    ['MacBook Air 13 M3 256GB Klapprechner', 'words', 'device_type,klapprechner,tablet,', M3, null],
    ['McB 13 M3 256GB', 'abbreviations', String.raw`\bmcb\b,macbook air,mcb 13,macbook air 13,`, null, M3],
    ['Apple A9876 256GB', 'model-facts', `${M3},,,,,a9876,,,,,,,,,,,,`, null, M3],
    ['Dell Precision 5560 RTX 6070', 'processors', 'rtx_series,6,2027,', 'dell-precision-5560', null],
  ] as const) {
    assert.equal(match(productName, files), before, productName)
    assert.equal(match(productName, withRow(name, row)), after, row)
  }
})

test('batteries that a release before 2026.12.7 lists by themselves are spare parts', () => {
  const text = 'Knopfzelle MacBook Air 13 M3 256GB'
  assert.equal(match(text, files), M3)
  assert.equal(match(text, withRow('words', 'battery,*zelle,,')), 'accessory')
})

test('a synonym that is added is suggested', () => {
  const suggestions = (own: DatasetFiles) =>
    unknownTransport('Kutsche', '/id', loadReferenceData(own)).suggestions?.includes('road-van-diesel') ?? false
  assert.equal(suggestions(files), false)
  assert.equal(suggestions(withRow('synonyms', 'road-van-diesel,kutsche,')), true)
})

test('a name of a carrier that is added is suggested, and a release from before there were any has none', () => {
  const suggested = (text: string, data: ReferenceData) => unknownTransport(text, '/id', data).suggestions ?? []
  const own = loadReferenceData(withRow('carriers', 'kutschenpost eil,road-van-diesel,A coach,editors'))
  assert.deepEqual(suggested('Kutschenpost-Eil 3 kg', referenceData), [])
  assert.deepEqual(suggested('Kutschenpost-Eil 3 kg', own), ['road-van-diesel'])
  const stored = new Map(files)
  stored.delete('matching/carriers.csv')
  const older = loadArchivedRelease(stored, referenceData.matching)
  assert.deepEqual([suggested('DHL Paket', older), suggested('LKW', older)], [[], ['road-truck-average']])
})

test('the words are part of the release: its hash and its name change with them', () => {
  const other = loadReferenceData(withRow('words', 'ignored,ursa,,'))
  assert.notEqual(other.hash, referenceData.hash)
  assert.notEqual(other.release, referenceData.release)
})

test('all faults in the words are reported at once, with file and line', () => {
  const broken = new Map(files)
    .set('matching/words.csv', 'list,word,meaning,colour\nbrand,acme,,\nbrand,ACME,acme,\ncolour,red,,\n')
    .set('matching/synonyms.csv', 'id,word,note\nroad-van-diesel,,\nroad-van-diesel,van,\nroad-van-diesel,van,\n')
  assert.throws(
    () => loadReferenceData(broken),
    (error) => {
      assert.ok(error instanceof DatasetError)
      assert.deepEqual(
        error.breaches.map(({ file, line, rule }) => `${file}:${line} ${rule}`),
        [
          'matching/words.csv:1 missing-column',
          'matching/words.csv:1 unknown-column',
          'matching/words.csv:2 missing-meaning',
          'matching/words.csv:3 bad-spelling',
          'matching/words.csv:3 duplicate-row',
          'matching/words.csv:4 not-in-list',
          'matching/synonyms.csv:2 empty-cell',
          'matching/synonyms.csv:4 duplicate-row',
        ],
      )
      return true
    },
  )
})

test('a stored release keeps its own words; one from before releases had words uses the shipped ones', () => {
  const own = loadArchivedRelease(withRow('words', 'brand,ursa,apple,'), referenceData.matching)
  assert.equal(own.matching.meanings.brand.get('ursa'), 'apple')
  const older = loadArchivedRelease(withoutMatching, referenceData.matching)
  assert.equal(older.matching, referenceData.matching)
  assert.deepEqual(older.models, referenceData.models)
  const { match } = createMatcher(older)
  const text = { productName: 'Latitude 5420', brand: null, deviceType: null, productId: null }
  assert.deepEqual(match(text), createMatcher(referenceData).match(text))
})
