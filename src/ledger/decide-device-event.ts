// Decides on events of a device: what they post to its ledger, or why they are rejected.
import { decommissionWithout, findEventConflict, findWithdrawalConflict } from '../engine/device-events.ts'
import type { Resumable } from '../engine/numbers/steps.ts'
import type { EventRejection } from '../engine/order-events.ts'
import type { PostedEntries } from '../engine/post-entries.ts'
import type { ReferenceDataOf } from '../engine/reference/reference-data.ts'
import type { StoredDeviceEvent } from '../contract/event-schema.ts'
import { decodeDeviceEvent, encodeEntry, figuresOf, openInSteps } from './codec.ts'
import type { DeviceLedger, EventPosting, StoredDevice, StoredFootprint } from './records.ts'

/** What an event of an order or a device posts, or why it is rejected. */
export type Decision = { readonly ok: true; readonly posting: EventPosting } | EventRejection

export const accepted = (posting: EventPosting): Decision => ({ ok: true, posting })

/**
 * @param withdrawn the event that this one withdraws, also if it was withdrawn before; null if the device has none
 * @param identification what the device is charged by after an event that identifies it, or withdraws that
 */
export function* decideDeviceEventPosting(
  wire: StoredDeviceEvent,
  before: DeviceLedger,
  withdrawn: StoredDeviceEvent | null,
  identification: { readonly footprint: StoredFootprint } | null,
  referenceDataOf: ReferenceDataOf,
): Resumable<Decision> {
  const { device, ledger } = yield* openInSteps(before, referenceDataOf)
  const event = decodeDeviceEvent(wire)
  const common = {
    event,
    eventId: wire.event_id,
    ...(event.type === 'withdrawn' && { inForce: decommissionWithout(event, ledger) }),
  }
  if (identification) {
    const { footprint } = identification
    const figures = figuresOf(footprint, referenceDataOf)
    const posted = ledger.post({ ...common, releaseId: footprint.releaseId, figures })
    return acceptedOf({ ...device, ...footprint }, posted, true)
  }
  if (event.type === 'identified') throw new Error('An identification has no footprint')
  const problem =
    event.type === 'withdrawn'
      ? yield* findWithdrawalConflict(event, withdrawn, ledger)
      : findEventConflict(event, ledger)
  if (problem) return { ok: false, isMalformed: event.type === 'withdrawn' && withdrawn === null, problem }
  return acceptedOf(device, ledger.post({ ...common, releaseId: device.releaseId }), false)
}

const acceptedOf = (device: StoredDevice, { entries, balance }: PostedEntries, isIdentification: boolean): Decision =>
  accepted({
    devices: [{ ...device, balance }],
    entries: entries.map((entry) => encodeEntry(entry, device.serialNumber)),
    status: null,
    serialNumber: device.serialNumber,
    ...(isIdentification && { identified: new Set([device.serialNumber]) }),
  })
