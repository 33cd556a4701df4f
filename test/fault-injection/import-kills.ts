// A file imported while the program is killed again and again: what comes of it is what comes of it undisturbed.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from 'pg'
import { plantedFile } from '../../scripts/generate-import-file.ts'
import { randomFrom } from '../../scripts/random-orders.ts'
import { verifyAll } from '../../src/cli/verify.ts'
import { SCOPES, createKey, ensureAccount } from '../../src/postgres/accounts.ts'
import { until } from '../command.ts'
import type { Json } from '../document-check.ts'
import { exchange, type Sent } from '../raw-http.ts'
import { createImportClient, type ImportClient } from '../import-client.ts'
import { shippedReferenceData } from '../shipped-book.ts'
import type { OwnProgram } from './programs.ts'
import { killIfThere, startOwnProgram, untilReady } from './own-program.ts'

export interface KillPlan {
  readonly orders: number
  readonly kills: number
  /** The file, and how many orders are stored when the program is killed, follow from it. */
  readonly seed: number
  /** Where there are several, one of them is killed, and not the program. */
  readonly workers: number
  /** True where after the last kill nobody spares the program the seconds for which it waits for a silent process. */
  readonly isPatient: boolean
  /** Called after each kill. */
  readonly report: (done: number) => void
}

export interface KillTrial {
  /** What the undisturbed import came to. */
  readonly undisturbed: Json
  /** Each a sentence; empty where the killed one came to the same. */
  readonly failures: readonly string[]
}

const FAULT_SHARE = 0.02
const IMPORT_MS_MAX = 300_000
/** The last kill has some of the file before it. */
const KILLED_SHARE_MAX = 0.9
const AFTER_MS_MAX = 40
const COMPARED = [
  'state',
  'rows_read',
  'orders_stored',
  'orders_replayed',
  'orders_rejected',
  'rows_rejected',
  'problem',
]

/** Imports one file for two accounts of a program, which is killed while it works on the second. */
export async function importWithKills({
  orders,
  kills,
  seed,
  workers,
  isPatient,
  report,
}: KillPlan): Promise<KillTrial> {
  const random = randomFrom(seed)
  const { referenceData } = shippedReferenceData()
  const { file } = await plantedFile({ referenceData, orders, seed, layout: 'items', faultShare: FAULT_SHARE })
  const program = await startOwnProgram({ workers })
  try {
    const undisturbed = await sendFor(program, 'undisturbed', file)
    const expected = await undisturbed.ended()
    const killed = await sendFor(program, 'killed', file)
    const failures: string[] = []
    const storedMax = KILLED_SHARE_MAX * Number(expected['orders_stored'])
    const points = Array.from({ length: kills }, () => random() * storedMax).sort((a, b) => a - b)
    for (const [at, point] of points.entries()) {
      await program.withPool((pool) => untilStored(pool, killed.accountId, point))
      await sleep(random() * AFTER_MS_MAX)
      if ((await killed.find())['finished_at'] !== null) failures.push(`The import had ended before kill ${at + 1}`)
      if (workers > 1) await killWorker(program)
      else {
        await program.end('SIGKILL')
        await program.start()
        if (!isPatient || at < kills - 1) await goOnAtOnce(program)
      }
      report(at + 1)
    }
    await killed.ended()
    failures.push(...differencesOf(await undisturbed.told(), await killed.told()))
    await program.withPool(
      async (pool) => void failures.push(...(await storedDifferences(pool, [undisturbed, killed]))),
    )
    return { undisturbed: expected, failures }
  } finally {
    await program.close()
  }
}

/** Ends one of the workers, and waits for its successor. */
async function killWorker(program: OwnProgram): Promise<void> {
  killIfThere(program.workerPids()[0]!)
  await untilReady(program)
}

interface SentFile {
  readonly accountId: number
  readonly find: () => Promise<Json>
  readonly ended: () => Promise<Json>
  /** What its client sees of it in the end. */
  readonly told: () => Promise<Json>
}

async function sendFor(program: OwnProgram, account: string, file: string | Buffer): Promise<SentFile> {
  let [accountId, client]: [number, ImportClient | null] = [0, null]
  await program.withPool(async (pool) => {
    accountId = (await ensureAccount(pool, account)).accountId
    const key = await createKey(pool, accountId, SCOPES, null)
    const ask = (path: string, sent: Sent = {}) => exchange(program.target().address, path, sent)
    client = createImportClient({ ask, key })
  })
  const { send, find, ended, errors } = client!
  const { import_id: importId } = JSON.parse((await send(file)).text) as Json
  return {
    accountId,
    find: () => find(importId),
    ended: () => ended(importId, IMPORT_MS_MAX),
    told: async () => {
      const found = await find(importId)
      const members = COMPARED.map((name) => [name, found[name]] as const)
      return { ...Object.fromEntries(members), errors: await errors(importId) }
    },
  }
}

const untilStored = (pool: Pool, accountId: number, orders: number): Promise<void> =>
  until(
    async () => {
      const { rows } = await pool.query<{ stored: number }>(
        'select count(*)::integer as stored from orders where account_id = $1',
        [accountId],
      )
      return rows[0]!.stored >= orders
    },
    () => `the import does not come to ${orders} orders`,
    IMPORT_MS_MAX,
  )

/** Spares the seconds for which others wait for a process that is silent, and then for the next look. */
async function goOnAtOnce(program: OwnProgram): Promise<void> {
  await program.withPool(
    async (pool) =>
      void (await pool.query(
        // Not what the new process has claimed already: it would work on that twice at once.
        `update imports set lease_until = '-infinity'
        where finished_at is null and split_part(lease_owner, ' ', 2)::integer is distinct from $1`,
        [program.pid()],
      )),
  )
  const { address, key } = program.target()
  const { text } = await exchange(address, '/api/import-templates/items', { headers: { 'x-api-key': key } })
  // Whatever arrives wakes who works on files.
  await sendFor(program, 'waking', text)
}

/** What of two accounts is stored otherwise, and what cannot be computed again. */
async function storedDifferences(pool: Pool, [one, other]: readonly [SentFile, SentFile]): Promise<readonly string[]> {
  const { differences, lines } = await verifyAll(pool)
  const verified = differences > 0 ? [`verify --all: ${differences} differences; ${lines.slice(0, 3).join('; ')}`] : []
  return [...verified, ...differencesOf(await storedOf(pool, one.accountId), await storedOf(pool, other.accountId))]
}

async function storedOf(pool: Pool, accountId: number): Promise<Json> {
  const { rows } = await pool.query<Json>(
    `select count(*) as orders, count(distinct import_row) as "rows that orders began in",
      (select count(*) from devices where account_id = $1) as devices,
      (select sum(embodied_mg + use_mg + packaging_mg + transportation_mg) from entries where account_id = $1)
        as emission
    from orders where account_id = $1`,
    [accountId],
  )
  return Object.fromEntries(Object.entries(rows[0]!).map(([name, value]) => [name, String(value)]))
}

const differencesOf = (undisturbed: Json, killed: Json): readonly string[] =>
  Object.keys(undisturbed).flatMap((name) => {
    const [expected, found] = [undisturbed, killed].map((one) => JSON.stringify(one[name]))
    return expected === found ? [] : [`${name}: ${found!.slice(0, 200)}, undisturbed ${expected!.slice(0, 200)}`]
  })
