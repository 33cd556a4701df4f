// Between an event as it was told, which is how it is stored, and the event as the engine takes it.
import type { DeviceEvent } from '../../engine/device-timeline.ts'
import type { OrderEvent } from '../../engine/order-events.ts'
import type { Swap } from '../../engine/order-inputs.ts'
import { rationalOfNumber, type Rational } from '../../engine/numbers/rational.ts'
import type { StoredEvent } from '../../postgres/orders/order-record.ts'
import type { RecordedOrderEvent, WireDeviceEvent } from './event-schema.ts'

/** @param serialNumber of the device that it concerns; null where it concerns all of the order */
export function decodeOrderEvent(wire: RecordedOrderEvent, serialNumber: string | null): OrderEvent {
  const common = { eventId: wire.event_id, serialNumber }
  switch (wire.type) {
    case 'returned':
      return { ...common, type: wire.type, date: wire.date }
    case 'extended':
      return { ...common, type: wire.type, tenureMonths: wire.tenure_months }
    case 'cancelled':
      return { ...common, type: wire.type, date: wire.date, dispatched: wire.dispatched ?? false }
    case 'swapped':
      return { ...common, type: wire.type, date: wire.date, newSerialNumber: wire.new_serial_number }
    case 'undone':
      return { ...common, type: wire.type }
  }
}

export function decodeDeviceEvent(wire: WireDeviceEvent): DeviceEvent {
  if (wire.type !== 'refurbished') return { type: wire.type, date: wire.date }
  return {
    type: wire.type,
    date: wire.date,
    emission: rationalOfNumber(wire.emission_kg),
    monthsAdded: rationalOfNumber(wire.lifetime_months_added),
  }
}

/** Of the device that a swap brings in, kg. */
export const replacementWeight = (wire: Extract<RecordedOrderEvent, { type: 'swapped' }>): Rational =>
  rationalOfNumber(wire.weight_kg)

/** An event of an order as it was told. */
export const eventContent = ({ content }: StoredEvent): RecordedOrderEvent => JSON.parse(content) as RecordedOrderEvent

/** The swaps among an order's events, in the sequence in which they became known. */
export function swapsOfEvents(events: readonly StoredEvent[]): readonly Swap[] {
  return events.flatMap((stored) => {
    const wire = eventContent(stored)
    if (wire.type !== 'swapped' || stored.serialNumber === null) return []
    return [{ out: stored.serialNumber, in: wire.new_serial_number, weightKg: replacementWeight(wire) }]
  })
}
