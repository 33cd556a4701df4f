// The transport of a customer's orders as it counts now: the legs of each order that its events left something of.
import { allocate, toIntegerWeights } from '../engine/allocation.ts'
import { sumMilligrams, toMilligrams, type Milligrams } from '../engine/numbers/emission.ts'
import { ZERO, add, compare, multiply, rational, type Rational } from '../engine/numbers/rational.ts'
import { mapResumable, type Resumable } from '../engine/numbers/steps.ts'
import type { Order } from '../engine/order.ts'
import { revisionOf, sentIdOf } from '../engine/order-revision.ts'
import type { ReferenceData, ReferenceDataOf } from '../engine/reference/reference-data.ts'
import { productsOf, resolveStored, type ResolvedTransportation } from '../engine/resolve-order.ts'
import { tankToWheelOf, tonneKm, transportEmission } from '../engine/transport.ts'
import { toEngineOrder } from '../contract/parse-order.ts'
import { decodeOrder } from '../ledger/codec.ts'
import type { CustomerRecords, StoredOrder } from '../ledger/records.ts'
import { rentalKey } from './settled-rentals.ts'

/** An order of which goods were dispatched, or are to be. */
export interface Shipment {
  /** As it was sent. */
  readonly orderId: string
  /** Tenure start: the day to which the transport belongs. */
  readonly dispatchDate: string
  /** Name of the release that it was estimated with. */
  readonly release: string
  /** Of its devices and packaging. An order without either has the mass of its heaviest leg. */
  readonly massKg: Rational
  /** In the sequence of the order's items, which need not be that of the journey. */
  readonly legs: readonly ShippedLeg[]
}

export interface ShippedLeg {
  readonly item: ResolvedTransportation
  readonly massKg: Rational
  /** On the distance of the factor's own basis. */
  readonly tonneKm: Rational
  /** What the ledgers have of the order's line. */
  readonly emission: Milligrams
  /** The part of it that running the vehicles emits. */
  readonly tankToWheel: Milligrams
}

/** One shipment for each order whose transport has an emission, in its latest revision. */
export function* shipmentsOf(
  { orders, ledgers, entries }: CustomerRecords,
  referenceDataOf: ReferenceDataOf,
): Resumable<readonly Shipment[]> {
  const posted = new Map<string, Milligrams>()
  for (const list of [...[...ledgers.values()].map((ledger) => ledger.entries), entries]) {
    for (const entry of list) posted.set(rentalKey(entry), (posted.get(rentalKey(entry)) ?? 0n) + entry.transportation)
    yield
  }
  const found = yield* mapResumable(latestRevisions(orders), (order) =>
    shipmentOf(order, referenceDataOf(order.releaseId), posted),
  )
  return found.filter((one) => one !== null)
}

function latestRevisions(orders: readonly StoredOrder[]): readonly StoredOrder[] {
  const latest = new Map<string, StoredOrder>()
  for (const order of orders) {
    const id = sentIdOf(order.orderId)
    const other = latest.get(id)
    if (!other || revisionOf(other.orderId) < revisionOf(order.orderId)) latest.set(id, order)
  }
  return [...latest.values()]
}

function shipmentOf(
  order: StoredOrder,
  referenceData: ReferenceData,
  posted: ReadonlyMap<string, Milligrams>,
): Shipment | null {
  const sent = toEngineOrder(decodeOrder(order))
  const items = resolvedLegs(sent, referenceData)
  const lines = items.map((item) => emissionOf(item, item.factor.factor))
  const bearers = bearersOf(order, sent, lines, posted)
  const legs = items.map((item, at) => toLeg(item, lines[at]!, bearers))
  if (legs.every(({ emission }) => emission === 0n)) return null
  const { orderId, tenureStartDate: dispatchDate } = order
  const massKg = massOf(sent, legs, bearers)
  return { orderId: sentIdOf(orderId), dispatchDate, release: referenceData.release, massKg, legs }
}

function resolvedLegs(sent: Order, referenceData: ReferenceData): readonly ResolvedTransportation[] {
  const items = sent.items.filter((item) => item.type === 'transportation')
  return resolveStored({ ...sent, items }, { footprintIds: [], matchMethods: [] }, referenceData).filter(
    (item) => item.type === 'transportation',
  )
}

const emissionOf = ({ transportation, distanceKm }: ResolvedTransportation, factor: Rational): Milligrams =>
  toMilligrams(transportEmission(transportation.weightKg, distanceKm, { factor }))

/** Who bears the lines of an order: its devices by weight, or the order itself. METHODOLOGY.md#allocation */
interface Bearers {
  readonly weights: readonly bigint[]
  /** False for a device that was cancelled before it was dispatched. */
  readonly bears: readonly boolean[]
  /** The share of the weights that bears. */
  readonly share: Rational
}

/** @throws Error if what was posted is neither all of a device's share of the lines nor nothing */
function bearersOf(
  order: StoredOrder,
  sent: Order,
  lines: readonly Milligrams[],
  posted: ReadonlyMap<string, Milligrams>,
): Bearers {
  const products = productsOf(sent)
  const weights = toIntegerWeights(products.length === 0 ? [null] : products.map(({ weightKg }) => weightKg))
  const shares = lines.map((emission) => allocate(emission, weights))
  const bears = weights.map((_, at) => {
    const serialNumber = products[at]?.serialNumber ?? ''
    const share = sumMilligrams(shares.map((ofLine) => ofLine[at]!))
    const left = posted.get(rentalKey({ ...order, serialNumber })) ?? 0n
    if (left !== share && left !== 0n)
      throw new Error(`"${serialNumber}" of "${order.orderId}" has ${left} mg of transport, not ${share} mg`)
    return left === share
  })
  const sum = (those: readonly bigint[]): bigint => those.reduce((total, each) => total + each, 0n)
  return { weights, bears, share: rational(sum(weights.filter((_, at) => bears[at])), sum(weights)) }
}

function toLeg(item: ResolvedTransportation, line: Milligrams, bearers: Bearers): ShippedLeg {
  const massKg = multiply(item.transportation.weightKg, bearers.share)
  return {
    item,
    massKg,
    tonneKm: tonneKm(massKg, item.distanceKm),
    emission: leftOf(line, bearers),
    tankToWheel: leftOf(emissionOf(item, tankToWheelOf(item.factor)), bearers),
  }
}

const leftOf = (emission: Milligrams, { weights, bears }: Bearers): Milligrams =>
  sumMilligrams(allocate(emission, weights).filter((_, at) => bears[at]))

function massOf(sent: Order, legs: readonly ShippedLeg[], { bears, share }: Bearers): Rational {
  const devices = productsOf(sent).filter((_, at) => bears[at])
  const packagings = sent.items.filter((item) => item.type === 'packaging')
  const packed = multiply(packagings.map(({ weightKg }) => weightKg).reduce(add, ZERO), share)
  const mass = add(devices.map(({ weightKg }) => weightKg).reduce(add, ZERO), packed)
  return compare(mass, ZERO) > 0 ? mass : legs.map((leg) => leg.massKg).reduce((a, b) => (compare(a, b) < 0 ? b : a))
}
