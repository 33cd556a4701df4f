// The statement that the documentation shows: that of the example order's customer, as the service makes it.
import { createPrivateKey } from 'node:crypto'
import type { ReferenceData } from '../../engine/reference/reference-data.ts'
import { resolveOrder } from '../../engine/resolve-order.ts'
import { runToCompletion } from '../../engine/numbers/steps.ts'
import { buildStatement } from '../../statement/compose-statement.ts'
import { signStatement, signingKeyOf } from '../../statement/seal-statement.ts'
import { EXAMPLE_ORDER } from '../wire/example-order.ts'
import { postingOfNewOrder } from '../../ledger/record-order.ts'
import { toEngineOrder } from '../wire/read-order.ts'
import { collectStatementData } from './statement-maker.ts'

const RECEIVED_AT = new Date('2024-12-12T09:30:00.000Z')
const MADE_AT = new Date('2026-01-15T10:00:00.000Z')
/** Published with this text: it signs nothing else. RFC 8410 begins every such key so. */
const EXAMPLE_KEY = createPrivateKey({
  key: Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), Buffer.alloc(32, 7)]),
  format: 'der',
  type: 'pkcs8',
})

/** Empty where a book of its own lacks the example's names. */
export function exampleStatement(book: ReferenceData, version: string) {
  const key = { ...signingKeyOf(EXAMPLE_KEY), created_at: RECEIVED_AT.toISOString() }
  const resolved = resolveOrder(toEngineOrder(EXAMPLE_ORDER), book)
  if (!resolved.ok) return { statement: {}, key }
  const ordered = { wire: EXAMPLE_ORDER, items: resolved.items, releaseId: 1, isCapped: true }
  const { order, devices, entries } = postingOfNewOrder(ordered)
  const stored = entries.map((entry) => ({ ...entry, postedAt: RECEIVED_AT, eventContent: null }))
  const file = {
    readAt: MADE_AT,
    orders: [{ ...order, createdAt: RECEIVED_AT, status: 'created' as const }],
    journals: new Map(devices.map((device) => [device.serialNumber, { device, entries: stored }] as const)),
    entries: [],
  }
  const request = {
    accountId: 1,
    account: 'demo',
    customerId: order.customerId,
    year: 2025,
    approach: 'operational',
    version,
    at: MADE_AT,
    knownAt: MADE_AT,
  } as const
  const content = runToCompletion(buildStatement(runToCompletion(collectStatementData(file, () => book, request))))
  return { statement: runToCompletion(signStatement(content, EXAMPLE_KEY)).statement as unknown, key }
}
