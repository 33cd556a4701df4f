// Files of events: each row is recorded like an event that is sent alone, those of one order or device in sequence.
import { runByKeys } from '../concurrency/run-by-keys.ts'
import { parseBatchEvent, type EventToRecord } from '../contract/parse-batch.ts'
import { dayLimitsAt } from '../contract/day-limits.ts'
import { ApiError } from '../contract/errors.ts'
import { messageOf, type Problem } from '../engine/order.ts'
import { warningsOfEvent, withoutKnownDevice } from '../ledger/event-warnings.ts'
import { differencesOfEvent } from '../ledger/idempotency.ts'
import { serialNumbersOfOrder } from '../ledger/order-state.ts'
import type { EventOutcome } from '../ledger/record-event.ts'
import type { EventPosting, NewEvent } from '../ledger/records.ts'
import { defaultWarnings, eventIn } from '../ledger/refurbishment-default.ts'
import { eventUnderStoredIds, keysOfEvents, recordEvent } from '../ledger/record-events.ts'
import type { EventStore } from '../ledger/store.ts'
import type { FileOrder } from '../spreadsheets/file-order.ts'
import type { ImportContext, RecordingAccount } from './context.ts'
import { toProcessedOrder, type BeginBatch } from './import-file.ts'
import { refusedFor, type Outcome } from './import-order.ts'
import { ROW_MESSAGES } from './messages.ts'
import { groupWarnings } from './warning-groups.ts'
import { createYielder } from './throttle.ts'

/** Few, because each has a transaction of its own; half as many while requests are served. */
export const EVENTS_AT_ONCE = 4
export const SERVING_MS = 100
/** Events between two checkpoints: some seconds, so that progress is seen and files of other accounts get a turn. */
const STRETCH_EVENTS = 250
/** Keys of earlier rows that a dry run remembers. */
const EARLIER_MAX = 500_000

type Row = { readonly file: FileOrder; readonly read: EventToRecord | null; readonly refused: Outcome | null }

/** Records the events of a file. */
export const eventBatch =
  (context: ImportContext): BeginBatch =>
  (account) =>
    Promise.resolve(batchOf(context, account, (row) => record(context, context.events, account, row)))

/**
 * Decides on the events of a file as if each was sent alone, and stores nothing. An event that is impossible alone but
 * concerns the order or device of an earlier row counts as possible, because that row may make it so.
 */
export function dryRunEvents(context: ImportContext): BeginBatch {
  const store = withoutStoring(context.events)
  const earlier = new Set<string>()
  return (account) =>
    Promise.resolve(
      batchOf(context, account, async (row, keys) => {
        const follows = keys.some((key) => earlier.has(key))
        const outcome = await record(context, store, account, row)
        if (outcome.kind === 'refused') return follows ? POSSIBLE : outcome
        if (earlier.size < EARLIER_MAX) for (const key of keys) earlier.add(key)
        return outcome
      }),
    )
}

const POSSIBLE: Outcome = { kind: 'stored', emission: 0n }

function batchOf(
  context: ImportContext,
  account: RecordingAccount,
  process: (row: Row & { readonly read: EventToRecord }, keys: readonly string[]) => Promise<Outcome>,
): Awaited<ReturnType<BeginBatch>> {
  const files: FileOrder[] = []
  return {
    ordersMax: STRETCH_EVENTS,
    add: (file) => void files.push(file),
    end: async () => {
      const maybeYield = createYielder(context)
      const rows: Row[] = []
      for (const file of files) {
        await maybeYield()
        rows.push(await parseRow(context, account, file))
      }
      const sound = rows.flatMap(({ read }) => read ?? [])
      const keys = await keysOfEvents(sound, (orders) =>
        context.imports.devicesOfOrders(account.accountId, orders, serialNumbersOfOrder),
      )
      const keysOf = ({ read }: Row) => (read ? keys.get(read)! : [])
      const weightOf = () => (context.servedWithin(SERVING_MS) ? 2 : 1)
      const options = { keysOf, weightOf, weightMax: EVENTS_AT_ONCE, signal: new AbortController().signal }
      return runByKeys(rows, options, async (row) => {
        const { file, read } = row
        return toProcessedOrder(file, read ? await process({ ...row, read }, keysOf(row)) : row.refused!)
      })
    },
  }
}

async function parseRow(
  { validatorOf, storedIds, mappings, releaseId, referenceData, events }: ImportContext,
  account: RecordingAccount,
  file: FileOrder,
): Promise<Row> {
  const { accountId, isStrict, daysAheadMax } = account
  const limits = dayLimitsAt(new Date(), daysAheadMax)
  const parsed = parseBatchEvent(withBoolean(file.body) ?? {}, validatorOf, limits)
  if (!parsed.ok) return { file, read: null, refused: refusedFor(file, parsed.problems) }
  const matching = { releaseId, referenceData, mappingOf: await mappings.of(account) }
  const read = await eventUnderStoredIds(storedIds, accountId, parsed)
  const all = warningsOfEvent(parsed, matching)
  const warnings = read.of === 'order' ? await withoutKnownDevice(events, accountId, read.order, read.event, all) : all
  const refused = isStrict ? warnings : []
  if (file.errors.length > 0 || refused.length > 0) return { file, read: null, refused: refusedFor(file, refused) }
  return { file, read: { ...read, warnings }, refused: null }
}

/** A cell has a text; JSON lines have been read as cells. */
function withBoolean(body: unknown): unknown {
  const { dispatched } = (body ?? {}) as { readonly dispatched?: unknown }
  const text = typeof dispatched === 'string' ? dispatched.toLowerCase() : ''
  return text === 'true' || text === 'false' ? { ...(body as object), dispatched: text === 'true' } : body
}

async function record(
  context: ImportContext,
  store: EventStore,
  account: RecordingAccount,
  { file, read }: Row & { readonly read: EventToRecord },
): Promise<Outcome> {
  const notesOf = (event: { readonly content: string }) => ({
    ignored: read.ignored,
    warnings: groupWarnings(file, [...read.warnings, ...defaultWarnings(event)]),
  })
  try {
    const mappingOf = await context.mappings.of(account)
    const recorded = await recordEvent(store, account, read, { ...context, mappingOf })
    if (recorded.outcome === 'not-found') return refusedFor(file, [unknownSubject(read)])
    const notes = notesOf(eventIn(recorded))
    if (recorded.outcome === 'posted') return { ...POSSIBLE, ...notes }
    return { ...differencesTo(file, recorded), ...notes }
  } catch (error) {
    if (error instanceof WouldBeStored) return { ...POSSIBLE, ...notesOf(error.event) }
    if (!(error instanceof ApiError)) throw error
    return refusedFor(file, error.details)
  }
}

function differencesTo(file: FileOrder, { stored, event }: Extract<EventOutcome<unknown>, { outcome: 'replayed' }>) {
  const differences = differencesOfEvent(stored, event)
  if (differences.length === 0) return { kind: 'replayed' } as const
  return refusedFor(
    file,
    differences.map(({ path, ...difference }) => ({
      path,
      ...ROW_MESSAGES.event_stored_differently({ difference: messageOf({ path, ...difference }) }),
    })),
  )
}

function unknownSubject(sent: EventToRecord): Problem {
  if (sent.of === 'device') return { path: '/serial_number', ...ROW_MESSAGES.event_device_unknown() }
  return { path: '/order_id', ...ROW_MESSAGES.event_order_unknown() }
}

/** What a dry run throws where an event would be stored; the transaction is rolled back. */
class WouldBeStored extends Error {
  readonly event: NewEvent

  constructor(event: NewEvent) {
    super()
    this.event = event
  }
}

function withoutStoring(store: EventStore): EventStore {
  const append = (_: EventPosting, event: NewEvent) => Promise.reject(new WouldBeStored(event))
  return {
    onOrder: (accountId, order, work) =>
      store.onOrder(accountId, order, (transaction) => work({ ...transaction, append })),
    onDevice: (accountId, serialNumber, work) =>
      store.onDevice(accountId, serialNumber, (transaction) => work({ ...transaction, append })),
  }
}
