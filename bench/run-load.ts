// npm run load: how long answers take at each load, what a flood, retries and reads do, and a soak.
//   npm run load -- --soak 3600          with a soak of an hour, in seconds
//   npm run load -- --quick              short turns, printed only: bench/results/load.md has a full run
//   npm run load -- --program PATH       the cradle.ts of another checkout, printed only
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { CRADLE_PROGRAM, startCradle } from './cradle-target.ts'
import { measureBesideReads } from './load-interference.ts'
import { measureStorms } from './load-storm.ts'
import { loadReportText } from './load-report.ts'
import {
  measureHighest,
  measureOverload,
  measureShares,
  measureSoak,
  type LoadPace,
  type Stage,
} from './load-stages.ts'
import { openMeasuredDatabase } from './measured-database.ts'
import { resultFile } from './result-file.ts'

const FULL = { warmUpMs: 2000, windowMs: 6000 }
const QUICK = { warmUpMs: 1000, windowMs: 3000 }
const QUICK_SOAK_SECONDS = '12'
const SOAK_SECONDS_MAX = 3600

const OPTIONS = {
  quick: { type: 'boolean', default: false },
  soak: { type: 'string' },
  program: { type: 'string', default: CRADLE_PROGRAM },
} as const

const { values } = parseArgs({ options: OPTIONS })
const soakSeconds = Number(values.soak ?? (values.quick ? QUICK_SOAK_SECONDS : '60'))
if (!(soakSeconds > 0 && soakSeconds <= SOAK_SECONDS_MAX)) {
  throw new Error(`--soak takes seconds up to ${SOAK_SECONDS_MAX}`)
}
const text = await measure({ ...(values.quick ? QUICK : FULL), soakMs: soakSeconds * 1000 })
if (!values.quick && values.program === CRADLE_PROGRAM) writeFileSync(resultFile('load'), text)
console.log(`\n${text}`)

async function measure(pace: LoadPace): Promise<string> {
  const cradle = await startCradle(values.program)
  try {
    const database = await openMeasuredDatabase(cradle.dataDirectory)
    try {
      const stage: Stage = { cradle, database, pace, print: (line) => console.log(line), turns: 0 }
      const highest = await measureHighest(stage)
      return loadReportText({
        command: ['node bench/run-load.ts', ...process.argv.slice(2)].join(' '),
        pace,
        postgres: database,
        highest,
        shares: await measureShares(stage, highest),
        overload: await measureOverload(stage, highest),
        storms: await measureStorms(stage, highest),
        reads: await measureBesideReads(stage, highest),
        soak: await measureSoak(stage, highest),
      })
    } finally {
      await database.close()
    }
  } finally {
    await cradle.stop()
  }
}
