// Decides on events of an order: what they post to the ledgers of its devices, or why they are rejected.
import { orderKey } from '../engine/device-timeline.ts'
import { NO_EMISSIONS } from '../engine/ledger-history.ts'
import type { Resumable } from '../engine/numbers/steps.ts'
import { statusOf, type OrderStatus } from '../engine/order.ts'
import { decideOrderEvent, orderDeviceOf, type EventDecision } from '../engine/order-events.ts'
import { DevicelessOrderReplay, OrderReplay, type RecordedEvent } from '../engine/order-replay.ts'
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
  weightToStore,
  type OpenDevice,
} from './codec.ts'
import { accepted, type Decision } from './decide-device-event.ts'
import { sentOrderOf, serialNumbersOfOrder } from './order-state.ts'
import type { DeviceLedger, EventPosting, NewEntry, OrderRecords, StoredDevice } from './records.ts'

/**
 * @param isCapped amortisation of a device that a swap brings in and that was not rented before
 * @param replay for the events of an order that is corrected: they were accepted before, so they are decided for the
 * order alone, as after a withdrawal, and `interim` has devices to whose ledgers another fact is posted at once
 */
export function* decideOrderEventPosting(
  wire: RecordedOrderEvent,
  records: OrderRecords,
  referenceDataOf: ReferenceDataOf,
  isCapped: boolean,
  replay: { readonly interim: ReadonlySet<string> } | null = null,
): Resumable<Decision> {
  const event = decodeOrderEvent(wire, serialNumberIn(wire))
  const serials = serialNumbersOfOrder(records.order, records.events)
  if (serials.length === 0) return decideWithoutDevices(event, records)
  const known = new Map<string, OpenDevice>()
  for (const [serial, ledger] of records.ledgers) known.set(serial, yield* openInSteps(ledger, referenceDataOf))
  const decision =
    event.type === 'withdrawn' || replay
      ? yield* decideAlone(event, records)
      : decideOrderEvent(
          event,
          {
            ...records.order,
            devices: serials.map((serial) => orderDeviceOf(serial, known.get(serial)!.ledger, records.order)),
          },
          (wire.type === 'swapped' && known.get(wire.new_serial_number)?.ledger) || null,
        )
  if (!decision.ok) return decision
  const interim = replay?.interim ?? NONE
  return accepted(yield* postChanges(decision.changes, known, wire, records, referenceDataOf, isCapped, interim))
}

const NONE: ReadonlySet<string> = new Set()

/** Replays the order's earlier events on its own, and then another event or a withdrawal. */
function* decideAlone(event: RecordedEvent, records: OrderRecords): Resumable<EventDecision> {
  const replay = new OrderReplay(sentOrderOf(records))
  for (const stored of records.events) {
    replay.apply(replayedEvent(stored))
    yield
  }
  return replay.apply(event)
}

function* postChanges(
  changes: ReadonlyMap<string, TermsChange>,
  known: ReadonlyMap<string, OpenDevice>,
  wire: RecordedOrderEvent,
  records: OrderRecords,
  referenceDataOf: ReferenceDataOf,
  isCapped: boolean,
  interim: ReadonlySet<string>,
): Resumable<EventPosting> {
  const [replaced] = changes.keys()
  const posted: { readonly device: StoredDevice; readonly entries: readonly NewEntry[] }[] = []
  for (const [serial, change] of changes) {
    const { device, ledger } =
      known.get(serial) ??
      (yield* openInSteps(replacementLedger(serial, known.get(replaced!)!.device, wire, isCapped), referenceDataOf))
    const { entries, balance } = ledger.post(interim.has(serial) ? { ...change, isInterim: true } : change)
    posted.push({ device: { ...device, balance }, entries: entries.map((entry) => encodeEntry(entry, serial)) })
    yield
  }
  const entries = posted.flatMap((change) => change.entries)
  const serialNumber = wire.type === 'swapped' ? replaced! : serialNumberIn(wire)
  return {
    devices: posted.map(({ device }) => device),
    entries,
    status: statusAfter(records, entries),
    serialNumber,
  }
}

/** A device that a swap brings in and that was not rented before gets the footprint of the device that it replaces. */
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
  const own = [...before, ...added].filter((entry) => orderKey(entry) === orderKey(order))
  return statusOf([...Map.groupBy(own, ({ serialNumber }) => serialNumber).values()], events.length + 1)
}

function decideWithoutDevices(event: RecordedEvent, records: OrderRecords): Decision {
  const { order, entries: posted, events } = records
  const replay = new DevicelessOrderReplay({
    ...order,
    posted: posted.find(({ reason }) => reason === 'order') ?? null,
  })
  for (const stored of events) replay.apply(replayedEvent(stored))
  const decision = replay.apply(event)
  if (!decision.ok) return decision
  const { customerId, orderId, releaseId } = order
  const own = { customerId, orderId, releaseId, terms: null, country: null, cause: null }
  const entry = { ...NO_EMISSIONS, ...own, no: (posted.at(-1)?.no ?? 0) + 1, ...decision.change }
  const entries = [encodeEntry(entry, '')]
  return accepted({ devices: [], entries, status: statusAfter(records, entries), serialNumber: null })
}
