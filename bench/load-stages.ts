// The stages of the load table: what it measures one after the other, and what it sends.
import { join } from 'node:path'
import { orderRequest } from './bench-order.ts'
import type { CradleSubject } from './cradle-target.ts'
import type { LoadPlan } from './load-plan.ts'
import type { MeasuredDatabase } from './measured-database.ts'
import { memoryMbOf, openFilesOf, reportProcessOf } from './process-clock.ts'
import { CONNECTIONS } from './rounds.ts'
import { startServer, type ServerProcess } from './server-process.ts'
import { measureTurn, type Turn } from './alternation.ts'

/** The clients of an open loop; those of the overload are so many that few wait for a free one among themselves. */
const STEADY_CONNECTIONS = 256
const OVERLOAD_CONNECTIONS = 4000
/** After this a client that found no free connection gives up: as long as one that is refused is asked to wait. */
const PATIENCE_MS = 1000
/** In every answer to an order. */
const EXPECTED = '"total_emission"'
const ECHO_SERVER = join(import.meta.dirname, 'echo-server.ts')
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
export async function post(
  stage: Stage,
  perSecond: number | null,
  changes: Partial<LoadPlan> = {},
  server: ServerProcess = stage.cradle.server,
): Promise<Turn> {
  const { cradle, database, pace } = stage
  stage.turns += 1
  const plan: LoadPlan = {
    port: server.port,
    connections: perSecond === null ? CONNECTIONS : STEADY_CONNECTIONS,
    warmUpMs: pace.warmUpMs,
    windowMs: pace.windowMs,
    arrivals: perSecond === null ? null : { perSecond, patienceMs: PATIENCE_MS },
    request: orderRequest(cradle.names, cradle.apiKey),
    expect: EXPECTED,
    numbers: { kind: 'rising', from: stage.turns * NUMBERS_PER_TURN },
    ...changes,
  }
  return measureTurn(plan, server.pid, database.postmasterPid)
}

/** Posts at least so many orders. @returns the number of the first; the others follow it */
export async function postStored(stage: Stage, orders: number): Promise<number> {
  for (let seconds = 2; ; seconds *= 2) {
    const { load } = await post(stage, null, { warmUpMs: 0, windowMs: seconds * 1000 })
    if (load.responses >= orders) return stage.turns * NUMBERS_PER_TURN
  }
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
  server?: ServerProcess,
): Promise<Offered> {
  const offered = { name, perSecond, turn: await post(stage, perSecond, changes, server) }
  stage.print(describe(offered))
  return offered
}

const describe = ({ name, perSecond, turn: { load } }: Offered): string =>
  `${name}: ${Math.round(perSecond)}/s offered, ${load.responses} served (p99 ${load.latency.p99Ms} ms), ` +
  `${load.shed} shed${load.firstError === null ? '' : `; first: ${load.firstError.slice(0, 150)}`}`

export const OVERLOAD = 3
const STEADY_SHARE = 0.5
/** By turns, as if each asked once a second, refused or not: as long as it is asked to wait. */
const PATIENT_CLIENTS = 100
export const RECOVERY_MS = 5000

export interface Overload {
  readonly flood: Offered
  /** Meanwhile, of clients that wait for as long as those that are refused are asked to. */
  readonly patient: Offered
  readonly after: Offered
  /** The same flood on a server that does nothing but answer: what the machine and the clients make of it. */
  readonly bare: Offered
}

export async function measureOverload(stage: Stage, highest: number): Promise<Overload> {
  const [flood, patient, after] = await offerFlood(stage, highest)
  const echo = await startServer([ECHO_SERVER, String(stage.cradle.answerBytes)], {})
  try {
    const [bare] = await offerFlood(stage, highest, echo)
    return { flood, patient, after, bare: { ...bare, name: 'the same on a bare node:http' } }
  } finally {
    await echo.stop()
  }
}

/**
 * Three times the highest rate: half of it from clients that were there before and stay. Their second window opens
 * five seconds after the others have gone.
 */
async function offerFlood(
  stage: Stage,
  highest: number,
  server = stage.cradle.server,
): Promise<readonly [Offered, Offered, Offered]> {
  const { warmUpMs, windowMs } = stage.pace
  const expect = server === stage.cradle.server ? EXPECTED : null
  const steady = highest * STEADY_SHARE
  const flood = highest * OVERLOAD - steady
  return Promise.all([
    offer(
      stage,
      `${(flood / highest).toFixed(1)} × the highest rate, on top`,
      flood,
      { connections: OVERLOAD_CONNECTIONS, expect },
      server,
    ),
    offer(
      stage,
      `${PATIENT_CLIENTS} clients, each once a second, meanwhile`,
      PATIENT_CLIENTS,
      { connections: PATIENT_CLIENTS, expect },
      server,
    ),
    offer(
      stage,
      `${STEADY_SHARE} × that stays, from ${RECOVERY_MS / 1000} s after`,
      steady,
      { warmUpMs: warmUpMs + windowMs + RECOVERY_MS, expect },
      server,
    ),
  ])
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
