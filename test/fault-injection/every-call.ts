// D7: every call to the database made to fail, the first, the second, and so on, until a request no longer gets there.
import { rmSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import type { Pool } from 'pg'
import { buildApp } from '../../src/app.ts'
import { SCOPES, createKey, ensureAccount } from '../../src/postgres/accounts.ts'
import { startServer } from '../../src/postgres/embedded/server.ts'
import { migrate, readMigrations } from '../../src/postgres/migrations.ts'
import { createPool } from '../../src/postgres/pool.ts'
import { verifyAll } from '../../src/cli/verify.ts'
import { EXAMPLE_ORDER } from '../../src/http/schemas/examples.ts'
import { ORDERS } from '../order-client.ts'
import { shippedReferenceData } from '../shipped-book.ts'
import { createFailingPool, type CallFault, type FailingPool } from './failing-pool.ts'
import { freshTortureDirectory } from './own-program.ts'
import type { Plan, Trial } from './trial.ts'

/** Contention, a full disk, a statement ended, a deadlock, a lock not given, no connection left, a shutdown. */
const CODES = ['40001', '53100', '57014', '40P01', '55P03', '53300', '57P01']
const FAULTS: readonly CallFault[] = [
  { kind: 'reset', isAfter: true },
  { kind: 'timeout' },
  { kind: 'reset', isAfter: false },
  ...CODES.map((sqlstate) => ({ kind: 'code' as const, sqlstate })),
]
/** A request that makes more calls than this would never be through. */
const CALLS_MAX = 60
/** An end to the wait, not a promise. */
const IDLE_MS_MAX = 20_000

interface Asked {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly path: string
  readonly body?: unknown
}

/** A request, made new for a name, with what has to be there before it. */
interface Operation {
  readonly before: (name: string) => readonly Asked[]
  readonly ask: (name: string) => Asked
  /** How many rows it leaves; null for one that leaves none. */
  readonly stored: string | null
}

const orderOf = (name: string, serial = name): Asked => {
  const [product, ...others] = EXAMPLE_ORDER.items!
  const items = [{ ...product, config: { ...product!.config, serial_number: serial } }, ...others]
  return { method: 'POST', path: ORDERS, body: { ...EXAMPLE_ORDER, order_id: name, items } }
}
const ONE = (name: string) => `${ORDERS}/${EXAMPLE_ORDER.customer_id}/${name}`
const PRODUCT = (name: string) => `/api/products/${name}`
const MAPPING = { model_id: 'apple-macbook-air-13-m3-256gb' }
const read = (path: (name: string) => string): Operation => ({
  before: (name) => [orderOf(name)],
  ask: (name) => ({ method: 'GET', path: path(name) }),
  stored: null,
})

const OPERATIONS: Readonly<Record<string, Operation>> = {
  'an order': {
    before: () => [],
    ask: (name) => orderOf(name),
    stored: 'select count(*)::int as count from orders where order_id = $1',
  },
  'an order on a known device': {
    before: (name) => [orderOf(`${name}-before`, name)],
    ask: (name) => orderOf(name),
    stored: 'select count(*)::int as count from orders where order_id = $1',
  },
  'an event of an order': {
    before: (name) => [orderOf(name)],
    ask: (name) => {
      const body = { event_id: name, type: 'returned', date: '2025-02-01' }
      return { method: 'POST', path: `${ONE(name)}/events`, body }
    },
    stored: 'select count(*)::int as count from events where event_id = $1',
  },
  'an event of a device': {
    before: (name) => [orderOf(name)],
    ask: (name) => {
      const body = { event_id: name, type: 'lost', date: '2025-02-01' }
      return { method: 'POST', path: `/api/devices/${name}/events`, body }
    },
    stored: 'select count(*)::int as count from events where event_id = $1',
  },
  'a mapping': {
    before: () => [],
    ask: (name) => ({ method: 'PUT', path: PRODUCT(name), body: MAPPING }),
    stored: 'select count(*)::int as count from product_mappings where lower(product_id) = lower($1)',
  },
  'an order, read': read(ONE),
  'a receipt': read((name) => `${ONE(name)}/receipt`),
  'the ledger of a device': read((name) => `/api/device-emissions/${name}?include=history`),
  'the list of orders': read(() => `${ORDERS}?limit=2`),
  'the list of products': read(() => '/api/products'),
  'an estimate': {
    before: (name) => [orderOf(name)],
    ask: (name) => ({ ...orderOf(`${name}-estimate`, name), path: '/api/estimates' }),
    stored: null,
  },
}

/** @param plan a cycle is one way to fail, tried on every call of every operation */
export async function failEveryCall({ cycles, report }: Plan): Promise<Trial> {
  const directory = freshTortureDirectory()
  const server = await startServer({ dataDirectory: directory, report: () => undefined })
  const pool = createPool(server.connection, {}, () => undefined)
  try {
    await migrate(pool, readMigrations())
    const { referenceData, files } = shippedReferenceData()
    const failing = createFailingPool(pool)
    const app = await buildApp(failing.pool, referenceData, files, false)
    const trial = createTrial(app, pool, failing)
    for (let at = 1; at <= cycles; at += 1) {
      const fault = FAULTS[(at - 1) % FAULTS.length]!
      for (const [what, operation] of Object.entries(OPERATIONS)) await trial.every(what, operation, fault)
      report(at)
    }
    await trial.verify()
    await app.close()
    return trial.outcome()
  } finally {
    await pool.end()
    await server.stop()
    rmSync(directory, { recursive: true, force: true })
  }
}

function createTrial(app: FastifyInstance, pool: Pool, failing: FailingPool) {
  const failures: string[] = []
  let [struck, acknowledged, retried, names] = [0, 0, 0, 0]

  async function ask({ method, path, body }: Asked, key: string): Promise<number> {
    const headers = { 'x-api-key': key, ...(body !== undefined && { 'content-type': 'application/json' }) }
    const { statusCode } = await app.inject({
      method,
      url: path,
      headers,
      ...(body !== undefined && { payload: JSON.stringify(body) }),
    })
    return statusCode
  }

  /** A key that was not asked for before has to be looked up: the first call of every request. */
  async function freshKey(): Promise<string> {
    const { accountId } = await ensureAccount(pool, 'torture')
    return createKey(pool, accountId, SCOPES, null)
  }

  async function countOf(sql: string, name: string): Promise<number> {
    const { rows } = await pool.query<{ readonly count: number }>(sql, [name])
    return rows[0]!.count
  }

  async function fail(what: string, operation: Operation, call: number, fault: CallFault): Promise<boolean> {
    const name = `n-${(names += 1)}`
    const said = (sentence: string) => failures.push(`${what}, call ${call}, ${JSON.stringify(fault)}: ${sentence}`)
    const [early, key] = [await freshKey(), await freshKey()]
    for (const each of operation.before(name)) {
      const status = await ask(each, early)
      if (status !== 200) said(`what has to be there before was answered ${status}`)
    }
    failing.arm(call, fault)
    const status = await ask(operation.ask(name), key)
    const isReached = failing.disarm()
    if (status !== 200 && status !== 503) said(`answered ${status}`)
    const { stored } = operation
    if (stored !== null && status === 200 && (await countOf(stored, name)) !== 1) said('answered 200, and not stored')
    if (status !== 200) retried += 1
    const again = await ask(operation.ask(name), key)
    if (again !== 200) said(`answered ${again} when sent again`)
    if (stored !== null && (await countOf(stored, name)) !== 1) said('not stored once')
    if (!(await isIdle(pool))) said('a connection was not given back')
    if (isReached) struck += 1
    acknowledged += 1
    return isReached
  }

  return {
    every: async (what: string, operation: Operation, fault: CallFault) => {
      for (let call = 1; await fail(what, operation, call, fault); call += 1) {
        if (call === CALLS_MAX) return void failures.push(`${what} makes more than ${CALLS_MAX} calls`)
      }
    },
    verify: async () => {
      const { differences, lines } = await verifyAll(pool)
      if (differences > 0) failures.push(`verify --all: ${differences} differences; ${lines.slice(0, 3).join('; ')}`)
    },
    outcome: (): Trial => {
      const measures = { operations: Object.keys(OPERATIONS).length, 'kinds of failure': FAULTS.length }
      return { cycles: struck, counts: { acknowledged, refused: 0, retried, files: 0 }, failures, measures }
    },
  }
}

async function isIdle(pool: Pool): Promise<boolean> {
  const deadline = performance.now() + IDLE_MS_MAX
  const isNow = () => pool.idleCount === pool.totalCount && pool.waitingCount === 0
  while (!isNow() && performance.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 5))
  return isNow()
}
