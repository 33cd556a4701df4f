// What became of an order: it follows from the entries that the order itself posted and from how much was told of it.
import { isDecommissioned, isActive, type LedgerEntry } from './device-history.ts'

export const STATUSES = ['created', 'amended', 'returned', 'cancelled', 'undone'] as const
export type OrderStatus = (typeof STATUSES)[number]

/** What of an entry decides a status: why it was posted, and whether it sets the terms of a rental. */
interface TellingEntry extends Pick<LedgerEntry, 'reason'> {
  readonly terms: object | null
}

/**
 * The status of an order.
 * @param posted the order's own entries in sequence: a list for each of its devices, or one of what it posted alone
 * @param eventCount how many events were told of the order
 */
export function statusOf(posted: readonly (readonly TellingEntry[])[], eventCount: number): OrderStatus {
  const standing = posted.flatMap((entries) => latestOf(entries) ?? []).filter(({ reason }) => reason !== 'swapped_out')
  if (standing.length > 0 && standing.every(({ reason }) => isDecommissioned(reason)))
    return standing.some(({ reason }) => reason === 'undone') ? 'undone' : 'cancelled'
  if (standing.length > 0 && !standing.some(isActive)) return 'returned'
  const isAmended = posted.some((entries) => entries.some(({ reason }) => reason !== 'order'))
  return isAmended || eventCount > 0 ? 'amended' : 'created'
}

/** The last entry that says what became of a device, or of an order without any; null where nothing did. */
export const latestOf = <One extends TellingEntry>(entries: readonly One[]): One | null =>
  entries.findLast(({ terms, reason }) => terms !== null || isDecommissioned(reason)) ?? null
