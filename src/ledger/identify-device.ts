// What a device is charged by after an event that identifies it, or after the withdrawal of one.
import { EVENT_MESSAGES } from '../engine/messages.ts'
import { rejection, type EventRejection } from '../engine/order-events.ts'
import { sentIdOf } from '../engine/order-revision.ts'
import { rationalOfNumber } from '../engine/numbers/rational.ts'
import { fallbackOfType, modelIdByAlias, type MatchMethod } from '../engine/reference/product-match.ts'
import type { ReferenceData } from '../engine/reference/reference-data.ts'
import { unknownModel } from '../engine/validate-order.ts'
import type { OrderIdentification, StoredDeviceEvent, WireDeviceEvent } from '../contract/event-schema.ts'
import { countedFootprints, weightToStore } from './footprints.ts'
import type { StoredDevice, StoredFootprint } from './records.ts'
import type { LedgerTransaction } from './store.ts'

export type IdentifiedEvent = Extract<WireDeviceEvent, { readonly type: 'identified' }> | OrderIdentification

type Identified = { readonly ok: true; readonly footprint: StoredFootprint } | EventRejection

/** The release with which new orders are made and devices are identified. */
export interface CurrentRelease {
  readonly releaseId: number
  readonly referenceData: ReferenceData
}

/**
 * What an event identifies a device as, by a dataset release: a model, or the fallback of a type and weight.
 * @param isCapped amortisation of the device, which it keeps
 */
export function footprintOfEvent(
  wire: IdentifiedEvent,
  isCapped: boolean,
  { releaseId, referenceData }: CurrentRelease,
): Identified {
  if ('footprint_id' in wire) return { ok: true, footprint: footprintByOrder(wire, isCapped, releaseId) }
  const { model_id: modelId, device_type: deviceType, weight_kg: weightKg } = wire
  const common = { releaseId, isCapped, possibleMatch: null }
  if ((modelId === undefined) === (deviceType === undefined)) {
    return rejection('/model_id', EVENT_MESSAGES.identified_by_one(), true)
  }
  if (modelId !== undefined) {
    const footprintId = modelIdByAlias(modelId, referenceData)
    if (footprintId === null)
      return { ok: false, isMalformed: true, problem: unknownModel(modelId, '/model_id', referenceData) }
    return { ok: true, footprint: { ...common, footprintId, weightKg: null } }
  }
  if (weightKg === undefined) return rejection('/weight_kg', EVENT_MESSAGES.weight_of_type_missing(), true)
  const weight = rationalOfNumber(weightKg)
  const footprintId = fallbackOfType(deviceType!, weight, referenceData)
  return { ok: true, footprint: { ...common, footprintId, weightKg: weightToStore(footprintId, weight) } }
}

const footprintByOrder = (wire: OrderIdentification, isCapped: boolean, releaseId: number): StoredFootprint => ({
  footprintId: wire.footprint_id,
  releaseId,
  weightKg: wire.exact_weight_kg ?? null,
  isCapped,
  possibleMatch:
    wire.match_method === undefined
      ? null
      : { productId: wire.product_id ?? '', matchMethod: wire.match_method as MatchMethod },
})

/** True if two footprints are the same figures. */
export const isSameFootprint = (a: StoredFootprint, b: StoredFootprint): boolean =>
  a.footprintId === b.footprintId && a.releaseId === b.releaseId && a.weightKg === b.weightKg

/** What an event that identifies the device, or withdraws that, charges it by; null for another event. */
export async function identifyDevice(
  transaction: LedgerTransaction,
  device: StoredDevice,
  wire: WireDeviceEvent,
  withdrawn: StoredDeviceEvent | null,
  release: CurrentRelease,
): Promise<{ readonly footprint: StoredFootprint } | EventRejection | null> {
  if (wire.type === 'identified') {
    const identified = footprintOfEvent(wire, device.isCapped, release)
    if (!identified.ok) return identified
    if (!isSameFootprint(identified.footprint, device)) return identified
    const same = { footprint_id: device.footprintId, release: release.referenceData.release }
    return rejection('/type', EVENT_MESSAGES.identified_already(same))
  }
  if (wire.type !== 'withdrawn' || withdrawn?.type !== 'identified') return null
  const counted = countedFootprints(await transaction.findFootprints(device.serialNumber))
  const left = counted.filter(({ eventId }) => eventId !== wire.withdraws)
  if (left.length < counted.length) return { footprint: left.at(-1)!.footprint }
  return rejection('/withdraws', EVENT_MESSAGES.event_withdrawn({ event_id: sentIdOf(wire.withdraws) }))
}
