// The footprint of a product: embodied and use add up to the published total, and a fallback is named as such.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { positiveAmount } from '../../../test/case-arbitraries.ts'
import { shippedReferenceData } from '../../../test/shipped-book.ts'
import { DEVICE_TYPES, type DeviceModel } from './reference-data.ts'
import { WEIGHT_FOOTPRINT_ID, footprintById, typeFootprintId } from './footprint.ts'
import { ONE, ZERO, add, compare, multiply, whole } from '../numbers/rational.ts'

const { referenceData } = shippedReferenceData()
const models = [...referenceData.models.values()]

function footprintWith(changes: Partial<DeviceModel>) {
  const model = { ...referenceData.models.get('apple-macbook-air-13-m3-256gb')!, ...changes, id: 'changed' }
  return footprintById('changed', ONE, { ...referenceData, models: new Map([['changed', model]]) })
}

test('embodied and use of every shipped model are its published total', () => {
  for (const model of models) {
    if (!model.total) continue
    const { embodied, useOverLifetime } = footprintById(model.id, ONE, referenceData)
    assert.equal(compare(add(embodied, useOverLifetime!), model.total), 0, model.id)
  }
})

test('every shipped model has an embodied footprint and a lifetime to spread it over', () => {
  for (const { id } of models) {
    const { embodied, useOverLifetime, lifetimeMonths } = footprintById(id, ONE, referenceData)
    assert.ok(compare(embodied, ZERO) >= 0 && compare(lifetimeMonths, ZERO) > 0, id)
    assert.ok(useOverLifetime === null || compare(useOverLifetime, ZERO) >= 0, id)
  }
})

test('embodied and use are the total, whether the sheet states the use or its type stands in', () => {
  fc.assert(
    fc.property(positiveAmount(5000), fc.nat(100), fc.boolean(), (total, percent, isStated) => {
      const productUse = isStated ? multiply(total, { numerator: BigInt(percent), denominator: 100n }) : null
      const { embodied, useOverLifetime, useFrom } = footprintWith({ total, productUse })
      assert.equal(compare(add(embodied, useOverLifetime!), total), 0)
      assert.equal(useFrom, isStated ? 'sheet' : 'type')
    }),
  )
})

test('a sheet with the production alone is charged that and states no use; credits make no negative footprint', () => {
  const only = { total: null, productUse: null, yearlyEnergyKwh: null }
  const { embodied, useOverLifetime } = footprintWith({ ...only, production: whole(24) })
  assert.deepEqual([embodied, useOverLifetime], [whole(24), null])
  assert.equal(compare(footprintWith({ ...only, production: whole(-1) }).embodied, ZERO), 0)
  assert.throws(() => footprintWith({ ...only, production: null }), RangeError)
})

test('a lifetime that the sheet states wins over that of its type', () => {
  const own = footprintWith({ lifetimeMonths: 60 })
  assert.deepEqual([own.lifetimeMonths, own.lifetimeFrom], [whole(60), 'sheet'])
  const median = footprintWith({ lifetimeMonths: null })
  assert.deepEqual([median.lifetimeMonths, median.lifetimeFrom], [whole(48), 'type'])
})

test('what rests on an assumption about its type is indicative, on a median of its type estimated', () => {
  const complete = { total: whole(100), productUse: whole(10), lifetimeMonths: 36 }
  for (const type of ['headphone', 'laptop'] as const) {
    const isAssumed = type === 'headphone'
    assert.equal(footprintWith({ ...complete, type }).embodiedType, 'estimated')
    for (const missing of [{ productUse: null }, { lifetimeMonths: null }]) {
      const { embodiedType } = footprintWith({ ...complete, ...missing, type })
      assert.equal(embodiedType, isAssumed ? 'indicative' : 'estimated')
    }
  }
})

test('a stand-in is indicative, says so in its name, and has the use share of its type', () => {
  const bases = [...DEVICE_TYPES.map(typeFootprintId), WEIGHT_FOOTPRINT_ID]
  for (const basis of bases) {
    const { embodied, useOverLifetime, embodiedType, name, typeDefault } = footprintById(basis, whole(2), referenceData)
    assert.equal(embodiedType, 'indicative')
    assert.match(name, /stands in for a model that is not known/)
    const total = add(embodied, useOverLifetime!)
    assert.equal(compare(multiply(total, typeDefault.useShare), useOverLifetime!), 0)
  }
})

test('by weight alone, twice the weight is twice the footprint', () => {
  fc.assert(
    fc.property(positiveAmount(40_000), (kg) => {
      const one = footprintById(WEIGHT_FOOTPRINT_ID, kg, referenceData).embodied
      const two = footprintById(WEIGHT_FOOTPRINT_ID, multiply(kg, whole(2)), referenceData).embodied
      assert.equal(compare(two, multiply(one, whole(2))), 0)
    }),
  )
})

test('a footprint id that the release does not have is refused', () => {
  for (const basis of ['no-such-model', 'type:toaster', 'type:', '', '__proto__']) {
    assert.throws(() => footprintById(basis, ONE, referenceData), RangeError, basis)
  }
})
