// Prints what one request of each kind runs: files and functions of `src`, SQL statements, transactions, runs of a
// device ledger and estimates of items: `npm run trace-request [-- --statements]`. Each is asked once before.
import { Session } from 'node:inspector/promises'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { InjectOptions } from 'fastify'
import { DEFAULT_SETTINGS, buildApp } from '../src/app.ts'
import { createKey, ensureAccount } from '../src/postgres/accounts.ts'
import { migrate, readMigrations } from '../src/postgres/migrations.ts'
import { readCatalogue, withDatabase } from './filled-database.ts'

const SOURCE = new URL('../src/', import.meta.url).href
const HEADERS = { 'content-type': 'application/json' }

const orderOf = (id: string) => ({
  customer_id: 'traced',
  order_id: id,
  order_date: '2025-01-10',
  tenure_start_date: '2025-02-01',
  items: [
    {
      type: 'product',
      config: {
        product_id: 'apple-macbook-air-13-m3-256gb',
        serial_number: `S-${id}`,
        tenure_months: 12,
        weight_kg: 1.24,
      },
    },
    {
      type: 'transportation',
      config: { transportation_id: 'road-van-diesel', transportation_mode: 'road', distance_km: 20, weight_kg: 1.55 },
    },
    { type: 'packaging', config: { packaging_id: 'corrugated-board-recycled', weight_kg: 0.31 } },
  ],
})

type Request = InjectOptions & { readonly url: string }
const post = (url: string, payload: object): Request => ({ method: 'POST', url, payload, headers: HEADERS })
const get = (url: string): Request => ({ method: 'GET', url })
const ORDERS = '/api/customer-orders'

/** By the name of an order that only this kind of request is about. */
const REQUESTS: Readonly<Record<string, (id: string) => Request>> = {
  'POST order': (id) => post(ORDERS, orderOf(`${id}-new`)),
  'GET order': (id) => get(`${ORDERS}/traced/${id}`),
  'GET device': (id) => get(`/api/device-emissions/S-${id}`),
  'POST order event': (id) =>
    post(`${ORDERS}/traced/${id}/events`, { event_id: `returned-${id}`, type: 'returned', date: '2025-06-15' }),
  'POST device event': (id) =>
    post(`/api/devices/S-${id}/events`, { event_id: `retired-${id}`, type: 'retired', date: '2026-06-15' }),
}

/** The statements that clients send while it runs. */
async function listStatements(run: () => Promise<void>): Promise<readonly string[]> {
  const statements: string[] = []
  const send = Reflect.get(pg.Client.prototype, 'query') as (this: pg.Client, ...sent: unknown[]) => unknown
  pg.Client.prototype.query = function (this: pg.Client, ...sent: unknown[]) {
    const [first] = sent as [string | { readonly name?: string; readonly text: string }]
    statements.push(typeof first === 'string' ? first : (first.name ?? first.text))
    return send.apply(this, sent)
  } as pg.Client['query']
  try {
    await run()
  } finally {
    Object.assign(pg.Client.prototype, { query: send })
  }
  return statements
}

const BEGINS = /^begin/
const WRITES = /^(insert|append|add)/

async function trace(session: Session, run: () => Promise<void>) {
  await session.post('Profiler.takePreciseCoverage')
  const statements = await listStatements(run)
  const { result } = await session.post('Profiler.takePreciseCoverage')
  const functions = result
    .filter(({ url }) => url.startsWith(SOURCE))
    .flatMap(({ url, functions: all }) => all.map(({ functionName, ranges }) => ({ url, functionName, ranges })))
    .filter(({ functionName, ranges }) => functionName !== '' && ranges[0]!.count > 0)
  const timesCalled = (name: string) =>
    functions.filter((one) => one.functionName === name).reduce((sum, { ranges }) => sum + ranges[0]!.count, 0)
  const transactions = statements.filter((text) => BEGINS.test(text)).length
  return {
    statements,
    row: {
      files: new Set(functions.map(({ url }) => url)).size,
      functions: functions.length,
      statements: statements.length,
      'transactions begun': transactions,
      'statements that write': statements.filter((text) => WRITES.test(text)).length,
      // Each device of these orders has one rental.
      'ledger runs': timesCalled('runRental'),
      'items estimated': timesCalled('estimateItem'),
    },
  }
}

const directory = mkdtempSync(join(tmpdir(), 'cradle-trace-'))
const catalogue = readCatalogue()
try {
  await withDatabase(
    join(directory, 'data'),
    () => undefined,
    async (pool) => {
      await migrate(pool, readMigrations())
      const { accountId } = await ensureAccount(pool, 'traced')
      const key = await createKey(pool, accountId, ['orders:write', 'orders:read'], null)
      const app = await buildApp(pool, catalogue.referenceData, catalogue.files, false, DEFAULT_SETTINGS)
      const ask = async (request: Request) => {
        const { statusCode, body } = await app.inject({ ...request, headers: { ...request.headers, 'x-api-key': key } })
        if (statusCode !== 200) throw new Error(`${request.url} was answered ${statusCode}: ${body}`)
      }
      const session = new Session()
      session.connect()
      await session.post('Profiler.enable')
      await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
      const rows: Record<string, object> = {}
      for (const [name, requestOf] of Object.entries(REQUESTS)) {
        const ids = ['first', 'second'].map((at) => `${name.replaceAll(' ', '-')}-${at}`)
        for (const id of ids) await ask(post(ORDERS, orderOf(id)))
        await ask(requestOf(ids[0]!))
        const { row, statements } = await trace(session, () => ask(requestOf(ids[1]!)))
        rows[name] = row
        if (process.argv.includes('--statements')) console.log(`${name}: ${statements.join(', ')}`)
      }
      console.table(rows)
      session.disconnect()
      await app.close()
    },
  )
} finally {
  rmSync(directory, { recursive: true })
}
