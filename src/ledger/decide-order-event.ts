// Decides on events of an order: what they post to the ledgers of its devices, or why they are rejected.
import { orderKey, type OrderKey } from '../engine/device-timeline.ts'
import { NO_EMISSIONS } from '../engine/ledger-history.ts'
import type { Resumable } from '../engine/numbers/steps.ts'
import { statusOf, type OrderStatus } from '../engine/order.ts'
import { decideOrderEvent, orderDeviceOf, type DevicelessChange, type EventDecision } from '../engine/order-events.ts'
import {
  DevicelessOrderReplay,
  OrderReplay,
  type OrderEventWithdrawal,
  type RecordedEvent,
} from '../engine/order-replay.ts'
import type { TermsChange } from '../engine/post-entries.ts'
import type { ReferenceDataOf } from '../engine/reference/reference-data.ts'
import type { RecordedOrderEvent } from '../contract/event-schema.ts'
import {
  decodeOrderEvent,
  encodeEntry,
  openInSteps,
  replacementWeight,
  replayedEvent,
  serialNumberIn,
  type OpenDevice,
} from './codec.ts'
import { accepted, type Decision } from './decide-device-event.ts'
import { weightToStore } from './footprints.ts'
import { sentOrderOf, serialNumbersOfOrder } from './order-state.ts'
import type {
  DeviceLedger,
  EventPosting,
  NewEntry,
  OrderRecords,
  Recorder,
  StoredDevice,
  StoredFootprint,
  StoredOrder,
} from './records.ts'
import { nameNewDevice, NOT_IDENTIFIED } from './swapped-product.ts'

interface Circumstances {
  /** Devices to whose ledgers another fact is posted at once. */
  readonly interim?: ReadonlySet<string>
  /** What the new device of a swap is by the words of the event; null without such words. */
  readonly named?: StoredFootprint | null
  /** Who records the event. */
  readonly recordedBy?: Recorder | null
}

/** @param isCapped amortisation of a device that a swap brings in and that was not rented before */
export function* decideOrderEventPosting(
  wire: RecordedOrderEvent,
  records: OrderRecords,
  referenceDataOf: ReferenceDataOf,
  isCapped: boolean,
  { interim = NONE, named = null, recordedBy = null }: Circumstances = {},
): Resumable<Decision> {
  const event = decodeOrderEvent(wire, serialNumberIn(wire))
  const serials = serialNumbersOfOrder(records.order, records.events)
  if (serials.length === 0) return decideWithoutDevices(event, records)
  const known = new Map<string, OpenDevice>()
  for (const [serial, ledger] of records.ledgers) known.set(serial, yield* openInSteps(ledger, referenceDataOf))
  const decision =
    event.type === 'withdrawn'
      ? yield* decideWithdrawal(event, records)
      : decideOrderEvent(
          event,
          {
            ...records.order,
            devices: serials.map((serial) => orderDeviceOf(serial, known.get(serial)!.ledger, records.order)),
          },
          (wire.type === 'swapped' && known.get(wire.new_serial_number)?.ledger) || null,
        )
  if (!decision.ok) return decision
  const { entries, ...identified } =
    named && wire.type === 'swapped'
      ? yield* nameNewDevice(wire.new_serial_number, named, records, recordedBy, known, referenceDataOf)
      : NOT_IDENTIFIED
  const posted = yield* postChanges(decision.changes, known, wire, referenceDataOf, isCapped, interim)
  const status = statusAfter(records, posted.entries)
  return accepted({ ...posted, ...identified, entries: [...entries, ...posted.entries], status })
}

const NONE: ReadonlySet<string> = new Set()

/** Replays the order's earlier events on its own, and withdraws one of them. */
function* decideWithdrawal(event: OrderEventWithdrawal, records: OrderRecords): Resumable<EventDecision> {
  const replay = new OrderReplay(sentOrderOf(records))
  for (const stored of records.events) {
    replay.apply(replayedEvent(stored))
    yield
  }
  return replay.apply(event)
}

/**
 * Posts what an event changes, by serial number, to the ledgers of its devices.
 * @param known the open devices; a device that a swap brings in is added to them
 */
export function* postChanges(
  changes: ReadonlyMap<string, TermsChange>,
  known: Map<string, OpenDevice>,
  wire: RecordedOrderEvent,
  referenceDataOf: ReferenceDataOf,
  isCapped: boolean,
  interim: ReadonlySet<string> = NONE,
): Resumable<Omit<EventPosting, 'status'>> {
  const [replaced] = changes.keys()
  const posted: { readonly device: StoredDevice; readonly entries: readonly NewEntry[] }[] = []
  for (const [serial, change] of changes) {
    const open =
      known.get(serial) ??
      (yield* openInSteps(replacementLedger(serial, known.get(replaced!)!.device, wire, isCapped), referenceDataOf))
    known.set(serial, open)
    const { device, ledger } = open
    const { entries, balance } = ledger.post(interim.has(serial) ? { ...change, isInterim: true } : change)
    posted.push({ device: { ...device, balance }, entries: entries.map((entry) => encodeEntry(entry, serial)) })
    yield
  }
  const entries = posted.flatMap((change) => change.entries)
  const serialNumber = wire.type === 'swapped' ? replaced! : serialNumberIn(wire)
  return {
    devices: posted.map(({ device }) => device),
    entries,
    serialNumber,
  }
}

/** An unknown device that a swap without words brings in gets the footprint of the device that it replaces. */
function replacementLedger(
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
function statusAfter({ order, events, ledgers, entries }: OrderRecords, added: readonly NewEntry[]): OrderStatus {
  const before: readonly NewEntry[] = [...entries, ...[...ledgers.values()].flatMap((ledger) => ledger.entries)]
  return statusByEntries(order, [...before, ...added], events.length + 1)
}

/** The status of an order by its own entries, of which others may be among them. */
export function statusByEntries(order: OrderKey, entries: readonly NewEntry[], eventCount: number): OrderStatus {
  const own = entries.filter((entry) => orderKey(entry) === orderKey(order))
  return statusOf([...Map.groupBy(own, ({ serialNumber }) => serialNumber).values()], eventCount)
}

function decideWithoutDevices(event: RecordedEvent, records: OrderRecords): Decision {
  const replay = devicelessReplayOf(records)
  for (const stored of records.events) replay.apply(replayedEvent(stored))
  const decision = replay.apply(event)
  if (!decision.ok) return decision
  const entries = [devicelessEntry(records.order, nextNo(records.entries), decision.change)]
  return accepted({ devices: [], entries, status: statusAfter(records, entries), serialNumber: null })
}

/** The order as it was sent, before its first event. */
export const devicelessReplayOf = ({ order, entries }: OrderRecords): DevicelessOrderReplay =>
  new DevicelessOrderReplay({ ...order, posted: entries.find(({ reason }) => reason === 'order') ?? null })

export const nextNo = (entries: readonly NewEntry[]): number => (entries.at(-1)?.no ?? 0) + 1

export const devicelessEntry = (
  { customerId, orderId, releaseId }: StoredOrder,
  no: number,
  change: DevicelessChange,
): NewEntry =>
  encodeEntry(
    { ...NO_EMISSIONS, customerId, orderId, releaseId, terms: null, country: null, cause: null, no, ...change },
    '',
  )
