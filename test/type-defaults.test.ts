// The defaults by device type are those that the script fits from the catalogue as it stands.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { readDatasetFiles } from '../src/reference-data/files.ts'
import { fitTypeDefaults } from '../scripts/fitting/fit-type-defaults.ts'

const files = readDatasetFiles(join(import.meta.dirname, '..', 'data'))

test('the committed type-defaults.csv is what fit-type-defaults.ts writes today', () => {
  assert.equal(files.get('devices/type-defaults.csv'), fitTypeDefaults(files))
})
