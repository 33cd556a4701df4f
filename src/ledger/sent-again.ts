// Under which id an event is recorded. Nearly all are recorded as they are sent; an event that was undone with the
// import of its order, or with its own file of events, is another event when it is sent again under its id.
import { hash } from 'node:crypto'
import type { OrderKey } from '../engine/device-timeline.ts'
import { EVENT_MESSAGES } from '../engine/messages.ts'
import { rejection, type EventRejection } from '../engine/order-events.ts'
import { idsUpToRevision, nextEventId, revisionOf, revisionSuffixOf, sentIdOf } from '../engine/order-revision.ts'
import { isSameOrder } from './naming-order.ts'
import type { StoredEvent, StoredOrder } from './records.ts'
import type { LedgerTransaction } from './store.ts'

type Lookups = Pick<LedgerTransaction, 'findEvents' | 'findOrders'>

interface SentEvent {
  readonly event_id: string
  readonly type: string
  readonly withdraws?: string
}

/** An event under the id by which it is recorded. */
interface Placed<Event> {
  readonly wire: Event
  /** What its stored id has after that: the revision of its order, if an earlier one has the id. */
  readonly suffix: string
  /** The event of which it is a repetition; null if it has to be recorded. */
  readonly recorded: StoredEvent | null
}

/** The id of the event that withdraws another one when its file of events is undone: always the same. */
export const idOfUndoing = (importId: number, eventId: string): string =>
  `import-${importId}-withdrawal-${hash('sha256', eventId).slice(0, 32)}`

/**
 * Finds out whether an event is a repetition.
 * @param sameId the event that was recorded last under the id that was sent
 * @param current the last revision of its order; null for an event of a device, and for an unknown order
 */
export async function placeEvent<Event extends SentEvent>(
  transaction: Lookups,
  sent: Event,
  sameId: StoredEvent | null,
  current: StoredOrder | null,
): Promise<Placed<Event> | EventRejection> {
  const withdrawn = sent.withdraws === undefined ? null : await lastSent(transaction, sent.withdraws)
  const wire = withdrawn === null ? sent : { ...sent, withdraws: withdrawn.eventId }
  if (sameId === null) {
    if (withdrawn && current && (await wasUndone(transaction, withdrawn, current)))
      return rejection('/withdraws', EVENT_MESSAGES.event_undone({ event_id: sent.withdraws! }))
    return { wire, suffix: '', recorded: null }
  }
  if (await wasFreed(transaction, sameId))
    return { wire: { ...wire, event_id: nextEventId(sameId.eventId) }, suffix: '', recorded: null }
  const named = { ...wire, event_id: sameId.eventId }
  if (current === null || !isOfOrder(sameId, current)) return { wire: named, suffix: '', recorded: sameId }
  if (current.status === 'reversed' && sent.type !== 'reversed')
    return rejection('/type', EVENT_MESSAGES.import_undone())
  const isSentAgain = await wasUndone(transaction, sameId, current)
  return isSentAgain
    ? { wire: named, suffix: revisionSuffixOf(current.orderId), recorded: null }
    : { wire: named, suffix: '', recorded: sameId }
}

const lastSent = async (transaction: Lookups, sentId: string): Promise<StoredEvent | null> =>
  (await transaction.findEvents(null, sentId)).sameId

const isOfOrder = ({ order }: StoredEvent, { customerId, orderId }: OrderKey): boolean =>
  isSameOrder(order, { customerId, orderId })

/** True if an event was withdrawn when its file of events was undone, so that its id is free. */
async function wasFreed(transaction: Lookups, { eventId, recordedBy }: StoredEvent): Promise<boolean> {
  if (recordedBy === null || !('importId' in recordedBy)) return false
  const { importId } = recordedBy
  const undoing = await lastSent(transaction, idOfUndoing(importId, eventId))
  if (!undoing?.recordedBy || !('importId' in undoing.recordedBy) || undoing.recordedBy.importId !== importId)
    return false
  return (JSON.parse(undoing.content) as SentEvent).withdraws === eventId
}

/**
 * True if an event was undone with the import of its order, which was sent again since: sent again, too, it is recorded
 * as if for the first time.
 * @param current the last revision of the order
 */
async function wasUndone(transaction: Lookups, event: StoredEvent, current: StoredOrder): Promise<boolean> {
  const { order } = event
  const { customerId, orderId, status } = current
  if (order === null || !isOfOrder(event, current)) return false
  if (status === 'reversed' || order.orderId === orderId) return false
  const revisions = idsUpToRevision(sentIdOf(orderId), orderId).slice(revisionOf(order.orderId) - 1)
  const found = await transaction.findOrders(revisions.map((id) => ({ customerId, orderId: id })))
  return found.some((revision) => revision.status === 'reversed')
}
