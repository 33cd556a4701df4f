// npm run bench: measures Cradle against a bare server and the usual way, in turns, and writes bench/results/bench.md.
//   npm run bench -- --quick             one short round, printed only: bench/results/bench.md has a full run
//   npm run bench -- --program PATH      the cradle.ts of another checkout, printed only
//   npm run bench -- --beside PATH       orders, look-ups and events beside another checkout, printed only
//   npm run bench -- --workers 2         the same with two workers, beside one process alone, printed only
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { deviceRequest, orderRequest } from './bench-order.ts'
import { measureBeside, type Contestant, type Ratio } from './interference.ts'
import { CRADLE_PROGRAM, programOf, startCommand, startCradle, type CradleSubject } from './cradle-target.ts'
import type { EngineFigure } from './engine.ts'
import { figuresOf, targetsOf } from './figures.ts'
import { openMeasuredDatabase, type MeasuredDatabase } from './measured-database.ts'
import { memoryMbOf } from './process-clock.ts'
import { reportText, type Report } from './report.ts'
import { resultFile } from './result-file.ts'
import { measureRounds, type Contender, type ContenderId, type Pace, type Round } from './rounds.ts'
import { startServer, type ServerProcess } from './server-process.ts'
import type { StepFigures } from './stages.ts'

const USUAL_KEY = 'bench'
const CONTENDERS: readonly ContenderId[] = ['bare', 'usual', 'orders', 'devices', 'repeated']

/** Many short rounds: a ratio is taken within one, and the machine changes between one minute and the next. */
const FULL: Pace = { firstMs: 10_000, rounds: 9, warmUpMs: 1000, windowMs: 2500 }
const QUICK: Pace = { firstMs: 2000, rounds: 1, warmUpMs: 1000, windowMs: 2000 }

const OPTIONS = {
  quick: { type: 'boolean', default: false },
  program: { type: 'string', default: CRADLE_PROGRAM },
  beside: { type: 'string' },
  workers: { type: 'string', default: '1' },
} as const

/** Everything that runs while it is measured; `stop` ends it, the last started first. */
interface Stage {
  readonly cradle: CradleSubject
  readonly database: MeasuredDatabase
  readonly contenders: readonly Contender[]
}

async function main(): Promise<boolean> {
  const { values } = parseArgs({ options: OPTIONS })
  const pace = values.quick ? QUICK : FULL
  const ours = { program: values.program, workers: Number(values.workers) }
  if (values.beside !== undefined) return besideAnother(ours, { program: programOf(values.beside), workers: 1 }, pace)
  if (ours.workers > 1) return besideAnother(ours, { ...ours, workers: 1 }, pace)
  const engine = measureAlone<EngineFigure>('engine.ts', pace)
  const steps = measureAlone<StepFigures>('stages.ts', pace)
  const stops: (() => Promise<void>)[] = []
  try {
    const stage = await setUp(values.program, stops)
    const rounds = await measureRounds(stage.contenders, stage.database, pace, (line) => console.log(line))
    const command = ['node bench/run.ts', ...process.argv.slice(2)].join(' ')
    const report = toReport(command, pace, stage, rounds, { engine, steps })
    if (process.argv.length === 2) writeFileSync(resultFile('bench'), reportText(report))
    console.log(`\n${reportText(report)}`)
    return rounds.every((round) => CONTENDERS.every((id) => round[id].errors === 0))
  } finally {
    for (const stop of stops.toReversed()) await stop()
  }
}

/**
 * Whoever goes first in a round does so while the reports of both roll up what came before: with the same program on
 * both sides, it recorded 0.64 and 0.75 times as many events. So each goes first as often as the other.
 */
async function besideAnother(ours: Contestant, theirs: Contestant, pace: Pace): Promise<boolean> {
  const even = { ...pace, rounds: pace.rounds + (pace.rounds % 2) }
  const ratios = await measureBeside(ours, theirs, even, (line) => console.log(line))
  for (const [kind, ofRounds] of Object.entries<readonly Ratio[]>(ratios)) {
    console.log(`${kind} here ÷ there: ${spread(ofRounds.map(({ rate }) => rate))}`)
    console.log(`CPU time of the server per request, ${kind}: ${spread(ofRounds.map(({ serverTime }) => serverTime))}`)
  }
  return true
}

/** The geometric mean: what the order of turns adds to one round, it takes from the next. */
function spread(ofRounds: readonly number[]): string {
  const mean = Math.exp(ofRounds.reduce((sum, ratio) => sum + Math.log(ratio), 0) / ofRounds.length)
  const [low, high] = [Math.min(...ofRounds), Math.max(...ofRounds)]
  return `${mean.toFixed(3)}, by round ${low.toFixed(3)} to ${high.toFixed(3)}`
}

/** In its own process, so that it finds a fresh compiler and heap, and before anything else runs. */
function measureAlone<Figure>(program: string, { windowMs }: Pace): Figure {
  const command = [...startCommand().flags, join(import.meta.dirname, program), String(windowMs / 1000)]
  return JSON.parse(execFileSync(process.execPath, command, { encoding: 'utf8' })) as Figure
}

async function setUp(program: string, stops: (() => Promise<void>)[]): Promise<Stage> {
  const cradle = await startCradle(program)
  stops.push(cradle.stop)
  const database = await openMeasuredDatabase(cradle.dataDirectory)
  stops.push(database.close)
  const usualEnv = { ...database.usualEnv, BENCH_API_KEY: USUAL_KEY }
  const usual = await startServer([join(import.meta.dirname, 'typical-server.ts')], usualEnv)
  stops.push(usual.stop)
  const bare = await startServer([join(import.meta.dirname, 'echo-server.ts'), String(cradle.answerBytes)], {})
  stops.push(bare.stop)
  return { cradle, database, contenders: contendersOf(cradle, usual, bare) }
}

function contendersOf(cradle: CradleSubject, usual: ServerProcess, bare: ServerProcess): readonly Contender[] {
  const order = orderRequest(cradle.names, cradle.apiKey)
  const { pid, port } = cradle.server
  return [
    { id: 'bare', pid: bare.pid, port: bare.port, request: order, expect: null },
    {
      id: 'usual',
      pid: usual.pid,
      port: usual.port,
      request: orderRequest(cradle.names, USUAL_KEY),
      expect: '"total_emission"',
    },
    { id: 'orders', pid, port, request: order, expect: '"total_emission"' },
    { id: 'devices', pid, port, request: deviceRequest(cradle.apiKey), expect: '"number_of_orders":1' },
    { id: 'repeated', pid, port, request: order, expect: '"total_emission"' },
  ]
}

function toReport(
  command: string,
  pace: Pace,
  { cradle, database }: Stage,
  rounds: readonly Round[],
  { engine, steps }: Pick<Report, 'engine' | 'steps'>,
): Report {
  const memory = memoryMbOf(cradle.server.pid)
  return {
    command,
    pace,
    figures: new Map(CONTENDERS.map((id) => [id, figuresOf(rounds, id, cpus().length)])),
    targets: targetsOf(rounds, engine, memory.peak),
    engine,
    steps,
    memory,
    postgres: database,
    answerBytes: cradle.answerBytes,
  }
}

const succeeded = await main()
if (!succeeded) {
  console.error('Some requests failed or were answered wrongly: the figures above do not count.')
  process.exitCode = 1
}
