// The order that is measured: one product, one transport, one packaging, with new numbers in every request.
import { NUMBER_MARK, type RequestPlan } from './load-plan.ts'

/** Names that the server under test must know. */
export interface OrderNames {
  readonly productId: string
  readonly transportationId: string
  readonly transportationMode: string
  readonly packagingId: string
}

export const ORDERS_PATH = '/api/customer-orders'
const SERIAL_NUMBER = `BENCH-SN-${NUMBER_MARK}`

export function orderBody({ productId, transportationId, transportationMode, packagingId }: OrderNames): string {
  const shipped = { transportation_mode: transportationMode, distance_km: 100, weight_kg: 1.5 }
  return JSON.stringify({
    customer_id: 'bench-customer',
    order_id: `bench-order-${NUMBER_MARK}`,
    order_date: '2024-12-12',
    tenure_start_date: '2025-01-01',
    items: [
      {
        type: 'product',
        config: { product_id: productId, serial_number: SERIAL_NUMBER, tenure_months: 3, weight_kg: 1.24 },
      },
      { type: 'transportation', config: { transportation_id: transportationId, ...shipped } },
      { type: 'packaging', config: { packaging_id: packagingId, weight_kg: 1.775 } },
    ],
  })
}

const LARGE_DEVICES = 500
const LARGE_LEGS = 499

/** The largest order there may be: devices, the legs that each of them shares in, and a packaging. */
export function largeOrderBody(names: OrderNames): string {
  const order = JSON.parse(orderBody(names).replaceAll(NUMBER_MARK, 'large')) as { items: readonly LargeItem[] }
  const [product, leg, packaging] = order.items as readonly [LargeItem, LargeItem, LargeItem]
  const numbered = (n: number): LargeItem => ({
    ...product,
    config: { ...product.config, serial_number: `BENCH-LARGE-${n}` },
  })
  const devices = Array.from({ length: LARGE_DEVICES }, (_, n) => numbered(n))
  return JSON.stringify({ ...order, items: [...devices, ...Array<LargeItem>(LARGE_LEGS).fill(leg), packaging] })
}

interface LargeItem {
  readonly config: object
}

export function orderRequest(names: OrderNames, apiKey: string): RequestPlan {
  return { method: 'POST', path: ORDERS_PATH, headers: { 'X-API-Key': apiKey }, body: orderBody(names) }
}

export function deviceRequest(apiKey: string): RequestPlan {
  return { method: 'GET', path: `/api/device-emissions/${SERIAL_NUMBER}`, headers: { 'X-API-Key': apiKey }, body: '' }
}

/** The return of a measured order, in the middle of its tenure. */
export function returnRequest(apiKey: string): RequestPlan {
  const event = { event_id: `bench-return-${NUMBER_MARK}`, type: 'returned', date: '2025-02-16' }
  return {
    method: 'POST',
    path: `${ORDERS_PATH}/bench-customer/bench-order-${NUMBER_MARK}/events`,
    headers: { 'X-API-Key': apiKey },
    body: JSON.stringify(event),
  }
}
