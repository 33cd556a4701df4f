// Random numbers, days and orders for the engine's property tests.
import fc from 'fast-check'
import { DEVICE_TYPES, type ReferenceData } from '../src/engine/reference/reference-data.ts'
import type { Item, Order, Packaging, Product, Transportation } from '../src/engine/order.ts'
import { parseDecimal, rational, type Rational } from '../src/engine/numbers/rational.ts'
import { distanceBases } from '../src/engine/transport.ts'

const MAGNITUDE_MAX = 10n ** 18n

/** Any fraction, negative ones too, with denominators that no power of ten is. */
export const anyRatio = (): fc.Arbitrary<Rational> =>
  fc
    .tuple(fc.bigInt({ min: -MAGNITUDE_MAX, max: MAGNITUDE_MAX }), fc.bigInt({ min: 1n, max: 10n ** 9n }))
    .map(([numerator, denominator]) => rational(numerator, denominator))

/** A decimal from 0 to `max` with up to six decimals. */
export const amount = (max: number): fc.Arbitrary<Rational> =>
  fc.oneof(
    fc.nat(max).map((whole) => rational(BigInt(whole), 1n)),
    fc.bigInt({ min: 0n, max: BigInt(max) * 1_000_000n }).map((micros) => rational(micros, 1_000_000n)),
  )

export const positiveAmount = (max: number): fc.Arbitrary<Rational> =>
  amount(max).filter(({ numerator }) => numerator > 0n)

/** A calendar day from 1990 to 2200, YYYY-MM-DD; the ends of months come often. */
export const day = (): fc.Arbitrary<string> =>
  fc.oneof(
    fc
      .date({ min: new Date('1990-01-01'), max: new Date('2200-01-01'), noInvalidDate: true })
      .map((date) => date.toISOString().slice(0, 10)),
    fc.constantFrom('2024-02-29', '2025-02-28', '2025-01-31', '2024-12-31', '2025-01-01', '2000-02-29', '2100-03-01'),
  )

/** A valid order for a book: known and unknown products, every transport and packaging, no serial number twice. */
export function orderFor(book: ReferenceData): fc.Arbitrary<Order> {
  const oneItem = fc.oneof(
    { arbitrary: product(book), weight: 3 },
    { arbitrary: transportation(book), weight: 2 },
    { arbitrary: packaging(book), weight: 1 },
  )
  return plainRecord({
    customerId: fc.constant('customer'),
    orderId: fc.uuid(),
    orderDate: day(),
    tenureStartDate: day(),
    country: countryOrNull(book),
    items: fc.array<Item>(oneItem, { maxLength: 8 }).map(withOwnSerials),
  })
}

const withOwnSerials = (items: readonly Item[]): readonly Item[] =>
  items.map((item, at) => (item.type === 'product' ? { ...item, serialNumber: `SERIAL-${at}` } : item))

const countryOrNull = (book: ReferenceData): fc.Arbitrary<string | null> =>
  fc.option(fc.constantFrom(...book.grid.keys()))

/** Some lead to a family, some state a screen, some neither. */
const NAMES = ['MacBook Air 13 M9', 'Latitude 5999 14"', 'ThinkPad T999', 'U2799QE 27 inch', 'iPhone 99 Pro', 'a thing']

const product = (book: ReferenceData): fc.Arbitrary<Product> =>
  plainRecord({
    type: fc.constant('product'),
    productId: fc.oneof(
      fc.constantFrom(...book.models.keys()),
      fc.constantFrom(...book.aliases.keys()),
      fc.constant('no-such-product'),
    ),
    serialNumber: fc.constant(''),
    tenureMonths: fc.oneof(fc.nat(60), fc.nat(1200)),
    weightKg: positiveAmount(50),
    deviceType: fc.option(fc.constantFrom(...DEVICE_TYPES)),
    modelId: fc.option(fc.constantFrom(...book.models.keys())),
    productName: fc.option(fc.constantFrom(...NAMES)),
    brand: fc.option(fc.constantFrom('Apple', 'DELL', 'lenovo', 'HP', 'Nobody')),
    country: countryOrNull(book),
  })

const transportation = (book: ReferenceData): fc.Arbitrary<Transportation> =>
  fc.constantFrom(...book.transports.values()).chain(({ id, mode }) =>
    plainRecord({
      type: fc.constant('transportation'),
      transportationId: fc.constant(id),
      transportationMode: fc.constantFrom(mode, mode.toUpperCase()),
      distanceKm: amount(50_000),
      weightKg: amount(40_000),
      distanceBasis: fc.option(fc.constantFrom(...distanceBases(mode))),
    }),
  )

const packaging = (book: ReferenceData): fc.Arbitrary<Packaging> =>
  plainRecord({
    type: fc.constant('packaging'),
    packagingId: fc.constantFrom(...book.packagings.keys()),
    weightKg: fc.oneof(amount(100), fc.constant(parseDecimal('0.0000001'))),
  })

/** fast-check's records may lack a prototype, which deepEqual tells from an object literal. */
const plainRecord = <Value>(members: { [Name in keyof Value]: fc.Arbitrary<Value[Name]> }): fc.Arbitrary<Value> =>
  fc.record<Value>(members, { noNullPrototype: true })
