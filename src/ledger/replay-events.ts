// Posts the events of an order again, after its content was corrected. They were accepted before, so they are decided
// for the order alone, as after a withdrawal, and all of them with the same open ledgers.
import { messageOf } from '../engine/order.ts'
import type { Resumable } from '../engine/numbers/steps.ts'
import type { EventRejection } from '../engine/order-events.ts'
import { sentIdOf } from '../engine/order-revision.ts'
import { OrderReplay } from '../engine/order-replay.ts'
import type { ReferenceDataOf } from '../engine/reference/reference-data.ts'
import { ApiError } from '../contract/errors.ts'
import { eventContent, openInSteps, replayedEvent, type OpenDevice } from './codec.ts'
import { devicelessEntry, devicelessReplayOf, nextNo, postChanges } from './decide-order-event.ts'
import { LEDGER_MESSAGES } from './messages.ts'
import { sentOrderOf, serialNumbersOfOrder } from './order-state.ts'
import type { EventPosting, NewEntry, OrderRecords, StoredEvent } from './records.ts'

export type PostedEvents = Pick<EventPosting, 'devices' | 'entries'>

/**
 * @param records without an event yet
 * @throws ApiError if the content contradicts an event, so that the transaction forgets the ledgers that the events
 * before it were posted to
 */
export const replayEvents = (
  events: readonly StoredEvent[],
  records: OrderRecords,
  referenceDataOf: ReferenceDataOf,
  isCapped: boolean,
): Resumable<PostedEvents> =>
  serialNumbersOfOrder(records.order, []).length > 0
    ? replayOnDevices(events, records, referenceDataOf, isCapped)
    : replayWithoutDevices(events, records)

function* replayOnDevices(
  events: readonly StoredEvent[],
  records: OrderRecords,
  referenceDataOf: ReferenceDataOf,
  isCapped: boolean,
): Resumable<PostedEvents> {
  const known = new Map<string, OpenDevice>()
  for (const [serial, ledger] of records.ledgers) known.set(serial, yield* openInSteps(ledger, referenceDataOf))
  const replay = new OrderReplay(sentOrderOf(records))
  const posted: PostedEvents[] = []
  for (const stored of events) {
    const decision = replay.apply(replayedEvent(stored))
    if (!decision.ok) throw contradiction(stored.eventId, decision)
    posted.push(yield* postChanges(decision.changes, known, eventContent(stored), referenceDataOf, isCapped))
  }
  return { devices: posted.flatMap(({ devices }) => devices), entries: posted.flatMap(({ entries }) => entries) }
}

function* replayWithoutDevices(events: readonly StoredEvent[], records: OrderRecords): Resumable<PostedEvents> {
  const replay = devicelessReplayOf(records)
  const first = nextNo(records.entries)
  const entries: NewEntry[] = []
  for (const stored of events) {
    const decision = replay.apply(replayedEvent(stored))
    if (!decision.ok) throw contradiction(stored.eventId, decision)
    entries.push(devicelessEntry(records.order, first + entries.length, decision.change))
    yield
  }
  return { devices: [], entries }
}

export const contradiction = (eventId: string, { problem }: EventRejection): ApiError =>
  new ApiError(
    'conflict',
    LEDGER_MESSAGES.event_contradicts_content({ event_id: sentIdOf(eventId), problem: messageOf(problem) }),
  )
