// Records events of any orders and devices, as batches and files have them.
import { orderKey, type OrderKey } from '../engine/device-timeline.ts'
import type { ReferenceData } from '../engine/reference/reference-data.ts'
import type { EventToRecord } from '../contract/parse-batch.ts'
import {
  recordDeviceEvent,
  recordOrderEvent,
  type DeviceEventAccount,
  type EventAccount,
  type EventOutcome,
} from './record-event.ts'
import { orderKeyInUse, underStoredEventId, type StoredIds } from './stored-ids.ts'
import type { EventStore } from './store.ts'
import type { ProductMatching } from './swapped-product.ts'

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

/** An event with the ids under which it and its order are stored, which decide its place among other events. */
export async function eventUnderStoredIds(
  stored: StoredIds,
  accountId: number,
  sent: EventToRecord,
): Promise<EventToRecord> {
  if (sent.of === 'device') return { ...sent, event: await underStoredEventId(stored, accountId, sent) }
  const order = await orderKeyInUse(stored, accountId, sent.order)
  return { ...sent, order, event: await underStoredEventId(stored, accountId, sent) }
}

interface RecordEventsContext extends ProductMatching {
  readonly referenceDataOf: (releaseId: number) => Promise<ReferenceData>
}

/** @throws ApiError if the event contradicts the recorded state; then nothing is stored */
export const recordEvent = (
  store: EventStore,
  account: EventAccount & DeviceEventAccount,
  sent: EventToRecord,
  context: RecordEventsContext,
): Promise<EventOutcome<unknown>> =>
  sent.of === 'order'
    ? recordOrderEvent(store, account, sent.order, sent.event, { ...context, matching: context })
    : recordDeviceEvent(store, account, sent.serialNumber, sent.event, context, context.referenceDataOf)
