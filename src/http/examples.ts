// The example of the documentation: an order of the shipped catalogue, and what the service answers to it.
import { foundIn, resolveOrder, resolveStored } from '../engine/resolve.ts'
import type { FactorBook } from '../engine/factor-book.ts'
import { readAlternatives } from './alternatives.ts'
import { estimateOrder } from './estimate-order.ts'
import { postingOfNew } from './post-order.ts'
import { toOrder } from './read-order.ts'
import type { WireOrder } from './order-schema.ts'
import { renderOrder } from './render.ts'
import { renderEstimate } from './render-estimate.ts'
import { renderLedger } from './render-ledger.ts'

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

/** What might be done otherwise: another tenure, another way, a refurbished device. */
const EXAMPLE_ALTERNATIVES = [
  { name: 'twelve months', changes: { tenure_months: 12 } },
  { name: 'by rail', changes: { transportation: { from: 'road', to: 'rail-freight' } } },
  { name: 'refurbished', changes: { refurbished: { emission_kg: 8, lifetime_months_added: 24 } } },
]

/** An estimate of the example order with alternatives; empty where a book of its own lacks its names. */
export function exampleEstimate(book: FactorBook) {
  const asked = { ...EXAMPLE_ORDER, alternatives: EXAMPLE_ALTERNATIVES }
  const sent = toOrder(EXAMPLE_ORDER)
  const resolved = resolveOrder(sent, book)
  const read = readAlternatives(sent, EXAMPLE_ALTERNATIVES, book)
  if (!resolved.ok || !read.ok) return { asked, answer: {} }
  const ordered = { wire: EXAMPLE_ORDER, items: resolved.items, releaseId: 1, isCapped: true }
  const { order: posted, footprint } = postingOfNew(ordered)
  const findings = foundIn(resolved.items)
  const alternatives = read.alternatives.map(({ name, order, refurbished }) => {
    const items = resolveStored(order, findings, book)
    return { name, footprint: estimateOrder({ ...ordered, items }, new Map(), refurbished) }
  })
  const order = { ...posted, createdAt: new Date('2024-12-12T09:30:00.000Z'), status: 'created' as const }
  const text = renderEstimate({ accountId: 1, order, items: footprint.items, book }, alternatives, new Set())
  return { asked, answer: JSON.parse(text) as unknown }
}

/** What is answered to the example, computed as any order is; empty where a book of its own lacks its names. */
export function exampleAnswers(book: FactorBook) {
  const resolved = resolveOrder(toOrder(EXAMPLE_ORDER), book)
  if (!resolved.ok) return { order: EXAMPLE_ORDER, answer: {}, state: {}, ledger: {} }
  const ordered = { wire: EXAMPLE_ORDER, items: resolved.items, releaseId: 1, isCapped: true }
  const { order: posted, footprint, entries } = postingOfNew(ordered)
  const order = { ...posted, createdAt: new Date('2024-12-12T09:30:00.000Z'), status: 'created' as const }
  const answered = renderOrder({ accountId: 1, order, items: footprint.items, book }, new Set())
  const parts = footprint.items.flatMap(({ lines }) => lines)
  return {
    order: EXAMPLE_ORDER,
    answer: JSON.parse(answered) as unknown,
    state: JSON.parse(answered) as unknown,
    ledger: JSON.parse(renderLedger('C02XL0AAJGH5', [{ order, share: entries[0]!, parts }])) as unknown,
  }
}
