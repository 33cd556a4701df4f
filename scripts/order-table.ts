// Measures the console's table of orders in Chromium, with many orders and few: bench/results/orders.md, [--orders N].
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { MEASURED_ON } from '../bench/measured-on.ts'
import { whole } from '../bench/report.ts'
import { readConnectionFile } from '../src/postgres/embedded/connection-file.ts'
import { createPool } from '../src/postgres/pool.ts'
import { launchChromium } from '../test/console/chromium.ts'
import { writeSection } from '../test/model-based/history-report.ts'
import { fillNew, readCatalogue, withDatabase } from './filled-database.ts'
import { startProgram, type Program } from './storage-growth-measures.ts'
import { walkThrough, type Taken } from './order-table-scan.ts'

const FEW = 1_000
/** How often the page is opened on each, in turns; the first time does not count. */
const ROUNDS = 6

const { values } = parseArgs({ options: { orders: { type: 'string', default: '100000' } } })
const many = Number(values.orders)
if (!(many > FEW && many <= 1_000_000)) throw new Error('Usage: npm run orders -- [--orders 1001 … 1000000]')

const catalogue = readCatalogue()
const report = (sentence: string): void => void process.stderr.write(`${sentence}\n`)
const directory = mkdtempSync(join(tmpdir(), 'cradle-order-table-'))
// PostgreSQL's own user must pass through.
chmodSync(directory, 0o711)

const placeOf = (orders: number): string => join(directory, String(orders))

async function start(orders: number): Promise<Program> {
  const { key, fillSeconds } = await withDatabase(placeOf(orders), report, (pool) => fillNew(pool, catalogue, orders))
  report(`${orders} orders filled in ${fillSeconds.toFixed(1)} s`)
  return startProgram(placeOf(orders), orders, key)
}

/** As if something had happened to each: then what is posted to it is looked up, and its lines no longer tell it. */
async function changeAll(orders: number): Promise<void> {
  const pool = createPool(readConnectionFile(placeOf(orders))!, {}, report)
  try {
    await pool.query("update orders set status = 'amended'")
    await pool.query('vacuum analyze orders')
  } finally {
    await pool.end()
  }
}

/** What each step took, program by program, time by time. */
type Times = ReadonlyMap<string, readonly (readonly Taken[])[]>

/** In turns, so that whatever else the machine does meets all programs alike. */
async function measure(programs: readonly Program[], isChanged: boolean): Promise<Times> {
  const times = new Map<string, Taken[][]>()
  const browser = await launchChromium()
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      report(`round ${round + 1} of ${ROUNDS}`)
      for (const [at, program] of programs.entries()) {
        for (const [step, taken] of await walkThrough(browser, program, round, isChanged)) {
          const of = times.get(step) ?? programs.map(() => [])
          if (round > 0) of[at]!.push(...taken)
          times.set(step, of)
        }
      }
    }
  } finally {
    await browser.close()
  }
  return times
}

const median = (sorted: readonly number[]): number => sorted[Math.floor(sorted.length / 2)]!

function rowsOf(times: Times): readonly (readonly string[])[] {
  return [...times].map(([step, programs]) => {
    const shown = programs.map((taken) => taken.map(({ shownMs }) => shownMs).toSorted((a, b) => a - b))
    const [few, more] = shown.map(median)
    const asked = median(
      programs
        .at(-1)!
        .map(({ askedMs }) => askedMs)
        .toSorted((a, b) => a - b),
    )
    const longest = shown.at(-1)!.at(-1)!
    return [step, ...[few!, more!].map(whole), (more! / few!).toFixed(2), whole(asked), whole(longest)]
  })
}

const programs: Program[] = []
try {
  for (const orders of [FEW, many]) programs.push(await start(orders))
  const times = [...(await measure(programs, false))]
  await changeAll(FEW)
  await changeAll(many)
  times.push(...(await measure(programs, true)))
  const head = ['', `${whole(FEW)} orders`, `${whole(many)} orders`, 'ratio', 'of it the request', 'longest']
  const remark = `${MEASURED_ON}, load ${loadavg()[1]!.toFixed(1)}, ${new Date().toISOString().slice(0, 10)}.`
  process.stdout.write(writeSection('orders', `${whole(many)} orders`, head, rowsOf(new Map(times)), remark))
} finally {
  for (const { server } of programs) await server.stop()
  rmSync(directory, { recursive: true, force: true })
}
