// The events of the demo fleet: orders and events as clients send them, each with the day on which it becomes known.
import type { OrderKey } from '../engine/device-timeline.ts'
import type { WireDeviceEvent, WireOrderEvent } from '../contract/event-schema.ts'
import type { WireOrder } from '../contract/order-schema.ts'

type WithoutId<Event> = Event extends unknown ? Omit<Event, 'event_id'> : never

export type FleetEvent =
  | { readonly kind: 'order'; readonly order: WireOrder }
  | { readonly kind: 'order-event'; readonly order: OrderKey; readonly event: WireOrderEvent }
  | { readonly kind: 'device-event'; readonly serialNumber: string; readonly event: WireDeviceEvent }

export interface DatedFleetEvent {
  /** Days since the first day of the plan. */
  readonly day: number
  readonly fact: FleetEvent
  /** Events that share one of these names are posted in order. */
  readonly about: readonly string[]
}

export interface FleetTimeline {
  readonly order: (day: number, order: WireOrder, serials: readonly string[]) => void
  readonly orderEvent: (
    day: number,
    order: OrderKey,
    event: WithoutId<WireOrderEvent>,
    serials: readonly string[],
  ) => void
  readonly deviceEvent: (day: number, serialNumber: string, event: WithoutId<WireDeviceEvent>) => void
  /** In order of their days. */
  readonly facts: () => readonly DatedFleetEvent[]
}

/** @param lastDay events after this day are not included */
export function createFleetTimeline(lastDay: number): FleetTimeline {
  const events: DatedFleetEvent[] = []
  const add = (day: number, fact: FleetEvent, about: readonly string[]): void => {
    if (day <= lastDay) events.push({ day, fact, about })
  }
  const eventId = (): string => `demo-${events.length + 1}`
  return {
    order: (day, order, serials) => add(day, { kind: 'order', order }, serials),
    orderEvent: (day, order, event, serials) =>
      add(day, { kind: 'order-event', order, event: { event_id: eventId(), ...event } }, [order.orderId, ...serials]),
    deviceEvent: (day, serialNumber, event) =>
      add(day, { kind: 'device-event', serialNumber, event: { event_id: eventId(), ...event } }, [serialNumber]),
    facts: () => events.toSorted((a, b) => a.day - b.day),
  }
}
