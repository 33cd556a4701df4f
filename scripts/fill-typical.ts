// Fills a database with usual orders by COPY: `node scripts/fill-typical.ts 10000000`; place as for `serve`.
import { join } from 'node:path'
import { readConfig } from '../src/config.ts'
import { readDatasetFiles } from '../src/reference-data/files.ts'
import { loadReferenceData } from '../src/reference-data/load.ts'
import { ensureAccount } from '../src/postgres/accounts.ts'
import { connectToRunning } from '../src/postgres/database.ts'
import { registerRelease } from '../src/postgres/dataset-releases.ts'
import { fillUsual, makeTemplates, ORDERS_MAX } from './typical-orders.ts'

const orders = Number(process.argv[2])
if (!(orders > 0 && orders <= ORDERS_MAX)) throw new Error(`Usage: node scripts/fill-typical.ts [1 to ${ORDERS_MAX}]`)
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
  const { accountId } = await ensureAccount(pool, 'usual')
  const startedAt = performance.now()
  await fillUsual(
    pool,
    await makeTemplates(pool, { accountId, isCapped: true, referenceData, releaseId }, orders),
    orders,
  )
  process.stderr.write(`${orders} orders, ${Math.round((performance.now() - startedAt) / 1000)} s\n`)
} finally {
  await database.close()
}
