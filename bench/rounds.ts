// The measurement itself: every contender in turn, several rounds, and nothing else busy meanwhile.
import { setTimeout as sleep } from 'node:timers/promises'
import type { LoadPlan, NumberPlan, RequestPlan } from './load-plan.ts'
import type { MeasuredDatabase, Wal } from './measured-database.ts'
import { memoryMbOf } from './process-clock.ts'
import { measureTurn, type Turn } from './alternation.ts'

export type ContenderId = 'bare' | 'usual' | 'orders' | 'devices' | 'repeated'

export interface Contender {
  readonly id: ContenderId
  readonly pid: number
  readonly port: number
  readonly request: RequestPlan
  readonly expect: string | null
}

export interface Pace {
  /** Load on each before the first round, which counts nowhere: until the compiler has seen enough of all code. */
  readonly firstMs: number
  readonly rounds: number
  readonly warmUpMs: number
  readonly windowMs: number
}

export type MeasuredTurn = Turn & { readonly wal: Wal; readonly memoryMb: number }
export type Round = Readonly<Record<ContenderId, MeasuredTurn>>

export const CONNECTIONS = 64
// Between turns the servers' garbage collection settles.
const PAUSE_MS = 1000
// A backend of PostgreSQL that falls idle publishes its statistics up to 10 s later: read sooner, the syncs of one
// turn would be counted in the next.
const STATISTICS_MS = 11_000
/** Those that write orders; what PostgreSQL syncs in the turns of the others is its own housekeeping. */
export const WRITERS: readonly ContenderId[] = ['usual', 'orders']

/** Every other round runs backwards, so that none is always measured after the same neighbour. */
export async function measureRounds(
  contenders: readonly Contender[],
  database: MeasuredDatabase,
  pace: Pace,
  announce: (line: string) => void,
): Promise<readonly Round[]> {
  const rounds: Round[] = []
  const issued = new Map<ContenderId, number>()
  for (const contender of contenders) {
    const plan = planOf(contender, issued, { ...pace, windowMs: pace.firstMs })
    issued.set(contender.id, (await measureTurn(plan, contender.pid, database.postmasterPid)).load.issued)
  }
  for (let round = 0; round < pace.rounds; round += 1) {
    const turns: Partial<Record<ContenderId, MeasuredTurn>> = {}
    for (const contender of round % 2 === 0 ? contenders : contenders.toReversed()) {
      const turn = await takeTurn(contender, planOf(contender, issued, pace), database)
      issued.set(contender.id, (issued.get(contender.id) ?? 0) + turn.load.issued)
      turns[contender.id] = turn
      announce(summaryOf(round, contender, turn))
    }
    rounds.push(turns as Round)
  }
  return rounds
}

async function takeTurn(contender: Contender, plan: LoadPlan, database: MeasuredDatabase): Promise<MeasuredTurn> {
  await database.checkpoint()
  await sleep(PAUSE_MS)
  const before = await database.wal()
  const turn = await measureTurn(plan, contender.pid, database.postmasterPid)
  if (WRITERS.includes(contender.id)) await sleep(STATISTICS_MS)
  const after = await database.wal()
  const wal = { syncs: after.syncs - before.syncs, bytes: after.bytes - before.bytes }
  return { ...turn, wal, memoryMb: memoryMbOf(contender.pid).now }
}

function planOf(contender: Contender, issued: ReadonlyMap<ContenderId, number>, pace: Pace): LoadPlan {
  const { id, port, request, expect } = contender
  const { warmUpMs, windowMs } = pace
  return {
    port,
    connections: CONNECTIONS,
    warmUpMs,
    windowMs,
    arrivals: null,
    request,
    expect,
    numbers: numbersFor(id, issued),
  }
}

/** Orders are always new; devices are looked up, and orders repeated, among those that they created. */
function numbersFor(id: ContenderId, issued: ReadonlyMap<ContenderId, number>): NumberPlan {
  if (id === 'devices' || id === 'repeated')
    return { kind: 'spread', from: 0, count: Math.max(1, issued.get('orders') ?? 1) }
  return { kind: 'rising', from: issued.get(id) ?? 0 }
}

function summaryOf(round: number, { id }: Contender, { perSecond, load, errors }: Turn): string {
  const figures = `${Math.round(perSecond)}/s, p99 ${load.latency.p99Ms.toFixed(1)} ms, ${errors} errors`
  return `round ${round + 1}  ${id.padEnd(8)} ${figures}${load.firstError === null ? '' : `: ${load.firstError}`}`
}
