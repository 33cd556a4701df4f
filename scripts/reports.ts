// Measures reports and writes docs/reports.md: every grouping, folding beside posting, bytes: [--orders N].
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { memoryMbOf, reportProcessOf } from '../bench/process-clock.ts'
import { readDatasetFiles } from '../src/datasets/dataset-files.ts'
import { readDatasets } from '../src/datasets/read-datasets.ts'
import { createKey, ensureAccount } from '../src/postgres/accounts/accounts.ts'
import { readConnection } from '../src/postgres/embedded/connection.ts'
import { startServer } from '../src/postgres/embedded/server.ts'
import { migrate } from '../src/postgres/migrations/migrate.ts'
import { readMigrations } from '../src/postgres/migrations/migrate-files.ts'
import { createPool } from '../src/postgres/connection/pool.ts'
import { useRelease } from '../src/postgres/releases.ts'
import { startProgram } from './growth-measures.ts'
import { createReportMeasures } from './reports-measures.ts'
import { writeReports } from './reports-report.ts'
import { createUsualOrders, fillUsual, makeTemplates } from './usual-orders.ts'

const ROOT = join(import.meta.dirname, '..')
const FILLING = { wal_level: 'minimal', max_wal_senders: '0', shared_buffers: '1GB', max_wal_size: '8GB' }

const { values } = parseArgs({ options: { orders: { type: 'string', default: '1000000' } } })
const orders = Number(values.orders)
if (!(orders >= 10_000 && orders <= 1_800_000)) throw new Error('Usage: npm run reports -- [--orders 10000 … 1800000]')

const files = readDatasetFiles(join(ROOT, 'data'))
const book = readDatasets(files)
const usual = createUsualOrders(book)
const tell = (sentence: string): void => void process.stderr.write(`${sentence}\n`)

async function fill(dataDirectory: string): Promise<string> {
  const server = await startServer({ dataDirectory, settings: FILLING, report: tell })
  const pool = createPool(server.connection, {}, tell)
  try {
    await migrate(pool, readMigrations(join(ROOT, 'sql')))
    const releaseId = await useRelease(pool, book.release, book.hash, files)
    const { accountId } = await ensureAccount(pool, 'demo')
    await fillUsual(pool, await makeTemplates(pool, { accountId, isCapped: true, book, releaseId }, orders), orders)
    return await createKey(pool, accountId, ['orders:write', 'orders:read'], null)
  } finally {
    await pool.end()
    await server.stop()
  }
}

const directory = mkdtempSync(join(tmpdir(), 'cradle-reports-'))
// PostgreSQL's own user must pass through.
chmodSync(directory, 0o711)
try {
  const dataDirectory = join(directory, 'data')
  const key = await fill(dataDirectory)
  tell(`${orders} orders filled`)
  const program = await startProgram(dataDirectory, orders, key)
  const pool = createPool(readConnection(dataDirectory)!, {}, tell)
  try {
    const measures = createReportMeasures({ program, pool, orders, usual })
    const foldSeconds = await measures.waitUntilFolded()
    tell(`Folded in ${foldSeconds.toFixed(0)} s`)
    const folded = await measures.findFolded()
    const firstMs = await measures.askFirst()
    const groupings = await measures.askGroupings()
    tell(`${groupings.length} groupings asked for`)
    const posting = await measures.postInTurns()
    tell('Posted with folding and without')
    const beside = await measures.postBeside()
    const memory = memoryMbOf(program.server.pid)
    const reportsMemory = memoryMbOf(reportProcessOf(program.server.pid)!)
    process.stdout.write(
      writeReports({ orders, foldSeconds, ...folded, firstMs, groupings, posting, beside, memory, reportsMemory }),
    )
  } finally {
    await pool.end()
    await program.server.stop()
  }
} finally {
  rmSync(directory, { recursive: true, force: true })
}
