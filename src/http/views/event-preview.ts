// The preview of an event as JSON.
import { NO_EMISSIONS, addEmissions, totalEmissionOf, type EmissionsByPart } from '../../engine/ledger-history.ts'
import { EMISSION_UNIT, PARTS } from '../../engine/numbers/emission.ts'
import type { EventPreview } from '../../ledger/preview-event.ts'
import { breakdownView, kilogramsView } from './emission.ts'

/**
 * @param eventId null for a correction, which has no id before it is stored
 * @param preview null for an event that is recorded already, or content that is stored already
 */
export const eventPreviewView = (eventId: string | null, preview: EventPreview | null) => {
  const { countsFrom, orders, devices, years } = preview ?? NOTHING
  return {
    ...(eventId !== null && { event_id: eventId }),
    already_recorded: preview === null,
    emission_unit: EMISSION_UNIT,
    counts_from: countsFrom,
    difference: partsView(orders.map((order) => order.difference).reduce(addEmissions, NO_EMISSIONS)),
    orders: orders.map(({ customerId, orderId, before, difference }) => ({
      customer_id: customerId,
      order_id: orderId,
      before: partsView(before),
      after: partsView(addEmissions(before, difference)),
      difference: partsView(difference),
    })),
    devices: devices.map(({ serialNumber, before, after }) => ({
      serial_number: serialNumber,
      embodied_total_before: kilogramsView(before),
      embodied_total_after: kilogramsView(after),
    })),
    years:
      years &&
      years.map(({ customerId, year, difference }) => ({
        customer_id: customerId,
        year,
        difference: partsView(difference),
      })),
  }
}

const NOTHING: EventPreview = { countsFrom: null, orders: [], devices: [], years: [] }

const partsView = (parts: EmissionsByPart) => ({
  total_emission: kilogramsView(totalEmissionOf(parts)),
  ...breakdownView(PARTS.map((part) => [part, kilogramsView(parts[part])])),
})
