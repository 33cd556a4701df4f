// Recomputes an order from its facts: the devices' ledgers, every emission line, and each device's share.
import { allocate, toIntegerWeights } from './allocation.ts'
import {
  NO_EMISSIONS,
  inForceAfter,
  replayEntries,
  isCancellation,
  type PostedRental,
  type EmissionsByPart,
} from './ledger-history.ts'
import { openBalance } from './device-ledger.ts'
import { isByDefault, orderKey, computeTimeline, type DeviceTimeline, type AllocatedRental } from './device-timeline.ts'
import { asFirstRental, estimateItem, productLines, type EmissionLine, type EstimatedItem } from './estimate.ts'
import type { ReferenceDataOf } from './reference/reference-data.ts'
import { footprintById, type Footprint } from './reference/footprint.ts'
import type { Milligrams, Part } from './numbers/emission.ts'
import type { DeviceInputs, OrderInputs, Swap } from './order-inputs.ts'
import { latestOf, statusOf, type OrderStatus } from './order.ts'
import { ONE } from './numbers/rational.ts'
import { mapResumable, type Resumable } from './numbers/steps.ts'
import { gridFactors, resolveStored, type ResolvedItem, type ResolvedProduct } from './resolve-order.ts'

/** A device as recomputed from the facts. */
export interface RecomputedDevice {
  readonly facts: DeviceInputs
  readonly footprint: Footprint
  readonly run: DeviceTimeline
  /** The order's rental of the device: its agreed terms and its outcome. */
  readonly rental: PostedRental
  readonly rentalRun: AllocatedRental
  /** The emissions of the device in this order: its own lines, and its shares of transport and packaging. */
  readonly total: EmissionsByPart
}

export interface RecomputedOrder {
  /** The items as they were sent, with the footprints of their devices. */
  readonly sent: readonly ResolvedItem[]
  /** The current items with their lines; a replacement device follows the device it replaced. */
  readonly items: readonly EstimatedItem[]
  readonly devices: readonly RecomputedDevice[]
  readonly status: OrderStatus
}

type RunDevice = Omit<RecomputedDevice, 'total'>

/**
 * Recomputes an order. Posted entries are used only for the terms that they set, not for their emissions.
 * METHODOLOGY.md#ledger
 * @throws RangeError when the facts are inconsistent
 */
export function* recomputeOrder(facts: OrderInputs, referenceDataOf: ReferenceDataOf): Resumable<RecomputedOrder> {
  const runs: RunDevice[] = []
  for (const device of facts.devices) {
    runs.push(yield* runFacts(device, facts, referenceDataOf))
    yield
  }
  const devices = new Map(runs.map((run) => [run.facts.serialNumber, run]))
  const resolved = resolveStored(facts.order, facts, referenceDataOf(facts.releaseId))
  const sent = resolved.map((item) =>
    item.type === 'product' ? chargedAs(item, known(devices, item), referenceDataOf) : item,
  )
  const carried = new Map([...devices.keys()].map((serial) => [serial, { ...NO_EMISSIONS }]))
  const divide = dividerOf(sent, facts, devices, carried)
  const items = yield* mapResumable(sent, (item) =>
    item.type === 'product'
      ? withSuccessors(item, facts).map((one) => standingProduct(one, known(devices, one), referenceDataOf, carried))
      : [{ item, lines: estimateItem(item, asFirstRental(true)).map(divide) }],
  )
  return {
    sent,
    items: items.flat(),
    devices: [...devices].map(([serial, device]) => ({ ...device, total: carried.get(serial)! })),
    status: statusOf([facts.posted, ...facts.devices.map(({ posted }) => posted)], facts.eventCount),
  }
}

/** The emissions assigned to each device so far, by serial number. */
type Carried = ReadonlyMap<string, Record<Part, Milligrams>>

function* runFacts(
  facts: DeviceInputs,
  { order }: OrderInputs,
  referenceDataOf: ReferenceDataOf,
): Resumable<RunDevice> {
  const { footprintId, weightKg, isCapped, posted, others, events } = facts
  const footprint = footprintById(footprintId, weightKg ?? ONE, referenceDataOf(facts.releaseId))
  const rental = replayEntries(posted).rentals.get(orderKey(order))
  if (!rental) throw new RangeError(`Nothing was posted to "${facts.serialNumber}" by this order`)
  const opening = openBalance(footprint.embodied, footprint.lifetimeMonths, isCapped)
  const run = yield* computeTimeline(opening, [rental, ...others], events)
  return { facts, footprint, run, rental, rentalRun: run.rentals.get(orderKey(order))! }
}

function known(devices: ReadonlyMap<string, RunDevice>, { product }: ResolvedProduct): RunDevice {
  const device = devices.get(product.serialNumber)
  if (!device) throw new RangeError(`The facts of the device "${product.serialNumber}" are missing`)
  return device
}

const chargedAs = (
  item: ResolvedProduct,
  { facts, footprint }: RunDevice,
  referenceDataOf: ReferenceDataOf,
): ResolvedProduct => ({
  ...item,
  footprintId: facts.footprintId,
  footprint,
  footprintData: referenceDataOf(facts.releaseId),
  identifiedBy: facts.identifiedBy,
  byDefault: facts.events.filter(isByDefault),
})

/** A product, followed by the devices that replaced it. */
function withSuccessors(item: ResolvedProduct, facts: OrderInputs): readonly ResolvedProduct[] {
  const items = [item]
  for (let at = 0; at < items.length && items.length <= facts.swaps.length; at += 1) {
    const swap = facts.swaps.find(({ out }) => out === items[at]!.product.serialNumber)
    if (!swap) break
    items.push(successorOf(items[at]!, swap))
  }
  return items
}

function successorOf(item: ResolvedProduct, { in: serialNumber, weightKg, named }: Swap): ResolvedProduct {
  if (!named) return { ...item, product: { ...item.product, serialNumber, weightKg } }
  const { tenureMonths, country } = item.product
  const { footprintId: ownFootprintId, matchMethod } = named
  return { ...item, product: { ...named.product, tenureMonths, country }, ownFootprintId, matchMethod }
}

function standingProduct(
  item: ResolvedProduct,
  device: RunDevice,
  referenceDataOf: ReferenceDataOf,
  carried: Carried,
): EstimatedItem {
  const { rental, rentalRun } = device
  const charged = {
    ...chargedAs(item, device, referenceDataOf),
    tenureStartDate: rental.terms.start,
    grid: gridFactors(rental.country, referenceDataOf(rental.releaseId)),
  }
  const lines = productLines(charged, rentalRun)
  for (const { part, emission } of lines) carried.get(item.product.serialNumber)![part] += emission
  return { item: charged, lines }
}

/**
 * Divides a transport or packaging line among the devices that the order was sent with. The line is reduced to the sum
 * of their shares: devices that were cancelled before dispatch get no share.
 */
function dividerOf(
  sent: readonly ResolvedItem[],
  facts: OrderInputs,
  devices: ReadonlyMap<string, RunDevice>,
  carried: Carried,
): (line: EmissionLine) => EmissionLine {
  const products = sent.flatMap((one) => (one.type === 'product' ? [one.product] : []))
  if (products.length === 0) {
    return (line) => (isTakenBack(facts.posted, facts) ? { ...line, emission: 0n } : line)
  }
  const weights = toIntegerWeights(products.map(({ weightKg }) => weightKg))
  const bearers = products.map(({ serialNumber }) => ({
    carries: carried.get(serialNumber)!,
    isTakenBack: isTakenBack(devices.get(serialNumber)!.facts.posted, facts),
  }))
  return (line) => {
    let left = 0n
    for (const [at, share] of allocate(line.emission, weights).entries()) {
      if (bearers[at]!.isTakenBack) continue
      bearers[at]!.carries[line.part] += share
      left += share
    }
    return { ...line, emission: left }
  }
}

/** True if the last state recorded is a cancellation before dispatch. */
function isTakenBack(posted: OrderInputs['posted'], { undispatched }: OrderInputs): boolean {
  const last = latestOf(posted)
  if (last === null) return false
  const { reason, eventId } = inForceAfter(last)
  return isCancellation(reason) && eventId !== null && undispatched.has(eventId)
}
