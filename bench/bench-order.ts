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

export function orderRequest(names: OrderNames, apiKey: string): RequestPlan {
  return { method: 'POST', path: ORDERS_PATH, headers: { 'X-API-Key': apiKey }, body: orderBody(names) }
}

export function deviceRequest(apiKey: string): RequestPlan {
  return { method: 'GET', path: `/api/device-emissions/${SERIAL_NUMBER}`, headers: { 'X-API-Key': apiKey }, body: '' }
}
