// Measures reports and writes docs/reports.md: every grouping, folding beside posting, bytes: [--orders N].
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { Pool } from 'pg'
import { LatencyHistogram } from '../bench/latency-histogram.ts'
import { memoryMbOf } from '../bench/process-clock.ts'
import { readDatasetFiles } from '../src/datasets/dataset-files.ts'
import { readDatasets } from '../src/datasets/read-datasets.ts'
import { createKey, ensureAccount } from '../src/postgres/accounts.ts'
import { readConnection } from '../src/postgres/embedded/connection.ts'
import { startServer } from '../src/postgres/embedded/server.ts'
import { migrate } from '../src/postgres/migrate.ts'
import { readMigrations } from '../src/postgres/migrate-files.ts'
import { createPool } from '../src/postgres/pool.ts'
import { useRelease } from '../src/postgres/releases.ts'
import { NAMED } from '../src/reports/emissions-query.ts'
import { startProgram, type Program } from './growth-measures.ts'
import { writeReports, type Grouping, type Posting } from './reports-report.ts'
import { runLoad } from './usual-load.ts'
import { createUsualOrders, customersOf, fillUsual, makeTemplates } from './usual-orders.ts'

const ROOT = join(import.meta.dirname, '..')
const FILLING = { wal_level: 'minimal', max_wal_senders: '0', shared_buffers: '1GB', max_wal_size: '8GB' }
/** How often a grouping by one thing is asked for; by two, there are so many that once has to do. */
const TIMES = 5
const POSTING_TURNS = 3
const POSTS_PER_TURN = 8_000
const CONNECTIONS = 32

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

/** What the program has folded by now. */
async function findFolded(pool: Pool) {
  const { rows } = await pool.query<{ readonly facts: number; readonly bytes: number; readonly chunks: number }>(
    `select coalesce(sum(facts), 0)::integer as facts, coalesce(sum(length(content)), 0)::float8 as bytes,
      count(*)::integer as chunks from report_chunks`,
  )
  return rows[0]!
}

async function waitUntilFolded(pool: Pool): Promise<number> {
  const startedAt = performance.now()
  while ((await findFolded(pool)).facts < orders) await sleep(500)
  return (performance.now() - startedAt) / 1000
}

async function askFor({ server, key }: Program, query: string) {
  const startedAt = performance.now()
  const answer = await fetch(`http://127.0.0.1:${server.port}/api/reports/emissions?${query}`, {
    headers: { 'x-api-key': key },
  })
  const text = await answer.text()
  if (answer.status !== 200) throw new Error(text.slice(0, 300))
  return { text, milliseconds: performance.now() - startedAt }
}

/** All groupings by one and by two, of one year that holds all orders; by one of them several times. */
async function measureGroupings(program: Program): Promise<readonly Grouping[]> {
  const names = [...NAMED, 'metadata.project']
  const pairs = names.flatMap((one, at) => names.slice(at + 1).map((other) => `${one},${other}`))
  const found: Grouping[] = []
  for (const basis of ['order', 'dispatch', 'tenure'] as const) {
    for (const groupBy of ['', ...names, ...pairs]) {
      const query = `basis=${basis}&from=2018-01-01&to=2018-12-31${groupBy && `&group_by=${groupBy}`}`
      const times: number[] = []
      let groups = 0
      for (let time = 0; time < (groupBy.includes(',') ? 1 : TIMES); time += 1) {
        const { text, milliseconds } = await askFor(program, query)
        times.push(milliseconds)
        if (time === 0) groups = (JSON.parse(text) as { readonly groups: readonly unknown[] }).groups.length
      }
      times.sort((a, b) => a - b)
      found.push({ basis, groupBy, groups, median: times[times.length >> 1]!, most: times.at(-1)! })
    }
  }
  return found
}

/** Turns with folding and without, which is kept from it by a lock on its mark, one after the other. */
async function measurePosting(program: Program, pool: Pool): Promise<readonly Posting[]> {
  const found: Posting[] = []
  for (let turn = 0; turn <= 2 * POSTING_TURNS; turn += 1) {
    const isFolding = turn % 2 === 0
    const lock = await pool.connect()
    await lock.query('begin')
    if (!isFolding) await lock.query('select from report_marks for update')
    const histogram = new LatencyHistogram()
    const startedAt = performance.now()
    const before = await findFolded(pool)
    const first = orders + turn * POSTS_PER_TURN
    await runLoad(
      { port: program.server.port, key: program.key },
      {
        connections: CONNECTIONS,
        requests: POSTS_PER_TURN,
        requestOf: (n) => {
          const order = usual(first + n, n % customersOf(orders))
          return { path: '/api/customer-orders', body: JSON.stringify(order), expect: `"${order.order_id}"` }
        },
      },
      histogram,
    )
    const seconds = (performance.now() - startedAt) / 1000
    const folded = (await findFolded(pool)).facts - before.facts
    await lock.query('rollback')
    lock.release()
    // The first turn warms up.
    if (turn > 0) found.push({ isFolding, rate: POSTS_PER_TURN / seconds, p99Ms: histogram.latency().p99Ms, folded })
  }
  return found
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
    const foldSeconds = await waitUntilFolded(pool)
    tell(`Folded in ${foldSeconds.toFixed(0)} s`)
    const folded = await findFolded(pool)
    const memory = memoryMbOf(program.server.pid)
    const groupings = await measureGroupings(program)
    const posting = await measurePosting(program, pool)
    const memoryAfter = memoryMbOf(program.server.pid)
    process.stdout.write(writeReports({ orders, foldSeconds, ...folded, groupings, posting, memory, memoryAfter }))
  } finally {
    await pool.end()
    await program.server.stop()
  }
} finally {
  rmSync(directory, { recursive: true, force: true })
}
