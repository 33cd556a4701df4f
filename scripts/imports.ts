// Imports a large file with planted errors, kills the program meanwhile and posts orders meanwhile:
// `npm run imports -- [--orders 1000000] [--kills 20] [--seed 1] [--only file|usual|kills|posting]`.
import { parseArgs } from 'node:util'
import { importWithKills } from '../test/fault-injection/import-kills.ts'
import { shippedReferenceData } from '../test/shipped-book.ts'
import { postBeside } from './import-interference.ts'
import { importLarge } from './import-large.ts'
import { writeBeside, writeKills, writeLarge } from './import-report.ts'

/** Files of the parts that need not be large. */
const KILLED_ORDERS_MAX = 60_000
const FAILED = /\*\*no\*\*/

const { values } = parseArgs({
  options: {
    orders: { type: 'string', default: '1000000' },
    kills: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string' },
  },
})
const [orders, kills, seed] = [Number(values.orders), Number(values.kills), Number(values.seed)]
const { referenceData } = shippedReferenceData()
const startedAt = performance.now()
const report = (sentence: string): void =>
  void process.stderr.write(`${((performance.now() - startedAt) / 1000).toFixed(0)} s: ${sentence}\n`)

const PARTS: Readonly<Record<string, () => Promise<string>>> = {
  file: async () =>
    writeLarge('A large file', await importLarge({ referenceData, orders, seed, isUsual: false, report }), seed),
  usual: async () =>
    writeLarge(
      'A large file of usual orders',
      await importLarge({ referenceData, orders, seed, isUsual: true, report }),
      seed,
    ),
  kills: async () => {
    const reportKill = (done: number) => report(`${done} of ${kills} kills`)
    const most = Math.min(orders, KILLED_ORDERS_MAX)
    const plan = { orders: most, kills, seed, workers: 1, isPatient: true, report: reportKill }
    return writeKills(plan, await importWithKills(plan))
  },
  posting: async () => writeBeside(await postBeside({ referenceData, seed, report }), seed),
}

const parts = values.only === undefined ? Object.keys(PARTS) : [values.only]
if (![orders, kills, seed].every(Number.isInteger) || orders < 1 || kills < 1 || !parts.every((name) => name in PARTS))
  throw new Error('Usage: npm run imports -- [--orders N] [--kills N] [--seed N] [--only file|usual|kills|posting]')
for (const name of parts) {
  const section = await PARTS[name]!()
  process.stdout.write(`${section}\n`)
  if (FAILED.test(section)) process.exitCode = 1
}
