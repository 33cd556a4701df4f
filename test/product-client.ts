// A client of an account's products: it says what they are, orders them, and lists those that were guessed.
import assert from 'node:assert/strict'
import type { Json } from './document-check.ts'
import type { Answer } from './raw-http.ts'
import type { AskedService } from './asked-service.ts'

export const PRODUCTS = '/api/products'

export interface ProductClient {
  readonly send: (method: string, path: string, body?: unknown) => Promise<Answer>
  readonly put: (productId: string, body: Json) => Promise<Json>
  /** The list, of which nothing is left out. */
  readonly list: (query?: string) => Promise<readonly Json[]>
  /** Orders one device, and says by what model or stand-in it is charged. */
  readonly order: (orderId: string, config: Json) => Promise<Ordered>
}

export interface Ordered {
  readonly total: number
  readonly description: string
  readonly notes: readonly string[]
}

export const productPath = (productId: string): string => `${PRODUCTS}/${encodeURIComponent(productId)}`

export function createProductClient(service: AskedService, key = service.key): ProductClient {
  const send: ProductClient['send'] = (method, path, body) =>
    service.ask(path, {
      method,
      headers: { 'x-api-key': key, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  const sound = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const { status, text } = await send(method, path, body)
    assert.equal(status, 200, text.slice(0, 500))
    return JSON.parse(text) as unknown
  }
  return {
    send,
    put: async (productId, body) => (await sound('PUT', productPath(productId), body)) as Json,
    list: async (query = '') => (await sound('GET', PRODUCTS + query)) as readonly Json[],
    order: async (orderId, config) =>
      orderedOf(await sound('POST', '/api/customer-orders?include=calculation', orderOf(orderId, config))),
  }
}

/** The serial number is the order's id, so that each order has a device of its own. */
const orderOf = (orderId: string, config: Json): Json => ({
  customer_id: 'acme',
  order_id: orderId,
  order_date: '2025-01-10',
  tenure_start_date: '2025-02-01',
  items: [{ type: 'product', config: { serial_number: orderId, tenure_months: 12, weight_kg: 1.24, ...config } }],
})

function orderedOf(answer: unknown): Ordered {
  const { items, total_emission: total } = answer as { items: [{ emission_breakdown: Lines }]; total_emission: number }
  const { description, calculation } = items[0].emission_breakdown.product_embodied_emission
  return { total, description, notes: calculation.notes }
}

interface Lines {
  readonly product_embodied_emission: {
    readonly description: string
    readonly calculation: { readonly notes: string[] }
  }
}
