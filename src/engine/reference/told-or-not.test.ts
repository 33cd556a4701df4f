// A device whose type is known and the same one without a type differ in certainty, not by a factor of seven.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anyProduct } from '../../../test/product-arbitraries.ts'
import { shippedReferenceData } from '../../../test/shipped-book.ts'
import { add, divide, multiply, parseDecimal, toDecimal, whole, type Rational } from '../numbers/rational.ts'
import { footprintById } from './footprint.ts'
import { NO_MAPPINGS, matchProduct } from './product-match.ts'
import type { DeviceType } from './reference-data.ts'

const { referenceData } = shippedReferenceData()

/** Real devices of each type from a light to a heavy one, kg. */
const DEVICES: readonly (readonly [DeviceType, readonly string[]])[] = [
  ['laptop', ['0.9', '1.2', '1.5', '2', '2.6', '3.5']],
  ['mobile', ['0.135', '0.15', '0.17', '0.2', '0.24']],
  ['tablet', ['0.3', '0.45', '0.6', '0.8', '0.95']],
  ['monitor', ['2.6', '4', '6', '9', '12', '15']],
  ['gaming_console', ['0.2', '0.3', '0.42', '0.67', '1.9', '3', '4.5', '5.5']],
  ['headphone', ['0.02', '0.05', '0.12', '0.25', '0.4']],
]
const FACTOR_MAX = 2.5

/** kg CO2e in a year without a known country: production over the lifetime, and use by share. */
function ofYear(deviceType: DeviceType | null, weight: string): Rational {
  const weightKg = parseDecimal(weight)
  const product = anyProduct({ productId: 'q-1', deviceType, weightKg })
  const { footprintId } = matchProduct(product, referenceData, NO_MAPPINGS)
  const { embodied, useOverLifetime, lifetimeMonths } = footprintById(footprintId, weightKg, referenceData)
  return divide(multiply(add(embodied, useOverLifetime!), whole(12)), lifetimeMonths)
}

for (const [type, weights] of DEVICES)
  test(`a ${type} with and without its type differs by a factor below ${FACTOR_MAX}`, () => {
    for (const weight of weights) {
      const [known, unknown] = [ofYear(type, weight), ofYear(null, weight)].map((kg) => Number(toDecimal(kg)))
      const factor = Math.max(known! / unknown!, unknown! / known!)
      assert.ok(factor < FACTOR_MAX, `${weight} kg: ${known!.toFixed(1)} and ${unknown!.toFixed(1)} kg a year`)
    }
  })

test('a handheld has its own electricity, a tenth of that of a console of the living room', () => {
  const of = (productName: string, brand: string, weight: string) => {
    const product = anyProduct({ productName, brand, weightKg: parseDecimal(weight) })
    const { footprintId } = matchProduct(product, referenceData, NO_MAPPINGS)
    return footprintById(footprintId, product.weightKg, referenceData)
  }
  const living = of('PlayStation 5', 'Sony', '4.5')
  assert.equal(toDecimal(living.yearlyEnergyKwh!), '134.5')
  for (const [name, brand, weight] of [
    ['Nintendo Switch', 'Nintendo', '0.4'],
    ['Switch OLED', 'Nintendo', '0.42'],
    ['Switch Lite', 'Nintendo', '0.275'],
    ['Steam Deck 512GB', 'Valve', '0.67'],
    ['PS Vita', 'Sony', '0.22'],
  ] as const) {
    const handheld = of(name, brand, weight)
    assert.equal(handheld.known?.type, 'gaming_console', name)
    assert.ok(Number(toDecimal(handheld.yearlyEnergyKwh!)) <= 6, name)
    assert.ok(Number(toDecimal(handheld.useOverLifetime!)) < Number(toDecimal(living.useOverLifetime!)) / 10, name)
    assert.ok(Number(toDecimal(handheld.embodied)) < Number(toDecimal(living.embodied)) / 2, name)
  }
})
