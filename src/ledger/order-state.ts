// An order as it was first answered, and its current state: its items with their lines, computed from stored records.
import { applyEntry, emptyLedgerHistory, type EmissionsByPart } from '../engine/ledger-history.ts'
import { orderKey, type OrderKey } from '../engine/device-timeline.ts'
import { asFirstRental, estimateItem, productLines, type EmissionLine, type EstimatedItem } from '../engine/estimate.ts'
import type { ReferenceDataOf, ReferenceData } from '../engine/reference/reference-data.ts'
import type { Milligrams } from '../engine/numbers/emission.ts'
import type { DeviceInputs, OrderInputs, PostedEmission } from '../engine/order-inputs.ts'
import type { OrderStatus } from '../engine/order.ts'
import { fromExactText } from '../engine/numbers/rational.ts'
import type { SentOrder } from '../engine/order-replay.ts'
import type { TermsChange } from '../engine/post-entries.ts'
import { recomputeOrder } from '../engine/recompute-order.ts'
import type { Resumable } from '../engine/numbers/steps.ts'
import { resolveStored, type ResolvedItem } from '../engine/resolve-order.ts'
import { countedEvents, countedSwaps, swapsIn } from './counted-events.ts'
import { identifiedBy } from './footprints.ts'
import { toSwap } from './swapped-product.ts'
import type { DeviceLedger, NewOrder, OrderRecords, StoredEntry, StoredEvent, StoredOrder } from './records.ts'
import { toEngineOrder } from '../contract/parse-order.ts'
import type { RecordedOrderEvent } from '../contract/event-schema.ts'
import {
  decodeEntry,
  decodeOrder,
  eventContent,
  firstEntryNo,
  knownInSteps,
  timelineOfDevice,
  withDeviceFootprint,
} from './codec.ts'

/** The devices of an order: those that it was sent with, and their replacements, unless their swap was withdrawn. */
export const serialNumbersOfOrder = (order: NewOrder, events: readonly StoredEvent[]): readonly string[] =>
  serialNumbersEverInOrder(order, countedEvents(events))

/** Including the replacements of withdrawn swaps: the order has entries in their ledgers, which add up to nothing. */
export function serialNumbersEverInOrder(order: NewOrder, events: readonly StoredEvent[]): readonly string[] {
  const sent = toEngineOrder(decodeOrder(order)).items.flatMap((item) =>
    item.type === 'product' ? [item.serialNumber] : [],
  )
  return [...sent, ...swapsIn(events).map(({ wire }) => wire.new_serial_number)]
}

/** The order on its own, as it was sent: what its first entries say. */
export function sentOrderOf({ order, ledgers }: Pick<OrderRecords, 'order' | 'ledgers'>): SentOrder {
  const { customerId, orderId, tenureStartDate } = order
  const devices = serialNumbersOfOrder(order, []).map((serialNumber) => {
    const first = ledgers.get(serialNumber)?.entries.find((entry) => orderKey(entry) === orderKey(order))
    if (!first?.terms) throw new Error(`The order "${orderId}" has a device without an entry`)
    return [serialNumber, sentTerms(first)] as const
  })
  return { customerId, orderId, tenureStartDate, devices: new Map(devices) }
}

/** What an order posted to a device, by its first entry. */
function sentTerms(first: StoredEntry): TermsChange {
  const { customerId, orderId, country, releaseId, packaging, transportation } = first
  const { terms } = decodeEntry(first)
  const shared = { packaging, transportation }
  return { customerId, orderId, terms: terms!, reason: 'order', country, releaseId, eventId: null, shared }
}

const resolvedItems = (order: StoredOrder, referenceData: ReferenceData): readonly ResolvedItem[] =>
  resolveStored(toEngineOrder(decodeOrder(order)), order, referenceData)

/**
 * The order as its creation was answered: its stored lines, with their calculations at that time. Later ledger entries
 * are ignored.
 */
export function* originalEstimate(
  { order, ledgers }: Pick<OrderRecords, 'order' | 'ledgers'>,
  referenceDataOf: ReferenceDataOf,
): Resumable<readonly EstimatedItem[]> {
  const lines = order.lineEmissions.values()
  const items: EstimatedItem[] = []
  for (const item of resolvedItems(order, referenceDataOf(order.releaseId))) {
    const ledger = item.type === 'product' ? ledgers.get(item.product.serialNumber) : undefined
    if (item.type !== 'product' || !ledger) {
      items.push(withLines(item, estimateItem(item, asFirstRental(true)), lines))
      continue
    }
    const known = yield* knownInSteps(ledger, referenceDataOf, firstEntryNo(ledger, order))
    const charged = withDeviceFootprint(item, known)
    const run = yield* timelineOfDevice(known)
    items.push(withLines(charged, productLines(charged, run.rentals.get(orderKey(order))!), lines))
  }
  if (!lines.next().done) throw new Error(`The order "${order.orderId}" has more lines stored than computed`)
  return items
}

/** Lines are identified by position only: a missing or additional line would assign emissions to the wrong names. */
function withLines(
  item: ResolvedItem,
  lines: readonly EmissionLine[],
  stored: Iterator<Milligrams, undefined>,
): EstimatedItem {
  const taken = lines.map((line) => {
    const { value } = stored.next()
    if (value === undefined) throw new Error('An order has fewer lines stored than computed')
    return { ...line, emission: value }
  })
  return { item, lines: taken }
}

/** All inputs to the figures of an order, as far as its records contain them. */
function* factsOf({ order, events, ledgers, entries }: OrderRecords): Resumable<OrderInputs> {
  const devices: DeviceInputs[] = []
  for (const serial of serialNumbersOfOrder(order, events))
    devices.push(yield* factsOfDevice(ledgers.get(serial)!, order))
  const undispatched = countedEvents(events).map(eventContent).filter(isUndispatched)
  return {
    order: toEngineOrder(decodeOrder(order)),
    releaseId: order.releaseId,
    footprintIds: order.footprintIds,
    matchMethods: order.matchMethods,
    eventCount: events.length,
    swaps: countedSwaps(events).map((swap) => toSwap(swap, ledgers)),
    undispatched: new Set(undispatched.map(({ event_id }) => event_id)),
    devices,
    posted: entries.map(toPostedEntry),
  }
}

const isUndispatched = (wire: RecordedOrderEvent): boolean =>
  wire.type === 'reversed' || (wire.type === 'cancelled' && !wire.dispatched)

function* factsOfDevice({ device, entries }: DeviceLedger, order: OrderKey): Resumable<DeviceInputs> {
  const { serialNumber, footprintId, releaseId, weightKg, isCapped } = device
  const history = emptyLedgerHistory()
  for (const entry of entries) {
    applyEntry(history, decodeEntry(entry))
    yield
  }
  const { rentals, events } = history
  return {
    serialNumber,
    footprintId,
    releaseId,
    weightKg: weightKg === null ? null : fromExactText(weightKg),
    isCapped,
    identifiedBy: identifiedBy(entries),
    posted: entries.filter((entry) => orderKey(entry) === orderKey(order)).map(toPostedEntry),
    others: [...rentals.values()].filter((rental) => orderKey(rental) !== orderKey(order)),
    events: [...events.values()],
  }
}

const toPostedEntry = (entry: StoredEntry): PostedEmission => ({
  ...decodeEntry(entry),
  postedAt: entry.postedAt.toISOString(),
})

/** The state of an order, as of the time of its records: current or earlier. */
export interface OrderState {
  readonly items: readonly EstimatedItem[]
  readonly status: OrderStatus
}

/** Recomputes the order from its inputs; each figure of a product is the sum of the emissions posted for it. */
export function* currentOrderState(records: OrderRecords, referenceDataOf: ReferenceDataOf): Resumable<OrderState> {
  const { items, devices, status } = yield* recomputeOrder(yield* factsOf(records), referenceDataOf)
  const posted = new Map(devices.map(({ facts, rental }) => [facts.serialNumber, rental.posted]))
  return { items: items.map((one) => asPosted(one, posted)), status }
}

function asPosted({ item, lines }: EstimatedItem, posted: ReadonlyMap<string, EmissionsByPart>): EstimatedItem {
  if (item.type !== 'product') return { item, lines }
  const sums = posted.get(item.product.serialNumber)!
  return { item, lines: lines.map((line) => ({ ...line, emission: sums[line.part] })) }
}
