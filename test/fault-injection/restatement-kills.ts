// A restatement is posted while the program is killed again and again: every order ends as its preview says.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from 'pg'
import { plantedFile } from '../../scripts/generate-import-file.ts'
import { randomFrom } from '../../scripts/random-orders.ts'
import { verifyAll } from '../../src/cli/verify.ts'
import { SCOPES, createKey, ensureAccount } from '../../src/postgres/accounts.ts'
import { registerRelease } from '../../src/postgres/dataset-releases.ts'
import { changedRelease } from '../changed-release.ts'
import { until } from '../command.ts'
import type { Json } from '../document-check.ts'
import { createImportClient } from '../import-client.ts'
import { exchange } from '../raw-http.ts'
import { shippedReferenceData } from '../shipped-book.ts'
import { startOwnProgram } from './own-program.ts'
import type { OwnProgram } from './programs.ts'

export interface RestatementKillPlan {
  readonly orders: number
  readonly kills: number
  /** The orders, and how many are restated when the program is killed, follow from it. */
  readonly seed: number
  /** Called after each kill. */
  readonly report: (done: number) => void
}

export interface RestatementKillTrial {
  /** Orders that the restatement changes. */
  readonly changed: number
  /** Each a sentence; empty where every order has the emission of the preview, and everything verifies. */
  readonly failures: readonly string[]
}

const ENDED_MS_MAX = 300_000
/** The last kill has some orders after it. */
const KILLED_SHARE_MAX = 0.9
const AFTER_MS_MAX = 40

/** Restates orders by a release with other freight and packaging, and every grid factor a tenth higher. */
export async function restateWithKills({
  orders,
  kills,
  seed,
  report,
}: RestatementKillPlan): Promise<RestatementKillTrial> {
  const program = await startOwnProgram({ workers: 1 })
  try {
    const account = await openAccount(program)
    await account.importOrders(orders, seed)
    const release = await addRelease(program)
    const preview = await account.preview(release)
    const expected = await account.expectedTotals(preview)
    const random = randomFrom(seed)
    const total = Number((preview['preview'] as Json)['number_of_orders'])
    const points = Array.from({ length: kills }, () => random() * KILLED_SHARE_MAX * total).sort((a, b) => a - b)
    const failures: string[] = []
    await account.apply(preview)
    for (const [at, point] of points.entries()) {
      await program.withPool((pool) => untilRestated(pool, account.accountId, point))
      await sleep(random() * AFTER_MS_MAX)
      await program.end('SIGKILL')
      await program.start()
      if ((await account.find(preview))['state'] === 'applied') failures.push(`It had ended before kill ${at + 1}`)
      // Nobody waits for the program that is gone.
      await program.withPool(async (pool) => void (await pool.query('update restatements set leased_until = null')))
      report(at + 1)
    }
    const state = await account.ended(preview)
    if (state !== 'applied') failures.push(`It ended as ${state}`)
    for (const [name, sum] of await account.totals())
      if (sum !== expected.get(name)) failures.push(`${name}: ${String(expected.get(name))} in the preview, is ${sum}`)
    await program.withPool(async (pool) => void failures.push(...(await verifyAll(pool)).lines))
    return { changed: total, failures }
  } finally {
    await program.close()
  }
}

async function addRelease(program: OwnProgram): Promise<string> {
  const { files } = shippedReferenceData()
  const grid = files
    .get('grid-factors.csv')!
    .replace(/^(\w\w,\d+,\d+),([\d.]+),/gm, (_, start: string, factor: string) => {
      return `${start},${(Number(factor) * 1.1).toFixed(9)},`
    })
  const changes = [
    {
      file: 'transports.csv',
      row: 'road-van-diesel',
      cells: { ttw_kg_co2e_per_tonne_km: '1.14905', factor_kg_co2e_per_tonne_km: '1.3' },
    },
  ]
  const { referenceData, files: changed } = changedRelease('2030.01', changes, { 'grid-factors.csv': grid })
  await program.withPool(async (pool) => {
    await registerRelease(pool, referenceData.release, referenceData.hash, changed)
  })
  return referenceData.release
}

async function openAccount(program: OwnProgram) {
  let [accountId, key] = [0, '']
  await program.withPool(async (pool) => {
    accountId = (await ensureAccount(pool, 'restated')).accountId
    key = await createKey(pool, accountId, SCOPES, null)
  })
  const ask = (path: string, sent: Parameters<typeof exchange>[2] = {}) =>
    exchange(program.target().address, path, sent)
  const send = async (method: string, path: string, body?: Json): Promise<Json> => {
    const headers = { 'x-api-key': key, 'content-type': 'application/json' }
    const { status, text } = await ask(path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`)
    return JSON.parse(text) as Json
  }
  const pathOf = (restatement: Json) => `/api/restatements/${String(restatement['restatement_id'])}`
  const find = (restatement: Json) => send('GET', pathOf(restatement))
  const ended = async (restatement: Json): Promise<string> => {
    let state = ''
    await until(
      async () => !['previewing', 'applying'].includes((state = String((await find(restatement))['state']))),
      () => `the restatement stays ${state}`,
      ENDED_MS_MAX,
    )
    return state
  }
  const totals = async (): Promise<ReadonlyMap<string, bigint>> => {
    let found: ReadonlyMap<string, bigint> = new Map()
    await program.withPool(async (pool) => {
      found = await totalsOf(pool, accountId)
    })
    return found
  }
  return {
    accountId,
    find,
    ended,
    totals,
    importOrders: async (orders: number, seed: number) => {
      const { referenceData } = shippedReferenceData()
      const { file } = await plantedFile({ referenceData, orders, seed, layout: 'items', faultShare: 0 })
      const client = createImportClient({ ask, key })
      const { import_id: importId } = JSON.parse((await client.send(file)).text) as Json
      await client.ended(importId, ENDED_MS_MAX)
    },
    preview: async (release: string): Promise<Json> => {
      const restatement = await send('POST', '/api/restatements', {
        scope: {},
        figures: { release },
        reason: 'Newer figures',
      })
      await ended(restatement)
      return find(restatement)
    },
    apply: (preview: Json) =>
      send('POST', `${pathOf(preview)}/apply`, { digest: (preview['preview'] as Json)['digest'] as string }),
    /** What every order comes to, by the preview. */
    expectedTotals: async (preview: Json): Promise<ReadonlyMap<string, bigint>> => {
      const expected = new Map(await totals())
      await program.withPool(async (pool) => {
        const { rows } = await pool.query<{ name: string; difference: bigint }>(
          `select customer_id || '/' || order_id as name, difference_mg as difference from restated_emissions
          where account_id = $1 and restatement_id = $2 and year is null and problem is null`,
          [accountId, preview['restatement_id']],
        )
        for (const { name, difference } of rows) expected.set(name, expected.get(name)! + BigInt(difference))
      })
      return expected
    },
  }
}

async function totalsOf(pool: Pool, accountId: number): Promise<ReadonlyMap<string, bigint>> {
  const { rows } = await pool.query<{ readonly name: string; readonly sum: bigint }>(
    `select customer_id || '/' || split_part(order_id, chr(31), 1) as name,
      sum(embodied_mg + use_mg + packaging_mg + transportation_mg)::bigint as sum
    from entries where account_id = $1 and order_id <> '' group by 1`,
    [accountId],
  )
  return new Map(rows.map(({ name, sum }) => [name, BigInt(sum)]))
}

const untilRestated = (pool: Pool, accountId: number, orders: number): Promise<void> =>
  until(
    async () => {
      const { rows } = await pool.query<{ restated: number }>(
        `select count(*)::integer as restated from orders where account_id = $1 and status = 'corrected'`,
        [accountId],
      )
      return rows[0]!.restated >= orders
    },
    () => `the restatement does not come to ${orders} orders`,
    ENDED_MS_MAX,
  )
