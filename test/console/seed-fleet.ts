// A small fleet for the console's tests, posted through the API as any client would: rentals, events, guesses.
import assert from 'node:assert/strict'
import type { ConsoleServer } from './browser.ts'

type Json = Readonly<Record<string, unknown>>
type Server = Pick<ConsoleServer, 'url' | 'key'>

/** A serial number that would do something, if it were ever taken for markup or for a path. */
export const HOSTILE = `<img src=x onerror=alert(1)> 100%41/ü`

async function send({ url, key }: Server, path: string, body: Json, method = 'POST'): Promise<void> {
  const headers = { 'x-api-key': key, 'content-type': 'application/json' }
  const answer = await fetch(url + path, { method, headers, body: JSON.stringify(body) })
  assert.equal(answer.status, 200, await answer.text())
}

export interface Rental {
  readonly customer: string
  readonly order: string
  readonly start: string
  readonly serials: readonly string[]
  readonly months?: number
  /** What each product says of itself. */
  readonly product?: Json
}

const LAPTOP = { product_id: 'apple-macbook-air-13-m3-256gb', weight_kg: 1.24 }

/** Posts an order with a transport and a packaging. */
export const rent = (server: Server, { customer, order, start, serials, months = 12, product = LAPTOP }: Rental) =>
  send(server, '/api/customer-orders', {
    customer_id: customer,
    order_id: order,
    order_date: start,
    tenure_start_date: start,
    items: [
      ...serials.map((serial) => ({
        type: 'product',
        config: { serial_number: serial, tenure_months: months, weight_kg: 1.5, ...product },
      })),
      {
        type: 'transportation',
        config: { transportation_id: 'road-van-diesel', transportation_mode: 'road', distance_km: 100, weight_kg: 1.5 },
      },
      { type: 'packaging', config: { packaging_id: 'corrugated-board-recycled', weight_kg: 0.26 } },
    ],
  })

const tellOrder = (server: Server, customer: string, order: string, event: Json) =>
  send(server, `/api/customer-orders/${encodeURIComponent(customer)}/${encodeURIComponent(order)}/events`, event)
const tellDevice = (server: Server, serial: string, event: Json) =>
  send(server, `/api/devices/${encodeURIComponent(serial)}/events`, event)

/** One laptop with three lives, one that was lost, one with a name that is markup, and enough others for two pages. */
export async function seedFleet(server: Server): Promise<void> {
  const serials = ['C02XL0AAJGH5', 'C02XL0LOST01']
  await rent(server, { customer: 'Northwind GmbH', order: 'NW-2023-001', start: '2023-01-16', serials })
  await tellOrder(server, 'Northwind GmbH', 'NW-2023-001', {
    event_id: 'return-1',
    type: 'returned',
    date: '2023-11-16',
    serial_number: 'C02XL0AAJGH5',
  })
  await tellDevice(server, 'C02XL0LOST01', { event_id: 'loss-1', type: 'lost', date: '2024-03-01' })
  await tellDevice(server, 'C02XL0AAJGH5', {
    event_id: 'refurbishment-1',
    type: 'refurbished',
    date: '2024-01-10',
    emission_kg: 8.25,
    lifetime_months_added: 12,
  })
  const second = { customer: 'Acme & Sons', order: 'A-77', start: '2024-03-01', serials: ['C02XL0AAJGH5'] }
  await rent(server, { ...second, months: 18 })
  await rent(server, { ...second, customer: 'Blue Ocean', order: 'BO-5', start: '2026-02-01', months: 24 })
  await rent(server, { ...second, customer: '<b>Bold</b>', order: '"><script>alert(1)</script>', serials: [HOSTILE] })
  const many = Array.from({ length: 27 }, (_, at) => `PHONE-${String(at + 1).padStart(3, '0')}`)
  const phone = { product_id: 'apple-iphone-15-128gb', weight_kg: 0.17 }
  await rent(server, {
    customer: 'Northwind GmbH',
    order: 'NW-2025-9',
    start: '2025-05-01',
    serials: many,
    product: phone,
  })
}

/** Product ids that have to be guessed: by a name, by a name of another variant, by a type, by nothing but a weight. */
export async function seedGuesses(server: Server): Promise<void> {
  const products: readonly Json[] = [
    { product_id: 'LAP-7', product_name: 'Apple MacBook Air 13 M3 256GB', brand: 'Apple', device_type: 'laptop' },
    { product_id: 'iphone 15' },
    { product_id: 'GRV-77', product_name: 'Laptop 7th series', device_type: 'laptop' },
    {
      product_id: '<img src=x onerror=alert(1)>',
      product_name: '<b>Bold</b>',
      brand: '"><script>',
      device_type: 'monitor',
    },
    ...Array.from({ length: 9 }, (_, at) => ({ product_id: `TAB-${at}`, device_type: 'tablet' })),
  ]
  for (const [at, product] of products.entries()) {
    const serials = [`G-${at}-1`, `G-${at}-2`]
    await rent(server, { customer: 'Northwind GmbH', order: `guess-${at}`, start: '2025-01-01', serials, product })
  }
}
