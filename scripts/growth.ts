// Grows a database from 10,000 orders on and says in docs/growth.md what that costs: [--max N] [--directory PATH].
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Pool } from 'pg'
import { readDatasetFiles } from '../src/datasets/dataset-files.ts'
import { readDatasets } from '../src/datasets/read-datasets.ts'
import { createKey, ensureAccount } from '../src/postgres/accounts.ts'
import { startServer } from '../src/postgres/embedded/server.ts'
import { migrate } from '../src/postgres/migrate.ts'
import { readMigrations } from '../src/postgres/migrate-files.ts'
import { createPool } from '../src/postgres/pool.ts'
import { useRelease } from '../src/postgres/releases.ts'
import { askInTurns, bytesPerOrder, startProgram, type Program } from './growth-measures.ts'
import { writeGrowth, type Size } from './growth-report.ts'
import { createUsualOrders, fillUsual, makeTemplates } from './usual-orders.ts'

const ROOT = join(import.meta.dirname, '..')
const SIZES = [10_000, 100_000, 1_000_000, 10_000_000]
/** While it is filled only: the program runs on its own settings. What is lost then is filled again. */
const FILLING = {
  wal_level: 'minimal',
  max_wal_senders: '0',
  shared_buffers: '2GB',
  max_wal_size: '16GB',
  maintenance_work_mem: '512MB',
}

const { values } = parseArgs({
  options: { max: { type: 'string', default: '1000000' }, directory: { type: 'string' } },
})
const max = Number(values.max)
const sizes = SIZES.filter((size) => size <= max)
if (sizes.length === 0) throw new Error('Usage: npm run growth -- [--max 10000 … 10000000] [--directory PATH]')

const files = readDatasetFiles(join(ROOT, 'data'))
const book = readDatasets(files)
const tell = (sentence: string): void => void process.stderr.write(`${sentence}\n`)
const secondsSince = (startedAt: number) => (performance.now() - startedAt) / 1000

async function withDatabase<Result>(dataDirectory: string, use: (pool: Pool) => Promise<Result>): Promise<Result> {
  const server = await startServer({ dataDirectory, settings: FILLING, report: tell })
  const pool = createPool(server.connection, {}, tell)
  try {
    return await use(pool)
  } finally {
    await pool.end()
    await server.stop()
  }
}

/** A new database with so many orders, and a key to it. */
const fill = (dataDirectory: string, orders: number) =>
  withDatabase(dataDirectory, async (pool) => {
    await migrate(pool, readMigrations(join(ROOT, 'sql')))
    const releaseId = await useRelease(pool, book.release, book.hash, files)
    const { accountId } = await ensureAccount(pool, 'demo')
    const key = await createKey(pool, accountId, ['orders:write', 'orders:read'], null)
    const startedAt = performance.now()
    await fillUsual(pool, await makeTemplates(pool, { accountId, isCapped: true, book, releaseId }, orders), orders)
    return { key, fillSeconds: secondsSince(startedAt), bytes: await bytesPerOrder(pool, orders) }
  })

interface Filled extends Awaited<ReturnType<typeof fill>> {
  readonly orders: number
  readonly dataDirectory: string
}

async function fillSize(orders: number, dataDirectory: string): Promise<Filled> {
  const filled = await fill(dataDirectory, orders)
  tell(`${orders} orders filled in ${filled.fillSeconds.toFixed(1)} s`)
  return { orders, dataDirectory, ...filled }
}

async function measureAll(filled: readonly Filled[]): Promise<readonly Size[]> {
  const programs: Program[] = []
  try {
    for (const { dataDirectory, orders, key } of filled) programs.push(await startProgram(dataDirectory, orders, key))
    const measured = await askInTurns(programs, createUsualOrders(book))
    return filled.map((one, at) => ({ ...one, ...measured[at]! }))
  } finally {
    for (const { server } of programs) await server.stop()
  }
}

const directory = mkdtempSync(join(values.directory ?? tmpdir(), 'cradle-growth-'))
// PostgreSQL's own user must pass through.
chmodSync(directory, 0o711)
try {
  const filled: Filled[] = []
  for (const orders of sizes) filled.push(await fillSize(orders, join(directory, String(orders))))
  tell('All filled; measuring')
  process.stdout.write(writeGrowth(await measureAll(filled)))
} finally {
  rmSync(directory, { recursive: true, force: true })
}
