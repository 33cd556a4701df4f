// What iLEAP 1.0 asks of product footprints with its data, as its conformance tests TC001 to TC003 want them.
import assert from 'node:assert/strict'
import { toMilligrams } from '../src/engine/numbers/emission.ts'
import { ONE, ZERO, add, compare, divide, multiply, parseDecimal, whole } from '../src/engine/numbers/rational.ts'
import type { Json } from './document-check.ts'

export type Footprint = Json & { readonly id: string; readonly pcf: Json; readonly productIds: readonly string[] }

/** Data of one leg, as iLEAP names it. */
export type Leg = Json & { readonly tceId: string; readonly tocId: string; readonly distance: Json }

const PRODUCT = 'urn:pathfinder:product:customcode:vendor-assigned'
const DECIMAL = /^-?\d+(\.\d+)?$/

const productOf = ({ productIds }: Footprint): string => productIds[0]!

export const shipmentsIn = (footprints: readonly Footprint[]): readonly Footprint[] =>
  footprints.filter((one) => productOf(one).startsWith(`${PRODUCT}:shipment:`))

export const categoriesIn = (footprints: readonly Footprint[]): readonly Footprint[] =>
  footprints.filter((one) => productOf(one).startsWith(`${PRODUCT}:toc:`))

export const dataOf = ({ extensions }: Footprint): Json => (extensions as readonly [{ readonly data: Json }])[0].data

export const legsOf = (shipment: Footprint): readonly Leg[] => dataOf(shipment)['tces'] as readonly Leg[]

const number = (text: unknown) => {
  assert.match(String(text), DECIMAL)
  assert.equal(typeof text, 'string')
  return parseDecimal(text as string)
}

const sumOf = (legs: readonly Leg[], member: string) => legs.map((leg) => number(leg[member])).reduce(add, ZERO)

function checkLogistics({ productClassifications, extensions, pcf }: Footprint, kind: string): void {
  assert.deepEqual(productClassifications, ['urn:pact:productclassification:un-cpc:83117'])
  const [{ data: _, ...extension }] = extensions as readonly [Json]
  assert.deepEqual(extension, {
    specVersion: '2.0.0',
    documentation: 'https://sine-fdn.github.io/ileap-extension/',
    dataSchema: `https://api.ileap.sine.dev/${kind}.json`,
  })
  assert.equal(pcf['declaredUnitOfMeasurement'], 'ton kilometer')
  assert.equal(pcf['packagingEmissionsIncluded'], false)
  assert.equal('packagingGhgEmissions' in pcf, false)
  assert.equal(pcf['fossilGhgEmissions'], pcf['pcfExcludingBiogenicUptake'])
}

export function checkShipment(shipment: Footprint): void {
  checkLogistics(shipment, 'shipment-footprint')
  const { pcf } = shipment
  const { mass, shipmentId, ...others } = dataOf(shipment)
  assert.deepEqual(Object.keys(others), ['tces'])
  assert.equal(productOf(shipment), `${PRODUCT}:shipment:${encodeURIComponent(String(shipmentId))}`)
  assert.equal(pcf['productMassPerDeclaredUnit'], mass)
  assert.ok(compare(number(mass), ZERO) > 0)
  const legs = legsOf(shipment)
  assert.ok(legs.length > 0)
  assert.equal(compare(number(pcf['declaredUnitAmount']), sumOf(legs, 'transportActivity')), 0)
  assert.equal(compare(number(pcf['pcfExcludingBiogenicUptake']), sumOf(legs, 'co2eWTW')), 0)
  assert.equal(new Set(legs.map(({ tceId }) => tceId)).size, legs.length)
  for (const leg of legs) {
    assert.equal(leg['shipmentId'], shipmentId)
    assert.equal('hocId' in leg, false)
    const [[basis, distance], ...more] = Object.entries(leg.distance) as [[string, string]]
    assert.ok(['actual', 'gcd', 'sfd'].includes(basis))
    assert.deepEqual(more, [])
    const activity = divide(multiply(number(leg['mass']), number(distance)), whole(1000))
    assertClose(activity, number(leg['transportActivity']))
  }
}

/** Numbers with more than 12 decimals are rounded before they are multiplied by up to 50,000. */
function assertClose(a: ReturnType<typeof number>, b: ReturnType<typeof number>): void {
  const [more, less] = compare(a, b) > 0 ? [a, b] : [b, a]
  assert.ok(compare(more, add(less, parseDecimal('0.0000001'))) <= 0)
}

/** The devices of an order, by which what is left of a leg may be rounded. */
const ROUNDED_MG_MAX = 4

/** Each leg emits its activity times the intensity of its category, but for what is rounded to milligrams. */
export function checkIntensities(footprints: readonly Footprint[]): void {
  const categories = new Map(categoriesIn(footprints).map((one) => [dataOf(one)['tocId'], dataOf(one)]))
  for (const leg of shipmentsIn(footprints).flatMap(legsOf)) {
    for (const part of ['WTW', 'TTW']) {
      const intensity = number(categories.get(leg.tocId)![`co2eIntensity${part}`])
      const expected = toMilligrams(multiply(number(leg['transportActivity']), intensity))
      const stated = toMilligrams(number(leg[`co2e${part}`]))
      assert.ok(stated - expected <= ROUNDED_MG_MAX && expected - stated <= ROUNDED_MG_MAX, `${stated} ${expected}`)
    }
  }
}

const UNITS = ['l', 'kg', 'kWh', 'MJ']

export function checkCategory(footprint: Footprint): void {
  checkLogistics(footprint, 'toc')
  const { pcf } = footprint
  assert.equal(pcf['declaredUnitAmount'], '1')
  assert.equal(pcf['productMassPerDeclaredUnit'], '1')
  const { tocId, mode, energyCarriers, co2eIntensityWTW: intensity, ...others } = dataOf(footprint)
  assert.equal(productOf(footprint), `${PRODUCT}:toc:${String(tocId)}`)
  assert.equal(pcf['pcfExcludingBiogenicUptake'], intensity)
  assert.ok(['Road', 'Rail', 'Sea', 'Air'].includes(mode as string))
  // No `certifications`: the method has none.
  assert.deepEqual(Object.keys(others).toSorted(), ['co2eIntensityTTW', 'description', 'transportActivityUnit'])
  assert.ok(compare(number(others['co2eIntensityTTW']), number(intensity)) < 0)
  const carriers = energyCarriers as readonly Json[]
  assert.equal(compare(carriers.map((one) => number(one['relativeShare'])).reduce(add, ZERO), ONE), 0)
  for (const carrier of carriers) {
    assert.ok(UNITS.includes(carrier['energyConsumptionUnit'] as string))
    assert.ok(compare(number(carrier['emissionFactorTTW']), number(carrier['emissionFactorWTW'])) < 0)
  }
}
