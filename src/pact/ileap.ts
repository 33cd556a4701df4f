// The data of iLEAP that footprints have as their extension: a shipment with its legs, and a category of transport.
import { hash } from 'node:crypto'
import { ZERO, add, parseDecimal, type Rational } from '../engine/numbers/rational.ts'
import type {
  DistanceBasis,
  EnergyCarrier,
  EnergyCarrierKind,
  EnergyUnit,
  TransportFactor,
  TransportMode,
} from '../engine/reference/reference-data.ts'
import { tankToWheelOf } from '../engine/transport.ts'
import type { Shipment, ShippedLeg } from '../statements/shipments.ts'
import { decimal, kilograms, type PactDecimal } from './decimals.ts'

/** What the two kinds of extension have in common. */
export const ILEAP_EXTENSION = {
  specVersion: '2.0.0',
  documentation: 'https://sine-fdn.github.io/ileap-extension/',
} as const
/** These addresses name the kinds; iLEAP prescribes them. */
export const ILEAP_SCHEMAS = {
  shipment: 'https://api.ileap.sine.dev/shipment-footprint.json',
  category: 'https://api.ileap.sine.dev/toc.json',
} as const
/** Logistics services in the classification of the UN. */
export const LOGISTICS_CLASS = 'urn:pact:productclassification:un-cpc:83117'

export const ileapProductId = (kind: 'shipment' | 'toc', id: string): string =>
  `urn:pathfinder:product:customcode:vendor-assigned:${kind}:${encodeURIComponent(id)}`

/** Of one order. */
export interface ShipmentFootprint {
  /** kg. */
  readonly mass: PactDecimal
  readonly shipmentId: string
  readonly tces: readonly TransportChainElement[]
}

/** One leg. */
export interface TransportChainElement {
  readonly tceId: string
  /** Empty for the only leg. Absent for several: an order does not state their sequence. */
  readonly prevTceIds?: readonly []
  readonly tocId: string
  readonly shipmentId: string
  /** kg. */
  readonly mass: PactDecimal
  /** km, on the basis by which the emission is calculated. */
  readonly distance: Readonly<Partial<Record<'actual' | 'sfd' | 'gcd', PactDecimal>>>
  /** Tonne-kilometres. */
  readonly transportActivity: PactDecimal
  /** kg CO2e. */
  readonly co2eWTW: PactDecimal
  readonly co2eTTW: PactDecimal
}

/** A transport of the catalogue as an operation category (TOC). */
export interface TransportCategory {
  readonly tocId: string
  readonly description: string
  readonly mode: 'Road' | 'Rail' | 'Sea' | 'Air'
  readonly energyCarriers: readonly [CategoryCarrier]
  /** kg CO2e per tonne-kilometre. */
  readonly co2eIntensityWTW: PactDecimal
  readonly co2eIntensityTTW: PactDecimal
  readonly transportActivityUnit: 'tkm'
}

interface CategoryCarrier {
  readonly energyCarrier: (typeof CARRIER_NAMES)[EnergyCarrierKind]
  readonly relativeShare: '1'
  readonly energyConsumptionUnit: EnergyUnit
  /** kg CO2e per unit. */
  readonly emissionFactorWTW: PactDecimal
  readonly emissionFactorTTW: PactDecimal
}

const CARRIER_NAMES = {
  diesel: 'Diesel',
  petrol: 'Petrol',
  cng: 'CNG',
  lpg: 'LPG',
  aviation_fuel: 'Aviation fuel',
  electric: 'Electric',
} as const satisfies Record<EnergyCarrierKind, string>

const MODE_NAMES = {
  road: 'Road',
  rail: 'Rail',
  sea: 'Sea',
  air: 'Air',
} as const satisfies Record<TransportMode, TransportCategory['mode']>

const DISTANCE_NAMES = {
  actual: 'actual',
  shortest_feasible: 'sfd',
  great_circle: 'gcd',
} as const satisfies Record<DistanceBasis, string>

/** Null for a transport of which its one energy carrier, or the year of its figures, is not known. */
export function categoryOf(factor: TransportFactor): TransportCategory | null {
  const { id, energyCarrier, source } = factor
  if (!energyCarrier || source.year === null) return null
  const figures = {
    description: `${factor.name}: ${factor.vehicle}, ${factor.region} ${source.year}`,
    mode: MODE_NAMES[factor.mode],
    energyCarriers: [carrierOf(energyCarrier)] as const,
    co2eIntensityWTW: decimal(factor.factor),
    co2eIntensityTTW: decimal(tankToWheelOf(factor)),
    transportActivityUnit: 'tkm' as const,
  }
  // Releases may have different figures under one id of the catalogue, and each is a category of its own.
  return { tocId: `${id}-${hash('sha256', JSON.stringify(figures)).slice(0, ID_DIGITS)}`, ...figures }
}

const ID_DIGITS = 8

const carrierOf = ({ kind, unit, tankToWheel, wellToTank }: EnergyCarrier): CategoryCarrier => ({
  energyCarrier: CARRIER_NAMES[kind],
  relativeShare: '1',
  energyConsumptionUnit: unit,
  emissionFactorWTW: decimal(add(tankToWheel, wellToTank)),
  emissionFactorTTW: decimal(tankToWheel),
})

/** @param tocIds the categories of the legs */
export const shipmentFootprint = (
  { orderId, massKg, legs }: Shipment,
  tocIds: readonly string[],
): ShipmentFootprint => ({
  mass: decimal(massKg),
  shipmentId: orderId,
  tces: legs.map((leg, at) => ({
    tceId: `${orderId}/${at + 1}`,
    ...(legs.length === 1 && { prevTceIds: [] as const }),
    tocId: tocIds[at]!,
    shipmentId: orderId,
    mass: decimal(leg.massKg),
    distance: { [DISTANCE_NAMES[leg.item.factor.distanceBasis]]: decimal(leg.item.distanceKm) },
    transportActivity: decimal(leg.tonneKm),
    co2eWTW: kilograms(leg.emission),
    co2eTTW: kilograms(leg.tankToWheel),
  })),
})

/** Of all legs: the sum of what is stated for each. */
export const tonneKmOf = (legs: readonly ShippedLeg[]): Rational =>
  legs.map((leg) => parseDecimal(decimal(leg.tonneKm))).reduce(add, ZERO)
