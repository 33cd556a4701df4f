// Builds the response about one device from its ledger; run in the service, or in a worker if the ledger is large.
import { orderKey } from '../../engine/device-timeline.ts'
import type { Problem } from '../../engine/order.ts'
import type { ReferenceDataOf, ReferenceData } from '../../engine/reference/reference-data.ts'
import type { Resumable } from '../../engine/numbers/steps.ts'
import type { DeviceLedger, DeviceRecords } from '../../ledger/records.ts'
import { JSON_TYPE } from '../../strict-json/json-number.ts'
import type { Include } from '../parameters.ts'
import { runCooperatively } from '../../concurrency/cooperative.ts'
import { ordersOfDevice, type DeviceOrder } from '../../ledger/device-state.ts'
import { allocationsView, type AllocationsRequest } from './allocations.ts'
import { deviceHistoryView, deviceLedgerView, entryViews } from './ledger.ts'
import { recordedEventsView } from './recorded-event.ts'
import { warningsMember } from './warnings.ts'
import { knownInSteps, loadReferenceDataOf, timelineOfDevice } from '../../ledger/codec.ts'

export interface DeviceRequest {
  readonly accountId: number
  readonly serialNumber: string
  /** Null for the current state. */
  readonly knownAt: Date | null
  readonly include: Include
  /** Absent unless the shares by every allocation method are asked for. */
  readonly allocations?: AllocationsRequest
  /** Warnings about the request that is answered with the device. */
  readonly warnings?: readonly Problem[]
}

export interface DeviceResponse {
  readonly headers: Readonly<Record<string, string>>
  readonly pieces: ReturnType<typeof deviceLedgerView>
}

export const deviceHeaders = (releases: Iterable<string>): DeviceResponse['headers'] => ({
  'dataset-release': [...releases].join(', '),
  'content-type': JSON_TYPE,
})

/** @param signal ends the work */
export async function buildDeviceResponse(
  ask: DeviceRequest,
  { ledger, orders }: DeviceRecords,
  referenceDataOf: (releaseId: number) => Promise<ReferenceData>,
  signal?: AbortSignal,
): Promise<DeviceResponse> {
  const { serialNumber, warnings } = ask
  const releases = orders.map(({ releaseId }) => releaseId)
  const referenceDataById = await loadReferenceDataOf(new Map([[serialNumber, ledger]]), releases, referenceDataOf)
  const names = new Set([ledger.device.releaseId, ...releases].map((id) => referenceDataById(id).release))
  const steps = prepare(ask, { ledger, orders }, referenceDataById)
  const { listed, additions } = await runCooperatively(steps, signal)
  return {
    headers: deviceHeaders(names),
    pieces: deviceLedgerView(serialNumber, listed, { ...additions, ...warningsMember(warnings) }),
  }
}

/** Resumable, since a device may have a hundred thousand entries. */
function* prepare(
  { accountId, serialNumber, include, allocations }: DeviceRequest,
  { ledger, orders }: DeviceRecords,
  referenceDataById: ReferenceDataOf,
): Resumable<{ readonly listed: readonly DeviceOrder[]; readonly additions: Readonly<Record<string, string>> }> {
  const device = yield* knownInSteps(ledger, referenceDataById)
  const run = yield* timelineOfDevice(device)
  const byKey = new Map(orders.map((order) => [orderKey(order), order]))
  const entries = include.has('entries') ? yield* entryViews(accountId, ledger.entries, ledger.entries) : null
  const history = include.has('history') ? yield* deviceHistoryView(device, run) : null
  const events = include.has('events') ? recordedEventsView(ownEventsOf(ledger)) : null
  const additions = {
    ...(entries !== null && { entries }),
    ...(history !== null && { history }),
    ...(events !== null && { events }),
    ...(allocations && { allocations: allocationsView(device, run, allocations) }),
  }
  const listed = yield* ordersOfDevice(serialNumber, device, run, byKey, referenceDataById)
  return { listed, additions }
}

/** The events of the device itself, in the order in which they were recorded: each has an entry without an order. */
const ownEventsOf = ({ entries }: DeviceLedger) =>
  entries.flatMap(({ eventId, postedAt, recordedBy = null, eventContent: content }) =>
    eventId !== null && content !== null ? [{ eventId, postedAt, recordedBy, content }] : [],
  )
