// Restates one order: its content stays, and its next revision is calculated by the new figures.
import { randomUUID } from 'node:crypto'
import type { OrderKey } from '../../engine/device-timeline.ts'
import type { Message } from '../../engine/message.ts'
import { LONG_LEDGER } from '../../engine/ledger-history.ts'
import { productsOf, resolveStored } from '../../engine/resolve-order.ts'
import { ApiError } from '../../contract/errors.ts'
import type { RecordedOrderEvent } from '../../contract/event-schema.ts'
import { decodeSentOrder } from '../codec.ts'
import { decideRevision } from '../correct-order.ts'
import { lockRecords, type EventAccount, type LoadReferenceData } from '../record-event.ts'
import { asNextRevision } from '../revisions.ts'
import type { OrderRecords } from '../records.ts'
import type { LedgerTransaction } from '../store.ts'
import type { NamedRelease } from './release-mixer.ts'
import type { Resolution } from './resolve-again.ts'

/** Why and by whom orders are restated. */
export interface Restating extends EventAccount {
  readonly restatementId: number
  readonly reason: string
}

/**
 * Why an order stays as it is: no such order counts any more, it has another name since an erasure, it is too large, or
 * the figures or the engine refuse it.
 */
export type NotRestated = 'gone' | 'renamed' | 'long_ledger' | Message

/** What the new figures make of an order; null if they change nothing. */
type Resolved = (Resolution & NamedRelease) | { readonly refused: Message } | null

/** Restates orders one after the other. @returns those that stay as they are, and why */
export async function restateOrders<One extends { readonly key: OrderKey }>(
  transaction: LedgerTransaction,
  restating: Restating,
  orders: readonly One[],
  resolve: (order: One, stored: OrderRecords) => Promise<Resolved>,
  { referenceDataOf, pause }: { readonly referenceDataOf: LoadReferenceData; readonly pause: () => Promise<void> },
): Promise<readonly { readonly key: OrderKey; readonly why: NotRestated }[]> {
  const refused: { key: OrderKey; why: NotRestated }[] = []
  for (const one of orders) {
    const why = await restateOrder(transaction, restating, one.key, (stored) => resolve(one, stored), referenceDataOf)
    if (why !== null) refused.push({ key: one.key, why })
    await pause()
  }
  return refused
}

/**
 * Appends the next revision of an order. What was changed of it meanwhile is seen, since it is read under its locks.
 * @param resolve of the order as it is stored now
 * @returns null if the order is restated, or needs not be
 */
async function restateOrder(
  transaction: LedgerTransaction,
  restating: Restating,
  key: OrderKey,
  resolve: (stored: OrderRecords) => Promise<Resolved>,
  referenceDataOf: LoadReferenceData,
): Promise<NotRestated | null> {
  const { restatementId, reason, recordedBy, isCapped } = restating
  const eventId = `restatement-${restatementId}-${randomUUID()}`
  const { records, key: current } = await lockRecords(transaction, key, eventId, [])
  if (!records) return 'renamed'
  if (records.order.status === 'reversed') return 'gone'
  // Of one that what was restated before made long, the preview has read all entries, and posting has not.
  if ([...records.ledgers.values()].some(({ entries }) => entries.length > LONG_LEDGER)) return 'long_ledger'
  const resolution = await resolve(records)
  if (!resolution) return null
  if ('refused' in resolution) return resolution.refused
  const { order, matches, releaseId, referenceData } = resolution
  const content: RecordedOrderEvent = { event_id: eventId, type: 'corrected', restatement_id: restatementId, reason }
  const event = { eventId, recordedBy, order: current, serialNumber: null, content: JSON.stringify(content) }
  try {
    const wire = asNextRevision(decodeSentOrder(records.order), current.orderId)
    const { origin } = records.order
    const items = resolveStored(order, matches, referenceData)
    const namedBefore = new Map(
      productsOf(order).map(({ serialNumber }, at) => [serialNumber, records.order.footprintIds[at]!]),
    )
    const parsed = { wire, items, releaseId, isCapped, recordedBy, namedBefore, ...(origin && { origin }) }
    const revision = await decideRevision(parsed, content, event, records, transaction, referenceDataOf)
    await transaction.appendRevisions([{ revision, ledgers: records.ledgers }])
    return null
  } catch (error) {
    if (error instanceof ApiError) return error.reason
    throw error
  }
}
