// The footprint of a product: embodied and use add up to the published total, and a fallback is named as such.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { positiveAmount } from '../../../test/case-arbitraries.ts'
import { shippedReferenceData } from '../../../test/shipped-book.ts'
import { DEVICE_TYPES, type DeviceModel } from './reference-data.ts'
import { WEIGHT_FOOTPRINT_ID, footprintById, typeFootprintId } from './footprint.ts'
import { toMilligrams } from '../numbers/emission.ts'
import {
  ONE,
  ZERO,
  add,
  compare,
  divide,
  multiply,
  parseDecimal,
  toDecimal,
  whole,
  type Rational,
} from '../numbers/rational.ts'
import { useMethod } from '../estimate.ts'

const { referenceData } = shippedReferenceData()
const models = [...referenceData.models.values()]
const asNumber = (value: Rational): number => Number(toDecimal(value))

function footprintWith(changes: Partial<DeviceModel>) {
  const model = { ...referenceData.models.get('apple-macbook-air-13-m3-256gb')!, ...changes, id: 'changed' }
  return footprintById('changed', ONE, { ...referenceData, models: new Map([['changed', model]]) })
}

test('electricity follows from the use of a sheet for a region, and only where the sheet has none of its own', () => {
  const useRegion = {
    region: 'world',
    year: 2022,
    factor: parseDecimal('0.5'),
    source: referenceData.itEquipment.source,
  }
  const sheet = { total: whole(100), productUse: whole(20), lifetimeMonths: 48, yearlyEnergyKwh: null, useRegion }
  const energyOf = (changes: object) => {
    const { yearlyEnergyKwh, energyFrom } = footprintWith({ ...sheet, ...changes })
    return [yearlyEnergyKwh && toDecimal(yearlyEnergyKwh), energyFrom]
  }
  assert.deepEqual(energyOf({}), ['10', 'use'])
  assert.deepEqual(energyOf({ yearlyEnergyKwh: whole(7) }), ['7', 'sheet'])
  assert.deepEqual(energyOf({ useRegion: null }), [null, 'type'])
  assert.equal(energyOf({ productUse: null })[1], 'type')
  assert.notEqual(energyOf({ lifetimeMonths: null })[0], null)
})

test("factors of regions are the medians of the catalogue's sheets, in which use and electricity both stand", () => {
  const ratios = Map.groupBy(
    [...referenceData.models.values()].flatMap(({ useRegion, productUse, yearlyEnergyKwh, lifetimeMonths }) =>
      useRegion && productUse && yearlyEnergyKwh && lifetimeMonths
        ? [
            {
              useRegion,
              ratio: asNumber(
                divide(multiply(productUse, whole(12)), multiply(yearlyEnergyKwh, whole(lifetimeMonths))),
              ),
            },
          ]
        : [],
    ),
    ({ useRegion }) => useRegion.region,
  )
  for (const region of ['EU', 'North America']) {
    const rows = ratios.get(region)!.toSorted((a, b) => a.ratio - b.ratio)
    const median = rows[Math.floor(rows.length / 2)]!
    assert.ok(rows.length >= 30)
    assert.ok(Math.abs(median.ratio / asNumber(median.useRegion.factor) - 1) < 0.03, `${region} ${median.ratio}`)
  }
})

test("a country with a greater factor gives greater use; without one a model's use is that by share", () => {
  const ofUse = [...referenceData.models.keys()].filter(
    (id) => footprintById(id, ONE, referenceData).energyFrom === 'use',
  )
  assert.ok(ofUse.length >= 300)
  for (const id of ofUse) {
    const footprint = footprintById(id, ONE, referenceData)
    const use = (country: string | null) =>
      useMethod(footprint, country === null ? [] : referenceData.grid.get(country)!, '2025-01-01', whole(12))!
    assert.ok(use('NO').emission < use('DE').emission && use('DE').emission < use('PL').emission, id)
    assert.deepEqual([use('NO').type, use('PL').type], ['indicative', 'indicative'])
    const byShare = divide(multiply(footprint.useOverLifetime!, whole(12)), footprint.lifetimeMonths)
    assert.deepEqual([use(null).emission, use(null).use], [toMilligrams(byShare), null])
    const region = { ...footprint.model!.useRegion!, year: 2024, latestYear: 2024 }
    const atHome = useMethod(footprint, [region], '2025-01-01', whole(12))!.emission
    assert.equal(atHome, toMilligrams(byShare), 'in its own region a sheet gives its own figure')
  }
})

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
