// Which order says what a device is: the one that fixed it or, once that counts no more, the first one that does.
import { orderKey, type OrderKey } from '../engine/device-timeline.ts'
import { applyEntry, countsInNoPeriod, emptyLedgerHistory } from '../engine/ledger-history.ts'
import { previousRevisionId, sentIdOf } from '../engine/order-revision.ts'
import type { OrderIdentification } from '../contract/event-schema.ts'
import { decodeEntry } from './codec.ts'
import { identifiedBy } from './footprints.ts'
import type { StoredEntry } from './records.ts'

/** Under the id that the client sent. */
export const sentKeyOf = ({ customerId, orderId }: OrderKey): OrderKey => ({ customerId, orderId: sentIdOf(orderId) })

export const isSameOrder = (one: OrderKey | null, other: OrderKey): boolean =>
  one !== null && orderKey(sentKeyOf(one)) === orderKey(sentKeyOf(other))

/** The entry that fixed what a device is charged by; null for a long ledger: only its latest entries are read. */
export function fixingEntry(entries: readonly StoredEntry[]): StoredEntry | null {
  const last = entries.at(-1)
  if (!last || entries.length < last.no) return null
  const eventId = identifiedBy(entries)
  return eventId === null ? entries[0]! : entries.find((entry) => entry.eventId === eventId && entry.footprint)!
}

/** The order that fixed what a device is charged by; null if a client's event did. */
export function fixerOf({ no, customerId, orderId, eventContent }: StoredEntry): OrderKey | null {
  if (no === 1) return sentKeyOf({ customerId, orderId })
  const { customer_id: customer, order_id: order } = JSON.parse(eventContent ?? '{}') as Partial<OrderIdentification>
  return customer === undefined || order === undefined ? null : { customerId: customer, orderId: order }
}

/**
 * The order whose words say what a device is; null if a client's event does, or for a long ledger.
 * @param corrected an order of which the entries take back the revision before, as if that counted still
 */
export function namingOrder(entries: readonly StoredEntry[], corrected: OrderKey | null = null): OrderKey | null {
  const fixed = fixingEntry(entries)
  const fixer = fixed && fixerOf(fixed)
  if (!fixer) return null
  const counting = countingOrders(entries, corrected)
  const [first] = counting
  if (!first || counting.some((one) => isSameOrder(one, fixer))) return fixer
  return first.reason === 'order' ? sentKeyOf(first) : fixer
}

/**
 * The entries by which orders that count have a device, each with its current revision, in the sequence in which the
 * orders took the device up, in whichever revision.
 */
export function countingOrders(
  entries: readonly StoredEntry[],
  corrected: OrderKey | null = null,
): readonly StoredEntry[] {
  const history = emptyLedgerHistory()
  for (const entry of entries) applyEntry(history, decodeEntry(entry))
  const replaced = corrected && previousRevisionId(corrected.orderId)
  const counts = (entry: StoredEntry) => {
    const rental = history.rentals.get(orderKey(entry))
    if (rental === undefined) return false
    const isReplaced = entry.orderId === replaced && entry.customerId === corrected?.customerId
    return !countsInNoPeriod(rental.reason) || (isReplaced && rental.reason === 'correction')
  }
  const byOrder = Map.groupBy(
    entries.filter(({ reason }) => reason === 'order' || reason === 'swapped_in'),
    (entry) => orderKey(sentKeyOf(entry)),
  )
  return [...byOrder.values()].flatMap((revisions) => revisions.find(counts) ?? [])
}
