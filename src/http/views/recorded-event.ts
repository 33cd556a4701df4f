// Recorded events as JSON, each as it was sent.
import { withdrawalsOf } from '../../ledger/counted-events.ts'
import { printRecorder } from '../../ledger/codec.ts'
import type { StoredEvent } from '../../ledger/records.ts'

/** @param events in the order in which they were recorded */
export function recordedEventsView(
  events: readonly Pick<StoredEvent, 'eventId' | 'postedAt' | 'recordedBy' | 'content'>[],
): string {
  const withdrawnBy = withdrawalsOf(events)
  const views = events.map(({ eventId, postedAt, recordedBy, content }) => {
    const by = withdrawnBy.get(eventId)
    const withdrawn = by === undefined ? '' : `"withdrawn_by":${JSON.stringify(by)},`
    const recorder = JSON.stringify(printRecorder(recordedBy))
    return `{"recorded_at":"${postedAt.toISOString()}","recorded_by":${recorder},${withdrawn}"event":${content}}`
  })
  return `[${views.join(',')}]`
}
