// The estimate that the documentation shows: that of the example order, beside what might be done otherwise.
import { matchesOf, resolveOrder, resolveStored } from '../../engine/resolve-order.ts'
import type { ReferenceData } from '../../engine/reference/reference-data.ts'
import { postingOfNewOrder } from '../../ledger/record-order.ts'
import { EXAMPLE_ORDER } from '../wire/example-order.ts'
import { toEngineOrder } from '../wire/read-order.ts'
import { readAlternatives } from './alternatives.ts'
import { estimateOrder } from '../../ledger/estimate-order.ts'
import { renderEstimate } from './render-estimate.ts'

/** What might be done otherwise: another tenure, another way, a refurbished device. */
const EXAMPLE_ALTERNATIVES = [
  { name: 'twelve months', changes: { tenure_months: 12 } },
  { name: 'by rail', changes: { transportation: { from: 'road', to: 'rail-freight' } } },
  { name: 'refurbished', changes: { refurbished: { emission_kg: 8, lifetime_months_added: 24 } } },
]

/** An estimate of the example order with alternatives; empty where a book of its own lacks its names. */
export function exampleEstimate(book: ReferenceData) {
  const asked = { ...EXAMPLE_ORDER, alternatives: EXAMPLE_ALTERNATIVES }
  const sent = toEngineOrder(EXAMPLE_ORDER)
  const resolved = resolveOrder(sent, book)
  const read = readAlternatives(sent, EXAMPLE_ALTERNATIVES, book)
  if (!resolved.ok || !read.ok) return { asked, answer: {} }
  const ordered = { wire: EXAMPLE_ORDER, items: resolved.items, releaseId: 1, isCapped: true }
  const { order: posted, footprint } = postingOfNewOrder(ordered)
  const findings = matchesOf(resolved.items)
  const alternatives = read.alternatives.map(({ name, order, refurbished }) => {
    const items = resolveStored(order, findings, book)
    return { name, footprint: estimateOrder({ ...ordered, items }, new Map(), refurbished) }
  })
  const order = { ...posted, createdAt: new Date('2024-12-12T09:30:00.000Z'), status: 'created' as const }
  const text = renderEstimate({ accountId: 1, order, items: footprint.items, book }, alternatives, new Set())
  return { asked, answer: JSON.parse(text) as unknown }
}
