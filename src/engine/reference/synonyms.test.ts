// Synonyms: English and German words find the names they mean, and never a name that is not available.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { leastTime } from '../../../test/least-time.ts'
import { shippedReferenceData } from '../../../test/shipped-book.ts'
import { DEVICE_TYPES } from './reference-data.ts'
import { resolveSynonym, resolveCountry } from './synonyms.ts'

const { referenceData } = shippedReferenceData()

test('types of devices are meant by the words of the trade, whatever their case', () => {
  const words = { Laptop: 'laptop', NOTEBOOK: 'laptop', Smartphone: 'mobile', phone: 'mobile', Handy: 'mobile' }
  const others = {
    Bildschirm: 'monitor',
    'Gaming Console': 'gaming_console',
    Kopfhörer: 'headphone',
    Tablett: 'tablet',
  }
  for (const [word, type] of Object.entries({ ...words, ...others })) {
    assert.deepEqual(resolveSynonym(word, DEVICE_TYPES), [type], word)
  }
  for (const word of ['', 'Kamera', '__proto__']) assert.deepEqual(resolveSynonym(word, DEVICE_TYPES), [], word)
})

test('transportations and packagings are meant by what they are usually called', () => {
  const { transports, packagings, matching } = referenceData
  const all = (word: string, names: Iterable<string>) => resolveSynonym(word, names, matching.synonyms)
  const first = (word: string, names: Iterable<string>) => all(word, names)[0]
  assert.equal(first('LKW', transports.keys()), 'road-truck-average')
  assert.equal(first('van', transports.keys()), 'road-van-average')
  assert.equal(first('Seefracht', transports.keys()), 'sea-container-average')
  assert.equal(first('Bahn', transports.keys()), 'rail-freight')
  assert.deepEqual(all('Luftfracht', transports.keys()), ['air-short-haul', 'air-long-haul'])
  assert.equal(first('Karton', packagings.keys()), 'corrugated-board-recycled')
  assert.equal(first('Styropor', packagings.keys()), 'expanded-polystyrene')
  assert.equal(first('road-van-deisel', transports.keys()), 'road-van-diesel')
})

test('every country is meant by its code in small letters, and by its English and its German name', () => {
  const names = ['en', 'de'].map((language) => new Intl.DisplayNames([language], { type: 'region' }))
  for (const code of referenceData.grid.keys()) {
    for (const word of [code.toLowerCase(), ...names.map((name) => name.of(code)!)]) {
      assert.deepEqual(resolveCountry(word), [code], word)
    }
  }
})

test('what is meant by any text is a country that orders may name', () => {
  const letters = [...'abcdefghijklmnopqrstuvwxyz']
  const pairs = letters.flatMap((one) => letters.map((other) => one + other))
  const threes = ['deu', 'aut', 'che', 'gbr', 'usa', 'nld', 'fra', 'ita', 'esp', 'bel', 'pol', 'lux', 'cze', 'grc']
  for (const word of [...pairs, ...letters, ...threes, 'UK', 'EL', 'BRD', 'Holland', 'England']) {
    for (const code of resolveCountry(word)) assert.ok(referenceData.grid.has(code), word)
  }
  assert.deepEqual([resolveCountry('D'), resolveCountry('UK'), resolveCountry('EL')], [['DE'], ['GB'], ['GR']])
  for (const word of ['', 'XX', 'EU', 'Europäische Union', 'constructor'])
    assert.deepEqual(resolveCountry(word), [], word)
})

test('a hostile text of any length costs no more than a short one', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary' }),
      (text) => resolveSynonym(text, DEVICE_TYPES).length <= DEVICE_TYPES.length,
    ),
  )
  const [long, short] = [1_000_000, 500].map((count) => {
    const text = 'ab'.repeat(count)
    return leastTime(() => [resolveSynonym(text, referenceData.transports.keys()), resolveCountry(text)])
  })
  assert.ok(long! < 10 * short!, `${long} and ${short} ms`)
})
