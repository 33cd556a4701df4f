// What changes of a scenario make of the content of an order, and why they leave it as it is.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readCaseBook } from '../../../test/case-book.ts'
import { ONE } from '../numbers/rational.ts'
import type { RecordedEvent } from '../order-replay.ts'
import type { Item, Order, Product, Transportation } from '../order.ts'
import type { DeviceType } from '../reference/reference-data.ts'
import { changeContent, type ContentChange, type OrderContent } from './changes.ts'

const BOOK = readCaseBook('book.json')

const product = (serialNumber: string, tenureMonths: number): Product => ({
  type: 'product',
  productId: 'apple-macbook-air-13-m3',
  serialNumber,
  tenureMonths,
  weightKg: ONE,
  ...{ deviceType: null, modelId: null, productName: null, brand: null, country: null },
})
const leg = (transportationId: string, mode: string, distanceBasis: Transportation['distanceBasis'] = null): Item => ({
  type: 'transportation',
  transportationId,
  transportationMode: mode,
  distanceKm: ONE,
  weightKg: ONE,
  distanceBasis,
})
const box = (packagingId: string): Item => ({ type: 'packaging', packagingId, weightKg: ONE })

const contentOf = (items: readonly Item[], events: readonly RecordedEvent[] = []): OrderContent => {
  const days = { orderDate: '2024-12-01', tenureStartDate: '2025-01-01' }
  const order: Order = { customerId: 'customer', orderId: 'order', ...days, country: null, items }
  return { order, events }
}

const TYPES: Readonly<Record<string, DeviceType>> = { 'L-1': 'laptop', 'P-1': 'mobile' }
const changed = (content: OrderContent, change: ContentChange) =>
  changeContent(content, change, (serial) => TYPES[serial] ?? null, BOOK)

function itemsAfter(content: OrderContent, change: ContentChange): readonly Item[] {
  const result = changed(content, change)
  assert.ok('content' in result)
  return result.content.order.items
}

const reasonOf = (content: OrderContent, change: ContentChange) => {
  const result = changed(content, change)
  return 'unchanged' in result ? result.unchanged : null
}

const longer = (deviceType: DeviceType | null = null): ContentChange => ({ type: 'tenure', months: 6, deviceType })
const extended = (serialNumber: string | null): RecordedEvent => ({
  type: 'extended',
  eventId: 'extended',
  serialNumber,
  tenureMonths: 15,
})

test('each tenure and each extension has the months more, and nothing else of the order changes', () => {
  const content = contentOf([product('L-1', 12), leg('hypothetical-van', 'road')], [extended(null)])
  const result = changed(content, longer())
  assert.ok('content' in result)
  assert.deepEqual(result.content.order.items, [product('L-1', 18), leg('hypothetical-van', 'road')])
  assert.deepEqual(result.content.events, [{ ...extended(null), tenureMonths: 21 }])
})

test('of one type alone, its devices have the months more, with what a swap brought in for them', () => {
  const swapped: RecordedEvent = {
    type: 'swapped',
    eventId: 'swapped',
    serialNumber: 'L-1',
    date: '2025-03-01',
    newSerialNumber: 'L-2',
  }
  const content = contentOf([product('L-1', 12), product('P-1', 12)], [swapped, extended('L-2')])
  const result = changed(content, longer('laptop'))
  assert.ok('content' in result)
  assert.deepEqual(result.content.order.items, [product('L-1', 18), product('P-1', 12)])
  assert.deepEqual(result.content.events[1], { ...extended('L-2'), tenureMonths: 21 })
})

test('an extension of another device keeps its months, and one of all devices cannot be divided', () => {
  const items = [product('L-1', 12), product('P-1', 12)]
  const result = changed(contentOf(items, [extended('P-1')]), longer('laptop'))
  assert.ok('content' in result)
  assert.deepEqual(result.content.events, [extended('P-1')])
  assert.equal(reasonOf(contentOf(items, [extended(null)]), longer('laptop')), 'extended_together')
})

test('a tenure is not longer than an order may have', () => {
  assert.equal(reasonOf(contentOf([product('L-1', 1194)]), longer()), null)
  assert.equal(reasonOf(contentOf([product('L-1', 1195)]), longer()), 'tenure_too_long')
})

test('legs of a mode, or of one transport, go by another one with its mode, and keep distance and weight', () => {
  const items = [leg('hypothetical-van', 'road'), leg('hypothetical-freighter', 'air'), leg('defra-2012-lorry', 'road')]
  const to = { type: 'transportation', to: 'hypothetical-ship', deviceType: null } as const
  assert.deepEqual(itemsAfter(contentOf(items), { ...to, mode: 'road', from: null }), [
    leg('hypothetical-ship', 'sea'),
    leg('hypothetical-freighter', 'air'),
    leg('hypothetical-ship', 'sea'),
  ])
  assert.deepEqual(itemsAfter(contentOf(items), { ...to, mode: null, from: 'defra-2012-lorry' }), [
    leg('hypothetical-van', 'road'),
    leg('hypothetical-freighter', 'air'),
    leg('hypothetical-ship', 'sea'),
  ])
  assert.equal(reasonOf(contentOf(items), { ...to, mode: 'rail', from: null }), 'no_such_leg')
  assert.equal(reasonOf(contentOf(items), { ...to, mode: 'road', from: null, to: 'none' }), 'not_in_release')
})

test('a stated distance basis that the other mode does not have leaves the order as it is', () => {
  const items = [leg('hypothetical-freighter', 'air', 'great_circle')]
  const change = { type: 'transportation', mode: 'air', from: null, deviceType: null } as const
  assert.equal(reasonOf(contentOf(items), { ...change, to: 'hypothetical-van' }), 'wrong_distance_basis')
})

test('one packaging, or all, is another one of the same weight', () => {
  const items = [box('hypothetical-board'), box('hypothetical-blend')]
  const change = { type: 'packaging', to: 'hypothetical-blend', deviceType: null } as const
  const both = [box('hypothetical-blend'), box('hypothetical-blend')]
  assert.deepEqual(itemsAfter(contentOf(items), { ...change, from: null }), both)
  assert.deepEqual(itemsAfter(contentOf(items), { ...change, from: 'hypothetical-board' }), both)
  assert.equal(reasonOf(contentOf(both), { ...change, from: null }), 'no_such_packaging')
})

test('legs and packaging belong to the order: with devices of other types, a limit to one is not met', () => {
  const change = { type: 'packaging', from: null, to: 'hypothetical-blend', deviceType: 'laptop' } as const
  const boxed = [box('hypothetical-board')]
  assert.equal(reasonOf(contentOf([product('L-1', 1), ...boxed]), change), null)
  assert.equal(reasonOf(contentOf([product('L-1', 1), product('P-1', 1), ...boxed]), change), 'other_device_type')
  assert.equal(reasonOf(contentOf(boxed), change), 'other_device_type')
})
