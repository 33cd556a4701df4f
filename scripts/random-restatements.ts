// Restates random histories by random releases and scopes: bench/results/restatements.md, [restatements] [seed]
// [seconds at most].
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startServer } from '../src/postgres/embedded/server.ts'
import { createPool } from '../src/postgres/pool.ts'
import { writeSection } from '../test/model-based/history-report.ts'
import { drawHistories, openSubject, runHistories } from '../test/model-based/history-run.ts'
import { checkRestatements } from '../test/model-based/random-restatements.ts'

/** On each database, at most: fewer, where a device's ledger gets long. */
const [HISTORIES, RESTATEMENTS] = [10, 20]

/** The second implementation of reports is slow, and the machine may be busy. */
const PATIENT = { connectMilliseconds: 300_000, statementMilliseconds: 600_000, answerMilliseconds: 620_000 }

const [count = '1000', seed = '1', seconds = 'Infinity'] = process.argv.slice(2)
const startedAt = performance.now()
const secondsSince = () => ((performance.now() - startedAt) / 1000).toFixed(0)

async function runRound(ofRound: number) {
  const directory = mkdtempSync(join(tmpdir(), 'cradle-restatements-'))
  // PostgreSQL's own user must pass through.
  chmodSync(directory, 0o711)
  const server = await startServer({ dataDirectory: directory, settings: { fsync: 'off' } })
  const pool = createPool(server.connection, PATIENT, () => {})
  try {
    const subject = await openSubject(pool)
    await runHistories(subject, drawHistories(ofRound, HISTORIES))
    const done = await checkRestatements(subject, RESTATEMENTS, ofRound)
    await subject.app.close()
    return done
  } finally {
    await pool.end()
    await server.stop()
    rmSync(directory, { recursive: true, force: true })
  }
}

let [rounds, restatements, changed] = [0, 0, 0]
while (restatements < Number(count) && Number(secondsSince()) < Number(seconds)) {
  const done = await runRound(Number(seed) * 1_000 + rounds)
  rounds += 1
  restatements += done.restatements
  changed += done.changed
  process.stderr.write(`${restatements} restatements, ${changed} orders changed, ${secondsSince()} s\n`)
}
const columns = ['seed', 'restatements', 'histories', 'orders changed', 'seconds', 'differences']
const row = [seed, restatements, rounds * HISTORIES, changed, secondsSince(), 0]
process.stdout.write(writeSection('restatements', 'Random restatements', columns, [row]))
