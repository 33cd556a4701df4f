// Lets 100 writers of two processes contend for five devices; writes bench/results/histories.md: [seconds].
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startServer } from '../src/postgres/embedded/server.ts'
import { createPool } from '../src/postgres/pool.ts'
import { contend, type Latency } from '../test/contention.ts'
import { writeSection } from '../test/model-based/history-report.ts'

const seconds = Number(process.argv[2] ?? 20)
const directory = mkdtempSync(join(tmpdir(), 'cradle-contention-'))
// PostgreSQL's own user must pass through.
chmodSync(directory, 0o711)
const server = await startServer({ dataDirectory: directory })
const pool = createPool(server.connection, { connectionsMax: 2 }, () => {})
const { host, port, user, password, database } = server.connection
const databaseUrl = `postgres://${user}:${encodeURIComponent(password)}@${encodeURIComponent(host)}:${port}/${database}`
const milliseconds = ({ count, p50, p99, longest }: Latency) => [count, ...[p50, p99, longest].map(Math.round)]
try {
  const outcome = await contend(pool, { databaseUrl, writers: 100, bystanders: 4, seconds, quietSeconds: seconds / 4 })
  const { statuses, failures, contended, quiet, beside, perSecond, entries } = outcome
  const answers = Object.entries(statuses).map(([status, count]) => `${status} × ${count}`)
  const text = writeSection(
    'histories',
    'Contention',
    ['100 writers on 5 devices', 'requests', 'p50 ms', 'p99 ms', 'longest ms'],
    [
      ['orders and events on the 5 devices', ...milliseconds(contended)],
      ['orders on other known devices meanwhile', ...milliseconds(beside.ofKnown)],
      ['the same, before the contest', ...milliseconds(quiet.ofKnown)],
      ['orders on new devices meanwhile', ...milliseconds(beside.ofNew)],
      ['the same, before the contest', ...milliseconds(quiet.ofNew)],
    ],
    `Two processes, one PostgreSQL, ${seconds} s. Answers: ${answers.join('; ')}. Unexpected answers: ` +
      `${failures.length}. Answers in each second: ${perSecond.join(', ')}. Entries of the 5 devices at the end: ` +
      `${entries.join(', ')}; each device's balance is what its entries come to, and every total answered is theirs.`,
  )
  process.stdout.write(text)
  for (const failure of failures.slice(0, 20)) process.stderr.write(`${failure}\n`)
  if (failures.length > 0) process.exitCode = 1
} finally {
  await pool.end()
  await server.stop()
  rmSync(directory, { recursive: true, force: true })
}
