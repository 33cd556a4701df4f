// Grows a database from 10,000 orders on and writes bench/results/growth.md: [--max N] [--directory PATH].
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { measureBackup, type BackupMeasures } from './storage-growth-backups.ts'
import { askInTurns, bytesPerOrder, startProgram, type Measured, type Program } from './storage-growth-measures.ts'
import { writeGrowth } from './storage-growth-report.ts'
import { fillNew, readCatalogue, withDatabase } from './filled-database.ts'
import { createUsualOrders } from './typical-orders.ts'

const SIZES = [10_000, 100_000, 1_000_000, 10_000_000]
const { values } = parseArgs({
  options: { max: { type: 'string', default: '1000000' }, directory: { type: 'string' } },
})
const max = Number(values.max)
const sizes = SIZES.filter((size) => size <= max)
if (sizes.length === 0) throw new Error('Usage: npm run growth -- [--max 10000 … 10000000] [--directory PATH]')

const catalogue = readCatalogue()
const report = (sentence: string): void => void process.stderr.write(`${sentence}\n`)

/** A new database with so many orders, and a key to it. */
const fill = (dataDirectory: string, orders: number) =>
  withDatabase(dataDirectory, report, async (pool) => ({
    ...(await fillNew(pool, catalogue, orders)),
    bytes: await bytesPerOrder(pool, orders),
  }))

interface Filled extends Awaited<ReturnType<typeof fill>> {
  readonly orders: number
  readonly dataDirectory: string
}

async function fillSize(orders: number, dataDirectory: string): Promise<Filled> {
  const filled = await fill(dataDirectory, orders)
  report(`${orders} orders filled in ${filled.fillSeconds.toFixed(1)} s`)
  return { orders, dataDirectory, ...filled }
}

async function measureAll(filled: readonly Filled[]): Promise<readonly (Filled & Measured)[]> {
  const programs: Program[] = []
  try {
    for (const { dataDirectory, orders, key } of filled) programs.push(await startProgram(dataDirectory, orders, key))
    const measured = await askInTurns(programs, createUsualOrders(catalogue.referenceData))
    return filled.map((one, at) => ({ ...one, ...measured[at]! }))
  } finally {
    for (const { server } of programs) await server.stop()
  }
}

async function measureBackups(filled: readonly Filled[]): Promise<readonly BackupMeasures[]> {
  const measured: BackupMeasures[] = []
  for (const { dataDirectory, orders } of filled) {
    measured.push(await measureBackup(dataDirectory))
    report(`${orders} orders backed up and restored`)
  }
  return measured
}

const directory = mkdtempSync(join(values.directory ?? tmpdir(), 'cradle-growth-'))
// PostgreSQL's own user must pass through.
chmodSync(directory, 0o711)
try {
  const filled: Filled[] = []
  for (const orders of sizes) filled.push(await fillSize(orders, join(directory, String(orders))))
  report('All filled; measuring')
  const measured = await measureAll(filled)
  report('Measured; backing up and restoring each')
  const backups = await measureBackups(filled)
  process.stdout.write(writeGrowth(measured.map((size, at) => ({ ...size, ...backups[at]! }))))
} finally {
  rmSync(directory, { recursive: true, force: true })
}
