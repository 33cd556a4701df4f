// Which of the footprints that a device was given counts: that of its first order, or of the last identification.
import type { RecordedFootprint, StoredEntry } from './records.ts'

/** The footprints of a device that count, in order: that of its first order, and those of events not withdrawn. */
export function countedFootprints(recorded: readonly RecordedFootprint[]): readonly RecordedFootprint[] {
  const withdrawn = new Set(recorded.map(({ withdraws }) => withdraws))
  return recorded.filter(
    ({ eventId, withdraws }) => withdraws === null && (eventId === null || !withdrawn.has(eventId)),
  )
}

/** The event that identified a device last and was not withdrawn, from its ledger; null if its first order counts. */
export function identifiedBy(entries: readonly StoredEntry[]): string | null {
  const recorded = entries.flatMap(({ footprint, eventId, eventContent }) => {
    if (!footprint) return []
    const { withdraws = null } = (eventContent === null ? {} : JSON.parse(eventContent)) as { withdraws?: string }
    return [{ footprint, eventId: eventContent === null ? null : eventId, withdraws }]
  })
  return recorded.length < 2 ? null : countedFootprints(recorded).at(-1)!.eventId
}
