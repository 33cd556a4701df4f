// What the documentation shows of the example order: what the service answers to it, computed as any order is.
import { resolveOrder } from '../engine/resolve-order.ts'
import type { ReferenceData } from '../engine/reference/reference-data.ts'
import { postingOfNewOrder } from '../ledger/record-order.ts'
import { EXAMPLE_ORDER } from './wire/example-order.ts'
import { toEngineOrder } from './wire/read-order.ts'
import { orderView } from './wire/render.ts'
import { deviceLedgerView } from './wire/render-ledger.ts'

/** What is answered to the example, computed as any order is; empty where a book of its own lacks its names. */
export function exampleAnswers(book: ReferenceData) {
  const resolved = resolveOrder(toEngineOrder(EXAMPLE_ORDER), book)
  if (!resolved.ok) return { order: EXAMPLE_ORDER, answer: {}, state: {}, ledger: {} }
  const ordered = { wire: EXAMPLE_ORDER, items: resolved.items, releaseId: 1, isCapped: true }
  const { order: posted, footprint, entries } = postingOfNewOrder(ordered)
  const order = { ...posted, createdAt: new Date('2024-12-12T09:30:00.000Z'), status: 'created' as const }
  const answered = orderView({ accountId: 1, order, items: footprint.items, book }, new Set())
  const parts = footprint.items.flatMap(({ lines }) => lines)
  return {
    order: EXAMPLE_ORDER,
    answer: JSON.parse(answered) as unknown,
    state: JSON.parse(answered) as unknown,
    ledger: JSON.parse(
      [...deviceLedgerView('C02XL0AAJGH5', [{ order, share: entries[0]!, parts }])].join(''),
    ) as unknown,
  }
}
