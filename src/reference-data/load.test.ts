// The reference data from the shipped datasets: key figures, exact, and a release name that depends on the content.
import { averageIntensity } from '@tgwf/co2'
import countries from 'i18n-iso-countries/index.js'
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { aliasKey, type YearFigure } from '../engine/reference/reference-data.ts'
import {
  ONE,
  compare,
  divide,
  parseDecimal,
  rationalOfNumber,
  subtract,
  toDecimal,
  whole,
  type Rational,
} from '../engine/numbers/rational.ts'
import { hashContent, readDatasetFiles } from './files.ts'
import { DatasetError, loadReferenceData, loadArchivedRelease } from './load.ts'

const DATA = join(import.meta.dirname, '..', '..', 'data')
const files = readDatasetFiles(DATA)
const referenceData = loadReferenceData(files)
const exact = (value: Rational | null | undefined): string | null => (value ? toDecimal(value) : null)

test('the MacBook Air 13 M3 256GB embodies its total less its use', () => {
  const model = referenceData.models.get('apple-macbook-air-13-m3-256gb')!
  assert.equal(model.name, 'MacBook Air 13 M3 256GB')
  assert.equal(exact(model.total), '135')
  assert.equal(exact(subtract(model.total!, model.productUse!)), '109.35')
  assert.equal(model.lifetimeMonths, null)
})

test('freight, packaging, weight and grid factors are those of their sources, exactly', () => {
  assert.equal(exact(referenceData.transports.get('road-van-diesel')?.factor), '0.78225')
  assert.equal(exact(referenceData.transports.get('air-long-haul')?.factor), '0.66646')
  assert.equal(exact(referenceData.packagings.get('corrugated-board-virgin')?.factor), '1.199725')
  assert.equal(exact(referenceData.itEquipment.factor), '24.86547556')
  assert.equal(exact(referenceData.distanceAdjustments.air.addedKm), '95')
  assert.deepEqual(
    referenceData.grid.get('DE')?.map(({ year, factor }) => [year, exact(factor)]),
    [[2024, '0.34206']],
  )
})

test('a model that states no lifetime or use falls back to the median of its type', () => {
  assert.equal(referenceData.typeDefaults.get('laptop')?.lifetimeMonths, 48)
  assert.equal(exact(referenceData.typeDefaults.get('headphone')?.useShare), '0.05')
  assert.equal(referenceData.typeDefaults.get('headphone')?.assumed, true)
  assert.equal(referenceData.typeDefaults.get('any')?.embodied, null)
  assert.equal(referenceData.typeDefaults.get('any')?.lifetimeMonths, 48)
})

test('a former id, a part number and a name lead to one model; a name of several variants to all of them', () => {
  const find = (alias: string) => referenceData.aliases.get(aliasKey(alias))
  assert.deepEqual(find('apple-macbook-air-13-inch-m3-256gb'), ['apple-macbook-air-13-m3-256gb'])
  assert.deepEqual(find('MWM82'), ['apple-iphone-11-256gb'])
  assert.deepEqual(find('apple macbook air 13 m3 256gb'), ['apple-macbook-air-13-m3-256gb'])
  assert.deepEqual(find('MacBook Air 13 M3'), ['apple-macbook-air-13-m3-256gb', 'apple-macbook-air-13-m3-512gb'])
})

test('the grid factor of each country is that of the package which has it, in kilograms', () => {
  const codeOf = (alpha3: string) => (alpha3 === 'XKX' ? 'XK' : countries.alpha3ToAlpha2(alpha3))
  const published = Object.entries(averageIntensity.data).flatMap(([alpha3, grams]) => {
    const country = codeOf(alpha3)
    // Zero means "no figure"; longer codes are regions.
    return country !== undefined && grams > 0
      ? [[country, toDecimal(divide(rationalOfNumber(grams), whole(1000)))] as const]
      : []
  })
  const kept = [...referenceData.grid].flatMap(([country, factors]) =>
    factors.map(({ factor }) => [country, toDecimal(factor)] as const),
  )
  assert.deepEqual(kept, published.sort())
})

test('the losses of Great Britain are to its generation as the two printed figures are, exactly', () => {
  const [[country, [losses, ...others]]] = [...referenceData.gridLosses] as [[string, YearFigure[]]]
  assert.deepEqual([country, losses!.year, others.length], ['GB', 2025, 0])
  const ofGeneration = divide(losses!.value, subtract(ONE, losses!.value))
  assert.equal(compare(ofGeneration, divide(parseDecimal('0.01853'), parseDecimal('0.17700'))), 0)
  assert.deepEqual([losses!.source.publisher.slice(-7), losses!.source.licence], ['(DESNZ)', 'OGL-UK-3.0'])
})

test('METHODOLOGY counts the grid factors by year, and the countries whose consumption differs from generation', () => {
  const text = readFileSync(join(DATA, '..', 'METHODOLOGY.md'), 'utf8').replaceAll(/\s+/g, ' ')
  const countOf = (year: number) => [...referenceData.grid.values()].filter(([one]) => one?.year === year).length
  assert.ok(text.includes(`(${countOf(2024)} countries 2024, ${countOf(2023)} 2023, ${countOf(2022)} 2022)`))
  const consumed = referenceData.gridSeries.get('electricity-maps-consumption')!.grid
  const ratios = [...referenceData.grid].flatMap(([country, [generated]]) => {
    const other = consumed.get(country)?.find(({ year }) => year === 2024)
    return generated?.year === 2024 && other ? [Number(toDecimal(divide(other.factor, generated.factor), 6))] : []
  })
  const apart = ratios.filter((ratio) => Math.abs(ratio - 1) > 0.2).length
  assert.ok(
    text.includes(`by more than a fifth for ${apart} of ${ratios.length} countries`),
    `${apart} ${ratios.length}`,
  )
})

test('every country has a list of grid factors, and one without a figure an empty list', () => {
  assert.equal(referenceData.grid.has('VA'), true)
  assert.deepEqual(referenceData.grid.get('CF'), [])
  assert.equal(referenceData.grid.get('ES')?.[0]?.year, 2024)
})

test('the release is named after the hash of its files, whatever order they come in', () => {
  assert.equal(referenceData.release, `${files.get('RELEASE')!.trim()}-${referenceData.hash.slice(0, 8)}`)
  assert.equal(hashContent(new Map([...files].reverse())), referenceData.hash)
  assert.notEqual(hashContent(new Map(files).set('RELEASE', '2099.01\n')), referenceData.hash)
  assert.notEqual(
    hashContent(new Map([['a', 'b1:cd']])),
    hashContent(
      new Map([
        ['a', 'b'],
        ['c', 'd'],
      ]),
    ),
  )
})

test('datasets with a breach are refused, with every breach named', () => {
  const broken = new Map(files).set('RELEASE', 'soon').set('it-equipment.csv', '')
  assert.throws(
    () => loadReferenceData(broken),
    (error) =>
      error instanceof DatasetError && error.breaches.length === 2 && /RELEASE:1 bad-release/.test(error.message),
  )
})

test('a transport has the energy carrier that its name says, and none where the name says none or several', () => {
  const said: readonly (readonly [RegExp, string | undefined])[] = [
    [/diesel.*, France$/, 'diesel-fr'],
    [/^Electric freight train, France$/, 'electricity-fr'],
    [/radiative forcing|hybrid|fuel not known|^Freight train|ship|ferry|carrier/i, undefined],
    [/diesel/, 'diesel'],
    [/petrol(?!eum)/, 'petrol'],
    [/natural gas/, 'cng'],
    [/petroleum gas/, 'lpg'],
    [/battery-electric/, 'electricity'],
    [/^Air freight/, 'aviation-turbine-fuel'],
  ]
  for (const { name, energyCarrier } of referenceData.transports.values()) {
    const [, expected] = said.find(([words]) => words.test(name))!
    assert.equal(energyCarrier?.id, expected, name)
  }
})

test('a release from before there were energy carriers has those of shipped transports with the same figures', () => {
  const [header, ...rows] = files.get('transports.csv')!.split('\n')
  const petrol = rows.map((row) => (row.startsWith('road-van-petrol,') ? row.replace('1.0848,', '1.0849,') : row))
  const cells = header!.replace('energy_carrier', 'former')
  const stored = new Map([...files, ['transports.csv', [cells, ...petrol].join('\n')]])
  stored.delete('energy-carriers.csv')
  const carrierOf = (book: typeof referenceData, id: string) => book.transports.get(id)!.energyCarrier?.id
  const older = loadArchivedRelease(stored, referenceData.matching, referenceData.transports)
  assert.equal(carrierOf(older, 'road-van-diesel'), 'diesel')
  assert.equal(carrierOf(older, 'road-van-petrol'), undefined)
  assert.equal(carrierOf(older, 'rail-freight'), undefined)
  assert.equal(carrierOf(loadArchivedRelease(files, referenceData.matching), 'road-van-petrol'), 'petrol')
  assert.equal(carrierOf(loadArchivedRelease(stored, referenceData.matching), 'road-van-diesel'), undefined)
})

test('a release that was stored before a column existed opens with the same figures', () => {
  const stored = new Map(files)
  const without = (name: string, column: string) => {
    const rows = stored.get(name)!.split('\n')
    const at = rows[0]!.split(',').indexOf(column)
    // In these files, no cell in or before the column contains a comma or a quote.
    const cut = (row: string) => row.split(',').filter((_, position) => position !== at)
    stored.set(name, rows.map((row) => (row === '' ? '' : cut(row).join(','))).join('\n'))
  }
  without('grid-factors.csv', 'latest_year')
  assert.throws(() => loadReferenceData(stored), DatasetError)
  const [older, today] = [loadArchivedRelease(stored, referenceData.matching), referenceData]
  assert.deepEqual(older.grid.get('DE'), today.grid.get('DE'))
  assert.deepEqual(older.models, today.models)
})

test('no distance is adjusted of a mode that a stored release does not know yet', () => {
  const rows = files.get('distance-adjustments.csv')!.split('\n')
  const stored = new Map(files).set(
    'distance-adjustments.csv',
    rows.filter((row) => !row.startsWith('sea,')).join('\n'),
  )
  assert.throws(() => loadReferenceData(stored), /missing-mode/)
  const older = loadArchivedRelease(stored, referenceData.matching)
  const { sea, ...others } = older.distanceAdjustments
  assert.deepEqual([exact(sea.multiplier), exact(sea.addedKm)], ['1', '0'])
  assert.deepEqual({ ...others, sea: referenceData.distanceAdjustments.sea }, referenceData.distanceAdjustments)
})
