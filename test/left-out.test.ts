// What the catalogue leaves out: figures that no maker states, and in the defaults a maker's older edition of a method.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { parse } from 'csv-parse/sync'

type Row = Readonly<Record<string, string>>
const ROOT = join(import.meta.dirname, '..')
const rowsOf = (path: string): readonly Row[] => parse(readFileSync(join(ROOT, path), 'utf8'), { columns: true })

const models = rowsOf('data/devices/device-models.csv')
const leftOut = rowsOf('test/fixtures/left-out-models.csv')

test('a figure that only others state of a model is in no row: there is none, or it quotes the maker', () => {
  assert.ok(leftOut.length >= 12)
  const taken = leftOut.flatMap(({ brand, name }) =>
    models.filter((model) => model['brand'] === brand && model['name'] === name && !quotesMaker(model)),
  )
  assert.deepEqual(
    taken.map(({ id }) => id),
    [],
  )
})

const quotesMaker = (model: Row): boolean => model['source_publisher'] === model['brand']

test('HP’s sheets of the older edition stand at their models and count in no default', () => {
  const older = models.filter(
    ({ brand, year, production_kg_co2e }) => brand === 'HP' && year && Number(year) <= 2021 && !production_kg_co2e,
  )
  assert.ok(older.length > 200)
  assert.deepEqual(
    older.filter((model) => model['in_type_default'] === 'yes').map(({ id }) => id),
    [],
  )
})
