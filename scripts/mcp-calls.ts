// Calls tools of /mcp and the operations behind them in turns, and prints ratios within one run: [--seconds 4].
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { memoryMbOf } from '../bench/process-clock.ts'
import { fillNew, readCatalogue, withDatabase } from './filled-database.ts'
import { startProgram, type Program } from './storage-growth-measures.ts'
import { customerIdOf, orderIdOf } from './typical-orders.ts'

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '4' } } })
const MS = Number(values.seconds) * 1000
if (!(MS > 0)) throw new Error('Usage: npm run mcp-calls -- [--seconds N]')

const ORDERS = 1_000
const CONNECTIONS = 8
/** Alternating, so that whatever else the machine does meets all of them alike. */
const TURNS = 5
const ORDER = { customer_id: customerIdOf(0), order_id: orderIdOf(0) }
const REVISION = '2026-07-28'

type Ask = (program: Program) => Promise<unknown>

const headersOf = ({ key }: Program) => ({
  'x-api-key': key,
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
})

async function ask(program: Program, path: string, sent: RequestInit): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${program.server.port}${path}`, sent)
  const text = await answer.text()
  if (answer.status !== 200 || text.includes('"isError":true')) throw new Error(text.slice(0, 300))
}

const operation =
  (path: string): Ask =>
  (program) =>
    ask(program, path, { headers: headersOf(program) })

/** A message in the form with a handshake, or in the one without. */
const message =
  (method: string, params: { readonly name?: string }, isModern: boolean): Ask =>
  (program) => {
    const meta = {
      'io.modelcontextprotocol/protocolVersion': REVISION,
      'io.modelcontextprotocol/clientCapabilities': {},
    }
    const headers = {
      ...headersOf(program),
      ...(isModern && { 'mcp-protocol-version': REVISION, 'mcp-method': method }),
      ...(isModern && params.name !== undefined && { 'mcp-name': params.name }),
    }
    const body = { jsonrpc: '2.0', id: 1, method, params: { ...params, ...(isModern && { _meta: meta }) } }
    return ask(program, '/mcp', { method: 'POST', headers, body: JSON.stringify(body) })
  }

const GET = 'GET of an order'
const SEQUENCE: Readonly<Record<string, Ask>> = {
  [GET]: operation(`/api/customer-orders/${ORDER.customer_id}/${ORDER.order_id}`),
  'get_order, form 2026-07-28': message('tools/call', { name: 'get_order', arguments: ORDER } as object, true),
  'get_order, form 2025': message('tools/call', { name: 'get_order', arguments: ORDER } as object, false),
  'explain_number (two operations)': message(
    'tools/call',
    { name: 'explain_number', arguments: ORDER } as object,
    true,
  ),
  'tools/list': message('tools/list', {}, true),
}

/** Calls in a second. */
async function measure(program: Program, one: Ask): Promise<number> {
  const until = performance.now() + MS / TURNS
  const startedAt = performance.now()
  let calls = 0
  const repeat = async () => {
    for (; performance.now() < until; calls += 1) await one(program)
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, repeat))
  return (calls * 1000) / (performance.now() - startedAt)
}

async function compare(program: Program): Promise<void> {
  await operation(`/api/customer-orders?limit=1`)(program)
  const rates = new Map(Object.keys(SEQUENCE).map((name) => [name, [] as number[]]))
  const before = memoryMbOf(program.server.pid)
  for (let turn = 0; turn < TURNS; turn += 1)
    for (const [name, one] of Object.entries(SEQUENCE)) rates.get(name)!.push(await measure(program, one))
  const after = memoryMbOf(program.server.pid)
  const medianOf = (name: string): number => rates.get(name)!.toSorted((a, b) => a - b)[TURNS >> 1]!
  for (const name of rates.keys()) {
    const share = (medianOf(name) / medianOf(GET)).toFixed(2)
    process.stdout.write(`${name}: ${medianOf(name).toFixed(0)} a second, ${share} times as many as ${GET}\n`)
  }
  const times = (after.now / before.now).toFixed(2)
  process.stdout.write(`memory: ${before.now.toFixed(0)} MB before, ${after.now.toFixed(0)} MB after, ${times} times\n`)
}

const directory = mkdtempSync(join(tmpdir(), 'cradle-mcp-calls-'))
// PostgreSQL's own user must pass through.
chmodSync(directory, 0o711)
const report = (sentence: string): void => void process.stderr.write(`${sentence}\n`)
try {
  const catalogue = readCatalogue()
  const { key } = await withDatabase(directory, report, (pool) => fillNew(pool, catalogue, ORDERS))
  const program = await startProgram(directory, ORDERS, key)
  try {
    await compare(program)
  } finally {
    await program.server.stop()
  }
} finally {
  rmSync(directory, { recursive: true, force: true })
}
