// What the documentation shows of the example order: what the service answers to it, computed as any order is.
import { resolveOrder } from '../engine/resolve.ts'
import type { ReferenceData } from '../engine/figures/factor-book.ts'
import { postingOfNew } from './orders/post-order.ts'
import { EXAMPLE_ORDER } from './wire/example-order.ts'
import { toOrder } from './wire/read-order.ts'
import { renderOrder } from './wire/render.ts'
import { renderLedger } from './wire/render-ledger.ts'

/** What is answered to the example, computed as any order is; empty where a book of its own lacks its names. */
export function exampleAnswers(book: ReferenceData) {
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
    ledger: JSON.parse([...renderLedger('C02XL0AAJGH5', [{ order, share: entries[0]!, parts }])].join('')) as unknown,
  }
}
