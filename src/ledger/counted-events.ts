// Which events of an order count: those that were not withdrawn.
import type { Swap } from '../engine/order-inputs.ts'
import { eventContent, replacementWeight } from './codec.ts'
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

/** The swaps of an order that count, in the order in which they were recorded. */
export const countedSwaps = (events: readonly StoredEvent[]): readonly Swap[] => swapsIn(countedEvents(events))

/** All swaps among events, also withdrawn ones. */
export const swapsIn = (events: readonly StoredEvent[]): readonly Swap[] =>
  events.flatMap((stored) => {
    const wire = eventContent(stored)
    if (wire.type !== 'swapped' || stored.serialNumber === null) return []
    return [{ out: stored.serialNumber, in: wire.new_serial_number, weightKg: replacementWeight(wire) }]
  })
