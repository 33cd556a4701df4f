// Files that fill the memory of the process that reads them, or never let go of it: they end that one alone.
import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import { request } from 'node:http'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { detectionProcessesOf, importProcessesOf } from '../bench/process-clock.ts'
import { IMPORT_LIMITS } from '../src/import-workers.ts'
import { until } from './command.ts'
import type { Json } from './document-check.ts'
import { createImportClient, type ImportClient } from './import-client.ts'
import { startService, type Service } from './service.ts'

/** What a process needs for itself, and some room. */
const HEAP_MB = 120
const WAIT_MS_MAX = 60_000

const HEADER =
  'customer_id,order_id,order_date,tenure_start_date,country,type,product_id,serial_number,tenure_months,weight_kg'
const fileOf = (name: string, orders: number): string =>
  [
    HEADER,
    ...Array.from(
      { length: orders },
      (_, at) =>
        `acme,${name}-${at},2025-03-15,2025-04-01,DE,product,apple-macbook-air-13-m3-256gb,${name}-${at},12,1.24`,
    ),
    '',
  ].join('\n')

let service: Service
/** Of two accounts. */
let [hostile, other]: ImportClient[] = []
const options = process.env['NODE_OPTIONS']
before(async () => {
  process.env['NODE_OPTIONS'] = `--import=${pathToFileURL(join(import.meta.dirname, 'hostile-reading.ts')).href}`
  const importLimits = { ...IMPORT_LIMITS, detectionHeapMbMax: HEAP_MB, importHeapMbMax: HEAP_MB, importSliceMs: 0 }
  service = await startService({ settings: { importLimits } })
  hostile = createImportClient(service)
  other = createImportClient(service, await service.createKey(undefined, null, 'other'))
})
after(async () => {
  await service.stop()
  process.env['NODE_OPTIONS'] = options
})

const named = (what: 'fills' | 'spins', reader: string): string =>
  `?file_name=${encodeURIComponent(`${what} ${reader}.csv`)}`

const idOf = (text: string): unknown => (JSON.parse(text) as Json)['import_id']

async function attemptsOf(importId: unknown): Promise<number> {
  const { rows } = await service.pool.query<{ readonly attempts: number }>(
    `select attempts from imports join accounts using (account_id) where name = 'test' and import_id = $1`,
    [importId],
  )
  return rows[0]!.attempts
}

const countImports = async (): Promise<number> =>
  Number((await service.pool.query<{ readonly count: bigint }>('select count(*) from imports')).rows[0]!.count)

test('a file that fills the memory of its process is given up after three, and nothing else notices', async () => {
  const sent = await hostile!.send(fileOf('fills', 3), named('fills', 'import-worker'))
  assert.equal(sent.status, 202, sent.text)
  const beside = await other!.run(fileOf('beside', 3))
  assert.deepEqual([beside['state'], beside['orders_stored']], ['succeeded', 3])
  let answered = 0
  await until(
    async () => {
      answered += Number((await service.ask('/api/customer-orders?limit=1')).status === 200)
      return (await hostile!.find(idOf(sent.text)))['state'] === 'failed'
    },
    () => 'it is tried for ever',
    2 * WAIT_MS_MAX,
  )
  assert.ok(answered > 0)
  const { problem } = await hostile!.find(idOf(sent.text))
  assert.match(String(problem), /failed repeatedly without progress/)
  assert.equal(await attemptsOf(idOf(sent.text)), 12)
})

test('a restart does not try a file again that was given up, and tries what comes after it', async () => {
  const failed = (await hostile!.find(1))['finished_at']
  const restarted = await startService({ beside: service })
  const next = await createImportClient(restarted).run(fileOf('next', 2))
  assert.equal(next['state'], 'succeeded')
  assert.equal((await hostile!.find(1))['finished_at'], failed)
  assert.equal(await attemptsOf(1), 12)
  await restarted.stop()
})

test('a file that takes too much memory to be looked at is refused with what to do, the next is taken', async () => {
  const before = await countImports()
  const { status, text } = await hostile!.send(fileOf('looked', 1), named('fills', 'detection-worker'))
  assert.equal(status, 400, text)
  assert.match(text, /more memory than a file may.*split it, or save it as CSV/)
  assert.equal(await countImports(), before)
  assert.equal((await hostile!.run(fileOf('after', 1)))['state'], 'succeeded')
})

test('of whoever leaves, a file is not looked at any more, whatever its process does', async () => {
  const before = await countImports()
  const leaving = request(`${service.server.url}/api/imports${named('spins', 'detection-worker')}`, {
    method: 'POST',
    headers: { 'content-type': 'text/csv', 'x-api-key': service.key },
    agent: false,
  })
  leaving.on('error', () => undefined)
  leaving.end(fileOf('spins', 1))
  await until(
    async () => (await countImports()) > before && detectionProcessesOf(process.pid).length > 0,
    () => 'it is not looked at',
  )
  leaving.destroy()
  await until(
    async () => detectionProcessesOf(process.pid).length === 0 && (await countImports()) === before,
    () => 'it is still looked at',
  )
  assert.equal((await hostile!.run(fileOf('then', 1)))['state'], 'succeeded')
})

test('an import that is undone is worked on no longer, also while nothing comes of its file', async () => {
  const sent = await hostile!.send(fileOf('reversed', 1), named('spins', 'import-worker'))
  const importId = idOf(sent.text)
  await until(
    async () => (await hostile!.find(importId))['state'] === 'running',
    () => 'it is not worked on',
  )
  const working = importProcessesOf(process.pid)
  assert.equal((await hostile!.undo(importId))['state'], 'reversed')
  const left = importProcessesOf(process.pid)
  assert.ok(working.some((pid) => !left.includes(pid)))
})

test('long files make room for the short one of another account, and go on where they stood', async () => {
  const keys = await Promise.all(['long 1', 'long 2', 'short'].map((name) => service.createKey(undefined, null, name)))
  const clients = keys.map((key) => createImportClient(service, key))
  // None begins before all are there.
  const holding = await service.pool.connect()
  await holding.query('begin')
  await holding.query('select from accounts for no key update')
  // More than are stored between two checkpoints, at which an import makes room.
  const sizes = [6_000, 6_000, 1]
  const ids: unknown[] = []
  for (const [at, client] of clients.entries()) ids.push(idOf((await client.send(fileOf(`of ${at}`, sizes[at]!))).text))
  await holding.query('commit')
  holding.release()
  const ended = await Promise.all(clients.map((client, at) => client.ended(ids[at], 2 * WAIT_MS_MAX)))
  assert.deepEqual(
    ended.map(({ orders_stored: stored, rows_read: rows }) => [stored, rows]),
    sizes.map((size) => [size, size]),
  )
  const [one, two, short] = ended.map((job) => String(job['finished_at']))
  assert.ok(short! < one! && short! < two!, ended.map((job) => job['finished_at']).join())
})
