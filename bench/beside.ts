// Two states of Cradle side by side: posting orders in turns within one run, so that nothing but the code differs.
import { setTimeout as sleep } from 'node:timers/promises'
import { orderRequest } from './bench-order.ts'
import { startCradle, type CradleSubject } from './cradle-subject.ts'
import { openMeasuredDatabase, type MeasuredDatabase } from './measured-database.ts'
import { CONNECTIONS, type Pace } from './rounds.ts'
import { measureTurn, type Turn } from './turn.ts'

const PAUSE_MS = 1000

interface Side {
  readonly cradle: CradleSubject
  readonly database: MeasuredDatabase
  issued: number
}

/**
 * Posts orders to both programs, each with a database of its own, in turns whose sequence alternates.
 * @returns what the first posts of what the second does, by round
 */
export async function measureBeside(ours: string, theirs: string, pace: Pace, print: (line: string) => void) {
  const stops: (() => Promise<void>)[] = []
  try {
    const sides = [await startSide(ours, stops), await startSide(theirs, stops)] as const
    const ratios: number[] = []
    for (let round = 0; round < pace.rounds; round += 1) {
      const turns = new Map<Side, Turn>()
      for (const side of round % 2 === 0 ? sides : sides.toReversed()) turns.set(side, await takeTurn(side, pace))
      const [our, their] = sides.map((side) => turns.get(side)!)
      ratios.push(our!.perSecond / their!.perSecond)
      if (our!.errors + their!.errors > 0) throw new Error('Some orders failed: there is nothing to compare')
      print(`round ${round + 1}: ${describe(our!)} against ${describe(their!)}: ${ratios.at(-1)!.toFixed(3)}`)
    }
    return ratios
  } finally {
    for (const stop of stops.toReversed()) await stop()
  }
}

async function startSide(program: string, stops: (() => Promise<void>)[]): Promise<Side> {
  const cradle = await startCradle(program)
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

const describe = ({ perSecond, errors, load }: Turn): string =>
  `${Math.round(perSecond)}/s (p99 ${load.latency.p99Ms.toFixed(1)} ms, ${errors} errors)`
