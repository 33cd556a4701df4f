// The receipt that the documentation shows: that of the example order, as the service makes it.
import type { ReferenceData } from '../../engine/reference/reference-data.ts'
import { resolveOrder } from '../../engine/resolve-order.ts'
import { runToCompletion } from '../../engine/numbers/steps.ts'
import { EXAMPLE_ORDER } from '../wire/example-order.ts'
import { postingOfNewOrder } from '../../ledger/record-order.ts'
import { toEngineOrder } from '../wire/read-order.ts'
import { canonicalise } from '../../receipts/json-tree.ts'
import { buildReceiptFor } from '../../ledger/make-receipt.ts'

const RECEIVED_AT = new Date('2024-12-12T09:30:00.000Z')
const MADE_AT = new Date('2025-01-31T10:00:00.000Z')

/** Empty where a book of its own lacks the example's names. */
export function exampleReceipt(book: ReferenceData, version: string): unknown {
  const resolved = resolveOrder(toEngineOrder(EXAMPLE_ORDER), book)
  if (!resolved.ok) return {}
  const { order, devices, entries } = postingOfNewOrder({
    wire: EXAMPLE_ORDER,
    items: resolved.items,
    releaseId: 1,
    isCapped: true,
  })
  const stored = entries.map((entry) => ({ ...entry, postedAt: RECEIVED_AT, eventContent: null }))
  const journals = devices.map((device) => [device.serialNumber, { device, entries: stored }] as const)
  const file = {
    order: { ...order, createdAt: RECEIVED_AT, status: 'created' as const },
    events: [],
    journals: new Map(journals),
    entries: [],
  }
  const request = { accountId: 1, version, at: MADE_AT, knownAt: null }
  return JSON.parse(canonicalise(runToCompletion(buildReceiptFor(file, () => book, request)).tree)) as unknown
}
