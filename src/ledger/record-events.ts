// Records events of any orders and devices, as batches and files have them.
import { orderKey, type OrderKey } from '../engine/device-timeline.ts'
import type { ReferenceData } from '../engine/reference/reference-data.ts'
import type { EventToRecord } from '../contract/parse-batch.ts'
import { recordDeviceEvent, recordOrderEvent, type EventAccount, type EventOutcome } from './record-event.ts'
import type { CurrentRelease } from './identify-device.ts'
import { orderKeyInUse, underStoredEventId, type StoredIds } from './stored-ids.ts'
import type { EventStore } from './store.ts'

export const deviceKey = (serialNumber: string): string => `device\0${serialNumber}`
export const keyOfOrder = (order: OrderKey): string => `order\0${orderKey(order)}`

/**
 * Events with a common key have to be recorded in their order: those with the same id, of the same order, or of orders
 * with a common device.
 * @param devicesOf the serial numbers of the devices of stored orders
 */
export async function keysOfEvents(
  all: readonly EventToRecord[],
  devicesOf: (orders: readonly OrderKey[]) => Promise<readonly (readonly string[])[]>,
): Promise<ReadonlyMap<EventToRecord, readonly string[]>> {
  const named = all.flatMap((one) => (one.of === 'order' ? [[orderKey(one.order), one.order] as const] : []))
  const orders = [...new Map(named)]
  const found = await devicesOf(orders.map(([, order]) => order))
  const devices = new Map(orders.map(([key], at) => [key, new Set(found[at])]))
  return new Map(all.map((one) => [one, keysOfEvent(one, devices)]))
}

/**
 * An event of an order may concern all its devices.
 * @param devices of each order, by orderKey; those that a swap brings in are added for the events after it
 */
function keysOfEvent(sent: EventToRecord, devices: ReadonlyMap<string, Set<string>>): readonly string[] {
  const id = `event\0${sent.event.event_id}`
  if (sent.of === 'device') return [id, deviceKey(sent.serialNumber)]
  const own = devices.get(orderKey(sent.order))!
  if (sent.event.type === 'swapped') own.add(sent.event.new_serial_number)
  return [id, keyOfOrder(sent.order), ...[...own].map(deviceKey)]
}

/** What recording events of any kind needs, beside the store. */
export interface RecordEventsContext extends CurrentRelease {
  readonly storedIds: StoredIds
  readonly referenceDataOf: (releaseId: number) => Promise<ReferenceData>
}

/**
 * Records an event under the ids that are stored: earlier versions stored ids with the white space around them.
 * @throws ApiError if the event contradicts the recorded state; then nothing is stored
 */
export async function recordEvent(
  store: EventStore,
  account: EventAccount,
  sent: EventToRecord,
  context: RecordEventsContext,
): Promise<EventOutcome<unknown>> {
  const { storedIds, referenceDataOf } = context
  const { accountId } = account
  if (sent.of === 'device') {
    const event = await underStoredEventId(storedIds, accountId, sent)
    return recordDeviceEvent(store, accountId, sent.serialNumber, event, context, referenceDataOf)
  }
  const order = await orderKeyInUse(storedIds, accountId, sent.order)
  const event = await underStoredEventId(storedIds, accountId, sent)
  return recordOrderEvent(store, account, order, event, referenceDataOf)
}
