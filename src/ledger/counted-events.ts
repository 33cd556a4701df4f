// Which events of an order count: those that were not withdrawn.
import type { WireSwap } from '../contract/event-schema.ts'
import { eventContent } from './codec.ts'
import type { StoredEvent } from './records.ts'

/** The ids of the withdrawn events among those of an order or device, each with the id of its withdrawal. */
export const withdrawalsOf = (events: readonly Pick<StoredEvent, 'content'>[]): ReadonlyMap<string, string> =>
  new Map(
    events.map(eventContent).flatMap((wire) => (wire.type === 'withdrawn' ? [[wire.withdraws, wire.event_id]] : [])),
  )

/** Those of an order's events that were not withdrawn. */
export function countedEvents(events: readonly StoredEvent[]): readonly StoredEvent[] {
  const withdrawn = withdrawalsOf(events)
  return withdrawn.size === 0 ? events : events.filter(({ eventId }) => !withdrawn.has(eventId))
}

/** A swap as it was sent, with the device that it replaced. */
export interface RecordedSwap {
  readonly out: string
  readonly wire: WireSwap
}

/** The swaps of an order that count, in the order in which they were recorded. */
export const countedSwaps = (events: readonly StoredEvent[]): readonly RecordedSwap[] => swapsIn(countedEvents(events))

/** All swaps among events, also withdrawn ones. */
export const swapsIn = (events: readonly StoredEvent[]): readonly RecordedSwap[] =>
  events.flatMap((stored) => {
    const wire = eventContent(stored)
    if (wire.type !== 'swapped' || stored.serialNumber === null) return []
    return [{ out: stored.serialNumber, wire }]
  })
