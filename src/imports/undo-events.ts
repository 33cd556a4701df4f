// Reverses an import of events: each event of it that still counts is withdrawn, the last one first; its id is free.
import type { RecordedOrderEvent } from '../contract/event-schema.ts'
import type { EventToRecord } from '../contract/parse-batch.ts'
import { ApiError } from '../contract/errors.ts'
import type { OrderKey } from '../engine/device-timeline.ts'
import { eventIdOf, sentIdOf } from '../engine/order-revision.ts'
import { runByKeys } from '../concurrency/run-by-keys.ts'
import { serialNumbersEverInOrder } from '../ledger/order-state.ts'
import type { DeviceEventAccount, EventAccount, EventOutcome } from '../ledger/record-event.ts'
import { keysOfEvents, recordEvent } from '../ledger/record-events.ts'
import { idOfUndoing } from '../ledger/sent-again.ts'
import type { ImportedEvent } from '../postgres/import-lookups.ts'
import type { StoredImport } from '../postgres/import-record.ts'
import type { ImportContext, Progress } from './context.ts'
import { EVENTS_AT_ONCE, SERVING_MS } from './import-events.ts'

const PAGE = 250

/** What became of an event: `gone` if it did not count any more. */
type Undone = 'withdrawn' | 'kept' | 'gone'

/** If it is started again, it recognises the events that were already withdrawn. */
export async function* undoEvents(context: ImportContext, job: StoredImport): AsyncGenerator<Progress, void> {
  if (job.isDryRun) return
  const account = { ...(await context.findAccount(job.accountId)), recordedBy: { importId: job.importId } }
  const done = job.undone.ordersReversed + job.undone.ordersKept
  const begunAt = performance.now()
  let [ordersReversed, ordersKept] = [0, 0]
  let caughtUpMs: number | null = null
  let before: number | null = null
  for (;;) {
    const page: readonly ImportedEvent[] = await context.imports.eventsBackwards(job, before, PAGE)
    if (page.length === 0) return
    const results = await undoPage(context, job, account, page.filter(isOfFile(job)))
    ordersReversed += results.filter((result) => result === 'withdrawn').length
    ordersKept += results.filter((result) => result === 'kept').length
    if (results.length > 0) await context.work.undone(job, { ordersReversed, ordersKept })
    if (ordersReversed + ordersKept > done) caughtUpMs ??= performance.now() - begunAt
    yield caughtUpMs === null ? { kind: 'reading' } : { kind: 'checkpoint', caughtUpMs }
    before = page.at(-1)!.no
  }
}

/** False for what the events and their withdrawals recorded besides: how a swap or an order named a device. */
const isOfFile =
  ({ importId }: StoredImport) =>
  ({ eventId, content }: ImportedEvent): boolean => {
    const wire = JSON.parse(content) as { readonly footprint_id?: string; readonly withdraws?: string }
    if (wire.footprint_id !== undefined) return false
    return wire.withdraws === undefined || eventId !== idOfUndoing(importId, wire.withdraws)
  }

async function undoPage(
  context: ImportContext,
  { accountId, importId }: StoredImport,
  account: EventAccount & DeviceEventAccount,
  page: readonly ImportedEvent[],
): Promise<readonly Undone[]> {
  const withdrawals = page.map((event) => withdrawalOf(event, importId))
  const keys = await keysOfEvents(withdrawals, (orders) =>
    context.imports.devicesOfOrders(accountId, orders, serialNumbersEverInOrder),
  )
  const options = {
    keysOf: (withdrawal: EventToRecord) => keys.get(withdrawal)!,
    weightOf: () => (context.servedWithin(SERVING_MS) ? 2 : 1),
    weightMax: EVENTS_AT_ONCE,
    signal: new AbortController().signal,
  }
  const events = new Map(withdrawals.map((withdrawal, at) => [withdrawal, page[at]!]))
  return runByKeys(withdrawals, options, (withdrawal) =>
    undoEvent(context, account, events.get(withdrawal)!, withdrawal),
  )
}

function withdrawalOf({ eventId, order, serialNumber }: ImportedEvent, importId: number): EventToRecord {
  const withdraws = eventIdOf(eventId)
  const id = idOfUndoing(importId, withdraws)
  const event = { event_id: id, type: 'withdrawn', withdraws } as const
  const common = { ok: true, event, ignored: [], idAsSent: id, warnings: [] } as const
  if (order === null) return { ...common, of: 'device', serialNumber: serialNumber! }
  return { ...common, of: 'order', order: { ...order, orderId: sentIdOf(order.orderId) } }
}

/** A withdrawal is final, so one that the file has is kept. So is an event that a later one depends on. */
async function undoEvent(
  context: ImportContext,
  account: EventAccount & DeviceEventAccount,
  { order, content }: ImportedEvent,
  withdrawal: EventToRecord,
): Promise<Undone> {
  if (order && !(await isCurrent(context, account, order))) return 'gone'
  if ((JSON.parse(content) as RecordedOrderEvent).type === 'withdrawn') return 'kept'
  try {
    const recorded = await recordEvent(context.events, account, withdrawal, { ...context, mappingOf: NO_MAPPINGS })
    return recorded.outcome === 'posted' || isUndone(recorded, withdrawal) ? 'withdrawn' : 'kept'
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return error.details.some(({ code }) => NOT_COUNTED.has(code)) ? 'gone' : 'kept'
  }
}

/** A withdrawal names no product. */
const NO_MAPPINGS = () => undefined

/** Withdrawn by a client before, or with its order. */
const NOT_COUNTED: ReadonlySet<string> = new Set(['event_withdrawn', 'import_undone'])

/** False for an event of an earlier revision: if it counts, the order was corrected, and has it once more. */
async function isCurrent({ events }: ImportContext, { accountId }: EventAccount, order: OrderKey): Promise<boolean> {
  const sent = { ...order, orderId: sentIdOf(order.orderId) }
  const found = await events.onOrder(accountId, sent, (transaction) => transaction.findOrder(sent))
  return found?.order.orderId === order.orderId
}

/** False if a client used the id of the withdrawal for another event. */
const isUndone = (recorded: EventOutcome<unknown>, { event }: EventToRecord): boolean =>
  recorded.outcome === 'replayed' &&
  (JSON.parse(recorded.stored.content) as typeof event & { readonly withdraws?: string }).withdraws ===
    (event as { readonly withdraws: string }).withdraws
