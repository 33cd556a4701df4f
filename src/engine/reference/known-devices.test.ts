// Devices without a published footprint are known by name and code; lines tell types; forms are none of our devices.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anyProduct } from '../../../test/product-arbitraries.ts'
import { shippedReferenceData } from '../../../test/shipped-book.ts'
import { toDecimal } from '../numbers/rational.ts'
import type { Product } from '../order.ts'
import { fallbackById } from './fallback.ts'
import { footprintById } from './footprint.ts'
import { NO_MAPPINGS, isConsistentMatch, matchProduct } from './product-match.ts'

const { referenceData } = shippedReferenceData()
const matchOf = (changes: Partial<Product>) => {
  const product = anyProduct({ productId: 'q-1', ...changes })
  const match = matchProduct(product, referenceData, NO_MAPPINGS)
  return { product, match, footprint: footprintById(match.footprintId, product.weightKg, referenceData) }
}
const named = (productName: string, brand: string | null = null) => matchOf({ productName, brand })
const knownIn = (productName: string, brand: string | null = null) => named(productName, brand).footprint.known?.id

for (const [name, brand, id] of [
  ['ThinkPad T14 Gen 3', null, 'lenovo-thinkpad-t14-gen-3'],
  ['Lenovo ThinkPad T14 Gen 3 i5-1245U 16GB 512GB', null, 'lenovo-thinkpad-t14-gen-3'],
  ['Inspiron 5570', 'Dell Inc.', 'dell-inspiron-5570'],
  ['Surface Pro 9 256GB', 'Microsoft Corporation', 'microsoft-surface-pro-9'],
  ['PlayStation 5 825GB', 'Sony', 'sony-playstation-5'],
  ['Nintendo Switch', null, 'nintendo-switch'],
  ['Steam Deck OLED', 'Valve', 'valve-steam-deck-oled'],
] as const)
  test(`"${name}" names the known device ${id}`, () => {
    assert.equal(knownIn(name, brand), id)
  })

for (const [name, brand] of [
  ['ThinkPad T14 Gen 9', 'Lenovo'],
  ['PlayStation 5 Pro', 'Sony'],
  ['Switch 24 Port', 'Cisco'],
  ['Switch 7', 'Nintendo'],
  ['ThinkPad T14 Gen 3', 'Dell'],
  ['Case for ThinkPad T14 Gen 3', 'Hama'],
  ['X13 Gen 2', 'Lenovo'],
] as const)
  test(`"${name}" of ${brand} names no known device`, () => {
    assert.equal(knownIn(name, brand), undefined)
  })

test('the id is enough to find figures again, and a stored match is possible only for its type and maker', () => {
  const { product, match, footprint } = named('ThinkPad T14 Gen 3', 'Lenovo')
  assert.deepEqual(match, {
    footprintId: 'known:lenovo-thinkpad-t14-gen-3/family:lenovo/thinkpad-t',
    matchMethod: 'family',
  })
  const inner = footprintById('family:lenovo/thinkpad-t', product.weightKg, referenceData)
  assert.equal(toDecimal(footprint.embodied), toDecimal(inner.embodied))
  assert.equal(named('PlayStation 5', 'Sony').footprint.energyFrom, 'known')
  assert.match(footprint.name, /^Lenovo ThinkPad T14 Gen 3 \(no published footprint: a typical Lenovo laptop/)
  assert.equal(fallbackById(match.footprintId, referenceData)!.key, 'family:lenovo/thinkpad-t')
  assert.ok(isConsistentMatch(match, product, referenceData))
  assert.ok(!isConsistentMatch(match, { ...product, deviceType: 'monitor' }, referenceData))
  assert.ok(!isConsistentMatch(match, { ...product, brand: 'Dell' }, referenceData))
  assert.ok(!isConsistentMatch({ ...match, matchMethod: 'brand' }, product, referenceData))
  assert.throws(() => footprintById('known:no-such/type:laptop', product.weightKg, referenceData), RangeError)
})

for (const [name, brand, type] of [
  ['iPad mini 4 Wi-Fi 128GB', 'Apple', 'tablet'],
  ['MacBookPro14,1', 'Apple Inc.', 'laptop'],
  ['Galaxy S21', 'Samsung', 'mobile'],
  ['SM-T870', 'Samsung', 'tablet'],
  ['Surface Go 2', 'Microsoft Corporation', 'tablet'],
  ['EliteBook x360 830 G5', 'HP', 'laptop'],
  ['Vostro 3510', null, 'laptop'],
  ['Xperia 5 III', 'Sony', 'mobile'],
  ['WH-1000XM4', 'Sony', 'headphone'],
  ['AirPods Pro 2', 'Apple', 'headphone'],
  ['QuietComfort 45', 'Bose', 'headphone'],
  ['GW2490', 'BenQ', 'monitor'],
  ['LIFEBOOK U7411', 'Fujitsu', 'laptop'],
] as const)
  test(`the line of "${name}" tells that it is a ${type}`, () => {
    assert.equal(named(name, brand).footprint.typeDefault.type, type)
  })

for (const [name, brand] of [
  ['Precision 5820 Tower', 'Dell Inc.'],
  ['Precision 7920 Rack', 'Dell Inc.'],
  ['XPS 8940 Desktop', 'Dell'],
  ['OptiPlex 7010 SFF', 'Dell'],
  ['EliteDesk 800 G5 Mini', 'HP'],
  ['Pavilion All-in-One 27', 'HP'],
  ['ThinkCentre M70q', 'Lenovo'],
  ['PowerEdge R740', null],
  ['Pixel Watch 2', 'Google'],
  ['iMac20,1', 'Apple Inc.'],
] as const)
  test(`"${name}" is none of our devices, unless the order says of which type it is`, () => {
    assert.equal(named(name, brand).match.footprintId, 'weight')
    const typed = matchOf({ productName: name, brand, deviceType: 'laptop' })
    assert.equal(typed.footprint.typeDefault.type, 'laptop')
  })
