// One import on its way through its file: a stretch of orders at a time, each stretch told when all of it is durable.
import type { MappingOf } from '../engine/find-product.ts'
import { toBePosted } from '../http/post-order.ts'
import type { Account } from '../postgres/accounts.ts'
import type { FaultyRow, ImportCounts, StoredImport } from '../postgres/import-record.ts'
import type { FileOrder } from '../tables/file-order.ts'
import { readOrders } from '../tables/read-orders.ts'
import type { Settings } from '../tables/settings.ts'
import { createBreath, type ImportContext, type IsStopping } from './import-context.ts'
import { parseJson } from './parse-json.ts'
import { besideStored, emissionOf, readFileOrder, rowOf, type Outcome } from './outcome.ts'
import { pieceSource } from './piece-source.ts'

/** Orders between two checkpoints: what is read again after a crash, and found there before. */
export const STRETCH_ORDERS = 4_000

/** Orders on their way to the database at once: enough to fill the trips that are under way, and one that waits. */
const IN_FLIGHT_MAX = 600
/** While others are being served: a short trip, and nothing until it is back. */
const SERVING_IN_FLIGHT_MAX = 32

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
  let since = performance.now()
  const end = async () => {
    const outcomes = await take(stretch, await context.findAccount(job.accountId))
    const spent = { bytesRead: source.bytesSeen(), workingMs: performance.now() - since }
    counts = countsAfter(counts, stretch, outcomes, spent)
    await context.work.dealtWith(job, counts, faultyRows(stretch, outcomes))
    stretch = []
    since = performance.now()
  }
  const breathe = createBreath(context)
  for await (const batch of readOrders(source, settings, parseJson)) {
    for (const order of batch) {
      if (rowOf(order) > counts.rowDone) stretch.push(order)
      if (stretch.length < STRETCH_ORDERS) continue
      await end()
      if (isStopping()) return false
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
    const gate = createGate(context)
    const breathe = createBreath(context)
    const outcomes: Promise<Outcome>[] = []
    for (const order of orders) {
      await breathe()
      await gate.enter()
      const outcome = postOne(context, job, order, account, mappingOf)
      outcomes.push(outcome)
      outcome.then(gate.leave, gate.leave)
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

/** Lets one in after the other, so many at once; while others are being served, a few, and then none before all left. */
function createGate({ isServing }: ImportContext) {
  let inside = 0
  let letNextIn: (() => void) | null = null
  return {
    enter: (): Promise<void> | undefined => {
      inside += 1
      if (inside <= (isServing() ? SERVING_IN_FLIGHT_MAX : IN_FLIGHT_MAX)) return undefined
      return new Promise((resolve) => (letNextIn = resolve))
    },
    leave: (): void => {
      inside -= 1
      // The next one is counted already.
      if (letNextIn === null || inside > (isServing() ? 1 : IN_FLIGHT_MAX)) return
      letNextIn()
      letNextIn = null
    },
  }
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
const faultyRows = (orders: readonly FileOrder[], outcomes: readonly Outcome[]): readonly FaultyRow[] =>
  orders.flatMap((order, at) => {
    const outcome = outcomes[at]!
    if (outcome.kind !== 'refused') return []
    return order.rows.map(({ number, cells, json }) => ({
      row: number,
      cells: JSON.stringify(json ?? cells),
      faults: JSON.stringify(outcome.faults.filter(({ row }) => row === number)),
    }))
  })
