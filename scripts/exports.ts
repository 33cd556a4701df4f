// Exports a database of many orders while others are posted, and writes bench/results/exports.md:
// [--orders N] [--directory PATH].
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { Agent, get, request } from 'node:http'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { LatencyHistogram } from '../bench/latency-histogram.ts'
import { memoryMbOf } from '../bench/process-clock.ts'
import { MEASURED_ON } from '../bench/measured-on.ts'
import { whole } from '../bench/report.ts'
import { writeSection } from '../test/model-based/history-report.ts'
import { fillNew, readCatalogue, withDatabase } from './filled-database.ts'
import { startProgram, type Program } from './storage-growth-measures.ts'
import { createUsualOrders } from './typical-orders.ts'

const POST_EVERY_MS = 20
const ALONE_MS = 10_000
const LOOK_MS = 100
const BOARDS = 11

const { values } = parseArgs({
  options: { orders: { type: 'string', default: '200000' }, directory: { type: 'string' } },
})
const orders = Number(values.orders)
if (!Number.isInteger(orders) || orders < 1)
  throw new Error('Usage: npm run exports -- [--orders N] [--directory PATH]')
const report = (sentence: string): void => void process.stderr.write(`${sentence}\n`)
const catalogue = readCatalogue()
const usual = createUsualOrders(catalogue.referenceData)
const agent = new Agent({ keepAlive: true, maxSockets: 64 })
let posted = orders

/** Posts at a fixed rate, whatever the answers take, for as long as something else is done. */
async function posting<Result>({ server, key }: Program, work: () => Promise<Result>) {
  const latencies = new LatencyHistogram()
  const underWay = new Set<Promise<void>>()
  const post = (): void => {
    const [body, sentAt] = [JSON.stringify(usual(posted, posted % 400)), performance.now()]
    posted += 1
    const answered = new Promise<void>((resolve, reject) => {
      const headers = {
        'x-api-key': key,
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
      }
      const path = '/api/customer-orders'
      const asked = request({ port: server.port, method: 'POST', path, agent, headers }, (answer) => {
        answer.resume().on('end', () => {
          latencies.record(performance.now() - sentAt)
          if (answer.statusCode === 200) resolve()
          else reject(new Error(`An order was answered ${answer.statusCode}`))
        })
      })
      asked.on('error', reject).end(body)
    }).finally(() => underWay.delete(answered))
    underWay.add(answered)
  }
  const timer = setInterval(post, POST_EVERY_MS)
  const result = await work().finally(() => clearInterval(timer))
  await Promise.all(underWay)
  return { result, latency: latencies.latency() }
}

interface Fetched {
  readonly bytes: number
  readonly firstMs: number
  readonly seconds: number
  readonly memoryMb: number
}

/** Takes a file as fast as it comes, and looks at the memory of the program meanwhile. */
async function take({ server, key }: Program, path: string): Promise<Fetched> {
  let [bytes, firstMs, memoryMb] = [0, 0, 0]
  const startedAt = performance.now()
  const looking = setInterval(() => (memoryMb = Math.max(memoryMb, memoryMbOf(server.pid).now)), LOOK_MS)
  await new Promise<void>((resolve, reject) => {
    get({ port: server.port, path, headers: { 'x-api-key': key } }, (answer) => {
      answer.on('data', (piece: Buffer) => {
        firstMs ||= performance.now() - startedAt
        bytes += piece.length
      })
      answer.on('end', () =>
        answer.statusCode === 200 ? resolve() : reject(new Error(`${path}: ${answer.statusCode}`)),
      )
      answer.on('error', reject)
    }).on('error', reject)
  }).finally(() => clearInterval(looking))
  return { bytes, firstMs, seconds: (performance.now() - startedAt) / 1000, memoryMb }
}

const ms = (milliseconds: number): string => milliseconds.toFixed(1)

async function measure(program: Program): Promise<readonly (readonly string[])[]> {
  await posting(program, () => sleep(ALONE_MS / 2))
  const before = memoryMbOf(program.server.pid).now
  const alone = (await posting(program, () => sleep(ALONE_MS))).latency
  const rows = [['none', '', '', '', '', whole(before), ms(alone.p50Ms), ms(alone.p99Ms), ms(alone.maxMs)]]
  for (const kind of ['orders', 'devices', 'entries']) {
    for (const format of ['csv', 'xlsx', 'json']) {
      const { result, latency } = await posting(program, () => take(program, `/api/exports/${kind}?format=${format}`))
      const { bytes, firstMs, seconds, memoryMb } = result
      report(`${kind} as ${format}: ${seconds.toFixed(1)} s`)
      const figures = [whole(bytes / 1e6), ms(firstMs), seconds.toFixed(1), whole(orders / seconds), whole(memoryMb)]
      rows.push([`${kind}, ${format}`, ...figures, ms(latency.p50Ms), ms(latency.p99Ms), ms(latency.maxMs)])
    }
  }
  return rows
}

/** The first may read what was not folded yet. */
async function askBoards(program: Program): Promise<string> {
  const taken: number[] = []
  for (let asked = 0; asked < BOARDS; asked += 1)
    taken.push(1000 * (await take(program, '/api/reports/quality')).seconds)
  const [first, ...others] = taken
  const sorted = others.toSorted((a, b) => a - b)
  return (
    `\`GET /api/reports/quality\` over all of them, asked ${BOARDS} times: the first ${ms(first!)} ms, ` +
    `the others ${ms(sorted[Math.floor(sorted.length / 2)]!)} ms (median), ${ms(sorted.at(-1)!)} ms (the longest).`
  )
}

const HEAD = ['export', 'MB', 'first byte, ms', 's', 'orders/s', 'memory, MB', 'POST p50, ms', 'p99, ms', 'longest, ms']

const directory = mkdtempSync(join(values.directory ?? tmpdir(), 'cradle-exports-'))
// PostgreSQL's own user must pass through.
chmodSync(directory, 0o711)
try {
  const { key, fillSeconds } = await withDatabase(directory, report, (pool) => fillNew(pool, catalogue, orders))
  report(`${orders} orders filled in ${fillSeconds.toFixed(1)} s`)
  const program = await startProgram(directory, orders, key)
  try {
    const rows = await measure(program)
    const now = new Date().toISOString().slice(0, 16)
    const conditions = `${MEASURED_ON}, load average ${loadavg()[0]!.toFixed(1)}, ${now} UTC.`
    const section = writeSection(
      'exports',
      `${whole(orders)} orders`,
      HEAD,
      rows,
      `${await askBoards(program)}\n\n${conditions}`,
    )
    process.stdout.write(`${section}\n`)
  } finally {
    await program.server.stop()
  }
} finally {
  agent.destroy()
  rmSync(directory, { recursive: true, force: true })
}
