// A device's ledger as it would have become if some of its facts had been others: each fact is posted again, in the
// order of recording, and counts from the same day on. METHODOLOGY.md#scenarios
import { orderKey, type OrderKey } from '../device-timeline.ts'
import { emptyLedgerHistory, type LedgerEntry } from '../ledger-history.ts'
import type { Resumable } from '../numbers/steps.ts'
import type { DeviceFootprint, RentalChange } from '../post-entries.ts'
import { RunningLedger } from '../running-ledger.ts'
import type { StatedEntry } from '../stated-entries.ts'

/** An entry with all that decides in which periods it counts. */
export interface CountedEntry extends LedgerEntry {
  /** The first day on which it counts, YYYY-MM-DD; null if it counts in the months that it concerns. */
  readonly countsFrom: string | null
  /** False for an entry of an earlier version that set terms: it is spread over all months agreed. */
  readonly isSpreadUntilEnd: boolean
}

export interface LedgerReplay {
  /** All entries of the device, in the order of posting. */
  readonly entries: readonly CountedEntry[]
  /** What the device is charged by after an entry; undefined if the entry does not say. */
  readonly figuresAfter: (entry: CountedEntry) => DeviceFootprint | undefined
  /** What an order states with an event, or when it was sent (null), in place of what it did; undefined: the same. */
  readonly statedBy: (order: OrderKey, eventId: string | null) => StatedEntry | undefined
}

/** @throws RangeError when the first entry does not say what the device is charged by */
export function* replayLedger({ entries, figuresAfter, statedBy }: LedgerReplay): Resumable<readonly CountedEntry[]> {
  const first = entries[0] && figuresAfter(entries[0])
  if (!first) throw new RangeError('The first entry of a device does not say what it is charged by')
  const ledger = RunningLedger.open(emptyLedgerHistory(), first)
  const posted: CountedEntry[] = []
  for (const [at, entry] of entries.entries()) {
    const change = changeOf(entry, entries[at + 1], figuresAfter(entry), statedBy)
    if (!change) continue
    const { countsFrom, isSpreadUntilEnd } = entry
    for (const one of ledger.post(change).entries) posted.push({ ...one, countsFrom, isSpreadUntilEnd })
    yield
  }
  return posted
}

/** The fact that an entry was posted for, as it would have been; null for an entry that only corrects. */
function changeOf(
  entry: CountedEntry,
  next: CountedEntry | undefined,
  figures: DeviceFootprint | undefined,
  statedBy: LedgerReplay['statedBy'],
): RentalChange | null {
  const { event, eventId, releaseId, inForce = null } = entry
  if (event) {
    const isCharging = event.type === 'identified' || event.type === 'withdrawn'
    return { event, eventId: eventId ?? '', releaseId, inForce, ...(figures && isCharging && { figures }) }
  }
  if (!entry.terms) return null
  const { customerId, orderId } = entry
  const { terms, reason, country, packaging, transportation, ...stated } = statedBy(entry, eventId) ?? entry
  if (!terms) throw new RangeError(`The order "${orderId}" states no terms where it did`)
  // The next revision of a corrected order posts what both change of others.
  const isInterim = reason === 'correction' && next !== undefined && (next.terms !== null || next.event !== null)
  const shared = { packaging, transportation }
  const force = stated.inForce ?? null
  return { customerId, orderId, terms, reason, country, releaseId, eventId, inForce: force, shared, isInterim }
}

/** The events with which an order states terms of a device, in order; null for the order as it was sent. */
export const eventsStating = (entries: readonly LedgerEntry[], order: OrderKey): readonly (string | null)[] =>
  entries.flatMap((entry) => (entry.terms && orderKey(entry) === orderKey(order) ? [entry.eventId] : []))
