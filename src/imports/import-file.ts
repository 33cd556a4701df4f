// Imports a file in batches of orders; progress is recorded when a complete batch is durable.
import { createSequence } from '../concurrency/sequence.ts'
import { orderKey } from '../engine/device-timeline.ts'
import { serialNumbersOf } from '../engine/resolve-order.ts'
import { underStoredKey } from '../ledger/stored-ids.ts'
import { toRecord, type RecordedOrder, type RefusedOrder } from '../ledger/record-order.ts'
import type { RejectedRow, ImportCounts, StoredImport } from '../postgres/import-record.ts'
import type { FileOrder } from '../spreadsheets/file-order.ts'
import { readOrders } from '../spreadsheets/read-orders.ts'
import { UnreadableFile } from '../spreadsheets/row.ts'
import type { Settings } from '../spreadsheets/settings.ts'
import { mergeWarnings } from './warning-groups.ts'
import { createConcurrencyLimiter, createYielder, orderBytes } from './throttle.ts'
import type { ImportContext, RecordingAccount, Progress } from './context.ts'
import { rowsToStore, toRejectedRows } from './rejected-rows.ts'
import { parseJson } from './parse-json.ts'
import {
  compareWithStored,
  mergeIgnored,
  parseFileOrder,
  refusedFor,
  rejectedForWarnings,
  rowOf,
  storedOutcome,
  withNotes,
  type Outcome,
  type SoundFileOrder,
} from './import-order.ts'
import { orderKeyOf } from '../ledger/codec.ts'
import { endsOfRevision, recordRentalEnds } from './rental-ends.ts'
import { openChunkedFile } from './stored-file.ts'

/** Orders between two checkpoints: after a crash they are read again, and found to be stored already. */
const STRETCH_ORDERS = 4_000
/** Large orders are limited by weight, because all their errors are in memory together. */
const STRETCH_WEIGHT_MAX = 10_000_000
/** The time limit applies while the service is busy, so that observers see progress. */
const STRETCH_MS_MAX = 1_000

/** Accepts one batch of orders, each as soon as it is read. */
export interface ImportBatch {
  /** Fulfilled when there is room for the next order. */
  readonly add: (order: FileOrder) => Promise<void> | undefined
  /** How many it may have. Absent for the usual number. */
  readonly ordersMax?: number
  /** The outcomes in order, once all of them are durable. */
  readonly end: () => Promise<readonly ProcessedOrder[]>
}

/** What is retained of a processed order: little for most of them, since a batch has thousands. */
export interface ProcessedOrder {
  readonly outcome: Outcome
  readonly rows: number
  readonly lastRow: number
  /** All rows of a rejected order with the errors of each: once corrected, they have to form the complete order. */
  readonly faulty: readonly RejectedRow[]
}

export type BeginBatch = (account: RecordingAccount) => Promise<ImportBatch>

/** Interval of `reading` progress if there is no other progress. */
const READING_MS = 1_000

/**
 * Continues the import from its recorded position to the end of its file.
 * @throws any error of reading the file or of the database; progress recorded until then is retained
 */
export async function* importFile(
  context: ImportContext,
  job: StoredImport,
  beginStretch: BeginBatch,
): AsyncGenerator<Progress, void> {
  const source = openChunkedFile(job.fileBytes, (no) => context.imports.piece(job, no))
  const settings = JSON.parse(job.settings!) as Settings
  const recordedBy = { importId: job.importId }
  const begin = async () => beginStretch({ ...(await context.findAccount(job.accountId)), recordedBy })
  const begunAt = performance.now()
  let [caughtUpMs, saidAt]: [number | null, number] = [null, begunAt]
  let [counts, stretch, size, weight, since] = [job.counts, await begin(), 0, 0, performance.now()]
  const end = async () => {
    const processed = await stretch.end()
    const spent = { bytesRead: source.bytesSeen(), workingMs: performance.now() - since }
    const refused = processed.map(({ faulty }) => faulty).filter(({ length }) => length > 0)
    const stored = rowsToStore(counts, refused)
    counts = { ...countsAfter(counts, processed, spent), ...stored.counts }
    await context.work.dealtWith(job, counts, stored.rows)
  }
  const maybeYield = createYielder(context)
  try {
    for await (const batch of readOrders(source, settings, parseJson)) {
      for (const order of batch) {
        if ((order.place ?? rowOf(order)) <= counts.rowDone) continue
        caughtUpMs ??= performance.now() - begunAt
        await maybeYield()
        await stretch.add(order)
        size += 1
        weight += orderBytes(order)
        const isShort = performance.now() - since < STRETCH_MS_MAX
        if (isShort && size < (stretch.ordersMax ?? STRETCH_ORDERS) && weight < STRETCH_WEIGHT_MAX) continue
        await end()
        yield { kind: 'checkpoint', caughtUpMs }
        ;[stretch, size, weight, since] = [await begin(), 0, 0, performance.now()]
        saidAt = since
      }
      await maybeYield()
      if (performance.now() - saidAt < READING_MS) continue
      yield { kind: 'reading' }
      saidAt = performance.now()
    }
  } catch (error) {
    // Nothing may continue in the background when the import is next processed. The outcomes of the orders before an
    // unreadable part are recorded.
    if (error instanceof UnreadableFile) await end()
    else await stretch.end().catch(() => undefined)
    throw error
  }
  await end()
}

/**
 * Posts a batch of orders, each as POST would. Those with a common id or device are posted in the sequence of the file,
 * so that the result does not depend on time, and a dry run has the same.
 */
export const postBatch =
  (context: ImportContext, job: StoredImport): BeginBatch =>
  async (account) => {
    const mappingOf = await context.mappings.of(account)
    const inFlight = createConcurrencyLimiter<ProcessedOrder>(context)
    const inSequence = createSequence<Outcome>()
    const post = (order: FileOrder): Outcome | Promise<Outcome> => {
      const read = parseFileOrder(order, context, mappingOf, account)
      if (!read.ok) return read.outcome
      const keys = [orderKey(orderKeyOf(read.wire)), ...serialNumbersOf(read.items)]
      return inSequence(keys, () => postOne(context, job, order, account, read))
    }
    return {
      add: (order) => inFlight.add(orderBytes(order), async () => toProcessedOrder(order, await post(order))),
      end: inFlight.end,
    }
  }

export function toProcessedOrder({ rows, place }: FileOrder, outcome: Outcome): ProcessedOrder {
  const [count, lastRow] = [rows.length, place ?? rows.at(-1)!.number]
  if (outcome.kind !== 'refused') return { outcome, rows: count, lastRow, faulty: [] }
  // The errors are now stored with the rows; complete values of the file must not stay in memory in addition.
  return {
    outcome: { kind: 'refused', errors: [] },
    rows: count,
    lastRow,
    faulty: toRejectedRows(rows, outcome.errors),
  }
}

async function postOne(
  context: ImportContext,
  { accountId, importId }: StoredImport,
  order: FileOrder,
  account: RecordingAccount,
  read: SoundFileOrder,
): Promise<Outcome> {
  const origin = { importId, row: rowOf(order) }
  const { items, ends } = read
  const wire = await underStoredKey(context.storedIds, accountId, read)
  const { isCapped, isStrict, recordedBy } = account
  const readable = { wire, items, releaseId: context.releaseId, isCapped, isStrict, origin, recordedBy }
  const recorded = await context.recordOrder(toRecord(accountId, readable))
  if (recorded.outcome === 'refused') return withNotes(rejectedForWarnings(order, recorded.warnings), read.notes)
  const outcome =
    recorded.outcome === 'created'
      ? storedOutcome(order, recorded.posting.order)
      : compareWithStored(order, wire, recorded.stored, importId)
  const isStored = outcome.kind !== 'refused'
  const told = endsOfRevision(ends, firstSentId(recorded))
  const problems = isStored ? await recordRentalEnds(context, account, orderKeyOf(wire), told) : []
  return withNotes(problems.length > 0 ? refusedFor(order, problems) : outcome, read.notes)
}

/** The id of the revision that the events of the order were recorded for. */
const firstSentId = (recorded: Exclude<RecordedOrder, RefusedOrder>): string =>
  recorded.outcome === 'created' ? recorded.posting.order.orderId : (recorded.firstSent ?? recorded.stored).orderId

function countsAfter(
  before: ImportCounts,
  processed: readonly ProcessedOrder[],
  { bytesRead, workingMs }: Pick<ImportCounts, 'bytesRead' | 'workingMs'>,
): ImportCounts {
  const counts = { ...before, bytesRead, workingMs: before.workingMs + workingMs }
  for (const { outcome, rows, lastRow } of processed) {
    counts.rowsRead += rows
    counts.rowDone = lastRow
    counts.ignored = mergeIgnored(counts.ignored, outcome.ignored ?? [])
    if (outcome.kind !== 'refused') counts.warnings = mergeWarnings(counts.warnings, outcome.warnings ?? [])
    if (outcome.kind === 'replayed') counts.ordersReplayed += 1
    else if (outcome.kind === 'stored') {
      counts.ordersStored += 1
      counts.emission += outcome.emission
    } else {
      counts.ordersRejected += 1
      counts.rowsRejected += rows
    }
  }
  return counts
}
