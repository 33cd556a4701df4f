// Writes a file of orders as a rental company might have it, with errors, and FILE.errors.csv that lists each of them:
// `node scripts/import-file.ts FILE [--orders 1000000] [--seed 1] [--layout items] [--errors 0.01]`
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { once } from 'node:events'
import { parseArgs } from 'node:util'
import { readDatasetFiles } from '../src/reference-data/files.ts'
import { loadReferenceData } from '../src/reference-data/load.ts'
import { writeFile } from './write-import-file.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    orders: { type: 'string', default: '1000000' },
    seed: { type: 'string', default: '1' },
    layout: { type: 'string', default: 'items' },
    errors: { type: 'string', default: '0.01' },
  },
})
const [file] = positionals
const { layout } = values
const [orders, seed, share] = [Number(values.orders), Number(values.seed), Number(values.errors)]
if (!file || !(orders > 0) || !Number.isInteger(seed) || !(share >= 0) || (layout !== 'items' && layout !== 'orders')) {
  throw new Error(
    'Usage: node scripts/import-file.ts FILE [--orders N] [--seed N] [--layout items|orders] [--errors SHARE]',
  )
}

const referenceData = loadReferenceData(readDatasetFiles(join(import.meta.dirname, '..', 'data')))
const [out, list] = [createWriteStream(file), createWriteStream(`${file}.errors.csv`)]
const written = await writeFile(
  { referenceData, orders, seed, layout, faultShare: share },
  (bytes) => put(out, bytes),
  (bytes) => put(list, bytes),
)
await Promise.all([out, list].map((stream) => once(stream.end(), 'finish')))
process.stdout.write(`${file}: ${orders} orders in ${written.rows} rows, ${written.faults} of them with a fault\n`)

async function put(stream: NodeJS.WritableStream, bytes: Buffer): Promise<void> {
  if (!stream.write(bytes)) await once(stream, 'drain')
}
