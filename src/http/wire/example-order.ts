// The order of the documentation: of the shipped catalogue, with all three types of item.
import type { WireOrder } from './order-schema.ts'

/** The order that the README, the start message and the OpenAPI document show. */
export const EXAMPLE_ORDER: WireOrder = {
  customer_id: 'customer-17',
  order_id: 'order-2024-1212',
  order_date: '2024-12-12',
  tenure_start_date: '2025-01-01',
  items: [
    {
      type: 'product',
      config: {
        product_id: 'apple-macbook-air-13-m3-256gb',
        serial_number: 'C02XL0AAJGH5',
        tenure_months: 3,
        weight_kg: 1.24,
      },
    },
    {
      type: 'transportation',
      config: { transportation_id: 'road-van-diesel', transportation_mode: 'road', distance_km: 100, weight_kg: 1.5 },
    },
    { type: 'packaging', config: { packaging_id: 'corrugated-board-recycled', weight_kg: 0.26 } },
  ],
}
