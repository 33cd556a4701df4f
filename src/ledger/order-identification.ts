// A device that an order first named wrongly: when the order is corrected, sent again or takes the device up by another
// swap, it names the device anew.
import { randomUUID } from 'node:crypto'
import { countsInNoPeriod, type LedgerEntry } from '../engine/ledger-history.ts'
import { previousRevisionId, sentIdOf } from '../engine/order-revision.ts'
import { orderKey, type OrderKey } from '../engine/device-timeline.ts'
import type { ReferenceDataOf } from '../engine/reference/reference-data.ts'
import type { OrderIdentification } from '../contract/event-schema.ts'
import { figuresOf, type OpenDevice } from './codec.ts'
import { isSameFootprint } from './identify-device.ts'
import { fixerOf, fixingEntry, isSameOrder, namingOrder } from './naming-order.ts'
import type { DeviceLedger, NewEvent, Recorder, StoredFootprint } from './records.ts'

/** What a device is charged by from now on, and the event of the device that says so. */
export interface DeviceIdentification {
  readonly event: NewEvent
  readonly footprint: StoredFootprint
}

/**
 * What an order identifies a known device as; null if the device keeps its footprint. An order identifies it if an
 * earlier revision of the order fixed the footprint, or if the order takes the device up and none of its rentals counts
 * any more.
 * METHODOLOGY.md#corrections-of-an-order
 * @param footprint what the device is by the words of the order, or of the swap that brings it in
 */
export function identificationBy(
  footprint: StoredFootprint,
  order: OrderKey,
  recordedBy: Recorder | null,
  known: OpenDevice,
  ledger: DeviceLedger,
  isBySwap = false,
): DeviceIdentification | null {
  return mayIdentify(order, known, ledger, isBySwap) ? identificationAs(footprint, order, recordedBy, ledger) : null
}

/** The identification of a device by an order; null if the device has this footprint. */
export function identificationAs(
  footprint: StoredFootprint,
  order: OrderKey,
  recordedBy: Recorder | null,
  { device }: DeviceLedger,
): DeviceIdentification | null {
  if (isSameFootprint(footprint, device)) return null
  const { serialNumber } = device
  const content: OrderIdentification = {
    event_id: `identification-${randomUUID()}`,
    type: 'identified',
    customer_id: order.customerId,
    order_id: sentIdOf(order.orderId),
    footprint_id: footprint.footprintId,
    ...(footprint.weightKg !== null && { exact_weight_kg: footprint.weightKg }),
    ...(footprint.possibleMatch && {
      product_id: footprint.possibleMatch.productId,
      match_method: footprint.possibleMatch.matchMethod,
    }),
  }
  return {
    event: { eventId: content.event_id, recordedBy, order: null, serialNumber, content: JSON.stringify(content) },
    footprint,
  }
}

/** @returns the device as it is charged from now on, and the entries of the identification */
export function postIdentification(
  known: OpenDevice,
  { event, footprint }: DeviceIdentification,
  referenceDataOf: ReferenceDataOf,
): { readonly after: OpenDevice; readonly entries: readonly LedgerEntry[] } {
  const { releaseId } = footprint
  const figures = figuresOf(footprint, referenceDataOf)
  const posting = known.ledger.post({ event: { type: 'identified' }, eventId: event.eventId, releaseId, figures })
  const { entries, balance } = posting
  const device = { ...known.device, ...footprint, balance }
  const referenceData = referenceDataOf(releaseId)
  return { after: { ...known, device, figures, referenceData, identifiedBy: event.eventId }, entries }
}

function mayIdentify(order: OrderKey, { ledger }: OpenDevice, { entries }: DeviceLedger, isBySwap: boolean): boolean {
  const fixed = fixingEntry(entries)
  if (!fixed) return false
  if (isSameOrder(namingOrder(entries, order), order)) return true
  // A correction that leaves the device in the order does not identify it.
  const previous = previousRevisionId(order.orderId)
  const before = previous && ledger.history.rentals.get(orderKey({ ...order, orderId: previous }))
  if (!isBySwap && before && before.reason === 'correction') return false
  return fixerOf(fixed) !== null && [...ledger.history.rentals.values()].every(({ reason }) => countsInNoPeriod(reason))
}
