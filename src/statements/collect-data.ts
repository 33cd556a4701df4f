// Collects the data of a statement: a customer's orders, entries, shares of packaging and transport, and sources.
import { allocate, toIntegerWeights } from '../engine/allocation.ts'
import { eventKey, orderKey, type DeviceTimeline, type OrderKey } from '../engine/device-timeline.ts'
import { revisionOf, sentIdOf } from '../engine/order-revision.ts'
import { asFirstRental, estimateItem, productLines } from '../engine/estimate.ts'
import { METHOD_VERSION } from '../engine/explanation/calculation.ts'
import { inForceAfter, countsInNoPeriod } from '../engine/ledger-history.ts'
import { classify, type ConsolidationApproach } from '../engine/inventory-boundary.ts'
import { PARTS, type Milligrams } from '../engine/numbers/emission.ts'
import { fromExactText, toFractionText, type Rational } from '../engine/numbers/rational.ts'
import { latestOf } from '../engine/order.ts'
import { mapResumable, type Resumable } from '../engine/numbers/steps.ts'
import { monthsOfEntries } from '../engine/occupancy.ts'
import { laterDay, startsOf } from '../engine/reporting-periods.ts'
import type { Footprint } from '../engine/reference/footprint.ts'
import type { ReferenceData, ReferenceDataOf } from '../engine/reference/reference-data.ts'
import { productsOf, resolveStored, type ResolvedProduct } from '../engine/resolve-order.ts'
import { toEngineOrder } from '../contract/parse-order.ts'
import {
  decodeOrder,
  decodeSentOrder,
  deviceId,
  knownInSteps,
  printRecorder,
  timelineOfDevice,
  toTimed,
  type DeviceState,
} from '../ledger/codec.ts'
import { chargedBy, deviceHolding } from '../ledger/device-state.ts'
import type { CustomerRecords, StoredEntry, StoredFootprint, StoredOrder } from '../ledger/records.ts'
import { digestOf } from '../documents/canonical.ts'
import { compareNames, toJsonValue } from '../strict-json/exact-tree.ts'
import { createCalculationBases, type CalculationBases } from './calculation-bases.ts'
import { amountsOf, kilogramsOf } from './periods.ts'
import {
  STATEMENT_FORMAT,
  boundaryOf,
  referenceKey,
  statementBoundary,
  type DeviceData,
  type StatementData,
  type StatementEntry,
  type StatementOrder,
  type StatementRental,
  type StatementShare,
} from './statement.ts'
import { rentalKey, settledBefore } from './settled-rentals.ts'
import { STATEMENT_TEXTS } from './texts.ts'

/** An order with its packaging and transportation emission, and each device's share of it. */
interface AllocatedLines {
  readonly order: StoredOrder
  /** By the number of the calculation basis. */
  readonly lines: ReadonlyMap<number, Milligrams>
  /** By serial number of the devices the order was sent with. */
  readonly shares: ReadonlyMap<string, ReadonlyMap<number, Milligrams>>
}

/** Allocates by weight, each line separately, as the order was sent and first posted. METHODOLOGY.md#allocation */
function allocateSharedLines(
  order: StoredOrder,
  referenceData: ReferenceData,
  bases: CalculationBases,
): AllocatedLines {
  const sent = toEngineOrder(decodeOrder(order))
  const products = productsOf(sent)
  const others = sent.items.filter((item) => item.type !== 'product')
  const weights = toIntegerWeights(products.map(({ weightKg }) => weightKg))
  const lines = new Map<number, Milligrams>()
  const shares = new Map(products.map(({ serialNumber }) => [serialNumber, new Map<number, Milligrams>()]))
  for (const item of resolveStored({ ...sent, items: others }, NO_PRODUCTS, referenceData)) {
    for (const line of estimateItem(item, asFirstRental(true))) {
      const basis = bases.noOf(line, referenceData)
      addTo(lines, basis, line.emission)
      if (products.length === 0) continue
      for (const [at, share] of allocate(line.emission, weights).entries())
        addTo(shares.get(products[at]!.serialNumber)!, basis, share)
    }
  }
  return { order, lines, shares }
}

const NO_PRODUCTS = { footprintIds: [], matchMethods: [] }

const addTo = (sums: Map<number, Milligrams>, basis: number, emission: Milligrams): void =>
  void sums.set(basis, (sums.get(basis) ?? 0n) + emission)

const toAllocatedShares = (sums: ReadonlyMap<number, Milligrams>): readonly StatementShare[] =>
  [...sums].map(([basis, emission]) => ({ calculation_basis: basis, emission: kilogramsOf(emission) }))

export interface StatementRequest {
  readonly accountId: number
  /** Name of the account. */
  readonly account: string
  readonly customerId: string
  readonly year: number
  readonly approach: ConsolidationApproach
  readonly version: string
  readonly at: Date
  readonly knownAt: Date
}

/** The inputs shared by all devices of a statement. */
interface Seen extends StatementRequest {
  readonly referenceDataOf: ReferenceDataOf
  readonly bases: CalculationBases
  /** By order id. */
  readonly orders: ReadonlyMap<string, AllocatedLines>
  readonly recorders: CustomerRecords['recorders']
  /** By rentalKey, the rentals that are omitted. */
  readonly settled: ReadonlySet<string>
}

export function* collectStatementData(
  records: CustomerRecords,
  referenceDataOf: ReferenceDataOf,
  request: StatementRequest,
): Resumable<StatementData> {
  const bases = createCalculationBases(request.year)
  // The orders arrive sorted by id.
  const settled = yield* settledBefore(request.year, records)
  const inTurn = standingOrders(records, settled).toSorted((a, b) => compareNames(a.tenureStartDate, b.tenureStartDate))
  const shared = yield* mapResumable(inTurn, (order) =>
    allocateSharedLines(order, referenceDataOf(order.releaseId), bases),
  )
  const orders = new Map(shared.map((one) => [one.order.orderId, one]))
  const seen = { ...request, referenceDataOf, bases, orders, recorders: records.recorders, settled }
  const ledgers = [...records.ledgers].toSorted(([a], [b]) => compareNames(a, b))
  const devices: DeviceData[] = []
  for (const [, ledger] of ledgers) {
    const device = yield* factsOfDevice(yield* knownInSteps(ledger, referenceDataOf), ledger.entries, seen)
    if (device.rentals.length > 0) devices.push(device)
    yield
  }
  const { version, at, knownAt } = request
  const boundary = statementBoundary(request.approach)
  return {
    media_type: STATEMENT_FORMAT,
    issued: {
      by: 'cradle',
      version,
      method: METHOD_VERSION,
      at: at.toISOString(),
      known_at: knownAt.toISOString(),
      books_closed_until: records.booksClosedUntil,
    },
    issuer: { account: request.account },
    customer_id: request.customerId,
    year: request.year,
    inventory_boundary: boundary,
    devices,
    orders: factsOfOrders(shared, devices, records),
    calculation_bases: bases.list(),
    lists_earlier_years: true,
    ...bases.figures(),
    texts: STATEMENT_TEXTS,
    reasons: Object.fromEntries(
      PARTS.map((part) => [part, classify(part, boundaryOf(boundary)).reason.message]),
    ) as StatementData['reasons'],
  }
}

/** Excludes orders that were reversed with the import that recorded them, or corrected, and count in no period. */
function standingOrders(
  { orders, ledgers, entries }: CustomerRecords,
  settled: ReadonlySet<string>,
): CustomerRecords['orders'] {
  const posted = [...[...ledgers.values()].flatMap((ledger) => ledger.entries), ...entries]
  const byOrder = Map.groupBy(posted, orderKey)
  return orders.filter((order) => {
    const rentals = [...Map.groupBy(byOrder.get(orderKey(order)) ?? [], (entry) => entry.serialNumber).values()]
    return rentals.length === 0 || !rentals.every((own) => countsNowhere(own, order.tenureStartDate, settled))
  })
}

/**
 * True if a rental, or an order without devices, counts nowhere: it was reversed with its import, or the swap that
 * brought the device in was withdrawn, and none of the days on which it counted was closed by then, or it was settled.
 */
function countsNowhere(own: readonly StoredEntry[], day: string, settled: ReadonlySet<string>): boolean {
  const latest = latestOf(own)
  if (!latest) return false
  if (settled.has(rentalKey(latest))) return true
  const { reason } = inForceAfter(latest)
  if (!countsInNoPeriod(reason)) return false
  // An entry that was posted with reopened books may count on earlier days than the first one.
  const [firstDay] = own.map(({ countsFrom }) => laterDay(countsFrom, day)).toSorted(compareNames) as [string]
  return laterDay(latest.countsFrom, firstDay) === firstDay
}

/**
 * Such a rental is omitted although its order is not: it has no share of packaging and transportation. The others of an
 * order are omitted with it, because the lines of an order are the sum of their shares.
 */
const isOfWithdrawnSwap = (own: readonly StoredEntry[]): boolean => {
  const latest = latestOf(own)
  return latest !== null && inForceAfter(latest).reason === 'withdrawal'
}

/**
 * Rentals under other customers' orders are omitted, because the recipient may not see them, but the ledger includes
 * them.
 */
function* factsOfDevice(known: DeviceState, entries: readonly StoredEntry[], seen: Seen): Resumable<DeviceData> {
  const { device, figures, referenceData } = known
  const own = entries.filter(({ customerId, orderId }) => customerId === seen.customerId && seen.orders.has(orderId))
  const run = yield* timelineOfDevice(known)
  const months = yield* monthsOfEntries(entries, toTimed)
  const monthsOf = new Map(entries.map(({ no }, at) => [no, months[at]!]))
  const posted = [...Map.groupBy(own, ({ orderId }) => orderId).values()].filter(
    (rental) => !isOfWithdrawnSwap(rental) || !countsNowhere(rental, rental[0]!.terms!.start, seen.settled),
  )
  const charged = { known, before: footprintsOf(entries) }
  const rentals = yield* mapResumable(posted, (entriesOfOne) =>
    factsOfRental(charged, run, entriesOfOne, monthsOf, seen),
  )
  return {
    device_id: deviceId(seen.accountId, device.serialNumber),
    serial_number: device.serialNumber,
    model: {
      ...modelOf(figures.footprint),
      id: device.footprintId,
      match_level: figures.footprint.level,
      dataset_release: referenceData.release,
    },
    rentals: rentals.toSorted(compareRentals),
  }
}

/** By which the device was charged, the last first. */
const footprintsOf = (entries: readonly StoredEntry[]): readonly StoredFootprint[] =>
  entries.flatMap(({ footprint }) => footprint ?? []).toReversed()

const modelOf = ({ name, model, fallback, typeDefault }: Footprint) => ({
  name,
  brand: model?.brand ?? fallback?.fallback.brand ?? null,
  type: model?.type ?? typeDefault.type,
})

const referenceTo = ({ orderId }: OrderKey) => ({
  order_id: sentIdOf(orderId),
  ...(revisionOf(orderId) > 1 && { revision: revisionOf(orderId) }),
})

const compareRentals = (a: StatementRental, b: StatementRental): number =>
  compareNames(a.from, b.from) || compareNames(a.order_id, b.order_id)

/** A device, and the footprints by which it was charged, the last first. */
interface ChargedDevice {
  readonly known: DeviceState
  readonly before: readonly StoredFootprint[]
}

function factsOfRental(
  { known, before }: ChargedDevice,
  { rentals }: DeviceTimeline,
  entries: readonly StoredEntry[],
  monthsOf: ReadonlyMap<number, Rational>,
  { referenceDataOf, bases, orders, recorders }: Seen,
): StatementRental {
  const [first] = entries as [StoredEntry]
  const { serialNumber } = known.device
  if (!first.terms) throw new Error(`The first entry of "${serialNumber}" by "${first.orderId}" has no terms`)
  const rental = known.history.rentals.get(orderKey(first))!
  const run = rentals.get(orderKey(first))!
  const data = referenceDataOf(rental.releaseId)
  const heldAs = (device: DeviceState) => deviceHolding(serialNumber, rental, device, referenceDataOf)
  const held = heldAs(known)
  const basesOver = (months: Rational): readonly [embodied: number, use: number | null] => {
    const linesOf = (product: ResolvedProduct) => productLines(product, { ...run, months })
    const [embodied, ownUse] = linesOf(held)
    let use = ownUse
    // What was posted by an earlier footprint and taken back rests on that, if the latest one says nothing of the use.
    if (!use && entries.some((entry) => entry.product_use !== 0n))
      for (const footprint of before) use ??= linesOf(heldAs(chargedBy(known, footprint, referenceDataOf)))[1]
    return [bases.noOf(embodied!, data), use ? bases.noOf(use, data) : null]
  }
  let spread = toFractionText(monthsOf.get(first.no)!)
  const [embodiedBasis, firstUseBasis] = basesOver(fromExactText(spread))
  let useBasis = firstUseBasis
  const { start: from } = rental.terms
  const starts = startsOf(entries)
  const facts = entries.map((entry, at): StatementEntry => {
    const months = toFractionText(monthsOf.get(entry.no)!)
    // A rental with no months left has no use; its calculation basis stays the same.
    if (months !== spread && months !== '0') [spread, useBasis] = [months, basesOver(fromExactText(months))[1]]
    const start = starts[at]!
    return { ...toFacts(entry, recorders), months, ...(start !== from && { from: start }), use_basis: useBasis }
  })
  return {
    ...referenceTo(first),
    from,
    until: run.end,
    embodied_basis: embodiedBasis,
    shares: toAllocatedShares(orders.get(first.orderId)!.shares.get(serialNumber) ?? new Map()),
    entries: facts,
  }
}

const toFacts = (entry: StoredEntry, recorders: CustomerRecords['recorders']): StatementEntry => ({
  posted_at: entry.postedAt.toISOString(),
  counts_from: entry.countsFrom,
  reason: entry.reason,
  ...causeOf(entry, recorders),
  months: null,
  use_basis: null,
  ...amountsOf(entry),
})

/** What another customer's order or event caused is told without its ids, which the recipient may not see. */
function causeOf(
  entry: StoredEntry,
  recorders: CustomerRecords['recorders'],
): Pick<StatementEntry, 'event_id' | 'recorded_by' | 'caused_by'> {
  const { customerId, orderId, serialNumber, terms, eventId, cause } = entry
  if (cause && cause.customerId !== customerId) return { event_id: null, caused_by: null }
  const isOwn = terms !== null || serialNumber === ''
  const by = cause ?? (isOwn ? { customerId, orderId } : null)
  return {
    event_id: eventId && sentIdOf(eventId),
    ...(eventId !== null && { recorded_by: printRecorder(recorderOf(by, eventId, recorders)) }),
    caused_by: by === null ? null : sentIdOf(by.orderId),
  }
}

/** @param order of which it is an event, unless it is one of the device that ended a rental of the order */
const recorderOf = (order: OrderKey | null, eventId: string, recorders: CustomerRecords['recorders']) =>
  (order && recorders.get(eventKey(order, eventId))) ?? recorders.get(eventKey(null, eventId)) ?? null

function factsOfOrders(
  shared: readonly AllocatedLines[],
  devices: readonly DeviceData[],
  { entries, recorders }: Pick<CustomerRecords, 'entries' | 'recorders'>,
): readonly StatementOrder[] {
  const held = Map.groupBy(
    devices.flatMap(({ rentals }) => rentals),
    referenceKey,
  )
  const posted = Map.groupBy(entries, ({ orderId }) => orderId)
  return shared.map(({ order, lines }) => ({
    ...referenceTo(order),
    order_date: order.orderDate,
    dispatch_date: order.tenureStartDate,
    received_at: order.createdAt.toISOString(),
    number_of_devices: held.get(referenceKey(referenceTo(order)))?.length ?? 0,
    content_hash: digestOf(toJsonValue(decodeSentOrder(order))),
    lines: toAllocatedShares(lines),
    entries: (posted.get(order.orderId) ?? []).map((entry) => toFacts(entry, recorders)),
  }))
}
