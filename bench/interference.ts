// Two Cradles side by side: the same requests in turns within one run, so that only the code or the workers differ.
import { setTimeout as sleep } from 'node:timers/promises'
import { deviceRequest, orderRequest, returnRequest } from './bench-order.ts'
import { startCradle, type CradleSubject } from './cradle-target.ts'
import type { NumberPlan, RequestPlan } from './load-plan.ts'
import { openMeasuredDatabase, type MeasuredDatabase } from './measured-database.ts'
import { memoryMbOf, workersOf } from './process-clock.ts'
import { CONNECTIONS, type Pace } from './rounds.ts'
import { measureTurn, type Turn } from './alternation.ts'

const PAUSE_MS = 1000

/** What is sent in a turn: new orders, reads of their devices, and the return of each order, in this sequence. */
const KINDS = ['orders', 'look-ups', 'events'] as const
type Kind = (typeof KINDS)[number]

/** The first Cradle's figure ÷ the second's, within one round. */
export interface Ratio {
  readonly rate: number
  /** CPU time of the server's process per request: it varies less with other load on the machine. */
  readonly serverTime: number
}

export type Ratios = Readonly<Record<Kind, readonly Ratio[]>>

export interface Contestant {
  /** Path of its cradle.ts. */
  readonly program: string
  readonly workers: number
}

interface Side {
  readonly cradle: CradleSubject
  readonly database: MeasuredDatabase
  readonly issued: Record<Kind, number>
}

/** Loads both programs, each with a database of its own, in turns whose sequence alternates. */
export async function measureBeside(
  ours: Contestant,
  theirs: Contestant,
  pace: Pace,
  print: (line: string) => void,
): Promise<Ratios> {
  const stops: (() => Promise<void>)[] = []
  try {
    const sides = [await startSide(ours, stops), await startSide(theirs, stops)] as const
    // As before the rounds of the whole benchmark: until the compiler has seen enough of all code.
    for (const side of sides) for (const kind of KINDS) await takeTurn(side, kind, { ...pace, windowMs: pace.firstMs })
    const ratios: Record<Kind, Ratio[]> = { orders: [], 'look-ups': [], events: [] }
    for (let round = 0; round < pace.rounds; round += 1) {
      for (const kind of KINDS) {
        const turns = new Map<Side, Turn>()
        for (const side of round % 2 === 0 ? sides : sides.toReversed())
          turns.set(side, await takeTurn(side, kind, pace))
        const [our, their] = [turns.get(sides[0])!, turns.get(sides[1])!]
        const failure = our.load.firstError ?? their.load.firstError
        if (our.errors + their.errors > 0)
          throw new Error(`Some ${kind} failed, so nothing can be compared: ${failure}`)
        const ratio = { rate: our.perSecond / their.perSecond, serverTime: serverMicros(our) / serverMicros(their) }
        ratios[kind].push(ratio)
        print(`round ${round + 1} ${kind}: ${describe(our)} against ${describe(their)}: ${ratio.rate.toFixed(3)}`)
      }
    }
    const [ourPeak, theirPeak] = sides.map(({ cradle }) => peakMbOf(cradle.server.pid))
    print(`Peak memory: ${ourPeak} MB here, ${theirPeak} MB there`)
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
  return { cradle, database, issued: { orders: 0, 'look-ups': 0, events: 0 } }
}

async function takeTurn(side: Side, kind: Kind, { warmUpMs, windowMs }: Pace): Promise<Turn> {
  const { cradle, database, issued } = side
  await database.checkpoint()
  await sleep(PAUSE_MS)
  const { pid, port } = cradle.server
  const plan = {
    port,
    connections: CONNECTIONS,
    warmUpMs,
    windowMs,
    arrivals: null,
    ...requestOf(kind, cradle),
    numbers: numbersOf(kind, issued),
  }
  const turn = await measureTurn(plan, pid, database.postmasterPid)
  issued[kind] += turn.load.issued
  if (issued.events > issued.orders) throw new Error('More events were sent than there are orders')
  return turn
}

function requestOf(kind: Kind, { names, apiKey }: CradleSubject): { request: RequestPlan; expect: string } {
  switch (kind) {
    case 'orders':
      return { request: orderRequest(names, apiKey), expect: '"total_emission"' }
    case 'look-ups':
      return { request: deviceRequest(apiKey), expect: '"number_of_orders":1' }
    case 'events':
      return { request: returnRequest(apiKey), expect: '"status":"returned"' }
  }
}

const numbersOf = (kind: Kind, issued: Side['issued']): NumberPlan =>
  kind === 'look-ups' ? { kind: 'spread', from: 0, count: issued.orders } : { kind: 'rising', from: issued[kind] }

const peakMbOf = (pid: number): string =>
  [pid, ...workersOf(pid)].map((one) => Math.round(memoryMbOf(one).peak)).join(' + ')

const serverMicros = ({ cpu, load }: Turn): number => (cpu.server * 1000) / load.responses

const describe = (turn: Turn): string =>
  `${Math.round(turn.perSecond)}/s (p99 ${turn.load.latency.p99Ms.toFixed(1)} ms, ${serverMicros(turn).toFixed(1)} µs)`
