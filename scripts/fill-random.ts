// Fills a database with random orders and events: `node scripts/fill-random.ts 100000 [seed]`; place as for `serve`.
import { join } from 'node:path'
import { readConfig } from '../src/config.ts'
import { readDatasetFiles } from '../src/reference-data/files.ts'
import { loadReferenceData } from '../src/reference-data/load.ts'
import { ensureAccount, setAmortisation } from '../src/postgres/accounts.ts'
import { connectToRunning } from '../src/postgres/database.ts'
import { registerRelease } from '../src/postgres/dataset-releases.ts'
import { postRandom } from './post-random.ts'

const EVENT_SHARE = 0.03
const ACCOUNTS = ['random-capped', 'random-uncapped'] as const

const [orders = 100_000, seed = 1] = process.argv.slice(2).map(Number)
if (!(orders > 0) || !Number.isInteger(seed)) throw new Error('Usage: node scripts/fill-random.ts [orders] [seed]')

const report = (sentence: string): void => void process.stderr.write(`${sentence}\n`)
const database = await connectToRunning(readConfig(process.env), {
  report: () => undefined,
  onFailure: (error) => {
    throw error
  },
})
try {
  const { pool } = database
  const files = readDatasetFiles(join(import.meta.dirname, '..', 'data'))
  const referenceData = loadReferenceData(files)
  const releaseId = await registerRelease(pool, referenceData.release, referenceData.hash, files)
  for (const [at, name] of ACCOUNTS.entries()) {
    const { accountId } = await ensureAccount(pool, name)
    const isCapped = at === 0
    await setAmortisation(pool, name, isCapped ? 'capped' : 'uncapped')
    const startedAt = performance.now()
    const events = await postRandom(pool, {
      orders: Math.ceil(orders / ACCOUNTS.length),
      eventShare: EVENT_SHARE,
      seed: seed * ACCOUNTS.length + at,
      accountId,
      isCapped,
      referenceData,
      releaseId,
      onPosted: (posted) => {
        if (posted % 10_000 === 0)
          report(`${name}: ${posted} orders, ${Math.round((performance.now() - startedAt) / 1000)} s`)
      },
    })
    report(`${name}: ${Math.ceil(orders / ACCOUNTS.length)} orders and ${events} events`)
  }
} finally {
  await database.close()
}
