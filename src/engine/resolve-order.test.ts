// Resolving names: all errors of an order are reported together, each with its path and suggestions.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyProduct } from '../../test/product-arbitraries.ts'
import { orderFor } from '../../test/case-arbitraries.ts'
import { readCaseBook } from '../../test/case-book.ts'
import { modelIdByAlias } from './reference/product-match.ts'
import type { Item, Order, Packaging, Product, Transportation } from './order.ts'
import { ONE } from './numbers/rational.ts'
import { PROBLEMS_MAX } from './validate-order.ts'
import { matchesOf, resolveOrder, resolveStored } from './resolve-order.ts'

const referenceData = readCaseBook('book.json')

const product = (changes: Partial<Product> = {}): Product =>
  anyProduct({ productId: 'hypothetical-phone', weightKg: ONE, ...changes })

const leg = (changes: Partial<Transportation> = {}): Transportation => ({
  type: 'transportation',
  transportationId: 'hypothetical-van',
  transportationMode: 'road',
  distanceKm: ONE,
  weightKg: ONE,
  distanceBasis: null,
  ...changes,
})

const box = (packagingId: string): Packaging => ({ type: 'packaging', packagingId, weightKg: ONE })

const order = (items: readonly Item[], country: string | null = null): Order => ({
  customerId: 'c',
  orderId: 'o',
  orderDate: '2025-01-01',
  tenureStartDate: '2025-01-01',
  country,
  items,
})

function problemsOf(items: readonly Item[], country: string | null = null) {
  const resolved = resolveOrder(order(items, country), referenceData)
  return resolved.ok ? [] : resolved.problems
}

const basisOf = (changes: Partial<Product>): string | undefined => {
  const resolved = resolveOrder(order([product(changes)]), referenceData)
  return resolved.ok ? matchesOf(resolved.items).footprintIds[0] : undefined
}

test('all that is wrong is told together, each at its place', () => {
  const items = [
    product({ modelId: 'no-such-model', country: 'XZ' }),
    leg({ transportationId: 'hypothetical-van', transportationMode: 'air' }),
    leg({ distanceBasis: 'great_circle' }),
    leg({ transportationId: 'no-such' }),
    box('no-such'),
    product({ serialNumber: 'S1' }),
    product({ serialNumber: '' }),
  ]
  assert.deepEqual(
    problemsOf(items, 'UK').map(({ path }) => path),
    [
      '/country',
      '/items/0/config/country',
      '/items/0/config/model_id',
      '/items/1/config/transportation_mode',
      '/items/2/config/distance_basis',
      '/items/3/config/transportation_id',
      '/items/4/config/packaging_id',
      '/items/5/config/serial_number',
      '/items/6/config/serial_number',
    ],
  )
})

test('a problem suggests what was probably meant', () => {
  const suggestionsOf = (item: Item, country: string | null = null) => problemsOf([item], country)[0]?.suggestions
  assert.deepEqual(suggestionsOf(leg({ transportationId: 'hypothetical-vann' }))?.[0], 'hypothetical-van')
  assert.deepEqual(suggestionsOf(box('hypothetical-bord'))?.[0], 'hypothetical-board')
  assert.deepEqual(suggestionsOf(product({ modelId: 'hypothetical-fone' }))?.[0], 'hypothetical-phone')
  assert.deepEqual(suggestionsOf(leg({ transportationMode: 'ship' })), ['road'])
  assert.deepEqual(suggestionsOf(leg({ distanceBasis: 'great_circle' })), ['actual', 'shortest_feasible'])
  assert.deepEqual(suggestionsOf(product(), 'UK'), ['GB'])
  assert.deepEqual(suggestionsOf(product(), 'EL'), ['GR'])
})

test('names that every object in JavaScript has are as unknown as any other', () => {
  for (const name of ['__proto__', 'constructor', 'toString']) {
    assert.equal(problemsOf([leg({ transportationId: name })]).length, 1)
    assert.equal(problemsOf([box(name)]).length, 1)
    assert.equal(problemsOf([product({ modelId: name })]).length, 1)
    assert.equal(problemsOf([], name).length, 1)
    assert.equal(basisOf({ productId: name }), 'weight')
  }
})

test('a device that stands twice in an order is told with where it stands first', () => {
  const [problem, ...others] = problemsOf([box('hypothetical-board'), product(), product()])
  assert.deepEqual(others, [])
  assert.equal(problem?.path, '/items/2/config/serial_number')
  assert.match(problem.message, /at \/items\/1;/)
  assert.deepEqual(problemsOf([product(), product({ serialNumber: 's1' })]), [])
})

test('a hostile order is not searched much beyond the problems that are answered', () => {
  const problems = problemsOf(Array<Item>(1000).fill(box('no-such')))
  assert.equal(problems.length, PROBLEMS_MAX)
})

test('a mode is compared without case', () => {
  assert.deepEqual(problemsOf([leg({ transportationMode: 'ROAD' })]), [])
})

test('a product is its named model, else its own id or alias, else its type, else its weight', () => {
  const phone = { productId: 'hypothetical-phone', deviceType: 'laptop' } as const
  assert.equal(basisOf({ ...phone, modelId: 'hypothetical-monitor' }), 'hypothetical-monitor')
  assert.equal(basisOf(phone), 'hypothetical-phone')
  assert.equal(basisOf({ productId: ' HYPOTHETICAL-PHONE ' }), 'hypothetical-phone')
  assert.equal(basisOf({ productId: 'hyp-nb-36' }), 'hypothetical-notebook')
  assert.equal(basisOf({ productId: 'unknown', deviceType: 'laptop' }), 'type:laptop')
  assert.equal(basisOf({ productId: 'unknown' }), 'weight')
})

test('an alias of two variants is taken for one of them by its words, and is refused where a model is named', () => {
  assert.equal(modelIdByAlias('Workbook 14', referenceData), null)
  for (const [name, id] of [
    [null, 'hypothetical-workbook-14-8gb'],
    ['Workbook 14 16GB', 'hypothetical-workbook-14-16gb'],
  ] as const) {
    assert.equal(basisOf({ productId: 'Workbook 14', productName: name, deviceType: 'laptop' }), id)
  }
  assert.equal(basisOf({ productId: 'Workbook 15', deviceType: 'laptop' }), 'type:laptop')
  assert.equal(problemsOf([product({ modelId: 'Workbook 14' })])[0]?.path, '/items/0/config/model_id')
})

test('an item’s country wins over its order’s, and an unknown one is refused in both places', () => {
  const resolved = resolveOrder(
    order([product({ country: 'FR' }), product({ serialNumber: 'S2' })], 'DE'),
    referenceData,
  )
  assert.ok(resolved.ok)
  assert.deepEqual(
    resolved.items.map((item) => item.type === 'product' && [item.country, item.grid[0]?.year]),
    [
      ['FR', 2019],
      ['DE', 2019],
    ],
  )
  assert.equal(problemsOf([], 'QQ')[0]?.path, '/country')
})

test('an order read back with what its products were taken for is the one that was resolved', () => {
  fc.assert(
    fc.property(orderFor(referenceData), (random) => {
      const resolved = resolveOrder(random, referenceData)
      assert.ok(resolved.ok)
      const stored = matchesOf(resolved.items)
      assert.deepEqual(resolveStored(random, stored, referenceData), resolved.items)
    }),
  )
})
