// Between the order on the wire and the order in the database: the same content, both ways.
import { hash } from 'node:crypto'
import {
  estimateItem,
  type DeviceShare,
  type EstimatedItem,
  type Line,
  type OrderFootprint,
} from '../engine/estimate.ts'
import type { FactorBook } from '../engine/factor-book.ts'
import { PARTS, sum, type Milligrams, type Part } from '../engine/line.ts'
import type { Packaging, Transportation } from '../engine/order.ts'
import { basesOfProducts, resolveStored } from '../engine/resolve.ts'
import type { StoredOrder } from '../postgres/order-record.ts'
import type { WireItem, WireOrder } from './order-schema.ts'
import { toOrder } from './read-order.ts'

/** What is said of a part beside its emission. */
export type DescribedPart = Pick<Line, 'part' | 'description' | 'type'>

/** What is stored of an order: its content in canonical JSON, and its lines as they are answered. */
export function toStored(wire: WireOrder, footprint: OrderFootprint, releaseId: number, createdAt: Date): StoredOrder {
  return {
    customerId: wire.customer_id,
    orderId: wire.order_id,
    orderDate: wire.order_date,
    tenureStartDate: wire.tenure_start_date,
    createdAt,
    country: wire.country ?? null,
    metadata: wire.metadata ? JSON.stringify(wire.metadata) : null,
    items: JSON.stringify((wire.items ?? []).map(({ config }) => config)),
    releaseId,
    bases: basesOfProducts(footprint.items.map(({ item }) => item)),
    lines: footprint.items.flatMap(({ lines }) => lines.map(({ emission }) => emission)),
  }
}

/** The order as it was sent, in canonical form. */
export function toWire(stored: StoredOrder): WireOrder {
  return {
    customer_id: stored.customerId,
    order_id: stored.orderId,
    order_date: stored.orderDate,
    tenure_start_date: stored.tenureStartDate,
    ...(stored.country !== null && { country: stored.country }),
    ...(stored.metadata !== null && { metadata: JSON.parse(stored.metadata) as Record<string, string> }),
    items: (JSON.parse(stored.items) as WireItem['config'][]).map(
      (config) => ({ type: typeOf(config), config }) as WireItem,
    ),
  }
}

/** A config tells its own type by the id that it bears, so the type need not be stored. */
function typeOf(config: WireItem['config']): WireItem['type'] {
  if ('product_id' in config) return 'product'
  return 'transportation_id' in config ? 'transportation' : 'packaging'
}

/** The lines that were answered, with all that is said of them, from the release that the order was made with. */
export function toEstimatedItems(stored: StoredOrder, book: FactorBook): readonly EstimatedItem[] {
  const items = resolveStored(toOrder(toWire(stored)), stored.bases, book).map((item) => ({
    item,
    lines: estimateItem(item, new Map()),
  }))
  const count = items.reduce((sum, { lines }) => sum + lines.length, 0)
  // Lines are told apart by their sequence alone: one more or less would put emissions under other names.
  if (count !== stored.lines.length) {
    throw new Error(`The order "${stored.orderId}" has ${stored.lines.length} lines stored, and ${count} when computed`)
  }
  let next = 0
  return items.map(({ item, lines }) => ({
    item,
    lines: lines.map((line) => ({ ...line, emission: stored.lines[next++]! })),
  }))
}

/**
 * How the parts of an order are described in the ledger of one of its devices. Only the device's own item is estimated
 * again, and each transportation and packaging once: an order may have a thousand items, and a device many orders.
 */
export function describeParts(stored: StoredOrder, serialNumber: string, book: FactorBook): readonly DescribedPart[] {
  const order = toOrder(toWire(stored))
  const products = order.items.filter(({ type }) => type === 'product')
  const own = products.findIndex((item) => item.type === 'product' && item.serialNumber === serialNumber)
  const shared = new Map(order.items.flatMap((item) => (item.type === 'product' ? [] : [[sharedId(item), item]])))
  const items = [...products.slice(own, own + 1), ...shared.values()]
  const lines = resolveStored({ ...order, items }, stored.bases.slice(own, own + 1), book).flatMap((item) =>
    estimateItem(item, new Map()),
  )
  return PARTS.flatMap((part) => describePart(lines.filter((line) => line.part === part)))
}

const sharedId = (item: Transportation | Packaging): string =>
  item.type === 'transportation' ? item.transportationId : `packaging:${item.packagingId}`

/** A part of several lines is as good as the worst of them. */
function describePart(lines: readonly Line[]): readonly DescribedPart[] {
  const [line] = lines
  if (!line) return []
  const type = lines.some((one) => one.type === 'indicative') ? 'indicative' : line.type
  return [{ part: line.part, description: line.description, type }]
}

/** What an order posts: to each of its devices, or, where it has none, to the order alone. */
export function sharesToPost({ items, devices }: OrderFootprint): readonly DeviceShare[] {
  if (devices.length > 0 || items.length === 0) return devices
  const lines = items.flatMap((item) => item.lines)
  const of = (part: Part): Milligrams => sum(lines.filter((line) => line.part === part).map(({ emission }) => emission))
  return [
    {
      serialNumber: '',
      product_embodied_emission: 0n,
      product_use: 0n,
      packaging: of('packaging'),
      transportation: of('transportation'),
    },
  ]
}

/** The service's own name of a device: the same for one account and serial number, always and in every process. */
export const deviceId = (accountId: number, serialNumber: string): string =>
  `dev_${hash('sha256', `${accountId}\0${serialNumber}`).slice(0, 32)}`
