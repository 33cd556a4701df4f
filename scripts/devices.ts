// Asks for lists of devices, the heaviest first, and writes bench/results/devices.md: [--orders 100000,1000000].
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { MEASURED_ON } from '../bench/measured-on.ts'
import { resultFile, resultHead } from '../bench/result-file.ts'
import { fillNew, readCatalogue, withDatabase } from './filled-database.ts'
import { startProgram, type Program } from './storage-growth-measures.ts'
import { customerIdOf, ORDERS_MAX } from './typical-orders.ts'

const { values } = parseArgs({ options: { orders: { type: 'string', default: '100000,1000000' } } })
const sizes = values.orders.split(',').map(Number)
if (!sizes.every((orders) => orders > 0 && orders <= ORDERS_MAX))
  throw new Error(`Usage: npm run devices -- [--orders N,…] of 1 to ${ORDERS_MAX}`)

const TIMES = 11
const catalogue = readCatalogue()
const [model] = catalogue.referenceData.models.keys()
const HEAVIEST = 'sort=-total_emission'
const LISTS = {
  'by serial number': '',
  'heaviest first': HEAVIEST,
  'of a customer, heaviest first': `${HEAVIEST}&customer_id=${customerIdOf(0)}`,
  'of a model, heaviest first': `${HEAVIEST}&footprint_id=${model}`,
}

/** Milliseconds of the first and the second page of a list, each the median of several. */
async function ask(program: Program, query: string): Promise<readonly [number, number]> {
  const path = `/api/devices?${query}`
  const first = await timed(program, path)
  const next = /^<([^>]+)>/.exec(first.link)?.[1]
  if (next === undefined) throw new Error(`${path} has no second page`)
  return [first.median, (await timed(program, next)).median]
}

async function timed({ server, key }: Program, path: string) {
  const taken: number[] = []
  let link = ''
  for (let time = 0; time < TIMES; time += 1) {
    const startedAt = performance.now()
    const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, { headers: { 'x-api-key': key } })
    const text = await answer.text()
    if (answer.status !== 200) throw new Error(text.slice(0, 300))
    taken.push(performance.now() - startedAt)
    link = answer.headers.get('link') ?? ''
  }
  return { link, median: taken.toSorted((a, b) => a - b)[TIMES >> 1]! }
}

/** By the names of the lists. */
async function measure(orders: number): Promise<ReadonlyMap<string, readonly [number, number]>> {
  const directory = mkdtempSync(join(tmpdir(), 'cradle-devices-'))
  // PostgreSQL's own user must pass through.
  chmodSync(directory, 0o711)
  const report = (sentence: string): void => void process.stderr.write(`${sentence}\n`)
  try {
    const { key } = await withDatabase(directory, report, (pool) => fillNew(pool, catalogue, orders))
    const program = await startProgram(directory, orders, key)
    try {
      const taken = new Map<string, readonly [number, number]>()
      for (const [name, query] of Object.entries(LISTS)) taken.set(name, await ask(program, query))
      return taken
    } finally {
      await program.server.stop()
    }
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
const whole = (number: number): string => number.toLocaleString('en')

const measured: (readonly [number, Awaited<ReturnType<typeof measure>>])[] = []
for (const orders of sizes) measured.push([orders, await measure(orders)])
const heads = measured.flatMap(([orders]) => [`${whole(orders)}: page 1, ms`, 'page 2, ms'])
const rows = Object.keys(LISTS).map((name) =>
  row([name, ...measured.flatMap(([, taken]) => taken.get(name)!.map((ms) => ms.toFixed(0)))]),
)
const text = `${resultHead('devices')}

- Date: ${new Date().toISOString()}
- Machine: ${MEASURED_ON}; program, PostgreSQL and client share it
- Load average: ${loadavg()[1]!.toFixed(1)}; above the number of cores, all times are too long

${row(['devices', ...heads])}
${row(['---', ...heads.map(() => '---')])}
${rows.join('\n')}
`
writeFileSync(resultFile('devices'), text)
process.stdout.write(text)
