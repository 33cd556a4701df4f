// Between the order on the wire and the order in the database: the same content, both ways.
import { hash } from 'node:crypto'
import type { OrderFootprint } from '../../engine/estimate.ts'
import type { OrderKey } from '../../engine/device-timeline.ts'
import type { Milligrams } from '../../engine/numbers/emission.ts'
import { matchesOf } from '../../engine/resolve-order.ts'
import type { NewOrder, ImportOrigin } from '../../postgres/orders/order-record.ts'
import type { WireItem, WireOrder } from './order-schema.ts'
import { decodeItem, encodeItem, type StoredItem } from './stored-item.ts'

/** What is stored of an order: its content in canonical JSON, and its lines as they are answered. */
export function encodeOrder(
  wire: WireOrder,
  footprint: OrderFootprint,
  releaseId: number,
  origin?: ImportOrigin,
): NewOrder {
  const { bases, found } = matchesOf(footprint.items.map(({ item }) => item))
  const emissions: Milligrams[] = []
  for (const { lines } of footprint.items) for (const { emission } of lines) emissions.push(emission)
  return {
    customerId: wire.customer_id,
    orderId: wire.order_id,
    orderDate: wire.order_date,
    tenureStartDate: wire.tenure_start_date,
    country: wire.country ?? null,
    metadata: wire.metadata ? JSON.stringify(wire.metadata) : null,
    items: JSON.stringify((wire.items ?? []).map(({ config }) => encodeItem(config))),
    releaseId,
    bases,
    found,
    lines: emissions,
    origin,
  }
}

/** The order as it was sent, in canonical form. */
export function decodeOrder(stored: NewOrder): WireOrder {
  return {
    customer_id: stored.customerId,
    order_id: stored.orderId,
    order_date: stored.orderDate,
    tenure_start_date: stored.tenureStartDate,
    ...(stored.country !== null && { country: stored.country }),
    ...(stored.metadata !== null && { metadata: JSON.parse(stored.metadata) as Record<string, string> }),
    items: (JSON.parse(stored.items) as StoredItem[])
      .map(decodeItem)
      .map((config) => ({ type: typeOf(config), config }) as WireItem),
  }
}

const CONTENT = ['orderDate', 'tenureStartDate', 'country', 'metadata', 'items'] as const satisfies (keyof NewOrder)[]

/**
 * True for two orders of one identity that have the same content to the letter: as nearly every repetition has, which
 * then need not be read to be compared. Where it is false, they may be the same nonetheless.
 */
export const haveSameText = (one: NewOrder, other: NewOrder): boolean =>
  CONTENT.every((member) => one[member] === other[member])

/** A config tells its own type by the id that it bears, so the type need not be stored. */
function typeOf(config: WireItem['config']): WireItem['type'] {
  if ('product_id' in config) return 'product'
  return 'transportation_id' in config ? 'transportation' : 'packaging'
}

export const orderKeyOf = ({ customer_id, order_id }: WireOrder): OrderKey => ({
  customerId: customer_id,
  orderId: order_id,
})

/** The service's own name of a device: the same for one account and serial number, always and in every process. */
export const deviceId = (accountId: number, serialNumber: string): string =>
  `dev_${hash('sha256', `${accountId}\0${serialNumber}`).slice(0, 32)}`
