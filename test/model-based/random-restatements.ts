// Restates what random histories left, by random releases and scopes: what a preview says is what posting does.
import assert from 'node:assert/strict'
import type { Pool } from 'pg'
import { multiply, ONE, rational, type Rational } from '../../src/engine/numbers/rational.ts'
import type { ReferenceData } from '../../src/engine/reference/reference-data.ts'
import { LONG_LEDGER } from '../../src/engine/ledger-history.ts'
import { createQueueLoad } from '../../src/concurrency/queue-load.ts'
import { createOpenLedger } from '../../src/ledger/codec.ts'
import { createReleaseMixer } from '../../src/ledger/restatement/release-mixer.ts'
import type { RestatementScope } from '../../src/ledger/restatement/plan.ts'
import type { ChangeRow } from '../../src/ledger/restatement/change-rows.ts'
import { TOGETHER_MAX } from '../../src/ledger/restatement/planned-orders.ts'
import { postRestatement } from '../../src/ledger/restatement/post-restatement.ts'
import { previewRestatement } from '../../src/ledger/restatement/work.ts'
import { createEventStore, createOnSnapshot } from '../../src/postgres/events.ts'
import { createLedgerTransactions } from '../../src/postgres/ledger-transactions.ts'
import { createRestatementJobs } from '../../src/postgres/restatement-jobs.ts'
import { readCaseBook } from '../case-book.ts'
import { sumsInSql } from '../report-sums.ts'
import type { Subject } from './history-check.ts'

/** Draws numbers from 0 to below 1, the same for the same seed. */
type Draw = () => number

function drawFrom(seed: number): Draw {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

const LIMITS = { batchBytesMax: 1_000_000, queueBytesMax: 10_000_000, queueLoad: createQueueLoad() }
const OTHER_RELEASES = 1_000
/** Share of the restatements that are undone, and what is added to the number of one for that of its undo. */
const UNDONE = 0.3
const UNDO_IDS = 10_000
/** Restatements whose years are compared, too: the second implementation of reports is slow for long ledgers. */
const WITH_YEARS_MAX = 4

/**
 * A restatement posts to each order of a device, and one with a long ledger keeps its orders as they are: up to this
 * length, another restatement, its undo and the way back stay below that.
 */
const ENTRIES_MAX = LONG_LEDGER / 2

/** @returns how many restatements there were until a ledger was too long for more, and how many orders changed */
export async function checkRestatements(
  subject: Subject,
  count: number,
  seed: number,
  onDone: (done: number) => void = () => {},
) {
  const draw = drawFrom(seed)
  const { pool } = subject
  const original = readCaseBook('book.json')
  const [{ release_id: originalId }] = (
    await pool.query<{ release_id: number }>('select release_id from dataset_releases')
  ).rows as [{ release_id: number }]
  const releases = new Map<number, ReferenceData>([[originalId, original]])
  const referenceDataOf = (releaseId: number) => Promise.resolve(releases.get(releaseId)!)
  const run = createLedgerTransactions(pool, 100_000, createOpenLedger(referenceDataOf))
  const work = {
    events: createEventStore(LIMITS, run),
    onSnapshot: createOnSnapshot(pool),
    releases: createReleaseMixer(referenceDataOf),
    candidates: createRestatementJobs(pool).candidates,
    onProgress: () => undefined,
    pace: {
      together: () => 1 + Math.floor(draw() * TOGETHER_MAX),
      pause: () => Promise.resolve(),
      rest: () => Promise.resolve(),
    },
  }
  const before = await sumsOfOrders(pool)
  let [changed, done] = [0, 0]
  const restate = async (isCapped: boolean, releaseId: number, scope: RestatementScope) => {
    const { accountId } = subject.accounts[isCapped ? 'capped' : 'uncapped']
    const restating = { accountId, recordedBy: null, isCapped, restatementId: releaseId, reason: 'random' }
    const task = { restating, scope, figures: { releaseOf: () => Promise.resolve(releaseId), mappingOf: null } }
    const earlier = await sumsOfOrders(pool, accountId)
    changed += await checkOne(pool, work, task, (done += 1) <= WITH_YEARS_MAX)
    if (releaseId === originalId || draw() > UNDONE) return
    const undo = {
      restating: { ...restating, restatementId: releaseId + UNDO_IDS },
      scope: {},
      figures: { ...task.figures, undoes: releaseId },
    }
    changed += await checkOne(pool, work, undo, false)
    assert.deepEqual(await sumsOfOrders(pool, accountId), earlier, 'undone, every order is what it was')
  }
  let restatements = 0
  while (restatements < count && (await longestLedger(pool)) <= ENTRIES_MAX) {
    const at = (restatements += 1)
    const releaseId = OTHER_RELEASES + at
    releases.set(releaseId, changedFigures(original, draw, `random-${at}`))
    await pool.query('insert into dataset_releases overriding system value values ($1, $2, $3, $4)', [
      releaseId,
      `random-${at}`,
      Buffer.alloc(32, at),
      Buffer.alloc(0),
    ])
    await restate(draw() < 0.5, releaseId, drawScope(draw))
    onDone(at)
  }
  // Restated back, everything is what it was.
  for (const isCapped of [true, false]) await restate(isCapped, originalId, {})
  assert.deepEqual(await sumsOfOrders(pool), before)
  return { restatements, changed }
}

async function longestLedger(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ readonly longest: number | null }>(
    "select max(entry_no) as longest from entries where serial_number <> ''",
  )
  return rows[0]!.longest ?? 0
}

async function checkOne(
  pool: Pool,
  work: Parameters<typeof previewRestatement>[0],
  task: Parameters<typeof previewRestatement>[1],
  isWithYears: boolean,
): Promise<number> {
  const { accountId } = task.restating
  const rows: ChangeRow[] = []
  const save = (more: readonly ChangeRow[]) => Promise.resolve(void rows.push(...more))
  const orders = await sumsOfOrders(pool, accountId)
  const years = isWithYears ? await sumsOfYears(pool, accountId) : null
  const { plan, summary } = await previewRestatement(work, task, save)
  assert.deepEqual(await sumsOfOrders(pool, accountId), orders, 'a preview stores nothing')
  const refused: ChangeRow[] = []
  await postRestatement(work, task, plan, (_, more) => Promise.resolve(void refused.push(...more)))
  const known = new Set(rows.filter(({ problem }) => problem !== null).map(nameOfOrder))
  assert.deepEqual(
    refused.map(nameOfOrder).filter((name) => !known.has(name)),
    [],
    'what the preview does not refuse is posted',
  )
  const ordersAfter = await sumsOfOrders(pool, accountId)
  const ofOrders = rows.filter(({ year, problem }) => year === null && problem === null)
  assert.deepEqual(differences(orders, ordersAfter), sumsBy(ofOrders, nameOfOrder))
  const ofYears = rows.filter(({ year }) => year !== null)
  if (years)
    assert.deepEqual(
      differences(years, await sumsOfYears(pool, accountId)),
      sumsBy(ofYears, ({ customerId, year }) => `${customerId}/${String(year)}`),
    )
  for (const { difference, bridge } of rows) assert.equal(sumOfBridge(bridge), difference)
  const all = [...differences(orders, ordersAfter).values()].reduce((sum, one) => sum + one, 0n)
  assert.equal(BigInt(summary.difference), all)
  assert.equal(sumOfBridge(JSON.stringify(summary.bridge)), all)
  const again = await previewRestatement(work, task, save)
  assert.equal(again.summary.number_of_orders, 0, 'what was restated has nothing left to restate')
  return summary.number_of_orders
}

const nameOfOrder = ({ customerId, orderId }: ChangeRow): string => `${customerId}/${orderId}`

/** Milligrams by cause, or by cause and part. */
function sumOfBridge(bridge: string): bigint {
  const amounts = Object.values(JSON.parse(bridge) as Record<string, string | Record<string, string>>)
  return amounts
    .flatMap((amount) => (typeof amount === 'string' ? [amount] : Object.values(amount)))
    .reduce((sum, amount) => sum + BigInt(amount), 0n)
}

type Sums = ReadonlyMap<string, bigint>

const sumsBy = (rows: readonly ChangeRow[], nameOf: (row: ChangeRow) => string): Sums =>
  new Map(
    [...Map.groupBy(rows, nameOf)]
      .map(([name, own]) => [name, own.reduce((sum, { difference }) => sum + difference, 0n)] as const)
      .filter(([, sum]) => sum !== 0n)
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  )

function differences(before: Sums, after: Sums): Sums {
  const names = new Set([...before.keys(), ...after.keys()])
  return new Map(
    [...names]
      .map((name) => [name, (after.get(name) ?? 0n) - (before.get(name) ?? 0n)] as const)
      .filter(([, sum]) => sum !== 0n)
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  )
}

/** Of every order, all revisions together, and its devices' embodied emissions with it. */
async function sumsOfOrders(pool: Pool, accountId: number | null = null): Promise<Sums> {
  const { rows } = await pool.query<{ readonly name: string; readonly sum: bigint }>(
    `select customer_id || '/' || split_part(order_id, chr(31), 1) as name,
      sum(embodied_mg + use_mg + packaging_mg + transportation_mg)::bigint as sum
    from entries where order_id <> '' and ($1::integer is null or account_id = $1) group by 1 order by 1`,
    [accountId],
  )
  return new Map(rows.map(({ name, sum }) => [name, BigInt(sum)]))
}

async function sumsOfYears(pool: Pool, accountId: number): Promise<Sums> {
  const sums = await sumsInSql(pool, { accountId, basis: 'tenure', groupBy: ['customer', 'substr(month, 1, 4)'] })
  return new Map(sums.map(({ labels, milligrams }) => [labels.join('/'), milligrams]))
}

const FACTORS: readonly Rational[] = [ONE, ONE, rational(11n, 10n), rational(2n, 3n), rational(7n, 4n)]

function changedFigures(original: ReferenceData, draw: Draw, release: string): ReferenceData {
  const scale = <Value extends Rational | null>(value: Value, factor: Rational) =>
    (value === null ? null : multiply(value, factor)) as Value
  const factorOf = () => FACTORS[Math.floor(draw() * FACTORS.length)]!
  const mapped = <Key, Value>(all: ReadonlyMap<Key, Value>, change: (value: Value) => Value) =>
    new Map([...all].map(([key, value]) => [key, change(value)]))
  const isFor = { devices: draw() < 0.7, grid: draw() < 0.5, freight: draw() < 0.5 }
  return {
    ...original,
    release,
    ...(isFor.devices && {
      models: mapped(original.models, (model) => {
        const factor = factorOf()
        return {
          ...model,
          total: scale(model.total, factor),
          production: scale(model.production, factor),
          transportation: scale(model.transportation, factor),
          productUse: scale(model.productUse, factor),
          endOfLife: scale(model.endOfLife, factor),
        }
      }),
    }),
    ...(isFor.grid && {
      grid: mapped(original.grid, (years) =>
        years.map((year) => ({ ...year, factor: scale(year.factor, factorOf()) })),
      ),
    }),
    ...(isFor.freight && {
      transports: mapped(original.transports, (one) => ({ ...one, factor: scale(one.factor, factorOf()) })),
      packagings: mapped(original.packagings, (one) => ({ ...one, factor: scale(one.factor, factorOf()) })),
    }),
  }
}

function drawScope(draw: Draw): RestatementScope {
  const kind = draw()
  if (kind < 0.4) return {}
  if (kind < 0.8) return { tenure_start_from: `20${24 + Math.floor(draw() * 4)}-0${1 + Math.floor(draw() * 9)}-01` }
  return { model_ids: [...readCaseBook('book.json').models.keys()].filter(() => draw() < 0.5) }
}
