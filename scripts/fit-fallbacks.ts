// Writes data/devices/fallbacks.csv and bench/results/fallbacks.md; run it whenever a device model changes.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readDatasetFiles } from '../src/reference-data/files.ts'
import { fitFallbacks, leaveOneOutTable } from './fitting/fit-fallbacks.ts'

const root = join(import.meta.dirname, '..')
const files = readDatasetFiles(join(root, 'data'))
writeFileSync(join(root, 'data', 'devices', 'fallbacks.csv'), fitFallbacks(files))

writeFileSync(
  join(root, 'bench', 'results', 'fallbacks.md'),
  `# Accuracy of the fallbacks

Written by \`npx node scripts/fit-fallbacks.ts\`: [METHODOLOGY.md](../../METHODOLOGY.md#fallbacks) explains the columns;
*held* is the share of sheets left out that are inside the interval.

${leaveOneOutTable(files)}
`,
)
