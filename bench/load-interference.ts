// Latency of posting beside one client that reads without a pause, and beside an import.
import { setTimeout as sleep } from 'node:timers/promises'
import { largeOrderBody, orderBody, ORDERS_PATH } from './bench-order.ts'
import type { CradleSubject } from './cradle-target.ts'
import { LatencyHistogram } from './latency-histogram.ts'
import { NUMBER_MARK, type Latency } from './load-plan.ts'
import { offer, type Offered, type Stage } from './load-stages.ts'

/** Posting beside one client that reads without a pause, or beside a file that is imported. */
export interface Beside {
  readonly posting: Offered
  /** Null for nothing. */
  readonly reading: Reading | null
}

interface Reading {
  readonly perSecond: number
  readonly latency: Latency
}

const BESIDE_SHARE = 0.25

export async function measureBesideReads(stage: Stage, highest: number): Promise<readonly Beside[]> {
  const { cradle } = stage
  const large = await postLarge(cradle)
  const all: Beside[] = []
  for (const { name, path } of [NOTHING_READ, ...readsOf(large)]) {
    if (path !== null) await untilQuick(cradle, path)
    const over = new AbortController()
    const [posting, reading] = await Promise.all([
      offer(stage, name, highest * BESIDE_SHARE).finally(() => over.abort()),
      path === null ? null : readUntil(over.signal, cradle, path),
    ])
    all.push({ posting, reading })
  }
  return [...all, await measureBesideImport(stage, highest)]
}

/** One client that asks again as soon as it has the whole answer. */
async function readUntil(over: AbortSignal, cradle: CradleSubject, path: string): Promise<Reading> {
  const histogram = new LatencyHistogram()
  const startedAt = performance.now()
  let reads = 0
  while (!over.aborted) {
    histogram.record(await read(cradle, path))
    reads += 1
  }
  return { perSecond: (reads * 1000) / (performance.now() - startedAt), latency: histogram.latency() }
}

/** @returns milliseconds until the whole answer was there */
async function read({ server, apiKey }: CradleSubject, path: string): Promise<number> {
  const startedAt = performance.now()
  const response = await fetch(`http://127.0.0.1:${server.port}${path}`, { headers: { 'X-API-Key': apiKey } })
  await response.arrayBuffer()
  if (!response.ok) throw new Error(`${path} was answered ${response.status}`)
  return performance.now() - startedAt
}

const QUICK_MS = 1000
const TRIES_MAX = 60

/**
 * A report reads one by one what was posted lately: what the rows before it posted has to be folded first, and while
 * that is too much, it asks to come again.
 */
async function untilQuick(cradle: CradleSubject, path: string): Promise<void> {
  let refusal: unknown
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const isQuick = await read(cradle, path).then(
      (ms) => ms < QUICK_MS,
      (error: unknown) => ((refusal = error), false),
    )
    if (isQuick) return
    await sleep(QUICK_MS)
  }
  throw new Error(`${path} was not answered within ${QUICK_MS} ms in ${TRIES_MAX} tries`, { cause: refusal })
}

/** More than a file comes to while it is measured. */
const IMPORT_SHARE = 2

async function measureBesideImport(stage: Stage, highest: number): Promise<Beside> {
  const { cradle, pace } = stage
  const seconds = (pace.warmUpMs + pace.windowMs) / 1000
  const hasEnded = await startImport(cradle, Math.ceil(highest * seconds * IMPORT_SHARE))
  const posting = await offer(stage, 'an import', highest * BESIDE_SHARE)
  const name = (await hasEnded()) ? 'an import, which ended meanwhile' : 'an import'
  // What comes after is measured alone again.
  while (!(await hasEnded())) await sleep(IMPORT_LOOK_MS)
  return { posting: { ...posting, name }, reading: null }
}

const IMPORT_LOOK_MS = 500

/** @returns what tells whether it has come to its end */
async function startImport({ server, apiKey, names }: CradleSubject, orders: number): Promise<() => Promise<boolean>> {
  const order = orderBody(names)
  const body = Array.from({ length: orders }, (_, n) => order.replaceAll(NUMBER_MARK, `import-${n}`)).join('\n')
  const ask = async (path: string, sent: RequestInit = {}) => {
    const headers = { 'X-API-Key': apiKey, 'Content-Type': 'application/jsonl' }
    const response = await fetch(`http://127.0.0.1:${server.port}/api/imports${path}`, { ...sent, headers })
    if (!response.ok) throw new Error(`An import was answered ${response.status}`)
    return (await response.json()) as { readonly import_id: number; readonly finished_at: string | null }
  }
  const { import_id: importId } = await ask('', { method: 'POST', body })
  return async () => (await ask(`/${importId}`)).finished_at !== null
}

interface Read {
  readonly name: string
  readonly path: string | null
}

const NOTHING_READ: Read = { name: 'nothing', path: null }

const readsOf = (largeOrder: string): readonly Read[] => [
  { name: 'an order of 1,000 items', path: largeOrder },
  { name: 'its calculation', path: `${largeOrder}?include=calculation` },
  { name: 'its receipt', path: `${largeOrder}/receipt` },
  { name: 'the list of orders, 1,000 a page', path: `${ORDERS_PATH}?limit=1000` },
  {
    name: 'a report of one year, by month and customer',
    path: '/api/reports/emissions?date_basis=tenure&group_by=month,customer&from=2025-01&to=2025-12',
  },
]

/** @returns its path */
async function postLarge({ server, apiKey, names }: CradleSubject): Promise<string> {
  const headers = { 'X-API-Key': apiKey, 'Content-Type': 'application/json' }
  const body = largeOrderBody(names)
  const response = await fetch(`http://127.0.0.1:${server.port}${ORDERS_PATH}`, { method: 'POST', headers, body })
  if (response.status !== 200) throw new Error(`The large order was answered ${response.status}`)
  await response.body?.cancel()
  const { customer_id, order_id } = JSON.parse(body) as Readonly<Record<'customer_id' | 'order_id', string>>
  return `${ORDERS_PATH}/${customer_id}/${order_id}`
}
