// The ladder of stand-ins is the one that the script fits from the catalogue as it stands, and holds what it promises.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { footprintById } from '../src/engine/reference/footprint.ts'
import { ONE, toDecimal } from '../src/engine/numbers/rational.ts'
import { readDatasetFiles } from '../src/reference-data/files.ts'
import { fitFallbacks, leaveOneOutTable } from '../scripts/fitting/fit-fallbacks.ts'
import { loadArchivedRelease } from '../src/reference-data/load.ts'
import { shippedReferenceData } from './shipped-book.ts'
import { regress } from '../scripts/fitting/regression.ts'

const root = join(import.meta.dirname, '..')
const files = readDatasetFiles(join(root, 'data'))

test('the committed fallbacks.csv is what fit-fallbacks.ts writes today', () => {
  assert.equal(files.get('devices/fallbacks.csv'), fitFallbacks(files))
})

test('the table of sheets left out in bench/results is what fit-fallbacks.ts writes today', () => {
  const written = readFileSync(join(root, 'bench', 'results', 'fallbacks.md'), 'utf8')
  assert.equal(written.slice(written.indexOf('|')).trimEnd(), leaveOneOutTable(files))
})

test('the intervals of every level hold 93 to 97 of 100 sheets that were left out', () => {
  const rows = leaveOneOutTable(files)
    .split('\n')
    .map((row) => row.split('|').map((cell) => cell.trim()))
    .filter(([, , of]) => of === 'all')
  assert.equal(rows.length, 6)
  for (const row of rows) {
    const held = Number(row[7]!.replace(' %', ''))
    assert.ok(held >= 93 && held <= 97, row.join(' '))
  }
})

test('a release from before there was a ladder opens without one, and stands in by type and weight', () => {
  const old = loadArchivedRelease(
    new Map([...files].filter(([name]) => name !== 'devices/fallbacks.csv')),
    shippedReferenceData().referenceData.matching,
  )
  assert.equal(old.fallbacks.size, 0)
  assert.equal(toDecimal(footprintById('type:laptop', ONE, old).embodied), '243.3056')
  assert.equal(toDecimal(footprintById('weight', ONE, old).embodied), '24.86547556')
  assert.throws(() => footprintById('brand:dell/laptop', ONE, old), RangeError)
})

test('least squares find the line that the points were made from, and predict each from the others', () => {
  const points = Array.from({ length: 9 }, (_, x) => [1, x])
  const made = points.map(([, x]) => 2 + 3 * x!)
  const { coefficients, leftOut } = regress(
    points,
    made,
    points.map(() => 1),
  )
  assert.deepEqual(
    coefficients.map((value) => value.toFixed(9)),
    ['2.000000000', '3.000000000'],
  )
  assert.ok(leftOut.every((error) => Math.abs(error) < 1e-9))
  const bent = made.with(4, made[4]! + 5)
  assert.ok(
    Math.abs(
      regress(
        points,
        bent,
        points.map(() => 1),
      ).leftOut[4]! - 5,
    ) < 1e-9,
  )
  assert.throws(
    () =>
      regress(
        [
          [1, 2],
          [2, 4],
          [3, 6],
        ],
        [1, 2, 3],
        [1, 1, 1],
      ),
    RangeError,
  )
})
