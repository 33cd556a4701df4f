// The stages of the load table: what it measures one after the other, and what it sends.
import { setTimeout as sleep } from 'node:timers/promises'
import { largeOrderBody, orderBody, orderRequest, ORDERS_PATH } from './bench-order.ts'
import type { CradleSubject } from './cradle-subject.ts'
import { NUMBER_MARK, type LoadPlan, type RequestPlan } from './load-plan.ts'
import type { MeasuredDatabase } from './measured-database.ts'
import { memoryMbOf, openFilesOf, reportProcessOf } from './process-clock.ts'
import { CONNECTIONS } from './rounds.ts'
import { measureTurn, type Turn } from './turn.ts'

/** The clients of an open loop; those of the overload are so many that few wait for a free one among themselves. */
const STEADY_CONNECTIONS = 256
const OVERLOAD_CONNECTIONS = 4000
/** After this a client that found no free connection gives up. */
const PATIENCE_MS = 5000
// More than any turn sends: each has numbers of its own, also those that run at the same time.
const NUMBERS_PER_TURN = 10_000_000

export interface LoadPace {
  readonly warmUpMs: number
  readonly windowMs: number
  readonly soakMs: number
}

export interface Stage {
  readonly cradle: CradleSubject
  readonly database: MeasuredDatabase
  readonly pace: LoadPace
  readonly print: (line: string) => void
  /** Turns so far. */
  turns: number
}

/** Posts orders, `perSecond` of them however they are answered; null for as many as 64 connections get answered. */
async function post(stage: Stage, perSecond: number | null, changes: Partial<LoadPlan> = {}): Promise<Turn> {
  const { cradle, database, pace } = stage
  stage.turns += 1
  const plan: LoadPlan = {
    port: cradle.server.port,
    connections: perSecond === null ? CONNECTIONS : STEADY_CONNECTIONS,
    warmUpMs: pace.warmUpMs,
    windowMs: pace.windowMs,
    arrivals: perSecond === null ? null : { perSecond, patienceMs: PATIENCE_MS },
    request: orderRequest(cradle.names, cradle.apiKey),
    expect: '"total_emission"',
    numbers: { kind: 'rising', from: stage.turns * NUMBERS_PER_TURN },
    ...changes,
  }
  return measureTurn(plan, cradle.server.pid, database.postmasterPid)
}

const HIGHEST_TURNS = 3

/** Orders a second that are answered when none are held back: the median of a few turns. */
export async function measureHighest(stage: Stage): Promise<number> {
  const rates: number[] = []
  for (let turn = 0; turn < HIGHEST_TURNS; turn += 1) {
    const { perSecond } = await post(stage, null)
    rates.push(perSecond)
    stage.print(`highest rate, turn ${turn + 1}: ${Math.round(perSecond)}/s`)
  }
  return rates.toSorted((a, b) => a - b)[Math.floor(HIGHEST_TURNS / 2)]!
}

/** An open loop at a rate, and what came of it. */
export interface Offered {
  readonly name: string
  readonly perSecond: number
  readonly turn: Turn
}

const SHARES = [0.25, 0.5, 0.75, 1]

export async function measureShares(stage: Stage, highest: number): Promise<readonly Offered[]> {
  const all: Offered[] = []
  for (const share of SHARES) {
    all.push(await offer(stage, `${share * 100} % of the highest rate`, highest * share))
  }
  return all
}

export async function offer(
  stage: Stage,
  name: string,
  perSecond: number,
  changes?: Partial<LoadPlan>,
): Promise<Offered> {
  const offered = { name, perSecond, turn: await post(stage, perSecond, changes) }
  stage.print(describe(offered))
  return offered
}

const describe = ({ name, perSecond, turn: { load } }: Offered): string =>
  `${name}: ${Math.round(perSecond)}/s offered, ${load.responses} served (p99 ${load.latency.p99Ms} ms), ` +
  `${load.shed} shed${load.firstError === null ? '' : `; first: ${load.firstError.slice(0, 150)}`}`

export const OVERLOAD = 3
const STEADY_SHARE = 0.5
export const RECOVERY_MS = 5000

/**
 * Three times the highest rate: half of it from clients that were there before and stay. Their second window opens
 * five seconds after the others have gone.
 */
export async function measureOverload(stage: Stage, highest: number): Promise<readonly Offered[]> {
  const { warmUpMs, windowMs } = stage.pace
  const steady = highest * STEADY_SHARE
  const flood = highest * OVERLOAD - steady
  return Promise.all([
    offer(stage, `the ${flood / highest} on top`, flood, { connections: OVERLOAD_CONNECTIONS }),
    offer(stage, `the ${STEADY_SHARE} that stays, from ${RECOVERY_MS / 1000} s after`, steady, {
      warmUpMs: warmUpMs + windowMs + RECOVERY_MS,
    }),
  ])
}

/** Posting beside one client that reads without a pause, or beside a file that is imported. */
export interface Beside {
  readonly posting: Offered
  /** Null for nothing. */
  readonly reading: Turn | null
}

const BESIDE_SHARE = 0.25

export async function measureBesideReads(stage: Stage, highest: number): Promise<readonly Beside[]> {
  const { cradle, pace, database } = stage
  const { pid, port } = cradle.server
  const headers = { 'X-API-Key': cradle.apiKey }
  const large = await postLarge(cradle)
  const all: Beside[] = []
  for (const { name, path } of [NOTHING_READ, ...readsOf(large)]) {
    const plan: LoadPlan = {
      port,
      connections: 1,
      // It reads before the window opens, and until it has closed.
      warmUpMs: 0,
      windowMs: pace.warmUpMs + pace.windowMs,
      arrivals: null,
      request: { method: 'GET', path: path ?? '', headers, body: '' } satisfies RequestPlan,
      expect: null,
      numbers: { kind: 'rising', from: 0 },
    }
    const [posting, reading] = await Promise.all([
      offer(stage, name, highest * BESIDE_SHARE),
      path === null ? null : measureTurn(plan, pid, database.postmasterPid),
    ])
    all.push({ posting, reading })
  }
  return [...all, await measureBesideImport(stage, highest)]
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
    path: '/api/reports/emissions?basis=tenure&group_by=month,customer&from=2025-01&to=2025-12',
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

/** A part of the soak, and what the service held when it was over. */
export interface Soaked {
  readonly offered: Offered
  /** With that of the process that makes reports. */
  readonly memoryMb: number
  readonly openFiles: number
}

const SOAK_PARTS = 6
const SOAK_SHARE = 0.5

/** Half of the highest rate for long, in parts that tell a beginning from an end. */
export async function measureSoak(stage: Stage, highest: number): Promise<readonly Soaked[]> {
  const { pid } = stage.cradle.server
  const parts: Soaked[] = []
  for (let part = 1; part <= SOAK_PARTS; part += 1) {
    const windowMs = stage.pace.soakMs / SOAK_PARTS
    const offered = await offer(stage, `part ${part} of ${SOAK_PARTS}`, highest * SOAK_SHARE, { windowMs })
    const reports = reportProcessOf(pid)
    const memoryMb = memoryMbOf(pid).now + (reports === undefined ? 0 : memoryMbOf(reports).now)
    parts.push({ offered, memoryMb, openFiles: openFilesOf(pid) })
  }
  return parts
}
