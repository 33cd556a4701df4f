// Which shipments have the form of iLEAP, and which categories are published with them.
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { whole } from '../engine/numbers/rational.ts'
import type { TransportFactor } from '../engine/reference/reference-data.ts'
import type { ShippedLeg } from '../statements/shipments.ts'
import { shippedReferenceData } from '../../test/shipped-book.ts'
import { transportFootprints } from './transport-footprints.ts'

const { referenceData } = shippedReferenceData()
const PUBLISHER = { url: new URL('https://example.com'), companyName: 'acme' }
const VAN = referenceData.transports.get('road-van-diesel')!

const legBy = (factor: TransportFactor): ShippedLeg => ({
  item: {
    type: 'transportation',
    transportation: {
      type: 'transportation',
      transportationId: factor.id,
      transportationMode: factor.mode,
      distanceKm: whole(100),
      weightKg: whole(10),
      distanceBasis: null,
    },
    factor,
    distanceKm: whole(100),
    adjustment: referenceData.distanceAdjustments[factor.mode],
  },
  massKg: whole(10),
  tonneKm: whole(1),
  emission: 782_250n,
  tankToWheel: 631_300n,
})

const published = (...shipments: readonly (readonly TransportFactor[])[]) => [
  ...transportFootprints(
    PUBLISHER,
    shipments.map((factors, at) => ({
      orderId: `order ${at}`,
      dispatchDate: '2024-12-31',
      release: referenceData.release,
      massKg: whole(10),
      legs: factors.map(legBy),
    })),
  ),
]

const productsOf = (...shipments: readonly (readonly TransportFactor[])[]) =>
  published(...shipments).map(({ productIds: [product] }) => product.replace(/.*:(?=shipment|toc)/, ''))

test('a category is published once for all shipments that use it, and again with figures of another year', () => {
  const [first, second, category, ...others] = productsOf([VAN], [VAN, VAN])
  assert.deepEqual([first, second, others], ['shipment:order%200', 'shipment:order%201', []])
  const other = { ...VAN, factor: whole(1) }
  const again = { ...VAN, source: { ...VAN.source, year: 2026 } }
  const categories = productsOf([VAN], [other], [again]).slice(3)
  assert.equal(new Set(categories).size, 3)
  assert.equal(categories[0], category)
})

test('the period of a shipment is the day of its dispatch, that of a category the year of its source', () => {
  assert.deepEqual(
    published([VAN]).map(({ pcf: { referencePeriodStart: start, referencePeriodEnd: end } }) => [start, end]),
    [
      ['2024-12-31T00:00:00Z', '2025-01-01T00:00:00Z'],
      ['2025-01-01T00:00:00Z', '2026-01-01T00:00:00Z'],
    ],
  )
})

test('the characterization factors are those of the fifth report where the source says so', () => {
  const parcelVan = referenceData.transports.get('road-parcel-van-fr')!
  const reportsOf = (...factors: readonly TransportFactor[]) =>
    published(factors)[0]!.pcf.ipccCharacterizationFactors.join()
  assert.deepEqual([reportsOf(VAN), reportsOf(parcelVan), reportsOf(VAN, parcelVan)], ['AR5', 'AR5,AR6', 'AR5,AR6'])
})

test('a transport whose source states no year is no category', () => {
  const [shipment, ...others] = published([VAN, { ...VAN, source: { ...VAN.source, year: null } }])
  assert.deepEqual(others, [])
  assert.equal(shipment!.extensions, undefined)
  assert.ok(shipment!.comment!.endsWith(`${VAN.name}.`))
  const versions = shipment!.pcf.secondaryEmissionFactorSources.map(({ version }) => version)
  assert.deepEqual(versions, ['2025', referenceData.release])
})
