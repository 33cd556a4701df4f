// What one serial number with very many entries costs, and whether others notice; writes bench/results/busy-device.md.
// [--entries 25000,100000] [--orders 200000]
import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { MEASURED_ON } from '../bench/measured-on.ts'
import { resultFile, resultHead } from '../bench/result-file.ts'
import type { WireOrder } from '../src/contract/order-schema.ts'
import { createKey, ensureAccount } from '../src/postgres/accounts.ts'
import { registerRelease } from '../src/postgres/dataset-releases.ts'
import { fillDevice } from './fill-device.ts'
import { fillNew, readCatalogue, withDatabase } from './filled-database.ts'
import { startProgram } from './storage-growth-measures.ts'
import { createUsualOrders } from './typical-orders.ts'

const { values } = parseArgs({
  options: { entries: { type: 'string', default: '25000,100000' }, orders: { type: 'string', default: '200000' } },
})
const sizes = values.entries.split(',').map(Number)
const otherOrders = Number(values.orders)
const SERIAL = 'BUSY/1'
const CLIENTS = 24
const LOAD_MS = 10_000
const POSTS = 100
const catalogue = readCatalogue()
const usual = createUsualOrders(catalogue.referenceData)
const ROOT = join(import.meta.dirname, '..')

/** Days of five years, not in their sequence: some orders begin before others that are known. */
const dayOf = (n: number): string =>
  new Date(Date.UTC(2021, 0, 1) + ((n * 7919) % 1826) * 86_400_000).toISOString().slice(0, 10)

function orderOf(n: number): WireOrder {
  const order = usual(n, 0)
  const sent = order.items ?? []
  const product = sent.find((item) => item.type === 'product')!
  const config = { ...product.config, serial_number: SERIAL, tenure_months: 1 + (n % 24) }
  const items = [{ ...product, config }, ...sent.filter((item) => item.type !== 'product')]
  return { ...order, order_id: `busy-${n}`, order_date: dayOf(n), tenure_start_date: dayOf(n), items }
}

interface Result {
  readonly entries: number
  readonly rows: readonly (readonly [string, string])[]
}

async function measure(entries: number): Promise<Result> {
  const directory = mkdtempSync(join(tmpdir(), 'cradle-busy-'))
  // PostgreSQL's own user must pass through.
  chmodSync(directory, 0o711)
  const report = (sentence: string): void => void process.stderr.write(`${sentence}\n`)
  try {
    const filled = await withDatabase(directory, report, async (pool) => {
      const { key } = await fillNew(pool, catalogue, otherOrders)
      const releaseId = await registerRelease(
        pool,
        catalogue.referenceData.release,
        catalogue.referenceData.hash,
        catalogue.files,
      )
      const { accountId } = await ensureAccount(pool, 'busy')
      const busyKey = await createKey(pool, accountId, ['orders:write', 'orders:read'], null)
      const orders = await fillDevice(
        pool,
        { accountId, releaseId, referenceData: catalogue.referenceData, orderOf },
        entries,
      )
      await pool.query('analyze')
      return { key, busyKey, orders }
    })
    const rows = await ask(directory, filled)
    return { entries, rows }
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

interface Filled {
  readonly key: string
  readonly busyKey: string
  readonly orders: number
}

async function ask(
  directory: string,
  { key, busyKey, orders }: Filled,
): Promise<readonly (readonly [string, string])[]> {
  const program = await startProgram(directory, otherOrders, key)
  const base = `http://127.0.0.1:${program.server.port}`
  const rows: (readonly [string, string])[] = []
  let next = orders
  const send = async (path: string, apiKey: string, body?: object): Promise<{ ms: number; text: string }> => {
    const startedAt = performance.now()
    const answer = await fetch(base + path, {
      method: body ? 'POST' : 'GET',
      headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text.slice(0, 200)}`)
    return { ms: performance.now() - startedAt, text }
  }
  const post = () => send('/api/customer-orders', busyKey, orderOf(next++))
  const device = `/api/device-emissions/${encodeURIComponent(SERIAL)}`
  /** With very many entries, the time that a request may wait for the database can be over before all is read. */
  const readDevice = (): Promise<string> =>
    send(device, busyKey).then(
      (page) => `${ms(page.ms)}, ${(page.text.length / 1e6).toFixed(0)} MB`,
      () => 'not within 12 s',
    )
  const report = '/api/reports/emissions?group_by=year'
  try {
    let number = otherOrders
    const postOther = async (milliseconds: number) => {
      const taken: number[] = []
      for (const end = performance.now() + milliseconds; performance.now() < end;) {
        const n = number++
        const order = { ...usual(n, 1), order_id: `other-${n}`, customer_id: 'other' }
        taken.push((await send('/api/customer-orders', key, withSerial(order, `other-${n}`))).ms)
      }
      return taken
    }
    const quiet = await postOther(LOAD_MS)
    rows.push(['POST of another account, a new device, median', ms(percentile(quiet, 0.5))])
    rows.push(['first POST to it after a start, until it is answered', ms(await untilAnswered(post))])
    const posts: number[] = []
    for (let at = 0; at < POSTS; at += 1) posts.push((await post()).ms)
    rows.push([`each further POST to it, median of ${POSTS}`, ms(percentile(posts, 0.5))])
    const first = await untilAnswered(() => send(report, busyKey))
    rows.push(['report by year of its account, once folded', ms(first)])
    rows.push(['GET of the device', await readDevice()])
    rows.push([
      'GET of one of its orders',
      ms((await send(`/api/customer-orders/${orderOf(0).customer_id}/busy-0`, busyKey)).ms),
    ])
    const endsAt = performance.now() + LOAD_MS
    let sent = 0
    const clients = Array.from({ length: CLIENTS }, async () => {
      while (performance.now() < endsAt) {
        await post()
        sent += 1
      }
    })
    const beside = await postOther(LOAD_MS)
    await Promise.all(clients)
    rows.push([`POSTs a second of ${CLIENTS} clients to it`, (sent / (LOAD_MS / 1000)).toFixed(0)])
    rows.push(['p99 of another account’s orders, quiet', ms(percentile(quiet, 0.99))])
    rows.push(['p99 of these beside those clients', ms(percentile(beside, 0.99))])
    let isReading = true
    const reading = (async () => {
      while (isReading) await readDevice()
    })()
    const besideReads = await postOther(LOAD_MS)
    isReading = false
    await reading
    rows.push(['p99 of these while the device is read again and again', ms(percentile(besideReads, 0.99))])
    const verified = await command(directory, ['verify', '--all'])
    rows.push(['cradle verify --all', `${verified.seconds} s, ${/differences \d+/.exec(verified.text)?.[0]}`])
    const doctor = await command(directory, ['doctor'])
    rows.push([
      'cradle doctor',
      `${doctor.seconds} s, ${doctor.text.includes(`"${SERIAL}" of "busy"`) ? 'names it' : 'does not name it'}`,
    ])
    const rebuild = await command(directory, ['reports', 'rebuild'])
    rows.push(['cradle reports rebuild', `${rebuild.seconds} s`])
    rows.push([
      'report by year, from then on until it is answered',
      ms(await untilAnswered(() => send(report, busyKey))),
    ])
  } finally {
    await program.server.stop()
  }
  return rows
}

function withSerial(order: WireOrder, serial: string): WireOrder {
  const items = order.items!.map((item, at) =>
    item.type === 'product' ? { ...item, config: { ...item.config, serial_number: `${serial}-${at}` } } : item,
  )
  return { ...order, items }
}

/** Until it is answered: what is loaded or folded first may take longer than one request waits. */
async function untilAnswered(ask: () => Promise<{ readonly ms: number }>): Promise<number> {
  const startedAt = performance.now()
  for (;;) {
    try {
      await ask()
      return performance.now() - startedAt
    } catch (error) {
      if (performance.now() - startedAt > 600_000) throw error
      await sleep(500)
    }
  }
}

function command(
  directory: string,
  words: readonly string[],
): Promise<{ readonly seconds: string; readonly text: string }> {
  const startedAt = performance.now()
  const child = spawn(process.execPath, [join(ROOT, 'src/cli/cradle.ts'), ...words], {
    env: { ...process.env, DATABASE_URL: '', CRADLE_DATA_DIR: directory },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let text = ''
  child.stdout.on('data', (piece: Buffer) => (text += piece.toString()))
  return new Promise((resolve) =>
    child.on('close', () => resolve({ seconds: ((performance.now() - startedAt) / 1000).toFixed(1), text })),
  )
}

const percentile = (taken: readonly number[], share: number): number =>
  taken.toSorted((a, b) => a - b)[Math.min(taken.length - 1, Math.floor(taken.length * share))]!
const ms = (milliseconds: number): string => `${milliseconds.toFixed(milliseconds < 100 ? 1 : 0)} ms`
const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
const whole = (number: number): string => number.toLocaleString('en')

const results: Result[] = []
for (const entries of sizes) results.push(await measure(entries))
const text = `${resultHead('busy-device')}

- Account: ${whole(otherOrders)} orders, each of its own device; the device: serial number "${SERIAL}"
- Date: ${new Date().toISOString()}
- Machine: ${MEASURED_ON}; program, PostgreSQL and client share it
- Load average: ${loadavg()[1]!.toFixed(1)}; above the number of cores, all times are too long

${line(['entries of the device', ...results.map(({ entries }) => whole(entries))])}
${line(['---', ...results.map(() => '---')])}
${results[0]!.rows.map(([name], at) => line([name, ...results.map(({ rows }) => rows[at]![1])])).join('\n')}
`
writeFileSync(resultFile('busy-device'), text)
process.stdout.write(text)
