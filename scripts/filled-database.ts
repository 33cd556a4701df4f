// A new database with usual orders in it, for a program to be measured on.
import { join } from 'node:path'
import type { Pool } from 'pg'
import { readDatasetFiles } from '../src/reference-data/files.ts'
import { loadReferenceData } from '../src/reference-data/load.ts'
import { createKey, ensureAccount } from '../src/postgres/accounts.ts'
import { startServer } from '../src/postgres/embedded/server.ts'
import { migrate, readMigrations } from '../src/postgres/migrations.ts'
import { createPool } from '../src/postgres/pool.ts'
import { registerRelease } from '../src/postgres/dataset-releases.ts'
import { fillUsual, makeTemplates } from './typical-orders.ts'

const ROOT = join(import.meta.dirname, '..')

/** While it is filled only: the program runs on its own settings. What is lost then is filled again. */
const FILLING = {
  wal_level: 'minimal',
  max_wal_senders: '0',
  shared_buffers: '2GB',
  max_wal_size: '16GB',
  maintenance_work_mem: '512MB',
}

export function readCatalogue() {
  const files = readDatasetFiles(join(ROOT, 'data'))
  return { files, referenceData: loadReferenceData(files) }
}

export async function withDatabase<Result>(
  dataDirectory: string,
  report: (sentence: string) => void,
  use: (pool: Pool) => Promise<Result>,
): Promise<Result> {
  const server = await startServer({ dataDirectory, settings: FILLING, report })
  const pool = createPool(server.connection, {}, report)
  try {
    return await use(pool)
  } finally {
    await pool.end()
    await server.stop()
  }
}

/** An account of so many orders, and a key to it. */
export async function fillNew(pool: Pool, { files, referenceData }: ReturnType<typeof readCatalogue>, orders: number) {
  await migrate(pool, readMigrations())
  const releaseId = await registerRelease(pool, referenceData.release, referenceData.hash, files)
  const { accountId } = await ensureAccount(pool, 'demo')
  const key = await createKey(pool, accountId, ['orders:write', 'orders:read'], null)
  const startedAt = performance.now()
  await fillUsual(
    pool,
    await makeTemplates(pool, { accountId, isCapped: true, referenceData, releaseId }, orders),
    orders,
  )
  return { key, fillSeconds: (performance.now() - startedAt) / 1000 }
}
