// Which order says what a device is: the one that fixed it or, once that no longer has it, the first one that has.
import { orderKey, type OrderKey } from '../engine/device-timeline.ts'
import { applyEntry, countsInNoPeriod, emptyLedgerHistory, inForceAfter } from '../engine/ledger-history.ts'
import { previousRevisionId, sentIdOf } from '../engine/order-revision.ts'
import type { OrderIdentification } from '../contract/event-schema.ts'
import { decodeEntry } from './codec.ts'
import { identifiedBy } from './footprints.ts'
import { NOT_YET } from './posted-ledgers.ts'
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
  const isHolder = ({ current, takenUpBy }: Holding) =>
    isSameOrder(current, fixer) && takenUpBy.postedAt <= fixed.postedAt
  return !first || counting.some(isHolder) ? fixer : sentKeyOf(first.current)
}

/** That an order that counts has a device. */
interface Holding {
  /** The entry by which its current revision has it. */
  readonly current: StoredEntry
  /** The entry by which it took the device up: in the first of the revisions that have had it since. */
  readonly takenUpBy: StoredEntry
}

/** The orders that count and have a device, in the sequence in which they took it up. */
export function countingOrders(entries: readonly StoredEntry[], corrected: OrderKey | null = null): readonly Holding[] {
  const history = emptyLedgerHistory()
  for (const entry of entries) applyEntry(history, decodeEntry(entry))
  const replaced = corrected && revisionTakenBack(entries, corrected)
  const counts = (entry: StoredEntry) => {
    const { reason } = history.rentals.get(orderKey(entry))!
    return !countsInNoPeriod(reason) || orderKey(entry) === replaced
  }
  const taken = Map.groupBy(
    entries.filter(({ reason }) => reason === 'order' || reason === 'swapped_in'),
    orderKey,
  )
  const correctedAt = correctionTimes(entries)
  // A correction that keeps the device does not interrupt the holding; one that drops it does, and so does a reversal.
  const takingUp = (entry: StoredEntry): StoredEntry => {
    const orderId = previousRevisionId(entry.orderId)
    const before = orderId === null ? null : orderKey({ ...entry, orderId })
    const isKept = before !== null && correctedAt.get(before) === entry.postedAt.getTime()
    return isKept ? takingUp(taken.get(before)!.at(-1)!) : entry
  }
  const counting = [...taken.values()].map((ofRevision) => ofRevision.at(-1)!).filter(counts)
  return counting
    .map((current) => ({ current, takenUpBy: takingUp(current) }))
    .toSorted((one, other) => one.takenUpBy.no - other.takenUpBy.no)
}

/** When revisions that had the device until then were corrected, by orderKey. */
function correctionTimes(entries: readonly StoredEntry[]): ReadonlyMap<string, number> {
  const times = new Map<string, number>()
  const holding = new Set<string>()
  for (const entry of entries) {
    if (entry.terms === null) continue
    const key = orderKey(entry)
    const { reason } = inForceAfter(entry)
    if (!countsInNoPeriod(reason)) holding.add(key)
    else if (holding.delete(key) && reason === 'correction') times.set(key, entry.postedAt.getTime())
  }
  return times
}

/** The key of the revision that a correction takes back, where that is not stored yet; null if there is none. */
function revisionTakenBack(entries: readonly StoredEntry[], corrected: OrderKey): string | null {
  const orderId = previousRevisionId(corrected.orderId)
  const key = orderId === null ? null : orderKey({ ...corrected, orderId })
  const isTakenBack = (entry: StoredEntry) =>
    orderKey(entry) === key && entry.reason === 'correction' && entry.postedAt === NOT_YET.postedAt
  return entries.some(isTakenBack) ? key : null
}
