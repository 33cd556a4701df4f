// Examples for the API documentation: an order, and the estimate, receipt, statement and passport computed from it.
import { createPrivateKey } from 'node:crypto'
import { runToCompletion } from '../../engine/numbers/steps.ts'
import type { ReferenceData } from '../../engine/reference/reference-data.ts'
import { matchesOf, resolveOrder, resolveStored } from '../../engine/resolve-order.ts'
import { estimateOrder } from '../../ledger/estimate-order.ts'
import { buildReceiptFor } from '../../ledger/make-receipt.ts'
import { postingOfNewOrder } from '../../ledger/order-posting.ts'
import { canonicalise } from '../../strict-json/exact-tree.ts'
import { jwkOf, signingKeyOf } from '../../documents/signature.ts'
import { buildStatement } from '../../statements/build-statement.ts'
import { completenessOf, orderProof } from '../../statements/completeness.ts'
import { signStatement } from '../../statements/print-statement.ts'
import { readAlternatives } from '../../contract/parse-alternatives.ts'
import { toEngineOrder } from '../../contract/parse-order.ts'
import { collectStatementData } from '../../statements/collect-data.ts'
import { signPassport } from '../../passports/passport.ts'
import { estimateView } from '../views/estimate.ts'
import { deviceLedgerView } from '../views/ledger.ts'
import { orderView } from '../views/order.ts'
import type { WireOrder } from '../../contract/order-schema.ts'

/** The example order in the README, the start message and the OpenAPI document. */
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

/** Alternatives to the example: another tenure, another transport mode, a refurbished device. */
const EXAMPLE_ALTERNATIVES = [
  { name: 'twelve months', changes: { tenure_months: 12 } },
  { name: 'by rail', changes: { transportation: { from: 'road', to: 'rail-freight' } } },
  { name: 'refurbished', changes: { refurbished: { emission_kg: 8, lifetime_months_added: 24 } } },
]

/** Estimate of the example order with alternatives; empty if custom reference data lacks the ids of the example. */
export function exampleEstimate(referenceData: ReferenceData) {
  const asked = { ...EXAMPLE_ORDER, alternatives: EXAMPLE_ALTERNATIVES }
  const sent = toEngineOrder(EXAMPLE_ORDER)
  const resolved = resolveOrder(sent, referenceData)
  const read = readAlternatives(sent, EXAMPLE_ALTERNATIVES, referenceData)
  if (!resolved.ok || !read.ok) return { asked, answer: {} }
  const ordered = { wire: EXAMPLE_ORDER, items: resolved.items, releaseId: 1, isCapped: true }
  const { order: posted, footprint } = postingOfNewOrder(ordered)
  const findings = matchesOf(resolved.items)
  const alternatives = read.alternatives.map(({ name, order, refurbished }) => {
    const items = resolveStored(order, findings, referenceData)
    return { name, footprint: estimateOrder({ ...ordered, items }, new Map(), refurbished, referenceData) }
  })
  const order = { ...posted, createdAt: new Date('2024-12-12T09:30:00.000Z'), status: 'created' as const }
  const text = estimateView({ accountId: 1, order, items: footprint.items, referenceData }, alternatives, new Set())
  return { asked, answer: JSON.parse(text) as unknown }
}

/**
 * Responses for the example order, computed like those of any order; empty if custom reference data lacks the ids of
 * the example.
 */
export function exampleAnswers(referenceData: ReferenceData) {
  const resolved = resolveOrder(toEngineOrder(EXAMPLE_ORDER), referenceData)
  if (!resolved.ok) return { order: EXAMPLE_ORDER, answer: {}, state: {}, ledger: {} }
  const ordered = { wire: EXAMPLE_ORDER, items: resolved.items, releaseId: 1, isCapped: true }
  const { order: posted, footprint, entries } = postingOfNewOrder(ordered)
  const order = { ...posted, createdAt: new Date('2024-12-12T09:30:00.000Z'), status: 'created' as const }
  const answered = orderView({ accountId: 1, order, items: footprint.items, referenceData }, new Set())
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

const RECEIVED_AT = new Date('2024-12-12T09:30:00.000Z')
const POSTED = { postedAt: RECEIVED_AT, countsFrom: null, isSpreadUntilEnd: true }
const MADE_AT = new Date('2025-01-31T10:00:00.000Z')

/** Empty if custom reference data lacks the ids of the example. */
export function exampleReceipt(referenceData: ReferenceData, version: string): unknown {
  const resolved = resolveOrder(toEngineOrder(EXAMPLE_ORDER), referenceData)
  if (!resolved.ok) return {}
  const { order, devices, entries } = postingOfNewOrder({
    wire: EXAMPLE_ORDER,
    items: resolved.items,
    releaseId: 1,
    isCapped: true,
  })
  const stored = entries.map((entry) => ({ ...entry, ...POSTED, eventContent: null }))
  const ledgers = devices.map((device) => [device.serialNumber, { device, entries: stored }] as const)
  const records = {
    order: { ...order, createdAt: RECEIVED_AT, status: 'created' as const },
    events: [],
    ledgers: new Map(ledgers),
    entries: [],
  }
  const request = { accountId: 1, version, at: MADE_AT, knownAt: null }
  return JSON.parse(
    canonicalise(runToCompletion(buildReceiptFor(records, () => referenceData, request)).tree),
  ) as unknown
}

const STATEMENT_READ_AT = new Date('2026-01-15T10:00:00.000Z')
/** Published in this source file, so it signs nothing but the example. RFC 8410 defines the prefix of the DER form. */
const EXAMPLE_KEY = createPrivateKey({
  key: Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), Buffer.alloc(32, 7)]),
  format: 'der',
  type: 'pkcs8',
})

export type StatementExamples = Readonly<
  Record<'statement' | 'key' | 'keySet' | 'proof' | 'passport' | 'epcis', unknown>
>

/** Empty if custom reference data lacks the ids of the example. */
export async function exampleStatement(referenceData: ReferenceData, version: string): Promise<StatementExamples> {
  const key = { ...signingKeyOf(EXAMPLE_KEY), created_at: RECEIVED_AT.toISOString() }
  const keySet = { keys: [jwkOf(EXAMPLE_KEY)] }
  const resolved = resolveOrder(toEngineOrder(EXAMPLE_ORDER), referenceData)
  if (!resolved.ok) return { statement: {}, key, keySet, proof: {}, passport: {}, epcis: {} }
  const ordered = { wire: EXAMPLE_ORDER, items: resolved.items, releaseId: 1, isCapped: true }
  const { order, devices, entries } = postingOfNewOrder(ordered)
  const stored = entries.map((entry) => ({ ...entry, ...POSTED, eventContent: null }))
  const records = {
    readAt: STATEMENT_READ_AT,
    booksClosedUntil: '2026-01-01',
    orders: [{ ...order, createdAt: RECEIVED_AT, status: 'created' as const }],
    ledgers: new Map(devices.map((device) => [device.serialNumber, { device, entries: stored }] as const)),
    entries: [],
    recorders: new Map(),
  }
  const request = {
    accountId: 1,
    account: 'demo',
    customerId: order.customerId,
    year: 2025,
    approach: 'operational',
    version,
    at: STATEMENT_READ_AT,
    knownAt: STATEMENT_READ_AT,
  } as const
  const content = runToCompletion(
    buildStatement(runToCompletion(collectStatementData(records, () => referenceData, request))),
  )
  const { tree } = await signStatement(content, EXAMPLE_KEY)
  const completeness = runToCompletion(completenessOf(tree))
  const [ledger] = [...records.ledgers.values()]
  const passport = await signPassport(
    {
      history: { ledger: ledger!, orderEvents: new Map() },
      referenceDataOf: () => referenceData,
      account: 'demo',
      privateKey: EXAMPLE_KEY,
      now: STATEMENT_READ_AT,
    },
    runToCompletion,
  )
  return {
    statement: JSON.parse(canonicalise(tree)) as unknown,
    key,
    keySet,
    proof: orderProof(content, order.orderId, completeness),
    passport: JSON.parse(canonicalise(passport.tree)) as unknown,
    epcis: JSON.parse(canonicalise(passport.tree['events']!)) as unknown,
  }
}
