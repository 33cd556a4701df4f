// Two Cradles side by side: posting orders in turns within one run, so that nothing but the code or the workers differ.
import { setTimeout as sleep } from 'node:timers/promises'
import { orderRequest } from './bench-order.ts'
import { startCradle, type CradleSubject } from './cradle-target.ts'
import { openMeasuredDatabase, type MeasuredDatabase } from './measured-database.ts'
import { memoryMbOf, workersOf } from './process-clock.ts'
import { CONNECTIONS, type Pace } from './rounds.ts'
import { measureTurn, type Turn } from './alternation.ts'

const PAUSE_MS = 1000

/** What the first does of what the second does, within one round. */
export interface Ratio {
  readonly orders: number
  /** CPU time an order of the server's process: it moves less with whoever else has the machine. */
  readonly serverTime: number
}

export interface Contestant {
  /** Path of its cradle.ts. */
  readonly program: string
  readonly workers: number
}

interface Side {
  readonly cradle: CradleSubject
  readonly database: MeasuredDatabase
  issued: number
}

/** Posts orders to both programs, each with a database of its own, in turns whose sequence alternates. */
export async function measureBeside(
  ours: Contestant,
  theirs: Contestant,
  pace: Pace,
  print: (line: string) => void,
): Promise<readonly Ratio[]> {
  const stops: (() => Promise<void>)[] = []
  try {
    const sides = [await startSide(ours, stops), await startSide(theirs, stops)] as const
    // As before the rounds of the whole benchmark: until the compiler has seen enough of all code.
    for (const side of sides) await takeTurn(side, { ...pace, windowMs: pace.firstMs })
    const ratios: Ratio[] = []
    for (let round = 0; round < pace.rounds; round += 1) {
      const turns = new Map<Side, Turn>()
      for (const side of round % 2 === 0 ? sides : sides.toReversed()) turns.set(side, await takeTurn(side, pace))
      const [our, their] = [turns.get(sides[0])!, turns.get(sides[1])!]
      if (our.errors + their.errors > 0) throw new Error('Some orders failed: there is nothing to compare')
      const ratio = { orders: our.perSecond / their.perSecond, serverTime: serverMicros(our) / serverMicros(their) }
      ratios.push(ratio)
      print(`round ${round + 1}: ${describe(our)} against ${describe(their)}: ${ratio.orders.toFixed(3)}`)
    }
    const [ourPeak, theirPeak] = sides.map(({ cradle }) => peakMbOf(cradle.server.pid))
    print(`At their peaks the processes had ${ourPeak} MB here, ${theirPeak} MB there`)
    return ratios
  } finally {
    for (const stop of stops.toReversed()) await stop()
  }
}

async function startSide({ program, workers }: Contestant, stops: (() => Promise<void>)[]): Promise<Side> {
  const cradle = await startCradle(program, workers)
  stops.push(cradle.stop)
  const database = await openMeasuredDatabase(cradle.dataDirectory)
  stops.push(database.close)
  return { cradle, database, issued: 0 }
}

async function takeTurn(side: Side, { warmUpMs, windowMs }: Pace): Promise<Turn> {
  const { cradle, database, issued } = side
  await database.checkpoint()
  await sleep(PAUSE_MS)
  const { pid, port } = cradle.server
  const request = orderRequest(cradle.names, cradle.apiKey)
  const numbers = { kind: 'rising' as const, from: issued }
  const plan = {
    port,
    connections: CONNECTIONS,
    warmUpMs,
    windowMs,
    arrivals: null,
    request,
    expect: '"total_emission"',
    numbers,
  }
  const turn = await measureTurn(plan, pid, database.postmasterPid)
  side.issued += turn.load.issued
  return turn
}

const peakMbOf = (pid: number): string =>
  [pid, ...workersOf(pid)].map((one) => Math.round(memoryMbOf(one).peak)).join(' + ')

const serverMicros = ({ cpu, load }: Turn): number => (cpu.server * 1000) / load.responses

const describe = (turn: Turn): string =>
  `${Math.round(turn.perSecond)}/s (p99 ${turn.load.latency.p99Ms.toFixed(1)} ms, ${serverMicros(turn).toFixed(1)} µs)`
