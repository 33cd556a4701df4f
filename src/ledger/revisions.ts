// The revisions of an order: its first content, and what was sent or corrected after that.
import { nextRevisionId, REVISIONS_MAX } from '../engine/order-revision.ts'
import { ApiError } from '../contract/errors.ts'
import type { WireOrder } from '../contract/order-schema.ts'
import { normaliseOrder } from '../contract/parse-order.ts'
import { decodeSentOrder, eventContent } from './codec.ts'
import { withdrawalsOf } from './counted-events.ts'
import { diffContent, differencesOfOrder } from './idempotency.ts'
import { LEDGER_MESSAGES } from './messages.ts'
import type { OrderRecords, Recorder, StoredEvent, StoredOrder } from './records.ts'

/**
 * The first revision that an order is a repetition of, or else the current one; undefined if the order counts as not
 * stored: if there are no revisions, or if the last one was reversed with its import.
 * @param revisions all that are stored under the id of the order, in order
 */
export function revisionToCompare(revisions: readonly StoredOrder[], sent: WireOrder): StoredOrder | undefined {
  const counted = revisionsSinceSent(revisions)
  return counted.find((revision) => differencesOfOrder(revision, sent).length === 0) ?? counted.at(-1)
}

/** Those since the order was sent last: the content as it was sent, and its corrections; none if it was reversed. */
export const revisionsSinceSent = (revisions: readonly StoredOrder[]): readonly StoredOrder[] =>
  revisions.slice(revisions.findLastIndex(({ status }) => status === 'reversed') + 1)

/**
 * An order under the id of its next revision.
 * @param orderId the id of its last revision
 * @throws ApiError if the order has as many revisions as it may have
 */
export function asNextRevision(sent: WireOrder, orderId: string): WireOrder {
  const next = nextRevisionId(orderId)
  if (next === null) throw new ApiError('conflict', LEDGER_MESSAGES.order_revisions_exceeded({ max: REVISIONS_MAX }))
  return { ...sent, order_id: next }
}

/** A correction of the content of an order. */
export interface Correction {
  readonly eventId: string
  readonly correctedAt: Date
  readonly recordedBy: Recorder | null
  readonly reason: string | null
  /** The members that it changed, as JSON pointers; undefined where a member is absent. */
  readonly changes: readonly { readonly path: string; readonly before: unknown; readonly after: unknown }[]
}

/** The corrections of an order, in order. */
export function correctionsOf({ order, corrections = [] }: OrderRecords): readonly Correction[] {
  const contents = [...corrections.map(({ replaced }) => replaced), order].map(decodeSentOrder).map(normaliseOrder)
  return corrections.map(({ event }, at) => {
    const wire = eventContent(event)
    const [before, after] = [contents[at]!, contents[at + 1]!]
    return {
      eventId: event.eventId,
      correctedAt: event.postedAt,
      recordedBy: event.recordedBy,
      reason: wire.type === 'corrected' ? (wire.reason ?? null) : null,
      changes: diffContent(before, after).map(({ path }) => ({
        path,
        before: valueAt(before, path),
        after: valueAt(after, path),
      })),
    }
  })
}

/**
 * All recorded events of an order since it was last sent, in the order in which they were recorded: those of its
 * current revision, and those of earlier ones that were withdrawn before the correction, with their withdrawals.
 */
export function eventsOfOrder({ events, corrections = [] }: OrderRecords): readonly StoredEvent[] {
  const withdrawn = corrections.flatMap(({ events: ofRevision }) => {
    const withdrawals = withdrawalsOf(ofRevision)
    return ofRevision.filter((one) => withdrawals.has(one.eventId) || eventContent(one).type === 'withdrawn')
  })
  if (withdrawn.length === 0) return events
  return [...withdrawn, ...events].toSorted((a, b) => a.postedAt.getTime() - b.postedAt.getTime())
}

/** The value at a JSON pointer (RFC 6901); undefined where there is none. */
const valueAt = (value: unknown, pointer: string): unknown =>
  pointer
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((inner, name) => (inner as Readonly<Record<string, unknown>> | undefined)?.[name], value)
