// Random orders with the shipped datasets: totals are sums, devices add up, and the same order gives the same result.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { orderFor } from '../../test/case-arbitraries.ts'
import { rounds } from '../../test/rounds.ts'
import { shippedReferenceData } from '../../test/shipped-book.ts'
import { allocateRental, openBalance } from './device-ledger.ts'
import { allocateFirstRental } from './device-timeline.ts'
import {
  estimate,
  itemTotal,
  rentalTermsOf,
  type EmissionLine,
  type OrderFootprint,
  type RentalAllocator,
} from './estimate.ts'
import { PARTS, sumMilligrams, toMilligrams } from './numbers/emission.ts'
import type { Order, Product } from './order.ts'
import { whole } from './numbers/rational.ts'

const { referenceData } = shippedReferenceData()
const RUNS = { numRuns: rounds(150, 500) }

function footprintOf(order: Order, runOf?: RentalAllocator): OrderFootprint {
  const estimated = estimate(order, referenceData, runOf)
  assert.ok(estimated.ok, 'the order was refused')
  return estimated.footprint
}

const linesOf = ({ items }: OrderFootprint): readonly EmissionLine[] => items.flatMap(({ lines }) => lines)
const emissionsOf = (lines: readonly EmissionLine[]) => lines.map(({ emission }) => emission)
const productsOf = (order: Order) => order.items.filter((item): item is Product => item.type === 'product')

/** The same order with another tenure for each product. */
const withTenures = (order: Order, tenureOf: (months: number) => number): Order => ({
  ...order,
  items: order.items.map((item) =>
    item.type === 'product' ? { ...item, tenureMonths: tenureOf(item.tenureMonths) } : item,
  ),
})

test('the total is the sum of the published lines, and of the items', () => {
  fc.assert(
    fc.property(orderFor(referenceData), (order) => {
      const footprint = footprintOf(order)
      assert.equal(footprint.total, sumMilligrams(emissionsOf(linesOf(footprint))))
      assert.equal(footprint.total, sumMilligrams(footprint.items.map(itemTotal)))
    }),
    RUNS,
  )
})

test('what the total has more than that without indicative lines is the indicative lines', () => {
  fc.assert(
    fc.property(orderFor(referenceData), (order) => {
      const footprint = footprintOf(order)
      const of = (type: EmissionLine['type']) =>
        sumMilligrams(emissionsOf(linesOf(footprint).filter((line) => line.type === type)))
      assert.equal(footprint.total - of('estimated'), of('indicative'))
    }),
    RUNS,
  )
})

test('the devices of an order add up to it, part by part, and none carries less than nothing', () => {
  fc.assert(
    fc.property(orderFor(referenceData), (order) => {
      const footprint = footprintOf(order)
      assert.deepEqual(
        footprint.devices.map(({ serialNumber }) => serialNumber),
        productsOf(order).map(({ serialNumber }) => serialNumber),
      )
      if (footprint.devices.length === 0) return
      for (const part of PARTS) {
        const lines = linesOf(footprint).filter((line) => line.part === part)
        assert.equal(sumMilligrams(footprint.devices.map((share) => share[part])), sumMilligrams(emissionsOf(lines)))
        assert.ok(footprint.devices.every((share) => share[part] >= 0n))
      }
    }),
    RUNS,
  )
})

test('the same order gives the same estimate, and leaves the order as it was', () => {
  fc.assert(
    fc.property(orderFor(referenceData), (order) => {
      const before = structuredClone(order)
      assert.deepEqual(footprintOf(order), footprintOf(structuredClone(order)))
      assert.deepEqual(order, before)
    }),
  )
})

test('items in another sequence give the same lines', () => {
  const shuffled = orderFor(referenceData).chain((order) =>
    fc.tuple(fc.constant(order), fc.shuffledSubarray([...order.items.keys()], { minLength: order.items.length })),
  )
  fc.assert(
    fc.property(shuffled, ([order, sequence]) => {
      const one = footprintOf(order)
      const other = footprintOf({ ...order, items: sequence.map((at) => order.items[at]!) })
      assert.equal(one.total, other.total)
      for (const [position, at] of sequence.entries()) {
        assert.deepEqual(emissionsOf(other.items[position]!.lines), emissionsOf(one.items[at]!.lines))
      }
    }),
  )
})

test('every item has the lines of its kind, none of them negative', () => {
  fc.assert(
    fc.property(orderFor(referenceData), (order) => {
      for (const { item, lines } of footprintOf(order).items) {
        const parts = lines.map(({ part }) => part).join()
        if (item.type === 'product') assert.match(parts, /^product_embodied_emission(,product_use)?$/)
        else assert.equal(parts, item.type)
        assert.ok(lines.every(({ emission }) => emission >= 0n))
      }
    }),
  )
})

test('a longer tenure never lowers a line', () => {
  fc.assert(
    fc.property(orderFor(referenceData), fc.nat(60), (order, more) => {
      const short = emissionsOf(linesOf(footprintOf(order)))
      const long = emissionsOf(linesOf(footprintOf(withTenures(order, (months) => months + more))))
      for (const [at, emission] of short.entries()) assert.ok(emission <= long[at]!)
    }),
  )
})

test('a device that was rented before gives what is left of it, and use is charged all the same', () => {
  fc.assert(
    fc.property(orderFor(referenceData), fc.nat(100), (order, monthsBefore) => {
      const fresh = footprintOf(order)
      const balances = new Map(
        fresh.items.flatMap(({ item }) => {
          if (item.type !== 'product') return []
          const { embodied, lifetimeMonths } = item.footprint
          const { balance } = allocateRental(openBalance(embodied, lifetimeMonths), whole(monthsBefore))
          return [[item.product.serialNumber, balance] as const]
        }),
      )
      const used = footprintOf(order, (item) =>
        allocateFirstRental(balances.get(item.product.serialNumber)!, rentalTermsOf(item)),
      )
      const whenLonger = footprintOf(withTenures(order, (months) => months + monthsBefore))
      for (const [at, { lines }] of used.items.entries()) {
        const [embodied, use] = lines
        if (embodied?.working.method !== 'embodied-linear') continue
        const balance = balances.get(serialAt(order, at))!
        const together = toMilligrams(balance.allocated) + embodied.emission
        assert.equal(together, whenLonger.items[at]!.lines[0]!.emission)
        assert.equal(use?.emission, fresh.items[at]!.lines[1]?.emission)
      }
    }),
  )
})

function serialAt(order: Order, at: number): string {
  const item = order.items[at]!
  return item.type === 'product' ? item.serialNumber : ''
}
