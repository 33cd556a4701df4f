// Records events: decides the entries for the affected devices and the corrections to other orders, or rejects the
// event.
import { orderKey, type OrderKey } from '../engine/device-timeline.ts'
import { revisionOf, sentIdOf } from '../engine/order-revision.ts'
import type { ReferenceData } from '../engine/reference/reference-data.ts'
import type { EventRejection } from '../engine/order-events.ts'
import { messageOf } from '../engine/order.ts'
import type {
  DeviceLedger,
  DeviceLedgers,
  DeviceRecords,
  EventPosting,
  NewEvent,
  OrderRecords,
  PostingTime,
  Recorder,
  StoredEvent,
} from './records.ts'
import type { EventStore, LedgerTransaction } from './store.ts'
import type { RecordedOrderEvent, StoredDeviceEvent, WireDeviceEvent } from '../contract/event-schema.ts'
import { ApiError, invalidRequest } from '../contract/errors.ts'
import { runCooperatively } from '../concurrency/cooperative.ts'
import { decideDeviceEventPosting } from './decide-device-event.ts'
import { decideOrderEventPosting } from './decide-order-event.ts'
import { identifyDevice, type CurrentRelease } from './identify-device.ts'
import { LEDGER_MESSAGES } from './messages.ts'
import { identifyLeftDevices } from './left-devices.ts'
import { serialNumbersEverInOrder, serialNumbersOfOrder } from './order-state.ts'
import { identifiedBySerial, ledgersWith, NOT_YET, storedEntry } from './posted-ledgers.ts'
import { withEmission } from './refurbishment-default.ts'
import { placeEvent } from './sent-again.ts'
import { footprintOfSwap, type ProductMatching } from './swapped-product.ts'
import { eventContent, figuresOf, loadReferenceDataOf } from './codec.ts'

/** An event that contradicts the recorded state is a conflict; the error describes that state. */
const errorOf = ({ isMalformed, problem }: EventRejection): ApiError =>
  isMalformed
    ? invalidRequest([problem])
    : new ApiError('conflict', LEDGER_MESSAGES.event_contradicts({ path: problem.path, problem: messageOf(problem) }), [
        problem,
      ])

/** `not-found`: there is no such order or device. `replayed`: an event with this id is already stored. */
export type NothingToPost =
  | { readonly outcome: 'not-found' }
  | { readonly outcome: 'replayed'; readonly event: NewEvent; readonly stored: StoredEvent }

export type EventOutcome<Records> =
  | NothingToPost
  | {
      readonly outcome: 'posted'
      readonly event: NewEvent
      /** The records including the event; null if a ledger is too large for that, or if the order was corrected. */
      readonly records: Records | null
    }

/** An event with what it posts, decided under locks and not stored yet. */
export interface DecidedEvent {
  readonly transaction: LedgerTransaction
  readonly event: NewEvent
  readonly posting: EventPosting
  /** The locked ledgers, without what the event posts. */
  readonly ledgers: DeviceLedgers
}

/** What a transaction results in; one that rejects the event has written nothing. */
type Attempt<Result> =
  | { readonly result: Result }
  | { readonly result: NothingToPost }
  | { readonly rejection: EventRejection }

/**
 * The account that records the event, by which key or import, and the amortisation of a device that a swap brings in
 * and that was not rented before.
 */
export interface EventAccount {
  readonly accountId: number
  /** Null in a demo fleet. */
  readonly recordedBy: Recorder | null
  readonly isCapped: boolean
}

export interface DeviceEventAccount extends Pick<EventAccount, 'accountId' | 'recordedBy'> {
  /** True if it refuses events with warnings. */
  readonly isStrict: boolean
}

/** Every release, and what matches the product that a swap names; null where no swap names one. */
export interface EventReferences {
  readonly referenceDataOf: LoadReferenceData
  readonly matching: ProductMatching | null
}

export type LoadReferenceData = (releaseId: number) => Promise<ReferenceData>

/**
 * Records an event of an order: locks its devices, decides the entries, and stores both.
 * @throws ApiError if the event contradicts the recorded state; then nothing is stored
 */
export const recordOrderEvent = (
  store: EventStore,
  account: EventAccount,
  order: OrderKey,
  wire: RecordedOrderEvent,
  references: EventReferences,
): Promise<EventOutcome<OrderRecords>> =>
  decideOnOrder(store, account, order, wire, references, async ({ transaction, event, posting }, records) => {
    const time = await transaction.append(posting, event)
    return { outcome: 'posted', event, records: orderRecordsAfter(records, posting, event, time) }
  })

/**
 * Decides what an event of an order posts, and finishes in the same transaction.
 * @param finish stores the event, or reports what it would change
 * @throws ApiError if the event contradicts the recorded state; then `finish` is not called
 */
export async function decideOnOrder<Result>(
  store: EventStore,
  { accountId, recordedBy, isCapped }: EventAccount,
  order: OrderKey,
  sent: RecordedOrderEvent,
  { referenceDataOf, matching }: EventReferences,
  finish: (decided: DecidedEvent, records: OrderRecords) => Promise<Result>,
): Promise<Result | NothingToPost> {
  const named = sent.type === 'swapped' ? footprintOfSwap(sent, isCapped, matching) : null
  const attempt = async (transaction: LedgerTransaction): Promise<Attempt<Result>> => {
    const { records, key, sameId } = await lockRecords(transaction, order, sent.event_id, newDevicesOf(sent))
    const placed = await placeEvent(transaction, sent, sameId, records?.order ?? null)
    if ('problem' in placed) return { rejection: placed }
    const { wire, suffix, recorded } = placed
    const eventId = `${wire.event_id}${suffix}`
    const event = { eventId, recordedBy, order: key, serialNumber: null, content: JSON.stringify(wire) }
    if (recorded) return { result: { outcome: 'replayed', event, stored: recorded } }
    if (!records || !isReversible(records, wire)) return { result: { outcome: 'not-found' } }
    if (named && 'problem' in named) return { rejection: named }
    const { ledgers } = records
    const releases = [records.order.releaseId, ...(named ? [named.releaseId] : [])]
    const referenceDataById = await loadReferenceDataOf(ledgers, releases, referenceDataOf)
    const decision = await runCooperatively(
      decideOrderEventPosting(wire, records, referenceDataById, isCapped, { named, recordedBy }),
    )
    if (!decision.ok) return { rejection: decision }
    const posting =
      wire.type === 'reversed'
        ? await withLeftDevices(decision.posting, event, records, transaction, referenceDataOf)
        : decision.posting
    return { result: await finish({ transaction, event, posting, ledgers }, records) }
  }
  return resultOf(await store.onOrder(accountId, order, attempt))
}

/** What a reversal posts, with what it posts to devices that the order named. */
async function withLeftDevices(
  posting: EventPosting,
  event: NewEvent,
  { order, ledgers }: OrderRecords,
  transaction: LedgerTransaction,
  referenceDataOf: LoadReferenceData,
): Promise<EventPosting> {
  const after = ledgersWith(ledgers, posting, [event], NOT_YET)
  const serials = serialNumbersOfOrder(order, [])
  const left = await identifyLeftDevices(order, serials, ledgers, after, event.recordedBy, transaction, referenceDataOf)
  const { identifications } = left
  if (identifications.length === 0) return posting
  return {
    ...posting,
    devices: [...posting.devices, ...left.devices],
    entries: [...posting.entries, ...left.entries],
    identified: identifiedBySerial(identifications),
    identifications,
  }
}

/** An import reverses what it stored: not the content by which an order was corrected since. */
const isReversible = ({ order: { origin } }: OrderRecords, wire: RecordedOrderEvent): boolean =>
  wire.type !== 'reversed' || origin?.importId === wire.import_id

function resultOf<Result>(attempt: Attempt<Result>): Result | NothingToPost {
  if ('rejection' in attempt) throw errorOf(attempt.rejection)
  return attempt.result
}

const newDevicesOf = (wire: RecordedOrderEvent): readonly string[] =>
  wire.type === 'swapped' ? [wire.new_serial_number] : []

/**
 * Locks all devices of the current revision of an order, and others; an order without devices is locked itself.
 * @param others further devices, known or not
 * @returns the records, and the key of that revision
 */
export async function lockRecords(
  transaction: LedgerTransaction,
  sent: OrderKey,
  eventId: string,
  others: readonly string[],
) {
  const before = await transaction.findOrder(sent)
  if (!before) return { records: null, key: sent, ...(await transaction.findEvents(sent, eventId)) }
  const { order } = before
  const key = { customerId: order.customerId, orderId: order.orderId }
  const held = serialNumbersEverInOrder(order, before.events)
  const serials = new Set([...held, ...others])
  const ledgers = await transaction.lockLedgers([...serials], key)
  const isStored =
    held.length === 0 ? await transaction.lockOrder(key) : held.every((serial) => hasOrder(ledgers.get(serial), key))
  // Its names were erased before it was locked.
  if (!isStored) transaction.restart()
  // Read again under the locks: of two concurrent requests, the second has to find the event of the first.
  const { events, sameId } = await transaction.findEvents(key, eventId)
  if (events.some((event) => eventContent(event).type === 'corrected')) transaction.restart()
  if (!serialNumbersEverInOrder(order, events).every((serial) => serials.has(serial))) transaction.restart()
  const entries = held.length === 0 ? await transaction.findOrderEntries(key) : []
  return { records: { order, events, entries, ledgers }, key, sameId }
}

const hasOrder = (ledger: DeviceLedger | undefined, order: OrderKey): boolean =>
  ledger?.entries.some((entry) => orderKey(entry) === orderKey(order)) ?? false

/**
 * Records an event of a device, in the same way.
 * @param release by which the device is identified again, if that is the event
 * @throws ApiError if the event contradicts the recorded state; then nothing is stored
 */
export const recordDeviceEvent = (
  store: EventStore,
  account: DeviceEventAccount,
  serialNumber: string,
  wire: WireDeviceEvent,
  release: CurrentRelease,
  referenceDataOf: LoadReferenceData,
): Promise<EventOutcome<DeviceRecords>> =>
  decideOnDevice(store, account, serialNumber, wire, release, referenceDataOf, async (decided) => {
    const { transaction, event, posting, ledgers } = decided
    const time = await transaction.append(posting, event)
    const after = ledgersAfter(ledgers, posting, [event], time)?.get(serialNumber)
    if (!after) return { outcome: 'posted', event, records: null }
    const orders = await transaction.findOrders(ordersNamedIn(after))
    return { outcome: 'posted', event, records: { ledger: after, orders } }
  })

/** The same as decideOnOrder, for an event of a device. */
export async function decideOnDevice<Result>(
  store: EventStore,
  { accountId, recordedBy, isStrict }: DeviceEventAccount,
  serialNumber: string,
  sent: WireDeviceEvent,
  release: CurrentRelease,
  referenceDataOf: LoadReferenceData,
  finish: (decided: DecidedEvent) => Promise<Result>,
): Promise<Result | NothingToPost> {
  const attempt = async (transaction: LedgerTransaction): Promise<Attempt<Result>> => {
    const ledgers = await transaction.lockLedgers([serialNumber], null)
    const { sameId } = await transaction.findEvents(null, sent.event_id)
    const placed = await placeEvent(transaction, sent, sameId, null)
    if ('problem' in placed) return { rejection: placed }
    const { wire, recorded } = placed
    const eventOf = (content: object) => ({
      eventId: wire.event_id,
      recordedBy,
      order: null,
      serialNumber,
      content: JSON.stringify(content),
    })
    if (recorded) return { result: { outcome: 'replayed', event: eventOf(wire), stored: recorded } }
    const before = ledgers.get(serialNumber)
    if (!before) return { result: { outcome: 'not-found' } }
    const withdrawn =
      wire.type === 'withdrawn' ? await findDeviceEvent(transaction, serialNumber, wire.withdraws) : null
    const identification = await identifyDevice(transaction, before.device, wire, withdrawn, release)
    if (identification && 'problem' in identification) return { rejection: identification }
    const releases = identification ? [identification.footprint.releaseId] : []
    const referenceDataById = await loadReferenceDataOf(ledgers, releases, referenceDataOf)
    const { footprint } = figuresOf(before.device, referenceDataById)
    const stated = withEmission(wire, footprint, release.referenceData, isStrict)
    if (!stated.ok) return { rejection: stated }
    const decision = await runCooperatively(
      decideDeviceEventPosting(stated.event, before, withdrawn, identification, referenceDataById),
    )
    if (!decision.ok) return { rejection: decision }
    const { posting } = decision
    return { result: await finish({ transaction, event: eventOf(stated.event), posting, ledgers }) }
  }
  return resultOf(await store.onDevice(accountId, serialNumber, attempt))
}

/** An event of the device, also if it was withdrawn; null if there is none. */
async function findDeviceEvent(
  transaction: LedgerTransaction,
  serialNumber: string,
  eventId: string,
): Promise<StoredDeviceEvent | null> {
  const { sameId } = await transaction.findEvents(null, sentIdOf(eventId))
  if (!sameId || sameId.order !== null || sameId.serialNumber !== serialNumber) return null
  return JSON.parse(sameId.content) as StoredDeviceEvent
}

/** The orders that a ledger refers to, each once. */
const ordersNamedIn = ({ entries }: DeviceLedger): readonly OrderKey[] => [
  ...new Map(entries.filter(({ orderId }) => orderId !== '').map((entry) => [orderKey(entry), entry])).values(),
]

function orderRecordsAfter(
  before: OrderRecords,
  posting: EventPosting,
  event: NewEvent,
  time: PostingTime,
): OrderRecords | null {
  // What was corrected of the order is not among the records that are locked.
  if (revisionOf(before.order.orderId) > 1) return null
  const { serialNumber, entries, identifications = [] } = posting
  const ledgers = ledgersAfter(before.ledgers, posting, [event, ...identifications], time)
  if (!ledgers) return null
  const ofOrder = entries.filter((entry) => entry.serialNumber === '')
  return {
    ...before,
    events: [...before.events, { ...event, serialNumber, postedAt: time.postedAt }],
    ledgers,
    entries: [...before.entries, ...ofOrder.map((entry) => storedEntry(entry, event, time))],
  }
}

/** Null if a ledger is large: only its entries since the cached state have been read. */
const ledgersAfter = (
  before: DeviceLedgers,
  posting: EventPosting,
  events: readonly NewEvent[],
  time: PostingTime,
): DeviceLedgers | null =>
  [...before.values()].some(({ cached }) => cached) ? null : ledgersWith(before, posting, events, time)
