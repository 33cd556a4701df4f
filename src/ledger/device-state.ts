// The orders of a device in its ledger: the emissions posted for each, and the descriptions of their parts.
import { isInOrder, type EmissionsByPart, type PostedRental } from '../engine/ledger-history.ts'
import { compareCodePoints, orderKey, type DeviceTimeline, type AllocatedRental } from '../engine/device-timeline.ts'
import { describeSharedLine, productLines, type LineDescription } from '../engine/estimate.ts'
import type { ReferenceDataOf } from '../engine/reference/reference-data.ts'
import { PARTS } from '../engine/numbers/emission.ts'
import type { Packaging, Product, Transportation } from '../engine/order.ts'
import { sentIdOf } from '../engine/order-revision.ts'
import { ONE } from '../engine/numbers/rational.ts'
import { sortInSteps } from '../engine/numbers/sort-in-steps.ts'
import type { Resumable } from '../engine/numbers/steps.ts'
import { gridFactors, resolveStored, type ResolvedProduct } from '../engine/resolve-order.ts'
import type { StoredFootprint, StoredOrder } from './records.ts'
import { toEngineOrder } from '../contract/parse-order.ts'
import { decodeOrder, figuresOf, type DeviceState } from './codec.ts'
import { sentKeyOf } from './naming-order.ts'

/** One order in a device's ledger. */
export interface DeviceOrder {
  readonly order: Pick<StoredOrder, 'orderId' | 'customerId' | 'orderDate' | 'tenureStartDate'>
  readonly share: EmissionsByPart
  readonly parts: readonly LineDescription[]
}

/** Sorted by tenure start, then order id, as the ledger is computed; including what remains of cancelled orders. */
export function* ordersOfDevice(
  serialNumber: string,
  device: DeviceState,
  run: DeviceTimeline,
  orders: ReadonlyMap<string, StoredOrder>,
  referenceDataOf: ReferenceDataOf,
): Resumable<readonly DeviceOrder[]> {
  const listed: DeviceOrder[] = []
  const latest = new Map<string, PostedRental>()
  for (const rental of device.history.rentals.values()) {
    if (isInOrder(rental)) latest.set(orderKey(sentKeyOf(rental)), rental)
    yield
  }
  for (const step of run.steps) {
    if (!('run' in step)) continue
    const rental = device.history.rentals.get(orderKey(step.order))!
    if (!isInOrder(rental)) continue
    // An order that was undone and sent again is listed once, with its last revision.
    if (latest.get(orderKey(sentKeyOf(rental))) !== rental) continue
    const order = orders.get(orderKey(step.order))!
    const parts = describeParts(serialNumber, order, rental, step.run, device, referenceDataOf)
    listed.push({ order, share: rental.posted, parts })
    yield
  }
  return yield* sortInSteps(listed, (a, b) => compareOrders(a.order, b.order))
}

/** By the order's own tenure start, which is earlier than the device's if the device came in by a swap. */
const compareOrders = (a: DeviceOrder['order'], b: DeviceOrder['order']): number =>
  compareCodePoints(a.tenureStartDate, b.tenureStartDate) ||
  compareCodePoints(sentIdOf(a.orderId), sentIdOf(b.orderId)) ||
  compareCodePoints(a.customerId, b.customerId)

/**
 * Recomputes only the device's own lines. For transportation and packaging, each kind is described once: an order may
 * have a thousand items, and a device many orders.
 */
function describeParts(
  serialNumber: string,
  order: StoredOrder,
  rental: PostedRental,
  run: AllocatedRental,
  device: DeviceState,
  referenceDataOf: ReferenceDataOf,
): readonly LineDescription[] {
  const own = productLines(deviceHolding(serialNumber, rental, device, referenceDataOf), run)
  const sent = toEngineOrder(decodeOrder(order))
  // A device that came in by a swap has no share of the delivery of the original device.
  const isSent = sent.items.some((item) => item.type === 'product' && item.serialNumber === serialNumber)
  const shared = new Map(sent.items.flatMap((item) => (item.type === 'product' ? [] : [[sharedId(item), item]])))
  const items = isSent ? [...shared.values()] : []
  const lines = resolveStored({ ...sent, items }, NO_PRODUCTS, referenceDataOf(order.releaseId)).flatMap((item) =>
    item.type === 'product' ? [] : [describeSharedLine(item)],
  )
  return PARTS.flatMap((part) => describePart([...own, ...lines].filter((line) => line.part === part)))
}

const NO_PRODUCTS = { footprintIds: [], matchMethods: [] }

const sharedId = (item: Transportation | Packaging): string =>
  item.type === 'transportation' ? item.transportationId : `packaging:${item.packagingId}`

/** The device as if it had always been charged by one of its footprints. */
export const chargedBy = (
  device: DeviceState,
  footprint: StoredFootprint,
  referenceDataOf: ReferenceDataOf,
): DeviceState => ({
  ...device,
  device: { ...device.device, ...footprint },
  figures: figuresOf(footprint, referenceDataOf),
  referenceData: referenceDataOf(footprint.releaseId),
})

/** The device as a product of an order. The description of its lines depends on the device only. */
export function deviceHolding(
  serialNumber: string,
  rental: PostedRental,
  device: DeviceState,
  referenceDataOf: ReferenceDataOf,
): ResolvedProduct {
  const { footprintId } = device.device
  return {
    type: 'product',
    product: { ...NOBODYS, serialNumber },
    tenureStartDate: rental.terms.start,
    ownFootprintId: footprintId,
    footprintId,
    matchMethod: 'model_id',
    footprint: device.figures.footprint,
    footprintData: device.referenceData,
    grid: gridFactors(rental.country, referenceDataOf(rental.releaseId)),
    country: rental.country,
  }
}

const NOBODYS: Product = {
  type: 'product',
  productId: '',
  serialNumber: '',
  tenureMonths: 0,
  weightKg: ONE,
  deviceType: null,
  modelId: null,
  productName: null,
  brand: null,
  country: null,
}

/** A part with several lines has the lowest quality among them. */
function describePart(lines: readonly LineDescription[]): readonly LineDescription[] {
  const [line] = lines
  if (!line) return []
  const type = lines.some((one) => one.type === 'indicative') ? 'indicative' : line.type
  return [{ part: line.part, description: line.description, type }]
}
