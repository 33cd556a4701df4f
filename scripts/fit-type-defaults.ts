// Writes data/devices/type-defaults.csv anew; run it whenever a device model, a use phase or an assumption changes.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readDatasetFiles } from '../src/reference-data/files.ts'
import { fitTypeDefaults } from './fitting/fit-type-defaults.ts'

const directory = join(import.meta.dirname, '..', 'data')
writeFileSync(join(directory, 'devices', 'type-defaults.csv'), fitTypeDefaults(readDatasetFiles(directory)))
