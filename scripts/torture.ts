// Ends, starves, cuts off and restores the program, and writes bench/results/torture.md: [D1=20] [X4] [seed=7].
import { kindsOf } from '../test/fault-injection/kinds.ts'
import { boundOf, writeTrial } from '../test/fault-injection/report.ts'

const WRITERS = 8
const LOAD_MS_MAX = 2_000
const words = new Map(process.argv.slice(2).map((word) => [word.split('=')[0]!, word.split('=')[1]] as const))
const seed = Number(words.get('seed') ?? 20261122)
words.delete('seed')
const kinds = kindsOf('long')
const unknown = [...words.keys()].filter((id) => !kinds.some((kind) => kind.id === id))
if (unknown.length > 0)
  throw new Error(`There is no ${unknown.join(', ')}: name ${kinds.map(({ id }) => id).join(', ')}`)

for (const kind of kinds.filter(({ id }) => words.size === 0 || words.has(id))) {
  const obstacle = kind.obstacle?.() ?? null
  if (obstacle !== null) {
    process.stderr.write(`${kind.id} left out: ${obstacle}\n`)
    continue
  }
  const cycles = Number(words.get(kind.id) ?? kind.longCycles)
  const startedAt = performance.now()
  const secondsSince = () => (performance.now() - startedAt) / 1000
  const report = (done: number) =>
    void process.stderr.write(`${kind.id} ${done} of ${cycles} cycles, ${secondsSince().toFixed(0)} s\n`)
  const trial = await kind.run({ seed, cycles, writers: WRITERS, timeFactor: 1, loadMsMax: LOAD_MS_MAX, report })
  writeTrial({ kind, seed, seconds: secondsSince(), trial })
  for (const failure of trial.failures) process.stderr.write(`${kind.id}: ${failure}\n`)
  process.stdout.write(
    `${kind.id}: ${trial.cycles} cycles, ${trial.failures.length} failures; rate ${boundOf(kind, trial)}\n`,
  )
  if (trial.failures.length > 0) process.exitCode = 1
}
