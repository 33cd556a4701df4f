// What is asked of a program at each size of its database, and what it took: time, memory, bytes.
import { join } from 'node:path'
import type { Pool } from 'pg'
import { startCommand } from '../bench/cradle-target.ts'
import { LatencyHistogram } from '../bench/latency-histogram.ts'
import type { Latency } from '../bench/load-plan.ts'
import { memoryMbOf } from '../bench/process-clock.ts'
import { startServer, type ServerProcess } from '../bench/server-process.ts'
import { runLoad, type Load } from './typical-load.ts'
import { customerIdOf, customersOf, orderDateOf, orderIdOf, serialOf, type UsualOrders } from './typical-orders.ts'

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
const LISTS = 1_000
const LOOK_UPS = 10_000
const TURNS = 10
const CONNECTIONS = 8
/** The program makes so many lists at once. */
const LIST_CONNECTIONS = 4

const ORDERS_PATH = '/api/customer-orders'

/** Numbers from 0 to below, scattered, the same in every run. */
const scatter = (n: number, below: number): number => (Math.imul(n + 1, 0x9e3779b1) >>> 0) % below

/** A program on a database of so many orders. */
export interface Program {
  readonly orders: number
  readonly key: string
  readonly server: ServerProcess
  readonly startMs: number
}

/** Starts the program as `npm start` does. */
export async function startProgram(dataDirectory: string, orders: number, key: string): Promise<Program> {
  const startedAt = performance.now()
  const { flags, environment } = startCommand()
  const server = await startServer([...flags, PROGRAM, 'serve'], {
    ...environment,
    DATABASE_URL: '',
    CRADLE_PORT: '0',
    CRADLE_KEY_REQUESTS_PER_SECOND: '0',
    CRADLE_DATA_DIR: dataDirectory,
  })
  return { orders, key, server, startMs: performance.now() - startedAt }
}

/** Asks everything of all programs in turns, so that whatever else the machine does meets all of them alike. */
export async function askInTurns(programs: readonly Program[], usual: UsualOrders): Promise<readonly Measured[]> {
  const latencies = programs.map((): Record<string, Latency> => ({}))
  const loads = programs.map(({ orders }) => loadsOf(orders, usual))
  for (const name of Object.keys(loads[0]!)) {
    const asked = await askOneKind(
      programs,
      loads.map((all) => all[name]!),
    )
    asked.forEach((latency, at) => (latencies[at]![name] = latency))
  }
  return programs.map(({ server, startMs }, at) => ({
    latencies: latencies[at]!,
    startMs,
    memory: memoryMbOf(server.pid),
  }))
}

/** A turn is not counted at first, so that neither compiling nor the first pages count. */
async function askOneKind(programs: readonly Program[], loads: readonly Load[]): Promise<readonly Latency[]> {
  const counted = programs.map(() => new LatencyHistogram())
  const uncounted = new LatencyHistogram()
  for (let turn = 0; turn <= TURNS; turn += 1) {
    for (const [at, { server, key }] of programs.entries()) {
      const load = loads[at]!
      const requests = load.requests / TURNS
      const ofTurn = { ...load, requests, requestOf: (n: number) => load.requestOf(turn * requests + n) }
      await runLoad({ port: server.port, key }, ofTurn, turn === 0 ? uncounted : counted[at]!)
    }
  }
  return counted.map((histogram) => histogram.latency())
}

function loadsOf(orders: number, usual: UsualOrders): Readonly<Record<string, Load>> {
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
    'order list: newest first': list(
      () => 'sort=-order_date',
      () => orderDateOf(orders - 1),
    ),
    'order list: by the beginning of a serial number': list(
      (n) => `search=${serialOf(scatter(n, orders)).slice(0, -1)}`,
      (n) => orderIdOf(scatter(n, orders)),
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

const TABLES = ['orders', 'entries'] as const

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
