// Records events: decides the entries for the affected devices and the corrections to other orders, or rejects the
// event.
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
import type {
  DeviceLedger,
  DeviceLedgers,
  DeviceRecords,
  EventPosting,
  EventStore,
  LedgerTransaction,
  NewEntry,
  NewEvent,
  OrderRecords,
  StoredDevice,
  StoredEntry,
  StoredEvent,
} from './records.ts'
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

/** An event that contradicts the recorded state changes nothing; the error describes that state. */
const contradiction = (problem: Problem): ApiError =>
  new ApiError('conflict', `The event contradicts what is known: ${problem.path}: ${problem.message}`, [problem])

const failureOf = ({ isMalformed, problem }: EventRejection): ApiError =>
  isMalformed ? invalidRequest([problem]) : contradiction(problem)

/**
 * @param isCapped amortisation of a device that a swap brings in and that was not rented before
 * @throws ApiError if the event is impossible
 */
function* decideOrderEventPosting(
  wire: RecordedOrderEvent,
  file: OrderRecords,
  referenceDataOf: ReferenceDataOf,
  isCapped: boolean,
): Resumable<EventPosting> {
  const event = decodeOrderEvent(wire, wire.serial_number ?? null)
  const serials = serialNumbersOfOrder(file.order, file.events)
  if (serials.length === 0) return postingAlone(event, file)
  const known = new Map<string, OpenDevice>()
  for (const [serial, journal] of file.journals) known.set(serial, yield* openInSteps(journal, referenceDataOf))
  const devices = serials.map((serial): OrderDevice => ({ serialNumber: serial, ledger: known.get(serial)!.ledger }))
  const { customerId, orderId, tenureStartDate } = file.order
  const comer = wire.type === 'swapped' ? known.get(wire.new_serial_number) : undefined
  const newDevice = comer ? { ledger: comer.ledger, serialNumber: comer.device.serialNumber } : null
  const ruling = decideOrderEvent(event, { customerId, orderId, tenureStartDate, devices }, newDevice)
  if (!ruling.ok) throw failureOf(ruling)
  return yield* postChanges(ruling.changes, known, wire, file, referenceDataOf, isCapped)
}

function* postChanges(
  changes: ReadonlyMap<string, RentalChange>,
  known: ReadonlyMap<string, OpenDevice>,
  wire: RecordedOrderEvent,
  file: OrderRecords,
  referenceDataOf: ReferenceDataOf,
  isCapped: boolean,
): Resumable<EventPosting> {
  const [replaced] = changes.keys()
  const posted: { readonly device: StoredDevice; readonly entries: readonly NewEntry[] }[] = []
  for (const [serial, change] of changes) {
    const { device, ledger } =
      known.get(serial) ??
      (yield* openInSteps(newcomer(serial, known.get(replaced!)!.device, wire, isCapped), referenceDataOf))
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

/** `unknown`: there is no such order or device. `replayed`: an event with this id is already stored. */
export type EventOutcome<Records> =
  | { readonly outcome: 'unknown' }
  | { readonly outcome: 'replayed'; readonly event: NewEvent; readonly stored: StoredEvent }
  | {
      readonly outcome: 'posted'
      /** The records including the event; null if a ledger is too large to be read for that. */
      readonly records: Records | null
    }

/**
 * The account that records the event, and the amortisation of a device that a swap brings in and that was not rented
 * before.
 */
export interface EventAccount {
  readonly accountId: number
  readonly isCapped: boolean
}

type LoadReferenceData = (releaseId: number) => Promise<ReferenceData>

/**
 * Records an event of an order: locks its devices, decides the entries, and stores both.
 * @throws ApiError if the event contradicts the recorded state; then nothing is stored
 */
export function recordOrderEvent(
  store: EventStore,
  { accountId, isCapped }: EventAccount,
  order: OrderKey,
  wire: RecordedOrderEvent,
  referenceDataOf: LoadReferenceData,
): Promise<EventOutcome<OrderRecords>> {
  const event = { eventId: wire.event_id, order, serialNumber: null, content: JSON.stringify(wire) }
  return store.onOrder(accountId, order, async (transaction): Promise<EventOutcome<OrderRecords>> => {
    const { records, sameId } = await lockRecords(transaction, order, wire)
    if (sameId) return { outcome: 'replayed', event, stored: sameId }
    if (!records) return { outcome: 'unknown' }
    const referenceDataById = await loadReferenceDataOf(records.journals, [records.order.releaseId], referenceDataOf)
    const posting = await runCooperatively(decideOrderEventPosting(wire, records, referenceDataById, isCapped))
    const postedAt = await transaction.append(posting, event)
    return { outcome: 'posted', records: orderRecordsAfter(records, posting, { ...event, postedAt }) }
  })
}

/** Locks all devices of an order, including a replacement device; an order without devices is locked itself. */
async function lockRecords(transaction: LedgerTransaction, key: OrderKey, wire: RecordedOrderEvent) {
  const found = await transaction.findOrder(key)
  if (!found) return { records: null, ...(await transaction.findEvents(key, wire.event_id)) }
  const { order } = found
  const held = serialNumbersOfOrder(order, found.events)
  const serials = new Set([...held, ...(wire.type === 'swapped' ? [wire.new_serial_number] : [])])
  const journals = await transaction.lockLedgers([...serials], key)
  if (held.length === 0) await transaction.lockOrder(key)
  // Read again under the locks: of two concurrent requests, the second has to find the event of the first.
  const { events, sameId } = await transaction.findEvents(key, wire.event_id)
  if (!serialNumbersOfOrder(order, events).every((serial) => serials.has(serial))) transaction.restart()
  const entries = held.length === 0 ? await transaction.findOrderEntries(key) : []
  return { records: { order, events, entries, journals }, sameId }
}

/**
 * Records an event of a device, in the same way.
 * @throws ApiError if the event contradicts the recorded state; then nothing is stored
 */
export function recordDeviceEvent(
  store: EventStore,
  accountId: number,
  serialNumber: string,
  wire: WireDeviceEvent,
  referenceDataOf: LoadReferenceData,
): Promise<EventOutcome<DeviceRecords>> {
  const event = { eventId: wire.event_id, order: null, serialNumber, content: JSON.stringify(wire) }
  return store.onDevice(accountId, serialNumber, async (transaction): Promise<EventOutcome<DeviceRecords>> => {
    const ledgers = await transaction.lockLedgers([serialNumber], null)
    const { sameId } = await transaction.findEvents(null, wire.event_id)
    if (sameId) return { outcome: 'replayed', event, stored: sameId }
    const ledger = ledgers.get(serialNumber)
    if (!ledger) return { outcome: 'unknown' }
    const referenceDataById = await loadReferenceDataOf(ledgers, [], referenceDataOf)
    const posting = await runCooperatively(decideDeviceEventPosting(wire, ledger, referenceDataById))
    const postedAt = await transaction.append(posting, event)
    const journal = ledgersAfter(ledgers, posting, { ...event, postedAt })?.get(serialNumber)
    if (!journal) return { outcome: 'posted', records: null }
    return { outcome: 'posted', records: { journal, orders: await transaction.findOrders(ordersNamedIn(journal)) } }
  })
}

/** The orders that a ledger refers to, each once. */
const ordersNamedIn = ({ entries }: DeviceLedger): readonly OrderKey[] => [
  ...new Map(entries.filter(({ orderId }) => orderId !== '').map((entry) => [orderKey(entry), entry])).values(),
]

function orderRecordsAfter(before: OrderRecords, posting: EventPosting, event: StoredEvent): OrderRecords | null {
  const journals = ledgersAfter(before.journals, posting, event)
  if (!journals) return null
  const { serialNumber, entries } = posting
  const ofOrder = entries.filter((entry) => entry.serialNumber === '')
  return {
    ...before,
    events: [...before.events, { ...event, serialNumber }],
    journals,
    entries: [...before.entries, ...ofOrder.map((entry) => storedEntry(entry, event))],
  }
}

/** Null if a ledger is large: only its entries since the cached state have been read. */
function ledgersAfter(before: DeviceLedgers, { devices, entries }: EventPosting, event: StoredEvent) {
  if ([...before.values()].some(({ cached }) => cached)) return null
  const after = new Map(before)
  for (const device of devices) {
    const { serialNumber } = device
    const own = entries.filter((entry) => entry.serialNumber === serialNumber)
    const earlier = before.get(serialNumber)?.entries ?? []
    after.set(serialNumber, { device, entries: [...earlier, ...own.map((entry) => storedEntry(entry, event))] })
  }
  return after
}

/** Only an entry of the device alone is stored with the content of its event. */
const storedEntry = (entry: NewEntry, { postedAt, content }: StoredEvent): StoredEntry => ({
  ...entry,
  postedAt,
  eventContent: entry.orderId === '' ? content : null,
})

/** A device that a swap brings in and that was not rented before gets the footprint of the device that it replaces. */
function newcomer(
  serialNumber: string,
  replaced: StoredDevice,
  wire: RecordedOrderEvent,
  isCapped: boolean,
): DeviceLedger {
  const weight = wire.type === 'swapped' ? weightToStore(replaced.footprintId, replacementWeight(wire)) : null
  const device = {
    ...replaced,
    serialNumber,
    weightKg: weight,
    isCapped,
    balance: { embodiedTotal: 0n, allocated: 0n },
  }
  return { device, entries: [] }
}

/** The status of the order once the entries are posted and the event is counted among its events. */
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

/** @throws ApiError if the event is impossible */
function* decideDeviceEventPosting(
  wire: WireDeviceEvent,
  journal: DeviceLedger,
  referenceDataOf: ReferenceDataOf,
): Resumable<EventPosting> {
  const { device, ledger } = yield* openInSteps(journal, referenceDataOf)
  const event = decodeDeviceEvent(wire)
  const problem = findEventConflict(event, ledger)
  if (problem) throw contradiction(problem)
  const change = { event, eventId: wire.event_id, releaseId: device.releaseId }
  const { entries, balance } = ledger.post(change)
  const newEntries = entries.map((entry) => encodeEntry(entry, device.serialNumber))
  return { devices: [{ ...device, balance }], entries: newEntries, status: null, serialNumber: device.serialNumber }
}
