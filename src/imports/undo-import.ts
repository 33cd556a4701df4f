// Reverses an import: each order that it stored gets a reversal event of its own; nothing is deleted.
import { isDeepStrictEqual } from 'node:util'
import type { OrderKey } from '../engine/device-timeline.ts'
import { sentIdOf } from '../engine/order-revision.ts'
import type { RecordedOrderEvent } from '../contract/event-schema.ts'
import { ApiError } from '../contract/errors.ts'
import { WITHDRAWALS_MAX } from '../engine/order-replay.ts'
import { eventContent } from '../ledger/codec.ts'
import { countedEvents, withdrawalsOf } from '../ledger/counted-events.ts'
import { recordOrderEvent, type EventAccount, type EventOutcome } from '../ledger/record-event.ts'
import type { ListedOrder } from '../postgres/import-lookups.ts'
import type { StoredImport } from '../postgres/import-record.ts'
import { createConcurrencyLimiter } from './throttle.ts'
import type { ImportContext, Progress } from './context.ts'
import { isRentalEndId } from './rental-ends.ts'

const PAGE = 500
/** The weight of a small order in the throttle: a reversal posts as much as the order did. */
const WEIGHT = 1_600

/** If it is started again, it recognises the orders that were already reversed. */
export async function* undoImport(context: ImportContext, job: StoredImport): AsyncGenerator<Progress, void> {
  if (job.isDryRun) return
  const { accountId, importId } = job
  const account = { ...(await context.findAccount(accountId)), recordedBy: { importId } }
  const begunAt = performance.now()
  let [ordersReversed, ordersKept] = [0, 0]
  let caughtUpMs: number | null = null
  let after: OrderKey | null = null
  for (;;) {
    const page: readonly ListedOrder[] = await context.imports.ordersByKey(accountId, after, PAGE)
    if (page.length === 0) return
    const own = page.filter((order) => order.importId === importId)
    if (own.some(({ status }) => status !== 'reversed')) caughtUpMs ??= performance.now() - begunAt
    const inFlight = createConcurrencyLimiter<boolean>(context)
    for (const order of own) await inFlight.add(WEIGHT, () => takeBack(context, job, order, account))
    const wereUndone = await inFlight.end()
    ordersReversed += wereUndone.filter(Boolean).length
    ordersKept += wereUndone.filter((was) => !was).length
    if (own.length > 0) await context.work.undone(job, { ordersReversed, ordersKept })
    yield caughtUpMs === null ? { kind: 'reading' } : { kind: 'checkpoint', caughtUpMs }
    after = page.at(-1)!
  }
}

/** False if the order is kept: a later event of it contradicts the reversal, or its content was corrected. */
async function takeBack(
  context: ImportContext,
  { importId }: StoredImport,
  { customerId, orderId, row, status }: ListedOrder,
  account: EventAccount,
): Promise<boolean> {
  const { events, referenceDataOf } = context
  if (status === 'reversed') return true
  if (status === 'corrected') return false
  // Of the order as it is now: it may be corrected meanwhile.
  const order = { customerId, orderId: sentIdOf(orderId) }
  const wire: RecordedOrderEvent = {
    event_id: `import-${importId}-reversal-${row}`,
    type: 'reversed',
    import_id: importId,
  }
  try {
    await withdrawEnds(context, account, order, importId)
    const recorded = await recordOrderEvent(events, account, order, wire, { referenceDataOf, matching: null })
    return recorded.outcome === 'posted' || (recorded.outcome === 'replayed' && isSameEvent(recorded))
  } catch (error) {
    if (error instanceof ApiError) return false
    throw error
  }
}

/**
 * Withdraws the returns that files stated with the order, since they contradict its reversal; none if that would be
 * rejected nevertheless, because of another event or of too many withdrawals.
 */
async function withdrawEnds(
  { events, referenceDataOf }: ImportContext,
  account: EventAccount,
  order: OrderKey,
  importId: number,
): Promise<void> {
  const found = await events.onOrder(account.accountId, order, (transaction) => transaction.findOrder(order))
  if (found?.order.origin?.importId !== importId) return
  const recorded = found.events
  const counted = countedEvents(recorded).filter((event) => eventContent(event).type !== 'withdrawn')
  const withdrawals = withdrawalsOf(recorded).size + counted.length
  if (withdrawals > WITHDRAWALS_MAX || !counted.every(({ eventId }) => isRentalEndId(eventId))) return
  for (const { eventId } of counted) {
    const withdrawal = { event_id: `${eventId}-withdrawn`, type: 'withdrawn', withdraws: eventId } as const
    await recordOrderEvent(events, account, order, withdrawal, { referenceDataOf, matching: null })
  }
}

/** False if a client used the id of the reversal for another event. */
const isSameEvent = ({ event, stored }: Extract<EventOutcome<unknown>, { outcome: 'replayed' }>): boolean =>
  stored.content === event.content && isDeepStrictEqual(stored.order, event.order)
