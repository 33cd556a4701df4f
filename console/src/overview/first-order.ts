// An order to begin with: a laptop that is rented for a year, with its way to the customer and its box.
import { today } from './time.ts'

/** @param origin where the service is, like http://127.0.0.1:8080 */
export function firstOrderCommand(origin: string): string {
  const order = {
    order_id: 'first-order',
    customer_id: 'customer-1',
    order_date: today(),
    tenure_start_date: today(),
    items: [
      {
        type: 'product',
        config: {
          product_id: 'apple-macbook-air-13-m3-256gb',
          serial_number: 'C02XL0AAJGH5',
          tenure_months: 12,
          weight_kg: 1.24,
          country: 'DE',
        },
      },
      {
        type: 'transportation',
        config: {
          transportation_id: 'road-van-diesel',
          transportation_mode: 'road',
          distance_km: 100,
          weight_kg: 1.5,
        },
      },
      { type: 'packaging', config: { packaging_id: 'corrugated-board-recycled', weight_kg: 0.26 } },
    ],
  }
  return (
    `curl -s ${origin}/api/customer-orders -H "X-API-Key: $KEY" \\\n` +
    `  -H 'Content-Type: application/json' -d '${JSON.stringify(order)}'`
  )
}
