// Orders with histories of every kind, told to a service, and their receipts read and held against its answers.
import assert from 'node:assert/strict'
import { verifyReceipt, type Verification } from '../src/receipts/verify-receipt.ts'
import type { Json } from './document-check.ts'
import { createOrderClient, pathOf } from './order-client.ts'
import type { AskedService } from './asked-service.ts'
import { withNumbers } from './document-numbers.ts'
import { shippedReferenceData } from './shipped-book.ts'

const { matching } = shippedReferenceData().referenceData

const LAPTOP = 'apple-macbook-air-13-m3-256gb'

export const laptop = (serial: string, months: number, more: Json = {}): Json => ({
  type: 'product',
  config: { product_id: LAPTOP, serial_number: serial, tenure_months: months, weight_kg: 1.24, ...more },
})
export const VAN: Json = {
  type: 'transportation',
  config: {
    transportation_id: 'road-van-diesel',
    transportation_mode: 'road',
    distance_km: 137.5,
    weight_kg: 4.2,
    distance_basis: 'shortest_feasible',
  },
}
export const AIR_LEG: Json = {
  type: 'transportation',
  config: { transportation_id: 'air-long-haul', transportation_mode: 'air', distance_km: 9000, weight_kg: 1.5 },
}
export const BOX: Json = { type: 'packaging', config: { packaging_id: 'corrugated-board-recycled', weight_kg: 0.26 } }

export const orderOf = (
  customer: string,
  id: string,
  start: string,
  items: readonly Json[],
  more: Json = {},
): Json => ({
  customer_id: customer,
  order_id: id,
  order_date: '2024-11-01',
  tenure_start_date: start,
  items,
  ...more,
})

export interface ReceiptClient extends ReturnType<typeof createOrderClient> {
  readonly receiptText: (customer: string, id: string, query?: string) => Promise<string>
  /** The receipt, once it is verified, and compared with what the order look-up answers. */
  readonly provenReceipt: (customer: string, id: string, query?: string) => Promise<ReceiptJson>
}

export interface ReceiptJson {
  readonly text: string
  readonly devices: readonly (Json & {
    readonly posted: readonly Json[]
    readonly ledger: { readonly rentals: readonly Json[] }
  })[]
  readonly releases: readonly Json[]
  readonly match: readonly Json[]
  readonly status: string
  readonly order: { readonly defaults_applied: readonly Json[] } & Json
  readonly total_emission: number
}

export function createReceiptClient(service: AskedService, key = service.key): ReceiptClient {
  const client = createOrderClient(service, key)
  const get = async (path: string) => {
    const { status, text } = await client.ask(path)
    assert.equal(status, 200, text)
    return text
  }
  const receiptText = (customer: string, id: string, query = '') => get(`${pathOf(customer, id)}/receipt${query}`)
  return {
    ...client,
    receiptText,
    provenReceipt: async (customer, id, query = '') => {
      const text = await receiptText(customer, id, query)
      const receipt = withNumbers<ReceiptJson>(text, ['value'])
      assertEqual(verifyReceipt(text, matching))
      const spaced = JSON.stringify(JSON.parse(text), null, 2)
      assertEqual(verifyReceipt(spaced, matching, [service.server.referenceData]))
      const answer = withNumbers<Json>(
        await get(`${pathOf(customer, id)}?include=calculation${query.replace('?', '&')}`),
        ['value'],
      )
      assert.deepEqual(withoutNames(shownBy(receipt)), withoutNames(shownBy(answer)))
      return { ...receipt, text }
    },
  }
}

export function assertEqual(verification: Verification): void {
  assert.equal(verification.outcome, 'equal', JSON.stringify(verification))
}

/** What a receipt has in common with the answer of the order look-up. */
const shownBy = (answer: object): Json => {
  const { items, status, total_emission, total_emission_excluding_indicative } = answer as Json
  return { items, status, total_emission, total_emission_excluding_indicative }
}

/** Only answers have intervals, codes beside texts and the years of months; receipts do not name other orders. */
const NOT_IN_RECEIPTS = /^(uncertainty|years|\w+_messages?)$/

const withoutNames = (answer: Json): string =>
  JSON.stringify(answer, (name, value: unknown) => (NOT_IN_RECEIPTS.test(name) ? undefined : value)).replaceAll(
    /the order \\"[^"]*\\" of \\"[^"]*\\"|another order \(rental \d+\)/g,
    'another',
  )
