// Keeps what this version leaves behind, for test/upgrade.test.ts: a backup of a database with data, and its answers.
import { chmodSync, createWriteStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import type { Pool } from 'pg'
import { readDatasetFiles } from '../src/reference-data/files.ts'
import { loadReferenceData } from '../src/reference-data/load.ts'
import { EXAMPLE_ORDER } from '../src/http/schemas/examples.ts'
import { buildApp } from '../src/app.ts'
import { VERSION } from '../src/version.ts'
import { SCOPES, createKey, ensureAccount, setAmortisation } from '../src/postgres/accounts.ts'
import { backup } from '../src/postgres/backup/backup.ts'
import { startServer } from '../src/postgres/embedded/server.ts'
import { migrate, readMigrations } from '../src/postgres/migrations.ts'
import { createPool } from '../src/postgres/pool.ts'
import { registerRelease } from '../src/postgres/dataset-releases.ts'
import { RELEASES, type KeptAnswer } from '../test/archived-releases.ts'
import { postRandom } from './post-random.ts'
import { createRandomOrders } from './random-orders.ts'

const ROOT = join(import.meta.dirname, '..')
const ANSWERED = 10
const POSTED = 40
/** Most orders have an event: what is rare elsewhere has to migrate too. */
const EVENT_SHARE = 0.8
const MAPPED = 'mapped-product'

const directory = mkdtempSync(join(tmpdir(), 'cradle-keep-'))
// PostgreSQL's own user must pass through.
chmodSync(directory, 0o711)
const server = await startServer({ dataDirectory: directory })
const pool = createPool(server.connection, {}, () => {})
try {
  await migrate(pool, readMigrations())
  const answers = await fill(pool)
  const lines = answers.map((answer) => JSON.stringify(answer)).join(',\n')
  writeFileSync(join(RELEASES, `${VERSION}.json`), `[\n${lines}\n]\n`)
  await pipeline(
    backup(pool, VERSION),
    createGzip({ level: 9 }),
    createWriteStream(join(RELEASES, `${VERSION}.backup`)),
  )
} finally {
  await pool.end()
  await server.stop()
  rmSync(directory, { recursive: true, force: true })
}

/** Two accounts, charged in both ways. What is answered is answered first: what happens later must not change it. */
async function fill(database: Pool): Promise<readonly KeptAnswer[]> {
  const files = readDatasetFiles(join(ROOT, 'data'))
  const referenceData = loadReferenceData(files)
  const releaseId = await registerRelease(database, referenceData.release, referenceData.hash, files)
  const app = await buildApp(database, referenceData, files, false)
  const answers: KeptAnswer[] = []
  for (const [seed, account] of (['capped', 'uncapped'] as const).entries()) {
    const { accountId } = await ensureAccount(database, account)
    await setAmortisation(database, account, account)
    const client = { app, key: await createKey(database, accountId, SCOPES, null) }
    await ask(client, 'PUT', '/api/products', [{ product_id: MAPPED, model_id: 'apple-macbook-air-13-m3-256gb' }])
    const { order } = createRandomOrders(referenceData, seed)
    for (const posted of [mappedOrder(), ...Array.from({ length: ANSWERED }, order)]) {
      answers.push({ account, order: posted, answer: await ask(client, 'POST', '/api/customer-orders', posted) })
    }
    const random = { orders: POSTED, eventShare: EVENT_SHARE, seed: seed + 10 }
    await postRandom(database, { ...random, accountId, isCapped: account === 'capped', referenceData, releaseId })
  }
  await app.close()
  return answers
}

function mappedOrder(): object {
  const [laptop, ...others] = EXAMPLE_ORDER.items!
  return { ...EXAMPLE_ORDER, items: [{ ...laptop, config: { ...laptop!.config, product_id: MAPPED } }, ...others] }
}

interface Client {
  readonly app: FastifyInstance
  readonly key: string
}

async function ask({ app, key }: Client, method: 'POST' | 'PUT', url: string, body: object): Promise<string> {
  const { statusCode, payload } = await app.inject({ method, url, headers: { 'x-api-key': key }, payload: body })
  if (statusCode !== 200) throw new Error(`${method} ${url} was answered ${statusCode}: ${payload}`)
  return payload
}
