// Receipts that were forged with care, all in them computed again and the hash renewed, are refused where they lie.
import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import { verifyReceipt } from '../src/receipts/verify-receipt.ts'
import type { AskedService } from './asked-service.ts'
import { sharedService } from './shared-service.ts'
import { forge, type Draft } from './forged-receipt.ts'
import { BOX, VAN, createReceiptClient, laptop, orderOf } from './receipt-client.ts'
import { shippedReferenceData } from './shipped-book.ts'

const { referenceData } = shippedReferenceData()

let service: AskedService
/** Of an order of one device, extended and then returned late, after another rental of it. */
let extended: string
/** Of an order of two devices, one swapped, the other cancelled before that. */
let swapped: string
/** Of an order of one laptop whose model is not known. */
let guessed: string
before(async () => {
  service = await sharedService()
  const client = createReceiptClient(service)
  const items = [laptop('F1', 6), { ...VAN }, BOX]
  await client.post(orderOf('acme', 'extended', '2025-01-31', items, { country: 'SE' }))
  await client.tell('acme', 'extended', { event_id: 'e1', type: 'extended', tenure_months: 12 })
  await client.tell('acme', 'extended', { event_id: 'e2', type: 'returned', date: '2026-02-11' })
  await client.post(orderOf('other', 'earlier', '2020-01-31', [laptop('F1', 13)]))
  await client.tellDevice('F1', {
    event_id: 'e3',
    type: 'refurbished',
    date: '2024-01-01',
    emission_kg: 4,
    lifetime_months_added: 6,
  })
  extended = await client.receiptText('acme', 'extended')
  await client.post(orderOf('acme', 'swapped', '2025-03-01', [laptop('S1', 12), laptop('S2', 12), BOX]))
  await client.tell('acme', 'swapped', { event_id: 'c', type: 'cancelled', serial_number: 'S2', date: '2025-02-01' })
  const swap = { serial_number: 'S1', date: '2025-05-11', new_serial_number: 'S3', weight_kg: 1.5 }
  await client.tell('acme', 'swapped', { event_id: 's', type: 'swapped', ...swap })
  swapped = await client.receiptText('acme', 'swapped')
  const unknown = { product_id: 'new', brand: 'Dell', product_name: 'Dell Thing 14"', device_type: 'laptop' }
  await client.post(orderOf('acme', 'guessed', '2025-03-01', [laptop('U1', 3, unknown)]))
  guessed = await client.receiptText('acme', 'guessed')
})
after(() => service.stop())

/** @returns where a forged receipt is refused; its hash fits */
function refusedAt(text: string, change: (draft: Draft) => void): string {
  const found = verifyReceipt(forge(text, change), referenceData.matching, [referenceData])
  if (found.outcome !== 'different') return found.outcome
  return found.hashFits ? found.difference.place : `${found.difference.place} by the hash`
}

const POSTED = '/devices/0/posted'

function assertRefused(text: string, forgeries: readonly (readonly [pointer: string, (draft: Draft) => void])[]): void {
  const found = forgeries.map(([, change]) => refusedAt(text, change))
  assert.deepEqual(
    found,
    forgeries.map(([pointer]) => pointer),
  )
}

test('the receipts that are forged here are equal as they are, and when they are only sealed again', () => {
  for (const text of [extended, swapped]) {
    assert.equal(verifyReceipt(text, referenceData.matching, [referenceData]).outcome, 'equal')
    assert.equal(
      verifyReceipt(
        forge(text, () => undefined),
        referenceData.matching,
        [referenceData],
      ).outcome,
      'equal',
    )
  }
})

test('the terms of an entry are those that the order and its events give, in months, days, country and release', () => {
  assertRefused(extended, [
    [`${POSTED}/2/terms/months`, (draft) => (draft.devices[0]!.posted[2]!.terms.months = '1')],
    [`${POSTED}/1/terms/months`, (draft) => (draft.devices[0]!.posted[1]!.terms.months = '0')],
    [`${POSTED}/0/terms/months`, (draft) => (draft.devices[0]!.posted[0]!.terms.months = '7')],
    [`${POSTED}/2/terms/start`, (draft) => (draft.devices[0]!.posted[2]!.terms.start = '2025-02-11')],
    [`${POSTED}/0/terms/country`, (draft) => (draft.devices[0]!.posted[0]!.terms.country = 'NO')],
    [`${POSTED}/2/reason`, (draft) => (draft.devices[0]!.posted[2]!.reason = 'early_return')],
    ['/events/1/event/date', (draft) => (draft.events[1]!.event.date = '2024-12-31')],
    ['/events/0/event/tenure_months', (draft) => (draft.events[0]!.event.tenure_months = 6)],
  ])
  assertRefused(swapped, [
    [`${POSTED}/1/terms/months`, (draft) => (draft.devices[0]!.posted[1]!.terms.months = '1')],
    ['/devices/2/posted/0/terms/months', (draft) => (draft.devices[2]!.posted[0]!.terms.months = '1')],
    ['/devices/2/posted/0/terms/end', (draft) => (draft.devices[2]!.posted[0]!.terms.end = '2025-06-11')],
    ['/devices/1/posted/1/terms/months', (draft) => (draft.devices[1]!.posted[1]!.terms.months = '1')],
    ['/events/1/serial_number', (draft) => (draft.events[1]!.serial_number = 'S2')],
  ])
})

test('every event posted its entries, and every entry has its event', () => {
  assertRefused(extended, [
    [`${POSTED}/1/reason`, (draft) => draft.devices[0]!.posted.splice(1, 1)],
    [POSTED, (draft) => draft.devices[0]!.posted.splice(1)],
    [`${POSTED}/1/reason`, (draft) => (draft.events = [])],
    [`${POSTED}/0/reason`, (draft) => draft.devices[0]!.posted.splice(0, 1)],
    [
      `${POSTED}/3/reason`,
      (draft) => {
        const { posted } = draft.devices[0]!
        posted.splice(3, Infinity, { ...posted[2]!, entry_no: 90, reason: 'cancelled' })
      },
    ],
    [`${POSTED}/1/event_id`, (draft) => (draft.devices[0]!.posted[1]!.event_id = 'e2')],
  ])
})

test('entries stand in the sequence in which they were posted, and times are times', () => {
  assertRefused(extended, [
    [`${POSTED}/1/entry_no`, (draft) => (draft.devices[0]!.posted[1]!.entry_no = 1)],
    [`${POSTED}/0/entry_no`, (draft) => (draft.devices[0]!.posted[0]!.entry_no = 0)],
    [`${POSTED}/1/posted_at`, (draft) => (draft.devices[0]!.posted[1]!.posted_at = '2001-01-01T00:00:00.000Z')],
    [`${POSTED}/0/posted_at`, (draft) => (draft.devices[0]!.posted[0]!.posted_at = 'tomorrow')],
    ['/issued/at', (draft) => (draft.issued.at = 'whatever')],
    ['/order/received_at', (draft) => (draft.order.received_at = '2025-02-30T00:00:00Z')],
  ])
})

test('nothing is outside of the ranges for which orders and events are taken', () => {
  const config = (draft: Draft, at: number) => draft.order.as_received.items[at]!.config
  assertRefused(extended, [
    ['/order/as_received/items/0/config/weight_kg', (draft) => (config(draft, 0).weight_kg = 0)],
    ['/order/as_received/items/1/config/distance_km', (draft) => (config(draft, 1).distance_km = -1)],
    ['/order/as_received/items/1/config/weight_kg', (draft) => (config(draft, 1).weight_kg = 40001)],
    ['/order/as_received/items/2/config/weight_kg', (draft) => (config(draft, 2).weight_kg = -5)],
    ['/order/as_received/order_date', (draft) => (draft.order.as_received.order_date = '1989-12-31')],
    ['/devices/0/ledger/events/0/emission', (draft) => (draft.devices[0]!.ledger.events[0]!.emission = '-50')],
    ['/devices/0/ledger/events/0/months_added', (draft) => (draft.devices[0]!.ledger.events[0]!.months_added = '-47')],
  ])
})

test('another rental has about as many months as there are between its days', () => {
  const rental = '/devices/0/ledger/rentals/0'
  assertRefused(extended, [
    [`${rental}/months`, (draft) => (draft.devices[0]!.ledger.rentals[0]!.end = '2020-02-01')],
    [`${rental}/months`, (draft) => (draft.devices[0]!.ledger.rentals[0]!.months = '47')],
    [`${rental}/months`, (draft) => (draft.devices[0]!.ledger.rentals[0]!.months = '1300001/100000')],
    [`${rental}/end`, (draft) => (draft.devices[0]!.ledger.rentals[0]!.end = '2019-12-31')],
  ])
})

test('a device is charged by what its first order says, or it is said that it is not', () => {
  assertRefused(extended, [
    ['/devices/0/footprint_id', (draft) => (draft.devices[0]!.footprint_id = 'dell-latitude-5310')],
    ['/devices/0/weight_kg', (draft) => (draft.devices[0]!.weight_kg = '1')],
  ])
  const chargeAsOther = (draft: Draft, foundBy: string) => {
    draft.match[0]!.resolved_to = 'dell-latitude-5310'
    Object.assign(draft.match[0]!, { match_method: foundBy, candidates: [] })
    draft.devices[0]!.footprint_id = 'dell-latitude-5310'
  }
  assertRefused(extended, [
    ['/match/0/match_method', (draft) => chargeAsOther(draft, 'product_id')],
    ['/match/0/match_method', (draft) => chargeAsOther(draft, 'name')],
    ['/match/0/match_method', (draft) => chargeAsOther(draft, 'mapping:apple-macbook-air-13-m3-256gb')],
  ])
  const other = verifyReceipt(
    forge(extended, (draft) => chargeAsOther(draft, 'mapping:dell-latitude-5310')),
    referenceData.matching,
    [referenceData],
  )
  assert.ok(other.outcome === 'equal')
  assert.equal(other.receipt.recorded, 1)
})

test('a guess that contradicts what the product states of itself is refused', () => {
  const chargeBy = (draft: Draft, basis: string) => {
    Object.assign(draft.match[0]!, { resolved_to: basis, match_method: basis.split(/[:@]/)[0] })
    draft.devices[0]!.footprint_id = basis
  }
  assert.equal(verifyReceipt(guessed, referenceData.matching, [referenceData]).outcome, 'equal')
  const others = ['type:headphone', 'family:apple/iphone', 'weight-fit@0.6kg', 'brand-fit:dell/laptop@2.9kg,14in']
  assertRefused(
    guessed,
    [...others, 'brand:hp/laptop'].map((basis) => ['/match/0/match_method', (draft) => chargeBy(draft, basis)]),
  )
})

test('figures that are not at hand are told from those that are', () => {
  const renamed = forge(extended.replaceAll(referenceData.release, '2099.01-ffffffff'), (draft) => {
    draft.releases[0]!.content_hash = '0'.repeat(64)
  })
  const found = verifyReceipt(renamed, referenceData.matching, [referenceData])
  assert.ok(found.outcome === 'equal')
  assert.deepEqual([found.receipt.comparedReleases, found.receipt.otherReleases], [[], ['2099.01-ffffffff']])
})

test('a number that is too long or too large is refused before it is computed with', () => {
  for (const number of ['9'.repeat(401), `0.${'1'.repeat(400)}`, '1e401', '1e-401', '1e999999999']) {
    const text = extended.replace('"weight_kg":1.24', `"weight_kg":${number}`)
    assert.equal(verifyReceipt(text, referenceData.matching).outcome, 'no-receipt', number)
  }
})
