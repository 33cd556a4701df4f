// Product footprints of the transport of orders: of each shipment, and of the categories of transport that they use.
import { dayAfter } from '../engine/numbers/calendar.ts'
import { sumMilligrams, type Milligrams } from '../engine/numbers/emission.ts'
import type { TransportFactor } from '../engine/reference/reference-data.ts'
import type { ResolvedTransportation } from '../engine/resolve-order.ts'
import { qualityOf } from '../engine/uncertainty/data-quality.ts'
import type { Shipment, ShippedLeg } from '../statements/shipments.ts'
import { decimal, kilograms } from './decimals.ts'
import {
  ILEAP_EXTENSION,
  ILEAP_SCHEMAS,
  LOGISTICS_CLASS,
  categoryOf,
  ileapProductId,
  shipmentFootprint,
  tonneKmOf,
  type TransportCategory,
} from './ileap.ts'
import type { FootprintContent, TransportCarbonFootprint } from './product-footprint.ts'
import { publishedBy, urnOf, type Publisher } from './publisher.ts'
import { dataQualityOf } from './quality-of-lines.ts'
import { PACT_TEXTS } from './texts.ts'

/** A category, and a leg that uses it. */
interface UsedCategory {
  readonly category: TransportCategory
  readonly item: ResolvedTransportation
}

/** A shipment has the form of iLEAP if all of its legs have a category. */
export function* transportFootprints(
  publisher: Publisher,
  shipments: readonly Shipment[],
): Generator<FootprintContent> {
  const categoryOfLeg = createCategories()
  const used = new Map<string, UsedCategory>()
  for (const shipment of shipments) {
    const categories = shipment.legs.map(categoryOfLeg)
    if (!categories.every((one) => one !== null)) {
      yield plainShipment(publisher, shipment, categories)
      continue
    }
    for (const [at, category] of categories.entries())
      used.set(category.tocId, { category, item: shipment.legs[at]!.item })
    yield ileapShipment(publisher, shipment, categories)
  }
  for (const one of used.values()) yield categoryFootprint(publisher, one)
}

/** Each is computed once. */
function createCategories() {
  const known = new Map<TransportFactor, TransportCategory | null>()
  return ({ item: { factor } }: ShippedLeg): TransportCategory | null => {
    const category = known.get(factor) ?? categoryOf(factor)
    known.set(factor, category)
    return category
  }
}

function ileapShipment(
  publisher: Publisher,
  shipment: Shipment,
  categories: readonly TransportCategory[],
): FootprintContent {
  const tocIds = categories.map(({ tocId }) => tocId)
  return {
    ...aboutShipment(publisher, shipment),
    productIds: [ileapProductId('shipment', shipment.orderId)],
    extensions: [{ ...ILEAP_EXTENSION, dataSchema: ILEAP_SCHEMAS.shipment, data: shipmentFootprint(shipment, tocIds) }],
  }
}

/** Without data of iLEAP, and under an id that does not promise it. */
function plainShipment(
  publisher: Publisher,
  shipment: Shipment,
  categories: readonly (TransportCategory | null)[],
): FootprintContent {
  const without = shipment.legs.filter((_, at) => categories[at] === null)
  return {
    ...aboutShipment(publisher, shipment),
    productIds: [urnOf(publisher, 'product-id', 'shipment', shipment.orderId)],
    comment: PACT_TEXTS.noCategory([...new Set(without.map(({ item }) => item.factor.name))]),
  }
}

function aboutShipment(publisher: Publisher, { orderId, dispatchDate, massKg, legs, release }: Shipment) {
  return {
    ...publishedBy(publisher),
    productDescription: PACT_TEXTS.shipmentDescription({ orderId, legs: legs.length }),
    productNameCompany: PACT_TEXTS.shipmentName(orderId),
    productClassifications: [LOGISTICS_CLASS] as const,
    pcf: transportPcf({
      amount: decimal(tonneKmOf(legs)),
      mass: decimal(massKg),
      emission: kilograms(sumMilligrams(legs.map(({ emission }) => emission))),
      period: [dispatchDate, dayAfter(dispatchDate)],
      weighted: legs.map(({ item, emission }) => ({ item, emission })),
      release,
    }),
  }
}

function categoryFootprint(publisher: Publisher, { category, item }: UsedCategory): FootprintContent {
  // A category has one, by which its figures are of that year.
  const year = item.factor.source.year!
  return {
    ...publishedBy(publisher),
    productDescription: category.description,
    productIds: [ileapProductId('toc', category.tocId)],
    productNameCompany: item.factor.name,
    productClassifications: [LOGISTICS_CLASS],
    pcf: transportPcf({
      amount: '1',
      mass: '1',
      emission: category.co2eIntensityWTW,
      period: [`${year}-01-01`, `${year + 1}-01-01`],
      weighted: [{ item, emission: 1n }],
      release: null,
    }),
    extensions: [{ ...ILEAP_EXTENSION, dataSchema: ILEAP_SCHEMAS.category, data: category }],
  }
}

interface Transported {
  readonly amount: string
  readonly mass: string
  readonly emission: string
  /** First day, and the day after the last day. */
  readonly period: readonly [from: string, until: string]
  readonly weighted: readonly { readonly item: ResolvedTransportation; readonly emission: Milligrams }[]
  /** Names sources that state no year. */
  readonly release: string | null
}

function transportPcf({ amount, mass, emission, period, weighted, release }: Transported): TransportCarbonFootprint {
  const dqi = dataQualityOf(
    weighted.map(({ item, emission: weight }) => ({
      basis: { data_quality: qualityOf({ method: 'tonne-kilometres', item }, Number(period[0].slice(0, 4))) },
      emission: weight,
    })),
  )
  return {
    declaredUnitOfMeasurement: 'ton kilometer',
    declaredUnitAmount: amount,
    productMassPerDeclaredUnit: mass,
    referencePeriodStart: `${period[0]}T00:00:00Z`,
    referencePeriodEnd: `${period[1]}T00:00:00Z`,
    pcfExcludingBiogenicUptake: emission,
    pcfIncludingBiogenicUptake: emission,
    fossilGhgEmissions: emission,
    fossilCarbonContent: '0',
    packagingEmissionsIncluded: false,
    ipccCharacterizationFactors: weighted.every(isOfFifthReport) ? ['AR5'] : ['AR5', 'AR6'],
    crossSectoralStandards: ['ISO14083'],
    boundaryProcessesDescription: PACT_TEXTS.transportBoundary,
    allocationRulesDescription: PACT_TEXTS.transportAllocation,
    exemptedEmissionsPercent: '0',
    exemptedEmissionsDescription: PACT_TEXTS.transportExclusions,
    primaryDataShare: '0',
    ...(dqi && { dqi }),
    secondaryEmissionFactorSources: sourcesOf(weighted, release),
  }
}

/** The British figures say that their characterization factors are of it; the others do not say of which they are. */
const isOfFifthReport = ({ item: { factor } }: { readonly item: ResolvedTransportation }): boolean =>
  factor.source.origin !== 'account' && factor.region === 'GB'

/** Of the factors and of the energy carriers, each once. */
function sourcesOf(legs: Transported['weighted'], release: string | null) {
  const sources = legs.flatMap(({ item: { factor } }) => [factor.source, factor.energyCarrier?.source ?? []].flat())
  const named = sources.map(({ title, year }) => ({ name: title, version: String(year ?? release) }))
  return [...new Map(named.map((one) => [`${one.name}\0${one.version}`, one])).values()]
}
