// Compares the service with a plain model in random histories: bench/results/histories.md, [histories] [seed].
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startServer } from '../src/postgres/embedded/server.ts'
import { createPool } from '../src/postgres/pool.ts'
import { writeSection } from '../test/model-based/history-report.ts'
import { drawHistories, openSubject, runHistories } from '../test/model-based/history-run.ts'

const PROGRESS_HISTORIES = 100

const [count = '10000', seed = '20241212'] = process.argv.slice(2)
const directory = mkdtempSync(join(tmpdir(), 'cradle-histories-'))
// PostgreSQL's own user must pass through.
chmodSync(directory, 0o711)
// What is checked here is what the database says, not what it keeps when the power fails.
const server = await startServer({ dataDirectory: directory, settings: { fsync: 'off' } })
const pool = createPool(server.connection, {}, () => {})
try {
  const startedAt = performance.now()
  const secondsSince = () => ((performance.now() - startedAt) / 1000).toFixed(0)
  const subject = await openSubject(pool)
  const tally = await runHistories(subject, drawHistories(Number(seed), Number(count)), (done, { steps }) => {
    if (done % PROGRESS_HISTORIES) return
    process.stderr.write(`${done} of ${count} histories, ${steps} steps, ${secondsSince()} s\n`)
  })
  const columns = [
    'seed',
    'histories',
    'steps',
    'accepted',
    'withdrawals',
    'corrections',
    'refused',
    'seconds',
    'differences',
  ]
  const row = [
    seed,
    count,
    tally.steps,
    tally.accepted,
    tally.withdrawn,
    tally.corrected,
    tally.refused,
    secondsSince(),
    0,
  ]
  process.stdout.write(writeSection('histories', 'Random histories', columns, [row]))
  await subject.app.close()
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`)
  process.exitCode = 1
} finally {
  await pool.end()
  await server.stop()
  rmSync(directory, { recursive: true, force: true })
}
