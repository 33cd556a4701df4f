// What an event posts: entries for the devices that it concerns, and corrections to other orders; or why it cannot be.
import { findEventConflict } from '../engine/device-events.ts'
import { orderKey, type OrderKey } from '../engine/device-timeline.ts'
import type { ReferenceDataOf, ReferenceData } from '../engine/reference/reference-data.ts'
import type { Resumable } from '../engine/numbers/steps.ts'
import {
  decideDevicelessOrderEvent,
  decideOrderEvent,
  type EventRejection,
  type OrderDevice,
  type OrderEvent,
} from '../engine/order-events.ts'
import { statusOf, type OrderStatus, type Problem } from '../engine/order.ts'
import type { RentalChange } from '../engine/post-entries.ts'
import type { Account } from '../postgres/accounts.ts'
import type { EventPosting, NewDeviceEvent, NewOrderEvent, OrderRecords } from '../postgres/events.ts'
import type { DeviceLedger, NewEntry, StoredDevice } from './records.ts'
import type { RecordedOrderEvent, WireDeviceEvent } from '../contract/event-schema.ts'
import { ApiError, invalidRequest } from '../contract/errors.ts'
import { runCooperatively } from '../concurrency/cooperative.ts'
import { serialNumbersOfOrder } from './order-state.ts'
import {
  decodeDeviceEvent,
  decodeOrderEvent,
  encodeEntry,
  loadReferenceDataOf,
  openInSteps,
  replacementWeight,
  weightToStore,
  type OpenDevice,
} from './codec.ts'

/** An event that contradicts what is known changes nothing, and says what is known. */
const contradiction = (problem: Problem): ApiError =>
  new ApiError('conflict', `The event contradicts what is known: ${problem.path}: ${problem.message}`, [problem])

const failureOf = ({ isMalformed, problem }: EventRejection): ApiError =>
  isMalformed ? invalidRequest([problem]) : contradiction(problem)

/**
 * @param isCapped how a device is charged that a swap brings in and nobody rented before
 * @throws Failure where the event cannot have happened
 */
export function* decideOrderEventPosting(
  wire: RecordedOrderEvent,
  file: OrderRecords,
  bookOf: ReferenceDataOf,
  isCapped: boolean,
): Resumable<EventPosting> {
  const event = decodeOrderEvent(wire, wire.serial_number ?? null)
  const serials = serialNumbersOfOrder(file.order, file.events)
  if (serials.length === 0) return postingAlone(event, file)
  const known = new Map<string, OpenDevice>()
  for (const [serial, journal] of file.journals) known.set(serial, yield* openInSteps(journal, bookOf))
  const devices = serials.map((serial): OrderDevice => ({ serialNumber: serial, ledger: known.get(serial)!.ledger }))
  const { customerId, orderId, tenureStartDate } = file.order
  const comer = wire.type === 'swapped' ? known.get(wire.new_serial_number) : undefined
  const newDevice = comer ? { ledger: comer.ledger, serialNumber: comer.device.serialNumber } : null
  const ruling = decideOrderEvent(event, { customerId, orderId, tenureStartDate, devices }, newDevice)
  if (!ruling.ok) throw failureOf(ruling)
  return yield* postChanges(ruling.changes, known, wire, file, bookOf, isCapped)
}

function* postChanges(
  changes: ReadonlyMap<string, RentalChange>,
  known: ReadonlyMap<string, OpenDevice>,
  wire: RecordedOrderEvent,
  file: OrderRecords,
  bookOf: ReferenceDataOf,
  isCapped: boolean,
): Resumable<EventPosting> {
  const [replaced] = changes.keys()
  const posted: { readonly device: StoredDevice; readonly entries: readonly NewEntry[] }[] = []
  for (const [serial, change] of changes) {
    const { device, ledger } =
      known.get(serial) ?? (yield* openInSteps(newcomer(serial, known.get(replaced!)!.device, wire, isCapped), bookOf))
    const { entries, balance } = ledger.post(change)
    posted.push({ device: { ...device, balance }, entries: entries.map((entry) => encodeEntry(entry, serial)) })
    yield
  }
  const entries = posted.flatMap((one) => one.entries)
  const serialNumber = wire.type === 'swapped' ? replaced! : (wire.serial_number ?? null)
  return {
    devices: posted.map(({ device }) => device),
    entries,
    status: statusAfter(file, entries),
    serialNumber,
  }
}

/** An event of an order on its way to be stored: ruled on with what is known then. */
export const toNewOrderEvent = (
  { accountId, isCapped }: Pick<Account, 'accountId' | 'isCapped'>,
  order: OrderKey,
  wire: RecordedOrderEvent,
  bookOf: (releaseId: number) => Promise<ReferenceData>,
): NewOrderEvent => ({
  accountId,
  event: { eventId: wire.event_id, order, serialNumber: null, content: JSON.stringify(wire) },
  newSerialNumber: wire.type === 'swapped' ? wire.new_serial_number : null,
  serialsOf: serialNumbersOfOrder,
  decide: async (file) => {
    const books = await loadReferenceDataOf(file.journals, [file.order.releaseId], bookOf)
    return runCooperatively(decideOrderEventPosting(wire, file, books, isCapped))
  },
})

/** An event of a device, likewise. */
export const toNewDeviceEvent = (
  accountId: number,
  serialNumber: string,
  wire: WireDeviceEvent,
  bookOf: (releaseId: number) => Promise<ReferenceData>,
): NewDeviceEvent => ({
  accountId,
  event: { eventId: wire.event_id, order: null, serialNumber, content: JSON.stringify(wire) },
  decide: async (journal) => {
    const books = await loadReferenceDataOf(new Map([[serialNumber, journal]]), [], bookOf)
    return runCooperatively(decideDeviceEventPosting(wire, journal, books))
  },
})

/** A device that a swap brings in and nobody rented before is charged as the one that it replaces. */
function newcomer(
  serialNumber: string,
  replaced: StoredDevice,
  wire: RecordedOrderEvent,
  isCapped: boolean,
): DeviceLedger {
  const weight = wire.type === 'swapped' ? weightToStore(replaced.basis, replacementWeight(wire)) : null
  const device = { ...replaced, serialNumber, weightKg: weight, isCapped, balance: { whole: 0n, posted: 0n } }
  return { device, entries: [] }
}

/** The status that the order has once the entries are posted, and the event is among those told of it. */
function statusAfter(file: OrderRecords, entries: readonly NewEntry[]): OrderStatus {
  const { order, events, journals, entries: alone } = file
  const before: readonly NewEntry[] = [...alone, ...[...journals.values()].flatMap((one) => one.entries)]
  const own = [...before, ...entries].filter((entry) => orderKey(entry) === orderKey(order))
  return statusOf([...Map.groupBy(own, ({ serialNumber }) => serialNumber).values()], events.length + 1)
}

function postingAlone(event: OrderEvent, file: OrderRecords): EventPosting {
  const ruling = decideDevicelessOrderEvent(event, { ...file.order, posted: file.entries })
  if (!ruling.ok) throw failureOf(ruling)
  const entries = [encodeEntry(ruling.entry, '')]
  return { devices: [], entries, status: statusAfter(file, entries), serialNumber: null }
}

/** @throws Failure where the event cannot have happened */
export function* decideDeviceEventPosting(
  wire: WireDeviceEvent,
  journal: DeviceLedger,
  bookOf: ReferenceDataOf,
): Resumable<EventPosting> {
  const { device, ledger } = yield* openInSteps(journal, bookOf)
  const event = decodeDeviceEvent(wire)
  const problem = findEventConflict(event, ledger)
  if (problem) throw contradiction(problem)
  const change = { event, eventId: wire.event_id, releaseId: device.releaseId }
  const { entries, balance } = ledger.post(change)
  const newEntries = entries.map((entry) => encodeEntry(entry, device.serialNumber))
  return { devices: [{ ...device, balance }], entries: newEntries, status: null, serialNumber: device.serialNumber }
}
