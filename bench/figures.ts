// From rounds to figures: medians over the rounds, ratios within a round, and which targets they reach.
import type { EngineFigure } from './engine.ts'
import type { Wal } from './measured-database.ts'
import type { ContenderId, MeasuredTurn, Round } from './rounds.ts'

/** What one contender did: medians over the rounds. */
export type Figures = SpeedFigures & CpuFigures & CountFigures

interface SpeedFigures {
  readonly perSecond: number
  readonly perSecondByRound: readonly number[]
  readonly p50Ms: number
  readonly p95Ms: number
  readonly p99Ms: number
  /** The highest of all rounds. */
  readonly maxMs: number
}

/** CPU in microseconds a request, and in shares of what there is. */
interface CpuFigures {
  readonly serverMicros: number
  readonly postgresMicros: number
  readonly generatorMicros: number
  /** Of all the CPU time that the machine has: how much was used in the window, and how much by other programs. */
  readonly busyShare: number
  readonly othersShare: number
  /** Of one core: how busy the server's process was; its JavaScript runs on one. */
  readonly serverCoreShare: number
}

/** Added up over the rounds, warm-up included. */
interface CountFigures {
  readonly requests: number
  readonly errors: number
  readonly wal: Wal
}

export interface Target {
  readonly name: string
  readonly wanted: string
  readonly measured: string
  readonly reached: boolean
}

export function figuresOf(rounds: readonly Round[], id: ContenderId, cores: number): Figures {
  const turns = rounds.map((round) => round[id])
  return { ...speedOf(turns), ...cpuOf(turns, cores), ...countsOf(turns) }
}

export function targetsOf(rounds: readonly Round[], engine: EngineFigure, memoryPeakMb: number): readonly Target[] {
  const ratioOf = (one: ContenderId, other: ContenderId) =>
    median(rounds.map((round) => round[one].perSecond / round[other].perSecond))
  const errors = rounds.reduce(
    (total, round) => total + round.orders.errors + round.devices.errors + round.repeated.errors,
    0,
  )
  const p99 = median(rounds.map((round) => round.orders.load.latency.p99Ms))
  const orders = Math.round(engine.perSecond)
  return [
    ratioTarget('orders ÷ bare node:http (c ÷ a)', ratioOf('orders', 'bare'), 0.35),
    ratioTarget('orders ÷ the usual way (c ÷ b)', ratioOf('orders', 'usual'), 4),
    ratioTarget('device look-ups ÷ bare node:http (d ÷ a)', ratioOf('devices', 'bare'), 0.3),
    ratioTarget('orders sent again ÷ new ones (e ÷ c)', ratioOf('repeated', 'orders'), 0.5),
    { name: 'p99 of an order', wanted: '≤ 100 ms', measured: `${p99.toFixed(1)} ms`, reached: p99 <= 100 },
    { name: 'errors of Cradle', wanted: '0', measured: String(errors), reached: errors === 0 },
    {
      name: 'engine alone, one core',
      wanted: '≥ 200,000 orders/s',
      measured: `${orders.toLocaleString('en')} orders/s`,
      reached: orders >= 200_000,
    },
    {
      name: 'peak memory of the Node process',
      wanted: '< 250 MB',
      measured: `${Math.round(memoryPeakMb)} MB`,
      reached: memoryPeakMb < 250,
    },
  ]
}

function ratioTarget(name: string, ratio: number, wanted: number): Target {
  return { name, wanted: `≥ ${wanted.toFixed(2)}`, measured: ratio.toFixed(2), reached: ratio >= wanted }
}

function speedOf(turns: readonly MeasuredTurn[]): SpeedFigures {
  const latencies = turns.map((turn) => turn.load.latency)
  return {
    perSecond: median(turns.map((turn) => turn.perSecond)),
    perSecondByRound: turns.map((turn) => turn.perSecond),
    p50Ms: median(latencies.map(({ p50Ms }) => p50Ms)),
    p95Ms: median(latencies.map(({ p95Ms }) => p95Ms)),
    p99Ms: median(latencies.map(({ p99Ms }) => p99Ms)),
    maxMs: Math.max(...latencies.map(({ maxMs }) => maxMs)),
  }
}

function cpuOf(turns: readonly MeasuredTurn[], cores: number): CpuFigures {
  const perRequest = (part: 'server' | 'postgres' | 'generator') =>
    median(turns.map(({ cpu, load }) => (cpu[part] * 1000) / Math.max(1, load.responses)))
  return {
    serverMicros: perRequest('server'),
    postgresMicros: perRequest('postgres'),
    generatorMicros: perRequest('generator'),
    busyShare: median(turns.map((turn) => busyMs(turn) / turn.cpu.windowMs / cores)),
    othersShare: median(turns.map(({ cpu }) => cpu.others / cpu.windowMs / cores)),
    serverCoreShare: median(turns.map(({ cpu }) => cpu.server / cpu.windowMs)),
  }
}

function countsOf(turns: readonly MeasuredTurn[]): CountFigures {
  const total = (count: (turn: MeasuredTurn) => number) => turns.reduce((sum, turn) => sum + count(turn), 0)
  return {
    requests: total((turn) => turn.load.issued),
    errors: total((turn) => turn.errors),
    wal: { syncs: total((turn) => turn.wal.syncs), bytes: total((turn) => turn.wal.bytes) },
  }
}

const busyMs = ({ cpu }: MeasuredTurn): number => cpu.server + cpu.postgres + cpu.generator + cpu.others

function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((one, other) => one - other)
  const middle = sorted.length / 2
  const low = sorted[Math.ceil(middle) - 1] ?? NaN
  return (low + (sorted[Math.floor(middle)] ?? NaN)) / 2
}
