// Recorded events as JSON, each as it was sent.
import { withdrawalsOf } from '../../ledger/counted-events.ts'
import { printRecorder } from '../../ledger/codec.ts'
import { sentIdOf } from '../../engine/order-revision.ts'
import type { StoredEvent } from '../../ledger/records.ts'

/** @param events in the order in which they were recorded */
export function recordedEventsView(
  events: readonly Pick<StoredEvent, 'eventId' | 'postedAt' | 'recordedBy' | 'content'>[],
): string {
  const withdrawnBy = withdrawalsOf(events)
  const views = events.map(({ eventId, postedAt, recordedBy, content }) => {
    const by = withdrawnBy.get(eventId)
    const withdrawn = by === undefined ? '' : `"withdrawn_by":${JSON.stringify(sentIdOf(by))},`
    const recorder = JSON.stringify(printRecorder(recordedBy))
    const event = contentAsSent(content)
    return `{"recorded_at":"${postedAt.toISOString()}","recorded_by":${recorder},${withdrawn}"event":${event}}`
  })
  return `[${views.join(',')}]`
}

/** With the ids that the client sent: an event that is sent again after it was undone is stored under another one. */
function contentAsSent(content: string): string {
  const wire = JSON.parse(content) as { readonly event_id: string; readonly withdraws?: string }
  const { event_id: id, withdraws } = wire
  if (sentIdOf(id) === id && (withdraws === undefined || sentIdOf(withdraws) === withdraws)) return content
  return JSON.stringify({
    ...wire,
    event_id: sentIdOf(id),
    ...(withdraws !== undefined && { withdraws: sentIdOf(withdraws) }),
  })
}
