// D1, D2, D3, D5, D8, D10, D11: the program, a worker, its database or both ended under load, and a second program on
// the same data.
import type { Random } from '../../scripts/random-orders.ts'
import { aMoment, runOwnCycles, type Bench } from './own-cycles.ts'
import { killIfThere, untilReady } from './own-program.ts'
import { longest, type Plan, type Trial } from './trial.ts'

/** The program gives its database up after five ends in a minute, and says so. */
const DATABASE_KILLS_PER_PROGRAM = 4
const UPLOADERS = 1
/** It gives up where one worker ends for the sixth time in a minute. */
const WORKER_KILLS_PER_PROGRAM = 5
const WORKERS = 2
const BACK_MS_MAX = 10_000
const UNAVAILABLE_MS_MAX = 2_000
const STOP_MS_MAX = 10_000

export const killProgram = (plan: Plan): Promise<Trial> =>
  runOwnCycles(plan, async (bench) => {
    const { program, client, writers, add } = bench
    const load = client.load(writers, UPLOADERS)
    await aMoment(bench)
    await program.end('SIGKILL')
    await load.stop()
    add('slowest start, ms', await program.start())
  })

export const killDatabase = (plan: Plan): Promise<Trial> =>
  runOwnCycles(plan, async (bench, at) => {
    const { program, client, random, writers, add } = bench
    const load = client.load(writers, UPLOADERS)
    await aMoment(bench)
    client.window()
    for (const pid of chooseVictims(program.databasePids(), random)) killIfThere(pid)
    add('longest until it serves again, ms', await client.untilServed(BACK_MS_MAX * plan.timeFactor))
    await load.stop()
    const { times, errors } = client.window()
    const slowest = longest(times)
    add('slowest answer, ms', slowest)
    if (slowest > UNAVAILABLE_MS_MAX * plan.timeFactor) client.fail(`An answer took ${slowest} ms`)
    for (const [code, count] of Object.entries(errors)) client.fail(`${count} requests had no answer: ${code}`)
    if (program.hasEnded()) client.fail('The program ended with its database')
    if (at % DATABASE_KILLS_PER_PROGRAM > 0) return
    await program.end('SIGTERM')
    await program.start()
  })

/** Of those that answer at one address, one; the others go on, and it is replaced. */
export const killWorker = (plan: Plan): Promise<Trial> =>
  runOwnCycles(
    plan,
    async (bench, at) => {
      const { program, client, random, writers, add } = bench
      const load = client.load(writers, UPLOADERS)
      await aMoment(bench)
      const workers = program.workerPids()
      client.window()
      const killedAt = performance.now()
      killIfThere(workers[Math.floor(random() * workers.length)]!)
      await untilReady(program)
      add('longest until all workers serve again, ms', performance.now() - killedAt)
      const { statuses } = client.window()
      await load.stop()
      if (!statuses[200]) client.fail('No request was served while a worker was replaced')
      if (program.hasEnded()) client.fail('The program ended with one of its workers')
      if (program.workerPids().length !== WORKERS) client.fail(`There are ${program.workerPids().length} workers`)
      if (at % WORKER_KILLS_PER_PROGRAM > 0) return
      await program.end('SIGTERM')
      await program.start()
    },
    WORKERS,
  )

/** All at once, its first process alone, or one of those that answer. */
function chooseVictims(pids: readonly number[], random: Random): readonly number[] {
  const kind = random()
  if (kind < 0.5) return pids
  return kind < 0.75 ? pids.slice(0, 1) : [pids[1 + Math.floor(random() * (pids.length - 1))]!]
}

export const killBoth = (plan: Plan): Promise<Trial> =>
  runOwnCycles(plan, async (bench) => {
    const { program, client, writers, add } = bench
    const load = client.load(writers, UPLOADERS)
    await aMoment(bench)
    const pids = program.databasePids()
    const ended = program.end('SIGKILL')
    for (const pid of pids) killIfThere(pid)
    await ended
    await load.stop()
    add('slowest start, ms', await program.start())
  })

export const stopUnderLoad = (plan: Plan, workers = 1): Promise<Trial> =>
  runOwnCycles(plan, (bench) => stopOnce(bench, plan), workers)

export const stopWorkersUnderLoad = (plan: Plan): Promise<Trial> => stopUnderLoad(plan, WORKERS)

async function stopOnce(bench: Bench, { timeFactor }: Plan): Promise<void> {
  const { program, client, writers, add } = bench
  const load = client.load(writers, UPLOADERS)
  await aMoment(bench)
  client.window()
  const startedAt = performance.now()
  const end = await program.end('SIGTERM')
  const took = performance.now() - startedAt
  await load.stop()
  const { errors } = client.window()
  add('slowest stop, ms', took)
  if (end !== 'stopped') client.fail(`Told to stop, the program ended with ${end}`)
  if (took > STOP_MS_MAX * timeFactor) client.fail(`The stop took ${Math.round(took)} ms`)
  // Who is refused a connection has sent nothing.
  const broken = Object.entries(errors).filter(([error]) => error !== 'ECONNREFUSED')
  for (const [error, count] of broken) client.fail(`${count} requests under way were broken off: ${error}`)
  add('slowest start, ms', await program.start())
}

export const startSecond = (plan: Plan): Promise<Trial> =>
  runOwnCycles(plan, async ({ program, client, writers, add }) => {
    const load = client.load(writers, UPLOADERS)
    client.window()
    const startedAt = performance.now()
    const { code, stderr } = await program.run(['serve'])
    add('slowest refusal, ms', performance.now() - startedAt)
    await load.stop()
    const isNamed = new RegExp(`already in use by process ${program.pid()}\\b`).test(stderr)
    if (code !== 1 || !isNamed) client.fail(`The second program ended with ${code} and said: ${stderr.slice(0, 300)}`)
    const { statuses } = client.window()
    const unserved = (statuses[0] ?? 0) + (statuses[503] ?? 0)
    if (unserved > 0) client.fail(`${unserved} requests to the first program failed meanwhile`)
  })
