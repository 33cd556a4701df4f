// A client of the orders: it sends them, tells what happens to them, and lists them page by page.
import assert from 'node:assert/strict'
import type { Json } from './document-check.ts'
import type { Answer } from './raw-http.ts'
import type { AskedService } from './asked-service.ts'

export const ORDERS = '/api/customer-orders'

export interface OrderClient {
  readonly ask: (path: string) => Promise<Answer>
  readonly post: (order: Json) => Promise<void>
  readonly tell: (customer: string, id: string, event: Json) => Promise<void>
  readonly tellDevice: (serial: string, event: Json) => Promise<void>
  readonly list: (query: string) => Promise<ListedPage>
  /** The keys of a page, as keyOf writes them. */
  readonly keys: (query: string) => Promise<readonly string[]>
  /** @param between is called after each page */
  readonly visitPages: (query: string, between?: () => Promise<void>) => Promise<readonly Json[]>
  /** What is wrong with a query that has to be refused. */
  readonly problemsOf: (query: string) => Promise<readonly Json[]>
}

interface ListedPage {
  readonly orders: readonly Json[]
  readonly link: string | undefined
  readonly release: unknown
}

const device = (serial: string): Json => ({
  type: 'product',
  config: { product_id: 'apple-macbook-air-13-m3-256gb', serial_number: serial, tenure_months: 12, weight_kg: 1.24 },
})
const PACKAGE: Json = { type: 'packaging', config: { packaging_id: 'corrugated-board-recycled', weight_kg: 0.31 } }

export const order = (customer: string, id: string, serials: readonly string[], changes: Json = {}): Json => ({
  customer_id: customer,
  order_id: id,
  order_date: '2025-01-10',
  tenure_start_date: '2025-02-01',
  items: [...serials.map(device), PACKAGE],
  ...changes,
})

export const keyOf = (one: Json): string => `${String(one['customer_id'])}/${String(one['order_id'])}`

export const pathOf = (customer: unknown, id: unknown): string =>
  `${ORDERS}/${encodeURIComponent(String(customer))}/${encodeURIComponent(String(id))}`

export const byCodePoint = (all: readonly string[]): readonly string[] =>
  all.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))

const compareTexts = (a: unknown, b: unknown): number => Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)))

/** By order id, then customer id, by code point. */
export const compareKeys = (a: Json, b: Json): number =>
  compareTexts(a['order_id'], b['order_id']) || compareTexts(a['customer_id'], b['customer_id'])

/** Orders as a list has them. */
export const inSequence = (all: readonly Json[]): readonly Json[] => all.toSorted(compareKeys)

export function createOrderClient(service: AskedService, key = service.key): OrderClient {
  const headers = { 'x-api-key': key, 'content-type': 'application/json' }
  const ask = (path: string) => service.ask(path, { headers })
  const send = async (path: string, body: Json) => {
    const { status, text } = await service.ask(path, { method: 'POST', headers, body: JSON.stringify(body) })
    assert.equal(status, 200, text)
  }
  const list = async (query: string) => {
    const { status, headers: answered, text } = await ask(ORDERS + query)
    assert.equal(status, 200, text.slice(0, 300))
    const orders = JSON.parse(text) as readonly Json[]
    return { orders, link: answered.link as string | undefined, release: answered['dataset-release'] }
  }
  return {
    ask,
    post: (one) => send(ORDERS, one),
    tell: (customer, id, event) => send(`${pathOf(customer, id)}/events`, event),
    tellDevice: (serial, event) => send(`/api/devices/${encodeURIComponent(serial)}/events`, event),
    list,
    keys: async (query) => (await list(query)).orders.map(keyOf),
    visitPages: (query, between) => visitPages(list, query, between),
    problemsOf: async (query) => {
      const { status, text } = await ask(ORDERS + query)
      assert.equal(status, 400, `${query} ${text.slice(0, 200)}`)
      return (JSON.parse(text) as { readonly details: readonly Json[] }).details
    },
  }
}

async function visitPages(
  list: OrderClient['list'],
  query: string,
  between: () => Promise<void> = async () => {},
): Promise<readonly Json[]> {
  const visited: Json[] = []
  for (let next: string | undefined = query; next !== undefined;) {
    const { orders, link }: ListedPage = await list(next)
    assert.ok(orders.length > 0)
    visited.push(...orders)
    next = link && /^<\/api\/customer-orders(\?[^>]+)>; rel="next"$/.exec(link)?.[1]
    assert.equal(next === undefined, link === undefined)
    await between()
  }
  return visited
}

/** Emissions in milligrams: sums of them are exact. */
export const milligrams = (kilograms: unknown): bigint => BigInt(Math.round(Number(kilograms) * 1e6))
