// Writes data/devices/fallbacks.csv and its table in METHODOLOGY.md anew; run it whenever a device model changes.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readDatasetFiles } from '../src/reference-data/files.ts'
import { fitFallbacks, leaveOneOutTable } from './fitting/fit-fallbacks.ts'

const root = join(import.meta.dirname, '..')
const files = readDatasetFiles(join(root, 'data'))
writeFileSync(join(root, 'data', 'devices', 'fallbacks.csv'), fitFallbacks(files))

const methodology = join(root, 'METHODOLOGY.md')
const marked = /(?<=<!-- leave-one-out -->\n).*?(?=<!-- end of leave-one-out -->)/s
writeFileSync(methodology, readFileSync(methodology, 'utf8').replace(marked, `\n${leaveOneOutTable(files)}\n\n`))
