// One import on its way through its file: a stretch of orders at a time, each stretch told when all of it is durable.
import type { MappingOf } from '../engine/find-product.ts'
import { toBePosted } from '../http/post-order.ts'
import type { Account } from '../postgres/accounts.ts'
import type { FaultyRow, ImportCounts, StoredImport } from '../postgres/import-record.ts'
import type { FileOrder } from '../tables/file-order.ts'
import { readOrders } from '../tables/read-orders.ts'
import type { Settings } from '../tables/settings.ts'
import { createGate, orderWeight } from './gate.ts'
import { createBreath, type ImportContext, type IsStopping } from './import-context.ts'
import { parseJson } from './parse-json.ts'
import { besideStored, emissionOf, readFileOrder, rowOf, type Outcome } from './outcome.ts'
import { pieceSource } from './piece-source.ts'

/** Between two checkpoints: what is read again after a crash, and found there before. */
export const STRETCH_ORDERS = 4_000
/** Of large orders there are fewer: they are in memory all at once. */
const STRETCH_WEIGHT_MAX = 10_000_000

/** On its way to the database at once: some 600 small orders, which fill the trips under way, and one that waits. */
const IN_FLIGHT_WEIGHT_MAX = 900_000

/** What becomes of a stretch of orders, each in its place. */
export type TakeStretch = (orders: readonly FileOrder[], account: Account) => Promise<readonly Outcome[]>

/**
 * Goes on where the import stands.
 * @returns false where it was stopped before its end
 * @throws whatever reading the file, or the database, fails with; what was told by then stays told
 */
export async function importFile(
  context: ImportContext,
  job: StoredImport,
  take: TakeStretch,
  isStopping: IsStopping,
): Promise<boolean> {
  const source = pieceSource(job.fileBytes, (no) => context.imports.piece(job, no))
  const settings = JSON.parse(job.settings!) as Settings
  let counts = job.counts
  let stretch: FileOrder[] = []
  let weight = 0
  let since = performance.now()
  const end = async () => {
    const outcomes = await take(stretch, await context.findAccount(job.accountId))
    const spent = { bytesRead: source.bytesSeen(), workingMs: performance.now() - since }
    counts = countsAfter(counts, stretch, outcomes, spent)
    await context.work.dealtWith(job, counts, await faultyRows(stretch, outcomes))
    stretch = []
    weight = 0
    since = performance.now()
  }
  const breathe = createBreath()
  for await (const batch of readOrders(source, settings, parseJson)) {
    if (isStopping()) return false
    for (const order of batch) {
      if (rowOf(order) <= counts.rowDone) continue
      stretch.push(order)
      weight += orderWeight(order)
      if (stretch.length >= STRETCH_ORDERS || weight >= STRETCH_WEIGHT_MAX) await end()
    }
    await breathe()
  }
  await end()
  return true
}

/** Posts a stretch as POST would each of its orders. */
export const postStretch =
  (context: ImportContext, job: StoredImport): TakeStretch =>
  async (orders, account) => {
    const mappingOf = await context.mappings.of(account)
    const gate = createGate(IN_FLIGHT_WEIGHT_MAX)
    const breathe = createBreath()
    const outcomes: Promise<Outcome>[] = []
    let hasFailed = false
    for (const order of orders) {
      const weight = orderWeight(order)
      await breathe()
      await gate.enter(weight)
      if (hasFailed) break
      const outcome = postOne(context, job, order, account, mappingOf)
      outcomes.push(outcome)
      void outcome.catch(() => (hasFailed = true)).finally(() => gate.leave(weight))
    }
    // All of them, so that none is under way any more when a fault of one ends the work.
    await Promise.allSettled(outcomes)
    return Promise.all(outcomes)
  }

async function postOne(
  context: ImportContext,
  { accountId, importId }: StoredImport,
  order: FileOrder,
  { isCapped }: Account,
  mappingOf: MappingOf,
): Promise<Outcome> {
  const read = readFileOrder(order, context, mappingOf)
  if (!read.ok) return read.outcome
  const origin = { importId, row: rowOf(order) }
  const { wire, items } = read
  const readable = { wire, items, releaseId: context.releaseId, isCapped, origin }
  const posted = await context.postOrder(toBePosted(accountId, readable, context.bookOf))
  if (posted.outcome === 'created') return { kind: 'stored', emission: emissionOf(posted.posting.order.lines) }
  return besideStored(order, wire, posted.stored, importId)
}

function countsAfter(
  before: ImportCounts,
  orders: readonly FileOrder[],
  outcomes: readonly Outcome[],
  { bytesRead, workingMs }: Pick<ImportCounts, 'bytesRead' | 'workingMs'>,
): ImportCounts {
  const counts = { ...before, bytesRead, workingMs: before.workingMs + workingMs }
  for (const [at, { rows }] of orders.entries()) {
    const outcome = outcomes[at]!
    counts.rowsRead += rows.length
    counts.rowDone = rows.at(-1)!.number
    if (outcome.kind === 'replayed') counts.ordersReplayed += 1
    else if (outcome.kind === 'stored') {
      counts.ordersStored += 1
      counts.emission += outcome.emission
    } else {
      counts.ordersFailed += 1
      counts.rowsFailed += rows.length
    }
  }
  return counts
}

/** All rows of an order that was refused, with what is wrong with each: mended, they are to make the whole order. */
async function faultyRows(orders: readonly FileOrder[], outcomes: readonly Outcome[]): Promise<readonly FaultyRow[]> {
  const faulty: FaultyRow[] = []
  const breathe = createBreath()
  for (const [at, { rows }] of orders.entries()) {
    const outcome = outcomes[at]!
    if (outcome.kind !== 'refused') continue
    await breathe()
    const ofRow = Map.groupBy(outcome.faults, ({ row }) => row)
    for (const { number, cells, json } of rows) {
      faulty.push({
        row: number,
        cells: JSON.stringify(json ?? cells),
        faults: JSON.stringify(ofRow.get(number) ?? []),
      })
    }
  }
  return faulty
}
