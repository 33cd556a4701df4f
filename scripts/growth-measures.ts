// What is asked of a program at each size of its database, and what it took: time, memory, bytes.
import { join } from 'node:path'
import type { Pool } from 'pg'
import type { Latency } from '../bench/load-plan.ts'
import { memoryMbOf } from '../bench/process-clock.ts'
import { startServer } from '../bench/server-process.ts'
import type { WireOrder } from '../src/http/order-schema.ts'
import { runLoad, type Load, type Target } from './usual-load.ts'
import { customerIdOf, customersOf, orderDateOf, orderIdOf, serialOf } from './usual-orders.ts'

export interface Measured {
  readonly latencies: Readonly<Record<string, Latency>>
  readonly startMs: number
  /** Of the Node process, megabytes. */
  readonly memory: { readonly now: number; readonly peak: number }
}

/** Bytes per order, by table: of its rows, and of all its indexes. */
export interface TableBytes {
  readonly table: string
  readonly heap: number
  readonly indexes: number
}

const PROGRAM = join(import.meta.dirname, '..', 'src', 'cli', 'cradle.ts')
/** The flags of `npm start`. */
const FLAGS = ['--max-semi-space-size=16', '--max-old-space-size=1024']
export const LISTS = 1_000
export const LOOK_UPS = 20_000
const CONNECTIONS = 8
/** The program makes so many lists at once. */
const LIST_CONNECTIONS = 4

const ORDERS_PATH = '/api/customer-orders'

/** Numbers from 0 to below, scattered, the same in every run. */
const scatter = (n: number, below: number): number => (Math.imul(n + 1, 0x9e3779b1) >>> 0) % below

/** Starts the program as `npm start` does, on a database of so many orders, and asks everything of it. */
export async function measureProgram(
  environment: Readonly<Record<string, string>>,
  key: string,
  orders: number,
  usual: (n: number, customer: number) => WireOrder,
): Promise<Measured> {
  const startedAt = performance.now()
  const server = await startServer([...FLAGS, PROGRAM, 'serve'], {
    CRADLE_PORT: '0',
    CRADLE_KEY_REQUESTS_PER_SECOND: '0',
    ...environment,
  })
  const startMs = performance.now() - startedAt
  try {
    const latencies: Record<string, Latency> = {}
    for (const [name, load] of Object.entries(loadsOf(orders, usual)))
      latencies[name] = await measure({ port: server.port, key }, load)
    return { latencies, startMs, memory: memoryMbOf(server.pid) }
  } finally {
    await server.stop()
  }
}

/** A tenth of the requests first, so that neither compiling nor the first pages count. */
async function measure(target: Target, load: Load): Promise<Latency> {
  const warmUp = Math.ceil(load.requests / 10)
  await runLoad(target, { ...load, requests: warmUp })
  return runLoad(target, { ...load, requestOf: (n) => load.requestOf(warmUp + n) })
}

function loadsOf(orders: number, usual: (n: number, customer: number) => WireOrder): Readonly<Record<string, Load>> {
  const customers = customersOf(orders)
  const list = (pathOf: (n: number) => string, expectOf: (n: number) => string): Load => ({
    connections: LIST_CONNECTIONS,
    requests: LISTS,
    requestOf: (n) => ({ path: `${ORDERS_PATH}?${pathOf(n)}`, expect: `"${expectOf(n)}"` }),
  })
  const dayOf = (n: number) => orderDateOf(scatter(n, orders))
  const customerOf = (n: number) => customerIdOf(scatter(n, customers))
  const orderOf = (n: number) => orderIdOf(scatter(n, orders))
  return {
    'order list: first page': list(
      () => '',
      () => customerIdOf(0),
    ),
    'order list: of a customer': list((n) => `customer_id=${customerOf(n)}`, customerOf),
    'order list: of a day': list((n) => `from=${dayOf(n)}&to=${dayOf(n)}`, dayOf),
    'order list: by order id alone': list((n) => `order_id=${orderOf(n)}`, orderOf),
    'device look-up': {
      connections: CONNECTIONS,
      requests: LOOK_UPS,
      requestOf: (n) => {
        const serial = serialOf(scatter(n, orders))
        return { path: `/api/device-emissions/${serial}`, expect: `"${serial}"` }
      },
    },
    'POST of an order': {
      connections: CONNECTIONS,
      requests: LOOK_UPS,
      requestOf: (n) => {
        const order = usual(orders + n, scatter(n, customers))
        return { path: ORDERS_PATH, body: JSON.stringify(order), expect: `"${order.order_id}"` }
      },
    },
  }
}

const TABLES = ['orders', 'devices', 'entries'] as const

/** @param orders how many are stored */
export async function bytesPerOrder(pool: Pool, orders: number): Promise<readonly TableBytes[]> {
  const { rows } = await pool.query<{ readonly table: string; readonly heap: string; readonly indexes: string }>(
    `select name as table, pg_table_size(name::regclass)::text as heap, pg_indexes_size(name::regclass)::text as indexes
    from unnest($1::text[]) as name`,
    [TABLES],
  )
  return rows.map(({ table, heap, indexes }) => ({
    table,
    heap: Number(heap) / orders,
    indexes: Number(indexes) / orders,
  }))
}
