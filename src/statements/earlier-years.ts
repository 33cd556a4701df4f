// Collects what of a statement's year concerns earlier years, whose books were closed: by year and by cause.
import type { EntryReason } from '../engine/ledger-history.ts'
import type { Milligrams } from '../engine/numbers/emission.ts'
import type { EmissionOfYear } from '../engine/reporting-periods.ts'
import type { StatementEntry } from './statement.ts'

export interface CauseSum {
  readonly eventId: string | null
  readonly orderId: string | null
  readonly recordedAt: string
  readonly reasons: Set<EntryReason>
  readonly orderIds: Set<string>
  emission: Milligrams
}

/** By year, then by a key of the cause. */
export type EarlierYearSums = Map<number, Map<string, CauseSum>>

/** @param orderId of the order to which the entry was posted */
export function addEarlierYears(
  sums: EarlierYearSums,
  orderId: string,
  entry: StatementEntry,
  concerned: readonly EmissionOfYear[],
): void {
  for (const { year, emission } of concerned) {
    const causes = sums.get(year) ?? new Map<string, CauseSum>()
    sums.set(year, causes)
    const key = keyOfCause(entry)
    const cause = causes.get(key) ?? newCause(entry)
    causes.set(key, cause)
    cause.reasons.add(entry.reason)
    cause.orderIds.add(orderId)
    cause.emission += emission
  }
}

/** What was recorded at one time under other customers' orders is one cause: the recipient may not see more of it. */
function keyOfCause({ event_id: eventId, caused_by: orderId, posted_at: postedAt }: StatementEntry): string {
  if (typeof eventId === 'string') return `event ${eventId}`
  return typeof orderId === 'string' ? `order ${orderId} ${postedAt}` : `other ${postedAt}`
}

const newCause = (entry: StatementEntry): CauseSum => ({
  eventId: entry.event_id ?? null,
  orderId: entry.caused_by ?? null,
  recordedAt: entry.posted_at,
  reasons: new Set(),
  orderIds: new Set(),
  emission: 0n,
})
