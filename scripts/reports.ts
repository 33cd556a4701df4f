// Measures reports and writes bench/results/reports.md: every grouping, folding beside posting, bytes: [--orders N].
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { memoryMbOf, reportProcessOf } from '../bench/process-clock.ts'
import { readConnectionFile } from '../src/postgres/embedded/connection-file.ts'
import { createPool } from '../src/postgres/pool.ts'
import { fillNew, readCatalogue, withDatabase } from './filled-database.ts'
import { startProgram } from './storage-growth-measures.ts'
import { createReportMeasures } from './reports-measures.ts'
import { writeReports } from './reports-report.ts'
import { createUsualOrders } from './typical-orders.ts'

const { values } = parseArgs({ options: { orders: { type: 'string', default: '1000000' } } })
const orders = Number(values.orders)
if (!(orders >= 10_000 && orders <= 1_800_000)) throw new Error('Usage: npm run reports -- [--orders 10000 … 1800000]')

const catalogue = readCatalogue()
const usual = createUsualOrders(catalogue.referenceData)
const report = (sentence: string): void => void process.stderr.write(`${sentence}\n`)

const directory = mkdtempSync(join(tmpdir(), 'cradle-reports-'))
// PostgreSQL's own user must pass through.
chmodSync(directory, 0o711)
try {
  const dataDirectory = join(directory, 'data')
  const { key } = await withDatabase(dataDirectory, report, (pool) => fillNew(pool, catalogue, orders))
  report(`${orders} orders filled`)
  const program = await startProgram(dataDirectory, orders, key)
  const pool = createPool(readConnectionFile(dataDirectory)!, {}, report)
  try {
    const measures = createReportMeasures({ program, pool, orders, usual })
    const foldSeconds = await measures.waitUntilFolded()
    report(`Folded in ${foldSeconds.toFixed(0)} s`)
    const folded = await measures.findFolded()
    const firstMs = await measures.askFirst()
    const groupings = await measures.askGroupings()
    report(`${groupings.length} groupings asked for`)
    const posting = await measures.postInTurns()
    report('Posted with folding and without')
    const behind = await measures.askBehind()
    const beside = await measures.postBeside()
    const memory = memoryMbOf(program.server.pid)
    const reportsMemory = memoryMbOf(reportProcessOf(program.server.pid)!)
    process.stdout.write(
      writeReports({
        orders,
        foldSeconds,
        ...folded,
        firstMs,
        groupings,
        posting,
        behind,
        beside,
        memory,
        reportsMemory,
      }),
    )
  } finally {
    await pool.end()
    await program.server.stop()
  }
} finally {
  rmSync(directory, { recursive: true, force: true })
}
